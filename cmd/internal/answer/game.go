package answer

import "gogotb/rules"

// Game is how a game stands.
type Game struct {
	SFEN   string  `json:"sfen"`   // of the final position
	Result string  `json:"result"` // ongoing, win, draw, undecided
	Winner *string `json:"winner"` // sente, gote
	Reason *string `json:"reason"`
	Plies  int     `json:"plies"`
}

// GameOf tells how a game stands.
func GameOf(g *rules.Game) Game {
	p := g.Position()
	r := Game{SFEN: p.SFEN(), Plies: g.PlyCount()}
	r.Result, r.Winner, r.Reason = statusOf(g.Status())
	return r
}

func statusOf(s rules.Status) (result string, winner, reason *string) {
	if s.Result == rules.Win {
		text := s.Winner.String()
		winner = &text
	}
	if s.Reason != rules.NoReason {
		text := s.Reason.String()
		reason = &text
	}
	return s.Result.String(), winner, reason
}
