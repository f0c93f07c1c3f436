package mate

import "gogotb/rules"

// game is a position and what is asked about it: whether the attacker can force that the other side,
// the defender, has no legal move left. In tsume the attacker may only give check.
type game struct {
	pos      rules.Position
	attacker rules.Color
	tsume    bool
	salt     uint64 // of the games that share positions but not answers, see newGame
}

// newGame makes a game. Games that differ in the attacker, in what it may play, or in the material (so
// that a board and one hand do not tell the other hand) have different salts, and can share a table.
func newGame(pos *rules.Position, attacker rules.Color, tsume bool) game {
	x := uint64(attacker) + 1
	if tsume {
		x += 2
	}
	for _, n := range material(pos) {
		x = x<<2 | uint64(n)
	}
	x *= 0x9e3779b97f4a7c15 // odd: different numbers stay different
	return game{pos: *pos, attacker: attacker, tsume: tsume, salt: x ^ x>>29}
}

// material is the number of pieces of each kind on the board and in both hands.
func material(pos *rules.Position) (n rules.Hand) {
	for k := rules.Rook; k <= rules.Pawn; k++ {
		for _, c := range []rules.Color{rules.Sente, rules.Gote} {
			n[k] += pos.HandCount(c, k) + uint8(pos.Pieces(c, k).Count())
			if k.CanPromote() {
				n[k] += uint8(pos.Pieces(c, k.Promote()).Count())
			}
		}
	}
	return n
}

// attacking tells whether the attacker is to move.
func (g *game) attacking() bool { return g.pos.SideToMove() == g.attacker }

// node is the current position as the table sees it.
func (g *game) node() node {
	return node{
		key:   g.pos.BoardKey() ^ g.salt,
		hand:  pack(g.pos.Hand(g.attacker)),
		check: uint8(uint32(g.pos.OccupiedBy(rules.Sente)) * 0x9e3779b1 >> 24),
	}
}

// moves are those that the side to move may play in this game.
func (g *game) moves(buf []rules.Move) []rules.Move {
	if g.tsume && g.attacking() {
		return g.pos.Checks(buf)
	}
	return g.pos.Moves(buf)
}

// mateInOne finds a move of the attacker that leaves the defender without a move; 0 if there is none. It adds to
// nodes the moves it makes.
func (g *game) mateInOne(nodes *uint64) rules.Move {
	var buf [rules.MaxMoves]rules.Move
	for _, m := range g.pos.Checks(buf[:0]) {
		*nodes++
		if g.ends(m) {
			return m
		}
	}
	// A defender with a piece in hand, pawns excepted, is never stalemated: it can drop
	// it on any empty square, and there always is one.
	h := g.pos.Hand(g.attacker.Other())
	if g.tsume || h[rules.Rook]|h[rules.Bishop]|h[rules.Gold]|h[rules.Silver] != 0 {
		return 0
	}
	for _, m := range g.pos.Moves(buf[:0]) {
		*nodes++
		if g.ends(m) {
			return m
		}
	}
	return 0
}

// ends tells whether m leaves the other side without a move.
func (g *game) ends(m rules.Move) bool {
	u := g.pos.Make(m)
	stuck := !g.pos.HasMove()
	g.pos.Unmake(u)
	return stuck
}
