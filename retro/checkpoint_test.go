package retro

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"gogotb/index"
	"gogotb/rules"
)

// solveFrom solves a set with a checkpoint and cancels after some plies or ranks; plies 0 lets it
// finish. done tells whether it finished, in which case values and stats are compared with those of
// an analysis in one go.
func solveFrom(t *testing.T, name, file string, every time.Duration, plies int) (done bool) {
	t.Helper()
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	solution, err := Solve(ctx, m, Options{Workers: 2, Checkpoint: file, CheckpointEvery: every, Progress: func(Progress) {
		if n++; n == plies {
			cancel()
		}
	}})
	if errors.Is(err, context.Canceled) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	values, stats := valuesOf(t, solution)
	want, wantStats := solveOnce(t, name)
	if !slices.Equal(values, want) || !reflect.DeepEqual(stats, wantStats) {
		t.Fatalf("%s: other values or statistics after %d plies", name, n)
	}
	return true
}

// TestResume interrupts an analysis again and again after a few plies or ranks, odd and even ones,
// with results that were saved by then and others that were not.
func TestResume(t *testing.T) {
	for _, name := range []string{"none", "R", "SP", "SS"} {
		for _, plies := range []int{3, 4, 5} {
			file := filepath.Join(t.TempDir(), "checkpoint")
			runs := 1
			for ; !solveFrom(t, name, file, []time.Duration{time.Hour, 1}[runs%2], plies); runs++ {
				if runs > 200 {
					t.Fatalf("%s comes to no end in steps of %d", name, plies)
				}
			}
			if name == "SP" && runs < 10 {
				t.Errorf("%s in steps of %d was interrupted only %d times", name, plies, runs-1)
			}
			// what is solved needs no more plies
			if !solveFrom(t, name, file, time.Hour, 100) {
				t.Errorf("%s, steps of %d: solved, but not done", name, plies)
			}
		}
	}
}

// TestManyResults: results are saved before their time where they take more memory than they may.
func TestManyResults(t *testing.T) {
	x := indexOf(t, "SS")
	for _, keep := range []int64{1, 1 << 40} {
		s := newSolver(newLayout(x.Material(), defaultTuning.unitRows), nil, Options{CheckpointEvery: time.Hour}, defaultTuning)
		s.keepBytes = keep
		var err error
		if s.checkpoint, err = openCheckpoint(filepath.Join(t.TempDir(), "checkpoint"), x.Material(), len(s.layout.slices), nil); err != nil {
			t.Fatal(err)
		}
		if err := s.solve(context.Background(), mark{}); err != nil {
			t.Fatal(err)
		}
		if saved := s.checkpoint.mark != (mark{}); saved != (keep == 1) {
			t.Errorf("%d bytes of results may stay in memory: saved is %v", keep, saved)
		}
		values, stats := valuesOf(t, &Solution{solver: s, index: x})
		same(t, "SS", values, stats)
	}
}

// TestTornCheckpoint cuts a checkpoint anywhere, as a crash does, or damages its end.
func TestTornCheckpoint(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	for range 4 {
		solveFrom(t, "SS", whole, 1, 9)
	}
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 25 {
		torn := slices.Clone(text[:rng.IntN(len(text))])
		if i < 5 {
			torn = slices.Clone(text[:i*13])
		}
		if i%2 == 0 && len(torn) > 300 { // the last bytes were not written
			clear(torn[len(torn)-rng.IntN(200):])
		}
		file := filepath.Join(dir, "torn")
		if err := os.WriteFile(file, torn, 0o644); err != nil {
			t.Fatal(err)
		}
		if !solveFrom(t, "SS", file, time.Hour, 0) {
			t.Fatal("not finished")
		}
	}
}

// TestForeignCheckpoint opens the checkpoint of another set, of other rules, and files that are
// none. They stay as they are.
func TestForeignCheckpoint(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other")
	solveFrom(t, "SP", other, time.Hour, 9)
	text, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	rulesHead := &checkpoint{name: filepath.Join(dir, "rules")}
	if rulesHead.file, err = os.Create(rulesHead.name); err != nil {
		t.Fatal(err)
	}
	if err := rulesHead.append(headRecord, 0, 0, []byte("gogotb checkpoint 1\nrules 99\nset SS\n")); err != nil {
		t.Fatal(err)
	}
	rulesHead.file.Close()
	note := filepath.Join(dir, "note")
	if err := os.WriteFile(note, []byte("A note that somebody keeps here.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		name string
		want error
	}{{other, ErrForeignCheckpoint}, {rulesHead.name, ErrForeignCheckpoint}, {note, ErrNoCheckpoint}} {
		before, _ := os.ReadFile(f.name)
		m, _ := index.ParseMaterial("SS")
		_, err := Solve(context.Background(), m, Options{Checkpoint: f.name})
		var typed *CheckpointError
		if !errors.As(err, &typed) || !errors.Is(err, f.want) || typed.File != f.name {
			t.Errorf("%s: error %v", f.name, err)
		}
		if after, _ := os.ReadFile(f.name); !slices.Equal(before, after) {
			t.Errorf("%s was changed", f.name)
		}
	}
	if !solveFrom(t, "SP", other, time.Hour, 0) || len(text) == 0 {
		t.Error("the checkpoint is of no use any more")
	}
	m, _ := index.ParseMaterial("SS")
	if _, err := Solve(context.Background(), m, Options{Checkpoint: filepath.Join(dir, "nowhere", "file")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: error %v", err)
	}
}

// TestForgedCheckpoint writes results and marks that no analysis has, in records that are whole.
func TestForgedCheckpoint(t *testing.T) {
	m, err := index.ParseMaterial("G")
	if err != nil {
		t.Fatal(err)
	}
	win, loss := rules.MakeValue(rules.MateWin, 1), rules.MakeValue(rules.PerpetualLoss, 1)
	word := []byte{1, 0, 0, 0}
	row := func(skip ...byte) []byte { return slices.Concat(skip, word, word) }
	ply := mark{Phase: uint64(MatePhase), Number: 3}
	for what, forged := range map[string]struct {
		log   int
		chunk chunk
		mark  mark
	}{
		"a row beyond the unit":       {wins, chunk{value: win, bytes: row(0xff, 0xff, 0x7f)}, ply},
		"a row far beyond it":         {losses, chunk{value: loss, bytes: row(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1)}, ply},
		"a row without an end":        {wins, chunk{value: win, bytes: row(0)[:6]}, ply},
		"a distance without an end":   {wins, chunk{value: win, bytes: []byte{0x80}}, ply},
		"a word beyond the row":       {wins, chunk{value: win, bytes: slices.Concat([]byte{0, 0, 0, 0, 4}, word)}, ply},
		"a square beyond the board":   {wins, chunk{value: win, bytes: slices.Concat([]byte{0}, word, []byte{0, 0, 0, 2})}, ply},
		"a loss among wins":           {wins, chunk{value: loss, bytes: row(0)}, ply},
		"a perpetual check of rank 0": {wins, chunk{value: rules.MakeValue(rules.PerpetualWin, 0), bytes: row(0)}, ply},
		"a phase that is none":        {wins, chunk{value: win, bytes: row(0)}, mark{Phase: 3, Number: 3}},
		"a ply beyond all numbers":    {wins, chunk{value: win, bytes: row(0)}, mark{Phase: uint64(MatePhase), Number: 1 << 40}},
	} {
		file := filepath.Join(t.TempDir(), "checkpoint")
		n := len(index.Slices(m))
		c, err := openCheckpoint(file, m, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := c.append(resultsRecord, byte(forged.log), i, c.packChunks([][]chunk{{forged.chunk}}, 1)); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.commit(forged.mark, [2][][]extent{}); err != nil {
			t.Fatal(err)
		}
		c.close()
		if _, err = Solve(t.Context(), m, Options{Checkpoint: file}); !errors.Is(err, ErrBadCheckpoint) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzCheckpoint reads files of any content, and the results in them: there is an error, or what is
// good ends within the file. All is in memory, so that tries are many.
func FuzzCheckpoint(f *testing.F) {
	file, err := os.Create(filepath.Join(f.TempDir(), "checkpoint"))
	if err != nil {
		f.Fatal(err)
	}
	c := &checkpoint{file: file}
	head := []byte("a head")
	results := []byte{0, 2, 0, 3, 1, 2, 3} // a chunk of three bytes of unit 0
	for _, r := range []record{{headRecord, 0, 0, head}, {resultsRecord, 1, 0, results}, {commitRecord, 0, 0, make([]byte, 32)}} {
		if err := c.append(r.kind, r.log, int(r.slice), r.body); err != nil {
			f.Fatal(err)
		}
	}
	file.Close()
	text, err := os.ReadFile(file.Name())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)-1])
	f.Add(text[:len(text)/2])
	f.Add(slices.Concat(text[:len(head)+1], text))
	f.Add([]byte("no checkpoint at all"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := &checkpoint{}
		for log := range c.results {
			c.results[log] = make([][]extent, 1)
		}
		committed, err := c.read(io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text))), head)
		if err != nil {
			return
		}
		if committed > c.size || c.size > int64(len(text)) {
			t.Fatalf("commits end at %d, records at %d, the file at %d", committed, c.size, len(text))
		}
		for log := range c.results {
			for _, e := range c.results[log][0] {
				all := make([][]chunk, 1)
				unpackChunks(text[e.offset:e.offset+int64(e.length)], all)
				for _, ch := range all[0] {
					if ch.hasValueOf(DeltaKind(log)) && ch.fits(10, 2) {
						for r := ch.reader(); r.read(); {
							var found row
							addWordsGo(&found, r.at, r.words)
							if full := fullRow(2); r.row >= 10 || r.words>>rules.Squares != 0 || !full.covers(&found) {
								t.Fatalf("row %d, words %x: %x", r.row, r.words, found)
							}
						}
					}
				}
			}
		}
	})
}

// TestSaved: what has been told to be saved stays as it is, and an analysis goes on from a copy of it.
func TestSaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	var copies [][]byte
	opt := Options{Workers: 2, Checkpoint: file, CheckpointEvery: 1, Saved: func(bytes int64) {
		now, err := os.ReadFile(file)
		if err != nil || int64(len(now)) != bytes {
			t.Errorf("%d bytes of %d are saved: %v", bytes, len(now), err)
		}
		copies = append(copies, now)
	}}
	solution, err := Solve(t.Context(), indexOf(t, "SP").Material(), opt)
	if err != nil {
		t.Fatal(err)
	}
	solution.Close()
	whole, err := os.ReadFile(file)
	if err != nil || len(copies) < 20 {
		t.Fatalf("%d commits: %v", len(copies), err)
	}
	for i, c := range copies {
		if !bytes.HasPrefix(whole, c) {
			t.Errorf("what commit %d had saved has changed", i)
		}
	}
	half := filepath.Join(t.TempDir(), "checkpoint")
	if err := os.WriteFile(half, copies[len(copies)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if !solveFrom(t, "SP", half, time.Hour, 1000) {
		t.Error("the copy does not come to an end")
	}
}
