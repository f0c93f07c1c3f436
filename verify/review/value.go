package review

import (
	"gogotb/rules"
	"gogotb/verify/mate"
)

// Category is who wins, for the side to move.
type Category uint8

const (
	Unknown Category = iota
	Win
	Loss
	Draw
)

func (c Category) String() string { return [...]string{"unknown", "win", "loss", "draw"}[c&3] }

// By is what decides.
type By uint8

const (
	ByNothing By = iota // it is unknown
	ByMate
	ByPerpetual
	ByRepetition
)

func (b By) String() string { return [...]string{"", "mate", "perpetual", "repetition"}[b&3] }

// Value is what is known of a position, for the side to move.
type Value struct {
	Category Category
	By       By
	// Bounds are what is proved about a mate, see mate.Bounds. The zero value of the other fields goes with None: 0, Most: -1.
	mate.Bounds
	// Rank of a win or loss by perpetual check; 0 if it is not known.
	Rank int
	// Line is best play to the mate, or, where its length is not known, a line of the mate that is proved.
	Line []rules.Move
	// Table: a table knows it.
	Table bool
	// Evaluation is what a back end says, nil if it was not asked.
	Evaluation *Evaluation
	// ended: the rules have ended the game here.
	ended bool
}

// unknown is the value of a position of which nothing is known.
func unknown() Value { return Value{Bounds: mate.Bounds{Most: -1}} }

// DTM returns the plies to mate, if they are known; for a loss it is the longest defence.
func (v *Value) DTM() (plies int, ok bool) {
	return v.Most, v.Most >= 0 && v.None >= v.Most-1
}

// mated returns the value of a position without a legal move.
func mated() Value { return Value{Category: Loss, By: ByMate, Bounds: mate.Bounds{None: -1}} }

// tighten notes that there is a mate within plies, by a line.
func (v *Value) tighten(plies int, line []rules.Move) {
	if v.Most >= 0 && v.Most <= plies {
		return
	}
	v.Category, v.By, v.Most, v.Line = categoryOf(plies), ByMate, plies, line
	v.None = min(v.None, plies-1)
	v.Evaluation = nil
}

// categoryOf tells who wins by a mate in so many plies.
func categoryOf(plies int) Category {
	if plies%2 == 1 {
		return Win
	}
	return Loss
}

// fromTable returns the value that a table gives. Open positions are decided by repetition, as the rules of the game have it;
// ok is false if they do not say how.
func (r *Reviewer) fromTable(p *rules.Position, v rules.Value, first rules.Color) (value Value, ok bool) {
	value = Value{Table: true, Bounds: mate.Bounds{None: mate.MaxMaxPlies, Most: -1}}
	o := v.Outcome()
	switch {
	case o.ByMate():
		value.By, value.Most, value.None = ByMate, v.Number(), v.Number()-1
		value.Category = categoryOf(value.Most)
		value.Line = r.tableLine(*p, v)
		return value, true
	case r.options.Game.Repetition == rules.Inventor:
		return value, false // tables are about the other rules
	case o.ByPerpetual():
		value.By, value.Rank, value.Category = ByPerpetual, v.Number(), Loss
		if o.Wins() {
			value.Category = Win
		}
	default:
		value.By, value.Category = ByRepetition, Draw
		if r.options.Game.Repetition == rules.FirstPlayerLoses {
			value.Category = Win
			if p.SideToMove() == first {
				value.Category = Loss
			}
		}
	}
	return value, o != rules.Illegal
}

// tableLine returns best play to a mate, as far as the tables know.
func (r *Reviewer) tableLine(p rules.Position, v rules.Value) []rules.Move {
	var line []rules.Move
	for n := v.Number(); n > 0; n-- {
		found := false
		for _, m := range p.Moves(nil) {
			u := p.Make(m)
			next, ok := r.options.Table(&p)
			if ok && next.Outcome().ByMate() && next.Number() == n-1 && next.Wins() == (n%2 == 0) {
				line, found = append(line, m), true
				break
			}
			p.Unmake(u)
		}
		if !found {
			break
		}
	}
	return line
}

// grade orders values for the side to move, without regard to lengths: 2 won, 1 drawn, 0 lost; ok is false if it is unknown.
func (v *Value) grade() (grade int, ok bool) {
	switch v.Category {
	case Win:
		return 2, true
	case Draw:
		return 1, true
	case Loss:
		return 0, true
	}
	return 0, false
}
