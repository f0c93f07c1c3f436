package answer

import (
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// Probe is a position's value and that of each of its moves, best first.
type Probe struct {
	SFEN     string `json:"sfen"`
	Material string `json:"material"`
	Value
	Moves []Move    `json:"moves"`
	Line  *[]string `json:"line,omitempty"` // best play in USI, where it is asked for
}

// Move is a move, with the value of the position after it.
type Move struct {
	USI      string `json:"usi"`
	Western  string `json:"western"`
	Japanese string `json:"japanese,omitempty"` // see NameInJapanese
	Value
}

// Failure takes the place of a position that could not be answered.
type Failure struct {
	SFEN  string `json:"sfen"`
	Error string `json:"error"`
	Refusal
}

// ProbeOf asks the tables about a position and its moves. Errors are those of
// storage.Tables.Probe.
func ProbeOf(t *storage.Tables, p *rules.Position, a storage.Adjudication) (Probe, error) {
	r, err := t.Probe(p)
	if err != nil {
		return Probe{}, err
	}
	moves, err := t.Moves(p, a)
	if err != nil {
		return Probe{}, err
	}
	return NewProbe(p, r, moves, a), nil
}

// NewProbe puts together what the tables have said about a position and its moves.
func NewProbe(p *rules.Position, r storage.Result, moves []storage.MoveResult, a storage.Adjudication) Probe {
	answer := Probe{
		SFEN:     p.SFEN(),
		Material: index.MaterialOf(p).String(),
		Value:    ValueOf(p, r, a),
		Moves:    make([]Move, len(moves)),
	}
	for i, m := range moves {
		after := *p
		after.Make(m.Move)
		answer.Moves[i] = Move{USI: m.Move.USI(), Western: p.Western(m.Move), Value: ValueOf(&after, m.Result, a)}
	}
	return answer
}

// NameInJapanese adds the names of the moves from the position p, which is the one that was probed. The fields of a probe
// are fixed, so that only who asks for these names gets them.
func (a *Probe) NameInJapanese(p *rules.Position) {
	for i := range a.Moves {
		m, err := rules.ParseUSI(a.Moves[i].USI)
		if err == nil {
			a.Moves[i].Japanese = p.Japanese(m, rules.NoSquare)
		}
	}
}
