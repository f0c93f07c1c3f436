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

func TestPerft(t *testing.T) {
	for _, line := range fixture(t, "perft.tsv") {
		sfen := line[0]
		depth, _ := strconv.Atoi(line[1])
		want, err := strconv.ParseUint(line[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if depth > 6 {
			continue // see TestPerftDepth7
		}
		p := mustParse(t, sfen)
		before := p
		if got := Perft(&p, depth); got != want {
			t.Errorf("%s depth %d: %d nodes, want %d", sfen, depth, got, want)
		}
		if p != before {
			t.Fatalf("%s: changed by perft", sfen)
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	p := mustParse(b, StartSFEN)
	var nodes uint64
	for b.Loop() {
		nodes += Perft(&p, 5)
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
