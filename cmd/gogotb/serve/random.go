package serve

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"gogotb/cmd/internal/answer"
	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage"
)

// randomTime bounds the search for a position to practise.
const randomTime = 10 * time.Second

// random answers GET random: a position of a set, with a category, what decides it and a distance if they are
// wanted, Sente to move.
func (s *Server) random(r *http.Request) (any, error) {
	q, err := readQuery(r, "material", "category", "by", "dtm")
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
	by, err := q.choice("by", answer.ByMate, answer.ByPerpetual)
	if err != nil {
		return nil, err
	}
	dtm, err := q.number("dtm", 0, rules.MaxNumber, -1)
	if err != nil {
		return nil, err
	}
	set, err := s.tables.Within(r.Context()).Set(m)
	if err != nil {
		return nil, err
	}
	want := kind{category, by, dtm}
	count, err := want.count(set)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodHead {
		return noBody{}, nil
	}
	ctx, cancel := s.untilClosing(r.Context())
	defer cancel()
	ctx, done, err := s.heavy.enter(ctx, s.clientOf(r))
	if err != nil {
		return nil, s.closingError(err)
	}
	defer done()
	ctx, cancelTime := context.WithTimeout(ctx, randomTime)
	defer cancelTime()
	p, err := newDrawer(set, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))).draw(ctx, want, count)
	if err != nil {
		return nil, s.closingError(err)
	}
	return answer.ProbeOf(s.tables.Within(ctx), &p, storage.Adjudication{})
}

// kind of position: of a category, "" for any, decided by mate or perpetual check, "" for either, and of a mate in dtm plies,
// -1 for any.
type kind struct {
	category string
	by       string
	dtm      int
}

// String names the category, or what decides it.
func (k kind) String() string {
	return strings.Join(slices.DeleteFunc([]string{k.category, k.by}, func(s string) bool { return s == "" }), " by ")
}

// count returns how many positions of a kind a set has, with mirror images; an error where there are
// none.
func (k kind) count(set *storage.Set) (uint64, error) {
	stats := set.Stats()
	material := set.Index().Material()
	if k.dtm < 0 {
		n := uint64(0)
		for outcome, count := range map[rules.Outcome]uint64{
			rules.Open: stats.Open, rules.MateWin: stats.MateWins, rules.MateLoss: stats.MateLosses,
			rules.PerpetualWin: stats.PerpetualWins, rules.PerpetualLoss: stats.PerpetualLosses,
		} {
			if k.includes(outcome) {
				n += count
			}
		}
		if n == 0 {
			return 0, notFound("no-position", "%s has no position that is a %s", material, k)
		}
		return n, nil
	}
	switch {
	case k.by == answer.ByPerpetual:
		return 0, badRequest("bad-parameter", "dtm: what is decided by perpetual check has no mate")
	case k.category == "draw", k.category == "win" && k.dtm%2 == 0, k.category == "loss" && k.dtm%2 == 1:
		return 0, badRequest("bad-parameter", "dtm: a %s has no mate in %d plies: wins are odd, losses even, draws have none", k.category, k.dtm)
	case k.dtm >= len(stats.Histogram) || stats.Histogram[k.dtm] == 0:
		return 0, notFound("no-position", "%s has no position with a mate in %d plies; the longest win takes %d, the longest loss %d",
			material, k.dtm, stats.MaxWin, stats.MaxLoss)
	case !set.HasDistances():
		return 0, notFound("no-table", "the distances of %s are not installed here", material)
	}
	return stats.Histogram[k.dtm], nil
}

// mateIn returns the value of positions with a mate in this number of plies.
func mateIn(plies int) rules.Value {
	if plies%2 == 0 {
		return rules.MakeValue(rules.MateLoss, plies)
	}
	return rules.MakeValue(rules.MateWin, plies)
}

// includes tells whether an outcome may be of the kind.
func (k kind) includes(o rules.Outcome) bool {
	if k.dtm >= 0 {
		return o == mateIn(k.dtm).Outcome()
	}
	if k.by != "" && k.by != answer.By(o) {
		return false
	}
	return k.category == "" || k.category == answer.Categories[storage.Adjudication{}.Verdict(o, rules.Sente)]
}

// weight returns how many positions an entry of the index stands for.
func weight(x *index.Index, i uint64) int {
	c := x.Cursor(i)
	return c.Weight
}
