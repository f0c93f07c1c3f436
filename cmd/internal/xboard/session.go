package xboard

import (
	"bufio"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"gogotb/cmd/internal/engine"
	"gogotb/rules"
	"gogotb/storage"
)

// mode is who plays.
type mode uint8

const (
	forced    mode = iota // nobody: moves are only taken in
	playing               // the engine plays one side
	analyzing             // the engine thinks about whatever is on the board
)

// Session is a conversation with XBoard.
type Session struct {
	name      string
	engine    engine.Engine
	tablePath string // folders, separated as in PATH

	game     game
	mode     mode
	side     rules.Color // the engine's, when playing
	clock    clock
	depth    int
	post     bool
	hint     rules.Move // what the engine expects the opponent to play; 0: nothing
	ponder   bool       // think about the reply to that while the opponent thinks
	refused  error      // why there is no position on the board; nil if there is one
	overhead time.Duration

	search    *search         // nil if none is on
	pondering *search         // in the opponent's time, as if the hint had been played; nil if none is on
	analysis  *search         // the one that has come to its end, as it does where the tables know all; nil: none has
	pings     []string        // to be answered after the search
	launched  <-chan struct{} // closed when it is known what comes of the back end; nil if nobody wants to know

	mu   sync.Mutex // for what follows
	out  io.Writer
	told string // the last error that the user was told
}

// New returns a session of an engine with a name, with tables in the given folders.
func New(name string, folders []string, out io.Writer) *Session {
	s := &Session{name: name, tablePath: strings.Join(folders, string(os.PathListSeparator)), out: out, post: true, overhead: engine.DefaultOverhead}
	s.engine.Lines = 1
	s.engine.Hash = defaultHash
	s.engine.Remark = s.remark
	s.engine.MateShare = engine.DefaultMateShare
	s.reset()
	return s
}

const defaultHash = 64 << 20

// reset begins a game from the starting position, in which the engine plays the second side.
func (s *Session) reset() {
	s.game = newGame()
	s.mode, s.side = playing, rules.Gote
	s.clock.restart()
	s.depth = 0
	s.hint = 0
	s.refused = nil
}

// SetJobs sets the number of cores for the mate solver while nothing else works; one without it.
func (s *Session) SetJobs(n int) { s.engine.Jobs = n }

// SetSource sets what opens addresses among the folders of tables; without it there can be none.
func (s *Session) SetSource(open func(address string) (storage.Source, error)) {
	s.engine.Source = open
}

// Run obeys commands until quit, or until there are no more; then the engine moves at once, if it was to move. The
// error is one of reading.
func (s *Session) Run(in io.Reader) error {
	defer s.close()
	commands, failed := lines(in)
	for {
		var answers chan engine.Answer
		if s.search != nil {
			answers = s.search.answer
		}
		launched := s.launched
		if s.search != nil || s.pondering != nil { // whose engine it is
			launched = nil
		}
		select {
		case a := <-answers:
			s.finish(a)
			if commands == nil && s.search == nil {
				return <-failed
			}
		case <-launched:
			s.launched = nil
			if err := s.engine.Launched(); err != nil {
				s.tell("back end: %v", err)
			}
		case line, ok := <-commands:
			switch {
			case ok && s.obey(line):
			case ok:
				return nil
			case s.search == nil || s.search.endless:
				return <-failed
			default:
				s.search.cancel()
				commands = nil
			}
		}
	}
}

// lines reads lines beside the session. When they end, so does the channel, and failed has the error, or nil.
func lines(in io.Reader) (commands <-chan string, failed <-chan error) {
	c, f := make(chan string), make(chan error, 1)
	go func() {
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadString('\n')
			if line = strings.TrimSpace(line); line != "" {
				c <- line
			}
			if err != nil {
				if err == io.EOF {
					err = nil
				}
				f <- err
				close(c)
				return
			}
		}
	}()
	return c, f
}

func (s *Session) close() {
	s.abort()
	s.engine.Close()
}

// carryOn starts what the mode asks for, in the position on the board.
func (s *Session) carryOn() {
	p := s.game.position()
	switch {
	case s.search != nil, s.refused != nil:
	case s.mode == analyzing && p.HasMove(): // even after a repetition
		s.think(true)
	case s.mode == playing && s.game.over():
		s.announce()
	case s.mode == playing && s.game.sideToMove() == s.side:
		s.think(false)
	case s.mode == playing && s.ponder && s.pondering == nil:
		s.thinkAhead()
	}
}

// finish takes the answer of a search.
func (s *Session) finish(a engine.Answer) {
	q := s.search
	s.search = nil
	if q.endless {
		q.took = time.Since(q.begin)
		s.analysis = q
	} else if !a.None {
		if err := s.game.play(a.Move); err != nil {
			s.say("tellerror %v", err)
		} else {
			s.say("move %s", moveText(a.Move))
			s.hint = a.Ponder
			s.announce()
			defer s.carryOn()
		}
	}
	s.pong()
}

// pong answers the pings that have waited for a search.
func (s *Session) pong() {
	for _, p := range s.pings {
		s.say("pong %s", p)
	}
	s.pings = nil
}

// announce tells the result of a game that is over.
func (s *Session) announce() {
	if s.game.over() && s.mode != analyzing {
		s.say("%s", s.game.result())
		s.mode = forced
	}
}
