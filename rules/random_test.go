package rules

import (
	"math/rand/v2"
	"testing"
)

// randomPosition is a legal position with any part of the full set on the board and in
// the hands; with oneKing, one of the kings is missing half the time.
func randomPosition(random *rand.Rand, oneKing bool) Position {
	for {
		var board [Squares]Piece
		var hands [2]Hand
		free := random.Perm(Squares)
		put := func(c Color, k Kind) {
			board[free[0]] = MakePiece(c, k)
			free = free[1:]
		}
		missing := 2
		if oneKing {
			missing = random.IntN(4)
		}
		for c := Sente; c <= Gote; c++ {
			if int(c) != missing {
				put(c, King)
			}
		}
		part := random.IntN(11)
		for i := range 10 {
			if random.IntN(10) >= part {
				continue
			}
			c, k := Color(random.IntN(2)), Kind(i/2)
			switch random.IntN(4) {
			case 0:
				hands[c][k]++
			case 1:
				if k != Gold {
					put(c, k.Promote())
					break
				}
				fallthrough
			default:
				put(c, k)
			}
		}
		if p, err := New(board, hands, Color(random.IntN(2))); err == nil {
			return p
		}
	}
}

// forRandomPositions visits positions of many kinds: random placements, and games of
// random moves from the even start, the handicap starts and random placements.
// Positions without a legal move are visited too.
func forRandomPositions(t *testing.T, count int, visit func(p *Position)) {
	random := rand.New(rand.NewPCG(1, 1))
	starts := []string{StartSFEN}
	for _, h := range Handicaps {
		starts = append(starts, h.SFEN)
	}
	var buf [MaxMoves]Move
	for count > 0 {
		var p Position
		if random.IntN(2) == 0 {
			p = mustParse(t, starts[random.IntN(len(starts))])
		} else {
			p = randomPosition(random, true)
		}
		for range 1 + random.IntN(60) {
			visit(&p)
			if count--; count == 0 || t.Failed() {
				return
			}
			moves := p.Moves(buf[:0])
			if len(moves) == 0 {
				break
			}
			p.Make(moves[random.IntN(len(moves))])
		}
	}
}
