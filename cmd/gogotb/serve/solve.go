package serve

import (
	"context"
	"math"
	"net/http"
	"net/netip"
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

// progressReply is how far a search has got.
type progressReply struct {
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	None    *int    `json:"none"` // neither side mates within so many plies; nil: in no number
	Most    *int    `json:"most"` // there is a mate within so many plies; nil if none is proved
}

func progressOf(p mate.Progress) progressReply {
	reply := progressReply{Nodes: p.Nodes, Seconds: p.Elapsed.Round(time.Millisecond).Seconds()}
	if p.Bounds.None != math.MaxInt {
		reply.None = &p.Bounds.None
	}
	if p.Bounds.Most >= 0 {
		reply.Most = &p.Bounds.Most
	}
	return reply
}

// tableValue returns what asks the tables for a search; trouble with them is noted.
func (s *Server) tableValue(r *http.Request) func(*rules.Position) (rules.Value, bool) {
	return func(p *rules.Position) (rules.Value, bool) {
		known, err := s.tables.Within(r.Context()).Probe(p)
		if err != nil {
			s.noteTrouble(r, err)
		}
		return known.Value, err == nil && known.Exact
	}
}

// solveQuestion is a question to the solver.
type solveQuestion struct {
	position rules.Position
	options  mate.Options
	client   netip.Prefix
	unasked  bool
}

// solve answers GET solve: with the solution, or with a stream of how far it has got that ends with it.
func (s *Server) solve(r *http.Request) (any, error) {
	q, err := readQuery(r, "sfen", "tsume", "max_plies", "timeout", "progress", "unasked")
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
	progress, err := q.choice("progress", "true", "false")
	if err != nil {
		return nil, err
	}
	unasked, err := q.choice("unasked", "true", "false")
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodHead {
		return noBody{}, nil
	}
	question := solveQuestion{p, options, s.clientOf(r), unasked == "true"}
	if progress == "true" {
		return s.solveStream(question), nil
	}
	return s.answerSolve(r.Context(), question)
}

// solveStream sends how far a search has got, and what it has found. A client that is slow to read misses some of it, and does
// not hold the search up.
func (s *Server) solveStream(question solveQuestion) stream {
	return func(ctx context.Context, send func(any) error) error {
		ctx, cancel := context.WithTimeout(ctx, s.limits.answer)
		defer cancel()
		news, sent := make(chan mate.Progress, 1), make(chan error, 1)
		question.options.Progress = func(p mate.Progress) {
			select {
			case news <- p:
			default:
			}
		}
		go func() {
			var err error
			for p := range news {
				if err == nil {
					err = send(progressOf(p))
				}
			}
			sent <- err
		}()
		reply, err := s.answerSolve(ctx, question)
		close(news)
		if e := <-sent; err == nil {
			err = e
		}
		if err != nil {
			return err
		}
		return send(reply)
	}
}

// answerSolve waits for a turn and searches.
func (s *Server) answerSolve(ctx context.Context, question solveQuestion) (any, error) {
	p, options := question.position, question.options
	ctx, cancel := s.untilClosing(ctx)
	defer cancel()
	turn, leave, err := s.searches.queue.enterAs(ctx, question.client, question.unasked)
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
