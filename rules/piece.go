package rules

import "strings"

// Color is a player.
type Color uint8

const (
	// Sente (Black) moves up the board, from rank e to rank a.
	Sente Color = iota
	// Gote (White) moves down.
	Gote
)

// Other returns the opponent.
func (c Color) Other() Color { return c ^ 1 }

func (c Color) String() string {
	if c == Sente {
		return "sente"
	}
	return "gote"
}

// Kind is a kind of piece. The kinds that can be in a hand come first, in the
// order R B G S P that material sets and hands are written in.
type Kind uint8

const (
	Rook Kind = iota
	Bishop
	Gold
	Silver
	Pawn
	King
	Dragon         // promoted rook, +R
	Horse          // promoted bishop, +B
	_              // golds do not promote
	PromotedSilver // +S
	Tokin          // promoted pawn, +P
	// Kinds is the number of values a Kind can take.
	Kinds
	// HandKinds is the number of kinds that can be held in hand: Rook..Pawn.
	HandKinds = 5
)

// promotion is the distance between a kind and its promoted kind.
const promotion = Dragon - Rook

// CanPromote tells whether the kind has a promoted side, and shows its plain one.
func (k Kind) CanPromote() bool { return k < King && k != Gold }

// IsPromoted tells whether the kind is the promoted side of a piece.
func (k Kind) IsPromoted() bool { return k > King }

// Promote returns the promoted kind of R, B, S, P.
func (k Kind) Promote() Kind { return k + promotion }

// Unpromote returns the kind that the piece has in a hand.
func (k Kind) Unpromote() Kind {
	if k > King {
		return k - promotion
	}
	return k
}

// kindLetters are the letters of the kinds in every notation; a promoted kind is
// written with a + before the letter of the plain one.
const kindLetters = "RBGSPK"

// Letter returns the capital letter of the kind; the one of the plain kind if promoted.
func (k Kind) Letter() byte { return kindLetters[k.Unpromote()] }

// String returns the kind as it is written for Sente: "R", "+R".
func (k Kind) String() string { return MakePiece(Sente, k).String() }

// kindOf returns the kind, Rook..King, of a capital letter.
func kindOf(letter byte) (Kind, bool) {
	i := strings.IndexByte(kindLetters, letter)
	return Kind(i), i >= 0
}

// Piece is a piece on the board: its kind and owner. The zero Piece is an empty square.
type Piece uint8

// NoPiece is an empty square.
const NoPiece Piece = 0

// MakePiece returns the piece of kind k that c owns.
func MakePiece(c Color, k Kind) Piece { return Piece(c)<<4 | Piece(k+1) }

// Kind of the piece; meaningless for NoPiece.
func (p Piece) Kind() Kind { return Kind(p&15) - 1 }

// Color returns the owner of the piece; meaningless for NoPiece.
func (p Piece) Color() Color { return Color(p >> 4) }

// String returns the piece in SFEN: "R", "+r"; "-" for NoPiece.
func (p Piece) String() string {
	if p == NoPiece {
		return "-"
	}
	letter := p.Kind().Letter()
	if p.Color() == Gote {
		letter += 'a' - 'A'
	}
	if p.Kind().IsPromoted() {
		return string([]byte{'+', letter})
	}
	return string(letter)
}
