package puzzle

import "gogotb/rules"

// futileCounter counts plies without futile interpositions, as the package documentation
// defines them.
type futileCounter struct {
	lengths *lengths
	start   *rules.Position
	plies   int // of the shortest mate from start, all defences counted
	// room is by how many plies futile interpositions may lengthen a mate; 0: there are none.
	room int
	// solution are the claimed moves at the attacker's turns.
	solution map[positionKey]rules.Move
	// decided are questions answered: is it mate within n plies?
	decided map[leftoverKey]bool
	// gaveUp: some answer was not found, or there were too many questions.
	gaveUp bool
}

// maxDecided bounds the questions.
const maxDecided = 1 << 16

func newFutileCounter(k *check) *futileCounter {
	f := &futileCounter{
		lengths: k.lengths, start: &k.start, plies: k.Plies, room: k.futileRoom(),
		solution: map[positionKey]rules.Move{}, decided: map[leftoverKey]bool{},
	}
	for i, m := range k.legal.moves {
		if p := &k.legal.positions[i]; k.lengths.attacking(p) {
			f.solution[keyOf(p)] = m
		}
	}
	return f
}

// futileRoom returns by how many plies futile interpositions are allowed to lengthen a mate:
// three of them; 0 where there can be none, for want of a slider or of a second piece.
func (k *check) futileRoom() int {
	sliders, pieces := 0, 0
	for kind := rules.Rook; kind <= rules.Pawn; kind++ {
		n := int(k.start.HandCount(rules.Sente, kind) + k.start.HandCount(rules.Gote, kind))
		for _, c := range []rules.Color{rules.Sente, rules.Gote} {
			n += k.start.Pieces(c, kind).Count()
			if kind.CanPromote() {
				n += k.start.Pieces(c, kind.Promote()).Count()
			}
		}
		pieces += n
		if kind == rules.Rook || kind == rules.Bishop {
			sliders += n
		}
	}
	if sliders == 0 || pieces < 2 {
		return 0
	}
	return 6
}

// root returns the length of the puzzle, -1 if it was not found.
func (f *futileCounter) root() int {
	l := f.of(f.start, f.plies)
	if f.gaveUp || l.state != mates {
		return -1
	}
	return l.plies
}

// of returns the length from a position without futile interpositions, if it is at most limit.
func (f *futileCounter) of(p *rules.Position, limit int) length {
	parity := 0
	if f.lengths.attacking(p) {
		parity = 1
	}
	for n := parity; n <= limit; n += 2 {
		if f.within(p, n) {
			return length{state: mates, plies: n}
		}
	}
	return length{state: fails, plies: limit}
}

// within tells whether the attacker mates within n plies.
func (f *futileCounter) within(p *rules.Position, n int) bool {
	if n < 0 {
		return false
	}
	switch l := f.lengths.of(p, n); {
	case l.state == unknown:
		f.gaveUp = true
		return false
	case l.within(n):
		return true
	case f.room == 0 || l.plies == AnyLength:
		return false
	}
	key := leftoverKey{keyOf(p), n}
	if within, ok := f.decided[key]; ok {
		return within
	}
	if len(f.decided) >= maxDecided {
		f.gaveUp = true
		return false
	}
	within := false
	if f.lengths.attacking(p) {
		within = f.attack(p, n)
	} else {
		within = f.mated(p, n)
	}
	f.decided[key] = within
	return within
}

// attack tries the move of the solution and the shortest mates with all defences.
func (f *futileCounter) attack(p *rules.Position, n int) bool {
	solution := f.solution[keyOf(p)]
	l := f.lengths.of(p, n+f.room)
	if l.state == unknown {
		f.gaveUp = true
	}
	if l.state != mates {
		return false
	}
	for _, m := range f.lengths.moves(p) {
		if m != solution && !f.lengths.after(p, m, l.plies-1).within(l.plies-1) {
			continue
		}
		u := p.Make(m)
		within := f.within(p, n-1)
		p.Unmake(u)
		if within {
			return true
		}
	}
	return false
}

// mated tells whether all defences but futile interpositions lead to a mate within n plies.
func (f *futileCounter) mated(p *rules.Position, n int) bool {
	others, drops := f.defences(p)
	without := f.longest(p, others, n)
	if without < 0 {
		return false
	}
	for _, m := range drops {
		u := p.Make(m)
		within := f.within(p, n-1)
		p.Unmake(u)
		if !within && !f.futileAgainst(p, m, without) {
			return false
		}
	}
	return true
}

// defences returns the defender's moves, and among them the interpositions by drop.
func (f *futileCounter) defences(p *rules.Position) (others, drops []rules.Move) {
	check := p.InCheck()
	for _, m := range p.Moves(make([]rules.Move, 0, rules.MaxMoves)) {
		if check && m.IsDrop() { // nothing else by drop answers a check
			drops = append(drops, m)
		} else {
			others = append(others, m)
		}
	}
	return others, drops
}

// longest returns the length of the longest of some defences if it is at most n, else -1; 0 if there are none.
func (f *futileCounter) longest(p *rules.Position, moves []rules.Move, n int) int {
	most := 0
	for _, m := range moves {
		u := p.Make(m)
		l := f.of(p, n-1)
		p.Unmake(u)
		if l.state != mates {
			return -1
		}
		most = max(most, l.plies+1)
	}
	return most
}

// isFutile tells whether a drop in reply to a check is a futile interposition.
func (f *futileCounter) isFutile(p *rules.Position, m rules.Move) bool {
	if f.room == 0 || !p.InCheck() || !m.IsDrop() {
		return false
	}
	others, _ := f.defences(p)
	without := f.longest(p, others, f.plies+f.room)
	return without >= 0 && f.futileAgainst(p, m, without)
}

// futileAgainst tells the same, given the length of the mate without interposing drops.
func (f *futileCounter) futileAgainst(p *rules.Position, drop rules.Move, without int) bool {
	_, ok := f.capture(p, drop, without)
	return ok
}

// capture returns the move that shows that a drop is futile.
func (f *futileCounter) capture(p *rules.Position, drop rules.Move, without int) (rules.Move, bool) {
	q := *p
	q.Make(drop)
	from := checker(&q, drop.To())
	for _, promote := range []bool{false, true} {
		m := rules.Step(from, drop.To(), promote)
		if q.Legal(m) != nil {
			continue
		}
		r := q
		r.Make(m)
		r = returned(&r, drop.DropKind())
		if f.within(&r, without) {
			return m, true
		}
	}
	return 0, false
}

// checker returns the square of the slider behind a piece that was dropped between it and the king of the side that dropped it.
func checker(p *rules.Position, between rules.Square) rules.Square {
	king := p.King(p.SideToMove().Other())
	down := sign(between.Rank() - king.Rank())
	right := sign(between.Column() - king.Column())
	for rank, column := between.Rank()+down, between.Column()+right; ; rank, column = rank+down, column+right {
		if s := rules.Square(5*rank + column); p.At(s) != rules.NoPiece {
			return s
		}
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// returned returns the position with a piece given back by the side that has just captured it.
func returned(p *rules.Position, kind rules.Kind) rules.Position {
	var board [rules.Squares]rules.Piece
	for s := range board {
		board[s] = p.At(rules.Square(s))
	}
	hands := [2]rules.Hand{p.Hand(rules.Sente), p.Hand(rules.Gote)}
	hands[p.SideToMove().Other()][kind]--
	hands[p.SideToMove()][kind]++
	return rules.Place(&board, &hands, p.SideToMove())
}

// futileDrops reports the futile interpositions along the solution.
func (k *check) futileDrops() {
	for i := range k.solution.positions {
		p := &k.solution.positions[i]
		if k.lengths.attacking(p) || !p.InCheck() || k.futile.room == 0 {
			continue
		}
		others, drops := k.futile.defences(p)
		without := k.futile.longest(p, others, k.futile.plies+k.futile.room)
		if without < 0 {
			continue
		}
		for _, m := range drops {
			if capture, ok := k.futile.capture(p, m, without); ok {
				k.add(Flaw{Kind: Futile, Ply: i + 1, Moves: []rules.Move{m, capture}})
			}
		}
	}
}
