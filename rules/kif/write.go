package kif

import (
	"fmt"
	"slices"
	"strings"

	"gogotb/rules"
)

// String is the game as a KIF file in UTF-8. All moves must be legal, which those that were
// read are.
func (g *Game) String() string {
	w := writer{}
	w.printf("#KIF version=2.0 encoding=UTF-8\n")
	for _, h := range g.Headers {
		w.printf("%s：%s\n", h.Key, h.Value)
	}
	w.start(&g.Start)
	w.printf("手数----指手---------消費時間--\n")
	w.line(&g.Line, g.Start, rules.NoSquare)
	return w.String()
}

type writer struct{ strings.Builder }

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// start writes the first position: by name if it is the starting position, else as a diagram.
func (w *writer) start(p *rules.Position) {
	if even, err := rules.ParseSFEN(rules.StartSFEN); err == nil && p.Same(&even) {
		w.printf("%s：5五将棋\n", handicapKey)
		return
	}
	w.WriteString(Diagram(p))
	if p.Turn() == rules.Gote {
		w.printf("後手番\n")
	}
}

// Diagram is the board with the hands above and below it, as KIF files have it.
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
	switch p.Kind() {
	case rules.PromotedSilver:
		name = "全" // a square has room for one character
	case rules.Dragon:
		name = "龍"
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

// line writes the moves of a line from position p on, and then its variations, the last first.
func (w *writer) line(l *Line, p rules.Position, last rules.Square) {
	variations := slices.Clone(l.Variations)
	slices.SortStableFunc(variations, func(a, b Line) int { return b.Ply - a.Ply })
	leaves := map[int]bool{}
	for _, v := range variations {
		leaves[v.Ply] = true
	}
	positions := []rules.Position{p}
	targets := []rules.Square{last}
	for i, m := range l.Moves {
		mark := ""
		if leaves[l.Ply+i] {
			mark = "+"
		}
		w.printf("%4d %s%s\n", l.Ply+i, FormatMove(&p, m, last), mark)
		p.Make(m)
		last = m.To()
		positions, targets = append(positions, p), append(targets, last)
	}
	if l.End != "" {
		w.printf("%4d %s\n", l.Ply+len(l.Moves), l.End)
	}
	for i := range variations {
		v := &variations[i]
		w.printf("\n%s：%d手\n", variationKey, v.Ply)
		w.line(v, positions[v.Ply-l.Ply], targets[v.Ply-l.Ply])
	}
}
