package bucket

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// folder is a bucket in a folder, which may be on a file system that machines share. An object is written under a
// temporary name, synced and then linked to its own, which fails if that is there.
type folder struct{ root string }

// temporaryPrefix begins names that no key has.
const temporaryPrefix = ".new-"

// stale is the age at which what a process left that was killed is removed.
const stale = 24 * time.Hour

func openFolder(root string) (*folder, error) {
	f := &folder{root}
	if err := f.makeFolder(root); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *folder) path(key string) string { return filepath.Join(f.root, filepath.FromSlash(key)) }

func (f *folder) Put(ctx context.Context, key string, body Body) error {
	err := checkKey("put", key)
	if err != nil {
		return err
	}
	if err := f.put(ctx, f.path(key), body); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = ErrExists
		}
		return &Error{"put", key, err}
	}
	return nil
}

func (f *folder) put(ctx context.Context, path string, body Body) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	dir := filepath.Dir(path)
	if err := f.makeFolder(dir); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, temporaryPrefix)
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = io.Copy(file, io.NewSectionReader(body, 0, body.Size()))
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil {
		return err
	}
	if err := syncFolder(dir); err != nil {
		os.Remove(path) // or it would be taken for durable
		return err
	}
	return nil
}

// makeFolder makes a folder, and those above it, durably.
func (f *folder) makeFolder(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := f.makeFolder(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(above)
}

// syncFolder makes the names in a folder durable. Windows sees to it by itself.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	file, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

func (f *folder) Get(ctx context.Context, key string, offset, n int64) ([]byte, error) {
	if err := checkKey("get", key); err != nil {
		return nil, err
	}
	body, err := f.get(f.path(key), offset, n)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrNotFound
		}
		return nil, &Error{"get", key, err}
	}
	return body, ctx.Err()
}

func (f *folder) get(path string, offset, n int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if n < 0 {
		n = math.MaxInt64 - offset
	}
	return io.ReadAll(io.NewSectionReader(file, offset, n))
}

func (f *folder) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := filepath.WalkDir(f.path(prefix[:strings.LastIndex(prefix, "/")+1]), func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // gone meanwhile, or never there
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case d.IsDir():
				return nil
			case strings.HasPrefix(d.Name(), temporaryPrefix):
				removeStale(path, d)
				return nil
			}
			name, err := filepath.Rel(f.root, path)
			if err != nil {
				return err
			}
			if key := filepath.ToSlash(name); strings.HasPrefix(key, prefix) && !yield(key, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", &Error{"list", prefix, err})
		}
	}
}

// removeStale removes a temporary file that nobody writes any more.
func removeStale(path string, d fs.DirEntry) {
	if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > stale {
		os.Remove(path)
	}
}

func (f *folder) Delete(ctx context.Context, key string) error {
	if err := checkKey("delete", key); err != nil {
		return err
	}
	if err := os.Remove(f.path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{"delete", key, err}
	}
	return ctx.Err()
}

func (f *folder) Close() error { return nil }
