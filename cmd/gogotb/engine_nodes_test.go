//go:build long && conformance

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gogotb/cmd/internal/backend"
	"gogotb/rules"
	"gogotb/verify/mate"
)

// TestBackEndNodes measures what our engine costs its back end: the nodes that fairy-stockfish searches in a given
// time alone and under gogotb, position by position in turns. It fails only if something does not work.
func TestBackEndNodes(t *testing.T) {
	hash, threads := backend.Option{Name: "Hash", Value: "64"}, backend.Option{Name: "Threads", Value: "1"}
	alone := startEngine(t, fairyStockfish(t), hash, threads)
	under := startEngine(t, engineScript(t, "usi"), hash, threads, backend.Option{Name: "EnginePath", Value: fairyStockfish(t)})
	fmt.Println("| movetime, ms | nodes alone | nodes under gogotb | share | median share | least share | ms alone | ms under gogotb |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	// The longest time comes first: positions in which one of them comes to know the result are left out.
	positions := quietPositions(t, 30)
	for _, limit := range []time.Duration{3 * time.Second, time.Second, 300 * time.Millisecond} {
		var sums [2]uint64
		var took [2]time.Duration
		var shares []float64
		var useful []rules.Position
		for i, p := range positions {
			if len(useful) == 20 {
				break
			}
			var nodes [2]uint64
			var times [2]time.Duration
			known := false
			for order := range 2 {
				who := (order + i) % 2
				begin := time.Now()
				var decided bool
				nodes[who], decided = nodesIn(t, []*backend.Engine{alone, under}[who], p, limit)
				times[who] = time.Since(begin)
				known = known || decided
			}
			if known {
				t.Logf("%v, %v: the result is known", &p, limit)
				continue
			}
			useful = append(useful, p)
			for who := range 2 {
				sums[who] += nodes[who]
				took[who] += times[who]
			}
			shares = append(shares, float64(nodes[1])/float64(nodes[0]))
			t.Logf("%v, %v: %d and %d nodes", &p, limit, nodes[0], nodes[1])
		}
		positions = useful
		slices.Sort(shares)
		n := time.Duration(len(positions))
		fmt.Printf("| %d | %d | %d | %.3f | %.3f | %.3f | %d | %d |\n", limit.Milliseconds(), sums[0], sums[1], float64(sums[1])/float64(sums[0]),
			shares[len(shares)/2], shares[0], (took[0] / n).Milliseconds(), (took[1] / n).Milliseconds())
	}
}

// nodesIn returns how many nodes an engine searches in a time, and whether it comes to know the result.
func nodesIn(t *testing.T, e *backend.Engine, p rules.Position, limit time.Duration) (nodes uint64, known bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := e.Search(ctx, backend.Request{Start: p, MoveFor: limit, Grace: time.Second}, func(i backend.Info) {
		known = known || i.Score.Decided()
		nodes = max(nodes, i.Nodes)
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes, known
}

// quietPositions are positions of random games in which no mate is found soon, the same ones every time.
func quietPositions(t *testing.T, n int) (positions []rules.Position) {
	t.Helper()
	random := rand.New(rand.NewPCG(20, 300))
	solver := mate.New(64 << 20)
	for len(positions) < n {
		p, err := rules.ParseSFEN(rules.StartSFEN)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 + random.IntN(12) {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p.Make(moves[random.IntN(len(moves))])
		}
		if p.CountMoves() < 8 {
			continue
		}
		r, err := solver.Solve(t.Context(), &p, mate.Options{AnyLength: true, MaxNodes: 5_000_000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict == mate.Unknown {
			positions = append(positions, p)
		}
	}
	return positions
}
