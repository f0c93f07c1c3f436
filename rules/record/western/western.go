package western

import (
	"errors"
	"iter"
	"regexp"
	"strings"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/usi"
)

// Games reads all games of a text; record.Decode makes one of a file. Where a game is broken, it yields a
// *record.Error and goes on with the next; the game is then what was read before it, or nil if its first
// position was not.
func Games(text string) iter.Seq2[*record.Game, error] { return GamesFrom(text, nil) }

// GamesFrom is Games, but the moves are read from another position than the one that is written and becomes
// record.Game.Start, unless start is nil. See package kif.
func GamesFrom(text string, start func(written rules.Position) rules.Position) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		r := reader{start: start, yield: yield}
		for raw := range strings.Lines(text) {
			r.number++
			if r.line(strings.TrimSpace(raw)); r.stopped {
				return
			}
		}
		r.finish()
	}
}

// reader reads a text line by line.
type reader struct {
	start   func(rules.Position) rules.Position
	yield   func(*record.Game, error) bool
	stopped bool // nobody wants more

	number   int          // of the line
	game     *record.Game // being read, or nil
	position rules.Position
	over     bool // the rest of the game is not read
	failed   error
	comment  *strings.Builder // being read: a brace is open
}

var (
	moveNumber = regexp.MustCompile(`^[0-9]{1,4}(\.+|\)|$)`)
	westernish = regexp.MustCompile(`^\+?[KRBGSP]([0-9]{2})?[-x*][0-9]`)
	usiish     = regexp.MustCompile(`^([0-9][a-z][0-9][a-z]|[A-Z]\*[0-9][a-z])[+=]?$`)
	board      = regexp.MustCompile(`^(position\s|sfen\s|startpos\b|[0-9A-Za-z+]*(/[0-9A-Za-z+]*){2,}(\s|$))`)
)

// results are the words of PGN for how a game ended.
var results = map[string]record.EndKind{
	"1-0": record.OtherEnd, "0-1": record.OtherEnd, "1/2-1/2": record.Draw, "*": record.Interrupted,
}

func (r *reader) line(text string) {
	switch {
	case r.comment == nil && (text == "" || text[0] == '#'):
		return
	case r.comment == nil && board.MatchString(text):
		r.finish()
		l, err := usi.ParseLine(text)
		if err != nil {
			r.fail(err)
			return
		}
		r.begin(l.Start)
		r.remark(l.Remarks)
		for _, word := range l.Words {
			r.word(word)
		}
		return
	}
	for text != "" && !r.stopped {
		if r.comment != nil {
			text = r.inBraces(text)
			continue
		}
		end := strings.IndexAny(text, " \t{;")
		switch {
		case end < 0:
			r.word(text)
			return
		case text[end] == ';':
			r.word(text[:end])
			r.remark(strings.TrimSpace(text[end+1:]))
			return
		case text[end] == '{':
			r.comment = &strings.Builder{}
		}
		r.word(text[:end])
		text = strings.TrimSpace(text[end+1:])
	}
}

// inBraces reads a comment on to its end, or to that of the line, and returns what follows.
func (r *reader) inBraces(text string) string {
	inside, rest, closed := strings.Cut(text, "}")
	if r.comment.Len() > 0 {
		r.comment.WriteByte(' ')
	}
	r.comment.WriteString(strings.TrimSpace(inside))
	if closed {
		said := r.comment.String()
		r.comment = nil
		r.remark(said)
	}
	return strings.TrimSpace(rest)
}

func (r *reader) remark(text string) {
	if text != "" && !r.over {
		r.need()
		r.game.Comment(text)
	}
}

// begin starts a game.
func (r *reader) begin(p rules.Position) {
	r.game = &record.Game{Format: record.Western, FileLine: r.number, Start: p, Line: record.Line{Ply: 1}}
	r.position = p
	if r.start != nil {
		r.position = r.start(p)
	}
}

// need starts one from the starting position, unless there is one.
func (r *reader) need() {
	if r.game == nil {
		p, err := rules.ParseSFEN(rules.StartSFEN)
		if err != nil {
			panic(err) // it is a constant
		}
		r.begin(p)
	}
}

// finish hands over the game that was read.
func (r *reader) finish() {
	if r.comment != nil {
		said := r.comment.String()
		r.comment = nil
		r.remark(said)
	}
	if r.game != nil || r.failed != nil {
		r.stopped = r.stopped || !r.yield(r.game, r.failed)
	}
	r.game, r.failed, r.over = nil, nil, false
}

func (r *reader) fail(err error) {
	r.failed = &record.Error{Format: record.Western, Line: r.number, Err: err}
	r.over = true
}

// word reads what stands between spaces: a number, a move, or both, or how the game ended.
func (r *reader) word(text string) {
	if _, result := results[text]; !result {
		if n := moveNumber.FindString(text); n != "" {
			if strings.TrimRight(n, ".)") == "1" && strings.Count(n, ".") < 2 && (r.failed != nil || r.game != nil && len(r.game.Moves) > 0) {
				r.finish()
			}
			text = text[len(n):]
		}
	}
	text = strings.TrimRight(text, "!?#,") // what people think of a move
	switch {
	case text == "" || r.stopped || r.failed != nil:
		return
	case r.over:
		r.game.Note(r.number, "what follows %s was passed over", record.Quote(r.game.End.Text))
		return
	}
	r.need()
	if !westernish.MatchString(text) && !usiish.MatchString(text) {
		r.other(text)
		return
	}
	m, err := r.move(text)
	if err == nil {
		err = r.game.Play(&r.position, m)
	}
	if err != nil {
		var illegal *rules.IllegalMoveError
		if errors.As(err, &illegal) {
			r.game.Illegal = illegal.Move
		}
		r.fail(err)
	}
}

func (r *reader) move(text string) (rules.Move, error) {
	if usiish.MatchString(text) {
		return rules.ParseUSI(strings.TrimSuffix(text, "="))
	}
	return r.position.ParseWestern(text)
}

// other reads a word that is no move.
func (r *reader) other(text string) {
	kind, known := results[text]
	if !known {
		kind, known = usi.EndKind(text)
	}
	if !known {
		r.game.PassOver(r.number, text)
		return
	}
	r.game.End = record.End{Text: text, Kind: kind}
	r.over = true
}
