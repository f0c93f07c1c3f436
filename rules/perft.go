package rules

// Perft counts the sequences of exactly depth legal moves; the position is as before
// when it returns. The last ply is counted without making its moves.
func Perft(p *Position, depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return uint64(p.CountMoves())
	}
	var buf [MaxMoves]Move
	var n uint64
	for _, m := range p.Moves(buf[:0]) {
		u := p.Make(m)
		n += Perft(p, depth-1)
		p.Unmake(u)
	}
	return n
}
