package storage

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"gogotb/index"
)

// TableInfo describes a table file that List has found.
type TableInfo struct {
	Material index.Material
	Kind     Kind
	Path     string
	Bytes    int64
	Entries  uint64 // of the index; 0 if the table cannot be used
	Format   int    // version of the format; 0 if the table cannot be used
	Making   uint64 // the same in outcomes and in distances that belong together
	Err      error  // why the table cannot be used, a *VersionError if it is of another version; nil if it can
}

// List finds all tables in the folders, in the order of the folders, then of index.Sets. Their
// blocks are not looked at, but damage that a probe has come upon is known. The error is that of
// the folders that cannot be read; those of the others are listed.
func (t *Tables) List() ([]TableInfo, error) {
	var list []TableInfo
	var errs []error
	for _, dir := range t.dirs {
		entries, err := t.files.readFolder(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, &ReadError{dir, err})
		}
		names := tableNamesIn(entries)
		found := make([]TableInfo, len(names))
		for i, name := range names {
			found[i] = t.describe(filepath.Join(dir, name))
		}
		slices.SortStableFunc(found, func(a, b TableInfo) int {
			return cmp.Or(
				cmp.Compare(a.Material.PieceCount(), b.Material.PieceCount()),
				-slices.Compare(a.Material[:], b.Material[:]),
				cmp.Compare(a.Kind, b.Kind))
		})
		list = append(list, found...)
	}
	return list, errors.Join(errs...)
}

// describe looks at a file with the name of a table.
func (t *Tables) describe(path string) TableInfo {
	m, kind, _ := parseFileName(filepath.Base(path))
	info := TableInfo{Material: m, Kind: kind, Path: path}
	if stat, err := os.Stat(path); err == nil {
		info.Bytes = stat.Size()
	}
	if info.Err = t.damage(path); info.Err != nil {
		return info
	}
	table, err := openTable(t.files, path, m, kind)
	if err != nil {
		info.Err = err
		t.note([]flaw{{file: path, err: err}})
		return info
	}
	table.file.close()
	info.Entries, info.Format = table.header.entries, table.header.version
	info.Making = table.trailer.fileSum
	if kind == Distances {
		info.Making = table.trailer.outcomesSum
	}
	return info
}
