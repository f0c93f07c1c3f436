package rules

// Attack tables. Every table has 32 entries a dimension although the board has 25
// squares: an index taken modulo 32 needs no bounds check, and the entry of NoSquare
// is empty, so that a king that is not there attacks nothing and is attacked by nothing.
// For the same reason colours are taken modulo 2 here and in the generator.

var (
	// steps[c][k][s]: the squares that a piece of kind k and colour c on s attacks
	// by single steps. Rooks and bishops have none; dragons and horses have the king's.
	steps = makeSteps()

	rookRays   = makeSliders([]direction{{-1, 0}, {1, 0}, {0, -1}, {0, 1}})
	bishopRays = makeSliders([]direction{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}})

	// between[a][b]: the squares strictly between a and b, if they share a rank,
	// a file or a diagonal; line[a][b]: all squares of that rank, file or diagonal.
	between, line = makeLines()
)

const (
	rookLike   = 1<<Rook | 1<<Dragon
	bishopLike = 1<<Bishop | 1<<Horse
)

// direction is a step in ranks (down) and columns (right).
type direction struct{ rank, column int }

// from returns the square one step away from s, or NoSquare.
func (d direction) from(s Square) Square {
	r, c := s.Rank()+d.rank, s.Column()+d.column
	if r < 0 || r > 4 || c < 0 || c > 4 {
		return NoSquare
	}
	return Square(5*r + c)
}

func makeSteps() (t [2][16][32]Bitboard) {
	// As Sente moves: up is rank -1.
	silver := []direction{{-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 1}}
	gold := []direction{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}}
	king := []direction{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}
	pawn := []direction{{-1, 0}}
	moves := [Kinds][]direction{
		Gold: gold, PromotedSilver: gold, Tokin: gold,
		Silver: silver, Pawn: pawn, King: king, Dragon: king, Horse: king,
	}
	for k, directions := range moves {
		for s := Square(0); s < Squares; s++ {
			for _, d := range directions {
				if to := d.from(s); to != NoSquare {
					t[Sente][k][s] |= to.Bit()
					t[Gote][k][s.Rotate()] |= to.Rotate().Bit()
				}
			}
		}
	}
	return t
}

// slider finds the attacks of a rook or bishop on one square by a "magic"
// multiplication: the product moves the few occupied squares that matter into its top
// six bits, which index a table of the 64 answers.
// (https://www.chessprogramming.org/Magic_Bitboards)
type slider struct {
	relevant Bitboard // the squares that can block; the last one of each ray cannot
	magic    uint32
	attacks  [64]Bitboard
}

// attacked returns the set of squares attacked when occupied squares block, the blockers
// included.
func (r *slider) attacked(occupied Bitboard) Bitboard {
	return r.attacks[uint32(occupied&r.relevant)*r.magic>>26]
}

// empty returns what the slider attacks on an empty board.
func (r *slider) empty() Bitboard { return r.attacks[0] }

func makeSliders(directions []direction) *[32]slider {
	t := new([32]slider)
	random := splitMix(1)
	for s := Square(0); s < Squares; s++ {
		r := &t[s]
		for _, d := range directions {
			for to := d.from(s); to != NoSquare && d.from(to) != NoSquare; to = d.from(to) {
				r.relevant |= to.Bit()
			}
		}
		var cases []blocked
		for blockers := r.relevant; ; blockers = (blockers - 1) & r.relevant {
			cases = append(cases, blocked{blockers, walk(s, directions, blockers)})
			if blockers == 0 {
				break
			}
		}
		for !r.fill(cases, uint32(random.next())) {
		}
	}
	return t
}

// blocked is what a slider attacks when these squares, of the relevant ones, are occupied.
type blocked struct{ blockers, attacks Bitboard }

// fill makes the table for a magic number, or reports that two sets of blockers with
// different answers collide.
func (r *slider) fill(cases []blocked, magic uint32) bool {
	r.magic = magic
	r.attacks = [64]Bitboard{}
	for _, c := range cases {
		slot := &r.attacks[uint32(c.blockers)*magic>>26]
		if *slot != 0 && *slot != c.attacks {
			return false
		}
		*slot = c.attacks
	}
	return true
}

// walk follows the rays from s up to and including the first occupied square.
func walk(s Square, directions []direction, occupied Bitboard) (b Bitboard) {
	for _, d := range directions {
		for to := d.from(s); to != NoSquare; to = d.from(to) {
			b |= to.Bit()
			if occupied.Has(to) {
				break
			}
		}
	}
	return b
}

func makeLines() (between, line *[32][32]Bitboard) {
	between, line = new([32][32]Bitboard), new([32][32]Bitboard)
	for _, d := range []direction{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
		back := direction{-d.rank, -d.column}
		for a := Square(0); a < Squares; a++ {
			whole := a.Bit() | walk(a, []direction{d, back}, 0)
			var passed Bitboard
			for b := d.from(a); b != NoSquare; b = d.from(b) {
				between[a][b], between[b][a] = passed, passed
				line[a][b], line[b][a] = whole, whole
				passed |= b.Bit()
			}
		}
	}
	return between, line
}

// attacksFrom returns the set of squares that a piece on s attacks.
func attacksFrom(c Color, k Kind, s Square, occupied Bitboard) Bitboard {
	b := steps[c&1][k&15][s&31]
	if rookLike>>k&1 != 0 {
		b |= rookRays[s&31].attacked(occupied)
	}
	if bishopLike>>k&1 != 0 {
		b |= bishopRays[s&31].attacked(occupied)
	}
	return b
}

func (p *Position) golds() Bitboard {
	return p.kinds[Gold] | p.kinds[PromotedSilver] | p.kinds[Tokin]
}

// rooks and bishops are the pieces that slide like one.
func (p *Position) rooks() Bitboard   { return p.kinds[Rook] | p.kinds[Dragon] }
func (p *Position) bishops() Bitboard { return p.kinds[Bishop] | p.kinds[Horse] }

// attackers returns the set of c's pieces that attack s.
func (p *Position) attackers(s Square, c Color, occupied Bitboard) Bitboard {
	s &= 31
	// A piece of c attacks s where a piece of the other colour on s would attack it.
	from := &steps[c.Other()&1]
	return p.by[c&1] & (from[Pawn][s]&p.kinds[Pawn] |
		from[Silver][s]&p.kinds[Silver] |
		from[Gold][s]&p.golds() |
		from[King][s]&(p.kinds[King]|p.kinds[Dragon]|p.kinds[Horse]) |
		rookRays[s].attacked(occupied)&p.rooks() |
		bishopRays[s].attacked(occupied)&p.bishops())
}

// attackedBy returns the set of squares that c attacks, its own pieces' squares included.
// Steps are made for all pieces at once, by shifting sets.
func (p *Position) attackedBy(c Color, occupied Bitboard) Bitboard {
	own := p.by[c&1]
	golds, silvers := p.golds()&own, p.kinds[Silver]&own
	goldSides := sideways(golds)
	forward := golds | goldSides | silvers | p.kinds[Pawn]&own
	backward := golds
	silverSides := sideways(silvers)
	forward |= silverSides
	backward |= silverSides
	if c == Gote {
		forward, backward = backward, forward
	}
	b := goldSides | forward>>5 | backward<<5&Board | steps[Sente][King][p.kings[c&1]&31]
	for s := p.rooks() & own; s != 0; s &= s - 1 {
		b |= rookRays[s.First()&31].attacked(occupied)
	}
	for s := p.bishops() & own; s != 0; s &= s - 1 {
		b |= bishopRays[s.First()&31].attacked(occupied)
	}
	for s := (p.kinds[Dragon] | p.kinds[Horse]) & own; s != 0; s &= s - 1 {
		b |= steps[Sente][King][s.First()&31]
	}
	return b
}

// sideways returns the set of left and right neighbours.
func sideways(b Bitboard) Bitboard {
	return b<<1&^ColumnZero&Board | b>>1&^(ColumnZero<<4)
}

// blockers returns the set of pieces, of either side, that alone stand between the square
// k and a slider of c.
func (p *Position) blockers(k Square, c Color) (b Bitboard) {
	k &= 31
	snipers := p.by[c&1] & (rookRays[k].empty()&p.rooks() | bishopRays[k].empty()&p.bishops())
	if snipers == 0 {
		return 0
	}
	occupied := p.Occupied()
	for ; snipers != 0; snipers &= snipers - 1 {
		in := between[k][snipers.First()&31] & occupied
		if in&(in-1) == 0 {
			b |= in
		}
	}
	return b
}
