package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// longestText bounds a file of games or puzzles, of which all is read before anything is done.
const longestText = 64 << 20

// standardInput is the name of a file that stands for standard input, and what it is called in words.
const (
	inputName  = "-"
	inputWords = "standard input"
)

// readText reads a file of text, or standard input. What is neither a file nor a pipe that the shell has opened, as for
// <(...), is refused at once: it may have no end, or nobody who writes into it. Errors do not name the file.
func readText(cmd *cobra.Command, name string) ([]byte, error) {
	in := cmd.InOrStdin()
	if name != inputName {
		if err := checkTextFile(name); err != nil {
			return nil, withoutPath(err)
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, withoutPath(err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, longestText+1))
	if err == nil && len(data) > longestText {
		err = fmt.Errorf("it is longer than %s", humanize.IBytes(longestText))
	}
	return data, withoutPath(err)
}

func checkTextFile(name string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return errors.New("it is a folder")
	case info.Mode()&fs.ModeNamedPipe != 0 && isShells(name):
		return nil
	}
	return errors.New("it is no regular file")
}

// isShells tells whether a name is one that shells give to what they have opened, and what is open already.
func isShells(name string) bool {
	return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// withoutPath returns the error without the name of the file, which stands beside it.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
