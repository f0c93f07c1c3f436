package history

import (
	"context"
	"slices"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
	"gogotb/storage"
)

// Move is a legal move and what it comes to for the side that makes it.
type Move struct {
	Move  rules.Move
	Score dialect.Score
	Fresh storage.Result // of the position after it, for the opponent, as if nothing had been played before
}

// Moves ranks the moves of a game whose material the tables cover, best first: by their exact values, corrected for
// what the game so far makes of them. Errors are those of storage.Tables.Moves.
func Moves(ctx context.Context, t *storage.Tables, g *Game) ([]Move, error) {
	p := g.Position()
	list, err := Fresh(t, &p, g.Rule)
	if err != nil {
		return nil, err
	}
	if g.Endangered() {
		if err := correct(ctx, t, g, list); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b Move) int { return int(b.Score - a.Score) })
	return list, nil
}

// Fresh ranks the moves of a position by the tables, best first, as if nothing had been played before.
func Fresh(t *storage.Tables, p *rules.Position, rule storage.Adjudication) ([]Move, error) {
	moves, err := t.Moves(p, rule)
	if err != nil {
		return nil, err
	}
	list := make([]Move, len(moves))
	for i, m := range moves {
		after := Score(m.Result, rule, p.SideToMove().Other())
		list[i] = Move{m.Move, Before(after, p.GivesCheck(m.Move)), m.Result}
	}
	return list, nil
}

// Result returns what the position after a move of Moves comes to for the opponent in this game. What it is without
// the game stands, ranks that are not known included, unless the game changes it; a rank of 0 says that the move
// itself ends the game, by perpetual check.
func (g *Game) Result(m Move) storage.Result {
	p := g.Position()
	check := p.GivesCheck(m.Move)
	if m.Score == Before(Score(m.Fresh, g.Rule, p.SideToMove().Other()), check) {
		return m.Fresh
	}
	s := After(m.Score, check)
	wins := s > 0
	if plies, ok := s.Mate(); ok {
		return storage.Result{Value: rules.MakeValue(either(wins, rules.MateWin, rules.MateLoss), plies), Exact: true}
	}
	if rank, ok := s.Perpetual(); ok {
		return storage.Result{Value: rules.MakeValue(either(wins, rules.PerpetualWin, rules.PerpetualLoss), rank), Exact: true}
	}
	if s == dialect.MateUnknown || s == -dialect.MateUnknown {
		return storage.Result{Value: rules.MakeValue(either(wins, rules.MateWin, rules.MateLoss), 0)}
	}
	return storage.Result{Value: rules.MakeValue(rules.Open, 0), Exact: true}
}

func either(first bool, a, b rules.Outcome) rules.Outcome {
	if first {
		return a
	}
	return b
}

// Score turns a result of the tables into a score for the side to move.
func Score(r storage.Result, rule storage.Adjudication, sideToMove rules.Color) dialect.Score {
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
	switch rule.Verdict(r.Value.Outcome(), sideToMove) {
	case storage.Win:
		return dialect.RepetitionWin
	case storage.Loss:
		return -dialect.RepetitionWin
	}
	return dialect.Drawn
}

// Before returns the score of a move, given that of the position after it. The rank of a loss by perpetual check
// counts the moves that are no checks.
func Before(after dialect.Score, check bool) dialect.Score {
	s := after.Before()
	if rank, ok := s.Perpetual(); ok && s < 0 && !check {
		return -dialect.PerpetualWin(rank + 1)
	}
	return s
}

// After undoes Before.
func After(before dialect.Score, check bool) dialect.Score {
	if rank, ok := before.Perpetual(); ok && before < 0 && !check {
		return dialect.PerpetualWin(rank - 1)
	}
	return before.After()
}
