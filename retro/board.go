package retro

import (
	"math/bits"

	"gogotb/rules"
)

// This file has the kernel once more, for the rows of a board at once. Moves of kings lead from a board to whole boards,
// those of the last outer piece to other rows of the board, so what has to be found out about them is found
// out once for 25 rows.

// rowsOfBoard are the rows of a board by the square of the last outer piece.
type rowsOfBoard [boardRows]row

// outerButLast returns where the outer pieces but the last are; of a slice that has an outer piece.
func (p *place) outerButLast() *outerPlace {
	return &outerPlaces[p.s.outer()-1][p.first/rules.Squares]
}

// distinctRows returns the rows of the board at p in which kings and outer pieces are on squares of their own.
func (p *place) distinctRows() uint32 {
	if p.s.outer() == 0 {
		return 1
	}
	others := p.outerButLast()
	if !others.distinct || others.occupied&p.kings != 0 {
		return 0
	}
	return uint32(rules.Board &^ (others.occupied | p.kings))
}

// setRow goes to a row of the board at w.place, and to its sum.
func (w *worker) setRow(square int) {
	w.place.setRow(square)
	w.sum = &w.sums[square]
}

// preOfBoard does what pre does for some rows of the board of w.place, of which need has those that are asked
// for. The results are in w.sums. Sparse sets, rows that are no board, and lone pawn drops are taken row by row.
func (k *kernel) preOfBoard(w *worker, rows uint32, need *set) {
	p := &w.place
	if p.s.outer() == 0 || k.source.stored != nil || need.stored != nil || k.drops == onlyPawnDrops {
		for ; rows != 0; rows &= rows - 1 {
			w.setRow(bits.TrailingZeros32(rows))
			k.pre(w, need.read(p.address))
		}
		return
	}
	if rows == 0 {
		return
	}
	needed := (*rowsOfBoard)(need.boards[p.slice][p.board])
	k.moveKingOfBoard(w, rows)
	for i := range p.s.moves[k.mover].pieces {
		if k.untilCovered {
			if rows = uncovered(&w.sums, rows, needed); rows == 0 {
				return
			}
		}
		k.movePieceOfBoard(w, rows, &p.s.moves[k.mover].pieces[i])
	}
	drops := p.s.moves[k.mover].drops
	if len(drops) == 0 {
		return
	}
	for rows = uncovered(&w.sums, rows, needed); rows != 0; rows &= rows - 1 {
		w.setRow(bits.TrailingZeros32(rows))
		for i := range drops {
			k.drop(w, &drops[i])
		}
		w.addWaiting()
	}
}

// moveKingOfBoard makes the sums those of the moves of the king.
func (k *kernel) moveKingOfBoard(w *worker, rows uint32) {
	p := &w.place
	s := p.s
	flags, boards, steps := k.source.flags[s.id], k.source.boards[s.id], s.pairs[p.pair].steps[k.mover]
	first := p.board - p.pair*s.boards // in each king pair
	w.boards = w.boards[:0]
	mirrored := false
	for i := range steps {
		step := &steps[i]
		if step.mirrored {
			mirrored = true
		} else if board := first + step.pair*s.boards; flags[board]&rows != 0 {
			w.boards = append(w.boards, (*rowsOfBoard)(boards[board]))
		}
	}
	addBoards(&w.sums, rows, w.boards)
	if !mirrored {
		return
	}
	first = int(p.outerButLast().mirrored)
	for i := range steps {
		if board := first + steps[i].pair*s.boards; steps[i].mirrored && flags[board] != 0 {
			addMirroredBoard(&w.sums, rows, (*rowsOfBoard)(boards[board]))
		}
	}
}

// movePieceOfBoard adds the moves of another piece on the board.
func (k *kernel) movePieceOfBoard(w *worker, rows uint32, m *pieceMoves) {
	p := &w.place
	if m.role == outerRole {
		if p.s.stride[m.dim] == 1 {
			k.moveLastOuterOfBoard(w, rows, m)
			return
		}
		for ; rows != 0; rows &= rows - 1 {
			w.setRow(bits.TrailingZeros32(rows))
			k.moveOuter(w, m)
			w.addWaiting()
		}
		return
	}
	others := p.kings | p.outerButLast().occupied
	if quiet := rows & k.source.flags[p.slice][p.board]; quiet != 0 {
		source := (*rowsOfBoard)(k.source.boards[p.slice][p.board])
		for ; quiet != 0; quiet &= quiet - 1 {
			r := bits.TrailingZeros32(quiet)
			k.moveInner(&w.sums[r], &source[r], m, p.s.n, others|1<<r)
		}
	}
	if m.promoted == nil {
		return
	}
	if promoted := rows & k.source.flags[m.promoted.id][p.board]; promoted != 0 {
		source := (*rowsOfBoard)(k.source.boards[m.promoted.id][p.board])
		for ; promoted != 0; promoted &= promoted - 1 {
			r := bits.TrailingZeros32(promoted)
			k.promoteInner(&w.sums[r], &source[r], m, p.s.n, others|1<<r)
		}
	}
}

// moveLastOuterOfBoard adds the moves of the last outer piece.
func (k *kernel) moveLastOuterOfBoard(w *worker, rows uint32, m *pieceMoves) {
	p := &w.place
	if flags := k.source.flags[p.slice][p.board]; flags != 0 {
		w.findMoves(rows, m.movement, flags, rules.Board)
		addBoardMoves(&w.sums, rows, (*rowsOfBoard)(k.source.boards[p.slice][p.board]), &w.near, &w.far)
	}
	if m.promoted == nil {
		return
	}
	flags := k.source.flags[m.promoted.id][p.board]
	if flags == 0 {
		return
	}
	source, zone := (*rowsOfBoard)(k.source.boards[m.promoted.id][p.board]), rules.FarRank(k.mover)
	if !m.reordered {
		w.findMoves(rows, m.movement, flags, zone)
		addBoardMoves(&w.sums, rows, source, &w.near, &w.far)
		return
	}
	for ; rows != 0; rows &= rows - 1 { // x comes first, it is the last outer piece there
		w.setRow(bits.TrailingZeros32(rows))
		k.promoteToX(w, source[:], m, rules.Square(p.bit))
	}
}

// findMoves sets near and far to the rows of a board, of those flagged, that the last outer piece reaches from each of
// some rows: with a step, and past other squares. Only moves count that begin or end in the zone.
func (w *worker) findMoves(rows uint32, m *movement, flags uint32, zone rules.Bitboard) {
	p := &w.place
	others := p.kings | p.outerButLast().occupied
	for ; rows != 0; rows &= rows - 1 {
		from := rules.Square(bits.TrailingZeros32(rows))
		reach := m.to[from] & rules.Bitboard(flags)
		if !zone.Has(from) {
			reach &= zone
		}
		near := movements[rules.Sente][rules.King].to[from]
		far := reach &^ near
		if far != 0 {
			for o := others; o != 0; o &= o - 1 {
				far &^= beyond[from][o.First()]
			}
		}
		w.near[from], w.far[from] = uint32(reach&near), uint32(far)
	}
}

// addBoardsGo makes some rows of sums the sum of those of boards.
func addBoardsGo(sums *rowsOfBoard, rows uint32, boards []*rowsOfBoard) {
	var waiting [8]*row // a king has no more moves
	for ; rows != 0; rows &= rows - 1 {
		r := bits.TrailingZeros32(rows)
		for i, b := range boards {
			waiting[i] = &b[r]
		}
		sums[r] = row{}
		addRows(&sums[r], waiting[:len(boards)], nil)
	}
}

// addMirroredBoardGo adds to some rows of sums the mirror images of the rows of a board with the last outer piece
// mirrored, too.
func addMirroredBoardGo(sums *rowsOfBoard, rows uint32, board *rowsOfBoard) {
	for ; rows != 0; rows &= rows - 1 {
		r := rules.Square(bits.TrailingZeros32(rows))
		sums[r].orMirrored(&board[r.Mirror()], 2)
	}
}

// addBoardMovesGo adds to some rows of sums the rows of a board that near and far have for them; those of far
// count where neither x nor y stands between the squares of the two rows.
func addBoardMovesGo(sums *rowsOfBoard, rows uint32, board *rowsOfBoard, near, far *[boardRows]uint32) {
	var waiting [boardRows]*row
	var masked [boardRows]maskedRow
	for ; rows != 0; rows &= rows - 1 {
		r := bits.TrailingZeros32(rows)
		w, m := waiting[:0], masked[:0]
		for b := near[r]; b != 0; b &= b - 1 {
			w = append(w, &board[bits.TrailingZeros32(b)])
		}
		for b := far[r]; b != 0; b &= b - 1 {
			to := bits.TrailingZeros32(b)
			m = append(m, maskedRow{&board[to], &passing[r][to]})
		}
		addRows(&sums[r], w, m)
	}
}

// uncoveredGo returns those of the rows in which need has a bit that sums lacks.
func uncoveredGo(sums *rowsOfBoard, rows uint32, need *rowsOfBoard) (left uint32) {
	for ; rows != 0; rows &= rows - 1 {
		r := bits.TrailingZeros32(rows)
		if !sums[r].covers(&need[r]) {
			left |= 1 << r
		}
	}
	return left
}
