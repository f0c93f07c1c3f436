package retro

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// cell is where a position stands in a set.
type cell struct {
	s       *slice
	pair, r int
	x, bit  int
}

// cellOf finds a position: as it is, or, if its kings are not a pair that is stored, as its mirror
// image.
func (l *layout) cellOf(p *rules.Position) cell {
	own, opposing := p.King(rules.Sente), p.King(rules.Gote)
	mirrored := own.Column() > opposing.Column()
	place := func(s rules.Square) rules.Square {
		if mirrored {
			return s.Mirror()
		}
		return s
	}
	c := cell{pair: int(kingPairOf[place(own)][place(opposing)])}
	var states []index.State
	var squares []rules.Square
	for k := rules.Rook; k <= rules.Pawn; k++ {
		for st := index.OwnHand; st < index.States; st++ {
			piece := index.SlicePiece{Kind: k, State: st}.Piece()
			switch {
			case !st.OnBoard():
				for range p.HandCount(st.Owner(), k) {
					states = append(states, st)
				}
			case !st.Promoted() || k.CanPromote():
				for b := p.Pieces(piece.Color(), piece.Kind()); b != 0; b &= b - 1 {
					states = append(states, st)
					squares = append(squares, place(b.First()))
				}
			}
		}
	}
	for i := range l.slices {
		c.s = &l.slices[i]
		same := true
		for j, st := range states {
			same = same && c.s.states[j].State == st
		}
		if same {
			break
		}
	}
	for d, sq := range squares {
		switch c.s.role(d) {
		case outerRole:
			c.r += int(sq) * c.s.stride[d]
		case xRole:
			c.x = int(sq)
		case yRole:
			c.bit = int(sq)
		}
	}
	return c
}

func (t *set) has(c cell) bool { return t.read(c.s.address(c.pair, c.r)).words()[c.x]>>c.bit&1 != 0 }

// randomSets returns random subsets of the legal positions, by side to move, with the overlay for
// the other side's moves.
func randomSets(t *testing.T, name string, rng *rand.Rand) (*layout, [2]*set) {
	m, err := index.ParseMaterial(name)
	if err != nil {
		t.Fatal(err)
	}
	s := newSolver(newLayout(m, defaultTuning.unitRows), nil, Options{}, defaultTuning)
	var sets [2]*set
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		ctx := context.Background()
		sets[c] = s.newSet()
		var salt [16 * 2]uint64
		for i := range salt {
			salt[i] = rng.Uint64()
		}
		if err := s.fillLegal(ctx, sets[c], c); err != nil {
			t.Fatal(err)
		}
		err := s.visit(ctx, s.flaggedRows(sets[c].flags), func(w *worker) {
			p := &w.place
			r := *sets[c].read(p.address)
			keepSome(p, &r, &salt)
			sets[c].write(p.address, &r)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.overlay(ctx, sets[c], c.Other(), nil); err != nil {
			t.Fatal(err)
		}
	}
	return s.layout, sets
}

// keepSome keeps about one bit in eight, by a sum over the pieces in which mirror images are equal,
// so that all cells of a placement agree.
func keepSome(p *place, r *row, salt *[32]uint64) {
	hash := func(piece boardPiece, s rules.Square) uint64 {
		v := (salt[int(piece.color)<<4|int(piece.kind)] + uint64(min(s, s.Mirror()))) * 0x9e3779b97f4a7c15
		return (v ^ v>>29) * 0xbf58476d1ce4e5b9
	}
	var sum uint64
	for c, k := range p.king {
		sum += hash(boardPiece{rules.King, rules.Color(c)}, k)
	}
	for d := range p.s.outer() {
		sum += hash(p.s.pieces[d], p.outer.squares[d])
	}
	for x, w := range r.words() {
		for b := w; b != 0; b &= b - 1 {
			bit := rules.Square(bits.TrailingZeros32(b))
			v := sum
			if p.s.n > 1 {
				v += hash(p.s.pieces[p.s.x()], rules.Square(x))
			}
			if p.s.n > 0 {
				v += hash(p.s.pieces[p.s.y()], bit)
			}
			if v>>40&7 != 0 {
				r.words()[x] &^= 1 << bit
			}
		}
	}
}

// TestKernel compares Pre of random sets with the moves of package rules on random positions. The
// sets have sliders and steppers in every dimension, identical pieces in every pair of dimensions,
// with and without others in hand.
func TestKernel(t *testing.T) {
	sets := []string{"R", "RB", "PP", "SS", "GP", "RRS", "SSP", "RBS", "GPP", "BPP", "BBG"}
	if testing.Short() {
		sets = sets[:5]
	}
	for _, name := range sets {
		t.Run(name, func(t *testing.T) { testKernel(t, name, 40000) })
	}
}

func testKernel(t *testing.T, name string, positions int) {
	rng := rand.New(rand.NewPCG(1, 2))
	l, sets := randomSets(t, name, rng)
	x, err := index.New(l.material)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for range positions {
		p, err := x.Decode(rng.Uint64N(x.Size()))
		if err != nil {
			t.Fatal(err)
		}
		if rng.IntN(2) == 0 { // with Gote to move
			p = p.Rotated()
		}
		source := sets[p.SideToMove().Other()]
		if rng.IntN(2) == 0 {
			p = p.Mirrored()
		}
		if p.Validate() != nil {
			continue
		}
		want := reaches(t, l, &p, source)
		if got := l.preHas(&p, source); got != want {
			t.Fatalf("%s: in Pre: %v, by the rules: %v", p.SFEN(), got, want)
		}
		if want {
			hits++
		}
	}
	if hits < 100 {
		t.Errorf("only %d positions with a move into the set", hits)
	}
}

// preHas tells whether Pre of source has p.
func (l *layout) preHas(p *rules.Position, source *set) bool {
	c := l.cellOf(p)
	k := kernel{mover: p.SideToMove(), source: source}
	w := new(worker)
	w.place.set(c.s, c.pair, c.r)
	need := fullRow(c.s.n)
	return k.pre(w, &need).words()[c.x]>>c.bit&1 != 0
}

// TestPreOfBoard compares the kernel that takes whole boards with the one that takes rows.
func TestPreOfBoard(t *testing.T) {
	sets := []string{"SSP", "RRP", "RBS", "GPP"}
	if testing.Short() {
		sets = sets[:1]
	}
	for _, name := range sets {
		t.Run(name, func(t *testing.T) { testPreOfBoard(t, name) })
	}
}

func testPreOfBoard(t *testing.T, name string) {
	rng := rand.New(rand.NewPCG(5, 6))
	l, sets := randomSets(t, name, rng)
	hits := 0
	for range 3000 {
		s := &l.slices[rng.IntN(len(l.slices))]
		pair, board := rng.IntN(len(l.pairs)), rng.IntN(s.boards)
		mover := rules.Color(rng.IntN(2))
		k := kernel{mover: mover, source: sets[mover.Other()], drops: dropMode(rng.IntN(3)), untilCovered: rng.IntN(2) == 0}
		need := sets[mover]
		one, all := new(worker), new(worker)
		all.place.setBoard(s, pair, board)
		rows := need.flags[s.id][all.place.board] & all.place.distinctRows() & rng.Uint32()
		k.preOfBoard(all, rows, need)
		for ; rows != 0; rows &= rows - 1 {
			one.place.set(s, pair, board*rules.Squares+bits.TrailingZeros32(rows))
			wanted := need.readFlagged(one.place.address)
			want, got := *k.pre(one, wanted), all.sums[one.place.bit]
			want.and(wanted)
			got.and(wanted)
			if want != got {
				t.Fatalf("slice %d, kings %d, row %d, %v to move: %x, row by row %x", s.id, pair, one.place.r, mover, got, want)
			}
			hits += got.count()
		}
	}
	if hits < 1000 {
		t.Errorf("only %d positions with a move into the sets", hits)
	}
}

// reaches tells the same by the moves of package rules; the kernel knows nothing of pawn drops that
// mate, so they count as moves here.
func reaches(t *testing.T, l *layout, p *rules.Position, source *set) bool {
	moves := p.Moves(nil)
	for sq := range rules.Square(rules.Squares) {
		var illegal *rules.IllegalMoveError
		drop := rules.Drop(rules.Pawn, sq)
		if err := p.Legal(drop); errors.As(err, &illegal) && illegal.Rule == rules.PawnDropMate {
			moves = append(moves, drop)
		}
	}
	for _, m := range moves {
		undo := p.Make(m)
		hit := source.has(l.cellOf(p))
		p.Unmake(undo)
		if hit {
			return true
		}
	}
	return false
}
