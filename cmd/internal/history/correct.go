package history

import (
	"context"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
	"gogotb/storage"
)

// The moves of a game in which something has occurred three times are searched: positions that end the game are
// worth what the rules say, positions at the search's horizon what the tables say. The search need not go on where
// nothing can happen any more: a winner by mate who always takes the shortest way comes nearer with every ply, so
// it meets only positions nearer to mate than it is; if no position that would end the game is, the tables are
// right.

// correctionNodes is how many positions the search may expand after its first two plies,
// about a tenth of a second's work.
const correctionNodes = 300

// corrector searches for endings by repetition.
type corrector struct {
	ctx    context.Context
	tables *storage.Tables
	game   *Game
	nodes  int // positions it may still expand
	// nearest is, for each player, the fewest plies in which it mates from a position
	// that would end the game.
	nearest [2]int
}

// correct corrects the scores of moves. Two plies are always searched: no move
// that ends the game, or lets the opponent end it, is taken for what it is not.
func correct(ctx context.Context, t *storage.Tables, g *Game, list []Move) error {
	c := &corrector{ctx: ctx, tables: t, game: g}
	if err := c.findNearest(); err != nil {
		return err
	}
	fresh := make([]dialect.Score, len(list))
	for i := range list {
		fresh[i] = list[i].Score
	}
	const deepest = 8
	for depth := 1; depth <= deepest; depth++ {
		c.nodes = correctionNodes
		deeper := make([]dialect.Score, len(list))
		for i := range list {
			s, err := c.after(list[i].Move, fresh[i], depth, -dialect.MateIn(0), dialect.MateIn(0))
			if err != nil {
				return err
			}
			deeper[i] = s
		}
		if depth > 1 && (c.nodes < 0 || ctx.Err() != nil) {
			return nil
		}
		for i := range list {
			list[i].Score = deeper[i]
		}
	}
	return nil
}

// findNearest looks up the positions that would end the game.
func (c *corrector) findNearest() error {
	const never = 1 << 20
	c.nearest = [2]int{never, never}
	for i := range c.game.positions {
		p := &c.game.positions[i]
		if c.game.Occurred(p) < Last {
			continue
		}
		r, err := c.tables.Probe(p)
		if err != nil {
			return err
		}
		winner := p.SideToMove()
		switch r.Value.Outcome() {
		case rules.MateLoss:
			winner = winner.Other()
		case rules.MateWin:
		default:
			continue
		}
		c.nearest[winner] = min(c.nearest[winner], r.Value.Number())
	}
	return nil
}

// safe tells whether the history cannot change the score of a position.
func (c *corrector) safe(s dialect.Score, sideToMove rules.Color) bool {
	plies, ok := s.Mate()
	if !ok {
		return false
	}
	winner := sideToMove
	if s < 0 {
		winner = sideToMove.Other()
	}
	return plies <= c.nearest[winner]
}

// after returns the score of a move, for the one who makes it, with depth plies searched behind it.
// fresh is its score without history. The score is exact between alpha and beta, and a bound
// outside.
func (c *corrector) after(m rules.Move, fresh dialect.Score, depth int, alpha, beta dialect.Score) (dialect.Score, error) {
	g := c.game
	mover := g.Position()
	check := mover.GivesCheck(m)
	if err := g.Play(m); err != nil {
		return 0, err
	}
	defer g.Undo()
	switch status := g.Status(); {
	case status.Reason == rules.FourfoldRepetition || status.Reason == rules.PerpetualCheck:
		return EndScore(status, mover.SideToMove()), nil
	case status.Result != rules.Ongoing || depth == 0 || c.safe(fresh, mover.SideToMove()):
		return fresh, nil
	}
	s, err := c.search(After(fresh, check), depth, After(beta, check), After(alpha, check))
	return Before(s, check), err
}

// EndScore returns the score of a game that has ended by repetition, for a player.
func EndScore(s rules.Status, player rules.Color) dialect.Score {
	score := dialect.PerpetualWin(0)
	switch {
	case s.Result != rules.Win:
		return dialect.Drawn
	case s.Reason == rules.FourfoldRepetition:
		score = dialect.RepetitionWin
	}
	if s.Winner != player {
		return -score
	}
	return score
}

// search returns the score of the current position, for the side to move.
func (c *corrector) search(fresh dialect.Score, depth int, alpha, beta dialect.Score) (dialect.Score, error) {
	p := c.game.Position()
	if depth == 1 && !c.canEnd(&p) {
		return fresh, nil
	}
	if depth > 1 && (c.nodes < 0 || c.ctx.Err() != nil) {
		return fresh, nil
	}
	c.nodes--
	list, err := Fresh(c.tables, &p, c.game.Rule)
	if err != nil {
		return 0, err
	}
	best := dialect.MatedIn(0)
	for _, m := range list {
		s, err := c.after(m.Move, m.Score, depth-1, max(alpha, best), beta)
		if err != nil {
			return 0, err
		}
		if best = max(best, s); best >= beta {
			break
		}
	}
	return best, nil
}

// canEnd tells whether some move ends the game by repetition.
func (c *corrector) canEnd(p *rules.Position) bool {
	q := *p
	var room [rules.MaxMoves]rules.Move
	for _, m := range p.Moves(room[:0]) {
		undo := q.Make(m)
		n := c.game.Occurred(&q)
		q.Unmake(undo)
		if n >= Last {
			return true
		}
	}
	return false
}
