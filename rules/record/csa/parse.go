package csa

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"gogotb/rules"
	"gogotb/rules/record"
)

// ends are the words for how a game ended, without their %.
var ends = map[string]record.EndKind{
	"TORYO": record.Resigns, "CHUDAN": record.Interrupted, "SENNICHITE": record.Repetition, "TIME_UP": record.OutOfTime,
	"ILLEGAL_MOVE": record.IllegalLoses, "JISHOGI": record.Impasse, "KACHI": record.EnteringWins, "HIKIWAKE": record.Draw,
	"MAX_MOVES": record.PlyLimit, "TSUMI": record.Checkmate, "FUZUMI": record.NoCheckmate,
}

// Games reads all games of a text; record.Decode makes one of a file. Where a game is broken, it yields a
// *record.Error and goes on with the next; the game is then what was read before the error, or nil if its first
// position was not.
func Games(text string) iter.Seq2[*record.Game, error] { return GamesFrom(text, nil) }

// GamesFrom is Games, but the moves are read from another position than the one that is written and becomes
// record.Game.Start, unless start is nil. See package kif.
func GamesFrom(text string, start func(written rules.Position) rules.Position) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		for _, statements := range games(text) {
			p := parser{game: &record.Game{Format: record.CSA, Line: record.Line{Ply: 1}}, from: start}
			if !yield(p.parse(statements)) {
				return
			}
		}
	}
}

// parser reads a game.
type parser struct {
	game     *record.Game
	from     func(rules.Position) rules.Position
	start    start
	placed   bool           // the first position is known
	position rules.Position // the one reached
	err      error          // of the move that cannot be played; no more are read then
}

func (p *parser) parse(statements []statement) (*record.Game, error) {
	p.game.FileLine = statements[0].line
	for _, s := range statements {
		if err := p.statement(s); err != nil {
			return nil, p.errorAt(s.line, err)
		}
	}
	if err := p.place(); err != nil {
		return nil, p.errorAt(p.start.line, err)
	}
	return p.game, p.err
}

func (p *parser) errorAt(line int, err error) error {
	var at *record.Error
	if errors.As(err, &at) {
		return err
	}
	return &record.Error{Format: record.CSA, Line: line, Err: err}
}

// statement reads a statement; an error is about the first position.
func (p *parser) statement(s statement) error {
	g, rest := p.game, s.text[1:]
	switch c := s.text[0]; {
	case c == commentMark:
		if text, ok := strings.CutPrefix(rest, "*"); ok {
			g.Comment(strings.TrimSpace(text))
		}
	case isVersion(s.text):
	case isName(s.text):
		g.Players[sideOf(rest[0])] = strings.TrimSpace(rest[1:])
	case c == '$' && strings.Contains(rest, ":"):
		key, value, _ := strings.Cut(rest, ":")
		g.Headers = append(g.Headers, record.Header{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
	case isPlacement(s.text) && !p.placed:
		return p.start.statement(s)
	case (c == '+' || c == '-') && rest == "" && !p.placed:
		p.start.side, p.start.sided = sideOf(c), true
	case isMove(s.text):
		return p.move(s)
	case (c == '+' || c == '-') && rest != "" && isDigit(rest[0]):
		word, passed, _ := strings.Cut(s.text, " ")
		if passed != "" {
			g.PassOver(s.line, passed)
		}
		return p.move(statement{s.line, word})
	case c == '%' && rest != "":
		if err := p.place(); err != nil {
			return err
		}
		p.end(s)
	case c == 'T' && p.time(rest):
	default:
		g.PassOver(s.line, s.text)
	}
	return nil
}

// place finds the first position, when all about it has been read.
func (p *parser) place() error {
	if p.placed {
		return nil
	}
	p.placed = true
	var err error
	if p.game.Start, err = p.start.position(); err != nil {
		return &record.Error{Format: record.CSA, Line: max(p.start.line, p.game.FileLine), Err: err}
	}
	if p.position = p.game.Start; p.from != nil {
		p.position = p.from(p.position)
	}
	return nil
}

// move reads a move; the error is about the first position.
func (p *parser) move(s statement) error {
	g := p.game
	signed := s.text[0] == '+' || s.text[0] == '-'
	if signed && !p.start.sided && !p.placed {
		p.start.side = sideOf(s.text[0])
	}
	if err := p.place(); err != nil {
		return err
	}
	switch {
	case p.err != nil:
		return nil
	case g.End.Kind != record.NoEnd:
		g.Note(s.line, "what follows %%%s was passed over", g.End.Text)
		return nil
	}
	m, err := p.readMove(strings.TrimLeft(s.text, "+-"))
	if signed && isMove(s.text) && sideOf(s.text[0]) != p.position.SideToMove() {
		err = fmt.Errorf("move %s: %v is to move", s.text, p.position.SideToMove())
	}
	if err == nil {
		err = g.Play(&p.position, m)
	}
	if err != nil {
		p.err = p.errorAt(s.line, err)
	}
	return nil
}

// readMove reads four digits and a piece, which is named as it is after the move.
func (p *parser) readMove(text string) (rules.Move, error) {
	if !isMove(text) {
		return 0, fmt.Errorf("move %s: an origin, a target and a piece, like 1312KI, belong here", text)
	}
	from, err := squareOf(text[:2])
	if err != nil {
		return 0, err
	}
	to, err := squareOf(text[2:4])
	if err != nil {
		return 0, err
	}
	after, err := kindOf(text[4:])
	switch {
	case err != nil:
		return 0, err
	case to == inHand:
		return 0, fmt.Errorf("move %s: no move ends in hand", text)
	case from == to:
		return 0, fmt.Errorf("move %s ends where it starts", text)
	case from == inHand && after > rules.Pawn:
		return 0, fmt.Errorf("move %s: %s cannot be dropped", text, text[4:])
	case from == inHand:
		return rules.Drop(after, to), nil
	}
	piece := p.position.At(from)
	if piece == rules.NoPiece || piece.Color() != p.position.SideToMove() {
		return 0, fmt.Errorf("move %s: %v has no piece on %s", text, p.position.SideToMove(), text[:2])
	}
	switch before := piece.Kind(); {
	case before == after:
		return rules.Step(from, to, false), nil
	case before.CanPromote() && before.Promote() == after:
		return rules.Step(from, to, true), nil
	}
	return 0, fmt.Errorf("move %s: the piece on %s cannot become %s", text, text[:2], text[4:])
}

// end reads how the game ended.
func (p *parser) end(s statement) {
	word := strings.TrimSpace(s.text[1:])
	kind, ok := ends[strings.ToUpper(word)]
	if len(word) > 1 && strings.EqualFold(word[1:], "ILLEGAL_ACTION") && (word[0] == '+' || word[0] == '-') {
		kind, ok = record.IllegalLoses, true
		if sideOf(word[0]) != p.position.SideToMove() {
			kind = record.IllegalWins
		}
	}
	switch {
	case p.game.End.Kind != record.NoEnd:
		p.game.PassOver(s.line, s.text)
		return
	case !ok:
		kind = record.OtherEnd
		p.game.Note(s.line, "%s is no end that is known", record.Quote(s.text))
	}
	if p.err == nil {
		p.game.End = record.End{Text: word, Kind: kind}
	}
}

// time reads the seconds that the last move took.
func (p *parser) time(text string) bool {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds >= 0 && seconds < 1e6) {
		return false
	}
	g := p.game
	if n := len(g.Moves); n > 0 && g.End.Kind == record.NoEnd && p.err == nil {
		g.Moves[n-1].Time = time.Duration(seconds * float64(time.Second))
	}
	return true
}
