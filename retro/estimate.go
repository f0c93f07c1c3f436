package retro

import (
	"fmt"
	"math"
	"time"
	"unsafe"

	"github.com/dustin/go-humanize"

	"gogotb/index"
	"gogotb/rules"
)

// Estimate is what solving a set takes, before it is done.
type Estimate struct {
	Positions  uint64        // size of the perfect index
	Memory     uint64        // bytes, at the peak
	Scratch    uint64        // bytes of the scratch file; 0: none is needed
	Checkpoint uint64        // bytes of the checkpoint when all is solved, if all is saved
	Time       time.Duration // with the given number of workers, all in memory
	// Limited is Time where the scratch file is read from the disk whenever Options.Memory has no room for it, because the system's
	// cache is as limited as the process, as in a container. Where the cache has room it takes little more than Time.
	Limited time.Duration
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
	return fmt.Sprintf("%s needs about %s; the limit is %s", e.Material, need, roundedDown(e.Memory))
}

// roundedUp returns the least amount, not below bytes, that humanize.IBytes writes as it is: who
// reads it somewhere and gives that much has given enough.
func roundedUp(bytes uint64) uint64 {
	for more := bytes; ; more += bytes/1000 + 1 {
		written, err := humanize.ParseBytes(humanize.IBytes(more))
		if err != nil || written >= bytes {
			return max(written, bytes)
		}
	}
}

// roundedDown writes an amount, or the next one below it that has a short name.
func roundedDown(bytes uint64) string {
	for less := bytes; ; less -= bytes/1000 + 1 {
		text := humanize.IBytes(less)
		if written, err := humanize.ParseBytes(text); err != nil || written <= bytes {
			return text
		}
	}
}

// Figures of the estimate, fitted to the measurements in BENCHMARKS.md. Most things go by the rows
// of a set, because identical pieces take twice the rows, but not twice the indices.
const (
	baseMemory   = 26 << 20 // of the program
	workerMemory = 500_000  // of each worker, beside
	cellsOfUnit  = 2        // times the values of a unit
	boardsOfRow  = 3.1 * bytesOfRow
	resultsSaved = 2.6  // bytes in memory for a byte of the checkpoint
	plyResults   = 0.07 // part of the results that one ply has
	listOfRow    = 7.6  // bytes of the lists of boards, for all sets together
	garbage      = 1.15
	microsOfRow  = 52.0 // of one core
	shortest     = 10 * time.Millisecond
	// slowing of streaming: how many times as long it takes without any memory, beside as long, by
	// what was measured at half of the memory; sets of up to three pieces, and larger ones.
	slowing      = 2.0
	slowingLarge = 5.7
	bytesOfRow   = float64(rowBytes)
	// mostResults and leastResults are bytes of results that stay in memory before they go to the
	// checkpoint, one ply more or less.
	mostResults  = 1 << 29
	leastResults = 1 << 25
	// In a scratch file there are at most the boards of mostSets full sets, of which leastBoards
	// bytes should be in memory.
	mostSets    = 7
	leastBoards = 56 << 20
)

// EstimateSolve predicts what Solve and Values take for a set of up to five pieces, and how they
// would keep to Options.Memory; a *MemoryError says that they cannot.
func EstimateSolve(m index.Material, opt Options) (Estimate, error) {
	plan, err := planMemory(m, opt)
	if err != nil {
		return Estimate{}, err
	}
	return plan.estimate(m, opt), nil
}

// estimate is what is told of a plan.
func (plan memoryPlan) estimate(m index.Material, opt Options) Estimate {
	e := Estimate{
		Positions:  plan.positions,
		Memory:     plan.memory,
		Scratch:    plan.scratch,
		Checkpoint: checkpointHead + uint64(savedOfRow(m)*plan.rows),
		Time:       max(shortest, time.Duration(microsOfRow*1e3*plan.rows/float64(opt.workers()))),
	}
	missing := 1 - float64(plan.memory)/float64(plan.whole)
	factor := slowing
	if m.PieceCount() > 3 {
		factor = slowingLarge
	}
	e.Limited = time.Duration(float64(e.Time) * (1 + factor*missing))
	return e
}

// checkpointHead is how many bytes a checkpoint has without results.
const checkpointHead = 101

// savedByPieces is how many bytes of the checkpoint the results of a row take, compressed, by
// pieces. That of four is from GGPP. The factors are those of two and three.
var savedByPieces = [index.MaxPieces + 1]float64{0, 12, 86, 226, 106, 106}

const (
	savedOfBishopOrSilver = 1.14 // of two
	savedOfSimplePair     = 0.74 // two of rooks and bishops, or of golds and silvers: much is undecided
	savedOfRook           = 0.87 // of three
	savedOfLoneSlider     = 0.80 // one rook or bishop of three pieces: few plies
)

// savedOfRow estimates how many bytes of the checkpoint the results of a row of a set take. Saving
// after every ply takes a twentieth more than saving all at once.
func savedOfRow(m index.Material) float64 {
	bytes, sliders, generals := savedByPieces[m.PieceCount()], m[rules.Rook]+m[rules.Bishop], m[rules.Gold]+m[rules.Silver]
	switch m.PieceCount() {
	case 2:
		bytes *= math.Pow(savedOfBishopOrSilver, float64(m[rules.Bishop]+m[rules.Silver]))
		if sliders == 2 || generals == 2 {
			bytes *= savedOfSimplePair
		}
	case 3:
		bytes *= math.Pow(savedOfRook, float64(m[rules.Rook]))
		if sliders == 1 {
			bytes *= savedOfLoneSlider
		}
	}
	return bytes
}

// memoryPlan is what goes where.
type memoryPlan struct {
	positions uint64
	rows      float64
	memory    uint64 // bytes at the peak
	whole     uint64 // the same without Options.Memory
	scratch   uint64 // bytes of the scratch file, or of those of all parts, 0: none
	results   int64  // bytes of results to be kept in memory
}

// share is what a process has of the sets of an analysis. That of a whole one is 1 of each.
type share struct {
	boards float64 // of the sets of the mate phase
	held   float64 // of a set that has copies of other parts' rows, too
	lists  float64 // of the lists of boards
	own    float64 // of the results
}

// share returns what a part takes.
func (p *Plan) share(number int) share {
	part, all := &p.parts[number], float64(len(kingPairs))
	own, held := float64(part.own[rules.Sente].count()), float64(part.held(rules.Sente).count())
	lists := float64(part.held(rules.Sente).union(part.held(rules.Gote)).count())
	return share{(own + 2*held) / (3 * all), held / all, lists / all, own / all}
}

// planMemory plans an analysis in this process, in parts or not.
func planMemory(m index.Material, opt Options) (memoryPlan, error) {
	all := share{1, 1, 1, 1}
	if opt.Parts != 0 {
		p, err := NewPlan(m, opt.Parts)
		if err != nil {
			return memoryPlan{}, err
		}
		all = share{}
		for i := range p.parts {
			of := p.share(i)
			all = share{all.boards + of.boards, all.held + of.held, all.lists + of.lists, all.own + of.own}
		}
	}
	return planShare(m, opt, all, true)
}

// memory plans what SolvePart takes, which keeps no results and makes no values.
func (p *Plan) memory(number int, opt Options) (memoryPlan, error) {
	return planShare(p.material, opt, p.share(number), false)
}

// EstimatePart predicts what SolvePart takes, as EstimateSolve does for Solve. There is no checkpoint.
func (p *Plan) EstimatePart(number int, opt Options) (Estimate, error) {
	plan, err := p.memory(number, opt)
	if err != nil {
		return Estimate{}, err
	}
	e := plan.estimate(p.material, opt)
	e.Checkpoint = 0
	for _, d := range []*time.Duration{&e.Time, &e.Limited} {
		*d = time.Duration(float64(*d) * p.share(number).own)
	}
	return e, nil
}

// scratchOf returns the bytes of the scratch file that a share of the sets needs.
func (p memoryPlan) scratchOf(s share) uint64 { return uint64(mostSets * p.rows * bytesOfRow * s.held) }

func planShare(m index.Material, opt Options, of share, values bool) (memoryPlan, error) {
	x, err := index.New(m)
	if err != nil {
		return memoryPlan{}, err
	}
	l := newLayout(m, defaultTuning.unitRows)
	var rows, largest, cells float64
	for i := range l.slices {
		rows += float64(l.slices[i].rows * len(l.pairs))
		largest = max(largest, float64(x.SliceStart(i+1)-x.SliceStart(i)))
	}
	for _, u := range l.units {
		s := &l.slices[u.slice]
		cells = max(cells, float64((u.ends-u.pair)*s.rows*rowCells(s.n)))
	}
	const bytesOfValue = float64(unsafe.Sizeof(rules.Value(0)))
	if !values {
		largest, cells = 0, 0
	}
	fixed := baseMemory + float64(opt.Beside) +
		garbage*(listOfRow*rows*of.lists+2*largest*bytesOfValue) +
		float64(min(opt.workers(), len(l.units)))*(workerMemory+cellsOfUnit*cells*bytesOfValue)
	need := func(results, boards float64) uint64 {
		all := resultsSaved * savedOfRow(m) * rows
		kept := min(all, results+plyResults*all)
		if !values {
			kept = min(all, 2*plyResults*all*of.own) // of a step: its own, and what others have found
		}
		return roundedUp(uint64(fixed + garbage*(kept+boards)))
	}
	p := memoryPlan{positions: x.Size(), rows: rows, results: mostResults}
	p.whole = need(mostResults, boardsOfRow*rows*of.boards)
	p.memory = p.whole
	if opt.Memory == 0 || p.memory <= opt.Memory {
		return p, nil
	}
	least := need(leastResults, leastBoards)
	if opt.Scratch == "" || least > opt.Memory {
		return p, &MemoryError{m, opt.Memory, p.memory, least}
	}
	p.memory = opt.Memory
	p.scratch = p.scratchOf(of)
	p.results = int64(min(mostResults, leastResults+float64(opt.Memory-least)/4))
	return p, nil
}
