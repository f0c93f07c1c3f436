package rules

// Keys of positions, after Zobrist: each fact about a position (this piece on that
// square, a number of pieces of a kind in a hand, Gote to move) has a random number, and
// the key is the exclusive or of them, so that a move changes it by a few numbers.
// The numbers come from a fixed seed: keys are the same in every run.
var (
	boardKeys     [Squares][32]uint64     // by square and Piece
	handKeys      [2][HandKinds][4]uint64 // by colour, kind and count; none is 0
	sideToMoveKey uint64                  // Gote to move
)

func init() {
	random := splitMix(2)
	for s := range boardKeys {
		for _, c := range []Color{Sente, Gote} {
			for k := Rook; k < Kinds; k++ {
				boardKeys[s][MakePiece(c, k)] = random.next()
			}
		}
	}
	for c := range handKeys {
		for k := range handKeys[c] {
			for n := 1; n < len(handKeys[c][k]); n++ {
				handKeys[c][k][n] = random.next()
			}
		}
	}
	sideToMoveKey = random.next()
}

// splitMix is the generator SplitMix64 (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, 2014).
type splitMix uint64

func (g *splitMix) next() uint64 {
	*g += 0x9e3779b97f4a7c15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Key returns a 64-bit hash of the board, both hands and the side to move. Equal positions
// have equal keys; the move number has no part in it.
func (p *Position) Key() uint64 { return p.boardKey ^ p.handKey }

// BoardKey returns a hash of the board and the side to move, without the hands: positions
// that share it differ, at most, in who holds what.
func (p *Position) BoardKey() uint64 { return p.boardKey }
