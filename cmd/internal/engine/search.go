package engine

import (
	"context"
	"slices"

	"gogotb/cmd/internal/dialect"
	"gogotb/cmd/internal/history"
	"gogotb/rules"
)

// The engine's own search is for positions of which nothing is known when there is no back end: alpha-beta
// to a growing depth, captures played out at the horizon, endings by repetition by the rules
// of the game. It is a modest player that sees mates and does not hang pieces.

const (
	maxDepth    = 64
	maxCaptures = 12 // plies that captures are played out
	maxEvasions = 4  // plies of these in which checks are answered by any move
	minNodes    = 20_000
)

// visit is a position of the game or of the line that is searched.
type visit struct {
	key   uint64
	check bool // the side to move is in check
}

type searcher struct {
	ctx      context.Context
	p        rules.Position
	game     *Game
	trail    []visit // the positions of the game, then of the line
	root     int     // the current position of the game in it
	nodes    uint64
	maxNodes uint64 // 0: no limit
	patient  bool   // nothing stops the search yet
	stopped  bool
	table    []entry
	killers  [maxDepth + maxCaptures + 2][2]rules.Move
	moves    [maxDepth + maxCaptures + 2][rules.MaxMoves]rules.Move
}

// entry is a position that has been searched.
type entry struct {
	key   uint64
	score dialect.Score
	move  rules.Move
	depth int8
	bound bound
}

type bound uint8

const (
	exactScore bound = iota + 1
	lowerBound
	upperBound
)

// scoredMove is a root move with its score and line.
type scoredMove struct {
	score dialect.Score
	line  []rules.Move
}

// newTable has room for positions in about this number of bytes.
func newTable(bytes int64) []entry {
	const entryBytes = 24
	n := 1 << 10
	for int64(2*n*entryBytes) <= bytes && n < 1<<22 {
		n *= 2
	}
	return make([]entry, n)
}

// newSearcher prepares a search.
func newSearcher(ctx context.Context, g *Game, table []entry, maxNodes uint64) *searcher {
	s := &searcher{ctx: ctx, p: g.Position(), game: g, maxNodes: maxNodes, table: table}
	for i := range g.Positions() {
		s.trail = append(s.trail, visit{g.Positions()[i].Key(), g.Positions()[i].InCheck()})
	}
	s.root = len(s.trail) - 1
	return s
}

// best searches root moves deeper and deeper, and reports the lines best ones of every depth. However early it
// is stopped, it first looks at minNodes positions.
func (s *searcher) best(roots []rules.Move, deepest, lines int, report func(depth int, list []scoredMove)) []scoredMove {
	var result []scoredMove
	for depth := 1; depth <= min(deepest, maxDepth); depth++ {
		s.patient = depth == 1
		list := s.bestAtDepth(roots, depth, lines)
		if s.stopped && depth > 1 {
			break
		}
		result = list
		report(depth, list)
		// The best moves first, the next time.
		for i, r := range list {
			at := slices.Index(roots, r.line[0])
			roots = slices.Insert(slices.Delete(slices.Clone(roots), at, at+1), i, r.line[0])
		}
		if s.stopped || depth > 1 && decided(list) {
			break
		}
	}
	return result
}

// decided tells whether deeper search could not change a thing: mates that are shorter than
// what has been searched.
func decided(list []scoredMove) bool {
	return !slices.ContainsFunc(list, func(r scoredMove) bool {
		plies, ok := r.score.Mate()
		return !ok || plies > 2
	})
}

// bestAtDepth finds the lines best of the root moves. If it is stopped, it has at least one, the best so far.
func (s *searcher) bestAtDepth(roots []rules.Move, depth, lines int) (list []scoredMove) {
	left := slices.Clone(roots)
	for len(list) < lines && len(left) > 0 && !s.stopped {
		best := scoredMove{score: -dialect.MateIn(0) - 1, line: []rules.Move{left[0]}}
		for _, m := range left {
			score, line := s.try(m, depth, 0, best.score, dialect.MateIn(0))
			if s.stopped {
				break
			}
			if score > best.score {
				best = scoredMove{score, append([]rules.Move{m}, line...)}
			}
		}
		if best.score < dialect.MatedIn(0) { // it was stopped before it knew of any
			best.score = evaluate(&s.p)
		}
		list = append(list, best)
		left = slices.DeleteFunc(left, func(m rules.Move) bool { return m == best.line[0] })
	}
	return list
}

// try makes a move, searches depth-1 plies behind it, and takes it back.
func (s *searcher) try(m rules.Move, depth, ply int, alpha, beta dialect.Score) (dialect.Score, []rules.Move) {
	undo := s.p.Make(m)
	s.trail = append(s.trail, visit{s.p.Key(), s.p.InCheck()})
	score, line := s.search(depth-1, ply+1, -beta, -alpha)
	s.trail = s.trail[:len(s.trail)-1]
	s.p.Unmake(undo)
	return -score, line
}

// search returns the score of the position for the side to move, and the best line. Scores by mate count
// plies from the root.
func (s *searcher) search(depth, ply int, alpha, beta dialect.Score) (dialect.Score, []rules.Move) {
	if s.interrupted() {
		return 0, nil
	}
	if score, ok := s.repeated(); ok {
		return score, nil
	}
	check := s.trail[len(s.trail)-1].check
	moves := s.p.Moves(s.moves[ply][:])
	if len(moves) == 0 {
		return dialect.MatedIn(ply), nil
	}
	quiet := depth <= 0 && (!check || depth < -maxEvasions)
	if ply >= len(s.moves)-1 || depth <= -maxCaptures {
		return evaluate(&s.p), nil
	}
	best := dialect.MatedIn(0) - 1
	if quiet {
		if best = evaluate(&s.p); best >= beta {
			return best, nil
		}
	}
	entry := &s.table[s.p.Key()%uint64(len(s.table))]
	var first rules.Move
	if entry.key == s.p.Key() {
		first = entry.move
		if int(entry.depth) >= max(depth, 0) && depth > 0 && !entry.score.Decided() && (entry.bound == exactScore ||
			entry.bound == lowerBound && entry.score >= beta || entry.bound == upperBound && entry.score <= alpha) {
			return entry.score, nil
		}
	}
	s.order(moves, first, ply)
	var line []rules.Move
	low := max(alpha, best)
	for _, m := range moves {
		if quiet && !s.forcing(m) {
			continue
		}
		score, rest := s.try(m, depth, ply, low, beta)
		if s.stopped {
			return 0, nil
		}
		if score > best {
			best = score
			if score > low {
				low = score
				line = append([]rules.Move{m}, rest...)
			}
		}
		if best >= beta {
			if s.p.At(m.To()) == rules.NoPiece && s.killers[ply][0] != m {
				s.killers[ply] = [2]rules.Move{m, s.killers[ply][0]}
			}
			break
		}
	}
	if depth > 0 {
		*entry = entryOf(s.p.Key(), best, alpha, beta, depth, line)
	}
	return best, line
}

func entryOf(key uint64, score, alpha, beta dialect.Score, depth int, line []rules.Move) entry {
	e := entry{key: key, score: score, depth: int8(depth), bound: exactScore}
	switch {
	case score >= beta:
		e.bound = lowerBound
	case score <= alpha:
		e.bound = upperBound
	}
	if len(line) > 0 {
		e.move = line[0]
	}
	return e
}

// interrupted looks at the clock now and then.
func (s *searcher) interrupted() bool {
	s.nodes++
	if s.patient && s.nodes < minNodes {
		return false
	}
	if s.maxNodes > 0 && s.nodes > s.maxNodes || s.nodes%1024 == 0 && s.ctx.Err() != nil {
		s.stopped = true
	}
	return s.stopped
}

// forcing tells whether a move is looked at beyond the horizon.
func (s *searcher) forcing(m rules.Move) bool {
	return s.p.At(m.To()) != rules.NoPiece || m.Promotes()
}

// order sorts moves: the best one so far, captures of much by little, promotions, what was good elsewhere.
func (s *searcher) order(moves []rules.Move, first rules.Move, ply int) {
	var keys [rules.MaxMoves]int32
	for i, m := range moves {
		switch captured := s.p.At(m.To()); {
		case m == first:
			keys[i] = 1 << 20
		case captured != rules.NoPiece:
			keys[i] = 1<<16 + 16*int32(worth[captured.Kind()])
			if mover := s.p.At(m.From()); mover.Kind() != rules.King {
				keys[i] -= int32(worth[mover.Kind()])
			}
		case m.Promotes():
			keys[i] = 1 << 15
		case m == s.killers[ply][0] || m == s.killers[ply][1]:
			keys[i] = 1 << 14
		case s.p.GivesCheck(m):
			keys[i] = 1 << 13
		}
	}
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && keys[j] > keys[j-1]; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}

// repeated returns the score of a position that has come back: for the second time within the searched
// line, or so often in all that the game is over.
func (s *searcher) repeated() (dialect.Score, bool) {
	now := len(s.trail) - 1
	first, times := now, 0
	again := false // since the root
	for i := now - 2; i >= 0; i -= 2 {
		if s.trail[i].key == s.trail[now].key {
			first = i
			times++
			again = again || i >= s.root
		}
	}
	if !again && times < history.Last {
		return 0, false
	}
	sideToMove := s.p.SideToMove()
	always := [2]bool{true, true} // by who is in check, which the other's moves gave
	for i := first + 1; i <= now; i++ {
		if !s.trail[i].check {
			always[(now-i)%2] = false
		}
	}
	checked, checking := always[0], always[1] // all moves against, and by, the side to move
	switch {
	case checked != checking && checked:
		return dialect.PerpetualWin(0), true
	case checked != checking:
		return -dialect.PerpetualWin(0), true
	case s.game.Rule.Repetition != rules.FirstPlayerLoses:
		return dialect.Drawn, true
	case sideToMove == s.game.Rule.FirstPlayer:
		return -dialect.RepetitionWin, true
	}
	return dialect.RepetitionWin, true
}
