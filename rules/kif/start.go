package kif

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"gogotb/rules"
)

const (
	handicapKey   = "手合割"
	turnKey       = "手番"
	nothingInHand = "なし"
)

// evenNames are the values of handicapKey that stand for the starting position.
var evenNames = map[string]bool{"5五将棋": true, "５五将棋": true, "五五将棋": true, "五々将棋": true}

// handKeys are the headers that say what a side holds; the first two are written.
var handKeys = map[string]rules.Color{
	"先手の持駒": rules.Sente, "先手の持ち駒": rules.Sente, "下手の持駒": rules.Sente, "下手の持ち駒": rules.Sente,
	"後手の持駒": rules.Gote, "後手の持ち駒": rules.Gote, "上手の持駒": rules.Gote, "上手の持ち駒": rules.Gote,
}

// start gathers what the lines of a game say about its first position.
type start struct {
	handicap     string
	handicapLine int
	ranks        int
	diagramLine  int
	board        [rules.Squares]rules.Piece
	hands        [2]rules.Hand
	turn         rules.Color
}

// header takes in a header; other reports that it has nothing to do with the position.
func (s *start) header(l *textLine) (other bool, err error) {
	if c, ok := handKeys[l.key]; ok {
		s.hands[c], err = parseHand(l)
		return false, err
	}
	switch l.key {
	case handicapKey:
		s.handicap, s.handicapLine = l.value, l.number
	case turnKey:
		switch l.value {
		case "先手", "下手":
			s.turn = rules.Sente
		case "後手", "上手":
			s.turn = rules.Gote
		default:
			return false, errorAt(l.number, "%q is no side; 先手 or 後手 is", l.value)
		}
	default:
		return true, nil
	}
	return false, nil
}

// turnLine takes in a line that says who is to move.
func (s *start) turnLine(l *textLine) {
	s.turn = rules.Sente
	if r := firstRune(l.text); r == '後' || r == '上' {
		s.turn = rules.Gote
	}
}

// parseHand reads pieces with their numbers, with or without spaces.
func parseHand(l *textLine) (h rules.Hand, err error) {
	if l.value == nothingInHand {
		return h, nil
	}
	for rest := strings.TrimLeft(l.value, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		name := firstRune(rest)
		rest = rest[utf8.RuneLen(name):]
		kind, ok := kindOf(name)
		if !ok || kind > rules.Pawn {
			return h, errorAt(l.number, "%c cannot be held; 飛 角 金 銀 歩 can", name)
		}
		n, after := kanjiNumber(rest)
		if n+int(h[kind]) > 2 {
			return h, errorAt(l.number, "more than two %c in hand", name)
		}
		h[kind] += uint8(max(n, 1))
		rest = after
	}
	return h, nil
}

// kindOf is the kind of a name of one character.
func kindOf(name rune) (rules.Kind, bool) {
	for _, n := range kindNames {
		if n.name == string(name) {
			return n.kind, true
		}
	}
	return 0, false
}

// rank takes in the next rank of the diagram.
func (s *start) rank(l *textLine) error {
	cells, _, closed := strings.Cut(l.text[1:], "|")
	if !closed {
		return errorAt(l.number, "the rank does not end with |")
	}
	var pieces []rules.Piece
	for cells = strings.TrimLeft(cells, " "); cells != ""; cells = strings.TrimLeft(cells, " ") {
		piece, rest, err := parseCell(cells)
		if err != nil {
			return &Error{l.number, err}
		}
		pieces, cells = append(pieces, piece), rest
	}
	switch {
	case len(pieces) != 5:
		return errorAt(l.number, "the rank has %d squares, not 5", len(pieces))
	case s.ranks == 5:
		return errorAt(l.number, "the diagram has more than 5 ranks")
	case s.ranks == 0:
		s.diagramLine = l.number
	}
	copy(s.board[5*s.ranks:], pieces)
	s.ranks++
	return nil
}

// parseCell reads a square of a diagram.
func parseCell(text string) (piece rules.Piece, rest string, err error) {
	owner := rules.Sente
	switch firstRune(text) {
	case '・', '･':
		return rules.NoPiece, text[utf8.RuneLen(firstRune(text)):], nil
	case 'v', 'V', 'ｖ':
		owner = rules.Gote
		text = text[utf8.RuneLen(firstRune(text)):]
	case '^':
		text = text[1:]
	}
	name, size := utf8.DecodeRuneInString(text)
	kind, ok := kindOf(name)
	if !ok {
		return 0, "", fmt.Errorf("%q is no piece of 5x5 shogi; 玉 飛 角 金 銀 歩 龍 馬 全 と are", text[:size])
	}
	return rules.MakePiece(owner, kind), text[size:], nil
}

// position is the first position; line is where the game starts, for want of a better place.
func (s *start) position(line int) (rules.Position, error) {
	even := evenNames[s.handicap]
	switch {
	case s.ranks == 0 && even:
		return rules.ParseSFEN(rules.StartSFEN)
	case s.ranks == 0 && s.handicap != "":
		return rules.Position{}, errorAt(s.handicapLine, "%s is not the 5x5 game, which is 5五将棋, and there is no diagram", s.handicap)
	case s.ranks == 0:
		return rules.Position{}, errorAt(line, "neither %s：5五将棋 nor a diagram says where the pieces are", handicapKey)
	case s.ranks < 5:
		return rules.Position{}, errorAt(s.diagramLine, "the diagram has %d ranks, not 5", s.ranks)
	}
	p, err := rules.New(s.board, s.hands, s.turn)
	var illegal *rules.PositionError
	if errors.As(err, &illegal) {
		line := s.diagramLine
		if illegal.Square < rules.Squares {
			line += illegal.Square.Rank()
		}
		return p, &Error{line, err}
	}
	return p, err
}
