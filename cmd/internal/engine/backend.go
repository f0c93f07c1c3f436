package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/rules"
)

// backEnd is another engine that is running, or starting, or cannot be had.
type backEnd struct {
	engine   *backend.Engine
	launch   *launch
	with     string // what of the engine's fields it was started with
	served   bool   // it was there before
	failures int    // in a row
}

// launch is the start of a back end. It may take longer than a thought, and then serves the next one.
type launch struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when these are there:
	engine *backend.Engine
	err    error
}

const (
	// startingTime is how long the back end may take to start.
	startingTime = 8 * time.Second
	// mostFailures is after how many failures in a row it is given up.
	mostFailures = 3
)

// errStarting says that there is no back end yet.
var errStarting = errors.New("it is still starting")

// Prepare starts the back end, if there is to be one, so that it does not have to be waited for later. The error
// says why it does not work; there is none if the context has ended before that is known. One that has failed since
// is started again, but not waited for.
func (e *Engine) Prepare(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.settleBackEnd()
	e.backEnd.failures = 0
	if e.backEnd.served {
		cancel()
	}
	if _, err := e.needBackEnd(ctx); err != errStarting {
		return err
	}
	return nil
}

// Launch starts the back end, if there is to be one, and does not wait for it. The channel, which is nil if nothing
// is being started, is closed when Launched knows what has come of it.
func (e *Engine) Launch() <-chan struct{} {
	options := e.settleBackEnd()
	b := &e.backEnd
	if e.BackEnd == "" || b.engine != nil || b.failures >= mostFailures {
		return nil
	}
	if b.launch == nil {
		b.launch = start(e.BackEnd, options)
	}
	return b.launch.done
}

// Launched takes over what Launch has started. The error says why it does not work; a thought may have said so before.
func (e *Engine) Launched() error {
	if e.backEnd.launch == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.needBackEnd(ctx); err != errStarting {
		return err
	}
	return nil
}

// settleBackEnd ends a back end that is no longer the one that is wanted. It returns the options of that one.
func (e *Engine) settleBackEnd() []backend.Option {
	options := append([]backend.Option{
		{Name: "Hash", Value: strconv.FormatInt(e.hash()>>20, 10)}, {Name: "Threads", Value: strconv.Itoa(max(e.Threads, 1))},
	}, e.BackEndOptions...)
	if with := fmt.Sprint(e.BackEnd, options); e.backEnd.with != with {
		e.endBackEnd()
		e.backEnd = backEnd{with: with}
	}
	return options
}

// needBackEnd returns the back end, running with the current options; nil if there is none.
func (e *Engine) needBackEnd(ctx context.Context) (*backend.Engine, error) {
	options := e.settleBackEnd()
	b := &e.backEnd
	if e.BackEnd == "" || b.engine != nil || b.failures >= mostFailures {
		return b.engine, nil
	}
	if b.launch == nil {
		b.launch = start(e.BackEnd, options)
	}
	select {
	case <-b.launch.done:
	default:
		select {
		case <-b.launch.done:
		case <-ctx.Done():
			return nil, errStarting
		}
	}
	var err error
	b.engine, err, b.launch = b.launch.engine, b.launch.err, nil
	if err != nil {
		b.failures++
	}
	b.served = b.served || err == nil
	return b.engine, err
}

func start(path string, options []backend.Option) *launch {
	ctx, cancel := context.WithTimeout(context.Background(), startingTime)
	l := &launch{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer cancel()
		l.engine, l.err = backend.Start(ctx, path, options)
		close(l.done)
	}()
	return l
}

// endBackEnd ends the back end, whatever it is doing.
func (e *Engine) endBackEnd() {
	b := &e.backEnd
	if b.launch != nil {
		b.launch.cancel()
		<-b.launch.done
		b.engine, b.launch = b.launch.engine, nil
	}
	if b.engine != nil {
		b.engine.Close()
		b.engine = nil
	}
}

// failed takes note of a failure of the back end, and ends it unless it can be asked again.
func (b *backEnd) failed(err error) (ended bool) {
	var useless *backend.AnswerError
	var late *backend.LateError
	b.failures++
	if (errors.As(err, &useless) || errors.As(err, &late)) && b.failures < mostFailures {
		return false
	}
	b.engine.Kill()
	b.engine = nil
	return true
}

// askBackEnd lets the back end choose; ok is false if there is none, or it fails. Of one whose answer does not come in
// time the best line that it has reported is taken.
func (t *thought) askBackEnd(ctx context.Context, among []rules.Move, report func(Info)) (a Answer, ok bool) {
	p := t.game.Position()
	if p.King(rules.Sente) == rules.NoSquare || p.King(rules.Gote) == rules.NoSquare {
		return a, false // puzzles are not for engines that play games
	}
	if t.limits.Budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, max(t.remaining()-t.limits.reserve(), time.Millisecond))
		defer cancel()
	}
	b, err := t.needBackEnd(ctx)
	switch {
	case err == errStarting:
		t.remark("back end: %v", err)
		return a, false
	case err != nil:
		t.alarm("back end: %v", err)
		return a, false
	}
	if b == nil {
		return a, false
	}
	r := backend.Request{
		Start: t.game.Start, Moves: t.game.Moves, Lines: t.Lines, Grace: t.limits.grace(),
		Depth: t.limits.Depth, Nodes: t.limits.Nodes,
	}
	if len(among) < p.CountMoves() || pawnDropMates(&p) {
		r.Among = among
	}
	if t.limits.Budget > 0 {
		r.MoveFor = max(t.remaining()-t.limits.reserve(), time.Millisecond)
	}
	begin := time.Now()
	var line []rules.Move // the best one so far
	found, err := b.Search(ctx, r, func(i backend.Info) {
		if i.Line == 1 {
			a.Score, line = i.Score, i.PV
		}
		report(Info{Depth: i.Depth, MultiPV: i.Line, Score: i.Score, Bound: i.Bound, Nodes: i.Nodes, Took: time.Since(begin), PV: i.PV})
	})
	if err != nil {
		say := t.remark
		if t.backEnd.failed(err) {
			say = t.alarm
		}
		say("back end: %s: %v", b.Name, err)
		var late *backend.LateError
		if errors.As(err, &late) && len(line) > 0 && slices.Contains(among, line[0]) { // it has said enough
			return answer(line, a.Score), true
		}
		return a, false
	}
	t.backEnd.failures = 0
	a.Move, a.Ponder = found.Move, found.Ponder
	return a, true
}

// pawnDropMates tells whether a pawn drop would mate, which not every engine knows to be illegal.
func pawnDropMates(p *rules.Position) bool {
	if p.HandCount(p.SideToMove(), rules.Pawn) == 0 {
		return false
	}
	for to := range rules.Square(rules.Squares) {
		var illegal *rules.IllegalMoveError
		if errors.As(p.Legal(rules.Drop(rules.Pawn, to)), &illegal) && illegal.Rule == rules.PawnDropMate {
			return true
		}
	}
	return false
}
