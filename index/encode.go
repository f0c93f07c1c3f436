package index

import "gogotb/rules"

// Encode returns the index of a position. With Gote to move it is that of the position seen from
// the other side. The error is a *KingError, *MaterialError or *rules.PositionError; whether
// a king is in check does not matter.
func (x *Index) Encode(p *rules.Position) (uint64, error) {
	us := p.SideToMove()
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
	squares := placed{nowhere: rules.NoSquare}
	for d := range l.pieces {
		set := p.Pieces(l.piece[d].Color()^us, l.piece[d].Kind())
		set &= set - rules.Bitboard(l.skip[d])
		squares[d] = set.First()
	}
	return l.encode(own, opposing, &squares, uint(us)*rotateBit)
}

// EncodeSquares returns the index of a placement given by the number of its slice, the squares
// of the kings, and those of the pieces on the board in the order of the slice (further
// ones are ignored), all seen from the side to move as Sente. Identical pieces may come
// in any order, and the placement or its mirror image may be given. The error is a
// *rules.PositionError or a *SliceError.
func (x *Index) EncodeSquares(slice int, own, opposing rules.Square, squares *[MaxPieces]rules.Square) (uint64, error) {
	if uint(slice) >= uint(len(x.layouts)) {
		return 0, &SliceError{x.material, slice, len(x.layouts)}
	}
	all := placed{nowhere: rules.NoSquare}
	copy(all[:], squares[:])
	return x.layouts[slice].encode(own, opposing, &all, 0)
}

// encode returns the index of a placement whose squares become those of the side to move, as
// Sente, by the square map o.
func (l *layout) encode(own, opposing rules.Square, squares *placed, o uint) (uint64, error) {
	pair := pairOf[squareMaps[o][own]&31][squareMaps[o][opposing]&31]
	if pair.number == noPair {
		return 0, l.problem(own, opposing, squares, o)
	}
	o ^= uint(pair.mirrored)
	i, r := l.pairStart(int(pair.number)), uint64(0)
	free, ok := pairFree[pair.number], true
	if pair.symmetric {
		r, free, ok = l.encodeSymmetric(pair.number, squares, o)
	} else {
		if l.hasPawns {
			a, b := l.pawnSquares(squares, &squareMaps[o])
			i += l.table.number(anywhere, pair.number, a, b) * l.rest
			ok = l.table.has(anywhere, a, b)
			free &^= bit(a) | bit(b)
		}
		r, free = l.encodeGroups(0, squares, &squareMaps[o], free)
	}
	// where a piece stands on another one, or on no square, too many are free
	if !ok || free.Count() != int(l.vacant) {
		return 0, l.problem(own, opposing, squares, o)
	}
	return i + r, nil
}

// pawnSquares returns the configuration of the pawns.
func (l *layout) pawnSquares(squares *placed, to *squareMap) (a, b rules.Square) {
	a, b = to[squares[l.pawnDims[0]&7]], to[squares[l.pawnDims[1]&7]]
	return l.pawns.sorted(a, b)
}

// encodeGroups numbers the placement of the groups from g on, on the free squares, where no symmetry is left, and
// tells what is free after them.
func (l *layout) encodeGroups(
	g int, squares *placed, to *squareMap, free rules.Bitboard,
) (n uint64, after rules.Bitboard) {
	for ; g < int(l.pieces) && g < MaxPieces; g++ {
		a := to[squares[l.first[g]&7]]
		if l.doubles {
			b := to[squares[l.second[g]&7]]
			a, b = ascending(a, b)
			n += choose2(below(free, b)) * uint64(l.pairFactor[g])
			n += below(free, a) * uint64(l.factor[g])
			free &^= bit(a) | bit(b)
		} else {
			n += below(free, a) * uint64(l.factor[g])
			free &^= bit(a)
		}
	}
	return n, free
}

// encodeSymmetric numbers the placement of the pieces around kings on the middle column, and tells what is
// free after them; ok is false if they cannot stand there. As long as the pieces placed are
// their own mirror image the next group decides, turning the board over if it has to; from
// there on no symmetry is left.
func (l *layout) encodeSymmetric(pair uint8, squares *placed, o uint) (n uint64, free rules.Bitboard, ok bool) {
	t := l.table
	a, b := l.pawnSquares(squares, &squareMaps[o])
	if !t.has(mirroredPawns, a, b) {
		if !t.has(chosenPawns, a, b) {
			o ^= mirrorBit
			a, b = l.pawnSquares(squares, &squareMaps[o])
		}
		n, free = l.encodeGroups(0, squares, &squareMaps[o], pairFree[pair]&^(bit(a)|bit(b)))
		return t.number(chosenPawns, pair, a, b)*l.rest + n, free, t.has(chosenPawns, a, b)
	}
	n = uint64(t.count[chosenPawns][pair])*l.rest + t.number(mirroredPawns, pair, a, b)*l.symmetricRest
	free = pairFree[pair] &^ (bit(a) | bit(b))
	for s, g := l.shape, 0; s != noGroups; s, g = s>>1, g+1 {
		a, b := l.groupSquares(g, squares, &squareMaps[o])
		p, chosen := phaseOf(a, b)
		if !chosen {
			o ^= mirrorBit
			a, b = l.groupSquares(g, squares, &squareMaps[o])
		}
		if !free.Has(a) || b != rules.NoSquare && (!free.Has(b) || a == b) {
			return 0, free, false
		}
		left, mid := (free & leftSide).Count(), (free & middleColumn).Count()
		for q := firstPhase(s.firstIsPair(), true); q != p; q++ {
			if configs := q.configs(left, mid); configs > 0 {
				n += configs * symmetricPlacements.rest(q, s>>1, left, mid)
			}
		}
		n += p.number(free, a, b) * symmetricPlacements.rest(p, s>>1, left, mid)
		free &^= bit(a) | bit(b)
		if !p.keepsSymmetry() {
			r, free := l.encodeGroups(g+1, squares, &squareMaps[o], free)
			return n + r, free, true
		}
	}
	return n, free, true
}

// groupSquares returns the squares of group g, the lower one first; b is NoSquare for a single
// piece.
func (l *layout) groupSquares(g int, squares *placed, to *squareMap) (a, b rules.Square) {
	a, b = to[squares[l.first[g]&7]], to[squares[l.second[g]&7]]
	return ascending(a, b)
}

// ascending puts two squares in order without a branch, which could not be guessed.
func ascending(a, b rules.Square) (low, high rules.Square) {
	d := int32(a) - int32(b)
	d &= d >> 31 // negative, or 0
	return rules.Square(int32(b) + d), rules.Square(int32(a) - d)
}

// below counts the squares of a set that are lower than s.
func below(set rules.Bitboard, s rules.Square) uint64 {
	return uint64((set & (bit(s) - 1)).Count())
}

// bit is s.Bit() for any s below 32, without a test for larger shifts.
func bit(s rules.Square) rules.Bitboard { return 1 << (s & 31) }

// problem says what is wrong with a placement that has no index.
func (l *layout) problem(own, opposing rules.Square, squares *placed, o uint) error {
	pieces := append([]rules.Square{own, opposing}, squares[:l.dimensions]...)
	taken := rules.Bitboard(0)
	for _, s := range pieces {
		switch {
		case s >= rules.Squares:
			return &rules.PositionError{Fault: rules.OffBoard, Square: s}
		case taken.Has(s):
			return &rules.PositionError{Fault: rules.Overlap, Square: s}
		}
		taken |= s.Bit()
	}
	if adjacent(own, opposing) {
		return &rules.PositionError{Fault: rules.KingsAdjacent, Square: own}
	}
	files := [2]rules.Bitboard{}
	for d, piece := range l.piece[:l.dimensions] {
		if piece.Kind() != rules.Pawn {
			continue
		}
		s, owner := squareMaps[o][squares[d]], piece.Color()
		wrong := rules.PositionError{Square: squares[d], Color: owner ^ rules.Color(o&rotateBit/rotateBit)}
		if rules.FarRank(owner).Has(s) {
			wrong.Fault = rules.PawnOnFarRank
			return &wrong
		}
		file := rules.ColumnZero << s.Column()
		if files[owner]&file != 0 {
			wrong.Fault = rules.SecondPawnOnFile
			return &wrong
		}
		files[owner] |= file
	}
	return nil
}
