package serve

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// randomTime bounds the search for a position to practise.
const randomTime = 10 * time.Second

// random answers GET random: a position of a set, with a category and a distance if they are
// wanted, Sente to move.
func (s *Server) random(r *http.Request) (any, error) {
	q, err := readQuery(r, "material", "category", "dtm")
	if err != nil {
		return nil, err
	}
	m, err := q.material()
	if err != nil {
		return nil, err
	}
	category, err := q.choice("category", "win", "loss", "draw")
	if err != nil {
		return nil, err
	}
	dtm, err := q.number("dtm", 0, rules.MaxNumber, -1)
	if err != nil {
		return nil, err
	}
	set, err := s.tables.Set(m)
	if err != nil {
		return nil, err
	}
	done, err := s.heavy.enter(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(r.Context(), randomTime)
	defer cancel()
	p, err := draw(ctx, set, category, dtm)
	if err != nil {
		return nil, err
	}
	if rand.IntN(2) == 0 {
		p = p.Mirrored()
	}
	return answer.ProbeOf(s.tables, &p, storage.Adjudication{})
}

// draw finds a random position of a category ("": any), and of a distance to mate if dtm is
// not -1.
func draw(ctx context.Context, set *storage.Set, category string, dtm int) (rules.Position, error) {
	stats := set.Stats()
	material := set.Index().Material()
	if dtm < 0 {
		counts := map[string]uint64{
			"": stats.Legal, "draw": stats.Open,
			"win": stats.MateWins + stats.PerpetualWins, "loss": stats.MateLosses + stats.PerpetualLosses,
		}
		if counts[category] == 0 {
			return rules.Position{}, notFound("no-position", "%s has no position that is a %s", material, category)
		}
		return pick(ctx, set, func(v rules.Value) bool {
			verdict := storage.Adjudication{}.Verdict(v.Outcome(), rules.Sente)
			return category == "" || answer.Categories[verdict] == category
		})
	}
	switch {
	case category == "draw", category == "win" && dtm%2 == 0, category == "loss" && dtm%2 == 1:
		return rules.Position{}, badRequest("bad-parameter", "dtm: a %s has no mate in %d plies: wins are odd, losses even, draws have none", category, dtm)
	case dtm >= len(stats.Histogram) || stats.Histogram[dtm] == 0:
		return rules.Position{}, notFound("no-position", "%s has no position with a mate in %d plies; the longest win takes %d, the longest loss %d",
			material, dtm, stats.MaxWin, stats.MaxLoss)
	case !set.HasDistances():
		return rules.Position{}, notFound("no-table", "the distances of %s are not installed here", material)
	case dtm == stats.MaxWin:
		return set.Index().Unrank(stats.LongestWin)
	case dtm == stats.MaxLoss:
		return set.Index().Unrank(stats.LongestLoss)
	case dtm%2 == 0:
		return pick(ctx, set, isLoss(dtm))
	}
	// The numbers of wins are not stored. But a loss that takes one ply more has a best defence,
	// and that leads to such a win: there is one, because there is a longer win.
	p, err := pick(ctx, set, isLoss(dtm+1))
	if err != nil {
		return p, err
	}
	for _, m := range p.Moves(nil) {
		after := p
		after.Make(m)
		r, err := set.Probe(&after)
		if err != nil {
			return p, err
		}
		if r.Value == rules.MakeValue(rules.MateWin, dtm) {
			return standard(set.Index(), &after)
		}
	}
	return p, &storage.CorruptError{File: material.String(), What: "no move of a loss leads to a win of one ply less"}
}

// standard is a position with Sente to move, as the index has it.
func standard(x *index.Index, p *rules.Position) (rules.Position, error) {
	i, err := x.Rank(p)
	if err != nil {
		return *p, err
	}
	return x.Unrank(i)
}

func isLoss(dtm int) func(rules.Value) bool {
	return func(v rules.Value) bool { return v == rules.MakeValue(rules.MateLoss, dtm) }
}

// pick looks through the blocks of a table, from a random one on, for one with positions
// that are wanted, and takes one of these. It sees values as they are stored.
func pick(ctx context.Context, set *storage.Set, wanted func(rules.Value) bool) (rules.Position, error) {
	var room []rules.Value
	blocks := set.Blocks()
	from := rand.Uint64N(blocks)
	for i := range blocks {
		if err := ctx.Err(); err != nil {
			return rules.Position{}, err
		}
		first, values, err := set.Values((from+i)%blocks, room)
		if err != nil {
			return rules.Position{}, err
		}
		room = values
		if p, ok := pickFrom(set.Index(), first, values, wanted); ok {
			return p, nil
		}
	}
	return rules.Position{}, notFound("no-position", "%s has no such position", set.Index().Material())
}

func pickFrom(x *index.Index, first uint64, values []rules.Value, wanted func(rules.Value) bool) (rules.Position, bool) {
	start := rand.IntN(len(values))
	for i := range values {
		at := (start + i) % len(values)
		if !wanted(values[at]) {
			continue
		}
		p, err := x.Unrank(first + uint64(at))
		if err == nil && p.Validate() == nil { // illegal placements have any value
			return p, true
		}
	}
	return rules.Position{}, false
}
