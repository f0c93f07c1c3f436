package retro

import "gogotb/rules"

// readRotated returns, for the row at p, what the set says of the same positions seen by the other
// side: rotated by 180 degrees with the colours exchanged. Where each side has one of two identical
// pieces they change dimensions.
func (t *set) readRotated(p *place) (r row) {
	s := p.s
	other, pair := s.rotated, s.pairs[p.pair].rotated
	squares := p.outer.squares
	transpose, outerBecomesX := false, false
	for _, d := range s.reorderAt {
		switch {
		case d == s.x():
			transpose = true
		case d == s.x()-1:
			outerBecomesX = true
		default:
			squares[d], squares[d+1] = squares[d+1], squares[d]
		}
	}
	at := 0
	for d := range s.outer() {
		at += int(squares[d].Rotate()) * s.stride[d]
	}
	if !outerBecomesX {
		return t.read(other.address(pair, at)).rotated(s.n, transpose)
	}
	outer := squares[s.outer()-1].Rotate()
	at -= int(outer)
	for x := range rules.Square(rules.Squares) {
		source := t.read(other.address(pair, at+int(x.Rotate())))
		r.words()[x] = rotateBoard(source.words()[outer])
	}
	return r
}
