package kif

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gogotb/rules"
)

// kindNames are the kinds as moves name them; the first of a kind is the one written.
var kindNames = []struct {
	name string
	kind rules.Kind
}{
	{"成銀", rules.PromotedSilver},
	{"玉", rules.King}, {"王", rules.King},
	{"飛", rules.Rook}, {"角", rules.Bishop}, {"金", rules.Gold}, {"銀", rules.Silver}, {"歩", rules.Pawn},
	{"龍", rules.Dragon}, {"竜", rules.Dragon}, {"馬", rules.Horse}, {"全", rules.PromotedSilver}, {"と", rules.Tokin},
}

// kindName returns the name of a kind in a move.
func kindName(k rules.Kind) string {
	for _, n := range kindNames {
		if n.kind == k {
			return n.name
		}
	}
	return ""
}

const (
	sameWord    = "同"
	dropWord    = "打"
	promoteWord = "成"
	declineWord = "不成"
	// wayMarks tell of two pieces which one moves, as books do it; the origin says that, too.
	wayMarks = "右左直上行寄引入"
)

// FormatMove writes a legal move of p. last is the target of the move before, or NoSquare.
func FormatMove(p *rules.Position, m rules.Move, last rules.Square) string {
	to := m.To()
	text := sameWord + "　"
	if to != last {
		text = fileName(to) + rankName(to)
	}
	if m.IsDrop() {
		return text + kindName(m.DropKind()) + dropWord
	}
	from := m.From()
	text += kindName(p.At(from).Kind())
	if m.Promotes() {
		text += promoteWord
	}
	return text + fmt.Sprintf("(%d%d)", 5-from.Column(), 1+from.Rank())
}

func fileName(s rules.Square) string { return string('５' - rune(s.Column())) }

func rankName(s rules.Square) string {
	return kanjiDigits[s.Rank()*len("一"):][:len("一")]
}

// ParseMove reads a legal move of p as FormatMove writes it, with whatever else files have: a triangle before it,
// 不成 behind a piece that does not promote, narrow digits, and digits for ranks. last is the target of the move
// before, or NoSquare. Errors are of type *rules.MoveError or, if the move is understood and breaks a rule,
// *rules.IllegalMoveError.
func ParseMove(p *rules.Position, text string, last rules.Square) (rules.Move, error) {
	s := scanner{text: text, rest: trimSide(text)}
	m, err := s.move(p, last)
	if err == nil && s.rest != "" {
		err = s.fail("nothing may follow the move")
	}
	if err != nil {
		return 0, err
	}
	return m, p.Legal(m)
}

// scanner reads a move from left to right.
type scanner struct {
	text string
	rest string // what is still to be read
}

// fail returns an error at the next character.
func (s *scanner) fail(format string, args ...any) error {
	column := 1 + utf8.RuneCountInString(s.text) - utf8.RuneCountInString(s.rest)
	return &rules.MoveError{Text: s.text, Column: column, Reason: fmt.Sprintf(format, args...)}
}

// skip reads a word if it is there.
func (s *scanner) skip(word string) bool {
	rest, ok := strings.CutPrefix(s.rest, word)
	s.rest = rest
	return ok
}

// move reads a move that p's pieces can be meant to make; whether it is legal remains to be seen.
func (s *scanner) move(p *rules.Position, last rules.Square) (rules.Move, error) {
	to, err := s.target(last)
	if err != nil {
		return 0, err
	}
	start := s.rest
	kind, err := s.kind()
	if err != nil {
		return 0, err
	}
	if s.skip(dropWord) {
		if kind >= rules.King {
			s.rest = start
			return 0, s.fail("%s cannot be dropped", kindName(kind))
		}
		return rules.Drop(kind, to), nil
	}
	s.rest = strings.TrimLeft(s.rest, wayMarks)
	declined := s.skip(declineWord)
	promote := !declined && s.skip(promoteWord)
	origin := s.rest
	from, err := s.origin()
	if err != nil {
		return 0, err
	}
	promote = promote || !declined && s.skip(promoteWord)
	piece := p.At(from)
	switch {
	case piece == rules.NoPiece || piece.Kind() != kind || piece.Color() != p.SideToMove():
		s.rest = origin
		return 0, s.fail("%v has no %s there", p.SideToMove(), kindName(kind))
	case from == to:
		s.rest = origin
		return 0, s.fail("the move ends where it starts")
	}
	return rules.Step(from, to, promote), nil
}

// target reads where the move goes.
func (s *scanner) target(last rules.Square) (rules.Square, error) {
	if s.skip(sameWord) {
		if last >= rules.Squares {
			s.rest = s.text
			return 0, s.fail("%s without a move before", sameWord)
		}
		for s.skip("　") || s.skip(" ") {
		}
		return last, nil
	}
	file := digitOf(firstRune(s.rest))
	if file < 0 {
		return 0, s.fail("a move starts with a file, １ to ５, or with %s", sameWord)
	}
	if file < 1 || file > 5 {
		return 0, s.fail("there is no file %d on 5x5 squares", file)
	}
	s.next()
	rank := max(kanjiDigit(firstRune(s.rest)), digitOf(firstRune(s.rest)))
	if rank < 1 {
		return 0, s.fail("a rank, 一 to 五, belongs here")
	}
	if rank > 5 {
		return 0, s.fail("there is no rank %d on 5x5 squares", rank)
	}
	s.next()
	return square(file, rank), nil
}

func square(file, rank int) rules.Square { return rules.Square(5*(rank-1) + 5 - file) }

// next skips a character.
func (s *scanner) next() {
	_, size := utf8.DecodeRuneInString(s.rest)
	s.rest = s.rest[size:]
}

// kind reads which piece moves.
func (s *scanner) kind() (rules.Kind, error) {
	for _, n := range kindNames {
		if s.skip(n.name) {
			return n.kind, nil
		}
	}
	return 0, s.fail("a piece of 5x5 shogi belongs here, one of 玉 飛 角 金 銀 歩 龍 馬 成銀 と")
}

// origin reads the two digits in brackets.
func (s *scanner) origin() (rules.Square, error) {
	if !s.skip("(") && !s.skip("（") {
		return 0, s.fail("the origin, in brackets, or %s belongs here", dropWord)
	}
	var n [2]int
	for i := range n {
		if n[i] = digitOf(firstRune(s.rest)); n[i] < 1 || n[i] > 5 {
			return 0, s.fail("an origin is two digits, 1 to 5")
		}
		s.next()
	}
	if !s.skip(")") && !s.skip("）") {
		return 0, s.fail("a bracket is missing")
	}
	return square(n[0], n[1]), nil
}
