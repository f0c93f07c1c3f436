package answer

import (
	"time"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// Solution is the answer of the mate solver.
type Solution struct {
	SFEN     string   `json:"sfen"`
	Category string   `json:"category"`            // win, loss, no-mate, unknown
	By       *string  `json:"by"`                  // mate; nil unless there is one
	DTM      *int     `json:"dtm"`                 // plies; the same
	MaxPlies *int     `json:"max_plies,omitempty"` // of no-mate, if that was the limit
	Line     []string `json:"line"`                // USI
	Nodes    uint64   `json:"nodes"`
	Seconds  float64  `json:"seconds"`
}

// SolutionOf returns what the mate solver has found about a position.
func SolutionOf(p *rules.Position, r *mate.Result) Solution {
	s := Solution{SFEN: p.SFEN(), Category: "unknown", Line: USI(r.Line), Nodes: r.Nodes,
		Seconds: r.Elapsed.Round(time.Microsecond).Seconds()}
	switch r.Verdict {
	case mate.MateIn:
		s.Category = "win"
	case mate.MatedIn:
		s.Category = "loss"
	case mate.NoMate:
		s.Category = "no-mate"
	case mate.NoMateWithin:
		s.Category, s.MaxPlies = "no-mate", &r.Plies
	}
	if r.Verdict == mate.MateIn || r.Verdict == mate.MatedIn {
		by := ByMate
		s.By, s.DTM = &by, &r.Plies
	}
	return s
}
