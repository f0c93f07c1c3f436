package storage

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// sample is a position with its value, from another program.
type sample struct {
	position rules.Position
	value    rules.Value
}

// fixtures are the sampled values of a set.
func fixtures(t testing.TB, name string) []sample {
	t.Helper()
	outcomes := map[string]rules.Outcome{
		"win mate": rules.MateWin, "loss mate": rules.MateLoss, "draw repetition": rules.Open,
		"win perpetual": rules.PerpetualWin, "loss perpetual": rules.PerpetualLoss,
	}
	text := string(read(t, "..", "index", "testdata", "values_"+name+".tsv"))
	var samples []sample
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		f := strings.Split(line, "\t")
		outcome, ok := outcomes[f[1]+" "+f[2]]
		if !ok {
			t.Fatalf("%q in the values of %s", line, name)
		}
		n := 0
		if outcome != rules.Open {
			var err error
			if n, err = strconv.Atoi(f[3]); err != nil {
				t.Fatal(err)
			}
		}
		samples = append(samples, sample{position(t, f[0]), rules.MakeValue(outcome, n)})
	}
	if len(samples) < 400 {
		t.Fatalf("%d values of %s", len(samples), name)
	}
	return samples
}

// TestFixtures probes positions whose values other programs have found, from either side
// and mirrored, in every way there is.
func TestFixtures(t *testing.T) {
	for _, name := range []string{"none", "G", "P", "R", "SS", "RB"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			samples := fixtures(t, name)
			dir := written(t, name)
			for _, distances := range []bool{true, false} {
				if !distances {
					if err := os.Remove(filepath.Join(dir, name+".gbd")); err != nil {
						t.Fatal(err)
					}
				}
				tables := open(t, dir)
				for i, s := range samples {
					if testing.Short() && i%10 != 0 {
						continue
					}
					rotated, mirrored := s.position.Rotated(), s.position.Mirrored()
					for _, p := range []rules.Position{s.position, rotated, mirrored, rotated.Mirrored()} {
						checkProbes(t, tables, &p, s.value, distances)
					}
				}
				set, err := tables.Set(material(t, name))
				if err != nil {
					t.Fatal(err)
				}
				if err := set.LoadOutcomes(); err != nil {
					t.Fatal(err)
				}
				for _, s := range samples {
					checkProbes(t, tables, &s.position, s.value, distances)
				}
			}
		})
	}
}

// checkProbes probes a position in every way.
func checkProbes(t *testing.T, tables *Tables, p *rules.Position, v rules.Value, distances bool) {
	t.Helper()
	want := Result{v, true}
	if !distances {
		want = Result{rules.MakeValue(v.Outcome(), 0), v.Outcome() == rules.Open}
	}
	before := *p
	got, err := tables.Probe(p)
	if err != nil || got != want {
		t.Errorf("%s: Probe gives %v, %v, want %v", p.SFEN(), got, err, want)
	}
	if *p != before {
		t.Errorf("%s: Probe has changed the position", before.SFEN())
	}
	if o, err := tables.Outcome(p); err != nil || o != v.Outcome() {
		t.Errorf("%s: Outcome gives %v, %v, want %v", p.SFEN(), o, err, v.Outcome())
	}
	// what Probe has needed is in memory now
	if got, ok := tables.SoftProbe(p); !ok || got != want {
		t.Errorf("%s: SoftProbe gives %v, %v, want %v", p.SFEN(), got, ok, want)
	}
	var board [rules.Squares]rules.Piece
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	hands := [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}
	if got, err := tables.ProbeRaw(&board, &hands, p.SideToMove()); err != nil || got != want {
		t.Errorf("%s: ProbeRaw gives %v, %v, want %v", p.SFEN(), got, err, want)
	}
}

// TestSoftProbe looks at what is known when more and more is in memory.
func TestSoftProbe(t *testing.T) {
	s := solve(t, "RB")
	dir := written(t, "RB")
	for _, sample := range fixtures(t, "RB")[:12] {
		tables := open(t, dir)
		p, v := sample.position, sample.value
		if _, ok := tables.SoftProbe(&p); ok {
			t.Fatal("known before anything was read")
		}
		set, err := tables.Set(s.index.Material())
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := tables.SoftProbe(&p); ok {
			t.Fatal("known before a block was read")
		}
		if _, err := tables.Outcome(&p); err != nil {
			t.Fatal(err)
		}
		// The outcome, but no number; of a mated position not even a move to look at.
		got, ok := tables.SoftProbe(&p)
		if want := (Result{rules.MakeValue(v.Outcome(), 0), v.Outcome() == rules.Open}); !ok || got.Value != want.Value || got.Exact != want.Exact {
			t.Fatalf("%s: %v, %v with the outcome in memory, want %v", p.SFEN(), got, ok, want)
		}
		if err := set.LoadOutcomes(); err != nil {
			t.Fatal(err)
		}
		if got, ok := tables.SoftProbe(&p); !ok || got.Value.Outcome() != v.Outcome() || got.Exact && got.Value != v {
			t.Fatalf("%s: %v, %v with all outcomes in memory, want %v", p.SFEN(), got, ok, v)
		}
		misses := tables.CacheStats().Misses
		if got, err := tables.Probe(&p); err != nil || got.Value != v {
			t.Fatalf("%s: %v, %v, want %v", p.SFEN(), got, err, v)
		}
		if v.Outcome() == rules.MateLoss && tables.CacheStats().Misses == misses {
			t.Error("a cold probe of a distance is no miss in the cache's statistics")
		}
		if got, ok := tables.SoftProbe(&p); !ok || got != (Result{v, true}) {
			t.Fatalf("%s: %v, %v after a probe, want %v", p.SFEN(), got, ok, v)
		}
		tables.Close()
	}
}

// TestSmallCache probes with a cache that holds next to nothing.
func TestSmallCache(t *testing.T) {
	tables, err := Open([]string{written(t, "SS")}, &Options{CacheBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for _, s := range fixtures(t, "SS") {
		if got, err := tables.Probe(&s.position); err != nil || got != (Result{s.value, true}) {
			t.Errorf("%s: %v, %v, want %v", s.position.SFEN(), got, err, s.value)
		}
	}
	if s := tables.CacheStats(); s.Bytes != 0 || s.Hits != 0 || s.Misses == 0 {
		t.Errorf("a cache of one byte: %+v", s)
	}
}

// TestAllocations measures what a probe allocates when everything is in memory: nothing,
// an outcome or a distance, stored or derived.
func TestAllocations(t *testing.T) {
	tables := open(t, written(t, "RB"))
	seen := map[rules.Outcome]bool{}
	measure := func(p *rules.Position, v rules.Value) {
		for name, probe := range map[string]func(){
			"Outcome": func() {
				if o, err := tables.Outcome(p); err != nil || o != v.Outcome() {
					t.Fatal(o, err)
				}
			},
			"Probe": func() {
				if r, err := tables.Probe(p); err != nil || r.Value != v {
					t.Fatal(r, err)
				}
			},
			"SoftProbe": func() {
				if r, ok := tables.SoftProbe(p); !ok || r.Value != v {
					t.Fatal(r)
				}
			},
		} {
			probe()
			if n := testing.AllocsPerRun(10, probe); n != 0 {
				t.Errorf("%s of %s, %v, allocates %v times", name, p.SFEN(), v, n)
			}
		}
	}
	for _, s := range fixtures(t, "RB") {
		if !seen[s.value.Outcome()] {
			seen[s.value.Outcome()] = true
			if _, err := tables.Probe(&s.position); err != nil {
				t.Fatal(err)
			}
			measure(&s.position, s.value)
		}
	}
	if len(seen) != 5 {
		t.Errorf("outcomes %v were measured, want all five", seen)
	}
	set, err := tables.Set(material(t, "RB"))
	if err != nil {
		t.Fatal(err)
	}
	if err := set.LoadOutcomes(); err != nil {
		t.Fatal(err)
	}
	s := fixtures(t, "RB")[0]
	measure(&s.position, s.value)
}

// TestIllegalPositions probes what no table can have, and what no table should be asked.
func TestIllegalPositions(t *testing.T) {
	tables := open(t, written(t, "R"))
	oneKing := position(t, "4k/5/5/5/5 b R 1")
	var king *index.KingError
	if _, err := tables.Probe(&oneKing); !errors.As(err, &king) {
		t.Errorf("without a king: %v", err)
	}
	// Sente could take the king: illegal, but not told from other positions by its squares
	board := [rules.Squares]rules.Piece{
		0: rules.MakePiece(rules.Gote, rules.King), 4: rules.MakePiece(rules.Sente, rules.Rook), 24: rules.MakePiece(rules.Sente, rules.King),
	}
	p := rules.Place(&board, new([2]rules.Hand), rules.Sente)
	if _, err := tables.Probe(&p); err != nil {
		var illegal *rules.PositionError
		if !errors.As(err, &illegal) {
			t.Errorf("an illegal position is blamed on the table: %v", err)
		}
	}
	var illegal *rules.PositionError
	if _, err := tables.ProbeRaw(&board, new([2]rules.Hand), rules.Sente); !errors.As(err, &illegal) {
		t.Errorf("ProbeRaw of an illegal position: %v", err)
	}
	board[1] = rules.Piece(250)
	if _, err := tables.ProbeRaw(&board, new([2]rules.Hand), rules.Gote); !errors.As(err, &illegal) {
		t.Errorf("ProbeRaw with a piece that is none: %v", err)
	}
}

// TestWrongTable probes a table in which a win has no move to a loss.
func TestWrongTable(t *testing.T) {
	s := solve(t, "R")
	wrong := solved{s.index, make([]rules.Value, len(s.values)), s.stats}
	for i := range wrong.values {
		wrong.values[i] = rules.MakeValue(rules.MateWin, 1)
	}
	dir := t.TempDir()
	wrong.write(t, dir)
	p := position(t, "4k/5/5/5/K4 b R 1")
	_, err := open(t, dir).Probe(&p)
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || !strings.Contains(corrupt.What, "without a move to a loss") {
		t.Errorf("got %v", err)
	}
}

// TestDirectories looks for sets in several folders.
func TestDirectories(t *testing.T) {
	both, outcomes, nothing := written(t, "G", "R"), written(t, "G"), t.TempDir()
	if err := os.Remove(filepath.Join(outcomes, "G.gbd")); err != nil {
		t.Fatal(err)
	}
	if !openSet(t, "G", nothing, outcomes, both).HasDistances() {
		t.Error("no distances from another folder than the outcomes")
	}
	set := openSet(t, "G", nothing, both, outcomes)
	if !set.HasDistances() {
		t.Error("the second folder comes before the first")
	}
	o, d := set.Bytes()
	if o != int64(len(read(t, both, "G.gbo"))) || d != int64(len(read(t, both, "G.gbd"))) {
		t.Errorf("sizes %d and %d", o, d)
	}
	if o, d := openSet(t, "G", outcomes).Bytes(); o == 0 || d != 0 {
		t.Errorf("sizes %d and %d without distances", o, d)
	}
	if set.Index().Material() != material(t, "G") {
		t.Errorf("the index of G is one of %v", set.Index().Material())
	}

	list, err := open(t, both, filepath.Join(nothing, "nowhere"), outcomes).List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		if f.Err != nil || f.Bytes != int64(len(read(t, f.Path))) || f.Entries == 0 || FileName(f.Material, f.Kind) != filepath.Base(f.Path) {
			t.Errorf("%+v", f)
		}
		got = append(got, f.Path)
	}
	want := []string{
		filepath.Join(both, "R.gbo"), filepath.Join(both, "R.gbd"), filepath.Join(both, "G.gbo"), filepath.Join(both, "G.gbd"),
		filepath.Join(outcomes, "G.gbo"),
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestOpenRefuses calls Open with arguments that make no sense.
func TestOpenRefuses(t *testing.T) {
	for _, test := range []struct {
		dirs []string
		opt  *Options
		want string
	}{
		{nil, nil, "no folder of tables is named"},
		{[]string{"tables", ""}, nil, "the name of a folder of tables is empty"},
		{[]string{"tables"}, &Options{CacheBytes: -1}, "a cache of -1 bytes"},
	} {
		tables, err := Open(test.dirs, test.opt)
		var option *OptionError
		if tables != nil || !errors.As(err, &option) || err.Error() != test.want {
			t.Errorf("%q: %v, want %q", test.dirs, err, test.want)
		}
	}
}
