package index

import "gogotb/rules"

// Rank is the index of a position. With Gote to move it is that of the position seen from
// the other side. The error is a *KingError, *MaterialError or *PlacementError; whether a
// king is in check does not matter.
func (x *Index) Rank(p *rules.Position) (uint64, error) {
	us := p.Turn()
	own, opposing := p.King(us), p.King(us.Other())
	if own == rules.NoSquare || opposing == rules.NoSquare {
		missing := us
		if own != rules.NoSquare {
			missing = us.Other()
		}
		return 0, &KingError{missing}
	}
	number, ok := x.number(p)
	if !ok {
		return 0, &MaterialError{x.material, MaterialOf(p)}
	}
	l := &x.layouts[number]
	var squares [MaxPieces]rules.Square
	for d := 0; d < int(l.dimensions); d++ {
		set := p.Pieces(l.pieces[d].Color()^us, l.pieces[d].Kind())
		squares[d] = set.First()
		if set &= set - 1; set != 0 { // an identical pair
			d++
			squares[d] = set.First()
		}
	}
	return l.rank(own, opposing, &squares, uint(us)*rotateBit)
}

// RankSquares is the index of a placement given by the number of its slice, the squares
// of the kings, and those of the pieces on the board in the order of the slice (further
// ones are ignored), all seen from the side to move as Sente. Identical pieces may come
// in any order, and the placement or its mirror image may be given. The error is a
// *PlacementError or a *SliceError.
func (x *Index) RankSquares(slice int, own, opposing rules.Square, squares *[MaxPieces]rules.Square) (uint64, error) {
	if uint(slice) >= uint(len(x.layouts)) {
		return 0, &SliceError{x.material, slice, len(x.layouts)}
	}
	return x.layouts[slice].rank(own, opposing, squares, 0)
}

// rank is the index of a placement whose squares become those of the side to move, as
// Sente, by orientation o.
func (l *layout) rank(own, opposing rules.Square, squares *[MaxPieces]rules.Square, o uint) (uint64, error) {
	pair := pairOf[orientations[o][own]&31][orientations[o][opposing]&31]
	if pair.number == noPair {
		return 0, l.problem(own, opposing, squares, o)
	}
	o ^= uint(pair.mirrored)
	i := l.pairStart(int(pair.number))
	var r uint64
	var ok bool
	if pair.symmetric {
		r, ok = l.rankSymmetric(pair.number, squares, o)
	} else {
		r, ok = l.rankAnywhere(pair.number, squares, &orientations[o])
	}
	if !ok {
		return 0, l.problem(own, opposing, squares, o)
	}
	return i + r, nil
}

// rankAnywhere is the rank of the pieces around kings that leave no symmetry.
func (l *layout) rankAnywhere(pair uint8, squares *[MaxPieces]rules.Square, o *orientation) (uint64, bool) {
	free := pairFree[pair]
	first, ok := uint64(0), true
	if l.pawns != noPawns {
		a, b := l.pawnSquares(squares, o)
		t := &pawnTables[l.pawns]
		first, ok = t.rank(anywhere, pair, a, b), t.has(anywhere, pair, a, b)
		free &^= a.Bit() | b.Bit()
	}
	r, placed := rankGroups(l.shape, l.dims[:], squares, o, free)
	return first*l.rest + r, ok && placed
}

// pawnSquares is the configuration of the pawns.
func (l *layout) pawnSquares(squares *[MaxPieces]rules.Square, o *orientation) (a, b rules.Square) {
	b = o[squares[l.pawnDims[1]]]
	if l.pawns.size() == 1 {
		return rules.NoSquare, b
	}
	return l.pawns.sorted(o[squares[l.pawnDims[0]]], b)
}

// rankGroups is the rank of the groups of s, whose first dimensions are dims, on the free
// squares, where no symmetry is left.
func rankGroups(s shape, dims []uint8, squares *[MaxPieces]rules.Square, o *orientation, free rules.Bitboard) (rank uint64, ok bool) {
	n := uint64(free.Count())
	for d := 0; s != noGroups; s, d = s>>1, d+1 {
		a, b := groupSquares(s, dims[d:], squares, o)
		if !fits(free, a, b) {
			return 0, false
		}
		if s.firstIsPair() {
			rank = rank*choose2(n) + choose2(below(free, b)) + below(free, a)
			n -= 2
		} else {
			rank = rank*n + below(free, b)
			n--
		}
		free &^= a.Bit() | b.Bit()
	}
	return rank, true
}

// below is the rank of s among the squares of a set: how many are lower.
func below(set rules.Bitboard, s rules.Square) uint64 {
	return uint64((set & (s.Bit() - 1)).Count())
}

// rankSymmetric is the rank of the pieces around kings on the middle column. As long as
// the pieces placed are their own mirror image the next group decides, turning the
// board over if it has to; from there on no symmetry is left.
func (l *layout) rankSymmetric(pair uint8, squares *[MaxPieces]rules.Square, o uint) (uint64, bool) {
	free := pairFree[pair]
	rank := uint64(0)
	if l.pawns != noPawns {
		t := &pawnTables[l.pawns]
		a, b := l.pawnSquares(squares, &orientations[o])
		if !t.has(mirroredPawns, pair, a, b) {
			if !t.has(chosenPawns, pair, a, b) {
				o ^= mirrorBit
				a, b = l.pawnSquares(squares, &orientations[o])
			}
			r, ok := rankGroups(l.shape, l.dims[:], squares, &orientations[o], free&^(a.Bit()|b.Bit()))
			return t.rank(chosenPawns, pair, a, b)*l.rest + r, ok && t.has(chosenPawns, pair, a, b)
		}
		rank = uint64(t.count[chosenPawns][pair])*l.rest + t.rank(mirroredPawns, pair, a, b)*l.symmetricRest
		free &^= a.Bit() | b.Bit()
	}
	dims := l.dims[:]
	for s := l.shape; s != noGroups; s, dims = s>>1, dims[1:] {
		a, b := groupSquares(s, dims, squares, &orientations[o])
		p, chosen := phaseOf(a, b)
		if !chosen {
			o ^= mirrorBit
			a, b = groupSquares(s, dims, squares, &orientations[o])
		}
		if !fits(free, a, b) {
			return 0, false
		}
		left, mid := (free & leftSide).Count(), (free & middleColumn).Count()
		for q := firstPhase(s.firstIsPair(), true); q != p; q++ {
			if configs := q.configs(left, mid); configs > 0 {
				rank += configs * symmetricPlacements.rest(q, s>>1, left, mid)
			}
		}
		rank += p.rank(free, a, b) * symmetricPlacements.rest(p, s>>1, left, mid)
		free &^= a.Bit() | b.Bit()
		if !p.keepsSymmetry() {
			r, ok := rankGroups(s>>1, dims[1:], squares, &orientations[o], free)
			return rank + r, ok
		}
	}
	return rank, true
}

// fits tells whether a group can stand on free squares.
func fits(free rules.Bitboard, a, b rules.Square) bool {
	return free.Has(b) && a != b && (a == rules.NoSquare || free.Has(a))
}

// groupSquares are the squares of the first group of s, a < b; a single piece is at b and
// a is NoSquare.
func groupSquares(s shape, dims []uint8, squares *[MaxPieces]rules.Square, o *orientation) (a, b rules.Square) {
	a = o[squares[dims[0]]]
	if !s.firstIsPair() {
		return rules.NoSquare, a
	}
	b = o[squares[dims[0]+1]]
	return min(a, b), max(a, b)
}

// problem says what is wrong with a placement that has no rank.
func (l *layout) problem(own, opposing rules.Square, squares *[MaxPieces]rules.Square, o uint) error {
	pieces := append([]rules.Square{own, opposing}, squares[:l.dimensions]...)
	taken := rules.Bitboard(0)
	for _, s := range pieces {
		switch {
		case s >= rules.Squares:
			return &PlacementError{OffBoard, s}
		case taken.Has(s):
			return &PlacementError{Overlap, s}
		}
		taken |= s.Bit()
	}
	if adjacent(own, opposing) {
		return &PlacementError{KingsAdjacent, own}
	}
	files := [2]rules.Bitboard{}
	for d, piece := range l.pieces[:l.dimensions] {
		if piece.Kind() != rules.Pawn {
			continue
		}
		s, owner := orientations[o][squares[d]], piece.Color()
		if rules.FarRank(owner).Has(s) {
			return &PlacementError{DeadPawn, squares[d]}
		}
		file := rules.ColumnZero << s.Column()
		if files[owner]&file != 0 {
			return &PlacementError{TwoPawns, squares[d]}
		}
		files[owner] |= file
	}
	return nil
}
