package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/history"
	"gogotb/cmd/internal/inventory"
	"gogotb/rules"
	"gogotb/storage"
)

// Engine thinks about one position at a time. The zero value works: it has nothing but its own search.
// Fields may be changed between thoughts.
type Engine struct {
	Tables *storage.Tables // nil: none
	Hash   int64           // bytes for the mate solver, and for the own search; 0: 16 MiB
	Lines  int             // how many of the best lines to report; 0: one
	// MateShare is how many percent of a core the mate solver may take while another search works; 0: it does not run then.
	MateShare int
	// Jobs is the number of cores for the mate solver while nothing else works; 0: one.
	Jobs int
	// BackEnd is the command line of another engine, see backend.ParseCommand; empty: none. It is started when first
	// needed, with these options, and with Hash and Threads.
	BackEnd        string
	BackEndOptions []backend.Option
	Threads        int // for the back end; 0: one
	// Source opens addresses among the folders of tables, see storage.Options; nil: there can be none.
	Source func(address string) (storage.Source, error)
	// Remark is told which tables are found, and which are passed over, a line at a time; nil: nobody is.
	Remark func(line string)

	opened  string // what OpenTables was told
	backEnd backEnd

	solver    solver
	table     []entry
	tableHash int64
}

const defaultHash = 16 << 20

func (e *Engine) hash() int64 {
	if e.Hash <= 0 {
		return defaultHash
	}
	return e.Hash
}

// Limits bound a thought. Zero values do not.
type Limits struct {
	Budget time.Duration // how long to think
	Slack  time.Duration // how much longer the answer may take if a back end does not stop when told to
	Later  time.Duration // how long to think from a moment that is yet to come; see LaterEnd
	Depth  int           // plies
	Nodes  uint64
	Among  []rules.Move // the moves to choose from; if none of them is legal: all
	Mate   int          // plies: only a mate in as many, or fewer, is of interest
}

// time returns how long to think, now or later; 0 if there is no limit.
func (l Limits) time() time.Duration { return max(l.Budget, l.Later) }

// grace returns how long a back end has to stop once it is told to, on a busy machine.
func (l Limits) grace() time.Duration {
	const most = 500 * time.Millisecond
	if t := l.time(); t > 0 {
		return min(most, max(t, l.Slack)/10)
	}
	return most
}

// reserve returns what a back end does not get of the time: as much of the grace as there is no slack for.
func (l Limits) reserve() time.Duration { return max(0, l.grace()-l.Slack) }

// LaterEnd returns when the context has to end, counted from when the time Later begins.
func (l Limits) LaterEnd() time.Duration { return l.Later - l.reserve() }

// Info is what is found on the way.
type Info struct {
	Text     string // a remark, alone
	Alarm    bool   // people should see it
	Depth    int    // plies
	MultiPV  int    // 1 for the best line
	Score    dialect.Score
	Bound    dialect.Bound // what the score is of the value
	Nodes    uint64
	TBHits   uint64
	Duration time.Duration // since the beginning of the thought
	Took     time.Duration // what the nodes took, if a search counted them
	PV       []rules.Move
}

// Answer is the move chosen.
type Answer struct {
	Move   rules.Move
	Ponder rules.Move // the reply expected; 0 if none is
	None   bool       // there is no legal move
	Score  dialect.Score
}

// OpenTables takes tables from folders, which are separated as in PATH, unless they are open. An empty
// path stands for none.
func (e *Engine) OpenTables(path string) error {
	wanted := fmt.Sprint(e.Hash, path)
	if e.opened == wanted {
		return nil
	}
	e.closeTables()
	if path == "" {
		return nil
	}
	dirs := storage.SplitList(path)
	remark := e.Remark
	t, err := storage.Open(dirs, &storage.Options{CacheBytes: e.Hash, Source: e.Source, Warn: func(w storage.Warning) {
		if remark != nil {
			remark(w.String())
		}
	}})
	if err != nil {
		return err
	}
	e.Tables, e.opened = t, wanted
	e.sayFound(dirs)
	return nil
}

// How long tables that are not on this machine are waited for where there is no clock: to answer, and to be listed.
const (
	patience     = 10 * time.Second
	listPatience = 2 * time.Second
)

// sayFound tells which tables there are, once they are open.
func (e *Engine) sayFound(dirs []string) {
	if e.Remark == nil {
		return
	}
	if err := inventory.Folders(dirs); err != nil {
		e.Remark(err.Error())
	}
	ctx, cancel := context.WithTimeout(context.Background(), listPatience)
	defer cancel()
	line, flaws := inventory.Sets(e.Tables.Within(ctx))
	e.Remark(line)
	for _, err := range flaws {
		if errors.Is(err, context.DeadlineExceeded) {
			err = unanswered(listPatience)
		}
		e.Remark(err.Error())
	}
}

// closeTables closes what OpenTables has opened.
func (e *Engine) closeTables() {
	if e.opened != "" {
		e.Tables.Close()
		e.Tables, e.opened = nil, ""
	}
}

// Close closes tables that OpenTables has opened, and ends the back end.
func (e *Engine) Close() {
	e.closeTables()
	e.endBackEnd()
}

// Think chooses a move. It ends when the budget is used up, or when the context ends, and then still has an answer;
// a back end that does not stop may take the slack, too. It calls report from this goroutine.
func (e *Engine) Think(ctx context.Context, g *Game, limits Limits, report func(Info)) Answer {
	t := &thought{Engine: e, game: g, limits: limits, begin: time.Now(), report: report}
	if limits.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, t.begin.Add(limits.Budget))
		defer cancel()
	}
	p := g.Position()
	t.moves = p.Moves(nil)
	if slices.ContainsFunc(t.moves, func(m rules.Move) bool { return slices.Contains(limits.Among, m) }) {
		t.moves = slices.DeleteFunc(t.moves, func(m rules.Move) bool { return !slices.Contains(limits.Among, m) })
	}
	if len(t.moves) == 0 {
		t.info(Info{Score: dialect.MatedIn(0)})
		return Answer{None: true, Score: dialect.MatedIn(0)}
	}
	if a, ok := t.known(ctx); ok {
		return a
	}
	return t.unknown(ctx)
}

// thought is a call of Think.
type thought struct {
	*Engine
	game   *Game
	limits Limits
	begin  time.Time
	report func(Info)
	moves  []rules.Move // to choose from
}

func (t *thought) info(i Info) {
	i.MultiPV = max(i.MultiPV, 1)
	i.Duration = time.Since(t.begin)
	t.report(i)
}

func (t *thought) remark(format string, args ...any) {
	t.report(Info{Text: fmt.Sprintf(format, args...)})
}

func (t *thought) alarm(format string, args ...any) {
	t.report(Info{Text: fmt.Sprintf(format, args...), Alarm: true})
}

// remaining returns what is left of the budget; 0 if there is none.
func (t *thought) remaining() time.Duration {
	if t.limits.Budget == 0 {
		return 0
	}
	return max(time.Until(t.begin.Add(t.limits.Budget)), time.Millisecond)
}

// answer returns a line as an answer.
func answer(line []rules.Move, score dialect.Score) Answer {
	a := Answer{Move: line[0], Score: score}
	if len(line) > 1 {
		a.Ponder = line[1]
	}
	return a
}

// known answers from the tables; ok is false if they do not cover the material.
func (t *thought) known(ctx context.Context) (a Answer, ok bool) {
	if t.Tables == nil {
		return a, false
	}
	list, free, err := t.askTables(ctx)
	if err != nil {
		if !errors.Is(err, storage.ErrNotCovered) && ctx.Err() == nil {
			t.remark("%v", err)
		}
		return a, false
	}
	p := t.game.Position()
	lines := min(max(t.Lines, 1), len(list))
	hits := uint64(len(list))
	for i, c := range list[:lines] {
		t.info(Info{Depth: 1, MultiPV: i + 1, Score: c.Score, TBHits: hits, Nodes: hits, PV: []rules.Move{c.Move}})
	}
	var chosen Info // by a search, with its line
	if free > 1 && !settled(list[0].Score) {
		chosen = t.choose(ctx, list[:free])
	}
	limited, cancel := t.lineTime(ctx)
	defer cancel()
	first := chosen.PV
	for i, c := range list[:lines] {
		if i == 0 && len(first) > 0 {
			t.info(chosen)
			list[0].Score = chosen.Score
			continue
		}
		line := bestLine(limited, t.Tables.Within(limited), p, c.Move, t.game.Rule)
		hits += uint64(len(line))
		t.info(Info{Depth: len(line), MultiPV: i + 1, Score: c.Score, TBHits: hits, Nodes: hits, PV: line})
		if i == 0 {
			first = line
		}
	}
	return answer(first, list[0].Score), true
}

// askTables ranks the moves by the tables. Where these are far away, there is time left to search without them.
func (t *thought) askTables(ctx context.Context) (list []history.Move, free int, err error) {
	limit := patience
	if t.limits.Budget > 0 {
		limit = min(limit, t.remaining()/2)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tables := t.Tables.Within(limited)
	if tables == t.Tables { // all of them are here
		limited = ctx
	}
	list, free, err = known(limited, tables, t.game, t.moves)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = unanswered(limit)
	}
	return list, free, err
}

func unanswered(in time.Duration) error {
	return fmt.Errorf("the tables have not answered in %v", in.Round(time.Millisecond))
}

// settled tells whether moves of this score need no search to choose among: all that is known
// of a decided game, but for mates of unknown length.
func settled(s dialect.Score) bool {
	_, mate := s.Mate()
	_, perpetual := s.Perpetual()
	return mate || perpetual
}

// lineTime bounds what is spent on lines: half of what is left, and not much if nothing bounds the thought.
func (t *thought) lineTime(ctx context.Context) (context.Context, context.CancelFunc) {
	const most = 3 * time.Second
	limit := most
	if t.limits.Budget > 0 {
		limit = min(most, t.remaining()/2)
	}
	return context.WithTimeout(ctx, limit)
}

// choose puts first, of moves that are worth the same, the one that a search likes best: that of the back end, or
// for wins of unknown length the mate solver's or the own. It returns what was found, with its line, or nothing.
func (t *thought) choose(ctx context.Context, best []history.Move) (found Info) {
	moves := make([]rules.Move, len(best))
	for i, c := range best {
		moves[i] = c.Move
	}
	found = t.search(ctx, moves, best[0].Score)
	if len(found.PV) == 0 {
		return Info{}
	}
	i := slices.Index(moves, found.PV[0])
	c := best[i]
	copy(best[1:i+1], best[:i])
	best[0] = c
	return found
}

// search chooses among moves of a known score.
func (t *thought) search(ctx context.Context, moves []rules.Move, score dialect.Score) (found Info) {
	keep := func(i Info) {
		if i.MultiPV == 1 {
			i.Score, i.Bound = score, dialect.Exact
			found = i
		}
	}
	others := func(ctx context.Context) (Answer, bool) {
		a, ok := t.askBackEnd(ctx, moves, func(i Info) {
			if keep(i); i.MultiPV == 1 {
				t.info(found)
			}
		})
		if !ok && score == dialect.MateUnknown {
			a, ok = t.searchOwn(ctx, moves, 1, keep), true
		}
		return a, ok
	}
	var a Answer
	var ok bool
	if score == dialect.MateUnknown {
		t.moves = moves // a mate has to begin with one of them
		a, ok = t.besideMates(ctx, func(i Info) { found = i }, others)
	} else {
		a, ok = others(ctx)
	}
	switch {
	case !ok:
		return Info{}
	case len(found.PV) == 0 || found.PV[0] != a.Move: // it chose without a word, or changed its mind
		found = Info{Depth: 1, Score: score, PV: []rules.Move{a.Move}}
		if a.Ponder != 0 {
			found.PV = append(found.PV, a.Ponder)
		}
	}
	return found
}
