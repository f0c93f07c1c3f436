package rules

// A second move generator, for comparison: a mailbox board, pieces that walk
// square by square, and legality by playing each move and looking whether the king
// can be captured. It shares nothing with the package but squares, pieces and moves.

type slowPosition struct {
	board      [Squares]Piece
	hands      [2]Hand
	sideToMove Color
}

func slow(p *Position) slowPosition {
	s := slowPosition{sideToMove: p.SideToMove(), hands: [2]Hand{p.Hand(Sente), p.Hand(Gote)}}
	for i := range s.board {
		s.board[i] = p.At(Square(i))
	}
	return s
}

// slowWays are the ways of each kind as keys of a number pad, as Sente sees them (8 is
// forward, 2 backward, 4 left, 6 right), first the single steps, then the slides.
var slowWays = [Kinds][2]string{
	King:           {"12346789", ""},
	Rook:           {"", "2468"},
	Dragon:         {"1379", "2468"},
	Bishop:         {"", "1379"},
	Horse:          {"2468", "1379"},
	Gold:           {"246789", ""},
	Silver:         {"13789", ""},
	PromotedSilver: {"246789", ""},
	Pawn:           {"8", ""},
	Tokin:          {"246789", ""},
}

// reach lists the squares that the piece on a square can move to, captures of any
// opposing piece included, the king too.
func (s slowPosition) reach(from int) (squares []int) {
	piece := s.board[from]
	for slides, keys := range slowWays[piece.Kind()] {
		for _, key := range keys {
			down := 1 - int(key-'1')/3
			right := int(key-'1')%3 - 1
			if piece.Color() == Gote {
				down, right = -down, -right
			}
			row, column := from/5, from%5
			for {
				row, column = row+down, column+right
				if row < 0 || row > 4 || column < 0 || column > 4 {
					break
				}
				to := 5*row + column
				if s.board[to] != NoPiece && s.board[to].Color() == piece.Color() {
					break
				}
				squares = append(squares, to)
				if s.board[to] != NoPiece || slides == 0 {
					break
				}
			}
		}
	}
	return squares
}

// kingHangs tells whether the king of c can be captured.
func (s slowPosition) kingHangs(c Color) bool {
	for from, piece := range s.board {
		if piece != NoPiece && piece.Color() != c {
			for _, to := range s.reach(from) {
				if s.board[to] == MakePiece(c, King) {
					return true
				}
			}
		}
	}
	return false
}

func (s slowPosition) play(m Move) slowPosition {
	if m.IsDrop() {
		s.hands[s.sideToMove][m.DropKind()]--
		s.board[m.To()] = MakePiece(s.sideToMove, m.DropKind())
	} else {
		if captured := s.board[m.To()]; captured != NoPiece {
			s.hands[s.sideToMove][captured.Kind().Unpromote()]++
		}
		piece := s.board[m.From()]
		if m.Promotes() {
			piece = MakePiece(s.sideToMove, piece.Kind().Promote())
		}
		s.board[m.To()] = piece
		s.board[m.From()] = NoPiece
	}
	s.sideToMove = s.sideToMove.Other()
	return s
}

// moves lists the legal moves; with pawnDropMates also the pawn drops that mate.
func (s slowPosition) moves(pawnDropMates bool) (legal []Move) {
	farRow := 0
	if s.sideToMove == Gote {
		farRow = 4
	}
	var tries []Move
	for from, piece := range s.board {
		if piece == NoPiece || piece.Color() != s.sideToMove {
			continue
		}
		for _, to := range s.reach(from) {
			inZone := from/5 == farRow || to/5 == farRow
			if !(piece.Kind() == Pawn && to/5 == farRow) {
				tries = append(tries, Step(Square(from), Square(to), false))
			}
			if inZone {
				switch piece.Kind() {
				case Rook, Bishop, Silver, Pawn:
					tries = append(tries, Step(Square(from), Square(to), true))
				}
			}
		}
	}
	for k, n := range s.hands[s.sideToMove] {
		for to, piece := range s.board {
			if n > 0 && piece == NoPiece {
				if Kind(k) == Pawn && (to/5 == farRow || s.pawnOnColumn(to%5)) {
					continue
				}
				tries = append(tries, Drop(Kind(k), Square(to)))
			}
		}
	}
	for _, m := range tries {
		after := s.play(m)
		if after.kingHangs(s.sideToMove) {
			continue
		}
		if !pawnDropMates && m.IsDrop() && m.DropKind() == Pawn &&
			after.kingHangs(after.sideToMove) && len(after.moves(true)) == 0 {
			continue
		}
		legal = append(legal, m)
	}
	return legal
}

func (s slowPosition) pawnOnColumn(column int) bool {
	for row := range 5 {
		if s.board[5*row+column] == MakePiece(s.sideToMove, Pawn) {
			return true
		}
	}
	return false
}
