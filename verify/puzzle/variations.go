package puzzle

import "gogotb/rules"

// Variation is a line that a file gives beside the solution.
type Variation struct {
	// Ply is that of the first move that is not the solution's, or not that of the variation that it leaves; from 1.
	Ply int
	// Moves are all moves from the position of the puzzle on. They may be illegal.
	Moves []rules.Move
	// Says is what is said of the end.
	Says Ending
}

// Ending is what a file says of the end of a variation.
type Ending uint8

const (
	SaysNothing Ending = iota
	SaysMate
	SaysNoMate
)

func (e Ending) String() string { return [...]string{"nothing", "mate", "no-mate"}[e] }

// VariationResult is what is true of a variation.
type VariationResult struct {
	State VariationState
	// Plies is how long the puzzle takes by this line and best play after it, 0 if it is not known to mate.
	Plies int
}

// VariationState tells whether a variation claims what is true.
type VariationState uint8

const (
	// VariationOpen: that is not known, or, where the puzzle has no mate, was not looked into.
	VariationOpen VariationState = iota
	VariationHolds
	VariationFails // see the flaws with its number
)

func (s VariationState) String() string { return [...]string{"open", "holds", "fails"}[s] }

// variations checks all of them.
func (k *check) variations() {
	for i := range k.Puzzle.Variations {
		v := variationCheck{check: k, Variation: &k.Puzzle.Variations[i], number: i + 1}
		v.run()
		k.Variations = append(k.Variations, v.result)
		if v.result.State == VariationOpen {
			k.open = true
		}
	}
}

// variationCheck is the check of one variation.
type variationCheck struct {
	*check
	*Variation
	number int
	line   line
	result VariationResult
}

func (v *variationCheck) run() {
	v.line = newLine(v.start)
	for i, m := range v.Moves {
		p := v.line.last()
		if err := v.illegal(&p, m); err != nil {
			v.fail(Flaw{Kind: IllegalMove, Ply: i + 1, Moves: []rules.Move{m}, Err: err})
			return
		}
		v.line.play(m)
	}
	if v.Outcome != Mate {
		return
	}
	first := v.line.positions[v.Ply-1]
	end := v.line.last()
	mated := !v.lengths.attacking(&end) && !end.HasMove()
	switch {
	case v.lengths.attacking(&first) && !mated && v.Says != SaysMate || v.Says == SaysNoMate:
		v.try(&end)
	default:
		v.mate(mated)
	}
}

// fail reports what is wrong with the variation.
func (v *variationCheck) fail(f Flaw) {
	f.Variation, f.Refutes = v.number, true
	v.add(f)
	v.result.State = VariationFails
}

// try checks a line that is not claimed to mate.
func (v *variationCheck) try(end *rules.Position) {
	n := len(v.Moves)
	left := max(v.Plies-n, 0)
	l := v.count(end, left)
	switch {
	case l.state == mates:
		v.result.Plies = n + l.plies
		if v.Says == SaysNoMate && l.plies <= left {
			rest := v.best(*end, l.plies)
			v.fail(Flaw{Kind: MateMissed, Ply: n + 1, Moves: rest.moves, Plies: n + l.plies})
			return
		}
	case l.state == unknown && v.Says == SaysNoMate:
		return
	}
	v.result.State = VariationHolds
}

// mate checks a line in which the attacker is claimed to mate: from where it leaves on, each of his moves keeps
// a mate in as many plies as the puzzle takes or, in a line that the attacker chooses, as the line has.
func (v *variationCheck) mate(mated bool) {
	most := v.count(&v.start, v.Plies).plies
	first := v.line.positions[v.Ply-1]
	if v.lengths.attacking(&first) {
		most = max(most, len(v.Moves))
	}
	switch l := v.count(&first, most-v.Ply+1); {
	case l.state == unknown:
		return
	case !l.within(most - v.Ply + 1):
		// The line before has gone wrong, or was meant not to mate in time.
		v.result.State = VariationHolds
		return
	}
	for i := v.Ply - 1; i < len(v.Moves); i++ {
		p := v.line.positions[i]
		if !v.lengths.attacking(&p) {
			continue
		}
		after := v.after(&p, v.Moves[i], most-i-1)
		if after.within(most - i - 1) {
			continue
		}
		if after.state != unknown {
			l := v.count(&p, most-i)
			v.fail(Flaw{Kind: WeakAttack, Ply: i + 1, Moves: v.best(p, l.plies).moves, Plies: i + l.plies})
		}
		return
	}
	end := v.line.last()
	n := len(v.Moves)
	l := v.count(&end, max(most-n, 0))
	if l.state != mates {
		return
	}
	v.result.Plies = n + l.plies
	if v.Says == SaysMate && !mated && l.plies > 0 {
		v.fail(Flaw{Kind: Unfinished, Ply: n + 1, Moves: v.best(end, l.plies).moves, Plies: n + l.plies})
		return
	}
	v.result.State = VariationHolds
}
