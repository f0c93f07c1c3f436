package puzzle

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/verify"
)

// shippedGames are the puzzles of the project that are from games.
func shippedGames(t testing.TB) []*Puzzle {
	t.Helper()
	var all []*Puzzle
	for p, err := range Read("games.sfen", verify.GamePuzzles) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// TestShippedGames: there are enough puzzles from games, of all lengths and grades, with all pieces, and no two of a
// kind. Some of up to 7 plies are checked as all are by make puzzle-games-check.
func TestShippedGames(t *testing.T) {
	all := shippedGames(t)
	lengths, grades := map[int]int{}, map[Grade]int{}
	var kinds Kinds
	for _, p := range all {
		lengths[p.Plies]++
		grades[p.Grade]++
		if !kinds.Add(p) {
			t.Errorf("line %d: there is one of its kind", p.Line)
		}
		if p.Last == nil || len(p.Moves) != p.Plies || !p.mates() || !allPieces(&p.Position) {
			t.Errorf("line %d: %s", p.Line, p.Text())
		}
		seed, move, ok := strings.Cut(strings.TrimPrefix(p.Name, "seed "), ", move ")
		_, err := strconv.Atoi(seed)
		if _, wrong := strconv.Atoi(move); !ok || err != nil || wrong != nil {
			t.Errorf("line %d: where it is from: %s", p.Line, p.Name)
		}
		if lengths[p.Plies] <= 3 && p.Plies <= 7 {
			checkShipped(t, p)
		}
	}
	if len(all) < 500 || grades[Easy] < 50 || grades[Medium] < 50 || grades[Hard] < 50 || grades[NoGrade] > 0 {
		t.Errorf("%d puzzles of grades %v", len(all), grades)
	}
	for n := 3; n <= 13; n += 2 {
		if lengths[n] == 0 {
			t.Errorf("none of %d plies", n)
		}
		delete(lengths, n)
	}
	if len(lengths) > 0 {
		t.Errorf("other lengths: %v", lengths)
	}
}

// allPieces tells whether all twelve pieces are on the board or in hand.
func allPieces(p *rules.Position) bool {
	var n [rules.Pawn + 1]int
	kings := 0
	for s := range rules.Square(rules.Squares) {
		switch piece := p.At(s); {
		case piece == rules.NoPiece:
		case piece.Kind() == rules.King:
			kings++
		default:
			n[piece.Kind().Unpromote()]++
		}
	}
	for k := range n {
		n[k] += int(p.HandCount(rules.Sente, rules.Kind(k))) + int(p.HandCount(rules.Gote, rules.Kind(k)))
	}
	return kings == 2 && !slices.ContainsFunc(n[:], func(n int) bool { return n != fullSet })
}

// checkShipped has the checker confirm a puzzle, a plain search the shortest ones, and finds it again in the game that
// consists of the move before it.
func checkShipped(t *testing.T, p *Puzzle) {
	t.Helper()
	r, err := NewChecker(Options{Tolerate: LastMove, Hash: findHash}).Check(context.Background(), p)
	if err != nil || r.Verdict != Sound || !r.Claim || r.Plies != p.Plies || !slices.Equal(r.Solution, p.Moves) {
		t.Errorf("line %d: %v %v %v", p.Line, err, r.Verdict, flaws(r))
	}
	if p.Plies == 3 {
		if exactly := newBrute(false).exactly; !exactly(p.Position, 3) || !oneSolution(exactly, p.Position, 3, 0) || firstMove(exactly, p.Position, 3) != p.Moves[0] {
			t.Errorf("line %d: trying everything finds something else", p.Line)
		}
	}
	g := &record.Game{Start: p.Last.Before, Line: record.Line{Ply: 1, Moves: []record.Move{{Move: p.Last.Move}}}}
	f := NewFinder(FindOptions{Most: p.Plies, Nodes: DefaultNodes})
	found, tally, err := f.Find(context.Background(), g)
	if err != nil || len(found) != 1 || found[0].Plies != p.Plies || found[0].Grade != p.Grade || !slices.Equal(found[0].Moves, p.Moves) {
		t.Errorf("line %d: %d puzzles found, %+v, %v", p.Line, len(found), tally, err)
	}
}
