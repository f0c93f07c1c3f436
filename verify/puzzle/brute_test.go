package puzzle

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
)

// brute answers by trying everything, and remembers what it has tried.
type brute struct {
	tsume bool
	known map[bruteKey]bool
}

type bruteKey struct {
	sfen  string // with the move number left out
	plies int
}

func newBrute(tsume bool) *brute { return &brute{tsume, map[bruteKey]bool{}} }

// mates tells whether the attacker mates from p in exactly or at most n plies; whose turn it is
// follows from n, which is odd if the attacker is to move.
func (b *brute) mates(p rules.Position, n int) bool {
	key := bruteKey{bruteName(&p), n}
	if known, ok := b.known[key]; ok {
		return known
	}
	attacking := n%2 == 1
	result := !attacking
	for _, m := range p.Moves(nil) {
		if attacking && b.tsume && !p.GivesCheck(m) {
			continue
		}
		q := p
		q.Make(m)
		if after := n > 0 && b.mates(q, n-1); after == attacking {
			result = after
			break
		}
	}
	b.known[key] = result
	return result
}

// bruteName is a name of the position in which the move number plays no part.
func bruteName(p *rules.Position) string {
	q, err := rules.New(board(p), [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.Turn())
	if err != nil {
		return p.SFEN()
	}
	return q.SFEN()
}

func board(p *rules.Position) (b [rules.Squares]rules.Piece) {
	for s := range b {
		b[s] = p.At(rules.Square(s))
	}
	return b
}

// exactly tells whether the shortest mate takes n plies.
func (b *brute) exactly(p rules.Position, n int) bool {
	return b.mates(p, n) && (n < 2 || !b.mates(p, n-2))
}

// stands tells whether a puzzle with a complete solution stands when only longer mates are forgiven, given
// a way to tell whether the shortest mate takes exactly n plies.
func stands(p *Puzzle, tsume bool, exactly func(p rules.Position, n int) bool) bool {
	if !exactly(p.Position, p.Plies) || len(p.Moves) != p.Plies {
		return false
	}
	q := p.Position
	for i, solution := range p.Moves {
		if q.Legal(solution) != nil {
			return false
		}
		left := p.Plies - i
		for _, m := range q.Moves(nil) {
			if left%2 == 1 && tsume && !q.GivesCheck(m) {
				continue
			}
			r := q
			r.Make(m)
			best := exactly(r, left-1)
			if m == solution && !best || m != solution && best && left%2 == 1 {
				return false
			}
		}
		if left%2 == 1 && tsume && !q.GivesCheck(solution) {
			return false
		}
		q.Make(solution)
	}
	return !q.HasMove()
}

// values is a table made for a test.
type values struct {
	index  *index.Index
	values []rules.Value
}

func makeValues(t testing.TB, material string) *values {
	t.Helper()
	m, err := index.ParseMaterial(material)
	if err != nil {
		t.Fatal(err)
	}
	s, err := retro.Solve(context.Background(), m, retro.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := &values{index: s.Index()}
	if _, err := s.Values(context.Background(), func(part []rules.Value) error {
		v.values = append(v.values, part...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *values) table(p *rules.Position) (rules.Value, bool) {
	if index.MaterialOf(p) != v.index.Material() {
		return 0, false
	}
	i, err := v.index.Rank(p)
	if err != nil {
		return 0, false
	}
	return v.values[i], true
}

// exactly answers from the table as brute does by trying.
func (v *values) exactly(p rules.Position, n int) bool {
	value, ok := v.table(&p)
	outcome := rules.MateLoss
	if n%2 == 1 {
		outcome = rules.MateWin
	}
	return ok && value == rules.MakeValue(outcome, n)
}

// shipped are the puzzles of the project, by material.
func shipped(t testing.TB) map[string][]*Puzzle {
	t.Helper()
	data, err := os.ReadFile("../testdata/puzzles.sfen")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]*Puzzle{}
	for p, err := range Read("puzzles.sfen", data) {
		if err != nil {
			t.Fatal(err)
		}
		m := index.MaterialOf(&p.Position).String()
		all[m] = append(all[m], p)
	}
	return all
}

// TestShipped: the puzzles of the project are sound, and with a piece somewhere else they
// are sound only where the table says so, too.
func TestShipped(t *testing.T) {
	lengths := map[int]int{}
	n, changed, still := 0, 0, 0
	all := shipped(t)
	for _, material := range slices.Sorted(maps.Keys(all)) {
		puzzles := all[material]
		v := makeValues(t, material)
		strict := NewChecker(Options{Table: v.table, Tolerate: LongerMate})
		random := rand.New(rand.NewPCG(7, 7))
		for _, p := range puzzles {
			n++
			lengths[p.Plies]++
			r, err := strict.Check(context.Background(), p)
			if err != nil || r.Verdict != Sound || !r.Claim || len(p.Moves) != p.Plies || len(r.Solution) != p.Plies {
				t.Errorf("line %d: %v %v %v", p.Line, err, r.Verdict, flaws(r))
			}
			for range 4 {
				q := movePiece(p, random)
				if q == nil {
					continue
				}
				changed++
				r, err := strict.Check(context.Background(), q)
				want := stands(q, false, v.exactly)
				if err != nil || (r.Verdict == Sound) != want {
					t.Errorf("line %d changed to %s: %v %v, want sound: %v", p.Line, q.Position.SFEN(), err, r.Verdict, want)
				}
				if want {
					still++
				}
			}
		}
	}
	if n != 200 || len(lengths) != 12 || lengths[3] == 0 || lengths[25] == 0 {
		t.Errorf("%d puzzles of lengths %v", n, lengths)
	}
	t.Logf("%d changed puzzles, of which %d stand", changed, still)
}

// movePiece is the puzzle with a piece on another square, if that is legal.
func movePiece(p *Puzzle, random *rand.Rand) *Puzzle {
	b := board(&p.Position)
	from, to := random.IntN(len(b)), random.IntN(len(b))
	for b[from] == rules.NoPiece {
		from = random.IntN(len(b))
	}
	if b[to] != rules.NoPiece {
		return nil
	}
	b[from], b[to] = b[to], b[from]
	return with(p, b, p.Position.Hand(rules.Sente), p.Position.Hand(rules.Gote))
}

// addPiece is the puzzle with a piece more, on the board or in a hand, if that is legal.
func addPiece(p *Puzzle, random *rand.Rand) *Puzzle {
	b := board(&p.Position)
	hands := [2]rules.Hand{p.Position.Hand(rules.Sente), p.Position.Hand(rules.Gote)}
	kind, owner, to := rules.Kind(random.IntN(rules.HandKinds)), rules.Color(random.IntN(2)), random.IntN(len(b)+3)
	switch {
	case to >= len(b):
		hands[owner][kind]++
	case b[to] != rules.NoPiece:
		return nil
	default:
		if kind.CanPromote() && random.IntN(2) == 0 {
			kind = kind.Promote()
		}
		b[to] = rules.MakePiece(owner, kind)
	}
	return with(p, b, hands[0], hands[1])
}

func with(p *Puzzle, b [rules.Squares]rules.Piece, sente, gote rules.Hand) *Puzzle {
	q, err := rules.New(b, [2]rules.Hand{sente, gote}, p.Position.Turn())
	if err != nil {
		return nil
	}
	return &Puzzle{Position: q, Plies: p.Plies, Moves: p.Moves}
}

// TestBrute: short puzzles with a piece moved or added are sound by search only
// where trying everything says so.
func TestBrute(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	changed, still := 0, 0
	all := shipped(t)
	for _, material := range slices.Sorted(maps.Keys(all)) {
		puzzles := all[material]
		for _, p := range puzzles {
			if p.Plies > 5 {
				continue
			}
			checker := NewChecker(Options{Tolerate: LongerMate, MaxPlies: p.Plies})
			for i := range 10 {
				q := p
				if i%2 == 0 {
					q = movePiece(p, random)
				} else {
					q = addPiece(p, random)
				}
				if q == nil {
					continue
				}
				changed++
				r, err := checker.Check(context.Background(), q)
				want := stands(q, false, newBrute(false).exactly)
				if err != nil || (r.Verdict == Sound) != want {
					t.Errorf("line %d changed to %s: %v %v %v, want sound: %v", p.Line, q.Position.SFEN(), err, r.Verdict, flaws(r), want)
				}
				if want {
					still++
				}
			}
		}
	}
	t.Logf("%d changed puzzles, of which %d stand", changed, still)
	if changed < 100 || still == 0 {
		t.Errorf("%d changed puzzles, of which %d stand: too few to show anything", changed, still)
	}
}
