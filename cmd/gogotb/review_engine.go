package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gogotb/cmd/internal/backend"
	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
	"gogotb/verify/review"
)

// engineFlags say which engine evaluates positions.
type engineFlags struct {
	path        string
	optionsText string
	options     []backend.Option
	nodes       uint64
}

const (
	// engineStart is how long an engine may take to start, engineGrace to answer when it is told to stop.
	engineStart = 10 * time.Second
	engineGrace = time.Second
	// engineNodes is the default of --engine-nodes.
	engineNodes = 100_000
)

func (f *engineFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.path, "engine", "", "`PATH` of an engine that evaluates what is undecided, with arguments quoted as for a shell")
	flags.StringVar(&f.optionsText, "engine-options", "", "options of the engine: name=value; name=value")
	flags.Uint64Var(&f.nodes, "engine-nodes", engineNodes, "limit of the engine's search in a position")
}

func (f *engineFlags) validate() (err error) {
	if f.options, err = backend.ParseOptions(f.optionsText); err != nil {
		return usagef("--engine-options: %w", err)
	}
	if f.nodes == 0 {
		return usagef("--engine-nodes 0: at least 1")
	}
	return nil
}

// engines are the processes of an engine, one for each worker; nil: none.
type engines struct {
	nodes uint64
	free  chan *backend.Engine // nil for one that is not started yet
	start func(context.Context) (*backend.Engine, error)

	mu  sync.Mutex
	err error
}

// start starts an engine, to know at once whether it works; the others, up to jobs, when they are needed. It is nil if none is
// asked for.
func (f *engineFlags) start(ctx context.Context, jobs int) (*engines, error) {
	if f.path == "" {
		return nil, nil
	}
	e := &engines{nodes: f.nodes, free: make(chan *backend.Engine, jobs), start: func(ctx context.Context) (*backend.Engine, error) {
		ctx, cancel := context.WithTimeout(ctx, engineStart)
		defer cancel()
		return backend.Start(ctx, f.path, f.options)
	}}
	first, err := e.start(ctx)
	if err != nil {
		return nil, fmt.Errorf("--engine: %w", err)
	}
	e.free <- first
	for range jobs - 1 {
		e.free <- nil
	}
	return e, nil
}

// close ends all engines; nobody may use one any more.
func (e *engines) close() {
	for range cap(e.free) {
		if b := <-e.free; b != nil {
			b.Close()
		}
	}
}

// failure returns the first error of an engine.
func (e *engines) failure() error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

func (e *engines) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.err = fmt.Errorf("--engine: %w", err)
	}
}

// evaluate asks an engine about a position. Puzzles, with one king, are not for engines that play games. An engine that fails is
// not asked again, and the review goes on without.
func (e *engines) evaluate(ctx context.Context, p *rules.Position) (*review.Evaluation, error) {
	if e.failure() != nil || p.King(rules.Sente) == rules.NoSquare || p.King(rules.Gote) == rules.NoSquare {
		return nil, nil
	}
	b := <-e.free
	defer func() { e.free <- b }()
	if b == nil {
		var err error
		if b, err = e.start(ctx); err != nil {
			e.fail(err)
			return nil, ctx.Err()
		}
	}
	var said *review.Evaluation
	found, err := b.Search(ctx, backend.Request{Start: *p, Nodes: e.nodes, Grace: engineGrace}, func(i backend.Info) {
		if i.Line == 1 && i.Bound == dialect.Exact {
			said = evaluationOf(i.Score)
			said.Move = i.PV[0]
		}
	})
	var useless *backend.AnswerError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &useless): // it resigns, for example
		return said, nil
	case err != nil:
		e.fail(err)
		b.Kill()
		b = nil
		return nil, nil
	}
	if said != nil {
		said.Move = found.Move
	}
	return said, nil
}

// evaluationOf reads an engine's score.
func evaluationOf(s dialect.Score) *review.Evaluation {
	e := &review.Evaluation{}
	plies, mate := s.Mate()
	switch {
	case mate && s > 0:
		e.Claims, e.Plies = review.Win, plies
	case mate:
		e.Claims, e.Plies = review.Loss, plies
	default:
		e.Centipawns = s.Centipawns()
	}
	return e
}
