package puzzle

import "testing"

// TestTrivial: solutions that need no thought, and the same with a piece changed that do.
func TestTrivial(t *testing.T) {
	for text, want := range map[string]bool{
		// One move that mates.
		"4k/5/4G/5/4K b G 1 moves G*1b": true,
		// One check there is, and a gold in hand that has more.
		"4k/5/5/5/K4 b P 1 moves P*1b 1a2a 1b1a+":  true,
		"4k/5/5/5/K4 b GP 1 moves P*1b 1a2a 1b1a+": false,
		// One check, but the solution is quiet.
		"4k/5/5/5/K4 b P 1 moves 5e4d 1a2a 4d3c": false,
		// The king has one square to go to: the rook guards the file, and the gold 4e; then it does not.
		"4k/r4/5/5/K1g2 b - 1 moves 5e4d 1a1b 4d3e": true,
		"4k/r4/5/5/K4 b - 1 moves 5e4d 1a1b 4d3e":   false,
		// The pawn has taken a gold, or gone there.
		"4k/5/5/2p2/K1R2 b g 2 moves 3e3d 1a1b 3d3b ; last 4k/5/2p2/2G2/K1R2 w - 1 moves 3c3d": true,
		"4k/5/5/2p2/K1R2 b g 2 moves 3e2e 1a1b 2e2d ; last 4k/5/2p2/2G2/K1R2 w - 1 moves 3c3d": false,
		"4k/5/5/2p2/K1R2 b G 2 moves 3e3d 1a1b 3d3b ; last 4k/5/2p2/5/K1R2 w G 1 moves 3c3d":   false,
		"4k/5/5/2p2/K1R2 b g 2 moves 3e3d 1a1b 3d3b":                                           false,
	} {
		if p := read(t, text)[0]; p.trivial() != want {
			t.Errorf("%s: %v", text, p.trivial())
		}
	}
}
