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
	first    int // that of the board's first row
	king     [2]rules.Square
	kings    rules.Bitboard
	outer    *outerPlace
	occupied rules.Bitboard // by kings and outer pieces
	distinct bool           // no two of these on one square
	weight   uint64         // how many positions a bit of the row stands for, in quarters
}

// set goes to row r of a king pair.
func (p *place) set(s *slice, pair, r int) {
	p.setBoard(s, pair, r/rules.Squares)
	p.setRow(r % rules.Squares)
}

// setBoard goes to a board of a king pair; setRow has to follow.
func (p *place) setBoard(s *slice, pair, board int) {
	p.slice, p.board, p.first = s.id, pair*s.boards+board, board*rules.Squares
	p.s, p.pair = s, pair
	p.king, p.kings = s.pairs[pair].king, s.pairs[pair].occupied
	p.weight = s.weight(pair)
}

// setRow goes to the row of the board in which the last outer piece stands on a square.
func (p *place) setRow(square int) {
	p.bit, p.r = square, p.first+square
	p.outer = &p.s.places[p.r]
	p.occupied = p.kings | p.outer.occupied
	p.distinct = p.outer.distinct && p.kings&p.outer.occupied == 0
}

// distinctCells says which cells of the row at p have x and y on squares of their own: those of cells, as far as
// the square of y is one of free, that of x one of squares. Kings and outer pieces are on squares of their own.
func (p *place) distinctCells() (cells *row, free, squares uint32) {
	switch free = uint32(rules.Board &^ p.occupied); p.s.n {
	case 0:
		return &oneCell, 1, 1
	case 1:
		return &oneWord, free, 1
	}
	return &offDiagonal, free, free
}

// worker is the scratch memory of one goroutine.
type worker struct {
	place place

	// sum is what the kernel adds up, one of sums, which are those of a board. Rows wait to be added, because
	// many at a time are cheaper.
	sum     *row
	sums    rowsOfBoard
	waiting []*row
	masked  []maskedRow // these, too
	board   rowsOfBoard // of a sparse set

	boards    []*rowsOfBoard    // that are added to sums
	near, far [boardRows]uint32 // rows of a board that are added to each of sums

	captures []capture // of a board
	parts    []rowPart

	results  chunkReader
	log      chunkWriter
	kept     slab   // what was recorded before
	logPair  int    // the first king pair of the unit
	recorded uint64 // positions, in quarters
	told     uint64 // rows
	others   bool   // there are other parts to be told of changes

	cells []rules.Value // the values of a unit
	tally *Tally
}

// addRow adds a source row as it is.
func (w *worker) addRow(r *row) { w.waiting = append(w.waiting, r) }

// addMasked adds what is in mask of a source row.
func (w *worker) addMasked(r, mask *row) { w.masked = append(w.masked, maskedRow{r, mask}) }

// addWaiting adds the rows that wait.
func (w *worker) addWaiting() {
	if len(w.waiting)+len(w.masked) > 0 {
		addRows(w.sum, w.waiting, w.masked)
		w.waiting, w.masked = w.waiting[:0], w.masked[:0]
	}
}

// pre computes the row of w.place: the positions of Pre(S) in it, as far as need asks for them.
// What it returns is good until the next call. If untilCovered is set, moves are added up, the
// cheap ones first, until need is covered.
func (k *kernel) pre(w *worker, need *row) *row {
	w.sum = &w.sums[w.place.bit]
	*w.sum = row{}
	if k.drops != onlyPawnDrops {
		k.moveKing(w)
		if k.untilCovered {
			w.addWaiting()
			if w.sum.covers(need) {
				return w.sum
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
	return w.sum
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
		if m.role == outerRole {
			k.moveOuter(w, m)
			continue
		}
		if quiet != nil {
			k.moveInner(w.sum, quiet, m, p.s.n, p.occupied)
		}
		if m.promoted == nil {
			continue
		}
		if promoted := k.sourceRow(address{m.promoted.id, p.board, p.bit}); promoted != nil {
			k.promoteInner(w.sum, promoted, m, p.s.n, p.occupied)
		}
	}
}

// moveInner adds the moves of x or y in a slice with n dimensions, but for promotions.
func (k *kernel) moveInner(acc, source *row, m *pieceMoves, n int, occupied rules.Bitboard) {
	if m.role == xRole {
		xMoves(acc, source, m.movement, occupied)
	} else {
		yMoves(acc, source, m.movement, n, occupied)
	}
}

// promoteInner adds the promotions of x or y. source is a row of the slice in which it is promoted.
func (k *kernel) promoteInner(acc, source *row, m *pieceMoves, n int, occupied rules.Bitboard) {
	if m.role == yRole {
		yPromotions(acc, source, m.movement, &promotions[k.mover][m.kind], k.mover, n, occupied)
		return
	}
	if m.reordered {
		t := source.transposed()
		source = &t
	}
	xPromotions(acc, source, &promotions[k.mover][m.kind], occupied)
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
	switch {
	case m.promoted == nil:
	case !m.reordered:
		if zone := rules.FarRank(k.mover); !zone.Has(from) {
			reach &= zone
		}
		k.addOfBoard(w, m.promoted, board, reach, from)
	case k.source.flags[m.promoted.id][board] != 0: // x comes first, it is the last outer piece there
		k.promoteToX(w, k.source.readBoard(m.promoted.id, board, &w.board), m, from)
	}
}

// promoteToX adds the promotions of the last outer piece from a square where it is x in the source.
func (k *kernel) promoteToX(w *worker, source []row, m *pieceMoves, from rules.Square) {
	reach := m.movement.to[from]
	if zone := rules.FarRank(k.mover); !zone.Has(from) {
		reach &= zone
	}
	for ; reach != 0; reach &= reach - 1 {
		to := reach.First()
		if passed := between[from][to]; passed&w.place.occupied == 0 {
			outerToX(w.sum, source, to, passed)
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
	source, free := k.source.readBoard(to.id, p.pair*to.boards+p.r, &w.board), uint32(rules.Board&^p.occupied)
	switch {
	case s.n == 0: // the dropped piece is the only one
		if source[0].words()[0]&free != 0 {
			w.sum.words()[0] |= 1
		}
	case s.n == 1 && d.role == xRole:
		w.sum.words()[0] |= dropXWord(&source[0], free)
	case s.n == 1:
		w.sum.words()[0] |= dropYWord(&source[0], free)
	case d.role == xRole:
		dropX(w.sum, (*rowsOfBoard)(source), free)
	default:
		dropY(w.sum, (*rowsOfBoard)(source), free)
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

// dropXGo adds drops of a piece that is x in the source, which has a row for every square of what is x before.
// free has the squares without kings and outer pieces. Cells in which the dropped piece shares a square with
// another one hold captures, so they are left out.
func dropXGo(acc *row, source *rowsOfBoard, free uint32) {
	for x := range source {
		acc.words()[x] |= dropXWord(&source[x], free&^(1<<x))
	}
}

// dropXWord returns those from which the piece that is x in a row was dropped.
func dropXWord(source *row, free uint32) (or uint32) {
	for ; free != 0; free &= free - 1 {
		x := bits.TrailingZeros32(free)
		or |= source.words()[x] &^ (1 << x)
	}
	return or
}

// dropYGo adds drops of a piece that is y in the source, where x is outer and y is x.
func dropYGo(acc *row, source *rowsOfBoard, free uint32) {
	for x := range source {
		acc.words()[x] |= dropYWord(&source[x], free&^(1<<x))
	}
}

// dropYWord returns those from which the piece that is y in a row was dropped.
func dropYWord(source *row, free uint32) (or uint32) {
	for x := range rules.Squares {
		if source.words()[x]&free&^(1<<x) != 0 {
			or |= 1 << x
		}
	}
	return or
}
