package puzzle

import (
	"context"
	"math/rand/v2"
	"testing"

	"gogotb/rules"
)

// slowFutile counts as the package documentation says, without memory or short cuts.
type slowFutile struct {
	brute    *brute
	attacker rules.Color
	room     int
}

func (s *slowFutile) within(p rules.Position, n int) bool {
	switch {
	case n < 0:
		return false
	case p.SideToMove() == s.attacker:
		return s.attack(p, n)
	}
	king := p.King(p.SideToMove())
	without := 0
	var drops []rules.Move
	for _, m := range p.Moves(nil) {
		if m.IsDrop() && p.InCheck() {
			drops = append(drops, m)
			continue
		}
		q := p
		q.Make(m)
		need := 1
		for need <= n-1 && !s.within(q, need) {
			need += 2
		}
		if need > n-1 {
			return false
		}
		without = max(without, need+1)
	}
drops:
	for _, m := range drops {
		q := p
		q.Make(m)
		if s.within(q, n-1) {
			continue
		}
		for _, c := range q.Moves(nil) {
			// The slider is the piece that reaches the drop from the other side of it.
			if c.To() != m.To() || c.IsDrop() || !between(king, m.To(), c.From()) || !p.Attacked(king, s.attacker) {
				continue
			}
			b := board(&p)
			piece := b[c.From()]
			if c.Promotes() {
				piece = rules.MakePiece(piece.Color(), piece.Kind().Promote())
			}
			b[c.From()], b[c.To()] = rules.NoPiece, piece
			r, err := rules.New(b, [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}, p.SideToMove())
			if err == nil && s.within(r, without) {
				continue drops
			}
		}
		return false
	}
	return true
}

func (s *slowFutile) attack(p rules.Position, n int) bool {
	strict := 1
	for strict <= n+s.room && !s.brute.mates(p, strict) {
		strict += 2
	}
	if strict > n+s.room {
		return false
	}
	for _, m := range p.Checks(nil) {
		q := p
		q.Make(m)
		if s.brute.mates(q, strict-1) && s.within(q, n-1) {
			return true
		}
	}
	return false
}

// between tells whether s lies on a straight line between two squares.
func between(a, s, b rules.Square) bool {
	dr, dc := sign(b.Rank()-a.Rank()), sign(b.Column()-a.Column())
	for r, c := a.Rank()+dr, a.Column()+dc; r >= 0 && r < 5 && c >= 0 && c < 5 && 5*r+c != int(b); r, c = r+dr, c+dc {
		if 5*r+c == int(s) {
			onLine := b.Rank() == a.Rank() || b.Column() == a.Column() ||
				(b.Rank()-a.Rank())*dr == (b.Column()-a.Column())*dc
			return onLine
		}
	}
	return false
}

// TestFutileSlowly compares lengths without futile interpositions with slow counting.
func TestFutileSlowly(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	c := NewChecker(Options{Tsume: true, MaxPlies: 5})
	compared, shortened := 0, 0
	for range 12000 {
		p, ok := randomTsume(random, 1+random.IntN(2))
		if !ok {
			continue
		}
		b := newBrute(true)
		if n := c.newCheck(context.Background(), &Puzzle{Position: p}); n.futileRoom() == 0 {
			continue
		}
		if !b.mates(p, 5) || b.mates(p, 1) {
			continue
		}
		r, err := c.Check(context.Background(), &Puzzle{Position: p})
		if err != nil {
			t.Fatal(err)
		}
		slow := &slowFutile{b, rules.Sente, 6}
		want := 1
		for want < r.Plies && !slow.within(p, want) {
			want += 2
		}
		compared++
		if r.WithoutFutile != want {
			t.Errorf("%s: %d plies, %d without futile interpositions, want %d", p.SFEN(), r.Plies, r.WithoutFutile, want)
		}
		if want < r.Plies {
			shortened++
		}
	}
	t.Logf("%d puzzles, %d with futile interpositions", compared, shortened)
	if shortened < 10 {
		t.Errorf("only %d puzzles of %d have futile interpositions", shortened, compared)
	}
}

// randomTsume is a position with a few pieces of Sente around Gote's king; Gote holds some.
func randomTsume(random *rand.Rand, held int) (rules.Position, bool) {
	var b [rules.Squares]rules.Piece
	kinds := []rules.Kind{rules.Rook, rules.Dragon, rules.Bishop, rules.Horse, rules.Gold, rules.Silver, rules.Tokin}
	for range 3 {
		b[random.IntN(len(b))] = rules.MakePiece(rules.Sente, kinds[random.IntN(len(kinds))])
	}
	b[random.IntN(10)] = rules.MakePiece(rules.Gote, rules.King)
	var hands [2]rules.Hand
	hands[rules.Sente][random.IntN(rules.HandKinds)]++
	for range held {
		hands[rules.Gote][random.IntN(rules.HandKinds)]++
	}
	p, err := rules.New(b, hands, rules.Sente)
	return p, err == nil
}

// TestTsumeBrute: the verdicts on random puzzles, solved by the checker itself, are those of
// trying everything.
func TestTsumeBrute(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	c := NewChecker(Options{Tsume: true, MaxPlies: 5})
	sound, refuted := 0, 0
	for range 6000 {
		p, ok := randomTsume(random, random.IntN(2))
		if !ok {
			continue
		}
		b := newBrute(true)
		n := 1
		for n <= 5 && !b.mates(p, n) {
			n += 2
		}
		r, err := c.Check(context.Background(), &Puzzle{Position: p})
		if err != nil {
			t.Fatal(err)
		}
		if n > 5 {
			// Nothing is claimed, so a longer mate would do.
			if want := r.NoMateWithin == AnyLength; r.Outcome == Mate || (r.Verdict == Refuted) != want {
				t.Errorf("%s: %v, a mate in %d plies", p.SFEN(), r.Verdict, r.Plies)
			}
			continue
		}
		if r.Outcome != Mate || r.Plies != n || len(r.Solution) != n {
			t.Errorf("%s: %d plies by %v, want %d", p.SFEN(), r.Plies, r.Solution, n)
			continue
		}
		want := judge(&Puzzle{Position: p, Plies: n, Moves: r.Solution}, true, b.exactly, n) == stands
		if (r.Verdict == Sound) != want {
			t.Errorf("%s: %v, want sound: %v, %v", p.SFEN(), r.Verdict, want, flaws(r))
		}
		if want {
			sound++
		} else {
			refuted++
		}
	}
	if sound < 10 || refuted < 10 {
		t.Errorf("%d sound and %d refuted puzzles are too few", sound, refuted)
	}
}
