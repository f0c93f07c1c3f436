package csa

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gogotb/rules"
)

// kinds are the pieces that the format names.
var kinds = map[string]rules.Kind{
	"OU": rules.King, "HI": rules.Rook, "KA": rules.Bishop, "KI": rules.Gold, "GI": rules.Silver, "FU": rules.Pawn,
	"RY": rules.Dragon, "UM": rules.Horse, "NG": rules.PromotedSilver, "TO": rules.Tokin,
}

// kindOf returns the kind of a name.
func kindOf(name string) (rules.Kind, error) {
	k, ok := kinds[strings.ToUpper(name)]
	if !ok {
		return 0, fmt.Errorf("%q is no piece of 5x5 shogi; OU HI KA KI GI FU RY UM NG TO are", name)
	}
	return k, nil
}

// inHand is the square that stands for the hand.
const inHand = rules.NoSquare

// squareOf reads a file and a rank.
func squareOf(text string) (rules.Square, error) {
	if text == "00" {
		return inHand, nil
	}
	file, rank := int(text[0]-'0'), int(text[1]-'0')
	if file < 1 || file > 5 || rank < 1 || rank > 5 {
		return 0, fmt.Errorf("there is no square %s on 5x5 squares", text)
	}
	return rules.Square(5*(rank-1) + 5 - file), nil
}

// start gathers what the statements of a game say about its first position.
type start struct {
	line  int // of the first statement about it, 0 if there is none
	board [rules.Squares]rules.Piece
	ranks [5]bool // those that were read
	hands [2]rules.Hand
	side  rules.Color
	sided bool // the side to move is known
	// rest is who holds all that is left, if rested.
	rest   rules.Color
	rested bool
}

// statement reads a statement about where the pieces are.
func (s *start) statement(st statement) error {
	if s.line == 0 {
		s.line = st.line
	}
	switch c, text := st.text[1], st.text[2:]; {
	case c == 'I':
		return s.initial(text)
	case isDigit(c):
		return s.rank(int(c-'0'), text)
	default:
		return s.pieces(sideOf(c), text)
	}
}

// sideOf returns the side that a sign stands for.
func sideOf(sign byte) rules.Color {
	if sign == '-' {
		return rules.Gote
	}
	return rules.Sente
}

// initial reads the starting position, and what is missing in it.
func (s *start) initial(text string) error {
	p, err := rules.ParseSFEN(rules.StartSFEN)
	if err != nil {
		return err
	}
	for sq := range s.board {
		s.board[sq] = p.At(rules.Square(sq))
	}
	return eachPiece(text, func(square rules.Square, name string) error {
		k, err := kindOf(name)
		switch {
		case err != nil:
			return err
		case square == inHand || s.board[square] == rules.NoPiece || s.board[square].Kind() != k:
			return fmt.Errorf("there is no %s to leave out on that square", name)
		}
		s.board[square] = rules.NoPiece
		return nil
	})
}

// eachPiece calls do for the squares and pieces of a statement.
func eachPiece(text string, do func(square rules.Square, name string) error) error {
	text = strings.Join(strings.Fields(text), "")
	for ; text != ""; text = text[4:] {
		if len(text) < 4 || !isDigit(text[0]) || !isDigit(text[1]) || !isLetter(text[2]) || !isLetter(text[3]) {
			return fmt.Errorf("a square and a piece, like 55OU, belong here, not %q", text)
		}
		square, err := squareOf(text[:2])
		if err == nil {
			err = do(square, text[2:4])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pieces reads pieces of a side, on the board and in hand.
func (s *start) pieces(owner rules.Color, text string) error {
	return eachPiece(text, func(square rules.Square, name string) error {
		if square == inHand && strings.EqualFold(name, "AL") {
			s.rest, s.rested = owner, true
			return nil
		}
		k, err := kindOf(name)
		switch {
		case err != nil:
			return err
		case square != inHand && s.board[square] != rules.NoPiece:
			return fmt.Errorf("there is a piece on the square of this %s already", name)
		case square != inHand:
			s.board[square] = rules.MakePiece(owner, k)
			return nil
		case k > rules.Pawn:
			return fmt.Errorf("%s cannot be held", name)
		case s.hands[owner][k] == 2:
			return fmt.Errorf("more than two %s in hand", name)
		}
		s.hands[owner][k]++
		return nil
	})
}

// rank reads the squares of a rank. Spaces may have been lost on the way.
func (s *start) rank(n int, text string) error {
	switch {
	case n < 1 || n > 5:
		return fmt.Errorf("there is no rank %d on 5x5 squares", n)
	case s.ranks[n-1]:
		return fmt.Errorf("rank %d is there twice", n)
	}
	s.ranks[n-1] = true
	column := 0
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		piece, size := rules.NoPiece, 1
		switch {
		case text[0] == '*':
		case (text[0] == '+' || text[0] == '-') && len(text) >= 3:
			k, err := kindOf(text[1:3])
			if err != nil {
				return err
			}
			piece, size = rules.MakePiece(sideOf(text[0]), k), 3
		default:
			r, _ := utf8.DecodeRuneInString(text)
			return fmt.Errorf("a square is *, or + or - and a piece; it does not begin with %q", r)
		}
		if column == 5 {
			return fmt.Errorf("the rank has more than 5 squares")
		}
		s.board[5*(n-1)+column] = piece
		column++
		text = text[size:]
	}
	if column < 5 {
		return fmt.Errorf("the rank has %d squares, not 5", column)
	}
	return nil
}

// position returns the first position.
func (s *start) position() (rules.Position, error) {
	if s.line == 0 {
		if err := s.initial(""); err != nil {
			return rules.Position{}, err
		}
	}
	if s.ranks != [5]bool{} {
		for i, read := range s.ranks {
			if !read {
				return rules.Position{}, fmt.Errorf("of the ranks, P%d is missing", i+1)
			}
		}
	}
	if s.rested {
		s.holdRest()
	}
	return rules.New(s.board, s.hands, s.side)
}

// holdRest gives all pieces that are nowhere else to a hand.
func (s *start) holdRest() {
	left := [rules.HandKinds]int{2, 2, 2, 2, 2}
	for _, piece := range s.board {
		if piece != rules.NoPiece && piece.Kind() != rules.King {
			left[piece.Kind().Unpromote()]--
		}
	}
	for k := range left {
		n := left[k] - int(s.hands[rules.Sente][k]) - int(s.hands[rules.Gote][k])
		s.hands[s.rest][k] += uint8(max(n, 0))
	}
}
