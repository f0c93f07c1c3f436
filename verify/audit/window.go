package audit

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"gogotb/rules"
	"gogotb/storage"
)

// window is a part of a table, the blocks of which are unpacked when they are asked for, or
// all at once. It has the values as the files have them, wins without numbers, in a byte each:
// a code. The few values that have no code are beside.
type window struct {
	set   *storage.Set
	block uint64 // entries in a block
	first uint64 // index of the first entry
	codes []uint8
	ready []atomic.Bool // by block of the window
	locks [64]sync.Mutex

	mu       sync.RWMutex
	uncommon map[uint64]rules.Value // values without a code, by index
}

// The codes: 0 for a value without one, then open and won positions, mate losses in 0, 2, 4...
// plies, and perpetual losses of rank 1, 2, 3... Mates that take longer than 302 plies and
// ranks above 100 are rare, if there are any.
const (
	noCode    = 0
	lossCodes = 152
)

// codeValues are the values of the codes, and valueCodes the codes of the values.
var codeValues, valueCodes = func() (values [1 << 8]rules.Value, codes [1 << 16]uint8) {
	values[1] = rules.MakeValue(rules.Open, 0)
	values[2] = rules.MakeValue(rules.MateWin, 0)
	values[3] = rules.MakeValue(rules.PerpetualWin, 0)
	losses, ranks := values[4:4+lossCodes], values[4+lossCodes:]
	for n := range losses {
		losses[n] = rules.MakeValue(rules.MateLoss, 2*n)
	}
	for n := range ranks {
		ranks[n] = rules.MakeValue(rules.PerpetualLoss, n+1)
	}
	for c := noCode + 1; c < len(values); c++ {
		codes[values[c]] = uint8(c)
	}
	return values, codes
}()

// newWindow makes a window of about this number of entries.
func newWindow(s *storage.Set, entries uint64) (*window, error) {
	first, err := s.Block(0, nil)
	if err != nil {
		return nil, err
	}
	w := &window{set: s, block: uint64(len(first.Values)), uncommon: map[uint64]rules.Value{}}
	blocks := max(entries/w.block, 1)
	if entries >= s.Index().Size() {
		blocks = s.BlockCount() // the last one may be shorter
	}
	w.codes = make([]uint8, min(blocks*w.block, s.Index().Size()))
	w.ready = make([]atomic.Bool, blocks)
	return w, nil
}

// parts returns the number of places at which the window stands one after the other.
func (w *window) parts() int {
	blocks := uint64(len(w.ready))
	return int((w.set.BlockCount() + blocks - 1) / blocks)
}

// part returns where the window stands.
func (w *window) part() int { return int(w.first / (uint64(len(w.ready)) * w.block)) }

// move puts the window at a part. What is unpacked there stays so if that is where it stands
// already.
func (w *window) move(part int) {
	if part == w.part() {
		return
	}
	w.first = uint64(part) * uint64(len(w.ready)) * w.block
	for i := range w.ready {
		w.ready[i].Store(false)
	}
	clear(w.uncommon)
}

// at returns the value of an index, if it is in the window; a block that has to be unpacked is unpacked to
// room first.
func (w *window) at(i uint64, room *[]rules.Value) (v rules.Value, ok bool, err error) {
	if i < w.first || i-w.first >= uint64(len(w.codes)) {
		return 0, false, nil
	}
	if block := (i - w.first) / w.block; !w.ready[block].Load() {
		if err := w.unpack(block, room); err != nil {
			return 0, false, err
		}
	}
	if c := w.codes[i-w.first]; c != noCode {
		return codeValues[c], true, nil
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.uncommon[i], true, nil
}

// unpack unpacks a block of the window, which others may be about to do as well.
func (w *window) unpack(block uint64, room *[]rules.Value) error {
	lock := &w.locks[block%uint64(len(w.locks))]
	lock.Lock()
	defer lock.Unlock()
	if w.ready[block].Load() {
		return nil
	}
	b, err := w.set.Block(w.first/w.block+block, *room)
	if err != nil {
		return err
	}
	*room = b.Values
	codes := w.codes[block*w.block:][:len(b.Values)]
	for n, v := range b.Values {
		c := valueCodes[v]
		codes[n] = c
		if c == noCode {
			w.mu.Lock()
			w.uncommon[b.First+uint64(n)] = v
			w.mu.Unlock()
		}
	}
	w.ready[block].Store(true)
	return nil
}

// fill unpacks all blocks of the window, as they come in the files, and tells done of each.
func (w *window) fill(ctx context.Context, workers int, done func(entries uint64)) error {
	blocks := min(uint64(len(w.ready)), w.set.BlockCount()-w.first/w.block)
	var next atomic.Uint64
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			var room []rules.Value
			for ctx.Err() == nil {
				block := next.Add(1) - 1
				if block >= blocks {
					return nil
				}
				if w.ready[block].Load() {
					continue
				}
				if err := w.unpack(block, &room); err != nil {
					return err
				}
				done(w.block)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}
