package retro

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/dustin/go-humanize"
)

// DamageError says that a checkpoint has a damaged record, with whole ones behind it. What was
// found up to the last commit before it is good, what comes later is found again.
type DamageError struct {
	File   string
	Offset int64  // of the damaged record
	Kept   string // a file that has now all that is behind the good part
	good   mark
	lost   mark
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s is damaged at byte %s: what was saved after %v, up to %v, is lost and will be found again; "+
		"the damaged part is kept in %s", e.File, humanize.Comma(e.Offset), e.good, e.lost, e.Kept)
}

// String says up to where all was found.
func (m mark) String() string {
	switch {
	case m == mark{}:
		return "the beginning"
	case Phase(m.Phase) == MatePhase:
		return fmt.Sprintf("ply %d", m.Number)
	case Phase(m.Phase) == PerpetualPhase && m.Number > 0:
		return fmt.Sprintf("rank %d of the perpetual checks", m.Number)
	case Phase(m.Phase) == PerpetualPhase:
		return "the last mates"
	}
	return "the end"
}

// damagedFile returns the name of the file that keeps the damaged part of a checkpoint.
func damagedFile(name string) string { return name + ".damaged" }

// RemoveCheckpoint removes a checkpoint that has been of use, with what was kept of its damaged
// part, if they are there.
func RemoveCheckpoint(name string) error {
	for _, file := range []string{name, damagedFile(name)} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &CheckpointError{file, pathless(err)}
		}
	}
	return nil
}

// setAside copies what is behind committed, the end of the last good commit, to another file, and
// warns of that, if it is more than a record being written when the process died: a commit behind
// the record at c.size, which is not whole, can only have been written when that one was.
func (c *checkpoint) setAside(committed int64, warn func(error)) error {
	lost, err := c.lastCommit(c.size)
	if err != nil || lost == (mark{}) {
		return c.fail(err)
	}
	if committed == 0 { // nothing says of which set it is
		return c.fail(ErrBadCheckpoint)
	}
	e := &DamageError{File: c.name, Offset: c.size, Kept: damagedFile(c.name), good: c.mark, lost: lost}
	if err := c.copyTo(e.Kept, committed); err != nil {
		return &CheckpointError{e.Kept, pathless(err)}
	}
	if warn != nil {
		warn(e)
	}
	return nil
}

// copyTo adds what the checkpoint has from an offset on to a file.
func (c *checkpoint) copyTo(name string, offset int64) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	stat, err := file.Stat()
	if err == nil {
		if _, err = io.Copy(file, io.NewSectionReader(c.file, offset, 1<<62)); err == nil {
			err = file.Sync()
		}
		if err != nil {
			file.Truncate(stat.Size())
		}
	}
	return errors.Join(err, file.Close())
}

// lastCommit looks for whole commits behind an offset, wherever they begin, and returns the mark of
// the last one, or none.
func (c *checkpoint) lastCommit(offset int64) (last mark, err error) {
	head := []byte{commitRecord, 0, 0, 0, byte(binary.Size(mark{})), 0, 0, 0}
	size := recordHead + binary.Size(mark{})
	window := make([]byte, 1<<20)
	for {
		n, err := c.file.ReadAt(window, offset)
		if err != nil && err != io.EOF {
			return mark{}, err
		}
		for b := window[:n]; ; b = b[1:] {
			i := bytes.Index(b, head)
			if i < 0 || len(b)-i < size {
				break
			}
			b = b[i:]
			if body := b[recordHead:size]; binary.LittleEndian.Uint64(b[8:]) == recordSum(b[:8], body) {
				binary.Decode(body, binary.LittleEndian, &last)
			}
		}
		if err == io.EOF {
			return last, nil
		}
		offset += int64(n - size + 1) // a commit may begin in one window and end in the next
	}
}
