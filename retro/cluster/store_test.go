package cluster

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gogotb/retro/cluster/bucket"
)

// TestOtherTables: tables that differ from those in the bucket stop the set, and the error names both writers, or the
// object if nobody has written that.
func TestOtherTables(t *testing.T) {
	for _, c := range []struct {
		name string
		has  bool // somebody has written what is there
	}{{"another writer", true}, {"damage", false}} {
		t.Run(c.name, func(t *testing.T) {
			f := newFleet(t)
			address, folder := newFolder(t)
			following := f.submit(t, NewPlan(testVersions, address, parse(t, "P"), 0, 0))
			key := "tables/P.outcomes"
			for _, file := range strings.Split(strings.TrimSpace(sumsAlone(t, "P")), "\n") {
				key = "tables/" + file[66:]
				break
			}
			if err := following.store.Put(t.Context(), key, bytes.NewReader([]byte("something else"))); err != nil {
				t.Fatal(err)
			}
			if c.has {
				other, err := describe(filepath.Join(folder, key))
				if err != nil {
					t.Fatal(err)
				}
				r := Result{Set: "P", Worker: "broken-machine", Files: []File{other}}
				if err := putJSON(t.Context(), following.store, madeKey(parse(t, "P")[0], r.Worker), r); err != nil {
					t.Fatal(err)
				}
			}
			w := f.worker(t)
			f.run(t, t.Context(), w)
			s := await(t, following)
			if s.Tasks[0].State != Failed {
				t.Fatalf("it is %+v", s.Tasks[0])
			}
			text := s.Tasks[0].Failure.Error
			for _, want := range map[bool][]string{true: {key, "broken-machine", w.name}, false: {key, "damaged", w.name}}[c.has] {
				if !strings.Contains(text, want) {
					t.Errorf("%q does not name %s", text, want)
				}
			}
			// Submitted again when the object is gone, it is done.
			if err := following.store.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
			checkDone(t, f.submit(t, following.plan), folder, "P")
		})
	}
}

// flip changes a byte of a file.
func flip(t testing.TB, name string) {
	t.Helper()
	body := []byte(readFile(t, name))
	body[len(body)/2] ^= 1
	if err := os.WriteFile(name, body, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFlippedByte: a table that has changed in the bucket is never copied, and the error names it.
func TestFlippedByte(t *testing.T) {
	f := newFleet(t)
	address, folder := newFolder(t)
	following := f.submit(t, NewPlan(testVersions, address, parse(t, "P"), 0, 0))
	f.run(t, t.Context(), f.worker(t))
	checkDone(t, following, folder, "P")
	results, _, err := following.Results(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range results[0].Files {
		name := filepath.Join(folder, "tables", file.Name)
		flip(t, name)
		dir := t.TempDir()
		var damaged *DamagedError
		if err := following.Fetch(t.Context(), dir, &results[0]); !errors.As(err, &damaged) || !strings.Contains(err.Error(), "tables/"+file.Name) {
			t.Errorf("copied: %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, file.Name)); err == nil {
			t.Errorf("%s was copied", file.Name)
		}
		flip(t, name)
	}
}

// TestDamagedCheckpoint: a damaged piece costs what comes behind it, and a missing one the run.
func TestDamagedCheckpoint(t *testing.T) {
	address, folder := newFolder(t)
	b, err := bucket.Open(t.Context(), address, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := openStore(t.Context(), b, address, testVersions)
	if err != nil {
		t.Fatal(err)
	}
	set := parse(t, "SP")[0]
	file := filepath.Join(t.TempDir(), "checkpoint")
	restored := func() string {
		t.Helper()
		var said journal
		c, err := s.restore(t.Context(), set, file, newName(), "worker", slog.New(slog.NewTextHandler(&said, nil)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) || int64(len(body)) != c.saved {
			t.Errorf("%d bytes of %d: %v", len(body), c.saved, err)
		}
		return string(body) + said.String()
	}
	if got := restored(); got != "" {
		t.Errorf("from nothing came %q", got)
	}
	// Two runs, of which the second goes on from the first, and says later what happened earlier in another.
	write := func(run string, pieces ...string) {
		t.Helper()
		c, err := s.restore(t.Context(), set, file, run, "worker", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pieces {
			out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			out.WriteString(p)
			out.Close()
			if err := c.save(t.Context(), grown{c.saved + int64(len(p)), 0, c.number + 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("first", "one ", "two ")
	write("second", "three ", "four ")
	if got := restored(); got != "one two three four " {
		t.Errorf("%q came back", got)
	}
	third := keysOf(t, folder, "checkpoints/SP/second/000002")
	if len(third) != 1 {
		t.Fatalf("third pieces: %q", third)
	}
	flip(t, filepath.Join(folder, third[0]))
	if got := restored(); !strings.HasPrefix(got, "one two ") || strings.Contains(got, "three") || !strings.Contains(got, third[0]) || !strings.Contains(got, "WARN") {
		t.Errorf("with a damaged piece: %q", got)
	}
	if err := os.Remove(filepath.Join(folder, third[0])); err != nil {
		t.Fatal(err)
	}
	if got := restored(); got != "one two " {
		t.Errorf("with a missing piece: %q", got)
	}
}

// FuzzPiece: a key is read as a piece only if the piece has that key.
func FuzzPiece(f *testing.F) {
	set := parse(f, "SP")[0]
	for _, key := range []string{piece{"run", 3, 1, 20, "0123456789abcdef"}.key(set), "checkpoints/SP/run/head.json", "checkpoints/SP/run/1.2.3.4", "", "checkpoints/SP/", "checkpoints/SP/a/000001.0.0002.x/y"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if p, ok := parsePiece(set, key); ok && p.key(set) != key {
			t.Errorf("%q is read as %q", key, p.key(set))
		}
	})
}
