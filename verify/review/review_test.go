package review

import (
	"context"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gogotb/rules/record"
	"gogotb/rules/record/formats"
	"gogotb/rules/record/kif"
	"gogotb/rules/record/recordtest"
)

// sixty is a game of 60 plies.
func sixty(t testing.TB) *record.Game {
	t.Helper()
	text, err := os.ReadFile("testdata/sixty.usi")
	if err != nil {
		t.Fatal(err)
	}
	g, err := theGame(t, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestSameEveryTime: a review does not depend on the number of workers, nor on what was reviewed before.
func TestSameEveryTime(t *testing.T) {
	g := sixty(t)
	var want []Move
	for _, jobs := range []int{1, 3} {
		r, err := New(Options{Nodes: 3000, Plies: 31, Jobs: jobs, Hash: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var got []Move
			if _, err := r.Review(t.Context(), g, func(m *Move) error {
				got = append(got, *m)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d jobs: another review", jobs)
			}
		}
	}
	if len(want) != 60 {
		t.Errorf("%d moves", len(want))
	}
}

// TestCountsAgree: a summary counts what was told, and Parts what Progress does.
func TestCountsAgree(t *testing.T) {
	g := sixty(t)
	most := 0
	r, err := New(Options{Nodes: 3000, Plies: 31, Hash: 1 << 20, Progress: func(done, total int) {
		if most = max(most, done); done > total || total != Parts(g) {
			t.Errorf("%d of %d parts done", done, total)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var count [2]Side
	s, err := r.Review(t.Context(), g, func(m *Move) error {
		side := &count[m.Position.SideToMove()]
		side.Moves++
		side.Judgements[m.Judgement]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for c := range count {
		if got := s.Sides[c]; got.Moves != 30 || got.Judgements != count[c].Judgements || got.Found+got.Judgements[MissedMate] != got.Mates || got.Shortest > got.Found {
			t.Errorf("side %d: %+v, want %+v", c, got, count[c])
		}
	}
	if k := s.Known; s.Plies != 60 || k.Table+k.Search+k.Evaluated+k.Unknown != 60 || k.Search == 0 || k.Unknown == 0 || most == 0 {
		t.Errorf("%+v, %d parts done", s, most)
	}
}

// TestEnded: a review that is ended, by its context or by who is told, says so, and its summary is about the moves told.
func TestEnded(t *testing.T) {
	g := sixty(t)
	r, err := New(Options{Nodes: 3000, Plies: 31, Jobs: 2, Hash: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	s, err := r.Review(t.Context(), g, func(m *Move) error {
		if m.Ply == 7 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || s.Plies != 7 {
		t.Errorf("%d plies, %v", s.Plies, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	s, err = r.Review(ctx, g, func(m *Move) error {
		told++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || s.Plies != told || told == 60 {
		t.Errorf("%d plies, %d told, %v", s.Plies, told, err)
	}
}

// TestAnnotate: the moves and comments of a game stay, and what was missed or allowed leaves it where it was.
func TestAnnotate(t *testing.T) {
	const text = "手合割：5五将棋\n手数----指手---------消費時間--\n   1 ３四角(25)\n*はい\n   2 ５四飛(51)\n   3 中断\n\n変化：2手\n   2 ３二角(41)\n"
	var g *record.Game
	for read, err := range formats.Games([]byte(text)) {
		if err != nil {
			t.Fatal(err)
		}
		g = read
	}
	before := kif.String(g)
	p := g.Start
	var moves []Move
	for i, m := range g.Played() {
		moves = append(moves, Move{Ply: i + 1, Position: p, Move: m})
		p.Make(m)
	}
	start := moves[0].Position
	moves[0].Judgement, moves[0].Line = MissedMate, start.Moves(nil)[:1]
	moves[1].Judgement, moves[1].Better = AllowedMate, moves[1].Position.Moves(nil)[:5]
	moves[1].Line = append(slices.Clone(g.Played()[1:]), p.Moves(nil)[0])
	a := Annotate(g, moves, func(m *Move) []string { return []string{m.Judgement.String()} })
	if kif.String(g) != before {
		t.Error("the game itself has changed")
	}
	if recordtest.USI(a.Moves) != recordtest.USI(g.Moves) || !slices.Equal(a.Moves[0].Comments, []string{"はい", "missed-mate"}) {
		t.Errorf("moves %v", a.Moves)
	}
	var plies []int
	for _, v := range a.Variations {
		plies = append(plies, v.Ply)
	}
	if !slices.Equal(plies, []int{2, 1, 2, 2, 2, 3}) {
		t.Errorf("variations at %v of\n%s", plies, kif.String(a))
	}
	for back, err := range formats.Games([]byte(kif.String(a))) {
		if err != nil || len(back.Notes) > 0 || len(back.Variations) != len(a.Variations) || recordtest.USI(back.Moves) != recordtest.USI(g.Moves) {
			t.Errorf("read back: %+v, %v", back, err)
		}
	}
}

// FuzzReview: whatever is in a file, each move is judged by what is there, and lines can be played.
func FuzzReview(f *testing.F) {
	for _, seed := range []string{
		"startpos moves 5e4d 1a2b 4d5e", "sfen 2sgk/5/3RG/5/4K b R 1 moves 1c2b resign", "sfen 4k/5/4K/5/5 b GS 1 moves G*1b 1a1a",
		"sfen 4k/5/5/5/K4 b - 1 moves" + strings.Repeat(" 5e5d 1a1b 5d5e 1b1a", 4),
		"手合割：5五将棋\n   1 ４四玉(55)\n   2 詰み\n", "sfen 2k2/5/5/5/5 b R 1 moves R*3c", "1. G-44 S-22",
	} {
		f.Add([]byte(seed), uint16(50))
	}
	f.Fuzz(func(t *testing.T, data []byte, nodes uint16) {
		for g := range formats.Games(data) {
			if g == nil {
				continue
			}
			r, err := New(Options{Nodes: uint64(nodes)%2000 + 1, Plies: 9, Hash: 1 << 12})
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			s, err := r.Review(t.Context(), g, func(m *Move) error {
				told++
				if m.Ply != told || m.Judgement != Illegal && m.Move != g.Moves[told-1].Move {
					t.Fatalf("move %d is %+v", told, m)
				}
				line := &record.Line{}
				p := m.Position
				for _, move := range m.Line {
					if err := line.Play(&p, move); err != nil {
						t.Fatalf("%+v: %v", m, err)
					}
				}
				for _, better := range m.Better {
					if err := m.Position.Legal(better); err != nil {
						t.Fatalf("%+v: %v", m, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if want := len(g.Moves); told != want && told != want+1 || s.Plies != want {
				t.Fatalf("%d moves told, summary %+v", told, s)
			}
		}
	})
}
