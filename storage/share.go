package storage

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Shared is the file of a table that others may read, see Share. Whoever asked for it closes it.
type Shared struct {
	*os.File
	Info os.FileInfo
	Tag  string // the same for files with the same content, wherever they are
}

// Share opens the file of a table, "GSP.gbo", for others to read: that which probes of the set read. The error is
// fs.ErrNotExist if there is none in a folder of this machine.
func (t *Tables) Share(name string) (*Shared, error) {
	m, kind, ok := parseFileName(name)
	if !ok {
		return nil, fs.ErrNotExist
	}
	s, err := t.Set(m)
	if err != nil {
		return nil, err
	}
	for _, table := range s.known().files() {
		if table.header.kind == kind && table.far == nil {
			return share(table.name)
		}
	}
	return nil, fs.ErrNotExist
}

func share(path string) (*Shared, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, &ReadError{path, err}
	}
	var b [trailerSize]byte
	if _, err := f.ReadAt(b[:], info.Size()-trailerSize); err != nil {
		f.Close()
		return nil, &ReadError{path, err}
	}
	// The checksum of the file and the size; the file may be another one than that which is open for probes.
	return &Shared{f, info, fmt.Sprintf("%016x-%x", binary.LittleEndian.Uint64(b[trailerSize-16:]), info.Size())}, nil
}

// SharedSums returns SHA256SUMS of the tables that Share has, as far as the SHA256SUMS of their folders name them.
func (t *Tables) SharedSums() ([]byte, error) {
	files, err := t.Glance()
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f TableInfo) bool { return IsAddress(f.Dir) })
	folders, sums := map[string]map[string]string{}, map[string]string{}
	for _, s := range t.SetsOf(files) {
		for _, table := range s.known().files() {
			if table.far != nil {
				continue
			}
			dir, name := filepath.Split(table.name)
			if folders[dir] == nil {
				if folders[dir], err = readSums(dir); err != nil {
					return nil, err
				}
			}
			if sum := folders[dir][name]; sum != "" {
				sums[name] = sum
			}
		}
	}
	return formatSums(sums), nil
}
