package mate

import (
	"math/rand/v2"
	"testing"

	"gogotb/rules"
)

func TestCovers(t *testing.T) {
	var hands []rules.Hand
	for i := range 3 * 3 * 3 * 3 * 3 {
		var h rules.Hand
		for k := range h {
			h[k] = uint8(i % 3)
			i /= 3
		}
		hands = append(hands, h)
	}
	for _, g := range hands {
		for _, h := range hands {
			want := true
			for k := range h {
				want = want && h[k] >= g[k]
			}
			if got := pack(h).covers(pack(g)); got != want {
				t.Fatalf("%v covers %v: %v", h, g, got)
			}
		}
		for k := rules.Rook; k <= rules.Pawn; k++ {
			if pack(g).count(k) != g[k] {
				t.Fatalf("%v: %d of kind %v", g, pack(g).count(k), k)
			}
		}
	}
}

// handedOver is the position with a piece of kind k moved from one hand to the other's.
func handedOver(pos *rules.Position, from rules.Color, k rules.Kind) rules.Position {
	var board [rules.Squares]rules.Piece
	for s := range board {
		board[s] = pos.At(rules.Square(s))
	}
	hands := [2]rules.Hand{pos.Hand(rules.Sente), pos.Hand(rules.Gote)}
	hands[from][k]--
	hands[from.Other()][k]++
	return rules.Place(&board, &hands, pos.SideToMove())
}

// Whoever mates within n plies does so, too, with a piece more in hand that the other side then lacks: by the exhaustive search,
// which does not assume it, over positions with pawns (pawn-drop mates, nifu) and with a defender that is
// nearly stalemated.
func TestDominanceHolds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 14))
	compared, won := 0, 0
	for won < 100 {
		kinds := append(randomKinds(rnd, 3), rules.Pawn)
		if rnd.IntN(2) == 0 {
			kinds = []rules.Kind{rules.Pawn, rules.Pawn, rules.Gold, rules.Gold, rules.Silver}
		}
		pawns := 0
		for _, k := range kinds {
			if k == rules.Pawn {
				pawns++
			}
		}
		if pawns > 2 {
			continue
		}
		pos := randomPosition(rnd, kinds, bothKings)
		for _, attacker := range bothKings {
			for k := rules.Rook; k <= rules.Pawn; k++ {
				if pos.HandCount(attacker.Other(), k) == 0 {
					continue
				}
				more := handedOver(&pos, attacker.Other(), k)
				for _, tsume := range []bool{false, true} {
					compared++
					for n := 0; n <= 4; n++ {
						if !newBrute(attacker, tsume).mates(pos, n) {
							continue
						}
						won++
						if !newBrute(attacker, tsume).mates(more, n) {
							t.Fatalf("%s: %v mates within %d, but not in %s", pos.SFEN(), attacker, n, more.SFEN())
						}
					}
				}
			}
		}
	}
	t.Logf("%d positions compared", compared)
}

// Where dominance might break and does not. P*1b is a pawn-drop mate whatever Gote holds: a check from the next square lets
// nothing come between. And a defender without a piece to drop is stalemated, which loses: more in the attacker's hand
// can only help. If stalemate were a draw, it would not.
func TestWhereDominanceMightBreak(t *testing.T) {
	drop, err := rules.ParseUSI("P*1b")
	if err != nil {
		t.Fatal(err)
	}
	for _, hands := range []string{"P", "Pr", "Pbs", "Pb2s"} {
		pos := mustParse(t, "R2gk/5/4G/1P3/K4 b "+hands+" 1")
		if pos.Legal(drop) == nil {
			t.Errorf("P*1b is legal with %s in hand", hands)
		}
	}
	for hands, want := range map[string]int{"-": 0, "G": 0, "g": -1} {
		pos := mustParse(t, "4k/2G2/3S1/5/5 w "+hands+" 1")
		if got := bruteLength(pos, false, 0); got != want {
			t.Errorf("%s: mated in %d, want %d", pos.SFEN(), got, want)
		}
	}
}

// The table answers for other hands and other lengths in the right direction only.
func TestTableAnswers(t *testing.T) {
	one, two := pack(rules.Hand{rules.Gold: 1}), pack(rules.Hand{rules.Gold: 2})
	other := pack(rules.Hand{rules.Silver: 2})
	type question struct {
		hand  packedHand
		plies uint16
	}
	for _, test := range []struct {
		name    string
		pn, dn  uint32
		plies   uint16
		answers map[question]bool
	}{
		{"mate within 5", 0, infinite, 5, map[question]bool{
			{one, 5}: true, {one, 3}: false, {one, 7}: true, {one, unlimited}: true,
			{two, 5}: true, {two, 3}: false, {0, 5}: false, {other, 9}: false,
		}},
		{"no mate within 5", infinite, 0, 5, map[question]bool{
			{one, 5}: true, {one, 3}: true, {one, 7}: false, {one, unlimited}: false,
			{two, 5}: false, {0, 5}: true, {0, 3}: true, {other, 3}: false,
		}},
		{"no mate", infinite, 0, unlimited, map[question]bool{
			{one, 5}: true, {one, unlimited}: true, {0, unlimited}: true, {two, 1}: false,
		}},
		{"unfinished", 7, 3, 5, map[question]bool{
			{one, 5}: true, {one, 3}: false, {one, 7}: false, {two, 5}: false, {0, 5}: false,
		}},
	} {
		table := newTable(0)
		const key = 0x123456789abcdef0
		table.store(node{key, one, 1}, test.plies, test.pn, test.dn, 0, 1)
		for q, want := range test.answers {
			if _, ok := table.lookup(node{key, q.hand, 1}, q.plies); ok != want {
				t.Errorf("%s: for %o within %d: %v, want %v", test.name, q.hand, q.plies, ok, want)
			}
		}
		if _, ok := table.lookup(node{key, one, 2}, test.plies); ok {
			t.Errorf("%s: answers for another check byte", test.name)
		}
	}
}
