package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gogotb/index"
	"gogotb/retro/cluster/bucket"
	"gogotb/storage"
)

// readAtOnce is how much of an object is read at a time.
const readAtOnce = 16 << 20

// putTables puts the tables of a set, which a worker has made in a folder, into the bucket, and says what they are. What
// is there already is compared.
func (s *store) putTables(ctx context.Context, dir string, m index.Material, r *Result) error {
	for _, kind := range []storage.Kind{storage.Outcomes, storage.Distances} {
		f, err := describe(filepath.Join(dir, storage.FileName(m, kind)))
		if err != nil {
			return err
		}
		r.Files = append(r.Files, f)
	}
	// Who makes tables says so first, so that it is known whose they are.
	if err := putJSON(ctx, s, madeKey(m, r.Worker), r); err != nil && !errors.Is(err, bucket.ErrExists) {
		return err
	}
	for _, f := range r.Files {
		err := s.putFile(ctx, tablesPrefix+f.Name, filepath.Join(dir, f.Name))
		if errors.Is(err, bucket.ErrExists) {
			err = s.compare(ctx, m, r, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// describe returns the name, size and hash of a file.
func describe(path string) (File, error) {
	file, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	sha := sha256.New()
	n, err := io.Copy(sha, file)
	return File{filepath.Base(path), n, hex.EncodeToString(sha.Sum(nil))}, err
}

func (s *store) putFile(ctx context.Context, key, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return err
	}
	return s.Put(ctx, key, io.NewSectionReader(file, 0, stat.Size()))
}

// compare compares a table with the one that is in the bucket under its name.
func (s *store) compare(ctx context.Context, m index.Material, r *Result, f File) error {
	key := tablesPrefix + f.Name
	there, err := s.copyObject(ctx, io.Discard, key)
	if err != nil || there.SHA256 == f.SHA256 {
		return err
	}
	others, err := s.makers(ctx, m)
	if err != nil {
		return err
	}
	there.Name = f.Name
	for _, other := range others {
		if slices.Contains(other.Files, there) {
			return &ConflictError{key, r.Worker, other.Worker}
		}
	}
	return &DamagedError{key, fmt.Sprintf("its SHA-256 is %s, and %s made one with %s", there.SHA256, r.Worker, f.SHA256)}
}

// copyObject writes an object to a writer and returns its size and hash.
func (s *store) copyObject(ctx context.Context, w io.Writer, key string) (File, error) {
	sha := sha256.New()
	size := int64(0)
	for {
		body, err := s.Get(ctx, key, size, readAtOnce)
		if err != nil {
			return File{}, err
		}
		sha.Write(body)
		if _, err := w.Write(body); err != nil {
			return File{}, err
		}
		size += int64(len(body))
		if len(body) < readAtOnce {
			return File{key, size, hex.EncodeToString(sha.Sum(nil))}, nil
		}
	}
}

// fetchTables copies the tables of a set to a folder, where they appear under their names when they are whole.
func (s *store) fetchTables(ctx context.Context, dir string, r *Result) error {
	for _, f := range slices.Backward(r.Files) { // a set is there when its outcomes are, which come last
		if err := s.fetchTable(ctx, dir, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) fetchTable(ctx context.Context, dir string, f File) error {
	path := filepath.Join(dir, f.Name)
	if there, err := describe(path); err == nil && there == f {
		return nil
	}
	file, err := os.CreateTemp(dir, f.Name+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	got, err := s.copyObject(ctx, file, tablesPrefix+f.Name)
	got.Name = f.Name
	if err == nil && got != f {
		err = &DamagedError{tablesPrefix + f.Name, fmt.Sprintf("its SHA-256 is %s, and what was put there had %s", got.SHA256, f.SHA256)}
	}
	if err == nil {
		err = errors.Join(file.Chmod(0o644), file.Sync())
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// putSums brings SHA256SUMS of the bucket's tables, the one object that is ever replaced, up to date with the sets that
// are done. Of several who do so at the same time the last has seen what all of them had done.
func (s *store) putSums(ctx context.Context) error {
	key := tablesPrefix + storage.SumsFile
	known := map[string]string{} // lines by set
	for {
		made, err := s.done(ctx)
		if err != nil {
			return err
		}
		for set := range made {
			if known[set] != "" {
				continue
			}
			m, err := index.ParseMaterial(set)
			if err != nil {
				return &DamagedError{donePrefix + set + ".json", err.Error()}
			}
			r, err := s.result(ctx, m)
			if err != nil {
				return err
			}
			for _, f := range r.Files {
				known[set] += fmt.Sprintf("%s  %s\n", f.SHA256, f.Name)
			}
		}
		text := sortedByName(strings.Join(slices.Collect(maps.Values(known)), ""))
		there, err := s.Get(ctx, key, 0, -1)
		switch {
		case err == nil && string(there) == text:
			return nil
		case err != nil && !errors.Is(err, bucket.ErrNotFound):
			return err
		case err == nil:
			if err := s.Delete(ctx, key); err != nil {
				return err
			}
		}
		if err := s.Put(ctx, key, strings.NewReader(text)); err != nil && !errors.Is(err, bucket.ErrExists) {
			return err
		}
	}
}

// sortedByName sorts the lines of SHA256SUMS by the names of the files.
func sortedByName(text string) string {
	lines := slices.Collect(strings.Lines(text))
	slices.SortFunc(lines, func(a, b string) int {
		return strings.Compare(a[2*sha256.Size:], b[2*sha256.Size:])
	})
	return strings.Join(lines, "")
}
