package index

import (
	"sort"

	"gogotb/rules"
)

// Cursor walks through placements in the order of the index. It stands at a placement,
// at first that of the index it was made with:
//
//	for c := x.Cursor(first); c.Index() < end; c.Next() {
//		use c.Slice, c.Own, c.Opposing, c.Squares, c.Weight
//	}
//
// A step costs a few nanoseconds, wherever the cursor was made to start, so a set can be
// walked in parallel pieces. The exported fields are to be read only.
type Cursor struct {
	// Slice is the number of the slice.
	Slice int
	// Own and Opposing are the squares of the kings.
	Own, Opposing rules.Square
	// Squares are those of the pieces on the board, in the order of the slice; identical
	// pieces ascend. Further ones mean nothing.
	Squares [MaxPieces]rules.Square
	// Weight is how many placements the index stands for: 2, itself and its mirror image,
	// or 1 if it is its own mirror image.
	Weight int

	index uint64
	// The last square to vary takes those of run one after the other; fast is its
	// dimension. Everything else changes when the run is over.
	run  rules.Bitboard
	fast uint8

	x      *Index
	pair   int // number of the king pair
	levels [MaxPieces]level
	depth  int // levels in use
}

// Cursor returns a cursor at index start. From the size on it stands at the end, where there
// is no placement and Index() is the size.
func (x *Index) Cursor(start uint64) Cursor {
	c := Cursor{x: x, index: min(start, x.size)}
	if c.index < x.size {
		c.seek()
	}
	return c
}

// Index returns the index of the placement, the size at the end.
func (c *Cursor) Index() uint64 { return c.index }

// Next goes to the next placement. From the last one it goes to the end and returns false.
func (c *Cursor) Next() bool {
	if c.run == 0 {
		return c.step()
	}
	c.Squares[c.fast] = c.run.First()
	c.run &= c.run - 1
	c.index++
	return true
}

// Run is for loops that cannot afford a call for each placement. It gives the placements
// from here on that differ only in the piece of dimension dim, which takes the given
// squares in ascending order, and goes to the last of them. Where no piece is on the
// board there are no squares, and it is a run of one.
func (c *Cursor) Run() (dim int, squares rules.Bitboard) {
	if c.depth == 0 {
		return 0, 0
	}
	dim = int(c.levels[c.depth-1].innerDim)
	squares = c.Squares[dim].Bit() | c.run
	for c.index += uint64(c.run.Count()); c.run != 0; c.run &= c.run - 1 {
		c.Squares[dim] = c.run.First()
	}
	return dim, squares
}

// step is Next at the end of a run.
func (c *Cursor) step() bool {
	if c.index+1 >= c.x.size {
		c.index = c.x.size
		return false
	}
	c.index++
	for g := c.depth - 1; g >= 0; g-- {
		if c.levels[g].advance(&c.Squares) {
			c.descend(g + 1)
			return true
		}
	}
	if c.pair+1 < kingPairs {
		c.enterPair(c.pair + 1)
	} else {
		c.enterSlice(c.Slice + 1)
		c.enterPair(0)
	}
	c.descend(0)
	return true
}

// enterSlice prepares the levels for a slice.
func (c *Cursor) enterSlice(number int) {
	c.Slice = number
	l := &c.x.layouts[number]
	c.depth = 0
	if l.pawns != noPawns {
		c.levels[0] = level{pawns: l.pawns, outerDim: l.pawnDims[0], innerDim: l.pawnDims[1]}
		if l.pawns.size() == 1 {
			c.levels[0].outerDim = l.pawnDims[1]
		}
		c.depth++
	}
	for g, s := 0, l.shape; s != noGroups; g, s = g+1, s>>1 {
		v := level{pair: s.firstIsPair(), outerDim: l.first[g], innerDim: l.first[g], later: s >> 1}
		if v.pair {
			v.outerDim = l.second[g]
		}
		c.levels[c.depth] = v
		c.depth++
	}
}

// enterPair places the kings.
func (c *Cursor) enterPair(pair int) {
	c.pair = pair
	c.Own, c.Opposing = pairKings[pair][0], pairKings[pair][1]
}

// before tells what is free before level g, and whether all that is placed is its own
// mirror image.
func (c *Cursor) before(g int) (free rules.Bitboard, symmetric bool) {
	if g == 0 {
		return pairFree[c.pair], symmetricPair(c.pair)
	}
	v := &c.levels[g-1]
	return v.free &^ (c.Squares[v.outerDim].Bit() | c.Squares[v.innerDim].Bit()), v.phase.keepsSymmetry()
}

// descend puts the levels from g on to their first configurations.
func (c *Cursor) descend(g int) {
	for ; g < c.depth; g++ {
		free, symmetric := c.before(g)
		c.levels[g].start(free, symmetric)
		c.levels[g].advance(&c.Squares)
	}
	c.startRun()
}

// startRun takes the inner squares of the last level for the run, and sets the weight.
func (c *Cursor) startRun() {
	c.Weight = 2
	if _, symmetric := c.before(c.depth); symmetric {
		c.Weight = 1
	}
	c.run = 0
	if c.depth == 0 {
		return
	}
	if last := &c.levels[c.depth-1]; last.phase != leftAndMiddle { // its squares have to be sorted
		c.run, c.fast, last.inner = last.inner, last.innerDim, 0
	}
}

// seek goes to the placement of c.index.
func (c *Cursor) seek() {
	c.enterSlice(c.x.sliceAt(c.index))
	l := &c.x.layouts[c.Slice]
	c.enterPair(sort.Search(kingPairs, func(pair int) bool { return l.pairStart(pair+1) > c.index }))
	i := c.index - l.pairStart(c.pair)
	for g := range c.depth {
		free, symmetric := c.before(g)
		v := &c.levels[g]
		v.start(free, symmetric)
		configs, rest := v.counts(l, c.pair)
		for i >= configs*rest {
			i -= configs * rest
			v.phase++
			configs, rest = v.counts(l, c.pair)
		}
		v.begin()
		v.skip(i/rest, &c.Squares)
		v.advance(&c.Squares)
		i %= rest
	}
	c.startRun()
}
