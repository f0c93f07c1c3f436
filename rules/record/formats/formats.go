package formats

import (
	"iter"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/rules/record/csa"
	"gogotb/rules/record/kif"
	"gogotb/rules/record/usi"
	"gogotb/rules/record/western"
)

// Games reads all games of a file. Where a game is broken, it yields a *record.Error and goes on with the next; the
// game is then what was read before the error, or nil if its first position was not. A file in a format that is not
// read is one error, which wraps a *record.ForeignError.
func Games(data []byte) iter.Seq2[*record.Game, error] {
	return GamesFrom(record.Decode(data), nil)
}

// GamesFrom reads all games of a text like Games, but the moves are read from another position than the one that is
// written and becomes record.Game.Start, unless start is nil. Puzzles need it whose defender holds all that is
// left, written or not.
func GamesFrom(text string, start func(written rules.Position) rules.Position) iter.Seq2[*record.Game, error] {
	format, err := Detect(text)
	switch {
	case err != nil:
		return func(yield func(*record.Game, error) bool) { yield(nil, err) }
	case format == record.KIF:
		return kif.GamesFrom(text, start)
	case format == record.CSA:
		return csa.GamesFrom(text, start)
	case format == record.Western:
		return western.GamesFrom(text, start)
	}
	return usi.GamesFrom(text, start)
}
