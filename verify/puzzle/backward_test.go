package puzzle

import (
	"context"
	"slices"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// TestBackward: where the search gives up on the puzzle itself, what is wrong with the end of the solution is found
// all the same, and nothing is wrong with a solution that is right.
func TestBackward(t *testing.T) {
	tsume := Options{Tsume: true, Tolerate: LastMove | Promotion}
	strict := Options{Tsume: true}
	any := Options{Tolerate: LastMove | LongerMate}
	for _, c := range []struct {
		name, puzzle string
		opt          Options
		flaws        []string
	}{
		{"right", "5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b", tsume, nil},
		{"unfinished", "2sgk/5/3RG/5/4K b R 1 moves 1c1b 1a1b R*1d", tsume, []string{"unfinished 4"}},
		// On 2a, where the king recaptures, the gold would gain time.
		{"weak defence", "4k/5/4G/5/R3K b g 1 moves 5e5a G*3a 5a3a", tsume,
			[]string{"cook 3 5a3a+ =3 last,promotion", "weak-defence 2 G*2a"}},
		{"cooks", "5/k4/5/2G2/3B1 b G 1 moves 3d4c 5b5a 4c5b", strict, []string{"cook 3 G*4b =3", "cook 3 G*5b =3"}},
		// The gold could mate on 2b at once, and stalemate on 1c.
		{"weak attack", "5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2e2d 1a2a 2c2b", any, []string{"weak-attack 3 2c1c =3"}},
		// Here a claim might leave out futile interpositions, which may be the reason why there is no mate in time.
		{"futile", "4k/5/4G/5/R3K b g 1 moves 5e5a G*3a 5a3a", Options{Tsume: true, Tolerate: FutileLength}, nil},
		{"incomplete", "2sgk/5/3RG/5/4K b R 1 moves 1c1b 1a1b R*1d ; plies 5", tsume, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := read(t, c.puzzle)[0]
			checker := NewChecker(c.opt)
			search := checker.search
			checker.search = func(ctx context.Context, q *rules.Position, ask mate.Options) (mate.Result, error) {
				if q.Same(&p.Position) {
					return mate.Result{Cause: mate.ErrMaxNodes}, nil
				}
				return search(ctx, q, ask)
			}
			r, err := checker.Check(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			want := Undecided
			if c.flaws != nil {
				want = Refuted
			}
			if r.Verdict != want || r.Outcome != Unknown || r.Claim || len(r.Solution) > 0 {
				t.Errorf("%v, outcome %v, want %v", r.Verdict, r.Outcome, want)
			}
			if got := flaws(r); !slices.Equal(got, c.flaws) {
				t.Errorf("flaws\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.flaws, "\n"))
			}
		})
	}
}
