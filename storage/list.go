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
	Dir      string // the folder, or the address
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
	for _, f := range t.folders {
		names, err := t.names(f)
		if err != nil {
			errs = append(errs, err)
		}
		found := make([]TableInfo, len(names))
		workers := 1
		if f.source != nil {
			workers = farWorkers
		}
		parallel(workers, len(names), noState, func(_ struct{}, i int) error {
			found[i] = t.describe(f, names[i])
			return nil
		})
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

// names returns the names of the tables in a folder; none if there is no such folder.
func (t *Tables) names(f folder) ([]string, error) {
	if f.source != nil {
		names, err := f.source.List(t.ctx)
		if err != nil {
			return nil, f.readError(t.ctx, "", err)
		}
		return slices.DeleteFunc(names, func(name string) bool {
			_, _, ok := parseFileName(name)
			return !ok
		}), nil
	}
	entries, err := t.files.readFolder(f.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &ReadError{f.name, err}
	}
	return tableNamesIn(entries), nil
}

// farWorkers is how many questions are asked of an address at once; its Source may ask fewer.
const farWorkers = 16

func noState() struct{} { return struct{}{} }

// describe looks at a file with the name of a table.
func (t *Tables) describe(f folder, name string) TableInfo {
	m, kind, _ := parseFileName(name)
	info := TableInfo{Material: m, Kind: kind, Path: f.file(name)}
	if info.Dir = f.name; f.source == nil {
		info.Dir = filepath.Dir(info.Path)
		if stat, err := os.Stat(info.Path); err == nil {
			info.Bytes = stat.Size()
		}
	}
	if info.Err = t.damage(info.Path); info.Err != nil {
		return info
	}
	table, err := f.openTable(t.ctx, t.files, m, kind)
	if err != nil {
		info.Err = err
		t.note([]flaw{{file: info.Path, err: err}})
		return info
	}
	table.close()
	info.Bytes, info.Entries, info.Format = table.size, table.header.entries, table.header.version
	info.Making = table.trailer.fileSum
	if kind == Distances {
		info.Making = table.trailer.outcomesSum
	}
	return info
}
