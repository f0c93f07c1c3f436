package storage

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gogotb/rules"
)

// benchSet is the set that the benchmarks solve and write first; BENCHMARKS.md has figures
// for larger ones.
var benchSet = flag.String("set", "RB", "material set of the benchmarks")

// benchTables is the set and its tables.
func benchTables(b *testing.B) (solved, string) {
	b.Helper()
	s := solve(b, *benchSet)
	dir := b.TempDir()
	s.write(b, dir)
	return s, dir
}

// randomPositions are legal positions of the set whose values suit.
func randomPositions(b *testing.B, s solved, n int, suits func(rules.Value) bool) []rules.Position {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var list []rules.Position
	for len(list) < n {
		i := rng.Uint64N(s.index.Size())
		if v := s.values[i]; v != 0 && suits(v) {
			p, err := s.index.Decode(i)
			if err != nil {
				b.Fatal(err)
			}
			if rng.IntN(2) == 0 {
				p = p.Rotated()
			}
			list = append(list, p)
		}
	}
	return list
}

func isLost(v rules.Value) bool { return v.Outcome().Loses() }
func isWon(v rules.Value) bool  { return !v.Outcome().Loses() && v.Outcome() != rules.Open }
func isAny(rules.Value) bool    { return true }

// reportTarget shows what is wanted beside what was measured. It is wanted of sets of three
// pieces.
func reportTarget(b *testing.B, n float64, unit string) {
	if n > 0 && len(*benchSet) == 3 {
		b.ReportMetric(n, "target-"+unit)
	}
}

// The kinds of probes: what is asked, and of which positions, and how many nanoseconds it may
// take when the block cache is warm, and when it is cold.
var probes = []struct {
	name       string
	warm, cold float64
	suits      func(rules.Value) bool
	ask        func(*Set, *rules.Position) error
}{
	{"Outcome", 1000, 60e3, isAny, func(s *Set, p *rules.Position) error { _, err := s.Outcome(p); return err }},
	{"Lost", 5000, 60e3, isLost, func(s *Set, p *rules.Position) error { _, err := s.Probe(p); return err }},
	{"Won", 5000, 400e3, isWon, func(s *Set, p *rules.Position) error { _, err := s.Probe(p); return err }},
	{"Moves", 0, 0, isAny, func(s *Set, p *rules.Position) error {
		_, err := (&Tables{library: s.tables, ctx: s.from.ctx}).Moves(p, Adjudication{})
		return err
	}},
}

// BenchmarkWarm probes positions whose blocks are all in the cache, on as many goroutines
// as -cpu says.
func BenchmarkWarm(b *testing.B) {
	s, dir := benchTables(b)
	for _, probe := range probes {
		b.Run(probe.name, func(b *testing.B) {
			tables, err := Open([]string{dir}, &Options{CacheBytes: 4 << 30})
			if err != nil {
				b.Fatal(err)
			}
			defer tables.Close()
			benchmarkWarm(b, tables, s, probe.suits, probe.ask)
			reportTarget(b, probe.warm, "ns")
		})
	}
	b.Run("LoadedOutcome", func(b *testing.B) {
		tables := open(b, dir)
		set, err := tables.Set(s.index.Material())
		if err != nil {
			b.Fatal(err)
		}
		if err := set.LoadOutcomes(); err != nil {
			b.Fatal(err)
		}
		benchmarkWarm(b, tables, s, isAny, probes[0].ask)
		reportTarget(b, 200, "ns")
	})
}

func benchmarkWarm(b *testing.B, tables *Tables, s solved, suits func(rules.Value) bool, ask func(*Set, *rules.Position) error) {
	set, err := tables.Set(s.index.Material())
	if err != nil {
		b.Fatal(err)
	}
	positions := randomPositions(b, s, 5000, suits)
	for i := range positions {
		if err := ask(set, &positions[i]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	var start atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for i := int(start.Add(997)); pb.Next(); i++ {
			if err := ask(set, &positions[i%len(positions)]); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkCold probes with an empty block cache each time; the file is in the page cache
// of the system. It reports the median and the 90th percentile of the times, and the median
// of the least time of each position, which other work on the machine disturbs less: with
// -benchtime 14000x a position is probed seven times.
func BenchmarkCold(b *testing.B) {
	s, dir := benchTables(b)
	for _, probe := range probes {
		b.Run(probe.name, func(b *testing.B) {
			tables := open(b, dir)
			set, err := tables.Set(s.index.Material())
			if err != nil {
				b.Fatal(err)
			}
			positions := randomPositions(b, s, 2000, probe.suits)
			var times []time.Duration
			least := slices.Repeat([]time.Duration{time.Hour}, len(positions))
			for i := 0; b.Loop(); i++ {
				tables.cache = newCache(defaultCacheBytes)
				start := time.Now()
				k := i % len(positions)
				if err := probe.ask(set, &positions[k]); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
				least[k] = min(least[k], times[i])
			}
			least = least[:min(len(least), len(times))]
			slices.Sort(times)
			slices.Sort(least)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "median-ns")
			b.ReportMetric(float64(times[len(times)*9/10].Nanoseconds()), "p90-ns")
			b.ReportMetric(float64(least[len(least)/2].Nanoseconds()), "least-median-ns")
			reportTarget(b, probe.cold, "median-ns")
		})
	}
}

// BenchmarkWrite writes both tables and reports their sizes in bits per distinct legal
// position, mirror images counted once, and the time for each entry of the index.
func BenchmarkWrite(b *testing.B) {
	s := solve(b, *benchSet)
	legal := 0
	for _, v := range s.values {
		if v != 0 {
			legal++
		}
	}
	dir := b.TempDir()
	for b.Loop() {
		s.write(b, dir)
	}
	bits := 0.0
	for kind, unit := range map[Kind]string{Outcomes: "outcome-bits", Distances: "distance-bits"} {
		n := 8 * float64(len(read(b, dir, FileName(s.index.Material(), kind)))) / float64(legal)
		b.ReportMetric(n, unit)
		bits += n
	}
	b.ReportMetric(bits, "bits")
	reportTarget(b, 0.5, "outcome-bits")
	reportTarget(b, 1.7, "bits")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s.values)), "ns/entry")
}

// BenchmarkShape is the curve of block sizes: bits per distinct legal position for both
// tables, and the median of cold probes of outcomes, and of the distances of lost positions.
func BenchmarkShape(b *testing.B) {
	s := solve(b, *benchSet)
	legal := 0
	for _, v := range s.values {
		if v != 0 {
			legal++
		}
	}
	for _, shift := range []uint8{10, 11, 12, 13} {
		b.Run(fmt.Sprint(1<<shift), func(b *testing.B) {
			dir := b.TempDir()
			s.writeAs(b, dir, shape{shift, chapterShift + blockShift - shift}, WriterOptions{})
			set := openSet(b, *benchSet, dir)
			outcomes, distances := set.Bytes()
			positions := randomPositions(b, s, 2000, isLost)
			var times [2][]time.Duration
			for i := 0; b.Loop(); i++ {
				for k, probe := range probes[:2] {
					set.tables.cache = newCache(defaultCacheBytes)
					start := time.Now()
					if err := probe.ask(set, &positions[i%len(positions)]); err != nil {
						b.Fatal(err)
					}
					times[k] = append(times[k], time.Since(start))
				}
			}
			b.ReportMetric(8*float64(outcomes)/float64(legal), "outcome-bits")
			b.ReportMetric(8*float64(distances)/float64(legal), "distance-bits")
			for k, unit := range []string{"outcome-median-ns", "distance-median-ns"} {
				slices.Sort(times[k])
				b.ReportMetric(float64(times[k][len(times[k])/2].Nanoseconds()), unit)
			}
		})
	}
}

// BenchmarkOpen opens a set: header, directory, statistics, and the index.
func BenchmarkOpen(b *testing.B) {
	s, dir := benchTables(b)
	for b.Loop() {
		tables, err := Open([]string{dir}, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := tables.Set(s.index.Material()); err != nil {
			b.Fatal(err)
		}
		tables.Close()
	}
}

// BenchmarkLoadOutcomes unpacks a whole table of outcomes.
func BenchmarkLoadOutcomes(b *testing.B) {
	s, dir := benchTables(b)
	set := openSet(b, *benchSet, dir)
	for b.Loop() {
		if err := set.LoadOutcomes(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s.values)), "ns/entry")
}

// BenchmarkValues unpacks all blocks of both tables, one after the other.
func BenchmarkValues(b *testing.B) {
	s, dir := benchTables(b)
	set := openSet(b, *benchSet, dir)
	for b.Loop() {
		for _, err := range set.Values() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s.values)), "ns/entry")
}

// BenchmarkCheckFile checks the checksums of both tables.
func BenchmarkCheckFile(b *testing.B) {
	s, dir := benchTables(b)
	bytes := int64(0)
	for b.Loop() {
		bytes = 0
		for _, kind := range []Kind{Outcomes, Distances} {
			name := FileName(s.index.Material(), kind)
			if err := CheckFile(b.Context(), filepath.Join(dir, name)); err != nil {
				b.Fatal(err)
			}
			bytes += int64(len(read(b, dir, name)))
		}
	}
	b.SetBytes(bytes)
}
