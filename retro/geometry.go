package retro

import (
	"math/bits"

	"gogotb/rules"
)

// direction is one of the eight lines on which pieces move.
type direction struct {
	dr, dc int    // ranks down, columns right
	delta  int    // 5*dr + dc: what a move adds to the square number
	rotate int    // brings the bit of square s+delta to s, in both lanes of a row's word
	mask   uint64 // squares from which a step in this direction stays on the board, both lanes
}

// The directions in the order of dirs.
const (
	north = iota
	south
	west
	east
	northWest
	northEast
	southWest
	southEast
	directions
)

var dirs = makeDirections()

func makeDirections() (d [directions]direction) {
	for i, v := range [directions][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
		d[i] = direction{dr: v[0], dc: v[1], delta: 5*v[0] + v[1]}
		d[i].rotate = -d[i].delta
		var from rules.Bitboard
		for s := range rules.Square(rules.Squares) {
			if onBoard(s.Rank()+v[0], s.Column()+v[1]) {
				from |= s.Bit()
			}
		}
		d[i].mask = lanes(from)
	}
	return d
}

func onBoard(rank, column int) bool { return rank >= 0 && rank < 5 && column >= 0 && column < 5 }

// movement is how one kind of piece of one side moves: single steps and slides.
type movement struct {
	steps  []int // directions of single steps
	slides []int // directions of slides
	stepMasks
	// reach[s] are the destinations from s on an empty board, nearest first on each slide.
	reach [rules.Squares][]rules.Square
	// to[s] is the set of them, from[s] that of the squares that reach s.
	to, from [rules.Squares]rules.Bitboard
}

// movements by side and kind. Kinds that do not exist have empty movements.
var movements = makeMovements()

func makeMovements() *[2][rules.Kinds]movement {
	gold := []int{north, northWest, northEast, west, east, south}
	cross := []int{north, south, west, east}
	diagonal := []int{northWest, northEast, southWest, southEast}
	kinds := [rules.Kinds]movement{
		rules.King:           {steps: append(append([]int{}, cross...), diagonal...)},
		rules.Rook:           {slides: cross},
		rules.Bishop:         {slides: diagonal},
		rules.Gold:           {steps: gold},
		rules.Silver:         {steps: []int{north, northWest, northEast, southWest, southEast}},
		rules.Pawn:           {steps: []int{north}},
		rules.Dragon:         {slides: cross, steps: diagonal},
		rules.Horse:          {slides: diagonal, steps: cross},
		rules.PromotedSilver: {steps: gold},
		rules.Tokin:          {steps: gold},
	}
	rotated := [directions]int{south, north, east, west, southEast, southWest, northEast, northWest}
	m := new([2][rules.Kinds]movement)
	for k, mv := range kinds {
		m[rules.Sente][k] = mv
		for _, d := range mv.steps {
			m[rules.Gote][k].steps = append(m[rules.Gote][k].steps, rotated[d])
		}
		for _, d := range mv.slides {
			m[rules.Gote][k].slides = append(m[rules.Gote][k].slides, rotated[d])
		}
	}
	for c := range m {
		for k := range m[c] {
			m[c][k].stepMasks = makeStepMasks(m[c][k].steps)
			m[c][k].fillReach()
		}
	}
	return m
}

func (m *movement) fillReach() {
	for s := range rules.Square(rules.Squares) {
		walk := func(d, limit int) {
			r, c := s.Rank(), s.Column()
			for range limit {
				r, c = r+dirs[d].dr, c+dirs[d].dc
				if !onBoard(r, c) {
					return
				}
				to := rules.Square(5*r + c)
				m.reach[s] = append(m.reach[s], to)
				m.to[s] |= to.Bit()
				m.from[to] |= s.Bit()
			}
		}
		for _, d := range m.steps {
			walk(d, 1)
		}
		for _, d := range m.slides {
			walk(d, 4)
		}
	}
}

// slidesDiagonally tells which slides a piece has that has any: the diagonal ones, or those along ranks
// and files.
func (m *movement) slidesDiagonally() bool { return m.slides[0] >= northWest }

// between[a][b] are the squares strictly between a and b where they share a line, else none.
var between = makeBetween()

func makeBetween() *[rules.Squares][rules.Squares]rules.Bitboard {
	t := new([rules.Squares][rules.Squares]rules.Bitboard)
	for a := range rules.Squares {
		for _, d := range dirs {
			r, c := a/5, a%5
			var passed rules.Bitboard
			for {
				r, c = r+d.dr, c+d.dc
				if !onBoard(r, c) {
					break
				}
				t[a][5*r+c] = passed
				passed |= 1 << (5*r + c)
			}
		}
	}
	return t
}

// beyond[a][q] are the squares to which no slide from a leads past q.
var beyond = func() (t [rules.Squares][rules.Squares]rules.Bitboard) {
	for a := range t {
		for to, passed := range between[a] {
			for ; passed != 0; passed &= passed - 1 {
				t[a][passed.First()] |= 1 << to
			}
		}
	}
	return t
}()

// noKingPair marks a pair of kings that is not stored.
const noKingPair = -1

// kingPair is a pair of kings that is stored: not adjacent, Sente's on a column left of Gote's or
// on the same one. Pairs on one column are stored as they are and as their mirror images; of all
// others only one of the two.
type kingPair struct {
	king     [2]rules.Square // by owner
	occupied rules.Bitboard
	// steps[c] are the pairs that a move of c's king leads to.
	steps [2][]kingStep
	// rotated is the pair after a rotation by 180 degrees with the colours exchanged.
	rotated int
}

// kingStep is a king move: the pair that it leads to, which is stored as its mirror image where
// mirrored is set.
type kingStep struct {
	pair     int
	mirrored bool
}

// kingPairs lists the pairs. A pair and its rotated pair are neighbours, so that a unit has both
// (unless they are the same).
var kingPairs, kingPairOf = makeKingPairs()

func makeKingPairs() (pairs []kingPair, of [rules.Squares][rules.Squares]int16) {
	touching := func(a, b rules.Square) bool {
		dr, dc := a.Rank()-b.Rank(), a.Column()-b.Column()
		return dr*dr <= 1 && dc*dc <= 1
	}
	for a := range of {
		for b := range of[a] {
			of[a][b] = noKingPair
		}
	}
	add := func(a, b rules.Square) {
		if of[a][b] == noKingPair {
			of[a][b] = int16(len(pairs))
			pairs = append(pairs, kingPair{king: [2]rules.Square{a, b}, occupied: a.Bit() | b.Bit()})
		}
	}
	for a := range rules.Square(rules.Squares) {
		for b := range rules.Square(rules.Squares) {
			if !touching(a, b) && a.Column() <= b.Column() {
				add(a, b)
				add(b.Rotate(), a.Rotate())
			}
		}
	}
	for i := range pairs {
		p := &pairs[i]
		p.rotated = int(of[p.king[1].Rotate()][p.king[0].Rotate()])
		for c := range p.king {
			for _, to := range movements[c][rules.King].reach[p.king[c]] {
				k := p.king
				k[c] = to
				if touching(k[0], k[1]) {
					continue
				}
				step := kingStep{pair: int(of[k[0]][k[1]])}
				if step.pair == noKingPair {
					step = kingStep{int(of[k[0].Mirror()][k[1].Mirror()]), true}
				}
				p.steps[c] = append(p.steps[c], step)
			}
		}
	}
	return pairs, of
}

// rotateBoard rotates a board of 25 bits by 180 degrees.
func rotateBoard(w uint32) uint32 { return bits.Reverse32(w) >> 7 }

// mirrorBoard exchanges left and right on a board of 25 bits, in one lane or in both.
func mirrorBoard(v uint64) uint64 {
	const c0, c1, c2, c3, c4 = columnZero, columnZero << 1, columnZero << 2, columnZero << 3, columnZero << 4
	return v&c0<<4 | v&c1<<2 | v&c2 | v&c3>>2 | v&c4>>4
}

const columnZero = uint64(rules.ColumnZero) | uint64(rules.ColumnZero)<<32
