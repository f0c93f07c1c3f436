package position

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// longestLine bounds a line of a batch, in bytes: a game of ten thousand moves is shorter.
	longestLine = 64 << 10
	// endlessLine is how much of a longer one is passed over in search of its end.
	endlessLine = 64 << 20
	// lineStart is how much of it is shown.
	lineStart = 80
)

// ErrLongLine says that a line is too long for a position. The lines behind it are read all the same.
var ErrLongLine = errors.New("the line is too long for a position")

// errEndlessLine says that nothing more is read: what comes is no text.
var errEndlessLine = errors.New("a line without an end")

// Lines reads a batch of positions, one a line, to be given to Read. Blank lines and those that begin with # are
// left out; the blanks around a line too, and a byte order mark (one of UTF-16 says how the text is encoded). With
// ErrLongLine comes the beginning of a line, with any other error the end of all lines.
func Lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in := bufio.NewReaderSize(transform.NewReader(r, unicode.BOMOverride(transform.Nop)), longestLine)
		for {
			line, more, err := in.ReadLine()
			text := strings.TrimSpace(string(line))
			if more {
				text = strings.ToValidUTF8(text[:min(lineStart, len(text))], "") + "..."
				if err = passOver(in); err == nil {
					err = ErrLongLine
				}
			}
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, ErrLongLine):
			case err != nil:
				yield("", err)
				return
			case text == "" || text[0] == '#':
				continue
			}
			if !yield(text, err) {
				return
			}
		}
	}
}

// passOver reads what is left of a line.
func passOver(in *bufio.Reader) error {
	for n := 0; n < endlessLine; {
		line, more, err := in.ReadLine()
		if n += len(line); err != nil && err != io.EOF || !more {
			return err
		}
	}
	return errEndlessLine
}
