package kif

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"gogotb/rules"
	"gogotb/rules/record"
)

const (
	handicapKey   = "手合割"
	sideToMoveKey = "手番"
	nothingInHand = "なし"
)

// handOwner tells whose hand a header is about, if it is about one.
func handOwner(key string) (c rules.Color, ok bool) {
	side, what := cutRune(key)
	switch side {
	case '先', '下':
	case '後', '上':
		c = rules.Gote
	default:
		return 0, false
	}
	switch what {
	case "手の持駒", "手の持ち駒", "手持駒", "手持ち駒", "手の手駒":
		return c, true
	}
	return 0, false
}

// placesPieces tells whether a header is about the position.
func placesPieces(key string) bool {
	_, isHand := handOwner(key)
	return isHand || key == handicapKey || key == sideToMoveKey
}

// start gathers what the lines of a game say about its first position.
type start struct {
	handicap     string
	handicapLine int
	ranks        int
	diagramLine  int
	board        [rules.Squares]rules.Piece
	hands        [2]rules.Hand
	sideToMove   rules.Color
	last         rules.Square // target of the move before the diagram, or NoSquare
}

// header takes in a header that is about the position.
func (s *start) header(l *textLine) (err error) {
	switch c, isHand := handOwner(l.key); {
	case isHand:
		s.hands[c], err = parseHand(l)
		return err
	case l.key == handicapKey:
		s.handicap, s.handicapLine = l.value, l.number
		return nil
	}
	switch l.value {
	case "先手", "下手", "先", "下":
		s.sideToMove = rules.Sente
	case "後手", "上手", "後", "上":
		s.sideToMove = rules.Gote
	default:
		return errorAt(l.number, "%q is no side; 先手 or 後手 is", l.value)
	}
	return nil
}

// sideToMoveLine takes in a line that says who is to move.
func (s *start) sideToMoveLine(l *textLine) {
	s.sideToMove = rules.Sente
	if r := firstRune(l.text); r == '後' || r == '上' {
		s.sideToMove = rules.Gote
	}
}

// countLine takes in how many moves were made before the diagram (手数＝7 △１二玉 まで); other reports that it does not
// name the last of them.
func (s *start) countLine(l *textLine) (other bool) {
	_, rest := leadingNumber(strings.TrimLeft(l.text[len(countWord):], "＝= "))
	text := trimSide(strings.TrimSpace(rest))
	m := scanner{text: text, rest: text}
	to, err := m.target(rules.NoSquare)
	if err != nil {
		return true
	}
	s.last = to
	return false
}

// parseHand reads pieces with their numbers, with or without spaces.
func parseHand(l *textLine) (h rules.Hand, err error) {
	const between = " 、，,"
	if l.value == nothingInHand {
		return h, nil
	}
	for rest := strings.TrimLeft(l.value, between); rest != ""; rest = strings.TrimLeft(rest, between) {
		name, after := cutRune(rest)
		n, after, counted := pieceCount(strings.TrimLeft(after, " "))
		rest = after
		kind, ok := kindOf(name)
		switch {
		case counted && n == 0:
		case !ok || kind > rules.Pawn:
			return h, errorAt(l.number, "%c cannot be held; 飛 角 金 銀 歩 can", name)
		case n+int(h[kind]) > 2:
			return h, errorAt(l.number, "more than two %c in hand", name)
		default:
			h[kind] += uint8(max(n, 1))
		}
	}
	return h, nil
}

// kindOf returns the kind of a name of one character.
func kindOf(name rune) (rules.Kind, bool) {
	for _, n := range kindNames {
		if n.name == string(name) {
			return n.kind, true
		}
	}
	return 0, false
}

// barMarks stand at both ends of a rank.
const barMarks = "|｜│┃"

// rank takes in the next rank of the diagram.
func (s *start) rank(l *textLine) error {
	_, cells := cutRune(l.text)
	end := strings.IndexAny(cells, barMarks)
	if end < 0 {
		return errorAt(l.number, "the rank does not end with |")
	}
	var pieces []rules.Piece
	for cells = strings.TrimLeft(cells[:end], " "); cells != ""; cells = strings.TrimLeft(cells, " ") {
		piece, rest, err := parseCell(cells)
		if err != nil {
			return &record.Error{Format: record.KIF, Line: l.number, Err: err}
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
	switch first, rest := cutRune(text); first {
	case '・', '･', '．', '.', '*', '＊':
		return rules.NoPiece, rest, nil
	case 'v', 'V', 'ｖ', '△', '▽', '☖':
		owner, text = rules.Gote, rest
	case '^', '▲', '☗':
		text = rest
	}
	for _, n := range kindNames {
		if rest, ok := strings.CutPrefix(text, n.name); ok {
			return rules.MakePiece(owner, n.kind), rest, nil
		}
	}
	_, size := utf8.DecodeRuneInString(text)
	return 0, "", fmt.Errorf("%q is no piece of 5x5 shogi; 玉 飛 角 金 銀 歩 龍 馬 全 と are", text[:size])
}

// position returns the first position; line is where the game starts, for want of a better place.
func (s *start) position(g *record.Game, line int) (rules.Position, error) {
	switch {
	case s.ranks > 0 && s.ranks < 5:
		return rules.Position{}, errorAt(s.diagramLine, "the diagram has %d ranks, not 5", s.ranks)
	case s.ranks == 0:
		return s.named(g, line)
	}
	p, err := rules.New(s.board, s.hands, s.sideToMove)
	var illegal *rules.PositionError
	if errors.As(err, &illegal) {
		line := s.diagramLine
		if illegal.Square < rules.Squares {
			line += illegal.Square.Rank()
		}
		return p, &record.Error{Format: record.KIF, Line: line, Err: err}
	}
	return p, err
}

// named returns the first position of a game that has no diagram.
func (s *start) named(g *record.Game, line int) (rules.Position, error) {
	if s.handicap == "" {
		return rules.Position{}, errorAt(line, "neither %s：%s nor a diagram says where the pieces are", handicapKey, evenName)
	}
	sfen, sure := handicapSFEN(s.handicap)
	if sfen == "" {
		return rules.Position{}, errorAt(s.handicapLine, "%s is not the 5x5 game, which is %s, and there is no diagram", s.handicap, evenName)
	}
	if !sure {
		g.Note(s.handicapLine, "%s is read as the handicap of 5x5 shogi", s.handicap)
	}
	return rules.ParseSFEN(sfen)
}

// evenName is what the starting position is called.
const evenName = "5五将棋"

// sizeNames begin the names of starts on 5x5 squares, those that begin with others first. Digits are narrow, letters small.
var sizeNames = []string{
	"5五将棋", "五五将棋", "五々将棋", "55将棋", "5×5将棋", "5x5将棋", "ミニ将棋", "ごごしょうぎ",
	"5五", "五五", "五々", "55", "5×5", "5x5", "minishogi", "mini-shogi", "minisyougi",
}

// handicapNames are the names of the handicaps of package rules.
var handicapNames = map[string]string{
	"角落ち": "bishop", "角落": "bishop",
	"飛車落ち": "rook", "飛車落": "rook", "飛落ち": "rook", "飛落": "rook",
	"二枚落ち": "two-piece", "2枚落ち": "two-piece", "二枚落": "two-piece", "飛角落ち": "two-piece",
	"三枚落ち": "three-piece", "3枚落ち": "three-piece", "三枚落": "three-piece",
	"四枚落ち": "four-piece", "4枚落ち": "four-piece", "四枚落": "four-piece",
	"裸玉": "naked-king",
}

// handicapSFEN returns the start with a name, "" if there is none on 5x5 squares. sure tells whether the name speaks of 5x5.
func handicapSFEN(name string) (sfen string, sure bool) {
	rest := strings.Map(func(r rune) rune {
		switch d := digitOf(r); {
		case d >= 0:
			return '0' + rune(d)
		case strings.ContainsRune(" ・()（）", r):
			return -1
		}
		return r
	}, strings.ToLower(name))
	for _, prefix := range sizeNames {
		if after, ok := strings.CutPrefix(rest, prefix); ok {
			rest, sure = after, true
			break
		}
	}
	if sure && (rest == "" || rest == "平手") {
		return rules.StartSFEN, true
	}
	for _, h := range rules.Handicaps {
		if h.Name == handicapNames[rest] {
			return h.SFEN, sure
		}
	}
	return "", false
}
