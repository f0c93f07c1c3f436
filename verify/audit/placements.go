package audit

import (
	"gogotb/index"
	"gogotb/rules"
)

// placements counts the placements of a set without the index: all of them, and how many
// are left when mirror images are one. Which piece stands where is tried out square by
// square; a placement that is its own mirror image has each group of identical pieces
// on mirrored squares.
func placements(m index.Material) (all, once uint64) {
	mirrored := uint64(0)
	for _, pieces := range assignments(m) {
		for own := range rules.Square(rules.Squares) {
			for opposing := range rules.Square(rules.Squares) {
				if near(own, opposing) {
					continue
				}
				b := board{pieces: pieces, taken: own.Bit() | opposing.Bit()}
				all += b.count(0, 0, false)
				if own == own.Mirror() && opposing == opposing.Mirror() {
					mirrored += b.count(0, 0, true)
				}
			}
		}
	}
	return all, (all + mirrored) / 2
}

// near tells whether two squares are equal or neighbours.
func near(a, b rules.Square) bool {
	rank, column := a.Rank()-b.Rank(), a.Column()-b.Column()
	return rank*rank <= 1 && column*column <= 1
}

// assignments returns the ways to give the pieces of a set to hands and boards, identical
// pieces not told apart; of each, the pieces on the board, identical ones side by side.
func assignments(m index.Material) [][]rules.Piece {
	var list [][]rules.Piece
	var assign func(k rules.Kind, left uint8, choice int, board []rules.Piece)
	assign = func(k rules.Kind, left uint8, choice int, board []rules.Piece) {
		switch {
		case k == rules.HandKinds:
			list = append(list, board)
		case left == 0:
			next := uint8(0)
			if k < rules.HandKinds-1 {
				next = m[k+1]
			}
			assign(k+1, next, 0, board)
		default:
			places := placesOf(k)
			for c := choice; c < len(places); c++ {
				with := board[:len(board):len(board)]
				if places[c] != rules.NoPiece {
					with = append(with, places[c])
				}
				assign(k, left-1, c, with)
			}
		}
	}
	assign(0, m[0], 0, nil)
	return list
}

// placesOf returns what a piece of kind k can be: in one of the hands (NoPiece), or a piece
// on the board.
func placesOf(k rules.Kind) []rules.Piece {
	places := []rules.Piece{rules.NoPiece, rules.NoPiece}
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		places = append(places, rules.MakePiece(c, k))
		if k.CanPromote() {
			places = append(places, rules.MakePiece(c, k.Promote()))
		}
	}
	return places
}

// board is an enumeration of the ways to put pieces on the board.
type board struct {
	pieces []rules.Piece
	taken  rules.Bitboard
}

// count returns the number of ways to put the pieces from n on; group is where the pieces
// identical to number n stand that came before it. Only those are counted in which every
// group is its own mirror image, if that is asked for.
func (b *board) count(n int, group rules.Bitboard, mirrored bool) uint64 {
	if n == len(b.pieces) {
		return 1
	}
	piece := b.pieces[n]
	free := rules.Board &^ b.taken
	if group != 0 {
		free &^= group.First().Bit()<<1 - 1 // identical pieces ascend
	}
	if piece.Kind() == rules.Pawn {
		free &^= rules.FarRank(piece.Color())
		for s := group; s != 0; s &= s - 1 {
			free &^= rules.ColumnZero << s.First().Column()
		}
	}
	last := n+1 == len(b.pieces)
	if last && !mirrored {
		return uint64(free.Count())
	}
	total := uint64(0)
	for ; free != 0; free &= free - 1 {
		s := free.First()
		both := group | s.Bit()
		next := rules.Bitboard(0)
		if !last && b.pieces[n+1] == piece {
			next = both
		} else if mirrored && !isMirrored(both) {
			continue
		}
		b.taken |= s.Bit()
		total += b.count(n+1, next, mirrored)
		b.taken &^= s.Bit()
	}
	return total
}

// isMirrored tells whether a set of squares is its own mirror image.
func isMirrored(set rules.Bitboard) bool {
	for s := set; s != 0; s &= s - 1 {
		if !set.Has(s.First().Mirror()) {
			return false
		}
	}
	return true
}
