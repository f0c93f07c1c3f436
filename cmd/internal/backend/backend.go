package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gogotb/cmd/internal/dialect"
	"gogotb/rules"
)

// variant is the name of the game in the options of engines that know several.
const variant = "minishogi"

// Option is an option of an engine: a name and a value.
type Option struct{ Name, Value string }

// ParseOptions reads options in the form "Hash=64; Skill Level=10".
func ParseOptions(text string) ([]Option, error) {
	var options []Option
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("%q is not like name=value", part)
		}
		options = append(options, Option{name, strings.TrimSpace(value)})
	}
	return options, nil
}

// Engine is a running engine, ready to search. It is for one caller at a time.
type Engine struct {
	Name string

	process *process
	dialect dialect.Dialect
	options map[string]string // its options, the lines that describe them by name
	shows   bool              // it shows its position when told d
}

// Start starts an engine and sees to it that it plays minishogi.
func Start(ctx context.Context, path string, options []Option) (*Engine, error) {
	e := &Engine{Name: path}
	err := e.greet(ctx, path)
	if err == nil {
		err = e.setUp(ctx, options)
	}
	if err != nil {
		if e.process != nil {
			e.process.kill()
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// Close ends the engine, after it has had a moment to end by itself.
func (e *Engine) Close() { e.process.quit() }

// Kill ends the engine at once.
func (e *Engine) Kill() { e.process.kill() }

// greetingTime is how long an engine may take to answer usi before it is greeted with uci, for which it has three
// times as long: it may not have loaded by then.
const greetingTime = 2 * time.Second

// greet starts the program and greets it with usi, then with uci.
func (e *Engine) greet(ctx context.Context, path string) (err error) {
	for _, e.dialect = range []dialect.Dialect{dialect.USI, dialect.UCI} {
		if e.process == nil {
			if e.process, err = launch(path); err != nil {
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
	for _, name := range []string{"UCI_Variant", "USI_Variant"} {
		line, ok := e.options[name]
		if !ok {
			continue
		}
		if words := strings.Fields(line); contains(words, "var") && !contains(words, variant) {
			return fmt.Errorf("its option %s does not know %s", name, variant)
		}
		e.process.send("setoption name %s value %s", name, variant)
	}
	for _, o := range options {
		e.process.send("setoption name %s value %s", o.Name, o.Value)
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

// SetOption sets an option that the engine may have; it reports false if it has none of that name.
func (e *Engine) SetOption(name, value string) bool {
	if _, ok := e.options[name]; !ok {
		return false
	}
	return e.process.send("setoption name %s value %s", name, value) == nil
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
	found, err := e.answer(ctx, &p, nil, nil)
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

// errEnded says that the engine is no longer there.
var errEnded = errors.New("it has ended, or says something that is no line")

// until hands lines to each up to one that begins with the word last.
func (e *Engine) until(ctx context.Context, last string, each func(line string)) error {
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("no %s in time", last)
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

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}
