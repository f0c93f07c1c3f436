package retro

import (
	"context"
	"math/bits"

	"gogotb/rules"
)

// A set that serves as the source of a kernel has only positions of pieces on distinct squares. Its
// cells in which a piece of the mover, or its king, shares a square with a piece of the other side
// are free: the overlay puts there what holds after the capture, when that piece is in the mover's
// hand. The kernel then reads captures as ordinary moves. Cells with two such overlaps are never
// read.

// overlay brings the overlay of t, for captures by side c, up to date. If changed is nil, t must be
// without one; else its rows are looked at where a row flagged in changed is a source, and flagged
// there, too, when they change. Slices with more pieces in hand come first, because the others read
// them.
func (s *solver) overlay(ctx context.Context, t *set, c rules.Color, changed flags) error {
	sources := changed
	if changed == nil {
		sources = t.flags
	}
	for _, units := range s.byHands[c] {
		err := s.eachUnit(ctx, units, func(w *worker, i int) {
			u := s.layout.units[i]
			sl := &s.layout.slices[u.slice]
			if len(sl.moves[c].captures) == 0 {
				return
			}
			for pair := u.pair; pair < u.ends; pair++ {
				if !s.layout.capturesFlagged(sl, pair, c, sources) {
					continue
				}
				for r := range sl.rows {
					w.place.set(sl, pair, r)
					if changed == nil {
						s.addOverlay(&w.place, t, c)
					} else if s.layout.captureFlagged(&w.place, c, changed) {
						s.renewOverlay(&w.place, t, c, changed)
					}
				}
				s.trim()
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addOverlay adds the overlay of the row at p, which has none.
func (s *solver) addOverlay(p *place, t *set, c rules.Color) {
	if r := s.layout.overlayRow(p, t, c); !r.empty() {
		t.create(p.address).or(&r)
		t.flags.flag(p.address, true)
	}
}

// renewOverlay replaces the overlay of the row at p, and flags the row in changed if that changes
// it.
func (s *solver) renewOverlay(p *place, t *set, c rules.Color, changed flags) {
	target := t.read(p.address)
	r := s.layout.overlayRow(p, t, c)
	distinct := *target
	distinct.keepDistinct(p)
	r.or(&distinct)
	if r != *target {
		t.write(p.address, &r)
		changed.flag(p.address, true)
	}
}

// capturesFlagged tells whether the overlay of a king pair may have to change.
func (l *layout) capturesFlagged(s *slice, pair int, c rules.Color, changed flags) bool {
	for _, link := range s.moves[c].captures {
		if changed.any(link.to, pair) {
			return true
		}
	}
	return false
}

// overlayRow computes the overlay of the row at p in the set t, in whose positions the opponent of
// the mover c is to move.
func (l *layout) overlayRow(p *place, t *set, c rules.Color) (r row) {
	s := p.s
	for _, link := range s.moves[c].captures {
		to := link.to
		if s.role(link.dim) == outerRole {
			l.overlayOuter(p, t, c, link.dim, to, &r)
		} else {
			l.overlayInner(p, t, c, link.dim, to, &r)
		}
	}
	return r
}

// overlayOuter adds the captures of the outer piece of dimension dim.
func (l *layout) overlayOuter(p *place, t *set, c rules.Color, dim int, to *slice, r *row) {
	s, victim := p.s, p.outer.squares[dim]
	at := p.afterCapture(dim, to)
	if !t.flags.has(at) {
		return
	}
	source := t.readFlagged(at)
	if p.king[c] == victim {
		r.or(source)
	}
	for d, piece := range s.pieces {
		if piece.color != c {
			continue
		}
		switch s.role(d) {
		case outerRole:
			if p.outer.squares[d] == victim {
				r.or(source)
			}
		case xRole:
			r.words()[victim] |= source.words()[victim]
		case yRole:
			bit := lanes(victim.Bit())
			for i := range r {
				r[i] |= source[i] & bit
			}
		}
	}
}

// overlayInner adds the captures of x or y, the piece of dimension dim. Without it the row is one
// word, of the squares of the other inner piece if there is one.
func (l *layout) overlayInner(p *place, t *set, c rules.Color, dim int, to *slice, r *row) {
	s := p.s
	at, word := p.afterCapture(dim, to), 0
	if s.n > 2 {
		word = int(p.outer.squares[s.outer()-1])
	}
	if !t.flags.has(at) {
		return
	}
	source := t.readFlagged(at).words()[word]
	if source == 0 {
		return
	}
	captors := p.king[c].Bit() // but for the other inner piece
	for d, piece := range s.pieces {
		switch {
		case piece.color != c:
		case s.role(d) == outerRole:
			captors |= p.outer.squares[d].Bit()
		default: // the other inner piece: wherever it stands, its victim does, too
			both := lanes(rules.Bitboard(source))
			for i := range r {
				r[i] |= both & diagonalBits[i]
			}
		}
	}
	words := r.words()
	if s.role(dim) == xRole {
		for ; captors != 0; captors &= captors - 1 {
			words[captors.First()] |= source
		}
		return
	}
	for ; source != 0; source &= source - 1 { // in word x; in word 0 if there is no x
		words[bits.TrailingZeros32(source)] |= uint32(captors)
	}
}

// afterCapture returns the address of the row at p in the slice to, which lacks the dimension dim.
func (p *place) afterCapture(dim int, to *slice) address {
	r := 0
	for d := range p.s.outer() {
		if d < dim && d < to.outer() {
			r += int(p.outer.squares[d]) * to.stride[d]
		} else if d > dim {
			r += int(p.outer.squares[d]) * to.stride[d-1]
		}
	}
	return to.address(p.pair, r)
}

// captureFlagged tells whether a row that the overlay at p is made of is flagged in f.
func (l *layout) captureFlagged(p *place, c rules.Color, f flags) bool {
	for _, link := range p.s.moves[c].captures {
		if f.has(p.afterCapture(link.dim, link.to)) {
			return true
		}
	}
	return false
}
