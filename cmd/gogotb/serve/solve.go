package serve

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"gogotb/cmd/internal/answer"
	"gogotb/rules"
	"gogotb/verify/mate"
)

// Limits of searches for a mate.
const (
	usualSearch   = 10 * time.Second
	longestSearch = 30 * time.Second // shared by the clients, while some wait
	longestMate   = 400              // plies that may be asked for
	searchHash    = 64 << 20         // bytes, for each that runs
	waitingPlaces = 16
	clientPlaces  = 2
	queuePatience = longestSearch + time.Second
	answerTime    = time.Second // left for an answer by a search that began late
)

// searches are the searches for mates: as many solvers as may run at a time, and the queue for
// them.
type searches struct {
	queue   *queue
	solvers chan *mate.Solver // that rest
}

func newSearches() *searches {
	// A search has one worker: the queue counts cores, and the rest of them is for quick answers.
	n := max(1, runtime.GOMAXPROCS(0)/2)
	queue := newQueue(queueLimits{
		questions: "searches", code: "too-many-searches", slots: n, places: waitingPlaces, perClient: clientPlaces,
		patience: queuePatience, longest: longestSearch,
	})
	return &searches{queue, make(chan *mate.Solver, n)}
}

// solver returns one that rests, or a new one; rest takes it back.
func (s *searches) solver() *mate.Solver {
	select {
	case solver := <-s.solvers:
		return solver
	default:
		return mate.New(searchHash)
	}
}

func (s *searches) rest(solver *mate.Solver) {
	solver.Clear() // what it knows would make answers depend on earlier questions
	s.solvers <- solver
}

// solutionReply is a solution with its line in all notations.
type solutionReply struct {
	answer.Solution
	Western  []string `json:"western"`
	Japanese []string `json:"japanese"`
	CutShort bool     `json:"cut_short,omitempty"` // it was undecided when its turn ended for others
}

// tableValue returns what asks the tables for a search; trouble with them is noted.
func (s *Server) tableValue(r *http.Request) func(*rules.Position) (rules.Value, bool) {
	return func(p *rules.Position) (rules.Value, bool) {
		known, err := s.tables.Probe(p)
		if err != nil {
			s.noteTrouble(r, err)
		}
		return known.Value, err == nil && known.Exact
	}
}

// solve answers GET solve.
func (s *Server) solve(r *http.Request) (any, error) {
	q, err := readQuery(r, "sfen", "tsume", "max_plies", "timeout")
	if err != nil {
		return nil, err
	}
	p, err := q.position()
	if err != nil {
		return nil, err
	}
	options := mate.Options{Timeout: usualSearch, Table: s.tableValue(r)}
	tsume, err := q.choice("tsume", "true", "false")
	if err != nil {
		return nil, err
	}
	options.Tsume = tsume == "true"
	if options.MaxPlies, err = q.number("max_plies", 1, longestMate, 0); err != nil {
		return nil, err
	}
	if text := q.values.Get("timeout"); text != "" {
		if options.Timeout, err = time.ParseDuration(text); err != nil || options.Timeout <= 0 || options.Timeout > longestSearch {
			return nil, badRequest("bad-parameter", "timeout: %q is not a time like 5s, %v at most", text, longestSearch)
		}
	}
	if r.Method == http.MethodHead {
		return noBody{}, nil
	}
	ctx, cancel := s.untilClosing(r.Context())
	defer cancel()
	turn, leave, err := s.searches.queue.enter(ctx, s.clientOf(r))
	if err != nil {
		return nil, s.closingError(err)
	}
	defer leave()
	wanted := options.Timeout
	if deadline, ok := ctx.Deadline(); ok {
		options.Timeout = max(time.Millisecond, min(options.Timeout, time.Until(deadline)-answerTime))
	}
	solver := s.searches.solver()
	defer s.searches.rest(solver)
	result, err := solver.Solve(turn, &p, options)
	if err == nil {
		err = ctx.Err() // it was told to end, and nobody waits for what it has
	}
	if err != nil {
		return nil, s.closingError(err)
	}
	reply := solutionReply{
		Solution: answer.SolutionOf(&p, &result), Western: answer.Western(p, result.Line), Japanese: answer.Japanese(p, result.Line),
	}
	reply.CutShort = result.Verdict == mate.Unknown && (options.Timeout < wanted || context.Cause(turn) == errOthersWait)
	return reply, nil
}
