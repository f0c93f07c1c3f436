package retro

import (
	"math/bits"

	"gogotb/rules"
)

// The kernel's moves once more, on flags in place of rows: which rows can have a position with a
// move into a flagged row? The boards of flags stand to rows as rows do to positions, with the last
// outer piece in the place of y. Blocked slides are not told apart, so the answer may have too many
// rows, never too few.

// reachingRows finds the rows of board g of a king pair from which the mover may reach a row that
// is flagged in f. Slices without outer pieces have one row, which is for reachesPair to tell.
func (k *kernel) reachingRows(f flags, s *slice, pair, g int) (rows uint32) {
	outer := s.outer()
	if outer == 0 {
		return 1
	}
	places := outerPlaces[outer-1]
	for i := range s.pairs[pair].steps[k.mover] {
		step := &s.pairs[pair].steps[k.mover][i]
		boards := f.pair(s, step.pair)
		if step.mirrored {
			rows |= uint32(mirrorBoard(uint64(boards[places[g].mirrored])))
		} else {
			rows |= boards[g]
		}
	}
	for i := range s.moves[k.mover].pieces {
		m := &s.moves[k.mover].pieces[i]
		rows |= k.rowsOfMoves(m, f, s, pair, g)
	}
	for i := range s.moves[k.mover].drops {
		rows |= k.rowsOfDrops(&s.moves[k.mover].drops[i], f, s, pair, g)
	}
	return rows
}

// rowsOfMoves finds those of the moves of a piece.
func (k *kernel) rowsOfMoves(m *pieceMoves, f flags, s *slice, pair, g int) (rows uint32) {
	boards := f.pair(s, pair)
	var promoted []uint32
	if m.promoted != nil {
		promoted = f.pair(m.promoted, pair)
	}
	if m.reordered && m.role == outerRole { // the promoted piece changes dimensions
		for _, b := range promoted {
			if b != 0 {
				return uint32(rules.Board)
			}
		}
		promoted = nil
	}
	last := s.outer() - 1
	switch {
	case m.dim > last:
		rows = boards[g]
		if promoted != nil {
			rows |= promoted[g]
		}
	case m.dim == last:
		target := boards[g]
		if promoted != nil {
			target |= promoted[g]
		}
		rows = m.movement.origins(target)
	default:
		places := outerPlaces[last]
		from, stride := places[g].squares[m.dim], s.stride[m.dim]/rules.Squares
		for _, to := range m.movement.reach[from] {
			at := g + (int(to)-int(from))*stride
			rows |= boards[at]
			if promoted != nil {
				rows |= promoted[at]
			}
		}
	}
	return rows
}

// origins finds the squares from which the piece reaches a square of the board b, if nothing is in
// its way.
func (m *movement) origins(b uint32) (from uint32) {
	for ; b != 0; b &= b - 1 {
		from |= uint32(m.from[bits.TrailingZeros32(b)])
	}
	return from
}

// rowsOfDrops finds those of the drops of a piece.
func (k *kernel) rowsOfDrops(d *dropMoves, f flags, s *slice, pair, g int) (rows uint32) {
	to := d.to
	boards := f.pair(to, pair)
	last := to.outer() - 1
	if d.dim >= last { // boards there are rows here
		for r, b := range boards[g*rules.Squares : (g+1)*rules.Squares] {
			if b != 0 {
				rows |= 1 << r
			}
		}
		return rows
	}
	// The dropped piece is outer and not the last: boards differ in its square.
	squares := &outerPlaces[s.outer()-1][g].squares
	at := 0
	for e := range s.outer() - 1 {
		there := e
		if e >= d.dim {
			there++
		}
		at += int(squares[e]) * to.stride[there] / rules.Squares
	}
	for sq := range rules.Squares {
		rows |= boards[at+sq*to.stride[d.dim]/rules.Squares]
	}
	return rows
}

// reachesPair tells whether the mover may reach a flagged row from any row of a king pair.
func (k *kernel) reachesPair(flagged pairFlags, s *slice, pair int) bool {
	own := flagged[s.id]
	for i := range s.pairs[pair].steps[k.mover] {
		if own[s.pairs[pair].steps[k.mover][i].pair] {
			return true
		}
	}
	if own[pair] {
		return true
	}
	moves := &s.moves[k.mover]
	for i := range moves.pieces {
		if m := &moves.pieces[i]; m.promoted != nil && flagged[m.promoted.id][pair] {
			return true
		}
	}
	for i := range moves.drops {
		if flagged[moves.drops[i].to.id][pair] {
			return true
		}
	}
	return false
}
