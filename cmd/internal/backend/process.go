package backend

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// process is a running program that reads and writes lines.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // closed when the program has ended, or said something that is no line
	out   chan string // lines on their way to the program
	ended chan struct{}
	gone  chan struct{} // closed when it has been waited for
}

// longest is the length of the longest line read; principal variations of several kilobytes are normal.
const longest = 1 << 20

// launch starts a program, by its command line.
func launch(command string) (*process, error) {
	program, args, err := ParseCommand(command)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, args...)
	alone(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, lines: make(chan string), out: make(chan string, 64), ended: make(chan struct{}), gone: make(chan struct{})}
	go p.read(out)
	go p.write()
	return p, nil
}

func (p *process) read(out io.Reader) {
	s := bufio.NewScanner(out)
	s.Buffer(nil, longest)
	for s.Scan() {
		line := strings.TrimSpace(s.Text())
		if line == "" {
			continue
		}
		select {
		case p.lines <- line:
		case <-p.ended:
			return
		}
	}
	close(p.lines)
}

// write hands lines over, so that a program that does not read keeps nobody waiting.
func (p *process) write() {
	for {
		select {
		case line := <-p.out:
			if _, err := io.WriteString(p.in, line+"\n"); err != nil {
				return
			}
		case <-p.ended:
			return
		}
	}
}

// send sends a line.
func (p *process) send(format string, args ...any) error {
	select {
	case p.out <- fmt.Sprintf(format, args...):
		return nil
	default:
		return fmt.Errorf("it does not read what is sent to it")
	}
}

// kill ends the program and its children.
func (p *process) kill() {
	killAll(p.cmd.Process)
	close(p.ended)
	p.in.Close()
	go func() {
		defer close(p.gone)
		p.cmd.Wait()
	}()
}

// reap waits until nothing is left of a program that was killed. Otherwise, if ours ends next, a zombie may be left in
// a container where nobody else waits for it. A system that is slow to kill is not waited for.
func (p *process) reap() {
	select {
	case <-p.gone:
	case <-time.After(2 * time.Second):
	}
}

// quit ends the program and its children after they have had the time to do so themselves.
func (p *process) quit() {
	const patience = 300 * time.Millisecond
	p.send("quit")
	timeout := time.After(patience)
	for {
		select {
		case _, ok := <-p.lines:
			if ok {
				continue
			}
		case <-timeout:
		}
		p.kill()
		p.reap()
		return
	}
}
