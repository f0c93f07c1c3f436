package index

import (
	"testing"

	"gogotb/rules"
)

// exhaustiveSets are all sets of up to two pieces; with -short, which is for the race
// detector, all of one piece and two small ones of two.
func exhaustiveSets(t *testing.T) []Material {
	if testing.Short() {
		return append(Sets(1), mustIndex(t, "GG").Material(), mustIndex(t, "PP").Material())
	}
	return Sets(2)
}

// TestEveryIndex: every index of every set of up to two pieces unranks to a valid placement
// and ranks back, from the position, from its squares where the cursor stands, and now and
// then from its mirror image and with Gote to move.
func TestEveryIndex(t *testing.T) {
	for _, m := range exhaustiveSets(t) {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			x := mustIndex(t, m.String())
			c := x.Cursor(0)
			for i := range x.Size() {
				p, err := x.Decode(i)
				if err != nil {
					t.Fatal(err)
				}
				checkPlacement(t, x, i, &p)
				checkRank(t, x, i, &p)
				if i%64 == 0 {
					checkImages(t, x, i, &p)
				}
				if r, err := x.EncodeSquares(c.Slice, c.Own, c.Opposing, &c.Squares); err != nil || r != i || c.Index() != i {
					t.Fatalf("the cursor at %d, which should be at %d, stands at index %d, %v", c.Index(), i, r, err)
				}
				if next := c.Next(); next != (i+1 < x.Size()) {
					t.Fatalf("Next at index %d: %v", i, next)
				}
			}
			if c.Index() != x.Size() || c.Next() || c.Index() != x.Size() {
				t.Errorf("at the end the index is %d, want %d", c.Index(), x.Size())
			}
		})
	}
}

// checkPlacement checks an unranked position against the definition of a placement.
func checkPlacement(t *testing.T, x *Index, i uint64, p *rules.Position) {
	k1, k2 := p.King(rules.Sente), p.King(rules.Gote)
	if k1 == rules.NoSquare || k2 == rules.NoSquare || p.SideToMove() != rules.Sente {
		t.Fatalf("index %d is %s: no king, or Gote to move", i, p.SFEN())
	}
	if max(abs(k1.Rank()-k2.Rank()), abs(k1.Column()-k2.Column())) < 2 {
		t.Fatalf("index %d is %s: adjacent kings", i, p.SFEN())
	}
	if k1.Column() > k2.Column() || k1.Column() == k2.Column() && k1.Column() > 2 {
		t.Fatalf("index %d is %s: it should be mirrored", i, p.SFEN())
	}
	own, opposing := p.Pieces(rules.Sente, rules.Pawn), p.Pieces(rules.Gote, rules.Pawn)
	if own&rules.FarRankSente != 0 || opposing&rules.FarRankGote != 0 || nifu(own) || nifu(opposing) {
		t.Fatalf("index %d is %s: a pawn that cannot be there", i, p.SFEN())
	}
}

// nifu tells whether two pawns are on one file.
func nifu(pawns rules.Bitboard) bool {
	for file := 0; pawns != 0 && file < 5; file++ {
		if (pawns & (rules.ColumnZero << file)).Count() > 1 {
			return true
		}
	}
	return false
}

func checkRank(t *testing.T, x *Index, i uint64, p *rules.Position) {
	if r, err := x.Encode(p); err != nil || r != i {
		t.Fatalf("%s of %s has the index %d, %v; want %d", p.SFEN(), x.Material(), r, err, i)
	}
}

// checkImages checks that the mirror image of a position and what the other side sees have
// its index.
func checkImages(t *testing.T, x *Index, i uint64, p *rules.Position) {
	mirrored, rotated := p.Mirrored(), p.Rotated()
	both := mirrored.Rotated()
	checkRank(t, x, i, &mirrored)
	checkRank(t, x, i, &rotated)
	checkRank(t, x, i, &both)
}

// TestEveryPlacement: all placements of every set of up to two pieces, found by trying every
// state and square, hit all indices: twice, by the two mirror images, or once by a placement
// that is its own.
func TestEveryPlacement(t *testing.T) {
	for _, m := range exhaustiveSets(t) {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			b := bruteForce{t: t, x: mustIndex(t, m.String())}
			for k, n := range m {
				for range n {
					b.kinds = append(b.kinds, rules.Kind(k))
				}
			}
			b.hits = make([]uint8, b.x.Size())
			b.chooseState(0)
			for i, n := range b.hits {
				if n != 2 {
					t.Fatalf("index %d was hit %d half times, want 2", i, n)
				}
			}
		})
	}
}

// bruteForce tries everything. It knows nothing of slices, groups or their order.
type bruteForce struct {
	t     *testing.T
	x     *Index
	kinds []rules.Kind
	hits  []uint8

	states        [2]State
	slice         int
	onBoard       []SlicePiece
	own, opposing rules.Square
	squares       [MaxPieces]rules.Square
	count         int
}

func (b *bruteForce) chooseState(piece int) {
	if piece == len(b.kinds) {
		b.slice = b.x.SliceNumber(b.states[:piece])
		b.onBoard = b.onBoard[:0]
		for i, k := range b.kinds {
			if b.states[i].OnBoard() {
				b.onBoard = append(b.onBoard, SlicePiece{k, b.states[i]})
			}
		}
		b.placeKings()
		return
	}
	for s := range States {
		promotedGold := b.kinds[piece] == rules.Gold && s.Promoted()
		exchanged := piece == 1 && b.kinds[0] == b.kinds[1] && s < b.states[0]
		if !promotedGold && !exchanged {
			b.states[piece] = s
			b.chooseState(piece + 1)
		}
	}
}

func (b *bruteForce) placeKings() {
	for b.own = range rules.Square(rules.Squares) {
		for b.opposing = range rules.Square(rules.Squares) {
			if max(abs(b.own.Rank()-b.opposing.Rank()), abs(b.own.Column()-b.opposing.Column())) > 1 {
				b.place(0, b.own.Bit()|b.opposing.Bit())
			}
		}
	}
}

func (b *bruteForce) place(d int, taken rules.Bitboard) {
	if d == len(b.onBoard) {
		b.check()
		return
	}
	p := b.onBoard[d]
	alike := d == 1 && b.onBoard[0] == p
	for s := range rules.Square(rules.Squares) {
		if taken.Has(s) || alike && s < b.squares[0] {
			continue
		}
		if p.Kind == rules.Pawn && !p.State.Promoted() {
			if p.State == Own && s.Rank() == 0 || p.State == Opposing && s.Rank() == 4 ||
				alike && s.Column() == b.squares[0].Column() {
				continue
			}
		}
		b.squares[d] = s
		b.place(d+1, taken|s.Bit())
	}
}

func (b *bruteForce) check() {
	i, err := b.x.EncodeSquares(b.slice, b.own, b.opposing, &b.squares)
	if err != nil {
		b.t.Fatalf("states %d, kings on %s and %s, pieces on %v: %v", b.states, b.own, b.opposing, b.squares, err)
	}
	var mirrored [MaxPieces]rules.Square
	for d := range b.onBoard {
		mirrored[d] = b.squares[d].Mirror()
	}
	if j, err := b.x.EncodeSquares(b.slice, b.own.Mirror(), b.opposing.Mirror(), &mirrored); err != nil || j != i {
		b.t.Fatalf("states %d, kings on %s and %s, pieces on %v: index %d, but mirrored %d, %v",
			b.states, b.own, b.opposing, b.squares, i, j, err)
	}
	if b.own == b.own.Mirror() && b.opposing == b.opposing.Mirror() && b.sameAs(mirrored) {
		b.hits[i]++
	}
	b.hits[i]++
	// positions take longer to make
	if b.count++; b.count%64 == 0 {
		p := b.position()
		checkRank(b.t, b.x, i, &p)
		checkImages(b.t, b.x, i, &p)
	}
}

// sameAs tells whether the pieces on the board stand on these squares.
func (b *bruteForce) sameAs(squares [MaxPieces]rules.Square) bool {
	switch len(b.onBoard) {
	case 0:
		return true
	case 1:
		return squares[0] == b.squares[0]
	}
	return squares[0] == b.squares[0] && squares[1] == b.squares[1] ||
		b.onBoard[0] == b.onBoard[1] && squares[0] == b.squares[1] && squares[1] == b.squares[0]
}

func (b *bruteForce) position() rules.Position {
	var board [rules.Squares]rules.Piece
	var hands [2]rules.Hand
	board[b.own] = rules.MakePiece(rules.Sente, rules.King)
	board[b.opposing] = rules.MakePiece(rules.Gote, rules.King)
	for d, p := range b.onBoard {
		owner, k := rules.Sente, p.Kind
		if p.State == Opposing || p.State == OpposingPromoted {
			owner = rules.Gote
		}
		if p.State == OwnPromoted || p.State == OpposingPromoted {
			k = p.Kind.Promote()
		}
		board[b.squares[d]] = rules.MakePiece(owner, k)
	}
	for i, k := range b.kinds {
		switch b.states[i] {
		case OwnHand:
			hands[rules.Sente][k]++
		case OpposingHand:
			hands[rules.Gote][k]++
		}
	}
	return rules.Place(&board, &hands, rules.Sente)
}
