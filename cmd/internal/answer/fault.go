package answer

import (
	"errors"

	"gogotb/rules"
)

// Fault is why a position is not legal, for programs that say it in words of their own.
type Fault struct {
	Code   string `json:"code"`             // that of rules.Fault
	Color  string `json:"color,omitempty"`  // the side to blame, if one is
	Kind   string `json:"kind,omitempty"`   // of which there are too many pieces
	Square string `json:"square,omitempty"` // USI, where there is one
}

// FaultOf tells what is wrong with a position; nil if the error is not about that.
func FaultOf(err error) *Fault {
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
