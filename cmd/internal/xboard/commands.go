package xboard

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
)

// obey does what a command says; false is to quit.
func (s *Session) obey(line string) bool {
	command, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch command {
	case "quit":
		return false
	case "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "otim", "bk", "draw", "nps", "pause", "resume":
	case "protover":
		s.features()
	case "ping":
		if s.search != nil && !s.search.endless {
			s.pings = append(s.pings, rest)
		} else {
			s.say("pong %s", rest)
		}
	case "post":
		s.post = true
	case "nopost":
		s.post = false
	case "hard":
		s.ponder = true
		s.carryOn()
	case "easy":
		s.ponder = false
		s.stopPondering()
	case "time":
		s.setTime(&s.clock.remaining, rest, 10*time.Millisecond)
	case "st":
		s.setTime(&s.clock.perMove, rest, time.Second)
	case "level":
		if err := s.clock.level(strings.Fields(rest)); err != nil {
			s.say("Error (%v): %s", err, line)
		}
	case "sd":
		if n, err := strconv.Atoi(rest); err == nil && n >= 0 {
			s.depth = n
		} else {
			s.say("Error (not a number): %s", line)
		}
	case "?":
		if s.search != nil && !s.search.endless {
			s.search.cancel()
		}
	case ".":
		s.status()
	case "hint":
		if s.search == nil && s.refused == nil {
			if m, ok := s.suggest(); ok {
				s.say("Hint: %s", moveText(m))
			}
		}
	case "usermove":
		s.userMove(rest)
	default:
		if _, err := parseMove(command); err == nil {
			s.userMove(command)
			break
		}
		s.change(command, rest, line)
	}
	return true
}

// change obeys the commands that end a search.
func (s *Session) change(command, rest, line string) {
	var do func() error
	switch command {
	case "new":
		do = func() error { repetition := s.game.repetition; s.reset(); s.game.repetition = repetition; return nil }
	case "variant":
		do = func() error { return s.variant(rest) }
	case "force":
		do = func() error { s.mode = forced; return nil }
	case "result":
		do = func() error { s.mode = forced; return nil }
	case "go":
		do = func() error { s.mode, s.side = playing, s.game.sideToMove(); return nil }
	case "playother":
		do = func() error { s.mode, s.side = playing, s.game.sideToMove().Other(); return nil }
	case "analyze":
		do = func() error { s.mode = analyzing; return nil }
	case "exit":
		do = func() error { s.mode = forced; return nil }
	case "setboard":
		do = func() error { return s.setBoard(rest) }
	case "undo":
		do = func() error { return s.takeBack(1) }
	case "remove":
		do = func() error { return s.takeBack(2) }
	case "option":
		do = func() error { return s.option(rest) }
	case "memory":
		do = func() error { return s.memory(rest) }
	case "cores":
		do = func() error { return s.setCores(rest) }
	default:
		s.say("Error (unknown command): %s", line)
		return
	}
	s.abort()
	if s.refused != nil && slices.Contains([]string{"go", "playother", "analyze", "undo", "remove"}, command) {
		do = func() error { return s.noPosition() }
	}
	if err := do(); err != nil {
		s.say("Error (%v): %s", err, line)
	}
	s.carryOn()
}

// noPosition returns the error of what needs a position where one was refused: to play on, on another board than
// the user's, would be worse than not to play.
func (s *Session) noPosition() error { return fmt.Errorf("no position: %w", s.refused) }

func (s *Session) setTime(t *time.Duration, text string, unit time.Duration) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > -1e9 && n < 1e9) {
		s.say("Error (not a time): %s", text)
		return
	}
	*t = max(time.Duration(n*float64(unit)), time.Millisecond)
}

func (s *Session) variant(name string) error {
	if !knownVariant(name) {
		s.refused = fmt.Errorf("this engine plays %s only", variants)
		return s.refused
	}
	s.setup()
	return nil
}

// userMove makes a move of the opponent.
func (s *Session) userMove(text string) {
	m, err := parseMove(text)
	switch {
	case err != nil:
		s.say("Illegal move: %s", text)
		return
	case s.refused != nil:
		s.say("Illegal move (%v): %s", s.noPosition(), text)
		return
	case s.mode == playing && s.game.sideToMove() == s.side:
		s.say("Illegal move (it is not your turn): %s", text)
		return
	}
	if s.mode == analyzing {
		s.abort()
	}
	if err := s.game.play(m); err != nil {
		s.say("Illegal move (%s): %s", whyIllegal(err), text)
	} else {
		if s.pondering != nil && m == s.hint {
			s.ponderHit()
		}
		s.stopPondering()
		s.hint = 0
		s.announce()
	}
	s.carryOn()
}

func (s *Session) setBoard(fen string) error {
	p, err := dialect.ParseFEN(fen)
	if s.refused = err; err != nil {
		s.say("tellusererror Illegal position: %v", err)
		return nil
	}
	s.game = game{start: p, repetition: s.game.repetition}
	s.hint = 0
	return nil
}

// takeBack takes moves back. Whoever the engine played for, it still does.
func (s *Session) takeBack(moves int) error {
	if !s.game.undo(moves) {
		return errors.New("fewer moves were played")
	}
	s.hint = 0
	return nil
}

// option obeys "option NAME=VALUE".
func (s *Session) option(text string) error {
	name, value, _ := strings.Cut(text, "=")
	switch name {
	case "TablePath":
		s.tablePath = value
	case "MultiPV":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxMultiPV {
			return fmt.Errorf("not a number from 1 to %d", maxMultiPV)
		}
		s.engine.Lines = n
	case "Repetition":
		r, err := rules.ParseRepetition(value)
		if err == nil && r == rules.Inventor {
			err = fmt.Errorf("there are no tables for it")
		}
		if err != nil {
			return err
		}
		s.game.repetition = r
	case "Move Overhead":
		n, err := strconv.Atoi(value)
		if most := int(engine.MaxOverhead.Milliseconds()); err != nil || n < 0 || n > most {
			return fmt.Errorf("not a number from 0 to %d", most)
		}
		s.overhead = time.Duration(n) * time.Millisecond
	case "MateShare":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 100 {
			return fmt.Errorf("not a number from 0 to 100")
		}
		s.engine.MateShare = n
	case "EnginePath":
		s.engine.BackEnd = value
		s.forgetTold() // whoever gives the same again wants to know again
		s.launch()
	case "EngineOptions":
		list, err := backend.ParseOptions(value)
		if err != nil {
			return err
		}
		s.engine.BackEndOptions = list
		s.launch()
	default:
		return fmt.Errorf("no such option")
	}
	return nil
}

// memory obeys "memory N", in MiB.
func (s *Session) memory(text string) error {
	const most = 4096
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("not a size")
	}
	s.engine.Hash = int64(min(n, most)) << 20
	s.launch()
	return nil
}

// setCores obeys "cores N".
func (s *Session) setCores(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("not a number of cores")
	}
	s.engine.Threads = n
	s.launch()
	return nil
}

// launch starts the back end as it is to be now, if there is to be one, so that the user learns soon whether it works.
func (s *Session) launch() { s.launched = s.engine.Launch() }
