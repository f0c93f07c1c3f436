package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Field is one of the fields of an SFEN.
type Field string

// The fields of an SFEN, in their order, and what follows them.
const (
	BoardField      Field = "board"
	SideToMoveField Field = "side to move"
	HandsField      Field = "hands"
	MoveNumberField Field = "move number"
	ExtraField      Field = "extra field"
)

// SFENError says what is wrong with an SFEN, and where.
type SFENError struct {
	Field  Field
	Column int // the character at fault, counted from 1 over the whole SFEN
	Text   string
	// Illegal is why the position is not legal; nil if it is the text that is wrong.
	Illegal *PositionError
}

func (e *SFENError) Error() string {
	return fmt.Sprintf("SFEN: %s, character %d: %s", e.Field, e.Column, e.Text)
}

// Unwrap returns Illegal.
func (e *SFENError) Unwrap() error {
	if e.Illegal == nil {
		return nil
	}
	return e.Illegal
}

// ParseSFEN reads a position: board, side to move, hands and, if it is there, a move
// number (otherwise 1), with one space between fields. It is strict: whatever is not
// written as the standard has it, or is not a legal position (see Validate), is a
// *SFENError. Only hands are free: in any order, and two pieces also letter by letter
// ("PP" for "2P"). One king may be missing.
func ParseSFEN(text string) (Position, error) {
	s := sfenParser{text: text}
	if err := s.parse(); err != nil {
		return Position{}, err
	}
	p := Place(&s.board, &s.hands, s.sideToMove)
	p.number = s.number
	if err := p.Validate(); err != nil {
		return Position{}, s.place(err.(*PositionError))
	}
	return p, nil
}

// sfenParser reads an SFEN from left to right. Its methods read a field each.
type sfenParser struct {
	text  string
	at    int // the byte to read next
	field Field

	board      [Squares]Piece
	hands      [2]Hand
	sideToMove Color
	number     uint32
	columns    [Squares]int // where in the text the piece of a square is written
	kings      [2]bool
	pieces     [HandKinds]int // read so far, of either side, on the board and in hand
}

// fail returns an error at byte i.
func (s *sfenParser) fail(i int, format string, args ...any) error {
	return &SFENError{Field: s.field, Column: i + 1, Text: fmt.Sprintf(format, args...)}
}

// illegal returns the error of a position that byte i makes illegal.
func (s *sfenParser) illegal(i int, err *PositionError) error {
	return &SFENError{Field: s.field, Column: i + 1, Text: err.reason(), Illegal: err}
}

// place gives an illegal position's error its place in the text.
func (s *sfenParser) place(err *PositionError) error {
	s.field = BoardField
	if err.Square == NoSquare {
		return s.illegal(0, err)
	}
	return s.illegal(s.columns[err.Square], err)
}

func (s *sfenParser) parse() error {
	fields := []struct {
		field Field
		read  func(text string, at int) error
	}{
		{BoardField, s.readBoard},
		{SideToMoveField, s.readSideToMove},
		{HandsField, s.readHands},
		{MoveNumberField, s.readMoveNumber},
	}
	s.number = 1
	for _, f := range fields {
		s.field = f.field
		if f.field == MoveNumberField && s.at > len(s.text) {
			return nil
		}
		if s.at >= len(s.text) || s.text[s.at] == ' ' {
			return s.fail(min(s.at, len(s.text)), "missing")
		}
		text, _, _ := strings.Cut(s.text[s.at:], " ")
		if err := f.read(text, s.at); err != nil {
			return err
		}
		s.at += len(text) + 1
	}
	if s.at <= len(s.text) {
		s.field = ExtraField
		return s.fail(s.at-1, "nothing may follow the move number")
	}
	return nil
}

func (s *sfenParser) readBoard(text string, at int) error {
	ranks := strings.Split(text, "/")
	for rank, text := range ranks {
		if rank == 5 {
			return s.fail(at-1, "more than 5 ranks")
		}
		if err := s.readRank(Square(5*rank), text, at); err != nil {
			return err
		}
		at += len(text) + 1
	}
	if len(ranks) < 5 {
		return s.fail(at-1, "%d of 5 ranks", len(ranks))
	}
	return nil
}

// readRank reads the rank whose first square is given.
func (s *sfenParser) readRank(sq Square, text string, at int) error {
	end := sq + 5
	digit := false // the character before was a number of empty squares
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= '0' && c <= '9' {
			n := Square(c - '0')
			switch {
			case n == 0 || n > 5:
				return s.fail(at+i, "%c is no number of empty squares; 1 to 5 is", c)
			case digit:
				return s.fail(at+i, "two numbers of empty squares in a row")
			case sq+n > end:
				return s.fail(at+i, "the rank has more than 5 squares")
			}
			sq += n
			digit = true
			continue
		}
		digit = false
		start := i
		promoted := c == '+'
		if promoted {
			if i++; i == len(text) {
				return s.fail(at+start, "+ without a piece")
			}
		}
		owner, k, ok := pieceOf(text[i])
		switch {
		case !ok:
			return s.fail(at+i, "%s is no piece", firstCharacter(text[i:]))
		case promoted && !k.CanPromote():
			return s.fail(at+start, "%c cannot be promoted", k.Letter())
		case sq == end:
			return s.fail(at+start, "the rank has more than 5 squares")
		}
		if err := s.count(owner, k, 1, sq, at+start); err != nil {
			return err
		}
		if promoted {
			k = k.Promote()
		}
		s.board[sq] = MakePiece(owner, k)
		s.columns[sq] = at + start
		sq++
	}
	if sq < end {
		return s.fail(at+len(text), "the rank has %d squares, not 5", 5-(end-sq))
	}
	return nil
}

// count keeps within the full set: two of each kind, one king of each side. The pieces are on a square, or on
// NoSquare if they are in a hand.
func (s *sfenParser) count(owner Color, k Kind, n int, on Square, at int) error {
	if k == King {
		if s.kings[owner] {
			return s.illegal(at, &PositionError{Fault: SecondKing, Square: on, Color: owner})
		}
		s.kings[owner] = true
		return nil
	}
	if s.pieces[k] += n; s.pieces[k] > 2 {
		return s.illegal(at, &PositionError{Fault: ThirdPiece, Square: on, Kind: k})
	}
	return nil
}

func (s *sfenParser) readSideToMove(text string, at int) error {
	switch text {
	case "b":
		s.sideToMove = Sente
	case "w":
		s.sideToMove = Gote
	default:
		return s.fail(at, "%q is no side; b or w is", text)
	}
	return nil
}

func (s *sfenParser) readHands(text string, at int) error {
	if text == "-" {
		return nil
	}
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		n := 1
		switch number := text[start:i]; {
		case number == "":
		case number[0] == '0' || number == "1":
			return s.fail(at+start, "%s is no number of pieces; 2 is, and one piece goes without", number)
		case i == len(text):
			return s.fail(at+start, "a number without a piece")
		case number == "2":
			n = 2
		default:
			n = 3 // or more: too many
		}
		owner, k, ok := pieceOf(text[i])
		switch {
		case !ok:
			return s.fail(at+i, "%s is no piece", firstCharacter(text[i:]))
		case k == King:
			return s.fail(at+i, "a king cannot be in hand")
		}
		if err := s.count(owner, k, n, NoSquare, at+start); err != nil {
			return err
		}
		s.hands[owner][k] += uint8(n)
	}
	return nil
}

// maxMoveNumber is the largest move number read.
const maxMoveNumber = 999999

func (s *sfenParser) readMoveNumber(text string, at int) error {
	n := 0
	for i, c := range []byte(text) {
		if c < '0' || c > '9' {
			return s.fail(at+i, "%s is no digit", firstCharacter(text[i:]))
		}
		if i == 0 && c == '0' {
			return s.fail(at, "a number starts with 1 to 9")
		}
		if n = 10*n + int(c-'0'); n > maxMoveNumber {
			return s.fail(at, "more than %d", maxMoveNumber)
		}
	}
	s.number = uint32(n)
	return nil
}

// pieceOf returns the owner and the kind, Rook..King, that a letter of an SFEN stands for.
func pieceOf(letter byte) (Color, Kind, bool) {
	owner := Sente
	if letter >= 'a' && letter <= 'z' {
		owner = Gote
		letter -= 'a' - 'A'
	}
	k, ok := kindOf(letter)
	return owner, k, ok
}

// firstCharacter returns the first character of a text, quoted for a message.
func firstCharacter(text string) string {
	for i := range text {
		if i > 0 {
			text = text[:i]
			break
		}
	}
	return strconv.Quote(text)
}

// SFEN returns the position in normal form: hands in the order R B G S P, Sente's first, a
// count of one not written, and the move number.
func (p *Position) SFEN() string {
	var b []byte
	for s, piece := range p.board {
		if s > 0 && s%5 == 0 {
			b = append(b, '/')
		}
		last := len(b) - 1
		switch {
		case piece != NoPiece:
			b = append(b, piece.String()...)
		case s%5 > 0 && p.board[s-1] == NoPiece:
			b[last]++
		default:
			b = append(b, '1')
		}
	}
	if p.sideToMove == Sente {
		b = append(b, " b "...)
	} else {
		b = append(b, " w "...)
	}
	if p.hands == [2]Hand{} {
		b = append(b, '-')
	}
	for _, c := range []Color{Sente, Gote} {
		for k, n := range p.hands[c] {
			if n > 1 {
				b = append(b, '0'+n)
			}
			if n > 0 {
				b = append(b, MakePiece(c, Kind(k)).String()...)
			}
		}
	}
	b = append(b, ' ')
	return string(strconv.AppendUint(b, uint64(p.number), 10))
}

// String returns the position's SFEN.
func (p *Position) String() string { return p.SFEN() }
