package usi

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
)

// Session is a conversation with a program that has a board.
type Session struct {
	name    string
	dialect dialect.Dialect
	options options
	engine  engine.Engine
	start   rules.Position
	moves   []rules.Move
	refused error   // why there is no position; nil if there is one
	search  *search // nil if none is on

	mu  sync.Mutex // for out
	out io.Writer
}

// New is a session of an engine with a name and a version, with tables in the given folders.
func New(name string, folders []string, out io.Writer) *Session {
	s := &Session{name: name, options: defaults(folders), out: out}
	s.engine.Remark = func(line string) { s.remark("%s", line) }
	s.start, s.refused = rules.ParseSFEN(rules.StartSFEN)
	return s
}

// Run obeys commands until quit, or until there are no more; then a search that ends by itself is
// waited for. The error is one of reading.
func (s *Session) Run(in io.Reader) error {
	defer s.engine.Close()
	commands := bufio.NewReader(in)
	for {
		line, err := commands.ReadString('\n')
		if !s.obey(strings.Fields(line)) {
			s.stop()
			return nil
		}
		if err == nil {
			continue
		}
		if s.search != nil && s.search.endless {
			s.stop()
		}
		s.wait()
		if err == io.EOF {
			return nil
		}
		return err
	}
}

// say writes a line.
func (s *Session) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...)
}

// remark writes a line for people.
func (s *Session) remark(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.say("info string %s", strings.Join(strings.Fields(text), " "))
}

// obey does what a command says; false is to quit. Words in front of a command that is known are passed
// over, as both protocols ask for.
func (s *Session) obey(words []string) bool {
	for len(words) > 0 {
		word, rest := words[0], words[1:]
		switch word {
		case "quit":
			return false
		case "usi":
			s.introduce(dialect.USI)
		case "uci":
			s.introduce(dialect.UCI)
		case "isready":
			s.ready()
		case "setoption":
			s.setOption(rest)
		case "position":
			s.position(rest)
		case "go":
			s.think(rest)
		case "stop", "gameover":
			s.stop()
		case "ponderhit":
			s.ponderhit()
		case "usinewgame", "ucinewgame", "debug", "register":
		default:
			words = rest
			continue
		}
		return true
	}
	return true
}

func (s *Session) introduce(d dialect.Dialect) {
	s.dialect = d
	s.say("id name %s", s.name)
	s.say("id author the gogotb developers")
	for _, line := range s.options.describe(d) {
		s.say("option %s", line)
	}
	s.say("%sok", d)
}

// ready answers isready. A search that is on goes on; otherwise this is the time for what takes
// long.
func (s *Session) ready() {
	if !s.searching() {
		s.configure()
		if err := s.engine.Prepare(); err != nil {
			s.remark("back end: %v", err)
		}
	}
	s.say("readyok")
}

// position reads a position. If it is refused there is none: playing on from another would be worse
// than resigning.
func (s *Session) position(words []string) {
	start, moves, err := s.dialect.ParsePosition(words)
	if err == nil {
		_, err = engine.NewGame(start, moves, s.options.repetition)
	}
	s.start, s.moves, s.refused = start, moves, err
	if err != nil {
		s.remark("%v", err)
	}
}
