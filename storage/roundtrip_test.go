package storage

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"gogotb/rules"
)

// TestRoundTrip reads back every value of small sets, by probes of the position, of the
// same with Gote to move, and of its mirror image, and block by block.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"none", "R", "B", "G", "S", "P", "SS", "PP"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := solve(t, name)
			dir := written(t, name)
			tables := open(t, dir)
			step := 1 + len(s.values)/60_000 // every placement of one piece
			if testing.Short() {
				step *= 20
			}
			for i := 0; i < len(s.values); i += step {
				want := s.values[i]
				if want == 0 {
					continue
				}
				p, err := s.index.Decode(uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				rotated, mirrored := p.Rotated(), p.Mirrored()
				for _, q := range []*rules.Position{&p, &rotated, &mirrored} {
					got, err := tables.Probe(q)
					if err != nil {
						t.Fatal(err)
					}
					if got != (Result{want, true}) {
						t.Fatalf("index %d, %s: got %v, want %v", i, q.SFEN(), got, want)
					}
					o, err := tables.Outcome(q)
					if err != nil || o != want.Outcome() {
						t.Fatalf("index %d, %s: got outcome %v, %v, want %v", i, q.SFEN(), o, err, want)
					}
				}
			}
			if err := compareBlocks(t, openSet(t, name, dir), s.values); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestShapes reads back tables with blocks and chapters of other sizes: many chapters, a
// last block of one entry, a chapter of one block.
func TestShapes(t *testing.T) {
	s := solve(t, "G")
	for _, shape := range []shape{{0, 20}, {5, 6}, {8, 4}, {10, 1}, {13, 0}} {
		dir := t.TempDir()
		s.writeAs(t, dir, shape, WriterOptions{})
		set := openSet(t, "G", dir)
		if err := compareBlocks(t, set, s.values); err != nil {
			t.Errorf("%+v: %v", shape, err)
		}
		for _, kind := range []Kind{Outcomes, Distances} {
			if err := CheckFile(t.Context(), dir+"/"+FileName(s.index.Material(), kind)); err != nil {
				t.Errorf("%+v: %v", shape, err)
			}
		}
		for i := 0; i < len(s.values); i += 7 {
			if s.values[i] == 0 {
				continue
			}
			p, err := s.index.Decode(uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := set.Probe(&p); err != nil || got != (Result{s.values[i], true}) {
				t.Fatalf("%+v: index %d: %v, %v, want %v", shape, i, got, err, s.values[i])
			}
		}
	}
}

// TestAnyValues writes values that no set has: every kind in any order, distances up to
// the largest.
func TestAnyValues(t *testing.T) {
	x := solve(t, "G").index
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 0))
		limit := []int{2, 20, 300, maxDistance + 1}[seed%4]
		s := solved{index: x, values: make([]rules.Value, x.Size())}
		for i := range s.values {
			if i > 0 && rng.IntN(4) > 0 {
				s.values[i] = s.values[i-1]
				continue
			}
			n := rng.IntN(limit)
			s.values[i] = [...]rules.Value{
				0, rules.MakeValue(rules.Open, 0),
				rules.MakeValue(rules.MateWin, 2*n+1), rules.MakeValue(rules.MateLoss, 2*n),
				rules.MakeValue(rules.PerpetualWin, max(n, 1)), rules.MakeValue(rules.PerpetualLoss, max(n, 1)),
			}[rng.IntN(6)]
		}
		dir := t.TempDir()
		s.writeAs(t, dir, shape{10, 2}, WriterOptions{})
		if err := compareBlocks(t, openSet(t, "G", dir), s.values); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// TestUniformValues writes sets in which everything is lost, or nothing is legal.
func TestUniformValues(t *testing.T) {
	x := solve(t, "R").index
	for _, v := range []rules.Value{
		0, rules.MakeValue(rules.Open, 0), rules.MakeValue(rules.MateWin, 1), rules.MakeValue(rules.MateLoss, 2*maxDistance),
		rules.MakeValue(rules.PerpetualWin, maxDistance), rules.MakeValue(rules.PerpetualLoss, 1),
	} {
		s := solved{index: x, values: make([]rules.Value, x.Size())}
		for i := range s.values {
			s.values[i] = v
		}
		dir := t.TempDir()
		s.write(t, dir)
		if err := compareBlocks(t, openSet(t, "R", dir), s.values); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// TestStatisticsRoundTrip fills every field of the statistics with a number of its own.
func TestStatisticsRoundTrip(t *testing.T) {
	s := solve(t, "none")
	var want rules.Stats
	next := uint64(1) << 40
	for v, i := reflect.ValueOf(&want).Elem(), 0; i < reflect.TypeFor[rules.Stats]().NumField(); i++ {
		next++
		switch f := v.Field(i); f.Kind() {
		case reflect.Uint64:
			f.SetUint(next)
		case reflect.Int:
			f.SetInt(-int64(next))
		case reflect.Slice:
			f.Set(reflect.ValueOf([]uint64{next, 0, next << 20}))
		default:
			t.Fatalf("field %d of the statistics is a %v", i, f.Kind())
		}
	}
	s.stats = want
	dir := t.TempDir()
	s.write(t, dir)
	tables := open(t, dir)
	got, err := tables.Stats(s.index.Material())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	got.Histogram[0]++
	if again, _ := tables.Stats(s.index.Material()); again.Histogram[0] != want.Histogram[0] {
		t.Error("a caller has changed the table's own statistics")
	}
}
