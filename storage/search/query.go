package search

import (
	"context"
	"iter"
	"runtime"
	"slices"

	"gogotb/rules"
	"gogotb/storage"
)

// AnyNumber is the Query.Number of a query that does not ask for one.
const AnyNumber = -1

// Query says which positions are wanted. All that it asks must be met.
type Query struct {
	// Outcomes are those that a position may have; nil: any.
	Outcomes []rules.Outcome
	// Number is the plies to mate, or the rank of a win or loss by perpetual check; AnyNumber if it
	// does not matter. Open positions have none.
	Number int
	// MutualZugzwang asks for positions in which the side to move is not in check and loses, as the other side
	// would if it were to move instead.
	MutualZugzwang bool
}

// Options say how a search goes about it. The zero value is good.
type Options struct {
	Jobs int // goroutines; 0: one for each core
	// WinNumbers asks for the plies or the ranks of wins, too, where the query does not need them. It takes some
	// hundred times longer.
	WinNumbers bool
	// Progress is told how many blocks of the table have been looked at; nil: nobody is.
	Progress func(done uint64)
}

// Found is a position of the set.
type Found struct {
	Index    uint64 // in the perfect index
	Position rules.Position
	Result   storage.Result
}

// Find lists the positions that meet a query in the order of the index, some at a time, Sente to move. They stand
// for their mirror images, too. An error, of ctx or of reading the tables, ends the list. A number can be asked for
// only where Set.HasDistances.
func Find(ctx context.Context, set *storage.Set, q Query, opt Options) iter.Seq2[[]Found, error] {
	if opt.Jobs == 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	f := finder{set: set, query: q, options: opt, retracted: usualRetracted}
	return f.find(ctx)
}

type finder struct {
	set     *storage.Set
	query   Query
	options Options
	// retracted is the number of losses, as counted in statistics, from which taking back moves is slower than
	// looking at all wins.
	retracted uint64
}

// usualRetracted is finder.retracted but for tests. Taking back the moves to a position costs as much as the numbers
// of some hundred wins.
const usualRetracted = 20000

func (f *finder) find(ctx context.Context) iter.Seq2[[]Found, error] {
	q := &f.query
	perpetual := q.wants(rules.PerpetualWin) || q.wants(rules.PerpetualLoss)
	if q.wants(rules.MateWin) && !perpetual && q.Number > 0 && q.Number%2 == 1 && !q.MutualZugzwang {
		losses := f.set.Stats().Histogram
		if q.Number-1 < len(losses) && losses[q.Number-1] < f.retracted {
			return f.goBack(ctx)
		}
	}
	return f.scan(ctx)
}

// wants tells whether a position may have the outcome.
func (q *Query) wants(o rules.Outcome) bool {
	return q.Outcomes == nil || slices.Contains(q.Outcomes, o)
}

// mayBe tells whether a stored value, in which the numbers of wins are missing, can be one that is wanted.
func (q *Query) mayBe(v rules.Value) bool {
	o, n := v.Outcome(), v.Number()
	switch {
	case !q.wants(o), q.MutualZugzwang && !o.Loses():
		return false
	case q.Number == AnyNumber:
		return true
	case o == rules.Open:
		return false
	case o == rules.MateWin:
		return q.Number%2 == 1
	}
	return o == rules.PerpetualWin || n == q.Number
}
