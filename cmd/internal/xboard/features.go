package xboard

import (
	"fmt"
	"strings"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/engine"
	"gogotb/rules"
)

// variants are the names of the game: the one that every XBoard knows, by the size of the board and the holdings, and
// that of Fairy-Stockfish.
const variants = "5x5+5_shogi,minishogi"

// features tells what the engine can do.
func (s *Session) features() {
	s.say("feature done=0")
	s.say("feature myname=\"%s\" variants=\"%s\"", s.name, variants)
	s.say("feature ping=1 setboard=1 usermove=1 time=1 colors=0 draw=0 reuse=1 analyze=1 sigint=0 sigterm=0 memory=1 smp=1 debug=1")
	s.say("feature option=\"TablePath -string %s\"", s.tablePath)
	s.say("feature option=\"MultiPV -spin %d 1 %d\"", s.engine.Lines, maxMultiPV)
	s.say("feature option=\"Repetition -combo *%s /// %s\"", rules.RepetitionDraw, rules.FirstPlayerLoses)
	s.say("feature option=\"Move Overhead -spin %d 0 %d\"", s.overhead.Milliseconds(), engine.MaxOverhead.Milliseconds())
	s.say("feature option=\"MateShare -spin %d 0 100\"", s.engine.MateShare)
	s.say("feature option=\"EnginePath -file %s\"", s.engine.BackEnd)
	s.say("feature option=\"EngineOptions -string \"")
	s.say("feature done=1")
	s.openTables()
}

// setup tells XBoard the pieces, the board and the start of the variant. The table gives each piece of White's,
// then of Black's, its letter, with the promoted pieces where XBoard has them; the moves are in Betza's notation.
// This is what Fairy-Stockfish sends, so that both can be used in the same XBoard.
func (s *Session) setup() {
	s.say("setup (P.BR.S...G.+.++.+Kp.br.s...g.+.++.+k) 5x5+5_shogi %s", dialect.StartFEN)
	for _, piece := range []string{
		"B& B@5", "+B& BW", "R& R@5", "+R& RF", "S& FfW@5", "+S& WfF", "D& RF@5", "P& fWf@5", "+P& WfF", "G& WfF@5", "H& BW@5", "K& K@5",
	} {
		s.say("piece %s", piece)
	}
}

const maxMultiPV = rules.MaxMoves

// knownVariant tells whether a variant is the one that the engine plays.
func knownVariant(name string) bool { return name == "5x5+5_shogi" || name == "minishogi" }

// remark writes a line for people.
func (s *Session) remark(line string) { s.say("# %s", oneLine(line)) }

// tell lets XBoard show an error to the user, once if it repeats itself.
func (s *Session) tell(format string, args ...any) {
	text := oneLine(fmt.Sprintf(format, args...))
	s.mu.Lock()
	again := text == s.told
	s.told = text
	s.mu.Unlock()
	if !again {
		s.say("tellusererror %s", text)
	}
}

func (s *Session) forgetTold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = ""
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// say writes a line.
func (s *Session) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...)
}
