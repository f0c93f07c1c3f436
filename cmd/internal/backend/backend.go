package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
)

// Engine is a running engine, ready to search. It is for one caller at a time.
type Engine struct {
	Name string

	process *process
	dialect dialect.Dialect
	options map[string]string // its options, the lines that describe them by name
	shows   bool              // it shows its position when told d
	owes    bool              // it has not answered the last go
}

// Start starts an engine by its command line, see ParseCommand, and sees to it that it plays minishogi.
func Start(ctx context.Context, command string, options []Option) (*Engine, error) {
	e := &Engine{Name: command}
	err := e.greet(ctx, command)
	if err == nil {
		err = e.setUp(ctx, options)
	}
	if err != nil {
		if e.process != nil {
			e.process.kill()
			e.process.reap()
		}
		var wrong *CommandError
		if !errors.As(err, &wrong) { // which names it
			err = fmt.Errorf("%s: %w", command, err)
		}
		return nil, err
	}
	return e, nil
}

// Close ends the engine, after it has had a moment to end by itself.
func (e *Engine) Close() { e.process.quit() }

// Kill ends the engine at once.
func (e *Engine) Kill() { e.process.kill() }

// NewGame tells the engine that what it is asked next belongs to another game: it forgets what it has found out.
func (e *Engine) NewGame(ctx context.Context) error {
	if err := e.process.send("%snewgame", e.dialect); err != nil {
		return err
	}
	return e.synchronize(ctx, nil)
}

// greetingTime is how long an engine may take to answer usi before it is greeted with uci, for which it has three
// times as long: it may not have loaded by then.
const greetingTime = 2 * time.Second

// greet starts the program and greets it with usi, then with uci.
func (e *Engine) greet(ctx context.Context, command string) (err error) {
	for _, e.dialect = range []dialect.Dialect{dialect.USI, dialect.UCI} {
		if e.process == nil {
			if e.process, err = launch(command); err != nil {
				return err
			}
		}
		e.options = map[string]string{}
		e.process.send("%s", e.dialect)
		patience := greetingTime
		if e.dialect == dialect.UCI {
			patience *= 3
		}
		limited, cancel := context.WithTimeout(ctx, patience)
		err = e.until(limited, e.dialect.String()+"ok", func(line string) {
			words := strings.Fields(line)
			switch {
			case len(words) > 2 && words[0] == "id" && words[1] == "name":
				e.Name = strings.Join(words[2:], " ")
			case len(words) > 3 && words[0] == "option" && words[1] == "name":
				name, _, _ := strings.Cut(strings.Join(words[2:], " "), " type ")
				e.options[name] = line
			case line == dialect.USI.String()+"ok": // late: the names that count are those after uci
				clear(e.options)
			}
		})
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return err
		case errors.Is(err, errEnded): // at the sight of the first greeting, perhaps
			e.process.kill()
			e.process = nil
		}
	}
	return fmt.Errorf("it answers neither usi nor uci: %w", err)
}

// setUp sets variant and options, and looks at what the engine makes of them.
func (e *Engine) setUp(ctx context.Context, options []Option) error {
	if err := e.setVariant(); err != nil {
		return err
	}
	for _, o := range options {
		if !e.SetOption(o.Name, o.Value) { // it may know more than it says
			e.process.send("setoption name %s value %s", o.Name, o.Value)
		}
	}
	wrong := ""
	err := e.synchronize(ctx, func(line string) {
		// Fairy-Stockfish: "info string variant minishogi files 5 ranks 5 ..."
		words := strings.Fields(line)
		if len(words) > 7 && strings.HasPrefix(line, "info string variant ") && (words[5] != "5" || words[7] != "5") {
			wrong = line
		}
	})
	if err != nil {
		return err
	}
	if wrong != "" {
		return fmt.Errorf("it plays something else: %s", wrong)
	}
	return e.rehearse(ctx)
}

// rehearse lets the engine show and play the start. On a larger board every move it could make
// there has other squares than a legal one.
func (e *Engine) rehearse(ctx context.Context) error {
	p, err := rules.ParseSFEN(rules.StartSFEN)
	if err != nil {
		return err
	}
	e.process.send("%s", e.dialect.Position(&p, nil))
	if err := e.look(ctx, &p, true); err != nil {
		return err
	}
	e.process.send("go depth 1")
	found, err := e.answer(ctx, &p, nil, new(atomic.Bool))
	if err != nil {
		return err
	}
	if err := p.Legal(found.Move); err != nil {
		return fmt.Errorf("from the starting position: %w", err)
	}
	return nil
}

// look compares the position that the engine shows with the one it should have, and leaves nothing behind of what
// it said before. Engines need not know the command d: first tells whether to find out.
func (e *Engine) look(ctx context.Context, p *rules.Position, first bool) error {
	if !first && !e.shows {
		return e.synchronize(ctx, nil)
	}
	e.process.send("d")
	var wrong error
	err := e.synchronize(ctx, func(line string) {
		var q rules.Position
		var err error
		if fen, ok := strings.CutPrefix(line, "Fen: "); ok {
			q, err = dialect.ParseFEN(fen)
		} else if sfen, ok := strings.CutPrefix(line, "Sfen: "); ok {
			q, err = rules.ParseSFEN(sfen)
		} else {
			return
		}
		e.shows = true
		if err != nil || !q.Same(p) {
			wrong = fmt.Errorf("it was given %s and shows %s", p.SFEN(), line)
		}
	})
	if err != nil {
		return err
	}
	return wrong
}

// synchronize waits until the engine has done all that it was told.
func (e *Engine) synchronize(ctx context.Context, each func(line string)) error {
	e.process.send("isready")
	return e.until(ctx, "readyok", each)
}

// LateError says that an answer has not come in time. The engine may be busy, and can be asked again.
type LateError struct{ Missing string }

func (e *LateError) Error() string { return fmt.Sprintf("no %s in time", e.Missing) }

// errEnded says that the engine is no longer there.
var errEnded = errors.New("it has ended, or says something that is no line")

// until hands lines to each up to one that begins with the word last.
func (e *Engine) until(ctx context.Context, last string, each func(line string)) error {
	for {
		select {
		case <-ctx.Done():
			return &LateError{last}
		case line, ok := <-e.process.lines:
			switch {
			case !ok:
				return errEnded
			case line == last || strings.HasPrefix(line, last+" "):
				if last == "bestmove" {
					each(line)
				}
				return nil
			case each != nil:
				each(line)
			}
		}
	}
}
