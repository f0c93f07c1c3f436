package answer

import (
	"errors"

	"gogotb/rules"
)

// Refusal is why a position or a move is refused, in codes.
type Refusal struct {
	Fault *Fault `json:"fault,omitempty"` // where the position is not legal
	Rule  string `json:"rule,omitempty"`  // that an illegal move breaks, the code of rules.Rule
}

// RefusalOf tells what is refused; empty if the error is about neither.
func RefusalOf(err error) Refusal {
	return Refusal{faultOf(err), RuleOf(err)}
}

// RuleOf returns the code of the rule that an illegal move breaks; "" if the error is not about that.
func RuleOf(err error) string {
	var illegal *rules.IllegalMoveError
	if !errors.As(err, &illegal) {
		return ""
	}
	return illegal.Rule.Code()
}

// Fault is why a position is not legal, for programs that say it in words of their own.
type Fault struct {
	Code   string `json:"code"`             // that of rules.Fault
	Color  string `json:"color,omitempty"`  // the side to blame, if one is
	Kind   string `json:"kind,omitempty"`   // of which there are too many pieces
	Square string `json:"square,omitempty"` // USI, where there is one
}

// faultOf tells what is wrong with a position; nil if the error is not about that.
func faultOf(err error) *Fault {
	var illegal *rules.PositionError
	if !errors.As(err, &illegal) {
		return nil
	}
	f := &Fault{Code: illegal.Fault.Code()}
	if illegal.Fault.OfSide() {
		f.Color = illegal.Color.String()
	}
	if illegal.Fault == rules.ThirdPiece {
		f.Kind = illegal.Kind.String()
	}
	if illegal.Square < rules.Squares {
		f.Square = illegal.Square.String()
	}
	return f
}
