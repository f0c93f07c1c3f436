package retro

import (
	"context"

	"gogotb/rules"
)

// An Exchange connects the parts of an analysis. An analysis that is not divided has none.
//
// A part runs the same passes as the analysis of a whole set, over the king pairs that are its own
// (Plan). It reads rows of others, too: those that king moves lead to. Of these it has copies, and
// every pass that changes rows others have copies of ends a step: Swap hands on what this part has
// found, as deltas, and waits until it has applied what the others have found. Steps count from 0.
// Which step comes next depends on the set and on the sums of the steps before alone, so all parts
// agree on it, and nobody has to tell them.
//
// What a part finds in a step depends on the set, the plan, the step and the part alone: out has
// the same deltas in the same order, byte for byte, whoever runs the part, with any number of
// goroutines, and also if it was restored. So it does no harm if a step of a part is ended twice,
// by a part believed dead and by its successor: what comes second has to be equal, which is worth
// comparing. Deltas may come in any order, late as long as Swap has not returned, and several times.
//
// A part that is taken over begins with Restore. It rebuilds its sets from the wins and losses
// before the mark, and runs the steps behind the mark again; those that were ended before it died
// are ended a second time.
//
// Memory: out is not used any more when Swap has returned; a part keeps none of its deltas.
type Exchange interface {
	// Swap ends a step of the part. When it returns without an error, in has been called with every
	// delta of the step by another part that this part reads (Plan.Readers), and out is kept where
	// Restore, of this part and of its readers, will find it. Swap returns the sums of all parts.
	// It may call in from several goroutines; an error of in is to be returned as it is.
	Swap(ctx context.Context, step Step, out []Delta, in func(Delta) error) (Sums, error)
	// Restore returns the newest mark that any part has ended a step with, the zero Mark if there
	// is none. All parts have ended the steps before it.
	Restore(ctx context.Context) (Mark, error)
	// Replay calls in, as Swap does, with the wins and losses of the steps before a mark: those of
	// this part, and those that it reads. They may come in any order.
	Replay(ctx context.Context, before int, in func(Delta) error) error
}

// Step is what a part says of a step that it ends.
type Step struct {
	Number int
	Mark   Mark // the last one before the step
	Sums   Sums // of this part
}

// Mark says how far all parts of an analysis have come. The zero Mark is its beginning.
type Mark struct {
	Step    int    `json:"step"` // the first one after the mark
	Phase   Phase  `json:"phase"`
	Number  int    `json:"number"`  // the last finished ply or rank
	Decided uint64 `json:"decided"` // positions
	Legal   uint64 `json:"legal"`   // positions
	Mated   uint64 `json:"mated"`   // checkmates
}

// Sums are what is counted in a step. Those of all parts are added up.
type Sums struct {
	Found uint64 `json:"found"` // what the pass has found or changed; what that is depends on the step
	Legal uint64 `json:"legal"` // legal positions, in the first step
	Mated uint64 `json:"mated"` // checkmates, in the first step
}

// Add adds the sums of another part.
func (s *Sums) Add(t Sums) {
	s.Found += t.Found
	s.Legal += t.Legal
	s.Mated += t.Mated
}

// Delta is what a part has found or changed in a step in the rows of one king pair of a slice.
type Delta struct {
	Step  int
	Kind  DeltaKind
	Value rules.Value // of wins and losses
	Slice int
	Pair  int
	// Rows are the positions, in the form of log.go: for each row its distance from the row before
	// (uvarint), a mask of its non-empty words (4 bytes) and these words (4 bytes each),
	// little-endian.
	Rows []byte
}

// DeltaKind says what a delta has.
type DeltaKind uint8

const (
	// Wins are positions with Sente to move. They are results: the tables are made of them.
	Wins DeltaKind = iota
	// Losses are results, too, with Gote to move.
	Losses
	// SenteRows are positions with Sente to move that a pass has added to a set or taken from it.
	// They are of use in their step only.
	SenteRows
	// GoteRows are such positions with Gote to move.
	GoteRows
)

// sideToMove returns who is to move in the positions.
func (k DeltaKind) sideToMove() rules.Color {
	if k == Wins || k == SenteRows {
		return rules.Sente
	}
	return rules.Gote
}

// IsResult tells whether the deltas are results.
func (k DeltaKind) IsResult() bool { return k == Wins || k == Losses }
