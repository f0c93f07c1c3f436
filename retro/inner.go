package retro

import (
	"math/bits"
	"slices"
	"unsafe"

	"gogotb/rules"
)

// This file has the moves of the two innermost pieces, x and y, inside a row. All functions add to
// acc the positions from which the piece reaches a position of s, a row in the coordinates after
// the move. Squares that the kings and the outer pieces occupy are in occupied.

// wordStep is a step of x from a word and its neighbour at once: the offsets in bytes of the pair
// in a row, and of the one that the step leads to.
type wordStep struct{ from, to uint8 }

// stepPairs has, by direction, all steps that stay on the board, those from which a slide is
// shorter first.
var stepPairs = func() (t [directions][]wordStep) {
	for d := range t {
		for s := 0; s < rules.Squares; s++ {
			if dirs[d].mask>>s&1 != 0 {
				t[d] = append(t[d], wordStep{uint8(4 * s), uint8(4 * (s + dirs[d].delta))})
				s++ // its neighbour: the runs of such words are even
			}
		}
		if dirs[d].delta > 0 {
			slices.Reverse(t[d])
		}
	}
	return t
}()

// pairAt returns the pair of words at an offset of stepPairs.
func (r *row) pairAt(offset uint8) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(r), offset))
}

// slideWords has, by direction along a rank, the words from which a step stays on the board, those
// from which a slide is shorter first.
var slideWords = func() (t [directions][]int) {
	for _, d := range []int{west, east} {
		for s := range rules.Squares {
			if dirs[d].mask>>s&1 != 0 {
				t[d] = append(t[d], s)
			}
		}
	}
	slices.Reverse(t[east])
	return t
}()

// xFree masks, for each square of x, the squares of y that let a slide pass it: all but the same
// one, none if it is occupied.
func xFree(occupied rules.Bitboard) (r paddedRow) {
	r.row = offDiagonal
	w := r.words()
	for o := occupied; o != 0; o &= o - 1 {
		w[o.First()] = 0
	}
	return r
}

// xSlidesGo adds the slides of x.
func xSlidesGo(acc, s *row, m *movement, free *paddedRow) {
	for _, d := range m.slides {
		xSlide(acc, s, &free.row, d)
	}
}

// xSlide adds the slides of x in direction d. From a square it reaches what its neighbour reaches,
// if that is free, and the neighbour itself. A step along a rank leads to a word next to it, so two
// of them cannot be taken at once.
func xSlide(acc, s, free *row, d int) {
	var reached row
	if d == west || d == east {
		a, b, r, f, delta := acc.words(), s.words(), reached.words(), free.words(), dirs[d].delta
		for _, at := range slideWords[d] {
			w := b[at+delta] | r[at+delta]&f[at+delta]
			r[at] = w
			a[at] |= w
		}
		return
	}
	for _, step := range stepPairs[d] {
		w := *s.pairAt(step.to) | *reached.pairAt(step.to)&*free.pairAt(step.to)
		*reached.pairAt(step.from) = w
		*acc.pairAt(step.from) |= w
	}
}

// stepRuns has, by direction, where all single steps begin in a row: offsets in bytes of the first
// word that a step is possible from and of the one it leads to, and the bytes of the ranks from
// which it is.
var stepRuns = func() (t [directions]struct{ from, to, ranks uintptr }) {
	for d := range t {
		pairs := stepPairs[d]
		if dirs[d].delta > 0 {
			pairs = pairs[len(pairs)-1:]
		}
		t[d].from, t[d].to = uintptr(pairs[0].from), uintptr(pairs[0].to)
		t[d].ranks = uintptr(20 * (5 - max(dirs[d].dr, -dirs[d].dr)))
	}
	return t
}()

// xStepsGo adds the single steps of x.
func xStepsGo(acc, s *row, m *movement) {
	for _, d := range m.steps {
		xStep(acc, s, d)
	}
}

// xStep adds the single steps of x in direction d.
func xStep(acc, s *row, d int) {
	run := &stepRuns[d]
	from, to, ranks := unsafe.Add(unsafe.Pointer(acc), run.from), unsafe.Add(unsafe.Pointer(s), run.to), run.ranks
	if d == north || d == south {
		for i := uintptr(0); i < ranks; i += 8 {
			*(*uint64)(unsafe.Add(from, i)) |= *(*uint64)(unsafe.Add(to, i))
		}
		return
	}
	for i := uintptr(0); i < ranks; i += 20 { // four words of a rank
		*(*uint64)(unsafe.Add(from, i)) |= *(*uint64)(unsafe.Add(to, i))
		*(*uint64)(unsafe.Add(from, i+8)) |= *(*uint64)(unsafe.Add(to, i+8))
	}
}

// xMoves adds the moves of x without promotion.
func xMoves(acc, s *row, m *movement, occupied rules.Bitboard) {
	switch len(m.steps) {
	case 0:
	case 1:
		xStep(acc, s, m.steps[0])
	default:
		xSteps(acc, s, m)
	}
	if len(m.slides) > 0 {
		free := xFree(occupied)
		xSlides(acc, s, m, &free)
	}
}

// promotion has the moves of a kind of piece that may promote, those that begin or end on the far rank.
type promotion struct {
	moves []promotionMove
	// The single steps once more, for x and for y; see vector512_amd64.go. Of the words of a row x needs sixteen,
	// those from window on.
	window    int
	words     []stepOfWords
	rotations []rotation
}

// promotionMove is a move that may promote, with the squares that it passes.
type promotionMove struct {
	from, to rules.Square
	passed   rules.Bitboard
}

// stepOfWords is a single step of x from some words of a window: how far it leads, in bytes, and the words.
type stepOfWords struct{ offset, words int64 }

// rotation is a single step of y: how far to the left it leads, and the squares that it is possible from.
type rotation struct {
	left int32
	from uint32
}

// promotions by side and kind.
var promotions = func() (t [2][rules.Kinds]promotion) {
	for c := range t {
		zone := rules.FarRank(rules.Color(c))
		for _, k := range []rules.Kind{rules.Rook, rules.Bishop, rules.Silver, rules.Pawn} {
			p, m := &t[c][k], &movements[c][k]
			for from := range rules.Square(rules.Squares) {
				for _, to := range m.reach[from] {
					if zone.Has(to) || zone.Has(from) {
						p.moves = append(p.moves, promotionMove{from, to, between[from][to]})
					}
				}
			}
			if rules.Color(c) == rules.Gote {
				p.window = rules.Squares - 16
			}
			for _, d := range m.steps {
				from := uint32(dirs[d].mask & (lanes(zone) | bits.RotateLeft64(lanes(zone), dirs[d].rotate)))
				p.rotations = append(p.rotations, rotation{int32(dirs[d].rotate), from})
				p.words = append(p.words, stepOfWords{int64(4 * dirs[d].delta), int64(from >> p.window)})
			}
		}
	}
	return t
}()

// xPromotions adds the promotions of x.
func xPromotions(acc, s *row, p *promotion, occupied rules.Bitboard) {
	if len(p.words) > 0 {
		xPromotionSteps(acc, s, p)
		return
	}
	a, b := acc.words(), s.words()
	for i := range p.moves {
		m := &p.moves[i]
		if m.passed&occupied == 0 {
			a[m.from] |= b[m.to] &^ uint32(m.passed)
		}
	}
}

// xPromotionStepsGo adds the promotions of x, a piece that makes single steps.
func xPromotionStepsGo(acc, s *row, p *promotion) {
	a, b := acc.words(), s.words()
	for i := range p.moves {
		a[p.moves[i].from] |= b[p.moves[i].to]
	}
}

// yPromotionStepsGo adds the promotions of y, a piece that makes single steps.
func yPromotionStepsGo(acc, s *row, p *promotion) {
	for _, r := range p.rotations {
		yShift(acc, s, int(r.left), lanes(rules.Bitboard(r.from)))
	}
}

// takenByX returns, for each word of a row, the square that x occupies. With fewer than two dimensions
// there is no x.
func takenByX(n int) *row {
	if n > 1 {
		return &diagonalBits
	}
	return &noRow
}

// yShift adds single steps in the direction of the rotation, from the squares of mask.
func yShift(acc, s *row, rotate int, mask uint64) {
	for i := range acc {
		acc[i] |= bits.RotateLeft64(s[i], rotate) & mask
	}
}

// stepMasks say which of the squares around it a piece steps to: all bits are set, or none. The
// sides are to the left and to the right, which no piece tells apart.
type stepMasks struct{ north, northSides, sides, south, southSides uint64 }

func makeStepMasks(steps []int) (m stepMasks) {
	of := [directions]*uint64{
		north: &m.north, south: &m.south, west: &m.sides, east: &m.sides,
		northWest: &m.northSides, northEast: &m.northSides, southWest: &m.southSides, southEast: &m.southSides,
	}
	for _, d := range steps {
		*of[d] = ^uint64(0)
	}
	return m
}

// The squares from which a step stays on the board, in both lanes.
const (
	notFirstRank   = 0x1ffffe0<<32 | 0x1ffffe0
	notLastRank    = notFirstRank >> 5
	notFirstColumn = 0x1ef7bde<<32 | 0x1ef7bde
	notLastColumn  = notFirstColumn >> 1
)

// yStepsGo adds the single steps of a piece that has more than one: first to the sides, from there
// along the files.
func yStepsGo(acc, s *row, m *movement) {
	for i, v := range s {
		sides := bits.RotateLeft64(v, 1)&notFirstColumn | bits.RotateLeft64(v, -1)&notLastColumn
		north := v&m.north | sides&m.northSides
		south := v&m.south | sides&m.southSides
		acc[i] |= sides&m.sides | bits.RotateLeft64(north, 5)&notFirstRank | bits.RotateLeft64(south, -5)&notLastRank
	}
}

// ySlidesGo adds slides from the squares of from, over the squares of free but those in taken.
func ySlidesGo(acc, s *row, m *movement, taken *row, free, from uint64) {
	for _, d := range m.slides {
		ySlide(acc, s, d, taken, free, from)
	}
}

// ySlide adds those in direction d.
func ySlide(acc, s *row, d int, taken *row, free, from uint64) {
	rotate, mask := dirs[d].rotate, dirs[d].mask
	for i := range acc {
		e := free &^ taken[i]
		t := bits.RotateLeft64(s[i], rotate) & mask
		r := t
		t = bits.RotateLeft64(t&e, rotate) & mask
		r |= t
		t = bits.RotateLeft64(t&e, rotate) & mask
		r |= t
		t = bits.RotateLeft64(t&e, rotate) & mask
		r |= t
		acc[i] |= r & from
	}
}

// yMoves adds the moves of y without promotion.
func yMoves(acc, s *row, m *movement, n int, occupied rules.Bitboard) {
	switch len(m.steps) {
	case 0:
	case 1:
		d := m.steps[0]
		yShift(acc, s, dirs[d].rotate, dirs[d].mask)
	default:
		ySteps(acc, s, m)
	}
	if len(m.slides) > 0 {
		ySlides(acc, s, m, takenByX(n), lanes(rules.Board&^occupied), ^uint64(0))
	}
}

// yPromotions adds the promotions of y, a piece of side c that moves by m.
func yPromotions(acc, s *row, m *movement, p *promotion, c rules.Color, n int, occupied rules.Bitboard) {
	if len(m.slides) == 0 {
		yPromotionSteps(acc, s, p)
		return
	}
	zone, taken, free := lanes(rules.FarRank(c)), takenByX(n), lanes(rules.Board&^occupied)
	var into row
	for i := range into {
		into[i] = s[i] & zone
	}
	ySlides(acc, s, m, taken, free, zone)
	ySlides(acc, &into, m, taken, free, ^uint64(0))
}
