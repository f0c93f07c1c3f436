// Package recordtest is what the tests of all readers of game records need.
package recordtest

import (
	"iter"
	"strings"
	"testing"

	"gogotb/rules/record"
)

// One returns the one game that there is to read.
func One(t testing.TB, games iter.Seq2[*record.Game, error]) (*record.Game, error) {
	t.Helper()
	var game *record.Game
	var err error
	n := 0
	for g, e := range games {
		game, err = g, e
		n++
	}
	if n != 1 {
		t.Fatalf("%d games", n)
	}
	return game, err
}

// USI returns moves as one text.
func USI(moves []record.Move) string {
	var words []string
	for _, m := range moves {
		words = append(words, m.USI())
	}
	return strings.Join(words, " ")
}
