package rules

import "fmt"

// Western notation as the servers write it: the piece, its origin if there is a choice,
// - (or x for a capture, * for a drop), the destination, and + for promotion or = where
// it was declined. Squares are two digits, file and rank from the top: 43 is 4c in USI.

// Western returns the legal move m in western notation. The origin is written only if another
// piece of the same kind could legally go to the same square.
func (p *Position) Western(m Move) string {
	to := m.To()
	if m.IsDrop() {
		return m.DropKind().String() + "*" + westernSquare(to)
	}
	from := m.From()
	kind := p.board[from].Kind()
	text := kind.String()
	able, promotable := p.whoCanGo(kind, to)
	if able&^from.Bit() != 0 {
		text += westernSquare(from)
	}
	if p.board[to] == NoPiece {
		text += "-"
	} else {
		text += "x"
	}
	text += westernSquare(to)
	switch {
	case m.Promotes():
		text += "+"
	case promotable.Has(from):
		text += "="
	}
	return text
}

// whoCanGo returns the set of own pieces of a kind with a legal move to a square, and the set
// of those that may promote there.
func (p *Position) whoCanGo(kind Kind, to Square) (able, promotable Bitboard) {
	var l moveSets
	p.generate(&l)
	for i := range l.set[:l.n] {
		s := &l.set[i]
		if s.kind != kind || s.origin >= dropBase {
			continue
		}
		if (s.plain | s.promoting).Has(to) {
			able |= Square(s.origin).Bit()
		}
		if s.promoting.Has(to) {
			promotable |= Square(s.origin).Bit()
		}
	}
	return able, promotable
}

func westernSquare(s Square) string {
	return string([]byte{'5' - byte(s.Column()), '1' + byte(s.Rank())})
}

// westernText is a move as it is written, with the places of its parts.
type westernText struct {
	text   string
	kind   Kind
	origin Square // NoSquare if not written
	sign   byte   // - x *
	to     Square
	suffix byte // + = or 0

	originAt, signAt, toAt, suffixAt int
}

func (w *westernText) fail(i int, format string, args ...any) error {
	return &MoveError{w.text, i + 1, fmt.Sprintf(format, args...)}
}

// scanWestern takes the text of a move apart.
func scanWestern(text string) (*westernText, error) {
	w := &westernText{text: text, origin: NoSquare}
	i := 0
	// at is the character to read next, 0 at the end.
	at := func() byte {
		if i < len(text) {
			return text[i]
		}
		return 0
	}
	square := func() (Square, error) {
		start := i
		for ; i < start+2; i++ {
			if c := at(); c < '1' || c > '5' {
				return NoSquare, w.fail(i, "a square is two digits, 1 to 5")
			}
		}
		return Square(5*(text[start+1]-'1') + '5' - text[start]), nil
	}
	promoted := at() == '+'
	if promoted {
		i++
	}
	kind, ok := kindOf(at())
	switch {
	case !ok:
		return nil, w.fail(i, "a move starts with one of K R B G S P, or + and one of R B S P")
	case promoted && !kind.CanPromote():
		return nil, w.fail(i, "%c cannot be promoted", kind.Letter())
	case promoted:
		kind = kind.Promote()
	}
	w.kind = kind
	i++
	w.originAt = i
	var err error
	if c := at(); c >= '0' && c <= '9' {
		if w.origin, err = square(); err != nil {
			return nil, err
		}
	}
	w.signAt = i
	switch w.sign = at(); w.sign {
	case '-', 'x':
	case '*':
		if kind >= King {
			return nil, w.fail(i, "%v cannot be dropped", kind)
		}
		if w.origin != NoSquare {
			return nil, w.fail(w.originAt, "a drop has no origin")
		}
	default:
		return nil, w.fail(i, "one of - x * belongs here")
	}
	i++
	w.toAt = i
	if w.to, err = square(); err != nil {
		return nil, err
	}
	w.suffixAt = i
	if c := at(); c == '+' || c == '=' {
		if w.sign == '*' {
			return nil, w.fail(i, "a drop does not promote")
		}
		w.suffix = c
		i++
	}
	if i < len(text) {
		return nil, w.fail(i, "nothing more may follow")
	}
	return w, nil
}

// ParseWestern reads a legal move of p in western notation. An origin may be written
// where none is needed; everything else must be as Western writes it. Errors are of
// type *MoveError or, if the move is understood and breaks a rule, *IllegalMoveError.
func (p *Position) ParseWestern(text string) (Move, error) {
	w, err := scanWestern(text)
	if err != nil {
		return 0, err
	}
	if w.sign == '*' {
		m := Drop(w.kind, w.to)
		if err := p.Legal(m); err != nil {
			return 0, err
		}
		return m, nil
	}
	meant := p.Pieces(p.sideToMove, w.kind)
	if w.origin != NoSquare {
		meant &= w.origin.Bit()
	}
	able, promotable := p.whoCanGo(w.kind, w.to)
	able &= meant
	switch {
	case meant == 0 && w.origin != NoSquare:
		return 0, w.fail(w.originAt, "%v has no %v on %s", p.sideToMove, w.kind, westernSquare(w.origin))
	case meant == 0:
		return 0, w.fail(0, "%v has no %v on the board", p.sideToMove, w.kind)
	case able.Count() > 1:
		return 0, w.fail(w.originAt, "more than one %v can go to %s: the origin must be written",
			w.kind, westernSquare(w.to))
	case able == 0 && meant.Count() > 1:
		return 0, w.fail(w.toAt, "no %v can go to %s", w.kind, westernSquare(w.to))
	}
	// One piece is meant: the one that can go there, or the only one of its kind,
	// of which Legal says why it cannot.
	from := meant.First()
	if able != 0 {
		from = able.First()
	}
	m := Step(from, w.to, w.suffix == '+')
	if err := p.Legal(m); err != nil {
		return 0, err
	}
	capture := p.board[w.to] != NoPiece
	switch {
	case capture && w.sign == '-':
		return 0, w.fail(w.signAt, "a capture is written x")
	case !capture && w.sign == 'x':
		return 0, w.fail(w.signAt, "there is nothing to capture")
	case promotable.Has(from) && w.suffix == 0:
		return 0, w.fail(w.suffixAt, "+ or = must say whether the piece promotes")
	case !promotable.Has(from) && w.suffix == '=':
		return 0, w.fail(w.suffixAt, "there is no promotion to decline")
	}
	return m, nil
}
