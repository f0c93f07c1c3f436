package puzzle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// goldAndBishop is a mate in three plies: 3d4c, and after 5b4a G*4b, after 5b5a either gold to 4b or 5b.
const goldAndBishop = `後手の持駒：なし
  ５ ４ ３ ２ １
+---------------+
| ・ ・ ・ ・ ・|一
|v玉 ・ ・ ・ ・|二
| ・ ・ ・ ・ ・|三
| ・ ・ 金 ・ ・|四
| ・ ・ ・ 角 ・|五
+---------------+
先手の持駒：金
手数----指手---------消費時間--
`

// TestVariations: what variations claim, true and false, worked by hand.
func TestVariations(t *testing.T) {
	const (
		main  = "1 ４三金(34)\n2 ４一玉(52)\n3 ４二金打\n4 詰み\n"
		other = "1 ４三金(34)\n2 ５一玉(52)\n3 同　金(43)\n" // 同: 5a, where the king is: illegal
		last  = "1 ４三金(34)\n2 ５一玉(52)\n3 ５二金(43)\n"
	)
	tsume := Options{Tsume: true, Tolerate: DefaultTolerance(true), MaxPlies: 7}
	for _, c := range []struct {
		name    string
		moves   string
		verdict Verdict
		results []string // state, plies
		flaws   []string
	}{
		{"another defence", main + "変化：2手\n2 ５一玉(52)\n3 ５二金打\n", Sound, []string{"holds 3"}, nil},
		{"it stops", main + "変化：2手\n2 ５一玉(52)\n", Sound, []string{"holds 3"}, nil},
		{"no mate any more", main + "変化：2手\n2 ５一玉(52)\n3 ４一金打\n4 同　玉(51)\n", Refuted, []string{"fails 0"},
			[]string{"variation 1 weak-attack 3 4c5b =3"}},
		{"illegal move", main + "変化：2手\n2 ５一玉(52)\n3 ５二歩打\n4 ４一玉(51)\n", Refuted, []string{"fails 0"},
			[]string{"variation 1 illegal-move 3 P*5b (illegal move P*5b: no such piece in hand)"}},
		{"said to be mate", main + "変化：2手\n2 ５一玉(52)\n3 詰み\n", Refuted, []string{"fails 3"},
			[]string{"variation 1 unfinished 3 4c5b =3"}},
		{"said to escape", main + "変化：2手\n2 ５一玉(52)\n3 不詰\n", Refuted, []string{"fails 3"},
			[]string{"variation 1 mate-missed 3 4c5b =3"}},
		{"a try", main + "変化：1手\n1 ４二金打\n2 同　玉(52)\n3 不詰\n", Sound, []string{"holds 0"}, nil},
		{"a try, nothing said", main + "変化：1手\n1 ４二金打\n", Sound, []string{"holds 0"}, nil},
		{"a try said to mate", main + "変化：1手\n1 ４二金打\n2 詰み\n", Refuted, []string{"fails 0"},
			[]string{"variation 1 weak-attack 1 3d4c 5b4a G*4b =3"}},
		{"no check", main + "変化：1手\n1 ３一金打\n2 不詰\n", Refuted, []string{"fails 0"},
			[]string{"variation 1 illegal-move 1 G*3a (it gives no check, and a tsume allows nothing else)"}},
		{"another mate, in a variation of a variation", main + "変化：2手\n2 ５一玉(52)\n3 ５二金打\n変化：3手\n3 ４二金打\n4 詰み\n", Sound,
			[]string{"holds 3", "holds 3"}, nil},
		{"one false, one true", main + "変化：2手\n2 ５一玉(52)\n3 ５二歩打\n変化：1手\n1 ４二金打\n", Refuted, []string{"fails 0", "holds 0"},
			[]string{"variation 1 illegal-move 3 P*5b (illegal move P*5b: no such piece in hand)"}},
		{"another last move", last + "変化：3手\n3 ５二金打\n", Sound, []string{"holds 3"},
			[]string{"cook 3 G*4b =3 last", "cook 3 G*5b =3 last", "hand-left 3", "same-length 2 5b4a G*4b =3"}},
		{"false solution, true variation", other + "変化：3手\n3 ５二金打\n", Refuted, []string{"holds 3"},
			[]string{"illegal-move 3 4c5a (illegal move 4c5a: the piece cannot go there)",
				"cook 3 G*4b =3 last", "cook 3 G*5b =3 last", "hand-left 3", "same-length 2 5b4a G*4b =3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := checkOne(t, goldAndBishop+c.moves, tsume)
			if r.Verdict != c.verdict {
				t.Errorf("%v, want %v", r.Verdict, c.verdict)
			}
			var results []string
			for _, v := range r.Variations {
				results = append(results, fmt.Sprint(v.State, " ", v.Plies))
			}
			if !slices.Equal(results, c.results) {
				t.Errorf("results %q, want %q", results, c.results)
			}
			if got := flaws(r); !slices.Equal(got, c.flaws) {
				t.Errorf("flaws\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.flaws, "\n"))
			}
		})
	}
}
