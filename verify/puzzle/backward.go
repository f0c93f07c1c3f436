package puzzle

import "gogotb/rules"

// backward looks for what is wrong with a complete solution where the search has given up on the puzzle itself:
// from the end, where few plies are left, back to the first position that it gives up on, or where it finds a flaw
// that refutes the puzzle. Whether only futile interpositions are left out cannot be told from there.
func (k *check) backward() {
	n := len(k.Puzzle.Moves)
	if n == 0 || n != k.claimed || n != len(k.legal.moves) || k.opt.Tolerate&FutileLength != 0 && k.futileRoom() > 0 {
		return
	}
	k.count = k.lengths.of
	k.futile = newFutileCounter(k)
	k.solution = k.legal
	defer func() { k.solution = line{} }() // it may still be wrong
	for i := n; i >= 0 && !k.refuted(); i-- {
		p := k.legal.positions[i]
		left := n - i
		l := k.lengths.of(&p, left)
		attacking := k.lengths.attacking(&p)
		switch {
		case l.state == unknown:
			return
		case left == 0 && l.state == fails:
			k.add(Flaw{Kind: Unfinished, Ply: n + 1, Refutes: true})
		case attacking && l.plies < left: // that there is a mate in time shows in the position after the move
			k.add(Flaw{Kind: WeakAttack, Ply: i + 1, Moves: k.firstMove(&p, l.plies-1, mates), Plies: i + l.plies, Refutes: true})
		case attacking:
			k.cooksAt(i, p, k.legal.moves[i])
		case l.state == fails: // longer, or never
			k.add(Flaw{Kind: WeakDefence, Ply: i + 1, Moves: k.firstMove(&p, left-1, fails), Refutes: true})
		}
	}
}

// firstMove returns the first move after which the search for a mate within plies comes to want.
func (k *check) firstMove(p *rules.Position, plies int, want lengthState) []rules.Move {
	for _, m := range k.sortedMoves(p) {
		if k.lengths.after(p, m, plies).state == want {
			return []rules.Move{m}
		}
	}
	return nil
}

// refuted tells whether a flaw refutes the puzzle.
func (r *Report) refuted() bool {
	for i := range r.Flaws {
		if r.Flaws[i].Refutes {
			return true
		}
	}
	return false
}
