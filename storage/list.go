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
func (t *Tables) List() ([]TableInfo, error) { return t.list(true) }

// Glance lists them without opening those at addresses, of which it gives no more than what their names tell.
func (t *Tables) Glance() ([]TableInfo, error) { return t.list(false) }

// SetsOf opens the sets of which tables are listed, in the order of index.Sets, and their distances. Those that cannot be
// used are left out: a probe says why.
func (t *Tables) SetsOf(files []TableInfo) []*Set {
	named := map[index.Material]bool{}
	for _, f := range files {
		named[f.Material] = true
	}
	all := slices.DeleteFunc(index.Sets(index.MaxPieces), func(m index.Material) bool { return !named[m] })
	sets := make([]*Set, len(all))
	workers := 1
	if t.far {
		workers = farWorkers
	}
	parallel(workers, len(all), noState, func(_ struct{}, i int) error {
		if s, err := t.Set(all[i]); err == nil {
			s.known()
			sets[i] = s
		}
		return nil
	})
	return slices.DeleteFunc(sets, func(s *Set) bool { return s == nil })
}

func (t *Tables) list(far bool) ([]TableInfo, error) {
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
			found[i] = t.describe(f, names[i], far)
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

// describe looks at a file with the name of a table, into one at an address if far.
func (t *Tables) describe(f folder, name string, far bool) TableInfo {
	m, kind, _ := parseFileName(name)
	info := TableInfo{Material: m, Kind: kind, Path: f.file(name)}
	if info.Dir = f.name; f.source == nil {
		info.Dir = filepath.Dir(info.Path)
		if stat, err := os.Stat(info.Path); err == nil {
			info.Bytes = stat.Size()
		}
	}
	if info.Err = t.damage(info.Path); info.Err != nil || f.source != nil && !far {
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
