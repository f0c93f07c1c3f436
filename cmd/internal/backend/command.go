package backend

import (
	"errors"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/mattn/go-shellwords"
)

// CommandError says what is wrong with the command line of an engine.
type CommandError struct {
	Command string
	Err     error
}

func (e *CommandError) Error() string { return e.Command + ": " + e.Err.Error() }

func (e *CommandError) Unwrap() error { return e.Err }

// ParseCommand reads the command line of an engine: the path of a program, or its name if it lies in PATH, then
// arguments, with quotes and backslashes as a shell has them. A path with spaces needs no quotes if there are no
// arguments. The program must be there.
func ParseCommand(command string) (program string, args []string, err error) {
	if program, err = exec.LookPath(strings.TrimSpace(command)); err == nil {
		return program, nil, nil
	}
	parser := shellwords.NewParser()
	words, bad := parser.Parse(command)
	switch {
	case bad != nil:
		return "", nil, &CommandError{command, errors.New("a quote is not closed, or a parenthesis is not quoted")}
	case parser.Position >= 0:
		return "", nil, &CommandError{command, errors.New("; & | < > must be quoted, for no shell runs it")}
	case len(words) == 0:
		return "", nil, &CommandError{command, reason(err)}
	}
	if program, err = exec.LookPath(words[0]); err != nil {
		return "", nil, &CommandError{words[0], reason(err)}
	}
	return program, words[1:], nil
}

// reason returns what an error of LookPath says besides the name.
func reason(err error) error {
	var wrong *exec.Error
	if errors.As(err, &wrong) {
		err = wrong.Err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err
}
