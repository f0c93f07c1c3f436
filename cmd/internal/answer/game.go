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
	p, s := g.Position(), g.Status()
	r := Game{SFEN: p.SFEN(), Result: s.Result.String(), Plies: g.PlyCount()}
	if s.Result == rules.Win {
		winner := s.Winner.String()
		r.Winner = &winner
	}
	if s.Reason != rules.NoReason {
		reason := s.Reason.String()
		r.Reason = &reason
	}
	return r
}
