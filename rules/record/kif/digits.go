package kif

import (
	"strings"
	"unicode/utf8"
)

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// cutRune takes the first character off a text; what is no character is one of a byte.
func cutRune(text string) (r rune, rest string) {
	r, size := utf8.DecodeRuneInString(text)
	return r, text[size:]
}

// digits are those that numbers are written with, narrow and wide.
const digits = "0123456789０１２３４５６７８９"

// digitOf returns the value of a digit, narrow or wide, or -1.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= '０' && r <= '９':
		return int(r - '０')
	}
	return -1
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

// maxNumber bounds the numbers that are read.
const maxNumber = 1 << 20

// leadingNumber reads the digits that a text starts with, all narrow or all wide, as in 1１二金 a move follows.
func leadingNumber(text string) (n int, rest string) {
	wide := firstRune(text) >= '０'
	for i, r := range text {
		d := digitOf(r)
		if d < 0 || r >= '０' != wide || n > maxNumber {
			return n, text[i:]
		}
		n = 10*n + d
	}
	return n, ""
}

// pieceCount reads how many pieces of a kind are held: a number up to 99 in kanji or in digits; ok tells whether there is one.
func pieceCount(text string) (n int, rest string, ok bool) {
	if digitOf(firstRune(text)) >= 0 {
		n, rest = leadingNumber(text)
		return n, rest, true
	}
	for i, r := range text {
		switch d := kanjiDigit(r); {
		case d == 10 && n == 0:
			n = 10
		case d > 0 && d < 10 && n%10 == 0:
			n += d
		case d == 10 && n < 10:
			n *= 10
		default:
			return n, text[i:], i > 0
		}
	}
	return n, "", text != ""
}
