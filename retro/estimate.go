package retro

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/dustin/go-humanize"

	"gogotb/index"
	"gogotb/rules"
)

// Estimate is what solving a set takes, before it is done.
type Estimate struct {
	Positions uint64        // size of the perfect index
	Memory    uint64        // bytes, at the peak
	Scratch   uint64        // bytes of the scratch file, at most; 0: none is needed
	Time      time.Duration // with the given number of workers, all in memory
}

// MemoryError says that Options.Memory does not suffice.
type MemoryError struct {
	Material index.Material
	Memory   uint64 // bytes that it may take
	Whole    uint64 // bytes that it takes without a scratch file
	Least    uint64 // bytes that it takes at least, with one; not less than Whole for small sets
}

func (e *MemoryError) Error() string {
	need := humanize.IBytes(e.Whole) + " of memory"
	if e.Least < e.Whole {
		need += ", or " + humanize.IBytes(e.Least) + " and a scratch file"
	}
	return fmt.Sprintf("%s needs about %s; the limit is %s", e.Material, need, humanize.IBytes(e.Memory))
}

// Figures of the estimate, from the measurements in BENCHMARKS.md, table writing included.
const (
	baseMemory     = 30 << 20
	fullSets       = 3.4 // how many full sets of positions the boards of all sets amount to
	mostSets       = 7   // if all of them were full
	bytesOfRow     = float64(rowBytes)
	bytesOfBoard   = 190.0   // in ordinary memory, for all sets together
	resultsOfIndex = 2.2     // bytes of results for each index
	pliesResults   = 0.07    // part of the results that one ply has
	mostResults    = 1 << 29 // bytes of results before they go to the checkpoint, one ply more or less
	leastResults   = 1 << 25
	garbage        = 1.15
	leastBoards    = 1 << 26 // bytes of the scratch file that should fit
	nanosPerIndex  = 170     // of one core
	shortest       = 10 * time.Millisecond
)

// EstimateSolve predicts what Solve and Values take for a set of up to five pieces, and how
// they would keep to Options.Memory; a *MemoryError says that they cannot.
func EstimateSolve(m index.Material, opt Options) (Estimate, error) {
	plan, err := planMemory(m, opt)
	if err != nil {
		return Estimate{}, err
	}
	return Estimate{
		Positions: plan.positions,
		Memory:    plan.memory,
		Scratch:   plan.scratch,
		Time:      max(shortest, time.Duration(nanosPerIndex*plan.positions/uint64(opt.workers()))),
	}, nil
}

// memoryPlan is what goes where.
type memoryPlan struct {
	positions uint64
	memory    uint64 // bytes at the peak
	scratch   uint64 // bytes of the scratch file, 0: none
	results   int64  // bytes of results to be kept in memory
}

func planMemory(m index.Material, opt Options) (memoryPlan, error) {
	x, err := index.New(m)
	if err != nil {
		return memoryPlan{}, err
	}
	var rows, largest float64
	for i, s := range index.Slices(m) {
		rows += float64(newSlice(i, s.Pieces).rows * len(kingPairs))
		largest = max(largest, float64(x.SliceStart(i+1)-x.SliceStart(i)))
	}
	positions := float64(x.Size())
	all := resultsOfIndex * positions
	fixed := baseMemory + bytesOfBoard*rows/boardRows +
		2*largest*float64(unsafe.Sizeof(rules.Value(0))) // two slices of values, one of them being written
	ply := pliesResults * all
	need := func(results, boards float64) uint64 {
		return uint64(garbage * (fixed + min(all, results+ply) + boards))
	}
	p := memoryPlan{positions: x.Size(), results: mostResults}
	p.memory = need(mostResults, fullSets*rows*bytesOfRow)
	if opt.Memory == 0 || p.memory <= opt.Memory {
		return p, nil
	}
	least := need(leastResults, leastBoards)
	if opt.Scratch == "" || least > opt.Memory {
		return p, &MemoryError{m, opt.Memory, p.memory, least}
	}
	p.memory = opt.Memory
	p.scratch = mostSets * uint64(rows*bytesOfRow)
	p.results = int64(min(mostResults, leastResults+float64(opt.Memory-least)/4))
	return p, nil
}
