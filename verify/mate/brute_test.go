package mate

import (
	"math/rand/v2"

	"gogotb/rules"
)

// brute is the obvious solver that the tests compare with: every move of both sides, a memo by the whole
// position, no other idea.
type brute struct {
	attacker rules.Color
	tsume    bool
	memo     map[bruteKey]bool
}

type bruteKey struct {
	sfen  string
	plies int
}

func newBrute(attacker rules.Color, tsume bool) *brute {
	return &brute{attacker, tsume, map[bruteKey]bool{}}
}

// mates tells whether the attacker can force, within plies, that the defender has no legal move.
func (b *brute) mates(pos rules.Position, plies int) bool {
	moves := pos.Moves(nil)
	if pos.SideToMove() != b.attacker && len(moves) == 0 {
		return true
	}
	if plies <= 0 {
		return false
	}
	// The SFEN without the move number.
	sfen := pos.SFEN()
	key := bruteKey{sfen[:len(sfen)-len(lastField(sfen))], plies}
	if won, ok := b.memo[key]; ok {
		return won
	}
	attacks := pos.SideToMove() == b.attacker
	won := !attacks
	for _, m := range moves {
		if attacks && b.tsume && !pos.GivesCheck(m) {
			continue
		}
		next := pos
		next.Make(m)
		if b.mates(next, plies-1) == attacks {
			won = attacks
			break
		}
	}
	b.memo[key] = won
	return won
}

func lastField(s string) string {
	i := len(s)
	for s[i-1] != ' ' {
		i--
	}
	return s[i:]
}

// bruteLength is the length of the shortest mate within limit, for the side to move or, except in tsume, the
// other; -1 if there is none.
func bruteLength(pos rules.Position, tsume bool, limit int) int {
	own, other := newBrute(pos.SideToMove(), tsume), newBrute(pos.SideToMove().Other(), tsume)
	for n := 0; n <= limit; n++ {
		switch {
		case n%2 == 1 && own.mates(pos, n), n%2 == 0 && !tsume && other.mates(pos, n):
			return n
		}
	}
	return -1
}

// randomPosition draws legal positions with the given pieces (kinds Rook..Pawn); kings of one or both sides.
func randomPosition(rnd *rand.Rand, kinds []rules.Kind, kings []rules.Color) rules.Position {
	for {
		var board [rules.Squares]rules.Piece
		var hands [2]rules.Hand
		squares := rnd.Perm(int(rules.Squares))
		for i, c := range kings {
			board[squares[i]] = rules.MakePiece(c, rules.King)
		}
		for i, k := range kinds {
			c := rules.Color(rnd.IntN(2))
			if rnd.IntN(3) == 0 {
				hands[c][k]++
				continue
			}
			if k.CanPromote() && rnd.IntN(3) == 0 {
				k = k.Promote()
			}
			board[squares[len(kings)+i]] = rules.MakePiece(c, k)
		}
		pos, err := rules.New(board, hands, rules.Color(rnd.IntN(2)))
		if err == nil {
			return pos
		}
	}
}

var (
	bothKings = []rules.Color{rules.Sente, rules.Gote}
	fullSet   = []rules.Kind{
		rules.Rook, rules.Rook, rules.Bishop, rules.Bishop, rules.Gold, rules.Gold,
		rules.Silver, rules.Silver, rules.Pawn, rules.Pawn,
	}
)

// randomKinds draws up to most pieces of the full set.
func randomKinds(rnd *rand.Rand, most int) []rules.Kind {
	kinds := make([]rules.Kind, 0, most)
	for _, i := range rnd.Perm(len(fullSet))[:1+rnd.IntN(most)] {
		kinds = append(kinds, fullSet[i])
	}
	return kinds
}
