package retro

import (
	"time"
	"unsafe"

	"gogotb/index"
)

// Estimate is what solving a set takes, before it is done.
type Estimate struct {
	Positions uint64        // size of the perfect index
	Memory    uint64        // bytes, at the peak
	Time      time.Duration // with the given number of workers
}

// Figures of the estimate, from the measurements in BENCHMARKS.md: sets of three pieces, with
// the writing of their tables. For larger sets, whose results do not stay in memory, the
// bits count; that part has not been measured.
const (
	baseMemory    = 50e6
	bytesPerIndex = 6
	largeSets     = 5   // sets of bits held at once
	largeResults  = 2e9 // bytes of results before they are saved
	nanosPerIndex = 170 // of one core
	shortest      = 10 * time.Millisecond
	bytesOfRow    = uint64(unsafe.Sizeof(row{}))
)

// EstimateSolve predicts what Solve and Values take for a set of up to five pieces.
func EstimateSolve(m index.Material, opt Options) (Estimate, error) {
	x, err := index.New(m)
	if err != nil {
		return Estimate{}, err
	}
	var rows uint64
	for i, s := range index.Slices(m) {
		rows += uint64(newSlice(i, s.Pieces).rows * len(kingPairs))
	}
	workers := uint64(opt.workers())
	return Estimate{
		Positions: x.Size(),
		Memory:    baseMemory + min(bytesPerIndex*x.Size(), largeSets*rows*bytesOfRow+largeResults),
		Time:      max(shortest, time.Duration(nanosPerIndex*x.Size()/workers)),
	}, nil
}
