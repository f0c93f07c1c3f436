package engine

import (
	"context"
	"slices"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
	"gogotb/storage"
)

// candidate is a legal move and what it comes to for the side that makes it.
type candidate struct {
	move  rules.Move
	score dialect.Score
}

// scoreOf is a result of the tables as a score for the side to move, turn.
func scoreOf(r storage.Result, rule storage.Adjudication, turn rules.Color) dialect.Score {
	n := r.Value.Number()
	switch o := r.Value.Outcome(); {
	case o == rules.MateWin && r.Exact:
		return dialect.MateIn(n)
	case o == rules.MateWin:
		return dialect.MateUnknown
	case o == rules.MateLoss && r.Exact:
		return dialect.MatedIn(n)
	case o == rules.MateLoss:
		return -dialect.MateUnknown
	case o == rules.PerpetualWin:
		return dialect.PerpetualWin(n)
	case o == rules.PerpetualLoss:
		return -dialect.PerpetualWin(n)
	}
	switch rule.Verdict(r.Value.Outcome(), turn) {
	case storage.Win:
		return dialect.RepetitionWin
	case storage.Loss:
		return -dialect.RepetitionWin
	}
	return dialect.Drawn
}

// candidates are the moves of a position by the tables, best first, as if there were no history.
func candidates(t *storage.Tables, p *rules.Position, rule storage.Adjudication) ([]candidate, error) {
	moves, err := t.Moves(p, rule)
	if err != nil {
		return nil, err
	}
	list := make([]candidate, len(moves))
	for i, m := range moves {
		after := scoreOf(m.Result, rule, p.Turn().Other())
		list[i] = candidate{m.Move, before(after, p.GivesCheck(m.Move))}
	}
	return list, nil
}

// before is the score of a move, given that of the position after it. The rank of a loss by perpetual check
// counts the moves that are no checks.
func before(after dialect.Score, check bool) dialect.Score {
	s := after.Before()
	if rank, ok := s.Perpetual(); ok && s < 0 && !check {
		return -dialect.PerpetualWin(rank + 1)
	}
	return s
}

// after undoes before.
func after(before dialect.Score, check bool) dialect.Score {
	if rank, ok := before.Perpetual(); ok && before < 0 && !check {
		return dialect.PerpetualWin(rank - 1)
	}
	return before.After()
}

// known ranks the moves of a game whose material the tables cover, best first: by their exact values,
// corrected for what the history of the game makes of them, equal ones by what is
// hardest for the opponent. Of the first of them, free may change places. among restricts the moves if it is not nil.
func known(ctx context.Context, t *storage.Tables, g *Game, among []rules.Move) (list []candidate, free int, err error) {
	p := g.Position()
	if list, err = candidates(t, &p, g.rule); err != nil {
		return nil, 0, err
	}
	if g.endangered() {
		if err := correct(ctx, t, g, list); err != nil {
			return nil, 0, err
		}
	}
	if among != nil {
		list = slices.DeleteFunc(list, func(c candidate) bool { return !slices.Contains(among, c.move) })
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return int(b.score - a.score) })
	free, err = hardestFirst(ctx, t, g, equal(list))
	return list, free, err
}

// equal are the first moves of a list that are worth the same.
func equal(list []candidate) []candidate {
	n := 0
	for n < len(list) && list[n].score == list[0].score {
		n++
	}
	return list[:n]
}
