package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// NoDistancesError says that only the outcomes of a set are installed. Without distances
// nothing can be proved of them: a circle of false wins looks as good as true ones.
type NoDistancesError struct{ Material index.Material }

func (e *NoDistancesError) Error() string {
	return fmt.Sprintf("the table of distances for %s is not installed; outcomes alone cannot be audited", e.Material)
}

// Table audits the tables of a set: their values, unpacked into memory (two bytes a placement,
// and about a hundred for each position that mate leaves undecided), and the
// statistics. The error is a *NoDistancesError, one of reading the tables, or one of Values.
func Table(ctx context.Context, s *storage.Set, opt Options) (*Report, error) {
	if !s.HasDistances() {
		return nil, &NoDistancesError{s.Index().Material()}
	}
	t := newTable(s.Index().Size())
	var next atomic.Uint64
	g, ctx2 := errgroup.WithContext(ctx)
	for range opt.workers() {
		g.Go(func() error {
			var room []rules.Value
			for ctx2.Err() == nil {
				n := next.Add(1) - 1
				if n >= s.BlockCount() {
					return nil
				}
				b, err := s.Block(n, room)
				if err != nil {
					return err
				}
				t.put(b.First, b.Values)
				room = b.Values
			}
			return ctx2.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return run(ctx, s.Index(), t, s.Stats(), opt, true)
}

// Checksums reads every byte of a set's files and checks every checksum: of headers,
// statistics, directories, blocks, and of the files as a whole. The set's files in all folders
// are checked: probing may use any of them. It returns the files that it has checked; the error is
// that of the first flaw, or of ctx.
func Checksums(ctx context.Context, dirs []string, m index.Material) (files []string, err error) {
	outcomes := false
	for _, dir := range dirs {
		for _, kind := range []storage.Kind{storage.Outcomes, storage.Distances} {
			name := filepath.Join(dir, storage.FileName(m, kind))
			if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err := storage.CheckFile(ctx, name); err != nil {
				return files, err
			}
			files = append(files, name)
			outcomes = outcomes || kind == storage.Outcomes
		}
	}
	if !outcomes {
		return nil, &storage.MissingTableError{Material: m, Kind: storage.Outcomes, Dirs: dirs}
	}
	return files, nil
}
