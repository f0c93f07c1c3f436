package kif

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gogotb/rules"
	"gogotb/rules/record"
)

// String writes a game as a KIF file in UTF-8. All moves must be legal, which those that were read are. Where a game
// has variations every move has a time, known or not, because the mark of a variation stands behind one.
func String(g *record.Game) string {
	w := writer{timed: hasTimes(&g.Line)}
	w.printf("#KIF version=2.0 encoding=UTF-8\n")
	for _, c := range []rules.Color{rules.Sente, rules.Gote} {
		if name := g.Players[c]; name != "" {
			w.printf("%s：%s\n", sideName(c), name)
		}
	}
	for _, h := range g.Headers {
		w.printf("%s：%s\n", h.Key, h.Value)
	}
	w.start(&g.Start)
	w.printf("手数----指手---------消費時間--\n")
	w.line(&g.Line, reached{position: g.Start, last: rules.NoSquare})
	return w.String()
}

func sideName(c rules.Color) string {
	if c == rules.Gote {
		return "後手"
	}
	return "先手"
}

// hasTimes tells whether the moves of a game need their times written.
func hasTimes(l *record.Line) bool {
	return len(l.Variations) > 0 || slices.ContainsFunc(l.Moves, func(m record.Move) bool { return m.Time > 0 })
}

type writer struct {
	strings.Builder
	timed bool
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// start writes the first position: by name if it is the starting position, else as a diagram.
func (w *writer) start(p *rules.Position) {
	if even, err := rules.ParseSFEN(rules.StartSFEN); err == nil && p.Same(&even) {
		w.printf("%s：%s\n", handicapKey, evenName)
		return
	}
	w.WriteString(Diagram(p))
	if p.SideToMove() == rules.Gote {
		w.printf("後手番\n")
	}
}

// Diagram draws the board with the hands above and below it, as KIF files have it.
func Diagram(p *rules.Position) string {
	w := writer{}
	w.printf("後手の持駒：%s\n", handText(p.Hand(rules.Gote)))
	w.printf("  ５ ４ ３ ２ １\n+---------------+\n")
	for s := range rules.Square(rules.Squares) {
		if s.Column() == 0 {
			w.printf("|")
		}
		w.printf("%s", cellText(p.At(s)))
		if s.Column() == 4 {
			w.printf("|%s\n", rankName(s))
		}
	}
	w.printf("+---------------+\n")
	w.printf("先手の持駒：%s\n", handText(p.Hand(rules.Sente)))
	return w.String()
}

func cellText(p rules.Piece) string {
	if p == rules.NoPiece {
		return " ・"
	}
	name := kindName(p.Kind())
	if p.Kind() == rules.PromotedSilver {
		name = "全" // a square has room for one character
	}
	if p.Color() == rules.Gote {
		return "v" + name
	}
	return " " + name
}

func handText(h rules.Hand) string {
	var parts []string
	for k, n := range h {
		if n > 0 {
			name := kindName(rules.Kind(k))
			if n > 1 {
				name += kanjiDigits[(n-1)*uint8(len("一")):][:len("一")]
			}
			parts = append(parts, name)
		}
	}
	if parts == nil {
		return nothingInHand
	}
	return strings.Join(parts, "　")
}

// reached is how far a game has got.
type reached struct {
	position rules.Position
	last     rules.Square     // target of the last move, or NoSquare
	spent    [2]time.Duration // by both sides
}

// line writes the moves of a line, and then its variations, the last first.
func (w *writer) line(l *record.Line, at reached) {
	variations := slices.Clone(l.Variations)
	slices.SortStableFunc(variations, func(a, b record.Line) int { return b.Ply - a.Ply })
	leaves := map[int]bool{}
	for _, v := range variations {
		leaves[v.Ply] = true
	}
	w.comments(l.Comments)
	before := []reached{at}
	for i, m := range l.Moves {
		side := at.position.SideToMove()
		at.spent[side] += m.Time
		w.printf("%4d %s", l.Ply+i, FormatMove(&at.position, m.Move, at.last))
		if w.timed {
			w.printf("   (%s/%s)", minutes(m.Time), hours(at.spent[side]))
		}
		if leaves[l.Ply+i] {
			w.printf("+")
		}
		w.printf("\n")
		w.comments(m.Comments)
		at.position.Make(m.Move)
		at.last = m.To()
		before = append(before, at)
	}
	if l.End.Kind != record.NoEnd {
		ply := l.Ply + len(l.Moves)
		w.printf("%4d %s", ply, formatEnd(l.End))
		if leaves[ply] { // the mark needs a time to stand behind
			w.printf("   (%s/%s)+", minutes(0), hours(at.spent[at.position.SideToMove()]))
		}
		w.printf("\n")
	}
	for i := range variations {
		v := &variations[i]
		w.printf("\n%s：%d手\n", variationKey, v.Ply)
		w.line(v, before[v.Ply-l.Ply])
	}
}

func (w *writer) comments(lines []string) {
	for _, line := range lines {
		w.printf("%c%s\n", commentMark, line)
	}
}

// minutes returns the time of a move.
func minutes(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%2d:%02d", s/60, s%60)
}

// hours returns the time of all moves.
func hours(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60)
}
