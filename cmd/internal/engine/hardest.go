package engine

import (
	"cmp"
	"context"
	"slices"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/history"
	"gogotb/rules"
	"gogotb/storage"
)

// difficulty tells moves apart that are worth the same. Smaller is better.
type difficulty struct {
	checks  int     // own checks until a repetition would not be perpetual check
	repeats int     // occurrences of the position after the move, negative if repetition helps
	keepers float64 // share of the replies that keep the opponent's result
}

func (a difficulty) compare(b difficulty) int {
	return cmp.Or(cmp.Compare(a.checks, b.checks), cmp.Compare(a.repeats, b.repeats), cmp.Compare(a.keepers, b.keepers))
}

// hardestFirst sorts moves that are worth the same: what keeps clear of a perpetual check of one's own,
// what does not repeat (or does, where that saves or wins), and where few replies are good.
// The shortest mate needs no such help. free is how many moves are left to whoever chooses by other
// reasons: those that keep as clear of perpetual check as the first.
func hardestFirst(ctx context.Context, t *storage.Tables, g *Game, list []history.Move) (free int, err error) {
	if len(list) < 2 {
		return len(list), nil
	}
	if _, mate := list[0].Score.Mate(); mate && list[0].Score > 0 {
		return len(list), nil
	}
	difficulties := make(map[rules.Move]difficulty, len(list))
	for _, c := range list {
		if ctx.Err() != nil {
			return 1, nil
		}
		d, err := difficultyOf(t, g, c)
		if err != nil {
			return 0, err
		}
		difficulties[c.Move] = d
	}
	slices.SortStableFunc(list, func(a, b history.Move) int {
		return difficulties[a.Move].compare(difficulties[b.Move])
	})
	for free < len(list) && difficulties[list[free].Move].checks == difficulties[list[0].Move].checks {
		free++
	}
	return free, nil
}

func difficultyOf(t *storage.Tables, g *Game, c history.Move) (d difficulty, err error) {
	p := g.Position()
	p.Make(c.Move)
	d.repeats = g.Occurred(&p)
	if g.repetitionHelps(c.Score) && !g.OnlyChecked(&p) {
		d.repeats = -d.repeats
	}
	if (c.Score == dialect.RepetitionWin || c.Score == dialect.Drawn) && g.OnlyChecked(&p) {
		const farthest = 3
		n, err := checksToGo(t, p, farthest)
		if err != nil {
			return d, err
		}
		d.checks = 1 + n
	}
	d.keepers, err = keepers(t, p, g.Rule)
	return d, err
}

// repetitionHelps tells whether the side to move, whose moves are worth this score, is as well off or better if play repeats.
func (g *Game) repetitionHelps(score dialect.Score) bool {
	if g.Rule.Repetition != rules.FirstPlayerLoses {
		return score < dialect.Drawn
	}
	p := g.Position()
	return p.SideToMove() != g.Rule.FirstPlayer && score <= dialect.RepetitionWin
}

// keepers returns the share of the moves that keep the result of a position.
func keepers(t *storage.Tables, p rules.Position, rule storage.Adjudication) (float64, error) {
	var counts [3]int // by the result for the side that is then to move
	var room [rules.MaxMoves]rules.Move
	moves := p.Moves(room[:0])
	for _, m := range moves {
		undo := p.Make(m)
		o, err := t.Outcome(&p)
		verdict := rule.Verdict(o, p.SideToMove())
		p.Unmake(undo)
		if err != nil {
			return 0, err
		}
		counts[verdict-storage.Loss]++
	}
	for _, n := range counts { // what is worst for the next is best for the mover
		if n > 0 {
			return float64(n) / float64(len(moves)), nil
		}
	}
	return 1, nil
}

// checksToGo returns how many more checks the side that has just given check in an open position
// must give before it has another move that keeps it open, whatever the opponent does; at most
// depth are looked at.
func checksToGo(t *storage.Tables, p rules.Position, depth int) (most int, err error) {
	var room [rules.MaxMoves]rules.Move
	for _, m := range p.Moves(room[:0]) {
		undo := p.Make(m)
		o, err := t.Outcome(&p)
		n := 0
		if err == nil && o == rules.Open {
			n, err = checksFrom(t, p, depth)
		}
		p.Unmake(undo)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// checksFrom is checksToGo for the side to move.
func checksFrom(t *storage.Tables, p rules.Position, depth int) (fewest int, err error) {
	var room [rules.MaxMoves]rules.Move
	var checks []rules.Move
	for _, m := range p.Moves(room[:0]) {
		undo := p.Make(m)
		o, err := t.Outcome(&p)
		check := p.InCheck()
		p.Unmake(undo)
		switch {
		case err != nil:
			return 0, err
		case o == rules.MateLoss, o == rules.PerpetualLoss, o == rules.Open && !check:
			return 0, nil
		case o == rules.Open:
			checks = append(checks, m)
		}
	}
	fewest = depth + 1
	if depth == 0 {
		return fewest, nil
	}
	for _, m := range checks {
		undo := p.Make(m)
		n, err := checksToGo(t, p, depth-1)
		p.Unmake(undo)
		if err != nil {
			return 0, err
		}
		fewest = min(fewest, 1+n)
	}
	return fewest, nil
}
