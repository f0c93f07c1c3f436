package rules

// Notation as Japanese books have it: where the piece goes, the piece, and what tells it from another one of its kind
// that could go there. The rules for that are those of the Japan Shogi Association: "how it moves" decides first, and
// "from which side" only where two move alike.

// japaneseKinds are the kinds as moves name them.
var japaneseKinds = map[Kind]string{
	King: "玉", Rook: "飛", Bishop: "角", Gold: "金", Silver: "銀", Pawn: "歩",
	Dragon: "竜", Horse: "馬", PromotedSilver: "成銀", Tokin: "と",
}

// Japanese returns the legal move m as Japanese books write it, without the triangle of its side: ４三金右, 同銀成,
// ３二飛打. last is the square that the move before went to, NoSquare if there was none or it does not matter.
//
// A piece is told from others of its name that its way of moving would bring to the square, pinned or not: by 上 寄 引
// (forward, sideways, back) if that is enough, else by 直 (straight ahead) or 左 右, which are the player's left and
// right. A drop is called one, 打, only where a piece on the board could go there, too.
func (p *Position) Japanese(m Move, last Square) string {
	to := m.To()
	text := "同"
	if to != last {
		text = string([]rune("５４３２１")[to.Column()]) + string([]rune("一二三四五")[to.Rank()])
	}
	if m.IsDrop() {
		kind := m.DropKind()
		text += japaneseKinds[kind]
		if p.aimingAt(to, kind) != 0 {
			text += "打"
		}
		return text
	}
	from := m.From()
	kind := p.board[from].Kind()
	text += japaneseKinds[kind]
	if others := p.aimingAt(to, kind) &^ from.Bit(); others != 0 {
		text += p.whichOne(kind, from, to, others.First()) // there are two of a kind at most
	}
	switch {
	case m.Promotes():
		text += "成"
	case kind.CanPromote() && (FarRank(p.sideToMove).Has(from) || FarRank(p.sideToMove).Has(to)):
		text += "不成"
	}
	return text
}

// aimingAt returns the own pieces of a kind that could go to a square if no king had to be minded.
func (p *Position) aimingAt(to Square, kind Kind) (aiming Bitboard) {
	for b := p.Pieces(p.sideToMove, kind); b != 0; b &= b - 1 {
		if attacksFrom(p.sideToMove, kind, b.First(), p.Occupied()).Has(to) {
			aiming |= b.First().Bit()
		}
	}
	return aiming
}

// whichOne tells a piece from another one that could go to the same square.
func (p *Position) whichOne(kind Kind, from, to, other Square) string {
	ahead := func(s Square) int { // ranks that a move from s goes forward
		if p.sideToMove == Sente {
			return s.Rank() - to.Rank()
		}
		return to.Rank() - s.Rank()
	}
	switch mine, theirs := sign(ahead(from)), sign(ahead(other)); {
	case mine != theirs && mine > 0:
		return "上"
	case mine != theirs && mine < 0:
		return "引"
	case mine != theirs:
		return "寄"
	}
	stepper := kind != Dragon && kind != Horse // of which one that goes straight is left or right of the other, too
	if stepper && from.Column() == to.Column() {
		return "直"
	}
	if (from.Column() < other.Column()) == (p.sideToMove == Sente) {
		return "左"
	}
	return "右"
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
