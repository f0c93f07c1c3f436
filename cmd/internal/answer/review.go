package answer

import (
	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/verify/review"
)

// ReviewedMove is what a review says of a move.
type ReviewedMove struct {
	Game   int           `json:"game"` // from 1
	Ply    int           `json:"ply"`  // from 1
	SFEN   string        `json:"sfen"` // the position before the move
	Move   string        `json:"move"` // USI
	Before ReviewedValue `json:"before"`
	After  ReviewedValue `json:"after"` // for the opponent
	// Judgement is one of ok, best, only, longer, missed-mate, allowed-mate, shortened, inaccuracy, mistake, blunder, illegal.
	Judgement string   `json:"judgement"`
	Mate      *int     `json:"mate"` // plies of the mate it is about; nil if it is about none
	Line      []string `json:"line"` // USI, from sfen on: what shows it
	Better    []string `json:"better"`
	Proved    bool     `json:"proved"`
	Loss      *float64 `json:"loss,omitempty"` // in winning chances, 0 to 1, by a back end
	Rule      string   `json:"rule,omitempty"` // that an illegal move breaks, the code of rules.Rule
}

// ReviewedValue is what is known of a position, for the side to move.
type ReviewedValue struct {
	Category string  `json:"category"` // win, loss, draw, unknown
	By       *string `json:"by"`
	DTM      *int    `json:"dtm"` // plies, if the length is certain
	Rank     *int    `json:"rank,omitempty"`
	// AtMost: a mate within so many plies is proved, where the length is not.
	AtMost *int `json:"at_most,omitempty"`
	// MaxPlies: no mate by either side within so many plies is proved, where the length is not certain.
	MaxPlies *int `json:"max_plies,omitempty"`
	// Chance of winning, 0 to 1, and what it is made of: a back end's estimate in centipawns, or a mate in so many plies that it
	// claims, negative if the opponent mates.
	Chance     *float64 `json:"chance,omitempty"`
	Centipawns *int     `json:"centipawns,omitempty"`
	Claim      *int     `json:"claim,omitempty"`
}

// Review is what a review says of a game as a whole.
type Review struct {
	Game    int           `json:"game"`
	Summary ReviewSummary `json:"summary"`
}

// ReviewSummary is the rest of Review.
type ReviewSummary struct {
	File    string         `json:"file,omitempty"`
	Line    int            `json:"line"`    // of the file, in which the game begins
	Players [2]string      `json:"players"` // Sente, Gote; "" where nothing is said
	Plies   int            `json:"plies"`   // that were judged
	Result  string         `json:"result"`  // by the rules: ongoing, win, draw, undecided
	Winner  *string        `json:"winner"`
	Reason  *string        `json:"reason"`
	End     *string        `json:"end"` // what the file says of it
	Last    *ReviewedValue `json:"last"`
	Sente   ReviewedSide   `json:"sente"`
	Gote    ReviewedSide   `json:"gote"`
	// Positions before the moves, by how they were valued.
	Positions ReviewKnown    `json:"positions"`
	Remarks   []ReviewRemark `json:"remarks"`
	// Notes: what was passed over in the file.
	Notes []FileNote `json:"notes"`
	// Whole is false where the review was ended before the game was.
	Whole bool `json:"whole"`
	// Error is what is wrong with the game behind the moves that were read, ErrorLine where.
	Error     *string `json:"error,omitempty"`
	ErrorLine *int    `json:"error_line,omitempty"`
	Refusal
}

// ReviewedSide counts the moves of a side.
type ReviewedSide struct {
	Moves      int            `json:"moves"`
	Judgements map[string]int `json:"judgements"` // those that there are
	Mates      int            `json:"mates"`      // moves where a mate was there
	Found      int            `json:"found"`      // of them, those that mate all the same
	Shortest   int            `json:"shortest"`   // of these, those that mate as soon as can be
	Accuracy   *float64       `json:"accuracy"`   // found / mates
}

// ReviewKnown counts positions.
type ReviewKnown struct {
	Table     int `json:"table"`
	Search    int `json:"search"`
	Evaluated int `json:"evaluated"`
	Unknown   int `json:"unknown"`
}

// ReviewRemark is what the rules say about a game.
type ReviewRemark struct {
	// Kind is one of repetition, perpetual, impasse, ply-limit, played-on, contradiction, gave-up-won.
	Kind   string  `json:"kind"`
	Ply    int     `json:"ply"` // moves made by then
	Result string  `json:"result"`
	Winner *string `json:"winner"`
	Reason *string `json:"reason"`
}

// ReviewFailure takes the place of a game that could not be read.
type ReviewFailure struct {
	Game      int    `json:"game"`
	File      string `json:"file,omitempty"`
	Error     string `json:"error"`
	ErrorLine *int   `json:"error_line"`
	Refusal
}

// FileNote is what was passed over in a file.
type FileNote struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// ReviewedMoveOf is what a review says of a move; scale is that of review.Options.
func ReviewedMoveOf(game int, m *review.Move, scale float64) ReviewedMove {
	r := ReviewedMove{
		Game: game, Ply: m.Ply, SFEN: m.Position.SFEN(), Move: m.USI(), Before: reviewedValue(&m.Before, scale), After: reviewedValue(&m.After, scale),
		Judgement: m.Judgement.String(), Line: USI(m.Line), Better: USI(m.Better), Proved: m.Proved,
	}
	if m.Mate > 0 {
		r.Mate = &m.Mate
	}
	if m.Loss > 0 {
		r.Loss = rounded(m.Loss)
	}
	if m.Judgement == review.Illegal {
		r.Rule = m.Broken.Code()
	}
	return r
}

func reviewedValue(v *review.Value, scale float64) ReviewedValue {
	r := ReviewedValue{Category: v.Category.String()}
	if v.By != review.ByNothing {
		by := v.By.String()
		r.By = &by
	}
	if v.Rank > 0 {
		r.Rank = &v.Rank
	}
	plies, exact := v.DTM()
	switch {
	case exact:
		r.DTM = &plies
	case v.By == review.ByMate:
		r.AtMost = &plies
		fallthrough
	case v.Category == review.Unknown:
		none := max(v.None, 0)
		r.MaxPlies = &none
	}
	if e := v.Evaluation; e != nil {
		r.Chance = rounded(e.Chance(scale))
		switch {
		case e.Claims == review.Win:
			r.Claim = &e.Plies
		case e.Claims == review.Loss:
			mated := -e.Plies
			r.Claim = &mated
		default:
			r.Centipawns = &e.Centipawns
		}
	}
	return r
}

// rounded returns a part of one to three places.
func rounded(x float64) *float64 {
	x = float64(int(x*1000+0.5)) / 1000
	return &x
}

// ReviewOf is what a review says of a game. whole tells whether it came to its end, wrong what is wrong with the game behind the
// moves that were read, nil if nothing is.
func ReviewOf(game int, file string, rec *record.Game, s *review.Summary, scale float64, whole bool, line int, wrong error) Review {
	sum := ReviewSummary{
		File: file, Line: rec.FileLine, Players: rec.Players, Plies: s.Plies, Sente: reviewedSide(&s.Sides[rules.Sente]), Gote: reviewedSide(&s.Sides[rules.Gote]),
		Positions: ReviewKnown(s.Known), Remarks: []ReviewRemark{}, Notes: make([]FileNote, len(rec.Notes)), Whole: whole,
	}
	sum.Result, sum.Winner, sum.Reason = statusOf(s.Status)
	if rec.End.Text != "" {
		sum.End = &rec.End.Text
	}
	if whole {
		last := reviewedValue(&s.Last, scale)
		sum.Last = &last
	}
	for _, m := range s.Remarks {
		r := ReviewRemark{Kind: m.Kind.String(), Ply: m.Ply}
		r.Result, r.Winner, r.Reason = statusOf(m.Status)
		sum.Remarks = append(sum.Remarks, r)
	}
	for i, n := range rec.Notes {
		sum.Notes[i] = FileNote{n.Line, n.Text}
	}
	if wrong != nil {
		text := wrong.Error()
		sum.Error, sum.Refusal = &text, RefusalOf(wrong)
		if line > 0 {
			sum.ErrorLine = &line
		}
	}
	return Review{game, sum}
}

// ReviewFailureOf says why a game could not be read, and in which line if it is known.
func ReviewFailureOf(game int, file string, line int, why error) ReviewFailure {
	f := ReviewFailure{Game: game, File: file, Error: why.Error(), Refusal: RefusalOf(why)}
	if line > 0 {
		f.ErrorLine = &line
	}
	return f
}

func reviewedSide(s *review.Side) ReviewedSide {
	r := ReviewedSide{Moves: s.Moves, Judgements: map[string]int{}, Mates: s.Mates, Found: s.Found, Shortest: s.Shortest}
	for j, n := range s.Judgements {
		if n > 0 {
			r.Judgements[review.Judgement(j).String()] = n
		}
	}
	if part, ok := s.Accuracy(); ok {
		r.Accuracy = rounded(part)
	}
	return r
}
