package rules

// Position is a board, both hands, the side to move and a move number. It is a value
// of 112 bytes: copying it takes a snapshot. The zero Position is not a position; get
// one from ParseSFEN, New or Place.
type Position struct {
	// The board twice: by square, and as sets by kind (of both colours) and by owner.
	board      [Squares]Piece
	hands      [2]Hand
	kings      [2]Square // NoSquare if there is none
	sideToMove Color
	kinds      [Kinds]Bitboard
	by         [2]Bitboard
	// number of the move to be played next, from 1
	number   uint32
	boardKey uint64 // of the board and the side to move
	handKey  uint64 // of both hands
}

// Hand is the number of pieces of each kind that a player holds, by Kind, Rook..Pawn.
type Hand [HandKinds]uint8

// New returns a position at move number 1. It must be legal as Validate defines it; if not,
// the error is a *PositionError.
func New(board [Squares]Piece, hands [2]Hand, sideToMove Color) (Position, error) {
	if err := wellFormed(&board, sideToMove); err != nil {
		return Position{}, err
	}
	p := Place(&board, &hands, sideToMove)
	if err := p.Validate(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Place is New without its checks, for tables that hold illegal placements too: a
// side that has moved may be in check, kings may touch. There must be at most one king
// of each side and at most two pieces of each other kind, hands included.
func Place(board *[Squares]Piece, hands *[2]Hand, sideToMove Color) Position {
	p := Position{
		board:      *board,
		hands:      *hands,
		kings:      [2]Square{NoSquare, NoSquare},
		sideToMove: sideToMove,
		number:     1,
	}
	for s, piece := range board {
		if piece != NoPiece {
			bit := Square(s).Bit()
			p.kinds[piece.Kind()] |= bit
			p.by[piece.Color()] |= bit
			p.boardKey ^= boardKeys[s][piece&31]
			if piece.Kind() == King {
				p.kings[piece.Color()] = Square(s)
			}
		}
	}
	for c := range hands {
		for k, n := range hands[c] {
			p.handKey ^= handKeys[c][k][n&3]
		}
	}
	if sideToMove == Gote {
		p.boardKey ^= sideToMoveKey
	}
	return p
}

// SideToMove returns the side to move.
func (p *Position) SideToMove() Color { return p.sideToMove }

// MoveNumber returns the number of the move to be played next, 1 for the first.
func (p *Position) MoveNumber() int { return int(p.number) }

// At returns the piece on a square; NoPiece if it is empty.
func (p *Position) At(s Square) Piece { return p.board[s] }

// King returns where the king of c stands; NoSquare if c has none.
func (p *Position) King(c Color) Square { return p.kings[c] }

// Hand returns what c holds.
func (p *Position) Hand(c Color) Hand { return p.hands[c] }

// HandCount returns how many pieces of kind k, Rook..Pawn, c holds.
func (p *Position) HandCount(c Color, k Kind) uint8 { return p.hands[c][k] }

// Pieces returns where c's pieces of kind k stand; plain and promoted are two kinds.
func (p *Position) Pieces(c Color, k Kind) Bitboard { return p.kinds[k] & p.by[c] }

// Occupied returns the set of squares with a piece on them.
func (p *Position) Occupied() Bitboard { return p.by[Sente] | p.by[Gote] }

// OccupiedBy returns where the pieces of c stand.
func (p *Position) OccupiedBy(c Color) Bitboard { return p.by[c] }

// Attacked tells whether a piece of c attacks s (pinned ones count).
func (p *Position) Attacked(s Square, c Color) bool {
	return p.attackers(s, c, p.Occupied()) != 0
}

// InCheck tells whether the king of the side to move is attacked.
func (p *Position) InCheck() bool {
	k := p.kings[p.sideToMove&1]
	return k != NoSquare && p.Attacked(k, p.sideToMove.Other())
}

// Same tells whether two positions are equal in board, hands and side to move, which
// is what repetition means; move numbers may differ.
func (p *Position) Same(q *Position) bool {
	return p.boardKey == q.boardKey && p.handKey == q.handKey &&
		p.board == q.board && p.hands == q.hands && p.sideToMove == q.sideToMove
}

// Rotated returns the position seen from the other side of the board: turned by 180
// degrees, with the colours of pieces, hands and side to move exchanged.
func (p *Position) Rotated() Position {
	var board [Squares]Piece
	for s, piece := range p.board {
		if piece != NoPiece {
			board[Square(s).Rotate()] = MakePiece(piece.Color().Other(), piece.Kind())
		}
	}
	q := Place(&board, &[2]Hand{p.hands[Gote], p.hands[Sente]}, p.sideToMove.Other())
	q.number = p.number
	return q
}

// Mirrored returns the position with left and right exchanged.
func (p *Position) Mirrored() Position {
	var board [Squares]Piece
	for s, piece := range p.board {
		board[Square(s).Mirror()] = piece
	}
	q := Place(&board, &p.hands, p.sideToMove)
	q.number = p.number
	return q
}
