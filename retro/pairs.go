package retro

import (
	"slices"

	"gogotb/rules"
)

// pairsOfPart are the king pairs that a part has to do with.
type pairsOfPart struct {
	own  [2]pairSet // by side to move: the pairs whose positions it decides
	need [2]pairSet // by mover: its own pairs, and those that moves of the king lead to from them
}

// pairSet is a set of king pairs.
type pairSet []bool

// held are the pairs of which a part has the positions with side c to move: its own, and those that
// moves of the other side lead to.
func (p *pairsOfPart) held(c rules.Color) pairSet { return p.own[c].union(p.need[c.Other()]) }

// allPairs are the king pairs of an analysis that is not divided.
var allPairs = pairsOwned(make([]int, len(kingPairs)), 0)

func (a pairSet) union(b pairSet) pairSet {
	u := slices.Clone(a)
	for i, in := range b {
		u[i] = u[i] || in
	}
	return u
}

func (a pairSet) count() (n int) {
	for _, in := range a {
		if in {
			n++
		}
	}
	return n
}

// pairsOwned are the king pairs of a part that owns those that have it in owner.
func pairsOwned(owner []int, part int) (p pairsOfPart) {
	for c := range p.own {
		p.own[c] = make(pairSet, len(kingPairs))
	}
	for pair, o := range owner {
		if o == part {
			p.own[rules.Sente][pair] = true
			p.own[rules.Gote][kingPairs[pair].rotated] = true
		}
	}
	for c := range p.need {
		p.need[c] = slices.Clone(p.own[c])
		for pair, own := range p.own[c] {
			if own {
				for _, step := range kingPairs[pair].steps[c] {
					p.need[c][step.pair] = true
				}
			}
		}
	}
	return p
}

// choosePairs gives the layout the king pairs of a part.
func (l *layout) choosePairs(part *pairsOfPart) {
	held := part.held(rules.Sente).union(part.held(rules.Gote))
	if held.count() == len(kingPairs) {
		l.pairs, l.own, l.need = kingPairs, part.own, part.need
		l.local = make([]int, len(kingPairs))
		for pair := range kingPairs {
			l.local[pair] = pair
		}
		l.number = l.local
		return
	}
	l.local = make([]int, len(kingPairs))
	for pair, in := range held {
		l.local[pair] = noKingPair
		if in {
			l.local[pair] = len(l.number)
			l.number = append(l.number, pair)
		}
	}
	for _, pair := range l.number {
		local := kingPairs[pair]
		local.rotated = l.local[local.rotated]
		for c := range local.steps {
			local.steps[c] = nil
			if !part.own[c][pair] {
				continue // nobody looks for moves from there, and they may lead to pairs that are not held
			}
			for _, step := range kingPairs[pair].steps[c] {
				local.steps[c] = append(local.steps[c], kingStep{l.local[step.pair], step.mirrored})
			}
		}
		l.pairs = append(l.pairs, local)
		for c := range l.own {
			l.own[c] = append(l.own[c], part.own[c][pair])
			l.need[c] = append(l.need[c], part.need[c][pair])
		}
	}
}
