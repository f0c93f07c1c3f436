package retro

import (
	"time"
	"unsafe"

	"gogotb/index"
	"gogotb/rules"
)

// Estimate is what solving a set takes, before it is done.
type Estimate struct {
	Positions uint64        // size of the perfect index
	Memory    uint64        // bytes, at the peak
	Time      time.Duration // with the given number of workers
}

// Figures of the estimate, measured on sets of three pieces; see BENCHMARKS.md.
const (
	phaseSets        = 6    // sets of bits that the perpetual-check phase holds
	logBytes         = 1.7  // of results for each index
	nanosPerIndex    = 125  // of one core, for each index
	valueBytes       = 2    // of a value in a buffer
	baseMemory       = 24e6 // of the program
	valueBuffers     = 2
	minimumDuration  = 10 * time.Millisecond
	unitCells        = unitRows * rules.Squares * rules.Squares
	bytesOfRow       = uint64(unsafe.Sizeof(row{}))
	garbageAllowance = 1.15 // collected late
)

// EstimateSolve predicts what Solve and Values take for a set of up to five pieces.
func EstimateSolve(m index.Material, opt Options) (Estimate, error) {
	x, err := index.New(m)
	if err != nil {
		return Estimate{}, err
	}
	var rows, largest uint64
	for i, s := range index.Slices(m) {
		s := newSlice(i, s.Pieces)
		rows += uint64(s.rows * len(kingPairs))
		largest = max(largest, x.SliceStart(i+1)-x.SliceStart(i))
	}
	workers := uint64(opt.workers())
	held := float64(phaseSets*rows*bytesOfRow) + logBytes*float64(x.Size())
	e := Estimate{
		Positions: x.Size(),
		Memory: uint64(garbageAllowance*held) + baseMemory +
			valueBuffers*valueBytes*largest + workers*valueBytes*unitCells,
		Time: max(minimumDuration, time.Duration(nanosPerIndex*x.Size()/workers)),
	}
	return e, nil
}
