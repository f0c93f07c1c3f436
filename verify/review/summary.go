package review

import (
	"gogotb/rules"
	"gogotb/rules/record"
)

// Summary is what a review says of a game as a whole.
type Summary struct {
	// Plies are the moves that were judged; all of the game unless the review was ended.
	Plies int
	// Status is how the game stands by the rules, at the ply where they end it or at the end.
	Status rules.Status
	// End is how the file ends it.
	End record.End
	// Last is the value of the last position.
	Last    Value
	Remarks []Remark
	Sides   [2]Side // by colour
	// Known counts the positions before the moves by how they were valued.
	Known Known
}

// Side counts the moves of a side.
type Side struct {
	Moves      int
	Judgements [len(judgements)]int
	// Mates are the moves where there was a mate to be found, as far as is known; Found are those that mate all the same, and
	// Shortest those of them that are as short as can be.
	Mates, Found, Shortest int
}

// Known counts positions.
type Known struct{ Table, Search, Evaluated, Unknown int }

// Accuracy returns the part of the mates that were found; ok is false where there were none.
func (s *Side) Accuracy() (part float64, ok bool) {
	return float64(s.Found) / float64(max(s.Mates, 1)), s.Mates > 0
}

// count adds a move.
func (s *Summary) count(m *Move) {
	side := &s.Sides[m.Position.SideToMove()]
	side.Moves++
	side.Judgements[m.Judgement]++
	switch {
	case m.Before.Table:
		s.Known.Table++
	case m.Before.Category != Unknown:
		s.Known.Search++
	case m.Before.Evaluation != nil:
		s.Known.Evaluated++
	default:
		s.Known.Unknown++
	}
	if m.Judgement == Illegal {
		return
	}
	s.Plies++
	if m.Before.By != ByMate || m.Before.Category != Win {
		return
	}
	side.Mates++
	if m.After.By == ByMate && m.After.Category == Loss {
		side.Found++
		if m.After.Most+1 <= m.Before.None+1 {
			side.Shortest++
		}
	}
}
