package main

import (
	"fmt"
	"io"
	"strings"

	"gogotb/rules"
)

// drawBoard draws a position with both hands. Sente's pieces are capital letters and
// move up the board.
func drawBoard(w io.Writer, p *rules.Position) {
	const edge = "    +----+----+----+----+----+\n"
	var b strings.Builder
	fmt.Fprintf(&b, "    Gote's hand:  %s\n\n", handText(p, rules.Gote))
	b.WriteString("      5    4    3    2    1\n" + edge)
	for s := rules.Square(0); s < rules.Squares; s++ {
		if s.Column() == 0 {
			b.WriteString("    |")
		}
		piece := p.At(s).String()
		if p.At(s) == rules.NoPiece {
			piece = ""
		}
		fmt.Fprintf(&b, " %2s |", piece)
		if s.Column() == 4 {
			fmt.Fprintf(&b, " %d %c\n%s", s.Rank()+1, 'a'+rune(s.Rank()), edge)
		}
	}
	fmt.Fprintf(&b, "\n    Sente's hand: %s\n\n", handText(p, rules.Sente))
	io.WriteString(w, b.String())
}

// handText returns a hand with its pieces one by one.
func handText(p *rules.Position, c rules.Color) string {
	var pieces []string
	for k, n := range p.Hand(c) {
		for range n {
			pieces = append(pieces, rules.MakePiece(c, rules.Kind(k)).String())
		}
	}
	if len(pieces) == 0 {
		return "nothing"
	}
	return strings.Join(pieces, " ")
}
