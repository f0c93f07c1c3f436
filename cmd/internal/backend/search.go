package backend

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
)

// Request is a search.
type Request struct {
	Start   rules.Position
	Moves   []rules.Move // played from there
	Among   []rules.Move // the moves to choose from; nil: all
	Lines   int          // how many of the best lines to report; 0: one
	Depth   int          // 0: no limit
	Nodes   uint64       // 0: no limit
	MoveFor time.Duration
	// Grace is how long the engine may take to answer once the context has ended.
	Grace time.Duration
}

// Info is what an engine says while it searches.
type Info struct {
	Depth int
	Line  int // 1 for the best
	Score dialect.Score
	Bound dialect.Bound // what the score is of the value
	Nodes uint64
	PV    []rules.Move // legal moves, one at least
}

// Found is what an engine has chosen.
type Found struct {
	Move   rules.Move
	Ponder rules.Move // the reply it expects; 0 if it says none
}

// AnswerError is an answer that is of no use: no move, an illegal one, or none that was to choose from.
// The engine has answered in time, and can be asked again.
type AnswerError struct {
	Answer string // what follows bestmove
	Why    string
}

func (e *AnswerError) Error() string { return fmt.Sprintf("bestmove %q: %s", e.Answer, e.Why) }

// Search searches until the engine answers, or until the context ends, when it is told to stop.
// After an *AnswerError or a *LateError it can be asked again; after any other error it must be killed.
func (e *Engine) Search(ctx context.Context, r Request, report func(Info)) (Found, error) {
	p := r.Start
	for _, m := range r.Moves {
		if err := p.Legal(m); err != nil {
			return Found{}, err
		}
		p.Make(m)
	}
	late, cancel := later(ctx, r.Grace)
	defer cancel()
	if err := e.prepare(late, &r, &p); err != nil {
		return Found{}, err
	}
	found, err := e.ask(ctx, late, cancel, e.command(r), &p, report)
	switch {
	case err != nil:
		return Found{}, err
	case p.Legal(found.Move) != nil:
		return Found{}, &AnswerError{e.dialect.Move(found.Move), p.Legal(found.Move).Error()}
	case r.Among != nil && !slices.Contains(r.Among, found.Move):
		return Found{}, &AnswerError{e.dialect.Move(found.Move), "none of the moves it was to choose from"}
	}
	p.Make(found.Move)
	if found.Ponder != 0 && p.Legal(found.Ponder) != nil {
		found.Ponder = 0
	}
	return found, nil
}

// later returns a context that ends so much later than another.
func later(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return late, func() { stop(); cancel() }
}

// settingTime is how long an engine may take to be ready for a search.
var settingTime = 2 * time.Second

// prepare sets the position up, p.
func (e *Engine) prepare(ctx context.Context, r *Request, p *rules.Position) error {
	ctx, cancel := context.WithTimeout(ctx, settingTime)
	defer cancel()
	if e.owes {
		if err := e.until(ctx, "bestmove", func(string) {}); err != nil {
			return err
		}
		e.owes = false
	}
	e.SetOption("MultiPV", strconv.Itoa(max(r.Lines, 1)))
	if err := e.process.send("%s", e.dialect.Position(&r.Start, r.Moves)); err != nil {
		return err
	}
	return e.look(ctx, p, false)
}

func (e *Engine) command(r Request) string {
	command := "go"
	if r.Depth > 0 {
		command += fmt.Sprintf(" depth %d", r.Depth)
	}
	if r.Nodes > 0 {
		command += fmt.Sprintf(" nodes %d", r.Nodes)
	}
	if r.MoveFor > 0 {
		command += fmt.Sprintf(" movetime %d", max(r.MoveFor.Milliseconds(), 1))
	}
	if command == "go" {
		command += " infinite"
	}
	if r.Among != nil { // the last: its list has no end
		command += " searchmoves " + e.dialect.Line(r.Among)
	}
	return command
}

// ask sends go, and stop when the context ends; late is when the answer must be there.
func (e *Engine) ask(ctx, late context.Context, giveUp func(), command string, p *rules.Position, report func(Info)) (Found, error) {
	if err := e.process.send("%s", command); err != nil {
		return Found{}, err
	}
	stop := context.AfterFunc(ctx, func() { e.process.send("stop") })
	defer stop()
	var heard atomic.Bool
	go e.watch(late, &heard, giveUp)
	return e.answer(late, p, report, &heard)
}

// answer reads what comes up to bestmove, and notes that something came.
func (e *Engine) answer(ctx context.Context, p *rules.Position, report func(Info), heard *atomic.Bool) (found Found, err error) {
	e.owes = true
	ended := e.until(ctx, "bestmove", func(line string) {
		heard.Store(true)
		if words := strings.Fields(line); words[0] == "bestmove" {
			e.owes = false
			found, err = e.parseBestMove(words[1:])
		} else if info, ok := e.parseInfo(words, p); ok && report != nil {
			report(info)
		}
	})
	if ended != nil {
		return Found{}, ended
	}
	return found, err
}

// silence is how long an engine may be silent in a search before it is asked whether it is still there,
// and then again before it is given up. Both protocols want isready answered at any time.
var silence = 5 * time.Second

// watch gives up an engine that has been silent too long.
func (e *Engine) watch(ctx context.Context, heard *atomic.Bool, giveUp func()) {
	asked := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(silence):
		}
		switch {
		case heard.Swap(false):
			asked = false
		case asked:
			giveUp()
			return
		default:
			e.process.send("isready")
			asked = true
		}
	}
}

func (e *Engine) parseBestMove(words []string) (found Found, err error) {
	if len(words) == 0 {
		return found, &AnswerError{"", "no move"}
	}
	if found.Move, err = e.dialect.ParseMove(words[0]); err != nil {
		return found, &AnswerError{words[0], "no move"}
	}
	if len(words) > 2 && words[1] == "ponder" {
		found.Ponder, _ = e.dialect.ParseMove(words[2]) // without, if it is no move
	}
	return found, nil
}

// parseInfo reads an info line; ok is false if it has no score, no line of legal moves, or is not understood.
func (e *Engine) parseInfo(words []string, p *rules.Position) (info Info, ok bool) {
	if words[0] != "info" {
		return info, false
	}
	info.Line = 1
	scored := false
	for i := 1; i < len(words); i++ {
		value := func() string {
			if i++; i < len(words) {
				return words[i]
			}
			return ""
		}
		var err error
		switch words[i] {
		case "string":
			return info, false
		case "depth":
			info.Depth, err = strconv.Atoi(value())
		case "multipv":
			info.Line, err = strconv.Atoi(value())
		case "nodes":
			info.Nodes, err = strconv.ParseUint(value(), 10, 64)
		case "score":
			info.Score, err = e.dialect.ParseScore(value(), value())
			scored = err == nil
		case "pv":
			info.PV = e.legalLine(words[i+1:], *p)
			return info, scored && len(info.PV) > 0
		default:
			if b, ok := dialect.ParseBound(words[i]); ok {
				info.Bound = b
			}
		}
		if err != nil {
			return info, false
		}
	}
	return info, false
}

// legalLine reads moves up to the first that is none.
func (e *Engine) legalLine(words []string, p rules.Position) (line []rules.Move) {
	for _, word := range words {
		m, err := e.dialect.ParseMove(word)
		if err != nil || p.Legal(m) != nil {
			break
		}
		line = append(line, m)
		p.Make(m)
	}
	return line
}
