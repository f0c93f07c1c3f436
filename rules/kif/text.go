package kif

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// Decode is the text of a file as UTF-8: it is UTF-8 already, with or without a byte order
// mark, or Shift_JIS. Errors are of type *Error.
func Decode(data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(data) {
		return string(data), nil
	}
	text, err := japanese.ShiftJIS.NewDecoder().Bytes(data)
	if err != nil {
		return "", &Error{0, err}
	}
	// The decoder writes this for what is not Shift_JIS, which cannot encode it.
	if at := bytes.IndexRune(text, utf8.RuneError); at >= 0 {
		return "", errorAt(1+bytes.Count(text[:at], []byte("\n")), "the text is neither UTF-8 nor Shift_JIS")
	}
	return string(text), nil
}

// lineKind is what a line is, by its first characters.
type lineKind uint8

const (
	blankLine lineKind = iota // or a comment
	headerLine
	fileNamesLine // the letters above a diagram
	borderLine
	rankLine // of a diagram
	turnLine
	tableLine // 手数----指手----, above the moves
	moveLine
	variationLine
	summaryLine // まで…
	unknownLine
)

// textLine is a line taken apart.
type textLine struct {
	number int
	kind   lineKind
	text   string // trimmed, wide spaces made narrow
	key    string // of a header
	value  string // of a header or a variation
}

const (
	variationKey = "変化"
	tableWord    = "手数"
	summaryWord  = "まで"
	// comments start with one of these.
	commentMarks = "#*&"
)

// turnWords are the lines that say who is to move.
var turnWords = map[string]bool{"先手番": true, "下手番": true, "後手番": true, "上手番": true}

// classify takes a line apart.
func classify(number int, raw string) textLine {
	text := strings.TrimSpace(strings.ReplaceAll(raw, "　", " "))
	l := textLine{number: number, text: text}
	colon := strings.IndexAny(text, "：:")
	switch {
	case text == "" || strings.ContainsRune(commentMarks, rune(text[0])):
	case text[0] == '|':
		l.kind = rankLine
	case strings.HasPrefix(text, "+-"):
		l.kind = borderLine
	case turnWords[text]:
		l.kind = turnLine
	case strings.HasPrefix(text, tableWord+"-"):
		l.kind = tableLine
	case strings.HasPrefix(text, summaryWord):
		l.kind = summaryLine
	case isFileNames(text):
		l.kind = fileNamesLine
	case digitOf(firstRune(text)) >= 0:
		l.kind = moveLine
	case colon > 0:
		l.kind = headerLine
		_, size := utf8.DecodeRuneInString(text[colon:])
		l.key = strings.TrimSpace(text[:colon])
		l.value = strings.TrimSpace(text[colon+size:])
		if l.key == variationKey {
			l.kind = variationLine
		}
	default:
		l.kind = unknownLine
	}
	return l
}

// isFileNames tells whether the text consists of two or more single digits and spaces.
func isFileNames(text string) bool {
	fields := strings.Fields(text)
	for _, f := range fields {
		if utf8.RuneCountInString(f) != 1 || digitOf(firstRune(f)) < 0 {
			return false
		}
	}
	return len(fields) >= 2
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// digitOf is the value of a digit, narrow or wide, or -1.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= '０' && r <= '９':
		return int(r - '０')
	}
	return -1
}

// kanjiNumber reads a number up to 99 in kanji at the start of a text; n is 0 if there is none.
func kanjiNumber(text string) (n int, rest string) {
	for i, r := range text {
		switch d := kanjiDigit(r); {
		case d == 10 && n == 0:
			n = 10
		case d > 0 && d < 10 && n%10 == 0:
			n += d
		case d == 10 && n < 10:
			n *= 10
		default:
			return n, text[i:]
		}
	}
	return n, ""
}

// kanjiDigits are the numbers from one to ten.
const kanjiDigits = "一二三四五六七八九十"

// kanjiDigit is 1 to 10 for a kanji digit, 0 for anything else.
func kanjiDigit(r rune) int {
	i := strings.IndexRune(kanjiDigits, r)
	if i < 0 {
		return 0
	}
	return 1 + i/len("一")
}

// games cuts a file into games. A game starts at the first line that is not blank, and then
// where, after moves, a header or a diagram comes, or where a header or a diagram comes for
// the second time. So a game in which something is wrong does not spoil the next one.
func games(text string) [][]textLine {
	var all [][]textLine
	var game []textLine
	seen := map[string]bool{} // what a game has once, and before its moves
	moves, diagram := false, false
	number := 0
	for raw := range strings.Lines(text) {
		number++
		l := classify(number, raw)
		name := ""
		inDiagram := false
		switch l.kind {
		case blankLine:
			continue
		case headerLine:
			name = l.key
		case fileNamesLine, borderLine, rankLine:
			if inDiagram = true; !diagram {
				name = "a diagram"
			}
		case tableLine, moveLine, variationLine, summaryLine:
			moves = true
		}
		diagram = inDiagram
		if name != "" {
			if moves || seen[name] {
				all = append(all, game)
				game, moves = nil, false
				clear(seen)
			}
			seen[name] = true
		}
		game = append(game, l)
	}
	if game != nil {
		all = append(all, game)
	}
	return all
}
