package engine

import (
	"context"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/history"
	"gogotb/rules"
	"gogotb/storage"
)

// bestLine continues after a move with best play by both sides, by the tables: to mate, or until a
// position comes back; open positions have no line. It ends early when the context does.
func bestLine(ctx context.Context, t *storage.Tables, p rules.Position, first rules.Move, rule storage.Adjudication) []rules.Move {
	line := []rules.Move{first}
	p.Make(first)
	seen := map[uint64]bool{}
	for ctx.Err() == nil && !seen[p.Key()] {
		seen[p.Key()] = true
		m, ok := bestMove(t, &p, rule)
		if !ok {
			break
		}
		line = append(line, m)
		p.Make(m)
	}
	return line
}

// bestMove returns a move that keeps the value of a position; ok is false if there is none, or it is
// not known. Of a won position only the moves to lost ones are looked at closely, whose
// values are quick to find.
func bestMove(t *storage.Tables, p *rules.Position, rule storage.Adjudication) (best rules.Move, ok bool) {
	r, err := t.Probe(p)
	if err != nil || !r.Exact || r.Value.Outcome() == rules.Open {
		return 0, false
	}
	want := history.Score(r, rule, p.SideToMove())
	q := *p
	var room [rules.MaxMoves]rules.Move
	for _, m := range p.Moves(room[:0]) {
		undo := q.Make(m)
		var s dialect.Score
		o, err := t.Outcome(&q)
		if err == nil && o.Loses() == (want > 0) {
			var r storage.Result
			if r, err = t.Probe(&q); err == nil {
				s = history.Before(history.Score(r, rule, q.SideToMove()), q.InCheck())
			}
		}
		q.Unmake(undo)
		if err != nil {
			return 0, false
		}
		if s == want {
			return m, true
		}
	}
	return 0, false
}
