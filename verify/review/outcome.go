package review

import (
	"gogotb/rules"
	"gogotb/rules/record"
)

// RemarkKind is what a remark about a game says.
type RemarkKind uint8

const (
	// Repeated: the position has occurred for the fourth time. Perpetual: the same, and the loser has given check with every move.
	Repeated RemarkKind = iota
	Perpetual
	// Entered: both kings stand on their far ranks, and the pieces are counted.
	Entered
	// TooLong: the game has as many plies as it may have.
	TooLong
	// PlayedOn: the game was over, and there are more moves.
	PlayedOn
	// Contradiction: the file ends the game in a way that the board does not bear out.
	Contradiction
	// GaveUpWon: the side to move gives up, or loses on time, in a position in which it mates.
	GaveUpWon
)

// remarkKinds are the words for remarks.
var remarkKinds = [...]string{
	Repeated: "repetition", Perpetual: "perpetual", Entered: "impasse", TooLong: "ply-limit", PlayedOn: "played-on",
	Contradiction: "contradiction", GaveUpWon: "gave-up-won",
}

func (k RemarkKind) String() string { return remarkKinds[min(int(k), len(remarkKinds)-1)] }

// Remark is what the rules say about a game.
type Remark struct {
	Kind RemarkKind
	// Ply is the number of moves made by then.
	Ply int
	// Status is how the game stands by the rules there.
	Status rules.Status
}

// adjudicate plays a game by the rules, notes where they end it, and what is remarkable.
func (g *game) adjudicate(options rules.GameOptions) {
	start := g.at[0].position
	options.Impasse = start.ImpassePoints(rules.Sente)+start.ImpassePoints(rules.Gote) == allPoints
	play := rules.NewGame(start, options)
	g.first = play.FirstPlayer()
	entered := false
	for ply := 0; ; ply++ {
		s := play.Status()
		over := s.Result != rules.Ongoing && s.Reason != rules.ImpasseCount
		if s.Reason == rules.ImpasseCount && !entered {
			entered = true
			g.remarks = append(g.remarks, Remark{Entered, ply, s})
		}
		if over {
			g.at[ply].ended = endedValue(s, g.at[ply].position.SideToMove())
			if kind, ok := map[rules.Reason]RemarkKind{
				rules.FourfoldRepetition: Repeated, rules.PerpetualCheck: Perpetual, rules.PlyLimitReached: TooLong,
			}[s.Reason]; ok {
				g.remarks = append(g.remarks, Remark{kind, ply, s})
			}
		}
		if over || ply == len(g.moves) {
			g.status, g.plies = s, ply
			break
		}
		if err := play.Play(g.moves[ply]); err != nil {
			break // moves of a record are legal
		}
	}
	if g.plies < len(g.moves) {
		g.remarks = append(g.remarks, Remark{PlayedOn, g.plies, g.status})
	}
}

// allPoints is what the pieces of a full set count in an impasse; with fewer, nobody can have enough.
const allPoints = 26

// endedValue returns the value of a position in which the rules have ended the game; for the side to move.
func endedValue(s rules.Status, sideToMove rules.Color) Value {
	v := unknown()
	switch s.Reason {
	case rules.Checkmate, rules.Stalemate:
		v = mated()
	case rules.PerpetualCheck:
		v.By = ByPerpetual
	default:
		v.By = ByRepetition
	}
	switch {
	case s.Result == rules.Draw:
		v.Category = Draw
	case s.Winner == sideToMove:
		v.Category = Win
	default:
		v.Category = Loss
	}
	v.ended = true
	return v
}

// holdAgainst looks whether the board bears out how the file ends a game.
func (g *game) holdAgainst(end record.End) {
	last := &g.at[len(g.moves)]
	p := &last.position
	contradicted := false
	switch end.Kind {
	case record.Checkmate:
		contradicted = p.HasMove()
	case record.Repetition:
		contradicted = g.status.Reason != rules.FourfoldRepetition
	case record.Impasse:
		contradicted = !p.KingsEntered()
	case record.EnteringWins:
		contradicted = p.King(p.SideToMove()) < rules.Squares && !rules.FarRank(p.SideToMove()).Has(p.King(p.SideToMove()))
	case record.IllegalWins:
		contradicted = true // the move before was legal, as all that were read are
	case record.PlyLimit:
		contradicted = g.status.Reason != rules.PlyLimitReached && g.limited
	}
	if winner, ok := winnerSaid(end.Kind, p.SideToMove()); ok && g.plies == len(g.moves) {
		switch g.status.Result {
		case rules.Win:
			contradicted = contradicted || winner == nil || *winner != g.status.Winner
		case rules.Draw:
			contradicted = contradicted || winner != nil
		}
	}
	if contradicted {
		g.remarks = append(g.remarks, Remark{Contradiction, len(g.moves), g.status})
	}
	if gaveUp := end.Kind == record.Resigns || end.Kind == record.OutOfTime; gaveUp && last.value.Category == Win {
		g.remarks = append(g.remarks, Remark{GaveUpWon, len(g.moves), g.status})
	}
}

// winnerSaid returns who wins by the end that a file gives, nil for a draw; ok is false if it says nothing of that.
func winnerSaid(k record.EndKind, sideToMove rules.Color) (winner *rules.Color, ok bool) {
	other := sideToMove.Other()
	switch k {
	case record.Resigns, record.Checkmate, record.OutOfTime, record.IllegalLoses, record.DefaultLoses:
		return &other, true
	case record.IllegalWins, record.EnteringWins, record.DefaultWins:
		return &sideToMove, true
	case record.Draw, record.Impasse, record.PlyLimit:
		return nil, true
	}
	return nil, false
}
