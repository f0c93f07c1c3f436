//go:build !unix

package backend

import (
	"os"
	"os/exec"
)

// alone does nothing: there are no groups of processes.
func alone(*exec.Cmd) {}

// killAll ends a program.
func killAll(p *os.Process) { p.Kill() }
