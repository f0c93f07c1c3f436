package storage

import (
	"cmp"
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
	Err      error  // why the table cannot be used, a *VersionError if it is of another version; nil if it can
}

// List finds all tables in the folders, in the order of the folders, then of
// index.Sets. Their blocks are not looked at.
func (t *Tables) List() ([]TableInfo, error) {
	var list []TableInfo
	for _, dir := range t.dirs {
		names, err := tableNames(dir)
		if err != nil {
			return nil, err
		}
		found := make([]TableInfo, len(names))
		for i, name := range names {
			found[i] = describe(filepath.Join(dir, name))
		}
		slices.SortStableFunc(found, func(a, b TableInfo) int {
			return cmp.Or(
				cmp.Compare(a.Material.Pieces(), b.Material.Pieces()),
				-slices.Compare(a.Material[:], b.Material[:]),
				cmp.Compare(a.Kind, b.Kind))
		})
		list = append(list, found...)
	}
	return list, nil
}

// describe looks at a file with the name of a table.
func describe(path string) TableInfo {
	m, kind, _ := parseFileName(filepath.Base(path))
	info := TableInfo{Material: m, Kind: kind, Path: path}
	if stat, err := os.Stat(path); err == nil {
		info.Bytes = stat.Size()
	}
	t, err := openTable(path, m, kind)
	if err != nil {
		info.Err = err
		return info
	}
	t.file.Close()
	info.Entries, info.Format = t.header.entries, t.header.version
	return info
}
