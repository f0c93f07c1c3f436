package engine

import (
	"context"
	"slices"

	"gogotb/cmd/internal/history"
	"gogotb/rules"
	"gogotb/storage"
)

// known ranks the moves of a game whose material the tables cover, best first: by their exact values, corrected for
// what the history of the game makes of them, equal ones by what is hardest for the opponent. Of the first of them,
// free may change places. among restricts the moves if it is not nil.
func known(ctx context.Context, t *storage.Tables, g *Game, among []rules.Move) (list []history.Move, free int, err error) {
	if list, err = history.Moves(ctx, t, g.Game); err != nil {
		return nil, 0, err
	}
	if among != nil {
		list = slices.DeleteFunc(list, func(c history.Move) bool { return !slices.Contains(among, c.Move) })
	}
	free, err = hardestFirst(ctx, t, g, equal(list))
	return list, free, err
}

// equal returns the first moves of a list that are worth the same.
func equal(list []history.Move) []history.Move {
	n := 0
	for n < len(list) && list[n].Score == list[0].Score {
		n++
	}
	return list[:n]
}
