package puzzle

import (
	"strconv"
	"strings"
)

// Text writes a puzzle as the line that Read reads. Its File, Line, Notes and Variations are left out.
func (p *Puzzle) Text() string {
	var b strings.Builder
	b.WriteString(p.Position.SFEN())
	for i, m := range p.Moves {
		if i == 0 {
			b.WriteString(" moves")
		}
		b.WriteString(" " + m.USI())
	}
	remark := func(parts ...string) { b.WriteString(" ; " + strings.Join(parts, " ")) }
	if p.Plies > 0 {
		remark("plies", strconv.Itoa(p.Plies))
	}
	if p.Grade != NoGrade {
		remark("grade", p.Grade.String())
	}
	if p.Last != nil {
		remark("last", p.Last.Before.SFEN(), "moves", p.Last.Move.USI())
	}
	if p.Name != "" {
		remark(oneRemark.Replace(p.Name))
	}
	return b.String()
}

// oneRemark keeps a name from being taken for something else.
var oneRemark = strings.NewReplacer(";", ",", "\n", " ", "\r", " ")
