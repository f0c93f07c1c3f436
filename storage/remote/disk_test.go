package remote

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gogotb/storage"
)

// pagesOn returns the files in the folder of a cache that are pages, and their size.
func pagesOn(t testing.TB, dir string) (files []string, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), newPrefix) {
			return nil // a page that has just been removed
		}
		if info, err := d.Info(); err == nil {
			files, bytes = append(files, path), bytes+info.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, bytes
}

// TestDisk: what another process has read is not asked for again, and whatever becomes of the files there, no value is wrong.
func TestDisk(t *testing.T) {
	h := serve(t, written(t, "RB"))
	dir := t.TempDir()
	check := func() {
		t.Helper()
		tables := openAt(t, newClient(t, Options{Disk: dir}), h.address())
		sameBlocks(t, tables, "RB")
	}
	if first, again := h.counted(check), h.counted(check); first < 3 || again != 2 {
		t.Errorf("%d requests at first, and then %d, want one a file", first, again)
	}
	files, _ := pagesOn(t, dir)
	if len(files) < 4 {
		t.Fatalf("%d pages on disk", len(files))
	}
	for name, spoil := range map[string]func(path string) error{
		"flipped": func(path string) error {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b[len(b)/2] ^= 1
			return os.WriteFile(path, b, 0o600)
		},
		"cut":     func(path string) error { return os.Truncate(path, 100) },
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"another": func(path string) error { return os.Rename(path, files[0]) },
		"gone":    os.Remove,
		"folder": func(path string) error {
			os.Remove(path)
			return os.Mkdir(path, 0o700)
		},
	} {
		check() // so that they are there
		for _, f := range files[1:] {
			if err := spoil(f); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		if n := h.counted(check); n < 3 {
			t.Errorf("%s: %d requests", name, n)
		}
		for _, f := range files {
			if info, err := os.Stat(f); err == nil && info.IsDir() {
				os.Remove(f)
			}
		}
	}
	files, _ = pagesOn(t, dir)
	for _, f := range files {
		if err := os.Truncate(f, 50); err != nil {
			t.Fatal(err)
		}
	}
	check()
	if files, bytes := pagesOn(t, dir); bytes < int64(len(files))*10000 {
		t.Errorf("damaged pages are not renewed: %d bytes in %d files", bytes, len(files))
	}
}

// TestDiskOfAnotherVersion: pages of a file are not those of the file that takes its place, and a file that has neither ETag nor
// Last-Modified leaves none.
func TestDiskOfAnotherVersion(t *testing.T) {
	folder, disk := t.TempDir(), t.TempDir()
	h := serve(t, folder)
	read := func() []byte {
		t.Helper()
		s, err := newClient(t, Options{Disk: disk}).Source(h.address())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		f, err := s.Open(t.Context(), "x", 1)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, f.Size())
		if err := f.Read(t.Context(), storage.Part{Bytes: b}); err != nil {
			t.Fatal(err)
		}
		return b
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 3 {
		want := make([]byte, 5*pageSize)
		for k := range want {
			want[k] = byte(r.Uint32())
		}
		path := filepath.Join(folder, "x")
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(1e9+int64(i), 0)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if !bytes.Equal(read(), want) {
				t.Errorf("version %d is not what was read", i)
			}
		}
	}
	before, _ := pagesOn(t, disk)
	h.spoiled(changing(func(h http.Header) {
		h.Del("ETag")
		h.Del("Last-Modified")
	}, nil))
	read()
	if after, _ := pagesOn(t, disk); len(after) != len(before) || len(before) != 15 {
		t.Errorf("%d pages, and then %d, want 15", len(before), len(after))
	}
}

// TestDiskBounded: the folder does not grow beyond its limit, and what was used last stays.
func TestDiskBounded(t *testing.T) {
	dir := t.TempDir()
	const limit = 20 * (pageSize + int64(diskHeader))
	d, err := openDisk(dir, limit)
	if err != nil {
		t.Fatal(err)
	}
	page := bytes.Repeat([]byte("page"), pageSize/4)
	key := func(i int64) diskKey { return diskKey{file: "x", page: i} }
	old := time.Now().Add(-time.Hour)
	for i := range int64(100) {
		d.put(key(i), page)
		if i > 0 {
			at := old.Add(time.Duration(i) * time.Second)
			if err := os.Chtimes(d.path(key(i).bytes()), at, at); err != nil {
				t.Fatalf("page %d is not there: %v", i, err)
			}
		}
		if !bytes.Equal(d.get(key(0)), page) {
			t.Fatalf("page 0, which was used last, is gone when %d is written", i)
		}
		if _, n := pagesOn(t, dir); n > limit {
			t.Fatalf("%d bytes with a limit of %d", n, limit)
		}
	}
	if _, n := pagesOn(t, dir); n < limit/2 {
		t.Errorf("only %d bytes are left", n)
	}
	for _, name := range []string{newPrefix + "old", newPrefix + "new"} {
		if err := os.WriteFile(filepath.Join(dir, "ab", name), page, 0o600); os.IsNotExist(err) {
			os.Mkdir(filepath.Join(dir, "ab"), 0o700)
			err = os.WriteFile(filepath.Join(dir, "ab", name), page, 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chtimes(filepath.Join(dir, "ab", newPrefix+"old"), old.Add(-time.Hour), old.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if d, err = openDisk(dir, pageSize); err != nil {
		t.Fatal(err)
	}
	if _, n := pagesOn(t, dir); n > pageSize {
		t.Errorf("%d bytes are left when the limit has become smaller", n)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "ab", newPrefix+"*")); len(left) != 1 || filepath.Base(left[0]) != newPrefix+"new" {
		t.Errorf("of the files that were being written %v are left", left)
	}
	if d.put(key(1000), page); d.get(key(1000)) != nil {
		t.Error("a page that is larger than the limit is kept")
	}
	if _, err := New(Options{Disk: filepath.Join(dir, "ab", newPrefix+"new", "x")}); err == nil {
		t.Error("a folder that cannot be made is no error")
	}
}

// readerVariable has the test binary read tables from an address, with the cache in a folder, until it is killed.
const readerVariable = "GOGOTB_TEST_READ"

func TestMain(m *testing.M) {
	if address, dir, ok := strings.Cut(os.Getenv(readerVariable), " "); ok {
		for {
			c, err := New(Options{Memory: 1, Disk: dir, DiskBytes: 1 << 20})
			if err != nil {
				panic(err)
			}
			tables, err := storage.Open([]string{address}, &storage.Options{Source: c.Source})
			if err != nil {
				panic(err)
			}
			for _, f := range []string{"RB", "GP"} {
				s, err := c.Source(address)
				if err != nil {
					panic(err)
				}
				if file, err := s.Open(context.Background(), f+".gbo", 1); err == nil {
					file.Read(context.Background(), storage.Part{Bytes: make([]byte, file.Size())})
					file.Discard(0, 1) // so that its first page is written again; those at its end are each time
				}
				s.Close()
			}
			tables.Close()
		}
	}
	os.Exit(m.Run())
}

// TestDiskShared has several processes read into one folder, and kills them at random: whatever has the name of a page is one.
func TestDiskShared(t *testing.T) {
	h := serve(t, written(t, "RB", "GP"))
	dir := t.TempDir()
	var all sync.WaitGroup
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		lifetime := time.Duration(50+r.IntN(300)) * time.Millisecond
		all.Go(func() {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), readerVariable+"="+h.address()+" "+dir)
			if err := child.Start(); err != nil {
				t.Error(err)
				return
			}
			for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
				if files, _ := pagesOn(t, dir); len(files) > 0 {
					break
				}
			}
			time.Sleep(lifetime)
			child.Process.Kill()
			child.Wait()
		})
	}
	all.Wait()
	files, _ := pagesOn(t, dir)
	if len(files) == 0 {
		t.Fatal("nothing was written")
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err != nil || len(b) <= diskHeader || string(b[:len(diskMagic)]) != diskMagic {
			t.Errorf("%s: %d bytes, %v", f, len(b), err)
		}
	}
	for _, name := range []string{"RB", "GP"} {
		sameBlocks(t, openAt(t, newClient(t, Options{Disk: dir}), h.address()), name)
	}
}
