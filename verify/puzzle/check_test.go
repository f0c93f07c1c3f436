package puzzle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// read reads puzzles that have nothing wrong in their text.
func read(t *testing.T, text string) []*Puzzle {
	t.Helper()
	var all []*Puzzle
	for p, err := range Read("test", []byte(text)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func checkOne(t *testing.T, text string, opt Options) *Report {
	t.Helper()
	puzzles := read(t, text)
	if len(puzzles) != 1 {
		t.Fatalf("%d puzzles in %s", len(puzzles), text)
	}
	opt.Hash = 1 << 20 // enough, and soon made
	r, err := NewChecker(opt).Check(context.Background(), puzzles[0])
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// flaws are the flaws of a report as words: kind, ply, moves, plies, "last" and so on if tolerated.
func flaws(r *Report) []string {
	var all []string
	for _, f := range r.Flaws {
		words := []string{f.Kind.String()}
		if f.Variation > 0 {
			words = []string{fmt.Sprint("variation ", f.Variation), f.Kind.String()}
		}
		if f.Ply > 0 {
			words = append(words, fmt.Sprint(f.Ply))
		}
		for _, m := range f.Moves {
			words = append(words, m.USI())
		}
		if f.Plies > 0 {
			words = append(words, fmt.Sprint("=", f.Plies))
		}
		if f.Tolerated != 0 {
			words = append(words, f.Tolerated.String())
		}
		if f.Err != nil {
			words = append(words, "("+f.Err.Error()+")")
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// TestFlaws has puzzles worked by hand, one or more for each flaw.
func TestFlaws(t *testing.T) {
	tsume := Options{Tsume: true, Tolerate: DefaultTolerance(true), MaxPlies: 7}
	any := Options{Tolerate: DefaultTolerance(false), MaxPlies: 7}
	strict := Options{Tsume: true, MaxPlies: 7}
	beyond := Options{Tsume: true, Tolerate: DefaultTolerance(true), MaxPlies: 7, Beyond: 2}
	forgiving := Options{Tsume: true, Tolerate: DefaultTolerance(false), MaxPlies: 7, Beyond: 2}
	for _, c := range []struct {
		name    string
		puzzle  string
		opt     Options
		verdict Verdict
		plies   int
		flaws   []string
	}{
		// The gold on 2c covers 2b, 3b and, if the king goes there, mates on 2b with the rook behind it.
		{"sound", "5/4k/5/5/3R1 b G 1 moves G*2c 1b1a 2c2b ; plies 3", tsume, Sound, 3, nil},
		{"no claim", "5/4k/5/5/3R1 b G 1", tsume, Sound, 3, nil},
		// G*2b 1b1c 2b2c 1c1d 2c2d drives the king down the edge instead.
		{"longer cook", "5/4k/5/5/3R1 b G 1 ; plies 3", beyond, Refuted, 3,
			[]string{"cook 1 G*2b 1b1c 2b2c 1c1d 2c2d =5"}},
		{"longer cook forgiven", "5/4k/5/5/3R1 b G 1 ; plies 3", forgiving, Sound, 3,
			[]string{"cook 1 G*2b =5 longer"}},
		// The two rooks can change places.
		{"cook", "5/k4/5/3RR/5 b G 1 moves 2d2b 5b4c G*4d", tsume, Refuted, 3,
			[]string{"cook 1 1d1b 5b4c G*4d =3"}},
		// The gold mates on 3b, and the bishop stalemates there, which wins as well.
		// In a puzzle of one ply the last move is the key, with which nobody is lenient.
		{"last move and key", "2k2/5/2GB1/5/2K2 b - 1 moves 3c3b ; plies 1", any, Refuted, 1,
			[]string{"cook 1 2c3b =1"}},
		// So is it where the defender begins: with the gold on the board or that in hand, on 1b or 2b.
		{"last move and first", "5/4k/3G1/5/3R1 w G 1 moves 1b1a 2c2b ; plies 2", tsume, Refuted, 2,
			[]string{"cook 2 G*1b =2", "cook 2 G*2b =2", "hand-left 2"}},
		// Rook and bishop can both capture the gold with mate, but only if they promote, to cover 1b.
		{"last move not forgiven", "rbsgk/5/1B3/P3p/KGSR1 b - 1 moves 2e2a+ ; plies 1", strict, Refuted, 1,
			[]string{"cook 1 4c2a+ =1", "hand-left 1"}},
		// The rook is captured at once, so it does not matter whether it has promoted.
		{"promotion", "R2gk/5/4G/1P3/K4 b P 1 moves 5a2a 1a2a G*2b ; plies 3", tsume, Sound, 3,
			[]string{"cook 1 5a2a+ 1a2a G*2b =3 promotion", "hand-left 3", "pawn-drop-mate 1 P*1b"}},
		{"promotion not forgiven", "R2gk/5/4G/1P3/K4 b P 1 moves 5a2a 1a2a G*2b ; plies 3", strict, Refuted, 3,
			[]string{"cook 1 5a2a+ 1a2a G*2b =3", "hand-left 3", "pawn-drop-mate 1 P*1b"}},
		{"shorter", "2k2/5/2G2/5/2K2 b G 1 ; plies 3", tsume, Refuted, 1,
			[]string{"shorter 1 G*3b =1"}},
		{"nothing found, nothing claimed", "5/4k/5/5/3R1 b G 1", Options{Tsume: true, MaxPlies: 1}, Undecided, 0, nil},
		{"no mate", "2k2/5/5/5/2K2 b - 1 ; plies 3", any, Refuted, 0, []string{"no-mate"}},
		// 1b is covered by the gold, and the king has no other square.
		{"pawn-drop mate played", "R2gk/5/4G/1P3/K4 b P 1 moves P*1b", tsume, Refuted, 3,
			[]string{"illegal-move 1 P*1b (illegal move P*1b: uchifuzume, a pawn dropped to give mate)",
				"longer 1 5a2a 1a2a G*2b =3",
				"cook 1 5a2a+ 1a2a G*2b =3 promotion", "hand-left 3", "pawn-drop-mate 1 P*1b"}},
		{"no check", "5/4k/5/5/3R1 b G 1 moves 2e2d ; plies 3", tsume, Refuted, 3,
			[]string{"illegal-move 1 2e2d (it gives no check, and a tsume allows nothing else)"}},
		// From 1d the rook gives check, too, but the gold that the king has won can be dropped on 1c.
		{"weak attack", "2sgk/5/3RG/5/4K b R 1 moves 1c1b 1a1b R*1d ; plies 3", tsume, Refuted, 3,
			[]string{"weak-attack 3 R*1c =3"}},
		// On 3a and 4a the gold is just captured; only on 2a, where the king recaptures, it gains time.
		{"weak defence", "4k/5/4G/5/R3K b g 1 moves 5e5a G*3a 5a3a", tsume, Refuted, 5,
			[]string{"longer 1 5e5a G*2a 5a2a 1a2a G*2b =5",
				"weak-defence 2 G*2a 5a2a 1a2a G*2b =5",
				"cook 1 5e5a+ G*2a 5a2a 1a2a G*2b =5 promotion",
				"cook 3 5a2a+ 1a2a G*2b =5 promotion"}},
		{"unfinished", "5/4k/5/5/3R1 b G 1 moves G*2c 1b1a", tsume, Refuted, 3,
			[]string{"unfinished 3 2c2b =3"}},
		{"begun", "5/4k/5/5/3R1 b G 1 moves G*2c 1b1a ; plies 3", tsume, Sound, 3, nil},
		{"attacker only", "5/4k/5/5/3R1 b G 1 moves G*2c", tsume, Refuted, 3,
			[]string{"longer 1 G*2c 1b1a 2c2b =3", "unfinished 2 1b1a 2c2b =3"}},
		// After 5b4a only G*4b mates; after 5b5a the gold on the board mates, too.
		{"same length", "5/k4/5/2G2/3B1 b G 1 moves 3d4c 5b5a 4c5b", tsume, Sound, 3,
			[]string{"cook 3 G*4b =3 last", "cook 3 G*5b =3 last", "hand-left 3", "same-length 2 5b4a G*4b =3"}},
		{"nothing left", "5/k4/5/2G2/3B1 b G 1 moves 3d4c 5b4a G*4b", tsume, Sound, 3, nil},
		// Wherever the gold is dropped, the rook comes closer, and the silver covers 2a.
		{"futile", "4k/2S2/4G/5/R3K b g 1 moves 5e5a ; plies 1", tsume, Sound, 3,
			[]string{"cook 1 5e5a+ G*2a 3b2a+ =3 promotion",
				"futile 2 G*4a 5a4a", "futile 2 G*3a 5a3a", "futile 2 G*2a 5a2a"}},
		// The other rook does as well, which the key must not.
		{"futile after either key", "4k/2S2/4G/5/RR2K b g 1 moves 5e5a ; plies 1", tsume, Refuted, 3,
			[]string{"cook 1 4e4a G*2a 3b2a+ =3", "cook 1 4e4a+ G*2a 3b2a+ =3", "cook 1 5e5a+ G*2a 3b2a+ =3 promotion",
				"futile 2 G*4a 5a4a", "futile 2 G*3a 5a3a", "futile 2 G*2a 5a2a"}},
		{"futile counted", "4k/2S2/4G/5/R3K b g 1 moves 5e5a ; plies 1", strict, Refuted, 3,
			[]string{"longer 1 5e5a G*2a 3b2a+ =3",
				"cook 1 5e5a+ G*2a 3b2a+ =3", "cook 3 5a2a =3", "cook 3 5a2a+ =3",
				"futile 2 G*4a 5a4a", "futile 2 G*3a 5a3a", "futile 2 G*2a 5a2a"}},
		{"the side to move is mated", "5/4k/3G1/5/3R1 w - 1 moves 1b1a 2c2b", tsume, Sound, 2, nil},
		{"in check and mated at once", "4k/4G/4P/5/4K w - 1 ; plies 2", any, Refuted, 0, []string{"shorter 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := checkOne(t, c.puzzle, c.opt)
			if r.Verdict != c.verdict || r.Plies != c.plies {
				t.Errorf("%v in %d plies, want %v in %d", r.Verdict, r.Plies, c.verdict, c.plies)
			}
			if got := flaws(r); !slices.Equal(got, c.flaws) {
				t.Errorf("flaws\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.flaws, "\n"))
			}
		})
	}
}

// TestOmissions: what is not looked into is said.
func TestOmissions(t *testing.T) {
	const mate, none = "2k2/5/2G2/5/2K2 b G 1", "2k2/5/5/5/2K2 b G 1 ; plies 3"
	v := retrotest.Solve(t, "GG")
	for _, c := range []struct {
		name, puzzle string
		opt          Options
		want         []Omission
	}{
		{"by search", mate, Options{}, []Omission{PerpetualAlternatives}},
		{"by table", mate, Options{Table: v.Value}, nil},
		{"tsume", mate, Options{Tsume: true}, nil},
		{"no mate, by search", none, Options{MaxPlies: 3}, []Omission{PerpetualRanks}},
		{"no mate, tsume", none, Options{Tsume: true, MaxPlies: 3}, nil},
	} {
		if r := checkOne(t, c.puzzle, c.opt); !slices.Equal(r.Omissions, c.want) {
			t.Errorf("%s: %v, want %v", c.name, r.Omissions, c.want)
		}
	}
}

func TestCompleteHand(t *testing.T) {
	p := read(t, "4k/5/2G2/5/4K b Rs 1")[0].Position
	q := CompleteHand(p, rules.Sente)
	if got := q.SFEN(); got != "4k/5/2G2/5/4K b Rr2bg2s2p 1" {
		t.Error(got)
	}
	q = CompleteHand(p, rules.Gote)
	if got := q.SFEN(); got != "4k/5/2G2/5/4K b 2R2BGS2Ps 1" {
		t.Error(got)
	}
}

func TestTolerance(t *testing.T) {
	for i := range Tolerance(16) {
		if got, err := ParseTolerance(i.String()); got != i || err != nil {
			t.Errorf("%v: %v, %v", i, got, err)
		}
	}
	if _, err := ParseTolerance("last,first"); err == nil || !strings.Contains(err.Error(), `"first"`) {
		t.Error(err)
	}
}

// TestInterrupted: a check stops where it is told to, also where tables answer and nothing is searched.
func TestInterrupted(t *testing.T) {
	v := retrotest.Solve(t, "GG")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, table := range map[string]func(*rules.Position) (rules.Value, bool){"table": v.Value, "search": nil} {
		for p, err := range Read(name, []byte("2k2/5/2G2/5/2K2 b G 1\n")) {
			if err != nil {
				t.Fatal(err)
			}
			if r, err := NewChecker(Options{Table: table}).Check(ctx, p); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, %v", name, r, err)
			}
		}
	}
}
