package serve

import (
	"net/http"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/formats"
)

// Limits of a file of games that a visitor opens.
const (
	maxGameBody      = 1 << 20 // bytes
	maxGames         = 500     // with those that cannot be read
	maxGamePositions = 20000   // of all games together
)

// gamesReply are the games of a file.
type gamesReply struct {
	Format string         `json:"format"` // of the first; "" if none could be read
	Games  []recordedGame `json:"games"`
	Errors []*apiError    `json:"errors"` // where a game's first position could not be read, or too much came
}

// recordedGame is a game as a tree: its positions, each with the move that leads to it and the number of the position before.
type recordedGame struct {
	Line      int                `json:"line"` // of the file, in which it begins
	Players   players            `json:"players"`
	Headers   []header           `json:"headers"`
	Positions []recordedPosition `json:"positions"`
	Notes     []gameNote         `json:"notes"` // what was passed over
	Error     *apiError          `json:"error"` // what ended the reading, if it did not come to the end
}

type players struct {
	Sente string `json:"sente"`
	Gote  string `json:"gote"`
}

type header struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type gameNote struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// recordedPosition is a position of a game. Of several that have the same one before them, the first was played and the
// others are variations; where the line has ended in that, all are.
type recordedPosition struct {
	Before   *int     `json:"before"` // its number; nil for the start
	USI      string   `json:"usi,omitempty"`
	Western  string   `json:"western,omitempty"`
	Japanese string   `json:"japanese,omitempty"`
	SFEN     string   `json:"sfen"`
	Comments []string `json:"comments,omitempty"`
	Seconds  float64  `json:"seconds,omitempty"` // that the move took
	End      *gameEnd `json:"end,omitempty"`     // how the line is said to end here
	Illegal  string   `json:"illegal,omitempty"` // the move that follows in the file and breaks a rule, USI
}

type gameEnd struct {
	Code string `json:"code"`
	Text string `json:"text"` // the word of the file
}

// readGames answers POST games: it reads a visitor's file of games, in any format.
func (s *Server) readGames(r *http.Request) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	data, err := readAll(r)
	if err != nil {
		return nil, err
	}
	ctx, done, err := s.heavy.enter(r.Context(), s.clientOf(r))
	if err != nil {
		return nil, err
	}
	defer done()
	reply := gamesReply{Games: []recordedGame{}, Errors: []*apiError{}}
	left := maxGamePositions
	var first error
	for g, err := range formats.Games(data) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if first == nil {
			first = err
		}
		if len(reply.Games)+len(reply.Errors) == maxGames || g != nil && countPositions(&g.Line) >= left {
			reply.Errors = append(reply.Errors, badRequest("too-many", "from here on games are not read: a file may have %d games, and %d positions", maxGames, maxGamePositions))
			break
		}
		if g == nil {
			reply.Errors = append(reply.Errors, gameError(err))
			continue
		}
		reply.Format = string(g.Format)
		reply.Games = append(reply.Games, gameOf(g, err))
		left -= len(reply.Games[len(reply.Games)-1].Positions)
	}
	if len(reply.Games) > 0 {
		return reply, nil
	}
	switch {
	case first != nil:
		return nil, gameError(first)
	case len(reply.Errors) > 0:
		return nil, reply.Errors[0]
	}
	return nil, badRequest("bad-game", "there is no game in the file")
}

// gameError returns what is wrong with a game, in which line; nil for nil.
func gameError(err error) *apiError {
	if err == nil {
		return nil
	}
	e := *asAPIError(err)
	if line, _ := record.Located(err); line > 0 {
		e.Line = line
	}
	return &e
}

// countPositions returns how many positions a line has after its start, with its variations.
func countPositions(l *record.Line) int {
	n := len(l.Moves)
	for i := range l.Variations {
		n += countPositions(&l.Variations[i])
	}
	return n
}

// gameOf returns a game that was read, as far as it was.
func gameOf(g *record.Game, wrong error) recordedGame {
	reply := recordedGame{
		Line: g.FileLine, Players: players{g.Players[rules.Sente], g.Players[rules.Gote]},
		Headers: make([]header, len(g.Headers)), Notes: make([]gameNote, len(g.Notes)), Error: gameError(wrong),
	}
	for i, h := range g.Headers {
		reply.Headers[i] = header(h)
	}
	for i, n := range g.Notes {
		reply.Notes[i] = gameNote(n)
	}
	start := recordedPosition{SFEN: g.Start.SFEN()}
	reply.Positions = []recordedPosition{start}
	reply.addLine(&g.Line, 0, g.Start)
	return reply
}

// addLine adds the moves of a line that leaves a position, and its variations.
func (g *recordedGame) addLine(l *record.Line, before int, p rules.Position) {
	at, where := make([]int, 1, len(l.Moves)+1), make([]rules.Position, 1, len(l.Moves)+1)
	at[0], where[0] = before, p
	g.comment(before, l.Comments)
	for _, m := range l.Moves {
		next := recordedPosition{Before: new(int), USI: m.USI(), Western: p.Western(m.Move), Japanese: p.Japanese(m.Move, rules.NoSquare), Seconds: m.Time.Seconds()}
		*next.Before = at[len(at)-1]
		p.Make(m.Move)
		next.SFEN = p.SFEN()
		at, where = append(at, len(g.Positions)), append(where, p)
		g.Positions = append(g.Positions, next)
		g.comment(len(g.Positions)-1, m.Comments)
	}
	last := &g.Positions[at[len(at)-1]]
	played := len(l.Moves) > 0 || len(g.Positions) == 1 // else it is a variation of words alone, where the game goes on
	if l.End.Kind != record.NoEnd && last.End == nil && played {
		last.End = &gameEnd{l.End.Kind.Code(), l.End.Text}
	}
	if l.Illegal != 0 && last.Illegal == "" {
		last.Illegal = l.Illegal.USI()
	}
	for i := range l.Variations {
		v := &l.Variations[i]
		g.addLine(v, at[v.Ply-l.Ply], where[v.Ply-l.Ply])
	}
}

func (g *recordedGame) comment(at int, lines []string) {
	g.Positions[at].Comments = append(g.Positions[at].Comments, lines...)
}
