package storage

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// temporarySuffix names files that are being written; nothing reads them. What a killed
// process leaves of them Tidy removes, and the next Writer of the same set overwrites.
const temporarySuffix = ".tmp"

// ReadError says that the operating system could not read a table file.
type ReadError struct {
	File string
	Err  error
}

func (e *ReadError) Error() string { return e.File + ": " + cause(e.Err).Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// WriteError says that a file could not be written: a full disk, a folder without
// permission. What stood under the file's name before still stands there.
type WriteError struct {
	File string
	Err  error
}

func (e *WriteError) Error() string { return e.File + ": " + cause(e.Err).Error() }
func (e *WriteError) Unwrap() error { return e.Err }

// cause takes the path out of an error that repeats it.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// newFile is a file that appears under its name only when it is whole: written to a
// temporary name in the same folder, synced, renamed.
type newFile struct {
	path string // final
	file *os.File
	buf  *bufio.Writer
	size int64
	sum  *xxhash.Digest
	sha  hash.Hash
	err  error // the first one; nothing is written after it

	header    []byte
	headerSum uint64
	directory []byte // of what is written so far
}

func createFile(path string) (*newFile, error) {
	f, err := os.OpenFile(path+temporarySuffix, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, &WriteError{path, err}
	}
	return &newFile{path: path, file: f, buf: bufio.NewWriterSize(f, 1<<18), sum: xxhash.New(), sha: sha256.New()}, nil
}

// Write writes to the temporary file, unless an earlier call failed: finish returns the
// error.
func (n *newFile) Write(b []byte) (int, error) {
	if n.err == nil {
		if _, err := n.buf.Write(b); err != nil {
			n.err = &WriteError{n.path, err}
		}
		n.size += int64(len(b))
		n.sum.Write(b)
		n.sha.Write(b)
	}
	return len(b), n.err
}

// finish makes the file durable under its temporary name, or returns the first error.
func (n *newFile) finish() error {
	err := n.err
	if err == nil {
		err = n.buf.Flush()
	}
	if err == nil {
		err = n.file.Sync()
	}
	if e := n.file.Close(); err == nil {
		err = e
	}
	n.file = nil
	if err != nil && n.err == nil {
		n.err = &WriteError{n.path, err}
	}
	return n.err
}

// publish gives the finished file its name.
func (n *newFile) publish() error {
	if err := os.Rename(n.path+temporarySuffix, n.path); err != nil {
		return &WriteError{n.path, err}
	}
	return nil
}

// discard removes what was written; nothing if the file has its name already.
func (n *newFile) discard() {
	if n.file != nil {
		n.file.Close()
		n.file = nil
	}
	os.Remove(n.path + temporarySuffix)
}

// removeTemporary removes the temporary files of tables and of SHA256SUMS from a folder.
func removeTemporary(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &ReadError{dir, err}
	}
	for _, e := range entries {
		name, temporary := strings.CutSuffix(e.Name(), temporarySuffix)
		_, _, ours := parseFileName(name)
		if !temporary || !ours && name != SumsFile {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if err := os.Remove(path); err != nil {
			return &WriteError{path, err}
		}
	}
	return nil
}

// replaceFile puts new content under a name at once, or leaves the old one.
func replaceFile(path string, content []byte) error {
	f, err := createFile(path)
	if err != nil {
		return err
	}
	f.Write(content)
	if err = f.finish(); err == nil {
		err = f.publish()
	}
	if err != nil {
		f.discard()
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes renames in a folder durable. Windows has no such call and needs none.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return &WriteError{dir, err}
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return &WriteError{dir, err}
	}
	return nil
}
