package rules

import "fmt"

// Rule is a rule that an illegal move breaks.
type Rule uint8

// The rules, in the order in which Legal tests them.
const (
	_                   Rule = iota
	NotAMove                 // the 16 bits encode nothing
	NoPieceThere             // the origin is empty
	NotYourPiece             // the origin holds a piece of the opponent
	NotInHand                // the piece dropped is not in hand
	OwnPieceOnTarget         // the destination of a step holds an own piece
	TargetOccupied           // the destination of a drop is occupied
	PieceMovesOtherwise      // the piece does not reach the destination
	KingCaptured             // only in placements that are not legal positions
	CannotPromote            // the piece has no promoted side, or is promoted
	OutsideZone              // a promotion that neither starts nor ends on the far rank
	MustPromote              // a pawn that reaches the far rank
	DeadPawn                 // a pawn dropped on the far rank
	SecondPawn               // nifu: a pawn dropped on a file with another
	LeavesCheck              // the own king is attacked after the move
	PawnDropMate             // uchifuzume: a pawn dropped to give mate at once
	GameOver                 // a move after the end of a game
)

var ruleTexts = [...]string{
	NotAMove:            "it is not a move",
	NoPieceThere:        "there is no piece on its first square",
	NotYourPiece:        "the piece is the opponent's",
	NotInHand:           "no such piece in hand",
	OwnPieceOnTarget:    "an own piece is on the target square",
	TargetOccupied:      "a piece is dropped on an empty square only",
	PieceMovesOtherwise: "the piece cannot go there",
	KingCaptured:        "a king is not captured",
	CannotPromote:       "the piece cannot promote",
	OutsideZone:         "a piece promotes only on a move from or to the far rank",
	MustPromote:         "a pawn must promote on the far rank",
	DeadPawn:            "a pawn may not be dropped on the far rank, where it could never move",
	SecondPawn:          "nifu, a second unpromoted pawn on the file",
	LeavesCheck:         "it leaves the own king in check",
	PawnDropMate:        "uchifuzume, a pawn dropped to give mate",
	GameOver:            "the game is over",
}

var ruleCodes = [...]string{
	NotAMove:            "not-a-move",
	NoPieceThere:        "no-piece",
	NotYourPiece:        "not-yours",
	NotInHand:           "not-in-hand",
	OwnPieceOnTarget:    "own-piece",
	TargetOccupied:      "occupied",
	PieceMovesOtherwise: "cannot-reach",
	KingCaptured:        "king",
	CannotPromote:       "cannot-promote",
	OutsideZone:         "outside-zone",
	MustPromote:         "must-promote",
	DeadPawn:            "dead-pawn",
	SecondPawn:          "nifu",
	LeavesCheck:         "leaves-check",
	PawnDropMate:        "uchifuzume",
	GameOver:            "game-over",
}

// Code names the rule for programs: "uchifuzume".
func (r Rule) Code() string {
	if int(r) >= len(ruleCodes) || ruleCodes[r] == "" {
		return fmt.Sprintf("rule-%d", uint8(r))
	}
	return ruleCodes[r]
}

func (r Rule) String() string {
	if int(r) >= len(ruleTexts) || ruleTexts[r] == "" {
		return fmt.Sprintf("rule %d", uint8(r))
	}
	return ruleTexts[r]
}

// IllegalMoveError says which rule forbids a move.
type IllegalMoveError struct {
	Move Move
	Rule Rule
}

func (e *IllegalMoveError) Error() string {
	return fmt.Sprintf("illegal move %v: %v", e.Move, e.Rule)
}

// Legal returns nil if Moves would list m, and otherwise an *IllegalMoveError that names the
// rule that m breaks; any value of m will do.
func (p *Position) Legal(m Move) error {
	if rule := p.breaks(m); rule != 0 {
		return &IllegalMoveError{m, rule}
	}
	return nil
}

// breaks returns the rule that m breaks, or 0.
func (p *Position) breaks(m Move) Rule {
	if !m.wellFormed() {
		return NotAMove
	}
	breaks := p.breaksStepping
	if m.IsDrop() {
		breaks = p.breaksDropping
	}
	if rule := breaks(m); rule != 0 {
		return rule
	}
	q := *p
	q.Make(m)
	if k := q.kings[p.sideToMove]; k != NoSquare && q.Attacked(k, q.sideToMove) {
		return LeavesCheck
	}
	if m.IsDrop() && m.DropKind() == Pawn && q.InCheck() && !q.HasMove() {
		return PawnDropMate
	}
	return 0
}

// breaksStepping and breaksDropping leave out what the kings' safety forbids.
func (p *Position) breaksStepping(m Move) Rule {
	from, to := m.From(), m.To()
	piece := p.board[from]
	kind := piece.Kind()
	zone := FarRank(p.sideToMove)
	switch {
	case piece == NoPiece:
		return NoPieceThere
	case piece.Color() != p.sideToMove:
		return NotYourPiece
	case p.by[p.sideToMove].Has(to):
		return OwnPieceOnTarget
	case !attacksFrom(p.sideToMove, kind, from, p.Occupied()).Has(to):
		return PieceMovesOtherwise
	case to == p.kings[p.sideToMove.Other()]:
		return KingCaptured
	case m.Promotes() && !kind.CanPromote():
		return CannotPromote
	case m.Promotes() && !zone.Has(from) && !zone.Has(to):
		return OutsideZone
	case !m.Promotes() && kind == Pawn && zone.Has(to):
		return MustPromote
	}
	return 0
}

func (p *Position) breaksDropping(m Move) Rule {
	k, to := m.DropKind(), m.To()
	switch {
	case p.hands[p.sideToMove][k] == 0:
		return NotInHand
	case p.Occupied().Has(to):
		return TargetOccupied
	case k == Pawn && FarRank(p.sideToMove).Has(to):
		return DeadPawn
	case k == Pawn && p.Pieces(p.sideToMove, Pawn)&files(to.Bit()) != 0:
		return SecondPawn
	}
	return 0
}

// wellFormed tells whether the bits encode a step between two squares or a drop.
func (m Move) wellFormed() bool {
	if m>>11 != 0 || m.To() >= Squares || m.From() == m.To() {
		return false
	}
	return !m.IsDrop() || m.DropKind() <= Pawn && !m.Promotes()
}
