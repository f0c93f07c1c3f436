package retro_test

import (
	"context"
	"testing"
	"time"

	"gogotb/index"
	"gogotb/retro"
	"gogotb/rules"
	"gogotb/storage"
)

// targets are the seconds that making tables may take on two cores.
var targets = map[string]float64{"GSP": 5, "RBS": 10}

// BenchmarkTables makes tables and reports the seconds, beside those it may take, and those of each
// part: the mate phase, the perpetual-check phase, counting the mutual zugzwangs, values (decoded,
// counted, brought into index order), packing (compressed, in the background of values as far as
// cores are free) and the commit (the last chapter, directories, sync, SHA256SUMS).
func BenchmarkTables(b *testing.B) {
	for _, name := range []string{"RB", "SS", "GSP", "RBS", "RRP"} {
		b.Run(name, func(b *testing.B) {
			m, err := index.ParseMaterial(name)
			if err != nil {
				b.Fatal(err)
			}
			var seconds [6]float64
			for b.Loop() {
				makeTables(b, m, &seconds)
			}
			for i, part := range []string{"mate", "perpetual", "zugzwangs", "values", "packing", "commit"} {
				b.ReportMetric(seconds[i]/float64(b.N), part+"-s")
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
			if s := targets[name]; s > 0 {
				b.ReportMetric(s, "target-s")
			}
		})
	}
}

func makeTables(b *testing.B, m index.Material, seconds *[6]float64) {
	ctx := context.Background()
	start := time.Now()
	lap := func(i int) {
		seconds[i] += time.Since(start).Seconds()
		start = time.Now()
	}
	var ends [2]time.Duration // of phases
	solution, err := retro.Solve(ctx, m, retro.Options{Progress: func(p retro.Progress) { ends[p.Phase] = p.Elapsed }})
	if err != nil {
		b.Fatal(err)
	}
	defer solution.Close()
	mates, perpetuals := ends[retro.MatePhase], max(ends[retro.MatePhase], ends[retro.PerpetualPhase])
	seconds[0] += mates.Seconds()
	seconds[1] += (perpetuals - mates).Seconds()
	seconds[2] += (time.Since(start) - perpetuals).Seconds()
	start = time.Now()

	w, err := storage.Create(b.TempDir(), solution.Index(), storage.WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Abort()
	packing := 0.0
	stats, err := solution.Values(ctx, func(values []rules.Value) error {
		start := time.Now()
		defer func() { packing += time.Since(start).Seconds() }()
		return w.Append(values)
	})
	if err != nil {
		b.Fatal(err)
	}
	lap(3)
	seconds[4] += packing
	if err := w.Commit(stats); err != nil {
		b.Fatal(err)
	}
	lap(5)
}
