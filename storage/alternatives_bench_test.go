package storage

import (
	"fmt"
	"testing"

	"github.com/klauspost/compress/zstd"

	"gogotb/index"
	"gogotb/rules"
)

// Fills of the don't-care entries in BenchmarkZstd.
var fills = []string{"win", "previous"}

// BenchmarkZstd is what NOTES.md compares the codec with: outcomes packed to two bits (0
// lost, 1 won, 2 open, 3 by perpetual check) and the distances of lost positions, a byte
// each, compressed block by block with zstd. Illegal entries count as won, or as the entry
// before them. It reports bits per distinct legal position, of up to 512 blocks, and the
// time to decompress a block of outcomes and one of distances.
func BenchmarkZstd(b *testing.B) {
	s := solve(b, *benchSet)
	for _, shift := range []int{14, 16} {
		for _, level := range []zstd.EncoderLevel{zstd.SpeedBetterCompression, zstd.SpeedBestCompression} {
			for _, fill := range fills {
				b.Run(fmt.Sprintf("%d/%v/%s", 1<<shift, level, fill), func(b *testing.B) {
					benchmarkZstd(b, s.values, 1<<shift, level, fill)
				})
			}
		}
	}
}

func benchmarkZstd(b *testing.B, values []rules.Value, size int, level zstd.EncoderLevel, fill string) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
	if err != nil {
		b.Fatal(err)
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	defer decoder.Close()
	var packed [][2][]byte
	legal, bytes := 0, [2]int{}
	step := 1 + len(values)/(512*size) // all blocks, or some 512 of them
	for first := 0; first < len(values); first += step * size {
		block := values[first:min(first+size, len(values))]
		for _, v := range block {
			if v != 0 {
				legal++
			}
		}
		var p [2][]byte
		for kind, plain := range plainBlock(block, fill) {
			p[kind] = encoder.EncodeAll(plain, nil)
			bytes[kind] += len(p[kind])
		}
		packed = append(packed, p)
	}
	var room []byte
	i := 0
	for b.Loop() {
		for _, p := range packed[i%len(packed)] {
			if room, err = decoder.DecodeAll(p, room[:0]); err != nil {
				b.Fatal(err)
			}
		}
		i++
	}
	b.ReportMetric(8*float64(bytes[0])/float64(legal), "outcome-bits")
	b.ReportMetric(8*float64(bytes[1])/float64(legal), "distance-bits")
}

// plainBlock packs outcomes, four to a byte, and distances.
func plainBlock(values []rules.Value, fill string) (plain [2][]byte) {
	plain[0] = make([]byte, (len(values)+3)/4)
	last, lastDistance := byte(1), byte(0)
	for i, v := range values {
		code, distance := [...]byte{0, 2, 1, 0, 3, 3}[v.Outcome()], byte(v.Number())
		switch v.Outcome() {
		case rules.Illegal:
			if code = 1; fill == "previous" {
				code = last
			}
			distance = lastDistance
		case rules.MateLoss:
			distance = byte(v.Number() / 2)
		}
		if code == 0 || v.Outcome() == rules.PerpetualLoss {
			plain[1] = append(plain[1], distance)
			lastDistance = distance
		}
		last = code
		plain[0][i/4] |= code << (i % 4 * 2)
	}
	return plain
}

// BenchmarkSlices reports where the bytes of a set with two identical pieces go, apart from the
// models: for the slices in which these are a pair in one state on the board, of one form but of
// different sides, or of different forms or in hand, each with the others on the board, and for
// the rest, their share, and bits per distinct legal position.
func BenchmarkSlices(b *testing.B) {
	s, dir := benchTables(b)
	set := openSet(b, *benchSet, dir)
	group := func(slice *index.Slice) string {
		first, second := slice.Pieces[0], slice.Pieces[1]
		switch {
		case len(slice.Pieces) > 2 && slice.Pieces[2].State < index.Own:
			return "rest"
		case first.State < index.Own || first.State.Promoted() != second.State.Promoted():
			return "mixed"
		case first == second:
			return "pair"
		}
		return "sides"
	}
	for b.Loop() {
		bytes, legal, total, k := map[string]int{}, map[string]int{}, 0, 0
		for block := range set.BlockCount() {
			first, n := block<<blockShift, set.pair.Load().outcomes.header.blockEntries(block)
			for s.index.SliceStart(k+1) <= first+uint64(n/2) {
				k++
			}
			name := group(&s.index.Slices()[k])
			for _, t := range set.pair.Load().files() {
				bytes[name] += int(t.blocks.lengths[block])
				total += int(t.blocks.lengths[block])
			}
			for _, v := range s.values[first : first+uint64(n)] {
				if v != 0 {
					legal[name]++
				}
			}
		}
		for name, n := range bytes {
			b.ReportMetric(float64(n)/float64(total), name+"-share")
			b.ReportMetric(8*float64(n)/float64(legal[name]), name+"-bits")
		}
	}
}
