package retro

import (
	"cmp"
	"iter"
	"slices"

	"gogotb/index"
	"gogotb/rules"
)

// layout is how the positions of a material set are arranged in rows, and how moves lead from slice
// to slice. The states of the slices are absolute here: own is Sente.
//
// The layout of a part of an analysis has only the king pairs that the part has to do with. They
// are numbered anew, so that a set has no room for others.
type layout struct {
	material index.Material
	pairs    []kingPair
	own      [2]pairSet // by side to move: the pairs that passes look for results in
	need     [2]pairSet // by mover: those that they read
	number   []int      // in kingPairs, by pair
	local    []int      // the other way round; noKingPair: of no concern
	slices   []slice
	units    []unit
	unitRows int // about how many rows make a unit
	// firstUnit is the first unit of a slice. Slices with the same dimensions are divided alike.
	firstUnit []int
}

// slice is one slice of the set with n dimensions, one for each piece on the board. Of these the
// last is y, the one before it x, the others are outer dimensions. The rows of a slice are ordered
// by king pair, then by the squares of the outer pieces, 25 each.
type slice struct {
	id      int
	pairs   []kingPair // of the layout
	states  []index.SlicePiece
	pieces  []boardPiece // by dimension
	n       int          // dimensions
	rows    int          // rows of a king pair
	stride  [maxOuter]int
	places  []outerPlace // by row of a king pair
	boards  int          // boards of flags of a king pair, one for 25 rows
	hands   int          // pieces in hand
	twins   int          // cells of one placement: 2 for each pair of identical pieces in one state
	rotated *slice       // the slice seen by the other side: rotated, the colours exchanged
	// reorderAt are the dimensions that change places with the next one when rotated: two identical
	// pieces of which each side has one.
	reorderAt []int
	moves     [2]sliceMoves // by mover
}

type boardPiece struct {
	kind  rules.Kind
	color rules.Color
}

// sliceMoves are the moves of one side in a slice, but for its king's.
type sliceMoves struct {
	pieces   []pieceMoves
	drops    []dropMoves
	captures []captureLink
}

// pieceMoves are the moves of the piece of dimension dim.
type pieceMoves struct {
	dim      int
	role     role
	movement *movement
	kind     rules.Kind
	// promoted is the slice that its promotions lead to, nil if it has none. There the piece has
	// the dimension dim, or, if reordered is set, dim+1 with the identical piece of dim+1 at dim.
	promoted  *slice
	reordered bool
}

// dropMoves are the drops of a kind of piece: they lead to the slice to, where the piece has the
// dimension dim.
type dropMoves struct {
	kind rules.Kind
	to   *slice
	dim  int
	role role
}

// captureLink is a piece of the other side that can be captured: the one of dimension dim. It leads
// to the slice to, which lacks that dimension.
type captureLink struct {
	dim int
	to  *slice
}

// unit is a run of king pairs of one slice, the portion of work of one worker. It has one pair
// only, or with each pair the rotated one, too.
type unit struct {
	slice      int
	pair, ends int
}

func newLayout(m index.Material, unitRows int) *layout {
	return layoutOf(m, unitRows, &allPairs)
}

// layoutOf is the layout of a part of an analysis.
func layoutOf(m index.Material, unitRows int, part *pairsOfPart) *layout {
	l := &layout{material: m, unitRows: unitRows}
	l.choosePairs(part)
	byStates := map[[index.MaxPieces]index.State]int{}
	for i, s := range index.Slices(m) {
		byStates[statesOf(s.Pieces)] = i
		l.slices = append(l.slices, newSlice(i, l.pairs, s.Pieces))
	}
	find := func(states []index.SlicePiece) *slice { return &l.slices[byStates[statesOf(states)]] }
	for i := range l.slices {
		l.slices[i].link(find)
	}
	for i := range l.slices {
		s := &l.slices[i]
		l.firstUnit = append(l.firstUnit, len(l.units))
		for p := 0; p < len(l.pairs); {
			end := p + 1
			if !l.single(s) {
				end = min(p+l.unitRows/s.rows, len(l.pairs))
				for end < len(l.pairs) && l.pairs[end].rotated == end-1 {
					end++ // a pair and its rotated pair are in one unit
				}
			}
			l.units = append(l.units, unit{i, p, end})
			p = end
		}
	}
	return l
}

// boardsOf lists the numbers of the boards of a unit in its slice.
func (l *layout) boardsOf(u unit) iter.Seq[int] {
	boards := l.slices[u.slice].boards
	return func(yield func(int) bool) {
		for b := u.pair * boards; b < u.ends*boards && yield(b); b++ {
		}
	}
}

// unitsOf lists the numbers of the units of a slice.
func (l *layout) unitsOf(s *slice) (units []int) {
	for i := l.firstUnit[s.id]; i < len(l.units) && l.units[i].slice == s.id; i++ {
		units = append(units, i)
	}
	return units
}

// single tells whether the units of a slice have one king pair only.
func (l *layout) single(s *slice) bool { return 2*s.rows > l.unitRows }

// rotatedUnit returns the unit of the rotated slice that has the rotated king pairs of a unit.
func (l *layout) rotatedUnit(i int) int {
	u := l.units[i]
	s := &l.slices[u.slice]
	at := i - l.firstUnit[s.id]
	if l.single(s) {
		at = l.pairs[u.pair].rotated
	}
	return l.firstUnit[s.rotated.id] + at
}

// unitsIn lists the numbers of the units whose king pairs are in a set of pairs. Units of a part
// have one pair, those of a whole analysis are all asked for.
func (l *layout) unitsIn(pairs pairSet) (units []int) {
	for i, u := range l.units {
		if pairs[u.pair] {
			units = append(units, i)
		}
	}
	return units
}

// passOrder returns the order in which passes of the moves of side c take the units: slice by
// slice, and in a slice those together that have the other side's king on the same square, because
// they read each other's rows.
func (l *layout) passOrder(c rules.Color) []int {
	order := l.unitsIn(l.own[c])
	resting := func(i int) rules.Square { return l.pairs[l.units[i].pair].king[c.Other()] }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.units[a].slice, l.units[b].slice), cmp.Compare(resting(a), resting(b)))
	})
	return order
}

func statesOf(pieces []index.SlicePiece) (key [index.MaxPieces]index.State) {
	for i, p := range pieces {
		key[i] = p.State
	}
	return key
}

func newSlice(id int, pairs []kingPair, states []index.SlicePiece) slice {
	s := slice{id: id, pairs: pairs, states: states, rows: 1}
	for _, p := range states {
		if p.State.OnBoard() {
			piece := p.Piece()
			s.pieces = append(s.pieces, boardPiece{piece.Kind(), piece.Color()})
		}
	}
	s.n = len(s.pieces)
	s.hands = len(states) - s.n
	for d := s.outer() - 1; d >= 0; d-- {
		s.stride[d] = s.rows
		s.rows *= rules.Squares
	}
	s.places = outerPlaces[s.outer()]
	s.boards = max(1, s.rows/rules.Squares)
	s.twins = 1
	for d := 1; d < s.n; d++ {
		if s.pieces[d] == s.pieces[d-1] {
			s.twins *= 2
		}
	}
	return s
}

// outer returns the number of outer dimensions.
func (s *slice) outer() int { return max(0, s.n-2) }

// x and y return the numbers of the innermost dimensions, negative where there are none.
func (s *slice) x() int { return s.n - 2 }
func (s *slice) y() int { return s.n - 1 }

// link fills in where the moves of the slice lead.
func (s *slice) link(find func([]index.SlicePiece) *slice) {
	rotated := make([]index.SlicePiece, len(s.states))
	for i, p := range s.states {
		rotated[i] = index.SlicePiece{Kind: p.Kind, State: p.State.Rotated()}
	}
	for i := range len(rotated) - 1 {
		if rotated[i].Kind == rotated[i+1].Kind && rotated[i].State > rotated[i+1].State {
			rotated[i], rotated[i+1] = rotated[i+1], rotated[i]
			if rotated[i].State.OnBoard() && rotated[i+1].State.OnBoard() {
				s.reorderAt = append(s.reorderAt, s.dimension(i))
			}
		}
	}
	s.rotated = find(rotated)

	for i, p := range s.states {
		c := p.State.Owner()
		own := &s.moves[c]
		switch {
		case p.State.OnBoard():
			dim := s.dimension(i)
			kind := s.pieces[dim].kind
			moves := pieceMoves{dim: dim, role: s.role(dim), kind: kind, movement: &movements[c][kind]}
			if kind.CanPromote() {
				next, at := s.with(i, p.State+1)
				moves.promoted = find(next)
				moves.reordered = at != i && s.states[at].State.OnBoard()
			}
			own.pieces = append(own.pieces, moves)
			next, _ := s.with(i, handOf(c.Other()))
			other := &s.moves[c.Other()]
			other.captures = append(other.captures, captureLink{dim, find(next)})
		case i == 0 || s.states[i-1] != p: // of two identical pieces in one hand either may be dropped
			next, at := s.with(i, boardOf(c))
			drop := dropMoves{kind: p.Kind, to: find(next)}
			for _, q := range next[:at] {
				if q.State.OnBoard() {
					drop.dim++
				}
			}
			drop.role = drop.to.role(drop.dim)
			own.drops = append(own.drops, drop)
		}
	}
}

// handOf returns the state of a piece in the hand of a side.
func handOf(c rules.Color) index.State {
	if c == rules.Sente {
		return index.OwnHand
	}
	return index.OpposingHand
}

// boardOf returns the state of an unpromoted piece of a side on the board.
func boardOf(c rules.Color) index.State {
	if c == rules.Sente {
		return index.Own
	}
	return index.Opposing
}

// dimension returns the dimension of the i-th piece, which is on the board.
func (s *slice) dimension(i int) (d int) {
	for _, p := range s.states[:i] {
		if p.State.OnBoard() {
			d++
		}
	}
	return d
}

// with returns the states of the slice in which the i-th piece has the state st, and the place at
// of that piece: it may have to change places with an identical one.
func (s *slice) with(i int, st index.State) (states []index.SlicePiece, at int) {
	states = append(states, s.states...)
	states[i].State = st
	exchange := func(a, b int) bool {
		if a < 0 || b >= len(states) || states[a].Kind != states[b].Kind || states[a].State <= states[b].State {
			return false
		}
		states[a], states[b] = states[b], states[a]
		return true
	}
	switch {
	case exchange(i-1, i):
		return states, i - 1
	case exchange(i, i+1):
		return states, i + 1
	}
	return states, i
}

// outerPlace is the part of a place that the outer pieces decide.
type outerPlace struct {
	squares  [maxOuter]rules.Square
	occupied rules.Bitboard
	distinct bool  // no two on one square
	mirrored int32 // the number of the row with the outer squares mirrored
}

// maxOuter is the largest number of outer dimensions.
const maxOuter = index.MaxPieces - 2

// outerPlaces are the outer squares by the number of outer dimensions and the row.
var outerPlaces = func() (t [maxOuter + 1][]outerPlace) {
	t[0] = []outerPlace{{distinct: true}}
	for n := 1; n <= maxOuter; n++ {
		for _, head := range t[n-1] {
			for sq := range rules.Square(rules.Squares) {
				p := head
				p.squares[n-1] = sq
				p.distinct = head.distinct && !head.occupied.Has(sq)
				p.occupied |= sq.Bit()
				p.mirrored = head.mirrored*rules.Squares + int32(sq.Mirror())
				t[n] = append(t[n], p)
			}
		}
	}
	return t
}()

// role is what a dimension is in the rows of its slice.
type role uint8

const (
	outerRole role = iota
	xRole
	yRole
)

func (s *slice) role(dim int) role {
	switch dim {
	case s.y():
		return yRole
	case s.x():
		return xRole
	}
	return outerRole
}
