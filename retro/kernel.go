package retro

import (
	"gogotb/index"
	"gogotb/rules"
)

// Pre(S), for a set S of positions in which one side is to move, is the set of the
// positions with the other side, the mover, to move and a legal move into S. A kernel
// computes it row by row. It collects the source rows that moves lead to, each with the
// way it is read, then combines them:
//
//   - King moves and moves of outer pieces lead to whole rows; slides mask out the
//     positions in which x or y stands on a square that they pass.
//   - x and y move inside their row (inner.go), or inside the row of the slice in which
//     they are promoted.
//   - Drops lead to the slices with one more piece on the board: for each square a row,
//     or, where the dropped piece becomes an inner one, an OR along its dimension.
//   - Captures need nothing: in S the cells in which a piece of the mover shares a square
//     with one of the other side hold what holds after the capture (overlay.go).
//
// S has legal positions only, so nothing is tested for legality here. What is computed
// for impossible placements is garbage: the caller masks it.
type kernel struct {
	layout *layout
	mover  rules.Color
	source *set
	drops  dropMode
}

// dropMode says which drops count.
type dropMode uint8

const (
	allDrops dropMode = iota
	noPawnDrops
	onlyPawnDrops // and no other move
)

// place is a row under work: its slice, kings and outer pieces.
type place struct {
	s        *slice
	pair     int
	r        int
	king     [2]rules.Square
	outer    *outerPlace
	occupied rules.Bitboard // by kings and outer pieces
	distinct bool           // no two of these on one square
}

func (p *place) set(s *slice, pair, r int) {
	p.s, p.pair, p.r = s, pair, r
	p.king = kingPairs[pair].king
	p.outer = &s.places[r]
	kings := kingPairs[pair].occupied
	p.occupied = kings | p.outer.occupied
	p.distinct = p.outer.distinct && kings&p.outer.occupied == 0
}

// how source rows are read.
type how uint8

const (
	readPlain how = iota
	readMirrored
	readMasked       // by mask
	readXMoves       // of piece
	readYMoves       // of piece
	readXPromotions  // of piece
	readYPromotions  // of piece
	readXPromotionsT // of piece, with x and y exchanged in the source
	readOuterToX     // piece, promoting to the square to, is x there and x is outer: a run of rows
	readDropX        // of a piece that is x there, while x is outer and y is y: a run of rows
	readDropY        // of a piece that is y there, while x is outer and y is x: a run of rows
)

// reference is a source row, or a run of rows that differ in the last outer piece, and
// the way to read it.
type reference struct {
	how    how
	to     rules.Square
	passed rules.Bitboard
	rows   []row
	mask   *row
	piece  *pieceMoves
}

// maxReferences bounds the source rows of one row: 8 king moves, 3 outer pieces with at
// most 16 moves or, promoting, 32, six for x and y, 25 drops of each kind.
const maxReferences = 8 + 3*32 + 6 + 25*index.MaxPieces + 1

// worker is the scratch memory of one goroutine.
type worker struct {
	refs  [maxReferences]reference
	n     int // references in use
	place place

	log      chunkWriter
	logPair  int    // the first king pair of the unit
	recorded uint64 // positions, in weightUnits
}

// add notes the source row r. The caller completes what it returns, which is overwritten
// by the next call if the row is empty.
func (k *kernel) add(w *worker, h how, s *slice, pair, r int) *reference {
	f := &w.refs[w.n]
	if k.source.flags.has(s, pair, r) {
		w.n++
		f.how = h
		f.rows = k.source.rows[s.id][pair*s.rows+r:]
	}
	return f
}

// addRun notes the 25 source rows from r on, which differ in the last outer piece.
func (k *kernel) addRun(w *worker, h how, s *slice, pair, r int) *reference {
	f := &w.refs[w.n]
	if k.source.flags[s.id][pair*s.boards+r/rules.Squares] != 0 {
		w.n++
		f.how = h
		first := pair*s.rows + r
		f.rows = k.source.rows[s.id][first : first+rules.Squares]
	}
	return f
}

// pre computes the row of w.place: acc becomes the positions of Pre(S) in it, as far as
// need asks for them.
func (k *kernel) pre(w *worker, need, acc *row) {
	*acc = row{}
	w.n = 0
	if k.drops != onlyPawnDrops {
		k.collectKing(w)
		k.collectPieces(w)
	}
	k.combine(w, acc)
	if k.drops == onlyPawnDrops || len(w.place.s.moves[k.mover].drops) > 0 && !acc.covers(need) {
		w.n = 0
		k.collectDrops(w)
		k.combine(w, acc)
	}
}

func (k *kernel) collectKing(w *worker) {
	p := &w.place
	for _, step := range kingPairs[p.pair].steps[k.mover] {
		if step.mirrored {
			k.add(w, readMirrored, p.s, step.pair, int(p.outer.mirrored))
		} else {
			k.add(w, readPlain, p.s, step.pair, p.r)
		}
	}
}

func (k *kernel) collectPieces(w *worker) {
	p := &w.place
	own := p.s.moves[k.mover].pieces
	for i := range own {
		m := &own[i]
		switch p.s.role(m.dim) {
		case outerRole:
			k.collectOuter(w, m)
		case xRole:
			k.add(w, readXMoves, p.s, p.pair, p.r).piece = m
			if m.promoted != noSlice {
				h := readXPromotions
				if m.swapped {
					h = readXPromotionsT
				}
				k.add(w, h, &k.layout.slices[m.promoted], p.pair, p.r).piece = m
			}
		case yRole:
			k.add(w, readYMoves, p.s, p.pair, p.r).piece = m
			if m.promoted != noSlice {
				k.add(w, readYPromotions, &k.layout.slices[m.promoted], p.pair, p.r).piece = m
			}
		}
	}
}

// collectOuter collects the moves of an outer piece.
func (k *kernel) collectOuter(w *worker, m *pieceMoves) {
	p, s := &w.place, w.place.s
	from, stride := p.outer.squares[m.dim], s.stride[m.dim]
	base := p.r - int(from)*stride
	zone := rules.FarRank(k.mover)
	for _, to := range m.movement.reach[from] {
		passed := between[from][to]
		if passed&p.occupied != 0 {
			continue
		}
		h, mask := readPlain, (*row)(nil)
		if passed != 0 {
			h, mask = readMasked, &passing[from][to]
		}
		r := base + int(to)*stride
		k.add(w, h, s, p.pair, r).mask = mask
		if m.promoted == noSlice || !zone.Has(from) && !zone.Has(to) {
			continue
		}
		promoted := &k.layout.slices[m.promoted]
		switch {
		case !m.swapped:
			k.add(w, h, promoted, p.pair, r).mask = mask
		case s.role(m.dim+1) == outerRole:
			other, next := int(p.outer.squares[m.dim+1]), s.stride[m.dim+1]
			k.add(w, h, promoted, p.pair, base+other*(stride-next)+int(to)*next).mask = mask
		default: // the last outer piece promotes; the identical x comes before it
			f := k.addRun(w, readOuterToX, promoted, p.pair, base)
			f.to, f.passed = to, passed
		}
	}
}

func (k *kernel) collectDrops(w *worker) {
	p, s := &w.place, w.place.s
	for _, d := range s.moves[k.mover].drops {
		if d.kind == rules.Pawn && k.drops == noPawnDrops || d.kind != rules.Pawn && k.drops == onlyPawnDrops {
			continue
		}
		to := &k.layout.slices[d.to]
		switch to.role(d.dim) {
		case outerRole:
			r := 0
			for e := range s.outer() {
				at := e
				if e >= d.dim {
					at++
				}
				r += int(p.outer.squares[e]) * to.stride[at]
			}
			for sq := range rules.Square(rules.Squares) {
				if !p.occupied.Has(sq) {
					k.add(w, readMasked, to, p.pair, r+int(sq)*to.stride[d.dim]).mask = &without[sq]
				}
			}
		case xRole:
			k.collectInnerDrop(w, readDropX, to)
		case yRole:
			k.collectInnerDrop(w, readDropY, to)
		}
	}
}

// collectInnerDrop collects the rows of the slice to in which a dropped piece is an inner
// one: a row for every square of x, the last outer piece there.
func (k *kernel) collectInnerDrop(w *worker, h how, to *slice) {
	p := &w.place
	if p.s.n < 2 {
		k.add(w, h, to, p.pair, 0)
	} else {
		k.addRun(w, h, to, p.pair, p.r*rules.Squares)
	}
}

// combine adds what the references lead to.
func (k *kernel) combine(w *worker, acc *row) {
	var plain [4]*row
	n := 0
	occupied := w.place.occupied
	for i := range w.n {
		f := &w.refs[i]
		source := &f.rows[0]
		switch f.how {
		case readPlain:
			if plain[n] = source; n < 3 {
				n++
			} else {
				acc.or4(plain[0], plain[1], plain[2], plain[3])
				n = 0
			}
		case readMirrored:
			acc.orMirrored(source, w.place.s.n)
		case readMasked:
			acc.orMasked(source, f.mask)
		case readXMoves:
			xMoves(acc, source, f.piece.movement, occupied)
		case readYMoves:
			yMoves(acc, source, f.piece.movement, w.place.s.n, occupied)
		case readXPromotions:
			xPromotions(acc, source, k.mover, f.piece.kind, occupied)
		case readXPromotionsT:
			t := source.transposed()
			xPromotions(acc, &t, k.mover, f.piece.kind, occupied)
		case readYPromotions:
			yPromotions(acc, source, f.piece.movement, k.mover, w.place.s.n, occupied)
		case readOuterToX:
			outerToX(acc, f.rows, f.to, f.passed)
		case readDropX:
			dropX(acc, f.rows, w.place.s.n, occupied)
		case readDropY:
			dropY(acc, f.rows, w.place.s.n, occupied)
		}
	}
	for _, s := range plain[:n] {
		acc.or(s)
	}
}

// outerToX adds the promotions to the square to of the last outer piece, which is x in
// the source, while x is the outer piece there.
func outerToX(acc *row, source []row, to rules.Square, passed rules.Bitboard) {
	a := acc.words()
	for x := range source {
		if !passed.Has(rules.Square(x)) {
			a[x] |= source[x].words()[to] &^ uint32(passed)
		}
	}
}

// dropX adds drops of a piece that is x in the source, to a slice that has n dimensions
// before it. The source has a row for every square of x, or only one if there is no x. Cells in which the dropped piece shares a
// square with another one hold captures, so they are left out.
func dropX(acc *row, source []row, n int, occupied rules.Bitboard) {
	a := acc.words()
	for x := range dropRows(n) {
		taken := occupied
		if n > 1 {
			taken |= 1 << x
		}
		v := source[x].words()
		var or uint32
		for b := range rules.Squares {
			if !taken.Has(rules.Square(b)) {
				or |= v[b] &^ (1 << b)
			}
		}
		a[x] |= or
	}
}

// dropRows is the number of source rows of an inner drop to a slice with n dimensions
// before it.
func dropRows(n int) int {
	if n < 2 {
		return 1
	}
	return rules.Squares
}

// dropY adds drops of a piece that is y in the source, where x is outer and y is x.
func dropY(acc *row, source []row, n int, occupied rules.Bitboard) {
	a := acc.words()
	if n == 0 { // the dropped piece is the only one
		if rules.Bitboard(source[0].words()[0])&^occupied != 0 {
			a[0] |= 1
		}
		return
	}
	for x := range dropRows(n) {
		free := rules.Board &^ occupied
		if n > 1 {
			free &^= 1 << x
		}
		v := source[x].words()
		var or uint32
		for y := range rules.Square(rules.Squares) {
			if rules.Bitboard(v[y])&free&^y.Bit() != 0 {
				or |= 1 << y
			}
		}
		a[x] |= or
	}
}
