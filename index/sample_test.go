package index

import (
	"math/rand/v2"
	"testing"

	"gogotb/rules"
)

// sampleSets have from three to five pieces, identical ones among them.
var sampleSets = []string{
	"GSP", "RBS", "SPP", "GGP", "RRB", "GPP",
	"RBSP", "GGPP", "SSPP", "RRPP", "GSPP",
	"RBGSP", "GSSPP", "RRBBP", "RRGGS", "BBSPP",
}

// What TestEveryIndex and TestEveryPlacement show of small sets, sampled: indices unrank to
// valid placements and rank back, and any placement, its mirror image and what the other
// side sees have one index, which unranks to the placement or its mirror image.
func TestSamples(t *testing.T) {
	for _, set := range sampleSets {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			x := mustIndex(t, set)
			rng := rand.New(rand.NewPCG(2, x.Size()))
			for range 4000 {
				i := rng.Uint64N(x.Size())
				p, err := x.Decode(i)
				if err != nil {
					t.Fatal(err)
				}
				checkPlacement(t, x, i, &p)
				checkRank(t, x, i, &p)
				checkImages(t, x, i, &p)
			}
			selfMirrored := 0
			for n := range 8000 {
				p := randomPlacement(rng, x.Material(), n%2 == 0)
				i, err := x.Encode(&p)
				if err != nil {
					t.Fatalf("%s: %v", p.SFEN(), err)
				}
				checkImages(t, x, i, &p)
				q, err := x.Decode(i)
				if err != nil {
					t.Fatal(err)
				}
				mirrored := p.Mirrored()
				if !q.Same(&p) && !q.Same(&mirrored) {
					t.Fatalf("%s has the index %d, which is %s", p.SFEN(), i, q.SFEN())
				}
				c := x.Cursor(i)
				weight := 2
				if p.Same(&mirrored) {
					weight = 1
					selfMirrored++
				}
				if c.Weight != weight {
					t.Fatalf("%s, index %d, has the weight %d, want %d", p.SFEN(), i, c.Weight, weight)
				}
			}
			if selfMirrored < 100 {
				t.Errorf("only %d placements were their own mirror images", selfMirrored)
			}
		})
	}
}

// randomPlacement is a placement with Sente to move. With symmetry it is one that tends to be
// its own mirror image, or to be so up to the last pieces.
func randomPlacement(rng *rand.Rand, m Material, symmetry bool) rules.Position {
	for {
		var board [rules.Squares]rules.Piece
		var hands [2]rules.Hand
		square := func() rules.Square {
			if symmetry && rng.IntN(8) > 0 {
				return rules.Square(5*rng.IntN(5) + middle)
			}
			return rules.Square(rng.IntN(rules.Squares))
		}
		fits := true
		put := func(s rules.Square, p rules.Piece) {
			fits = fits && board[s] == rules.NoPiece
			board[s] = p
		}
		put(square(), rules.MakePiece(rules.Sente, rules.King))
		put(square(), rules.MakePiece(rules.Gote, rules.King))
		for k, n := range m {
			kind := rules.Kind(k)
			if n == 2 && symmetry && rng.IntN(2) == 0 { // on mirror squares
				s, p := rules.Square(rng.IntN(rules.Squares)), randomPiece(rng, kind)
				put(s, p)
				put(s.Mirror(), p)
				continue
			}
			for range n {
				if rng.IntN(6) == 0 || symmetry && rng.IntN(2) == 0 {
					hands[rng.IntN(2)][kind]++
				} else {
					put(square(), randomPiece(rng, kind))
				}
			}
		}
		p := rules.Place(&board, &hands, rules.Sente)
		k1, k2 := p.King(rules.Sente), p.King(rules.Gote)
		own, opposing := p.Pieces(rules.Sente, rules.Pawn), p.Pieces(rules.Gote, rules.Pawn)
		if fits && max(abs(k1.Rank()-k2.Rank()), abs(k1.Column()-k2.Column())) > 1 &&
			own&rules.FarRankSente == 0 && opposing&rules.FarRankGote == 0 && !nifu(own) && !nifu(opposing) {
			return p
		}
	}
}

func randomPiece(rng *rand.Rand, k rules.Kind) rules.Piece {
	if k.CanPromote() && rng.IntN(2) == 0 {
		k = k.Promote()
	}
	return rules.MakePiece(rules.Color(rng.IntN(2)), k)
}
