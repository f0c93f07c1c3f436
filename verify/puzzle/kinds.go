package puzzle

import (
	"slices"

	"gogotb/rules"
)

// Kinds tells puzzles of a kind apart. Two are of a kind if the position of one, or its mirror image, or
// the same with the colours exchanged, comes up in the solution of the other: then it is the same puzzle, or the
// same mate a move later. The zero value has none.
type Kinds struct {
	starts map[positionKey]bool // the positions of puzzles
	passed map[positionKey]bool // all positions of their solutions with the attacker to move
}

// Add adds a puzzle, and reports false, and adds nothing, if there is one of its kind. Of its solution, what is written and
// legal counts.
func (k *Kinds) Add(p *Puzzle) bool {
	if k.starts == nil {
		k.starts, k.passed = map[positionKey]bool{}, map[positionKey]bool{}
	}
	q := p.Position
	keys := []positionKey{kindKey(&q)}
	for i, m := range p.Moves {
		if q.Legal(m) != nil {
			break
		}
		q.Make(m)
		if i%2 == 1 {
			keys = append(keys, kindKey(&q))
		}
	}
	if k.passed[keys[0]] || slices.ContainsFunc(keys, func(key positionKey) bool { return k.starts[key] }) {
		return false
	}
	k.starts[keys[0]] = true
	for _, key := range keys {
		k.passed[key] = true
	}
	return true
}

// kindKey is the same for a position, its mirror image, and both with the colours exchanged.
func kindKey(p *rules.Position) positionKey {
	q := *p
	if q.SideToMove() == rules.Gote {
		q = q.Rotated()
	}
	mirrored := q.Mirrored()
	a, b := keyOf(&q), keyOf(&mirrored)
	if b.all < a.all || b.all == a.all && b.board < a.board {
		return b
	}
	return a
}

// isLater tells whether a puzzle ends with the same moves as one that comes earlier in the same game, all of its own or
// all of the other's: then a mate that was there is there still, or again.
func isLater(p *Puzzle, earlier []*Puzzle) bool {
	return slices.ContainsFunc(earlier, func(q *Puzzle) bool {
		n := min(len(p.Moves), len(q.Moves))
		return slices.Equal(p.Moves[len(p.Moves)-n:], q.Moves[len(q.Moves)-n:])
	})
}
