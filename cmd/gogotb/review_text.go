package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mattn/go-runewidth"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/verify/review"
)

// reviewText writes a review for people.
type reviewText struct {
	notation   string // western, japanese, usi
	thresholds review.Thresholds
	scale      float64
	last       rules.Square // target of the move before, or NoSquare
}

// Widths of the columns of moves and of what is said of them.
const (
	moveWidth    = 10
	verdictWidth = 44
	// betterShown is how many of the moves to make instead are named.
	betterShown = 3
)

// move writes the line of a move.
func (t *reviewText) move(w io.Writer, m *review.Move) error {
	move := m.USI()
	if m.Judgement != review.Illegal {
		move = t.moveText(&m.Position, m.Move, t.last)
	}
	line := fmt.Sprintf("%3d  %s  %s  %s", m.Ply, padded(move, moveWidth), padded(t.verdict(m), verdictWidth), t.better(m, t.last))
	t.last = m.To()
	_, err := fmt.Fprintln(w, strings.TrimRight(line, " "))
	return err
}

// padded fills a text up with spaces; Japanese characters are as wide as two others. Whatever the locale, the result is the same.
func padded(text string, width int) string {
	return (&runewidth.Condition{StrictEmojiNeutral: true}).FillRight(text, width)
}

func (t *reviewText) moveText(p *rules.Position, m rules.Move, last rules.Square) string {
	switch t.notation {
	case "japanese":
		return map[rules.Color]string{rules.Sente: "▲", rules.Gote: "△"}[p.SideToMove()] + p.Japanese(m, last)
	case "usi":
		return m.USI()
	}
	return p.Western(m)
}

// verdict says what there is to say of a move.
func (t *reviewText) verdict(m *review.Move) string {
	text := t.judgement(m)
	if mates := m.Judgement == review.MissedMate || m.Judgement == review.AllowedMate; mates && !m.Proved {
		text += ", not proved"
	}
	return text
}

func (t *reviewText) judgement(m *review.Move) string {
	before, after := &m.Before, &m.After
	switch m.Judgement {
	case review.MissedMate:
		return "missed a mate " + inPlies(before)
	case review.AllowedMate:
		return "allowed a mate " + inPlies(after)
	case review.Longer:
		return fmt.Sprintf("mates %s, not in %d", withMove(after), m.Mate)
	case review.Shortened:
		if m.Mate == 0 {
			return "lost, but not the longest defence"
		}
		return fmt.Sprintf("is mated %s, not in %d", withMove(after), m.Mate)
	case review.Only:
		return "the only move" + t.because(after, ", ")
	case review.Best:
		return "best" + t.because(after, ", ")
	case review.Inaccuracy, review.Mistake:
		return m.Judgement.String() + t.drop(m)
	case review.Blunder:
		switch {
		case m.Proved && before.Category == review.Win:
			return "gives the win away"
		case m.Proved:
			return "gives the draw away"
		case m.Loss == 0:
			return "loses by the rules"
		}
		return "blunder" + t.drop(m)
	case review.Illegal:
		return "illegal: " + m.Broken.String()
	}
	if text := t.because(after, ""); text != "" {
		return text
	}
	return undecided(before)
}

// because says how a move leaves the game, if that is known: for the side that moves.
func (t *reviewText) because(after *review.Value, join string) string {
	switch {
	case after.By == review.ByMate && after.Category == review.Loss && after.Most == 0:
		return join + "ends the game"
	case after.By == review.ByMate && after.Category == review.Loss:
		return join + "mates " + withMove(after)
	case after.By == review.ByMate:
		return join + "is mated " + withMove(after)
	case after.Category == review.Draw:
		return join + "a draw by repetition"
	case after.Category == review.Loss:
		return join + "wins by " + by(after)
	case after.Category == review.Win:
		return join + "loses by " + by(after)
	case after.Evaluation != nil:
		return join + chanceText(1-after.Evaluation.Chance(t.scale)) + " to win"
	}
	return ""
}

func by(v *review.Value) string {
	if v.By == review.ByPerpetual {
		return "perpetual check"
	}
	return "repetition"
}

func undecided(v *review.Value) string {
	text := "undecided"
	if v.None > 0 {
		text += fmt.Sprintf(" (no mate within %d)", v.None)
	}
	if e := v.Evaluation; e != nil && e.Claims != review.Unknown {
		text += fmt.Sprintf(", mate in %d claimed", e.Plies)
	}
	return text
}

// inPlies says how long a mate is.
func inPlies(v *review.Value) string { return lengthText(v, 0) }

// withMove says how long the mate is that a move with this value after it leads to.
func withMove(after *review.Value) string { return lengthText(after, 1) }

func lengthText(v *review.Value, more int) string {
	n, exact := v.DTM()
	if exact {
		return fmt.Sprintf("in %d", n+more)
	}
	return fmt.Sprintf("in at most %d", n+more)
}

// drop says how the chance of winning has changed.
func (t *reviewText) drop(m *review.Move) string {
	chance := m.Before.Evaluation.Chance(t.scale)
	return fmt.Sprintf(": %s, was %s", chanceText(chance-m.Loss), chanceText(chance))
}

func chanceText(x float64) string { return fmt.Sprintf("%.0f%%", math.Round(100*x)) }

// better names moves to make instead.
func (t *reviewText) better(m *review.Move, last rules.Square) string {
	var texts []string
	for _, other := range m.Better[:min(len(m.Better), betterShown)] {
		texts = append(texts, t.moveText(&m.Position, other, last))
	}
	text := strings.Join(texts, " ")
	if more := len(m.Better) - len(texts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if text != "" && m.Judgement == review.AllowedMate && !m.Proved {
		return "perhaps " + text
	}
	return text
}

// comment is what a KIF file says of a move, in lines; none if there is nothing to say.
func (t *reviewText) comment(m *review.Move) []string {
	if m.Judgement == review.OK && m.Before.Category == review.Unknown && m.After.Category == review.Unknown && m.Before.Evaluation == nil {
		return nil
	}
	text := "gogotb: " + t.verdict(m)
	if better := t.better(m, rules.NoSquare); better != "" {
		text += "; better " + better
	}
	return []string{text}
}

// summary writes what there is to say of a game as a whole.
func (t *reviewText) summary(w io.Writer, g *gameOfFile, s *review.Summary) error {
	fmt.Fprintf(w, "\n%s", capital(plies(s.Plies)))
	if text := statusText(s.Status); text != "" {
		fmt.Fprintf(w, ". %s", text)
	}
	if g.game.End.Text != "" {
		fmt.Fprintf(w, ". The file ends it with %s", g.game.End.Text)
	}
	fmt.Fprint(w, ".\n")
	for _, r := range s.Remarks {
		fmt.Fprintln(w, remarkText(&r, g.game))
	}
	fmt.Fprintln(w)
	table := newTable(w, "", "moves", "mates", "found", "shortest", "accuracy", "missed", "allowed", "shortened", "only", "inaccuracies", "mistakes", "blunders")
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		side := &s.Sides[c]
		row := []string{capital(c.String()), comma(side.Moves), comma(side.Mates), comma(side.Found), comma(side.Shortest), share(uint64(side.Found), uint64(side.Mates))}
		for _, j := range []review.Judgement{
			review.MissedMate, review.AllowedMate, review.Shortened, review.Only, review.Inaccuracy, review.Mistake, review.Blunder,
		} {
			row = append(row, comma(side.Judgements[j]))
		}
		table.row(row...)
	}
	table.flush()
	k := s.Known
	_, err := fmt.Fprintf(w, "Positions: %d by table, %d by search, %d by the engine, %d undecided.\n", k.Table, k.Search, k.Evaluated, k.Unknown)
	return err
}

// statusText says how a game stands by the rules, "" if it goes on.
func statusText(s rules.Status) string {
	loser := capital(s.Winner.Other().String())
	switch s.Reason {
	case rules.Checkmate:
		return loser + " is checkmated"
	case rules.Stalemate:
		return loser + " has no legal move, which loses"
	case rules.PerpetualCheck:
		return loser + " loses by perpetual check"
	case rules.FourfoldRepetition:
		if s.Result == rules.Draw {
			return "A draw by repetition"
		}
		return loser + " loses by repetition"
	case rules.PlyLimitReached:
		return "A draw by the limit of plies"
	}
	return ""
}

// remarkText says what the rules say about a game.
func remarkText(r *review.Remark, g *record.Game) string {
	at := fmt.Sprintf("After %s: ", plies(r.Ply))
	switch r.Kind {
	case review.Repeated:
		return at + "the position has occurred for the fourth time. " + statusText(r.Status) + "."
	case review.Perpetual:
		return at + "the position has occurred for the fourth time, and " + capital(r.Status.Winner.Other().String()) + " has given check with every move, which loses."
	case review.Entered:
		return at + "both kings have entered. " + impasseText(r.Status) + "."
	case review.TooLong:
		return at + "the limit of plies is reached, a draw."
	case review.PlayedOn:
		return at + "the game was over, and there are more moves."
	case review.Contradiction:
		return fmt.Sprintf("The file ends the game with %s, which the board does not bear out.", g.End.Text)
	}
	return fmt.Sprintf("The file ends the game with %s, and the side to move mates.", g.End.Text)
}

func impasseText(s rules.Status) string {
	if s.Result == rules.Win {
		return "By the points of the pieces " + capital(s.Winner.String()) + " wins, if neither can be mated"
	}
	return "By the points of the pieces it is undecided"
}
