package kif

import (
	"strings"
	"unicode/utf8"
)

// lineKind is what a line is, as far as it can be seen from the line alone.
type lineKind uint8

const (
	blankLine lineKind = iota // or a remark of a program, or a bookmark
	commentLine
	headerLine
	fileNamesLine // the digits above a diagram
	borderLine
	rankLine // of a diagram
	sideToMoveLine
	countLine // 手数＝…, below a diagram
	tableLine // 手数----指手----, above the moves
	moveLine
	numberedLine // a number and a word: the end of a game, if there are moves before it
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
	value  string // of a header, a variation or a comment
	ply    int    // of a move or an end, 0 if it is not numbered
	rest   string // what follows that number
}

const (
	variationKey = "変化"
	countWord    = "手数"
	tableWord    = "指手"
	summaryWord  = "まで"
	commentMark  = '*'
	// Lines that start with one of these are about a program or its display: remarks and bookmarks.
	remarkMarks = "#&"
	// sideMarks stand before a move and say whose it is.
	sideMarks = "▲△▼▽☗☖"
)

// turnWords are the lines that say who is to move.
var turnWords = map[string]bool{"先手番": true, "下手番": true, "後手番": true, "上手番": true}

// classify takes a line apart.
func classify(number int, raw string) textLine {
	text := strings.TrimSpace(strings.ReplaceAll(raw, "　", " "))
	l := textLine{number: number, text: text}
	first := firstRune(text)
	switch {
	case text == "" || strings.ContainsRune(remarkMarks, first):
	case first == commentMark:
		l.kind, l.value = commentLine, strings.TrimSpace(text[1:])
	case strings.ContainsRune(barMarks, first):
		l.kind = rankLine
	case strings.HasPrefix(text, "+-"):
		l.kind = borderLine
	case turnWords[text]:
		l.kind = sideToMoveLine
	case strings.HasPrefix(text, countWord) && strings.Contains(text, tableWord):
		l.kind = tableLine
	case strings.HasPrefix(text, countWord+"＝") || strings.HasPrefix(text, countWord+"="):
		l.kind = countLine
	case strings.HasPrefix(text, summaryWord):
		l.kind = summaryLine
	case isFileNames(text):
		l.kind = fileNamesLine
	default:
		l.numbered()
		if l.kind == blankLine {
			l.header()
		}
	}
	return l
}

// numbered recognises a move, with or without a number before it, and a numbered word.
func (l *textLine) numbered() {
	if looksLikeMove(l.text) {
		l.kind, l.rest = moveLine, l.text
		return
	}
	n, rest := leadingNumber(l.text)
	if len(rest) == len(l.text) {
		return
	}
	rest = strings.TrimLeft(rest, " .:：．)")
	_, isEnd := parseEnd(rest)
	switch {
	case rest == "":
		return
	case isEnd || looksLikeMove(rest):
		l.kind = moveLine
	case strings.ContainsRune(" .:：．)", firstRune(strings.TrimLeft(l.text, digits))):
		l.kind = numberedLine
	default:
		return
	}
	l.ply, l.rest = n, rest
}

// header recognises a key with its value.
func (l *textLine) header() {
	l.kind = unknownLine
	key, value, found := cutColon(l.text)
	if !found { // some write those that matter without a colon
		key, value, found = strings.Cut(l.text, " ")
		if !placesPieces(key) {
			return
		}
	}
	if l.key, l.value = strings.TrimSpace(key), strings.TrimSpace(value); !found || l.key == "" {
		return
	}
	l.kind = headerLine
	if l.key == variationKey {
		l.kind = variationLine
	}
}

// cutColon cuts a text at its first colon, wide or narrow.
func cutColon(text string) (before, after string, found bool) {
	i := strings.IndexAny(text, "：:")
	if i < 0 {
		return text, "", false
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[:i], text[i+size:], true
}

// looksLikeMove tells whether a text starts with a square and a piece, of whatever size the board is.
func looksLikeMove(text string) bool {
	rest, ok := strings.CutPrefix(trimSide(text), sameWord)
	if ok {
		rest = strings.TrimLeft(rest, " ")
	} else {
		for i := range 2 {
			var r rune
			if r, rest = cutRune(rest); digitOf(r) < 1 && (i == 0 || kanjiDigit(r) < 1) {
				return false
			}
		}
	}
	return rest != "" && strings.ContainsRune("玉王飛角金銀桂香歩竜龍馬成全圭杏と", firstRune(rest))
}

// trimSide removes a triangle that says whose move it is.
func trimSide(text string) string {
	if r, rest := cutRune(text); strings.ContainsRune(sideMarks, r) {
		return strings.TrimLeft(rest, " ")
	}
	return text
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
