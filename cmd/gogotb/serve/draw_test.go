package serve

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gogotb/rules"
	"gogotb/storage"
)

// positionsOf are all positions of a kind of a set, Sente to move, mirror images too.
func positionsOf(t testing.TB, set string, want kind) map[rules.Position]int {
	t.Helper()
	tables := mustSet(t, set)
	all := map[rules.Position]int{}
	for c := tables.Index().Cursor(0); c.Index() < tables.Index().Size(); c.Next() {
		p := c.Position()
		if p.Validate() != nil {
			continue
		}
		r, err := tables.Probe(&p)
		if err != nil {
			t.Fatal(err)
		}
		if want.includes(r.Value.Outcome()) && (want.dtm < 0 || r.Value.Number() == want.dtm) {
			all[p], all[p.Mirrored()] = 0, 0
		}
	}
	return all
}

// patientDrawer has as much time as it takes, for many draws.
func patientDrawer(set *storage.Set, random *rand.Rand) *drawer {
	d := newDrawer(set, random)
	d.until = time.Now().Add(time.Hour)
	return d
}

// TestDrawsAreEven draws each kind five times as often as it has positions, and compares
// how often each of them came with what chance would have: chi squared, which has as many degrees
// of freedom as there are positions, less one, is within five standard deviations of that.
func TestDrawsAreEven(t *testing.T) {
	const each = 5
	for _, c := range []struct {
		name   string
		set    string
		want   kind
		tries  uint64
		blocks uint64
	}{
		{"losses, by trying", "G", kind{"", "", 0}, math.MaxUint64, 0},
		{"wins, by trying", "G", kind{"win", "", 1}, math.MaxUint64, 0},
		{"draws, by trying", "none", kind{"draw", "", -1}, math.MaxUint64, 0},
		{"losses, from all blocks", "P", kind{"loss", "", 46}, 0, math.MaxUint64},
		{"draws, from all blocks", "none", kind{"draw", "", -1}, 0, math.MaxUint64},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := positionsOf(t, c.set, c.want)
			set := mustSet(t, c.set)
			count, err := c.want.count(set)
			if err != nil || count != uint64(len(seen)) {
				t.Fatalf("%d positions, the statistics say %d, %v", len(seen), count, err)
			}
			d := patientDrawer(set, rand.New(rand.NewPCG(5, 6)))
			d.tries, d.blocks = c.tries, c.blocks
			for range each * len(seen) {
				p, err := d.draw(t.Context(), c.want, count)
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := seen[p]; !ok {
					t.Fatalf("%s is none of them", p.SFEN())
				}
				seen[p]++
			}
			square := 0.0
			for _, n := range seen {
				square += math.Pow(float64(n)-each, 2) / each
			}
			freedom := float64(len(seen) - 1)
			if math.Abs(square-freedom) > 5*math.Sqrt(2*freedom) {
				t.Errorf("%d positions: chi squared is %.0f", len(seen), square)
			}
		})
	}
}

// TestDrawsFollowBestPlay draws mates of every length where next to nothing of the table is looked
// at.
func TestDrawsFollowBestPlay(t *testing.T) {
	for _, name := range []string{"GP", "P"} {
		set := mustSet(t, name)
		for _, blocks := range []uint64{0, 2} {
			d := patientDrawer(set, rand.New(rand.NewPCG(7, blocks)))
			d.tries, d.blocks = 0, blocks
			for dtm, n := range set.Stats().Histogram {
				if n == 0 {
					continue
				}
				p, err := d.draw(t.Context(), kind{"", "", dtm}, n)
				if err != nil {
					t.Fatalf("%s, %d plies: %v", name, dtm, err)
				}
				r, err := set.Probe(&p)
				if err != nil || r.Value != mateIn(dtm) || p.SideToMove() != rules.Sente || p.Validate() != nil {
					t.Errorf("%s, %d plies: %s is %v, %v", name, dtm, p.SFEN(), r.Value, err)
				}
			}
		}
	}
}

// TestDrawsVary: even of rare wins, reached by best play, there are several.
func TestDrawsVary(t *testing.T) {
	set := mustSet(t, "GP")
	d := patientDrawer(set, rand.New(rand.NewPCG(9, 10)))
	d.tries, d.blocks = 0, 20
	seen := map[rules.Position]bool{}
	for range 30 {
		p, err := d.draw(t.Context(), kind{"win", "", 75}, set.Stats().Histogram[75])
		if err != nil {
			t.Fatal(err)
		}
		seen[p] = true
	}
	if len(seen) < 12 {
		t.Errorf("%d different positions of 30", len(seen))
	}
}

// TestDrawsEnd: a draw that takes too long is given up.
func TestDrawsEnd(t *testing.T) {
	set := mustSet(t, "GP")
	ctx, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	for _, c := range []struct {
		want          kind
		tries, blocks uint64
		status        int // 0: the error is that of the context
	}{{kind{"win", "", -1}, math.MaxUint64, 0, 0}, {kind{"draw", "", -1}, 0, 5, 503}, {kind{"", "", 4}, 0, 5, 0}} {
		d := patientDrawer(set, rand.New(rand.NewPCG(1, 1)))
		d.tries, d.blocks = c.tries, c.blocks
		_, err := d.draw(ctx, c.want, 1)
		if c.status == 0 && !errors.Is(err, context.DeadlineExceeded) || c.status > 0 && asAPIError(err).Code != "too-rare" {
			t.Errorf("%v: %v", c.want, err)
		}
	}
}
