package mate

import "gogotb/rules"

// packedPosition is a position of a game in 20 bytes, from which it can be restored.
type packedPosition struct {
	board [2]uint64 // a Piece in five bits for each of the first 24 squares, twelve in a word
	hand  packedHand
	last  rules.Piece // on the last square
	turn  uint8       // 1: the attacker is to move
}

func packPosition(pos *rules.Position, attacker rules.Color) packedPosition {
	p := packedPosition{hand: pack(pos.Hand(attacker))}
	if pos.SideToMove() == attacker {
		p.turn = 1
	}
	for b := pos.Occupied(); b != 0; b &= b - 1 {
		s := b.First()
		if s < 24 {
			p.board[s/12] |= uint64(pos.At(s)) << (5 * (s % 12))
		} else {
			p.last = pos.At(s)
		}
	}
	return p
}

func (p *packedPosition) attacking() bool { return p.turn == 1 }

// unpack restores the position; total is the material of the game, and what is neither on the
// board nor in the attacker's hand is in the defender's.
func (p *packedPosition) unpack(total *rules.Hand, attacker rules.Color) rules.Position {
	var board [rules.Squares]rules.Piece
	var hands [2]rules.Hand
	own, other := &hands[attacker], &hands[attacker.Other()]
	*other = *total
	for k := rules.Rook; k <= rules.Pawn; k++ {
		own[k] = p.hand.count(k)
		other[k] -= own[k]
	}
	for s := range board {
		piece := p.last
		if s < 24 {
			piece = rules.Piece(p.board[s/12] >> (5 * (s % 12)) & 31)
		}
		board[s] = piece
		if piece != rules.NoPiece && piece.Kind() != rules.King {
			other[piece.Kind().Unpromote()]--
		}
	}
	turn := attacker
	if !p.attacking() {
		turn = attacker.Other()
	}
	return rules.Place(&board, &hands, turn)
}

// hash mixes the bits of a position (after the finalizer of MurmurHash3).
func (p *packedPosition) hash() uint64 {
	x := p.board[0] ^ p.board[1]*0x9e3779b97f4a7c15 ^ (uint64(p.hand)<<8|uint64(p.last)<<1|uint64(p.turn))<<40
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// graph is a set of positions, numbered from 0, with the positions that depend on each.
type graph struct {
	nodes []graphNode
	edges []edge   // edges[0] is unused
	index []uint32 // open addressing: number of the node, and 1; 0 is empty
	limit int64    // bytes
}

type graphNode struct {
	position   packedPosition
	dependents uint32 // the first edge, 0: none
	won        bool
}

// edge is a link in the list of the nodes that depend on one.
type edge struct{ node, next uint32 }

const (
	graphNodeBytes = 32
	edgeBytes      = 8
	indexBytes     = 4
)

// full tells whether the next expansion might go past the limit. A slice that grows is there twice for a moment.
func (g *graph) full() bool {
	used := graphNodeBytes*int64(cap(g.nodes)) + edgeBytes*int64(cap(g.edges)) + indexBytes*int64(len(g.index))
	grows := len(g.nodes)+rules.MaxMoves > cap(g.nodes) || len(g.edges)+rules.MaxMoves > cap(g.edges)
	if grows {
		used *= 2
	}
	return used > max(g.limit, 1<<16)
}

// find looks a position up.
func (g *graph) find(p packedPosition) (id uint32, known bool) {
	if len(g.index) == 0 {
		return 0, false
	}
	id, _ = g.slot(&p)
	return id - 1, id != 0
}

// slot is where the position is, or would be, in the index; and its number, and 1.
func (g *graph) slot(p *packedPosition) (id uint32, at int) {
	mask := uint64(len(g.index) - 1)
	for i := p.hash() & mask; ; i = (i + 1) & mask {
		if id = g.index[i]; id == 0 || g.nodes[id-1].position == *p {
			return id, int(i)
		}
	}
}

// add looks a position up and adds it if it is new.
func (g *graph) add(p packedPosition) (id uint32, fresh bool) {
	if 2*len(g.nodes) >= len(g.index) {
		g.grow()
	}
	id, at := g.slot(&p)
	if id != 0 {
		return id - 1, false
	}
	g.nodes = append(g.nodes, graphNode{position: p})
	g.index[at] = uint32(len(g.nodes))
	return uint32(len(g.nodes) - 1), true
}

func (g *graph) grow() {
	g.index = make([]uint32, max(256, 2*len(g.index)))
	for i := range g.nodes {
		_, at := g.slot(&g.nodes[i].position)
		g.index[at] = uint32(i + 1)
	}
}

// depend notes that the value of a node depends on that of another.
func (g *graph) depend(node, on uint32) {
	if len(g.edges) == 0 {
		g.edges = append(g.edges, edge{})
	}
	g.edges = append(g.edges, edge{node, g.nodes[on].dependents})
	g.nodes[on].dependents = uint32(len(g.edges) - 1)
}
