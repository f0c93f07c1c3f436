// Package version numbers the program and the C library.
package version

// Number is the version of this source. The Makefile reads it, too.
const Number = "0.1.0"

// Program names the program with its version.
const Program = "gogotb " + Number
