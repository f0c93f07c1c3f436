//go:build unix

package backend

import (
	"os"
	"os/exec"
	"syscall"
)

// alone puts a program into a process group of its own: a shell that starts the engine has to end with it.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killAll ends a program and its children. It has not been waited for yet, so that the group is still its own.
func killAll(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
