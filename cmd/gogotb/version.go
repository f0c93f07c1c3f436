package main

import (
	"fmt"
	"runtime/debug"
)

// version names the build, as far as it knows itself.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return fmt.Sprintf("gogotb %s", v)
}
