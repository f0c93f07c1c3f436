package csa

import "strings"

// statement is a line of a file, or a part of one.
type statement struct {
	line int // from 1
	text string
}

// games cuts a file into the statements of its games.
func games(text string) [][]statement {
	var all [][]statement
	var game []statement
	begun, moving := false, false // a game; its moves
	next := func() {
		if begun {
			all = append(all, game)
		}
		game, begun, moving = nil, false, false
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		for _, text := range statements(line) {
			if text == separator || moving && isHead(text) {
				next()
			}
			if text == separator {
				continue
			}
			begun = begun || text[0] != commentMark && text[0] != versionMark
			moving = moving || isMove(text)
			game = append(game, statement{number, text})
		}
	}
	next()
	return all
}

const (
	separator   = "/"
	commentMark = '\''
	versionMark = 'V'
)

// statements takes a line apart. In comments, names and headers a comma is a comma.
func statements(line string) []string {
	line = strings.TrimSpace(line)
	if line == "" || strings.IndexByte("'N$", line[0]) >= 0 {
		return nonEmpty(line)
	}
	return nonEmpty(strings.Split(line, ",")...)
}

func nonEmpty(texts ...string) []string {
	var all []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			all = append(all, t)
		}
	}
	return all
}

// isHead tells whether a statement is one of those before the moves, so that another game begins where the separator
// was forgotten. Headers are none of these: servers add some at the end.
func isHead(text string) bool { return isVersion(text) || isName(text) || isPlacement(text) }

// isVersion tells whether a statement is about the format.
func isVersion(text string) bool {
	return text[0] == versionMark && len(text) > 1 && strings.Trim(text[1:], "0123456789.") == ""
}

// isName tells whether a statement is about a player.
func isName(text string) bool { return strings.HasPrefix(text, "N+") || strings.HasPrefix(text, "N-") }

// isPlacement tells whether a statement is about where the pieces are.
func isPlacement(text string) bool {
	return len(text) > 1 && text[0] == 'P' && (strings.IndexByte("I+-", text[1]) >= 0 || isDigit(text[1]))
}

// isMove tells whether a statement looks like a move: four digits and two letters, with or without a side before them.
func isMove(text string) bool {
	text = strings.TrimLeft(text, "+-")
	if len(text) != 6 {
		return false
	}
	for i := range 4 {
		if !isDigit(text[i]) {
			return false
		}
	}
	return isLetter(text[4]) && isLetter(text[5])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }
