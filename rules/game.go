package rules

import "slices"

// GameOptions are the rules of a game that are not the same everywhere.
type GameOptions struct {
	// Repetition decides games in which a position occurs four times.
	Repetition Repetition
	// FirstPlayer made the first move, for FirstPlayerLoses; nil: the side to move in
	// the first position.
	FirstPlayer *Color
	// MaxPlies is the number of plies after which a game without a result is a draw;
	// 0: no limit. PlyLimit is usual.
	MaxPlies int
	// Impasse counts the pieces once both kings have entered their far ranks. That
	// neither can be mated, as the rule demands, is for the caller to know.
	Impasse bool
}

// PlyLimit is the usual value of GameOptions.MaxPlies.
const PlyLimit = 300

// Result is how a game stands.
type Result uint8

const (
	Ongoing Result = iota
	// Win: Status.Winner has won.
	Win
	Draw
	// Undecided: an impasse in which both sides have too few points, of which the
	// rule says nothing.
	Undecided
)

func (r Result) String() string {
	return [...]string{"ongoing", "win", "draw", "undecided"}[r&3]
}

// Reason is why a game has ended.
type Reason uint8

const (
	// NoReason: it has not.
	NoReason Reason = iota
	// Checkmate: the side to move is in check and has no legal move.
	Checkmate
	// Stalemate: the side to move is not in check and has no legal move.
	Stalemate
	// FourfoldRepetition: the position has occurred for the fourth time.
	FourfoldRepetition
	// PerpetualCheck: the same, and all moves of the loser since its first occurrence
	// were checks.
	PerpetualCheck
	// PlyLimitReached: GameOptions.MaxPlies have been played.
	PlyLimitReached
	// ImpasseCount: the pieces were counted.
	ImpasseCount
)

var reasonTexts = [...]string{"", "checkmate", "stalemate", "repetition", "perpetual", "ply-limit", "impasse"}

// String is empty for NoReason, otherwise one lower-case word.
func (r Reason) String() string {
	if int(r) < len(reasonTexts) {
		return reasonTexts[r]
	}
	return ""
}

// Status is how a game stands, and why.
type Status struct {
	Result Result
	Winner Color // only for Win
	Reason Reason
}

// Game is a sequence of legal moves from a starting position, with what repetition needs
// to know of it. It is not safe for concurrent use.
type Game struct {
	options     GameOptions
	positions   []Position // before each move, and the current one
	moves       []Move
	occurrences map[Position]int // of each position, its move number set to 0
}

// NewGame returns a game before its first move.
func NewGame(start Position, options GameOptions) *Game {
	g := &Game{options: options, occurrences: map[Position]int{}}
	g.enter(start)
	return g
}

func (g *Game) enter(p Position) {
	g.positions = append(g.positions, p)
	p.number = 0
	g.occurrences[p]++
}

// Position returns the current position.
func (g *Game) Position() Position { return g.positions[len(g.moves)] }

// Start returns the position in which the game began.
func (g *Game) Start() Position { return g.positions[0] }

// Moves returns the moves played so far.
func (g *Game) Moves() []Move { return slices.Clone(g.moves) }

// PlyCount returns the number of moves played so far.
func (g *Game) PlyCount() int { return len(g.moves) }

// Occurrences returns how often the current position has occurred, this time included.
func (g *Game) Occurrences() int {
	p := g.Position()
	p.number = 0
	return g.occurrences[p]
}

// FirstPlayer returns the side that FirstPlayerLoses is about.
func (g *Game) FirstPlayer() Color {
	if g.options.FirstPlayer != nil {
		return *g.options.FirstPlayer
	}
	return g.positions[0].sideToMove
}

// Play makes a move. If it is illegal, or the game is over, the game stays as it is and
// the error is an *IllegalMoveError. An impasse does not end a game: the count is
// a claim, and play may go on.
func (g *Game) Play(m Move) error {
	if s := g.Status(); s.Result != Ongoing && s.Reason != ImpasseCount {
		return &IllegalMoveError{m, GameOver}
	}
	p := g.Position()
	if err := p.Legal(m); err != nil {
		return err
	}
	p.Make(m)
	g.moves = append(g.moves, m)
	g.enter(p)
	return nil
}

// Undo takes back the last move; without one it reports false.
func (g *Game) Undo() bool {
	last := len(g.moves) - 1
	if last < 0 {
		return false
	}
	p := g.Position()
	p.number = 0
	if g.occurrences[p]--; g.occurrences[p] == 0 {
		delete(g.occurrences, p)
	}
	g.positions = g.positions[:last+1]
	g.moves = g.moves[:last]
	return true
}

// Status returns how the game stands. A player without a legal move has lost whatever else
// is true; then repetition, the ply limit and impasse count, in this order.
func (g *Game) Status() Status {
	p := g.Position()
	switch {
	case !p.HasMove():
		s := Status{Win, p.sideToMove.Other(), Stalemate}
		if p.InCheck() {
			s.Reason = Checkmate
		}
		return s
	case g.Occurrences() >= 4:
		return g.repeated()
	case g.options.MaxPlies > 0 && len(g.moves) >= g.options.MaxPlies:
		return Status{Result: Draw, Reason: PlyLimitReached}
	case g.options.Impasse && p.KingsEntered():
		return p.Impasse()
	}
	return Status{}
}
