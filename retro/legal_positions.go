package retro

import "gogotb/rules"

// attackRow finds the placements of a row in which a piece of side c attacks the other side's king.
// Kings do not attack each other here.
func attackRow(p *place, c rules.Color) (r row) {
	s, target := p.s, p.king[c.Other()]
	squares := allSquares // of x
	if s.n < 2 {
		squares = 1 // word 0 is that of a corner, which stands between no two squares
	}
	var memory [20]rowPart // y attacks from 12 squares at the most, a dragon's
	parts := memory[:0]
	for d, piece := range s.pieces {
		if piece.color != c {
			continue
		}
		from := movements[c][piece.kind].from[target]
		switch s.role(d) {
		case outerRole:
			at := p.outer.squares[d]
			if from.Has(at) && between[at][target]&p.occupied == 0 {
				parts = append(parts, rowPart{&passing[at][target], squares, allSquares})
			}
		case xRole:
			for ; from != 0; from &= from - 1 {
				at := from.First()
				if passed := between[at][target]; passed&p.occupied == 0 {
					r.words()[at] |= uint32(rules.Board &^ passed)
				}
			}
		case yRole:
			for ; from != 0; from &= from - 1 {
				// passing also masks the bits passed, and at is not one of them
				if at := from.First(); between[at][target]&p.occupied == 0 {
					parts = append(parts, rowPart{&passing[at][target], squares, uint32(at.Bit())})
				}
			}
		}
	}
	addParts(&r, parts)
	return r
}

// keepDistinct keeps the placements of the row at p in which all pieces stand on different squares.
func (r *row) keepDistinct(p *place) {
	if !p.distinct {
		*r = row{}
		return
	}
	cells, free, squares := p.distinctCells()
	keepCells(r, cells, free, squares)
}

// legalRow finds the legal positions of a row with side c to move: distinct squares, no pawn on its
// far rank, no two pawns of a side on a file, and the other side, which has just moved, not in
// check.
func legalRow(p *place, c rules.Color) (r row) {
	if !p.distinct {
		return r
	}
	s := p.s
	r = fullRow(s.n)
	r.keepDistinct(p)
	for d, piece := range s.pieces {
		if piece.kind != rules.Pawn {
			continue
		}
		r.restrict(p, d, rules.Board&^rules.FarRank(piece.color))
		for e := d + 1; e < s.n; e++ {
			if s.pieces[e] == piece {
				r.separateFiles(p, d, e)
			}
		}
	}
	attacked := attackRow(p, c)
	r.andNot(&attacked)
	return r
}

// restrict keeps the placements in which the piece of dimension d stands on a square of set.
func (r *row) restrict(p *place, d int, set rules.Bitboard) {
	w := r.words()
	switch p.s.role(d) {
	case outerRole:
		if !set.Has(p.outer.squares[d]) {
			*r = row{}
		}
	case xRole:
		for x := range rules.Square(rules.Squares) {
			if !set.Has(x) {
				w[x] = 0
			}
		}
	case yRole:
		for i := range r {
			r[i] &= lanes(set)
		}
	}
}

// separateFiles keeps the placements in which the pieces of the dimensions d < e stand on different
// files.
func (r *row) separateFiles(p *place, d, e int) {
	file := func(s rules.Square) rules.Bitboard { return rules.ColumnZero << s.Column() }
	if p.s.role(d) == outerRole {
		r.restrict(p, e, rules.Board&^file(p.outer.squares[d]))
		return
	}
	for x := range rules.Square(rules.Squares) { // x and y
		r.words()[x] &^= uint32(file(x))
	}
}
