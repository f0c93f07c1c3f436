//go:build long

package mate

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"gogotb/rules"
)

// The positions of the race are drawn once, with: go test -tags long -run TestDrawRace -timeout 0 -draw N
var draw = flag.Int("draw", 0, "draw positions for testdata/race.tsv until it has so many of each mode and length")

const (
	// raceNodes is what either program may spend on a position in the draw.
	raceNodes = 1_000_000
)

// TestDrawRace takes positions from the last moves of games that a one-ply player with a good deal of chance in it
// has played with the full set, up to its mate, and keeps those in which at least one of the two programs finds a mate of
// five to seventeen plies within a million nodes. In tsume the attacker's king is taken off: only then
// fairy-stockfish keeps to checks. Those whose shortest mate takes more than a hundred million nodes to be certain of are
// left out, and logged. What the file has already stays in it.
func TestDrawRace(t *testing.T) {
	if *draw == 0 {
		return // the file stays as it is
	}
	count := map[string]int{} // by mode and length
	seen := map[string]bool{}
	lines := readTSV(t, raceFile)
	for _, line := range lines {
		seen[line[0]] = true
		count[line[1]+" "+line[2]]++
	}
	const lengths = (raceLongest - raceShortest + 2) / 2
	missing := 2**draw*lengths - len(lines)
	out, err := os.OpenFile(raceFile, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	f := startFairy(t)
	s := New(0)
	rnd := rand.New(rand.NewPCG(20, uint64(26+len(lines))))
	for missing > 0 {
		game := chanceGame(rnd)
		back := 4 + 2*rnd.IntN(9)
		if len(game) <= back+4 {
			continue
		}
		pos := game[len(game)-1-back]
		for _, tsume := range []bool{false, true} {
			if tsume {
				pos = withoutKing(pos)
			}
			if seen[pos.SFEN()] || pos.Validate() != nil {
				continue
			}
			seen[pos.SFEN()] = true
			ours := mustSolve(t, s, &pos, Options{Tsume: tsume, AnyLength: true, MaxNodes: raceNodes})
			if ours.Verdict != MateIn && f.mate(t, &pos, tsume, raceLongest, fmt.Sprintf("nodes %d", raceNodes)).plies == 0 {
				continue
			}
			r := mustSolve(t, s, &pos, Options{Tsume: tsume, MaxPlies: raceLongest, MaxNodes: 100 * raceNodes})
			if r.Verdict == Unknown {
				t.Logf("left out: %s, tsume %v, %+v", pos.SFEN(), tsume, r.Bounds)
			}
			if r.Verdict != MateIn || r.Plies < raceShortest {
				continue
			}
			if key := fmt.Sprint(tsume, r.Plies); count[key] < *draw {
				count[key]++
				missing--
				fmt.Fprintf(out, "%s\t%v\t%d\n", pos.SFEN(), tsume, r.Plies)
			}
		}
	}
}

// chanceGame is the positions of a game in which each player takes what it can get, avoids to be mated at once, and
// otherwise leaves much to chance. It ends where the side to move mates.
func chanceGame(rnd *rand.Rand) []rules.Position {
	starts := []string{rules.StartSFEN, rules.StartSFEN}
	for _, h := range rules.Handicaps[:3] {
		starts = append(starts, h.SFEN)
	}
	pos, err := rules.ParseSFEN(starts[rnd.IntN(len(starts))])
	if err != nil {
		panic(err)
	}
	noise := []float64{0.5, 2, 5}[rnd.IntN(3)]
	var game []rules.Position
	for len(game) < 100 {
		game = append(game, pos)
		var nodes uint64
		g := newGame(&pos, pos.SideToMove(), false)
		if g.mateInOne(&nodes) != 0 || !pos.HasMove() {
			return game
		}
		var best rules.Move
		most := -1e9
		for _, m := range pos.Moves(nil) {
			if score := chanceScore(pos, m) + noise*rnd.NormFloat64(); score > most {
				best, most = m, score
			}
		}
		pos.Make(best)
	}
	return nil
}

var pieceWorth = [rules.Kinds]float64{
	rules.Rook: 6, rules.Bishop: 5, rules.Gold: 4, rules.Silver: 4, rules.Pawn: 1,
	rules.Dragon: 8, rules.Horse: 7, rules.PromotedSilver: 4, rules.Tokin: 4,
}

// chanceScore rates a move: what it wins, what it leaves hanging, whether it allows mate.
func chanceScore(pos rules.Position, m rules.Move) float64 {
	us, score := pos.SideToMove(), 0.0
	if taken := pos.At(m.To()); taken != rules.NoPiece {
		score += pieceWorth[taken.Kind()] + pieceWorth[taken.Kind().Unpromote()]
	}
	if m.Promotes() {
		score += 2
	}
	if pos.GivesCheck(m) {
		score++
	}
	pos.Make(m)
	them := pos.SideToMove()
	var nodes uint64
	if g := newGame(&pos, them, false); g.mateInOne(&nodes) != 0 {
		score -= 50
	}
	for b := pos.OccupiedBy(us); b != 0; b &= b - 1 {
		s := b.First()
		if pos.Attacked(s, them) {
			worth := pieceWorth[pos.At(s).Kind()]
			if pos.Attacked(s, us) && s == m.To() {
				worth *= 0.6
			} else if pos.Attacked(s, us) {
				worth = 0
			}
			score -= worth
		}
	}
	return score
}

// withoutKing takes the king of the side to move off the board.
func withoutKing(pos rules.Position) rules.Position {
	var board [rules.Squares]rules.Piece
	for s := range board {
		if rules.Square(s) != pos.King(pos.SideToMove()) {
			board[s] = pos.At(rules.Square(s))
		}
	}
	return rules.Place(&board, &[2]rules.Hand{pos.Hand(rules.Sente), pos.Hand(rules.Gote)}, pos.SideToMove())
}
