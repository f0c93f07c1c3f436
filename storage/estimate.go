package storage

import (
	"gogotb/index"
	"gogotb/rules"
)

// A size is predicted from the number of distinct legal positions: with as many pieces they
// take about the same number of bits, whatever the pieces, and what does not depend on
// the number of positions, models and statistics, is about the same, too. NOTES.md has the sizes
// that this was taken from.
var sizeByPieces = [index.MaxPieces + 1]struct{ bits, fixed float64 }{
	{0, 600}, {2.6, 0}, {1.27, 12_000}, {1.7, 50_000}, {1.65, 500_000}, {1.7, 5_000_000},
}

// bitsOfSimplePairs is what two pieces take that are golds and silvers, or rooks, or bishops;
// bitsOfLoneRook what three take of which one is a rook and none a bishop.
const (
	bitsOfSimplePairs = 0.93
	bitsOfLoneRook    = 1.48
)

// What a Writer takes: for each entry of a chapter, values twice, one being filled and one being packed,
// and what is made of them; for each goroutine, counts of the chapter's events.
const (
	writerOfEntry     = 5.9
	writerOfGoroutine = 300_000
)

// WriterMemory predicts how many bytes of memory a Writer takes.
func WriterMemory(x *index.Index, opt WriterOptions) uint64 {
	entries := min(x.Size(), shape{blockShift, chapterShift}.chapterEntries())
	return uint64(writerOfEntry*float64(entries)) + uint64(writerOfGoroutine*workersOf(opt.Workers))
}

// EstimateSize predicts how large both tables of a set will be together, in bytes. It looks at
// some thousand placements to see how many of them are legal. Errors are those of index.New.
func EstimateSize(m index.Material) (int64, error) {
	x, err := index.New(m)
	if err != nil {
		return 0, err
	}
	n := min(x.Size(), 1<<14)
	legal := uint64(0)
	for i := range n {
		p, err := x.Decode(x.Size() / n * i)
		if err != nil {
			return 0, err
		}
		if p.Validate() == nil {
			legal++
		}
	}
	size := sizeByPieces[m.PieceCount()]
	if m.PieceCount() == 2 && (m[rules.Rook] == 2 || m[rules.Bishop] == 2 || m[rules.Gold]+m[rules.Silver] == 2) {
		size.bits = bitsOfSimplePairs
	}
	if m.PieceCount() == 3 && m[rules.Rook] == 1 && m[rules.Bishop] == 0 {
		size.bits = bitsOfLoneRook
	}
	return int64(float64(x.Size())*float64(legal)/float64(n)*size.bits/8 + size.fixed), nil
}
