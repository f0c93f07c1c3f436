package retro

import (
	"math/bits"

	"gogotb/rules"
)

// This file has the moves of the two innermost pieces, x and y, inside a row. All
// functions add to acc the positions from which the piece reaches a position of s, a
// row in the coordinates after the move. Squares that the kings and the outer pieces
// occupy are in occupied.

// wordPairs has, by direction, the words from which a step stays on the board, two
// neighbours at a time.
var wordPairs = func() (t [directions][]int) {
	for d := range t {
		legal := dirs[d].mask
		for s := 0; s < rules.Squares; s++ {
			if legal>>s&1 != 0 {
				t[d] = append(t[d], s)
				s++ // its neighbour: the runs of such words are even
			}
		}
	}
	return t
}()

// xSteps adds the single steps of x in direction d.
func xSteps(acc, s *rowView, d int) {
	delta := dirs[d].delta
	for _, at := range wordPairs[d] {
		*acc.pair(at) |= *s.pair(at + delta)
	}
}

// slideOrder has, by direction, the squares from which a step is possible, those nearest
// to the edge that the slide ends at first.
var slideOrder = func() (t [directions][]rules.Square) {
	for d := range t {
		for s := range rules.Squares {
			if dirs[d].delta > 0 {
				s = 24 - s
			}
			if lanes(rules.Square(s).Bit())&dirs[d].mask != 0 {
				t[d] = append(t[d], rules.Square(s))
			}
		}
	}
	return t
}()

// xSlides adds the slides of x in direction d. From a it reaches what its neighbour b
// reaches, if b is empty and y does not stand there, and b itself.
func xSlides(acc, s *rowView, d int, occupied rules.Bitboard) {
	var reached rowView
	delta := dirs[d].delta
	for _, a := range slideOrder[d] {
		b := rules.Square(int(a) + delta)
		w := s[b]
		if !occupied.Has(b) {
			w |= reached[b] &^ uint32(b.Bit())
		}
		reached[a] = w
		acc[a] |= w
	}
}

// xMoves adds the moves of x without promotion.
func xMoves(acc, s *row, m *movement, occupied rules.Bitboard) {
	a, b := acc.words(), s.words()
	for _, d := range m.steps {
		xSteps(a, b, d)
	}
	for _, d := range m.slides {
		xSlides(a, b, d, occupied)
	}
}

// promotionMove is a move that may promote, with the squares that it passes.
type promotionMove struct {
	from, to rules.Square
	passed   rules.Bitboard
}

// promotionMoves by side and kind: all that start or end in the far rank.
var promotionMoves = func() (t [2][rules.Kinds][]promotionMove) {
	for c := range t {
		zone := rules.FarRank(rules.Color(c))
		for _, k := range []rules.Kind{rules.Rook, rules.Bishop, rules.Silver, rules.Pawn} {
			for from := range rules.Square(rules.Squares) {
				for _, to := range movements[c][k].reach[from] {
					if zone.Has(to) || zone.Has(from) {
						t[c][k] = append(t[c][k], promotionMove{from, to, between[from][to]})
					}
				}
			}
		}
	}
	return t
}()

// xPromotions adds the promotions of x, a piece of kind k of side c.
func xPromotions(acc, s *row, c rules.Color, k rules.Kind, occupied rules.Bitboard) {
	a, b := acc.words(), s.words()
	for i := range promotionMoves[c][k] {
		m := &promotionMoves[c][k][i]
		if m.passed&occupied == 0 {
			a[m.from] |= b[m.to] &^ uint32(m.passed)
		}
	}
}

// yEmpty are, for each word of a row, the squares that neither the outer pieces, the
// kings nor x occupy. With fewer than two dimensions there is no x.
func yEmpty(n int, occupied rules.Bitboard) (e row) {
	free := lanes(rules.Board &^ occupied)
	for i := range e {
		e[i] = free
		if n > 1 {
			e[i] &^= diagonalBits[i]
		}
	}
	return e
}

// yShift adds single steps in the direction of the rotation, from the squares of mask.
func yShift(acc, s *row, rotate int, mask uint64) {
	for i := range acc {
		acc[i] |= bits.RotateLeft64(s[i], rotate) & mask
	}
}

// ySlide adds slides in direction d from the squares of from.
func ySlide(acc, s, empty *row, d int, from uint64) {
	rotate, mask := dirs[d].rotate, dirs[d].mask
	for i := range acc {
		e := empty[i]
		t := bits.RotateLeft64(s[i], rotate) & mask
		r := t
		t = bits.RotateLeft64(t&e, rotate) & mask
		r |= t
		t = bits.RotateLeft64(t&e, rotate) & mask
		r |= t
		t = bits.RotateLeft64(t&e, rotate) & mask
		r |= t
		acc[i] |= r & from
	}
}

// yMoves adds the moves of y without promotion.
func yMoves(acc, s *row, m *movement, n int, occupied rules.Bitboard) {
	for _, d := range m.steps {
		yShift(acc, s, dirs[d].rotate, dirs[d].mask)
	}
	if len(m.slides) > 0 {
		empty := yEmpty(n, occupied)
		for _, d := range m.slides {
			ySlide(acc, s, &empty, d, ^uint64(0))
		}
	}
}

// yPromotions adds the promotions of y, a piece of side c that moves by m.
func yPromotions(acc, s *row, m *movement, c rules.Color, n int, occupied rules.Bitboard) {
	zone := lanes(rules.FarRank(c))
	for _, d := range m.steps {
		yShift(acc, s, dirs[d].rotate, dirs[d].mask&(zone|bits.RotateLeft64(zone, dirs[d].rotate)))
	}
	if len(m.slides) == 0 {
		return
	}
	empty := yEmpty(n, occupied)
	var into row
	for i := range into {
		into[i] = s[i] & zone
	}
	for _, d := range m.slides {
		ySlide(acc, s, &empty, d, zone)
		ySlide(acc, &into, &empty, d, ^uint64(0))
	}
}
