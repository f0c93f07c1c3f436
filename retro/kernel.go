package retro

import (
	"math/bits"

	"gogotb/rules"
)

// Pre(S), for a set S of positions in which one side is to move, is the set of the positions with
// the other side, the mover, to move and a legal move into S. A kernel computes it row by row, as a
// sum of the source rows that moves lead to:
//
//   - King moves and moves of outer pieces lead to whole rows; slides mask out the positions in
//     which x or y stands on a square that they pass.
//   - x and y move inside their row (inner.go), or inside the row of the slice in which they are
//     promoted.
//   - Drops lead to the slices with one more piece on the board: for each square a row, or,
//     where the dropped piece becomes an inner one, an OR along its dimension.
//   - Captures need nothing: in S the cells in which a piece of the mover shares a square with
//     one of the other side hold what holds after the capture (overlay.go).
//
// S has legal positions only, so nothing is tested for legality here. What is computed for
// impossible placements is garbage: the caller masks it.
type kernel struct {
	mover  rules.Color
	source *set
	drops  dropMode
	// untilCovered says that nothing is of interest but what of need is left over: the sum is
	// complete once it covers need.
	untilCovered bool
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
	address
	s        *slice
	pair     int
	r        int // number of the row in the king pair
	king     [2]rules.Square
	outer    *outerPlace
	occupied rules.Bitboard // by kings and outer pieces
	distinct bool           // no two of these on one square
}

func (p *place) set(s *slice, pair, r int) {
	p.address, p.s, p.pair, p.r = s.address(pair, r), s, pair, r
	p.king = s.pairs[pair].king
	p.outer = &s.places[r]
	kings := s.pairs[pair].occupied
	p.occupied = kings | p.outer.occupied
	p.distinct = p.outer.distinct && kings&p.outer.occupied == 0
}

// worker is the scratch memory of one goroutine.
type worker struct {
	place place

	// sum is what the kernel adds up. Rows wait to be added, because many at a time are cheaper.
	sum     row
	waiting []*row
	masked  []maskedRow    // these, too
	board   [boardRows]row // of a sparse set

	log      chunkWriter
	logPair  int    // the first king pair of the unit
	recorded uint64 // positions, in quarters

	cells []rules.Value // the values of a unit
	tally *tally
}

// addRow adds a source row as it is.
func (w *worker) addRow(r *row) { w.waiting = append(w.waiting, r) }

// addMasked adds what is in mask of a source row.
func (w *worker) addMasked(r, mask *row) { w.masked = append(w.masked, maskedRow{r, mask}) }

// addWaiting adds the rows that wait.
func (w *worker) addWaiting() {
	if len(w.waiting)+len(w.masked) > 0 {
		addRows(&w.sum, w.waiting, w.masked)
		w.waiting, w.masked = w.waiting[:0], w.masked[:0]
	}
}

// pre computes the row of w.place: the positions of Pre(S) in it, as far as need asks for them.
// What it returns is good until the next call. If untilCovered is set, moves are added up, the
// cheap ones first, until need is covered.
func (k *kernel) pre(w *worker, need *row) *row {
	w.sum = row{}
	if k.drops != onlyPawnDrops {
		k.moveKing(w)
		if k.untilCovered {
			w.addWaiting()
			if w.sum.covers(need) {
				return &w.sum
			}
		}
		k.movePieces(w, need)
		w.addWaiting()
	}
	drops := w.place.s.moves[k.mover].drops
	if len(drops) > 0 && (k.drops == onlyPawnDrops || !w.sum.covers(need)) {
		for i := range drops {
			k.drop(w, &drops[i])
		}
		w.addWaiting()
	}
	return &w.sum
}

// removePre takes the positions of Pre(S) from r, a copy of the row of w.place.
func (k *kernel) removePre(w *worker, r *row) {
	if !r.empty() {
		r.andNot(k.pre(w, r))
	}
}

// keepPre keeps only the positions of Pre(S) in r, a copy of the row of w.place.
func (k *kernel) keepPre(w *worker, r *row) {
	if !r.empty() {
		r.and(k.pre(w, r))
	}
}

// moveKing adds the moves of the king.
func (k *kernel) moveKing(w *worker) {
	p := &w.place
	s := p.s
	flags, steps := k.source.flags[s.id], s.pairs[p.pair].steps[k.mover]
	first := p.board - p.pair*s.boards // in each king pair
	for i := range steps {
		step := &steps[i]
		if step.mirrored {
			k.moveKingMirrored(w, step.pair)
		} else if board := first + step.pair*s.boards; flags[board]>>p.bit&1 != 0 {
			w.addRow(k.source.readFlagged(address{s.id, board, p.bit}))
		}
	}
}

// moveKingMirrored adds the row that mirrors the one to which a king moves.
func (k *kernel) moveKingMirrored(w *worker, pair int) {
	p, s := &w.place, w.place.s
	if a := s.address(pair, int(p.outer.mirrored)); k.source.flags.has(a) {
		w.sum.orMirrored(k.source.readFlagged(a), s.n)
	}
}

// sourceRow returns a row of the source, nil if it is empty.
func (k *kernel) sourceRow(a address) *row {
	if !k.source.flags.has(a) {
		return nil
	}
	return k.source.readFlagged(a)
}

// movePieces adds the moves of the other pieces on the board.
func (k *kernel) movePieces(w *worker, need *row) {
	p := &w.place
	own := p.s.moves[k.mover].pieces
	quiet := k.sourceRow(p.address)
	for i := range own {
		if k.untilCovered && i > 0 {
			w.addWaiting()
			if w.sum.covers(need) {
				return
			}
		}
		m := &own[i]
		var promoted *row
		if m.role != outerRole && m.promoted != nil {
			promoted = k.sourceRow(address{m.promoted.id, p.board, p.bit})
		}
		switch m.role {
		case outerRole:
			k.moveOuter(w, m)
		case xRole:
			if quiet != nil {
				xMoves(&w.sum, quiet, m.movement, p.occupied)
			}
			if promoted != nil && m.reordered {
				t := promoted.transposed()
				promoted = &t
			}
			if promoted != nil {
				xPromotions(&w.sum, promoted, k.mover, m.kind, p.occupied)
			}
		case yRole:
			if quiet != nil {
				yMoves(&w.sum, quiet, m.movement, p.s.n, p.occupied)
			}
			if promoted != nil {
				yPromotions(&w.sum, promoted, m.movement, k.mover, p.s.n, p.occupied)
			}
		}
	}
}

// moveOuter adds the moves of an outer piece.
func (k *kernel) moveOuter(w *worker, m *pieceMoves) {
	p, s := &w.place, w.place.s
	from, stride := p.outer.squares[m.dim], s.stride[m.dim]
	if stride == 1 {
		k.moveLastOuter(w, m, from)
		return
	}
	zone := rules.FarRank(k.mover)
	for _, to := range m.movement.reach[from] {
		if between[from][to]&p.occupied != 0 {
			continue
		}
		board := p.board + (int(to)-int(from))*(stride/rules.Squares)
		k.addOuter(w, address{s.id, board, p.bit}, from, to)
		if m.promoted == nil || !zone.Has(from) && !zone.Has(to) {
			continue
		}
		if m.reordered { // the other piece comes first there
			other, next := int(p.outer.squares[m.dim+1]), s.stride[m.dim+1]
			r := p.r - int(from)*stride - other*next + other*stride + int(to)*next
			k.addOuter(w, m.promoted.address(p.pair, r), from, to)
		} else {
			k.addOuter(w, address{m.promoted.id, board, p.bit}, from, to)
		}
	}
}

// moveLastOuter adds the moves of the last outer piece from a square: they lead to rows of one
// board.
func (k *kernel) moveLastOuter(w *worker, m *pieceMoves, from rules.Square) {
	p := &w.place
	board, reach := p.board, m.movement.to[from]
	k.addOfBoard(w, p.s, board, reach, from)
	if m.promoted == nil {
		return
	}
	if zone := rules.FarRank(k.mover); !zone.Has(from) {
		reach &= zone
	}
	switch {
	case !m.reordered:
		k.addOfBoard(w, m.promoted, board, reach, from)
	case k.source.flags[m.promoted.id][board] != 0: // x comes first, it is the last outer piece there
		source := k.source.readBoard(m.promoted.id, board, &w.board)
		for ; reach != 0; reach &= reach - 1 {
			to := reach.First()
			if passed := between[from][to]; passed&p.occupied == 0 {
				outerToX(&w.sum, source, to, passed)
			}
		}
	}
}

// addOfBoard adds the rows of a board of the slice s to which its last outer piece moves, as far as
// nothing is in its way to the squares of reach.
func (k *kernel) addOfBoard(w *worker, s *slice, board int, reach rules.Bitboard, from rules.Square) {
	passed := &between[from]
	for reach &= rules.Bitboard(k.source.flags[s.id][board]); reach != 0; reach &= reach - 1 {
		to := reach.First()
		if passed[to] == 0 {
			w.addRow(k.source.readFlagged(address{s.id, board, int(to)}))
		} else if passed[to]&w.place.occupied == 0 {
			w.addMasked(k.source.readFlagged(address{s.id, board, int(to)}), &passing[from][to])
		}
	}
}

// addOuter adds a row to which an outer piece moves.
func (k *kernel) addOuter(w *worker, a address, from, to rules.Square) {
	if !k.source.flags.has(a) {
		return
	}
	source := k.source.readFlagged(a)
	if between[from][to] == 0 {
		w.addRow(source)
	} else {
		w.addMasked(source, &passing[from][to])
	}
}

// drop adds the drops of a piece.
func (k *kernel) drop(w *worker, d *dropMoves) {
	if (d.kind == rules.Pawn) != (k.drops == onlyPawnDrops) && k.drops != allDrops {
		return
	}
	p, s, to := &w.place, w.place.s, d.to
	flags := k.source.flags[to.id]
	switch {
	case d.role == outerRole:
		r := 0
		for e := range s.outer() {
			there := e
			if e >= d.dim {
				there++
			}
			r += int(p.outer.squares[e]) * to.stride[there]
		}
		stride := to.stride[d.dim]
		board, bit := p.pair*to.boards+r/rules.Squares, r%rules.Squares
		if stride == 1 { // to rows of one board
			for free := flags[board] &^ uint32(p.occupied); free != 0; free &= free - 1 {
				sq := bits.TrailingZeros32(free)
				w.addMasked(k.source.readFlagged(address{to.id, board, sq}), &without[sq])
			}
			return
		}
		for free := rules.Board &^ p.occupied; free != 0; free &= free - 1 {
			sq := free.First()
			if at := board + int(sq)*(stride/rules.Squares); flags[at]>>bit&1 != 0 {
				w.addMasked(k.source.readFlagged(address{to.id, at, bit}), &without[sq])
			}
		}
		return
	case flags[p.pair*to.boards+p.r] == 0:
		return
	}
	// The dropped piece is an inner one: a row for every square of x, which is the last outer piece
	// there, or a single one.
	source := k.source.readBoard(to.id, p.pair*to.boards+p.r, &w.board)
	if d.role == xRole {
		dropX(&w.sum, source, s.n, p.occupied)
	} else {
		dropY(&w.sum, source, s.n, p.occupied)
	}
}

// outerToX adds the promotions to the square to of the last outer piece, which is x in the source,
// while x is the outer piece there.
func outerToX(acc *row, source []row, to rules.Square, passed rules.Bitboard) {
	a := acc.words()
	for x := range source {
		if !passed.Has(rules.Square(x)) {
			a[x] |= source[x].words()[to] &^ uint32(passed)
		}
	}
}

// dropX adds drops of a piece that is x in the source, to a slice that has n dimensions before it.
// The source has a row for every square of x, or only one if there is no x. Cells in which the
// dropped piece shares a square with another one hold captures, so they are left out.
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

// dropRows returns the number of source rows of an inner drop to a slice with n dimensions before
// it.
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
