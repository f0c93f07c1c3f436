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
	s.turn()
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
				for g := range sl.boards {
					w.place.setBoard(sl, pair, g)
					for rows := w.findCaptures(t.flags, sources, c); rows != 0; rows &= rows - 1 {
						w.place.setRow(bits.TrailingZeros32(rows))
						w.overlayRow(t, c, changed)
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

// capturesFlagged tells whether the overlay of a king pair may have to change.
func (l *layout) capturesFlagged(s *slice, pair int, c rules.Color, changed flags) bool {
	for _, link := range s.moves[c].captures {
		if changed.any(link.to, pair) {
			return true
		}
	}
	return false
}

// capture is a piece that can be captured in the rows of a board: the row that its capture leads to is at an address,
// which is the same for all rows of the board unless moving is set: then bit is the row's.
type capture struct {
	link   *captureLink
	at     address
	moving bool
}

// findCaptures sets captures to those of the board at w.place by side c whose rows are flagged in has. It returns the
// rows of the board with a capture that leads to a row flagged in sources.
func (w *worker) findCaptures(has, sources flags, c rules.Color) (rows uint32) {
	p := &w.place
	w.captures = w.captures[:0]
	p.setRow(0)
	links := p.s.moves[c].captures
	for i := range links {
		link := &links[i]
		at := capture{link, p.afterCapture(link.dim, link.to), link.dim < p.s.outer()-1}
		flagged := sources[at.at.slice][at.at.board]
		if at.moving {
			rows |= flagged
		} else if flagged>>at.at.bit&1 != 0 {
			rows = p.s.boardFlags()
		}
		if has[at.at.slice][at.at.board] != 0 {
			w.captures = append(w.captures, at)
		}
	}
	return rows
}

// overlayRow gives the row at w.place of t its overlay, for captures by side c. If changed is nil, the row has none
// yet; else it is flagged there if that changes it.
func (w *worker) overlayRow(t *set, c rules.Color, changed flags) {
	p := &w.place
	w.parts = w.parts[:0]
	for i := range w.captures {
		at := w.captures[i].at
		if w.captures[i].moving {
			at.bit = p.bit
		}
		if !t.flags.has(at) {
			continue
		}
		source, dim := t.readFlagged(at), w.captures[i].link.dim
		if p.s.role(dim) == outerRole {
			w.captureOuter(source, p.outer.squares[dim], c)
		} else {
			w.captureInner(source, dim, c)
		}
	}
	var overlay row
	some := addParts(&overlay, w.parts)
	if changed == nil {
		if some {
			t.create(p.address).or(&overlay)
			t.flags.flag(p.address, true)
		}
		return
	}
	before := t.read(p.address)
	overlay.orDistinct(before, p)
	if overlay != *before {
		t.write(p.address, &overlay)
		changed.flag(p.address, true)
	}
}

// rowPart is a part of a row, such as an overlay: what another row has, of the words and of the bits given.
type rowPart struct {
	row         *row
	words, bits uint32
}

// allCells is a row of which every part is itself.
var allCells = fullRow(2)

const allSquares = uint32(rules.Board)

// addPart adds one to the overlay of the row at w.place.
func (w *worker) addPart(r *row, words, bits uint32) {
	w.parts = append(w.parts, rowPart{r, words, bits})
}

// captureOuter adds the captures of an outer piece, the victim, by side c.
func (w *worker) captureOuter(source *row, victim rules.Square, c rules.Color) {
	p, square := &w.place, uint32(victim.Bit())
	if p.king[c] == victim {
		w.addPart(source, allSquares, allSquares)
	}
	for d, piece := range p.s.pieces {
		if piece.color != c {
			continue
		}
		switch p.s.role(d) {
		case outerRole:
			if p.outer.squares[d] == victim {
				w.addPart(source, allSquares, allSquares)
			}
		case xRole:
			w.addPart(source, square, allSquares)
		case yRole:
			w.addPart(source, allSquares, square)
		}
	}
}

// captureInner adds the captures of x or y, the piece of dimension dim, by side c. Without it the row is one
// word, of the squares of the other inner piece if there is one.
func (w *worker) captureInner(source *row, dim int, c rules.Color) {
	p, word := &w.place, 0
	if p.s.n > 2 {
		word = int(p.outer.squares[p.s.outer()-1])
	}
	others := source.words()[word]
	if others == 0 {
		return
	}
	captors := p.king[c].Bit() // but for the other inner piece
	for d, piece := range p.s.pieces {
		switch {
		case piece.color != c:
		case p.s.role(d) == outerRole:
			captors |= p.outer.squares[d].Bit()
		default: // the other inner piece: wherever it stands, its victim does, too
			w.addPart(&diagonalBits, allSquares, others)
		}
	}
	if p.s.role(dim) == xRole {
		w.addPart(&allCells, uint32(captors), others)
	} else { // the other piece is x; if there is none, the row has one word
		w.addPart(&allCells, others, uint32(captors))
	}
}

// addPartsGo adds parts to a row, and tells whether it has anything then.
func addPartsGo(r *row, parts []rowPart) bool {
	for i := range parts {
		part := &parts[i]
		for words := part.words; words != 0; words &= words - 1 {
			x := bits.TrailingZeros32(words)
			r.words()[x] |= part.row.words()[x] & part.bits
		}
	}
	return !r.empty()
}

// orDistinct adds the placements of s, the row at p, in which all pieces stand on different squares.
func (r *row) orDistinct(s *row, p *place) {
	distinct := *s
	distinct.keepDistinct(p)
	r.or(&distinct)
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
