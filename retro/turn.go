package retro

import "gogotb/rules"

// turned reads, for the row at p, the positions of t turned by 180 degrees with the
// colours swapped: what t says of the same positions seen by the other side. Where each
// side has one of two identical pieces they change dimensions.
func (l *layout) turned(p *place, t *set) (r row) {
	s := p.s
	other, pair := s.turned, kingPairs[p.pair].turned
	squares := p.outer.squares
	swapInner, swapOuterX := false, false
	for _, d := range s.swapAt {
		switch {
		case d == s.x():
			swapInner = true
		case d == s.x()-1:
			swapOuterX = true
		default:
			squares[d], squares[d+1] = squares[d+1], squares[d]
		}
	}
	at := 0
	for d := range s.outer() {
		at += int(squares[d].Rotate()) * s.stride[d]
	}
	if !swapOuterX {
		return t.row(other, pair, at).rotated(s.n, swapInner)
	}
	outer := squares[s.outer()-1].Rotate()
	at -= int(outer)
	for x := range rules.Square(rules.Squares) {
		source := t.row(other, pair, at+int(x.Rotate()))
		r.words()[x] = reverse25(source.words()[outer])
	}
	return r
}
