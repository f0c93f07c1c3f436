package rules

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// fixture reads a table of testdata: lines of fields, without its heading.
func fixture(t testing.TB, name string) [][]string {
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]string
	in := bufio.NewScanner(f)
	for in.Scan() {
		lines = append(lines, strings.Split(in.Text(), "\t"))
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	if len(lines) < 2 {
		t.Fatalf("%s is empty", name)
	}
	return lines[1:]
}

func mustParse(t testing.TB, sfen string) Position {
	t.Helper()
	p, err := ParseSFEN(sfen)
	if err != nil {
		t.Fatalf("%s: %v", sfen, err)
	}
	return p
}

// TestPerft leaves depth 7 of the starting position to TestPerftDepth7.
func TestPerft(t *testing.T) {
	perftFixtures(t, func(depth int) bool { return depth < 7 })
}

// perftFixtures counts the fixtures of the depths asked for.
func perftFixtures(t *testing.T, asked func(depth int) bool) {
	counted := 0
	for _, line := range fixture(t, "perft.tsv") {
		sfen := line[0]
		depth, err := strconv.Atoi(line[1])
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseUint(line[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if !asked(depth) {
			continue
		}
		counted++
		p := mustParse(t, sfen)
		before := p
		if got := Perft(&p, depth); got != want {
			t.Errorf("%s depth %d: %d nodes, want %d", sfen, depth, got, want)
		}
		if p != before {
			t.Fatalf("%s: changed by perft", sfen)
		}
	}
	if counted == 0 {
		t.Error("no fixture of the depth")
	}
}

func BenchmarkPerft(b *testing.B) { benchmarkPerft(b, Perft) }

// BenchmarkPerftListed lists the moves of the last ply, as many programs do, where Perft
// counts sets.
func BenchmarkPerftListed(b *testing.B) { benchmarkPerft(b, perftListed) }

func perftListed(p *Position, depth int) (n uint64) {
	var buf [MaxMoves]Move
	moves := p.Moves(buf[:0])
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		u := p.Make(m)
		n += perftListed(p, depth-1)
		p.Unmake(u)
	}
	return n
}

func benchmarkPerft(b *testing.B, perft func(p *Position, depth int) uint64) {
	p := mustParse(b, StartSFEN)
	var nodes uint64
	for b.Loop() {
		nodes += perft(&p, 6)
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
