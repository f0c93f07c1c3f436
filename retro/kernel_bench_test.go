package retro

import (
	"context"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// BenchmarkPre computes Pre of all legal positions, row by row in the order of a pass, on one core.
// No move is left out, so this is what a row costs at the most.
func BenchmarkPre(b *testing.B) {
	ctx := context.Background()
	for _, name := range []string{"GSP", "RBS"} {
		m, err := index.ParseMaterial(name)
		if err != nil {
			b.Fatal(err)
		}
		s := newSolver(newLayout(m, defaultTuning.unitRows), nil, Options{Workers: 1}, defaultTuning)
		source := s.newSet()
		for _, mover := range []rules.Color{rules.Sente, rules.Gote} {
			if err := s.fillLegal(ctx, source, mover.Other()); err != nil {
				b.Fatal(err)
			}
			if err := s.overlay(ctx, source, mover, nil); err != nil {
				b.Fatal(err)
			}
			k := kernel{mover: mover, source: source}
			b.Run(name+"/"+[2]string{"wins", "losses"}[mover], func(b *testing.B) {
				rows := 0
				for b.Loop() {
					rows = 0
					err := s.visit(ctx, s.flaggedRows(source.flags), func(w *worker) {
						need := fullRow(w.place.s.n)
						k.pre(w, &need)
						rows++
					})
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
	}
}
