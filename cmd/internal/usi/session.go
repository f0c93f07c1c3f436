package usi

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
	"gogotb/storage"
)

// Session is a conversation with a program that has a board.
type Session struct {
	name    string
	dialect dialect.Dialect
	options options
	engine  engine.Engine
	start   rules.Position
	moves   []rules.Move
	refused error           // why there is no position; nil if there is one
	ctx     context.Context // of everything that may take long; ends when the conversation is to end
	search  *search         // nil if none is on

	mu  sync.Mutex // for out
	out io.Writer
}

// New returns a session of an engine with a name and a version, with tables in the given folders.
func New(name string, folders []string, out io.Writer) *Session {
	s := &Session{name: name, options: defaults(folders), out: out}
	s.engine.Remark = func(line string) { s.remark("%s", line) }
	s.start, s.refused = rules.ParseSFEN(rules.StartSFEN)
	return s
}

// SetJobs sets the number of cores for the mate solver while nothing else works; one without it.
func (s *Session) SetJobs(n int) { s.engine.Jobs = n }

// SetSource sets what opens addresses among the folders of tables; without it there can be none.
func (s *Session) SetSource(open func(address string) (storage.Source, error)) {
	s.engine.Source = open
}

// Run obeys commands until quit, or until there are no more. Either ends what is being done at once, though
// commands may be left: the answer to a search is then what has been found so far. The error is one of reading.
func (s *Session) Run(in io.Reader) error {
	defer s.engine.Close()
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	s.ctx = ctx
	lines, failed := read(in, hangUp)
	for words := range lines {
		s.obey(words)
	}
	s.stop()
	return <-failed
}

// read reads commands beside the session, which may be busy with one. At quit, or at the end, it calls hangUp, and
// then closes the channel. failed has the error, or nil, in the end.
func read(in io.Reader, hangUp func()) (commands <-chan []string, failed <-chan error) {
	const ahead = 1000 // lines, so that a quit behind them is seen
	c, f := make(chan []string, ahead), make(chan error, 1)
	go func() {
		defer close(c)
		defer hangUp()
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadString('\n')
			words := command(line)
			if len(words) > 0 && words[0] == "quit" {
				f <- nil
				return
			}
			if len(words) > 0 {
				c <- words
			}
			if err != nil {
				if err == io.EOF {
					err = nil
				}
				f <- err
				return
			}
		}
	}()
	return c, f
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

var commands = []string{
	"usi", "uci", "isready", "setoption", "position", "go", "stop", "gameover", "ponderhit", "usinewgame", "ucinewgame", "debug", "register", "quit",
}

// command returns the words of a line from the first that is a command on. What is in front of it is passed over,
// as both protocols ask for.
func command(line string) []string {
	words := strings.Fields(line)
	for i, word := range words {
		if slices.Contains(commands, word) {
			return words[i:]
		}
	}
	return nil
}

// obey does what a command says.
func (s *Session) obey(words []string) {
	switch rest := words[1:]; words[0] {
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
	}
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
		if err := s.engine.Prepare(s.ctx); err != nil {
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
