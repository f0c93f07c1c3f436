package index

import (
	"math/rand/v2"
	"testing"

	"gogotb/rules"
)

// benchmarkSets are a set of each size from one to five pieces, and one with pairs.
var benchmarkSets = []string{"P", "RB", "GSP", "GGPP", "RBSP", "RBGSP"}

func mustIndex(tb testing.TB, set string) *Index {
	tb.Helper()
	m, err := ParseMaterial(set)
	if err != nil {
		tb.Fatal(err)
	}
	x, err := New(m)
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

const samples = 1 << 12

// randomIndices are the same for every run.
func randomIndices(x *Index) []uint64 {
	rng := rand.New(rand.NewPCG(1, x.Size()))
	list := make([]uint64, samples)
	for i := range list {
		list[i] = rng.Uint64N(x.Size())
	}
	return list
}

// BenchmarkEncode ranks random positions, half of them with Gote to move.
func BenchmarkEncode(b *testing.B) {
	for _, set := range benchmarkSets {
		b.Run(set, func(b *testing.B) {
			x := mustIndex(b, set)
			positions := make([]rules.Position, samples)
			for n, i := range randomIndices(x) {
				positions[n], _ = x.Decode(i)
				if n%2 != 0 {
					positions[n] = positions[n].Rotated()
				}
			}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if _, err := x.Encode(&positions[n%samples]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// placement is what EncodeSquares takes.
type placement struct {
	slice         int
	own, opposing rules.Square
	squares       [MaxPieces]rules.Square
}

// BenchmarkEncodeSquares ranks random placements from bare squares.
func BenchmarkEncodeSquares(b *testing.B) {
	for _, set := range benchmarkSets {
		b.Run(set, func(b *testing.B) {
			x := mustIndex(b, set)
			placements := make([]placement, samples)
			for n, i := range randomIndices(x) {
				c := x.Cursor(i)
				placements[n] = placement{c.Slice, c.Own, c.Opposing, c.Squares}
			}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				p := &placements[n%samples]
				if _, err := x.EncodeSquares(p.slice, p.own, p.opposing, &p.squares); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode unranks random indices.
func BenchmarkDecode(b *testing.B) {
	for _, set := range benchmarkSets {
		b.Run(set, func(b *testing.B) {
			x := mustIndex(b, set)
			indices := randomIndices(x)
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if _, err := x.Decode(indices[n%samples]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCursor walks on from the middle of the set.
func BenchmarkCursor(b *testing.B) {
	for _, set := range benchmarkSets {
		b.Run(set, func(b *testing.B) {
			x := mustIndex(b, set)
			c := x.Cursor(x.Size() / 2)
			b.ReportAllocs()
			for b.Loop() {
				if !c.Next() {
					c = x.Cursor(0)
				}
			}
		})
	}
}
