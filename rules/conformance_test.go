//go:build conformance

package rules

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Node counts, root move by root move, against Fairy-Stockfish (Debian's package
// fairy-stockfish; written against version 11.1).
//
// It speaks UCI with its own dialect of FEN: ranks as in SFEN, both hands in brackets
// behind the board, one letter a piece, then the side to move with White, "w", for the
// player of the capital letters, who is Sente here, and the fields of chess:
// "4k/5/5/5/K4[RPp] w - - 0 1". Files are a to e from the left and ranks 1 to 5 from
// below: 5e is a1. A drop is P@c3, a promotion ends in +. An SFEN is taken without an
// error, but its hands are not read.
//
// The rules differ in one thing: it generates pawn drops that mate. They are put back
// in here, by asking Legal of every pawn drop why it is illegal, and then the
// counts must be equal.

type fairyStockfish struct {
	t   testing.TB
	in  io.Writer
	out *bufio.Scanner
}

func startFairyStockfish(t testing.TB) *fairyStockfish {
	path, err := exec.LookPath("fairy-stockfish")
	if err != nil {
		// Debian puts games where root's search path does not look.
		path, err = exec.LookPath("/usr/games/fairy-stockfish")
	}
	if err != nil {
		t.Fatal("fairy-stockfish is not installed: apt-get install fairy-stockfish (Debian)")
	}
	cmd := exec.CommandContext(t.Context(), path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Wait() }) // killed by the end of the context
	f := &fairyStockfish{t: t, in: in, out: bufio.NewScanner(out)}
	f.send("uci")
	options := f.readUntil("uciok")
	if !slices.ContainsFunc(options, func(line string) bool {
		return strings.HasPrefix(line, "option name UCI_Variant ") && strings.Contains(line+" ", " minishogi ")
	}) {
		t.Fatalf("%s does not know the variant minishogi", path)
	}
	f.send("setoption name UCI_Variant value minishogi")
	return f
}

func (f *fairyStockfish) send(command string) {
	if _, err := fmt.Fprintln(f.in, command); err != nil {
		f.t.Fatalf("fairy-stockfish, %s: %v", command, err)
	}
}

// readUntil reads the lines before one with a prefix, and that one.
func (f *fairyStockfish) readUntil(prefix string) (lines []string) {
	for f.out.Scan() {
		lines = append(lines, f.out.Text())
		if strings.HasPrefix(f.out.Text(), prefix) {
			return lines
		}
	}
	f.t.Fatalf("fairy-stockfish ended before it said %q; its last words: %q", prefix, lines)
	return nil
}

// divide is the number of leaves after each root move.
func (f *fairyStockfish) divide(p *Position, depth int) map[string]uint64 {
	f.send("position fen " + fairyFEN(p))
	f.send(fmt.Sprintf("go perft %d", depth))
	counts := map[string]uint64{}
	for _, line := range f.readUntil("Nodes searched: ") {
		move, count, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "info") || move == "Nodes searched" {
			continue
		}
		n, err := strconv.ParseUint(count, 10, 64)
		if err != nil {
			f.t.Fatalf("fairy-stockfish: %q", line)
		}
		counts[move] = n
	}
	return counts
}

func fairyFEN(p *Position) string {
	board, _, _ := strings.Cut(p.SFEN(), " ")
	var hands strings.Builder
	for _, c := range []Color{Sente, Gote} {
		for k, n := range p.Hand(c) {
			hands.WriteString(strings.Repeat(MakePiece(c, Kind(k)).String(), int(n)))
		}
	}
	return fmt.Sprintf("%s[%s] %c - - 0 1", board, hands.String(), "wb"[p.SideToMove()])
}

func fairyMove(m Move) string {
	square := func(s Square) string {
		return string([]byte{'a' + byte(s.Column()), '5' - byte(s.Rank())})
	}
	switch {
	case m.IsDrop():
		return m.DropKind().String() + "@" + square(m.To())
	case m.Promotes():
		return square(m.From()) + square(m.To()) + "+"
	}
	return square(m.From()) + square(m.To())
}

// pawnDropMates lists the pawn drops that are illegal only because they mate.
func pawnDropMates(p *Position) (mates []Move) {
	if p.HandCount(p.SideToMove(), Pawn) == 0 {
		return nil
	}
	for to := Square(0); to < Squares; to++ {
		err, illegal := p.Legal(Drop(Pawn, to)).(*IllegalMoveError)
		if illegal && err.Rule == PawnDropMate {
			mates = append(mates, err.Move)
		}
	}
	return mates
}

// perftWithPawnDropMates is Perft by the other program's rules.
func perftWithPawnDropMates(p *Position, depth int) (n uint64) {
	switch depth {
	case 0:
		return 1
	case 1:
		return uint64(p.CountMoves() + len(pawnDropMates(p)))
	}
	for _, m := range append(p.Moves(nil), pawnDropMates(p)...) {
		u := p.Make(m)
		n += perftWithPawnDropMates(p, depth-1)
		p.Unmake(u)
	}
	return n
}

// The last column of the fixtures is what the other program counted.
func TestFixturesWithPawnDropMates(t *testing.T) {
	differ := 0
	for _, line := range fixture(t, "perft.tsv") {
		p := mustParse(t, line[0])
		depth, err := strconv.Atoi(line[1])
		if err != nil {
			t.Fatal(err)
		}
		if line[2] != line[3] {
			differ++
		}
		if got := strconv.FormatUint(perftWithPawnDropMates(&p, depth), 10); got != line[3] {
			t.Errorf("%v depth %d: %s, want %s", &p, depth, got, line[3])
		}
	}
	if differ == 0 {
		t.Error("no fixture in which pawn drops that mate make a difference")
	}
}

// conformancePositions have both kings: the even and handicap starts, positions of
// random games, and random placements with any part of the full set on the board and in
// hand.
func conformancePositions(t *testing.T) (positions []Position) {
	random := rand.New(rand.NewPCG(3, 3))
	starts := []string{StartSFEN}
	for _, h := range Handicaps {
		starts = append(starts, h.SFEN)
	}
	for _, sfen := range starts {
		positions = append(positions, mustParse(t, sfen))
	}
	for range 400 {
		p := positions[random.IntN(len(starts))]
		for range random.IntN(60) {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p.Make(moves[random.IntN(len(moves))])
		}
		positions = append(positions, p)
	}
	for range 1000 {
		positions = append(positions, randomPosition(random, false))
	}
	return positions
}

func TestPerftAgainstFairyStockfish(t *testing.T) {
	fairy := startFairyStockfish(t)
	var explained uint64 // leaves that only the other program counts
	for _, p := range conformancePositions(t) {
		roots := append(p.Moves(nil), pawnDropMates(&p)...)
		// Which drops mate, by a generator that shares nothing with Legal.
		if want := sorted(slow(&p).moves(true)); !slices.Equal(sorted(roots), want) {
			t.Fatalf("%v: moves with pawn drops that mate are %v, want %v", &p, roots, want)
		}
		for depth := 1; depth <= 3; depth++ {
			theirs := fairy.divide(&p, depth)
			if len(theirs) != len(roots) {
				t.Errorf("%v: %d root moves, fairy-stockfish has %d", &p, len(roots), len(theirs))
			}
			for _, m := range roots {
				q := p
				q.Make(m)
				want, ok := theirs[fairyMove(m)]
				got := perftWithPawnDropMates(&q, depth-1)
				if !ok || got != want {
					t.Errorf("%v depth %d, after %v: %d leaves, fairy-stockfish has %d", &p, depth, m, got, want)
				}
				explained += got
			}
			explained -= Perft(&p, depth)
		}
		if t.Failed() {
			return
		}
	}
	if explained == 0 {
		t.Error("no pawn drop that mates in any position: the comparison has lost its point")
	}
	t.Logf("%d leaves follow or are pawn drops that mate", explained)
}

// The same counts as BenchmarkPerft, by the other program, already started.
func BenchmarkPerftFairyStockfish(b *testing.B) {
	fairy := startFairyStockfish(b)
	p := mustParse(b, StartSFEN)
	var nodes uint64
	for b.Loop() {
		for _, n := range fairy.divide(&p, 6) {
			nodes += n
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
