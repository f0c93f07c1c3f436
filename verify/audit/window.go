package audit

import (
	"sync"
	"sync/atomic"

	"gogotb/rules"
	"gogotb/storage"
)

// window is a part of a table, the blocks of which are unpacked when they are asked for.
type window struct {
	set    *storage.Set
	block  uint64 // entries in a block
	first  uint64 // index of the first entry
	values []rules.Value
	ready  []atomic.Bool // by block of the window
	locks  [64]sync.Mutex
}

// newWindow makes a window of about so many entries.
func newWindow(s *storage.Set, entries uint64) (*window, error) {
	_, values, err := s.Values(0, nil)
	if err != nil {
		return nil, err
	}
	w := &window{set: s, block: uint64(len(values))}
	blocks := min(max(entries/w.block, 1), s.Blocks())
	w.values = make([]rules.Value, min(blocks*w.block, s.Index().Size()))
	w.ready = make([]atomic.Bool, blocks)
	return w, nil
}

// parts is the number of places at which the window stands one after the other.
func (w *window) parts() int {
	blocks := uint64(len(w.ready))
	return int((w.set.Blocks() + blocks - 1) / blocks)
}

// move puts the window at a part. What is unpacked there stays so if that is where it stands already.
func (w *window) move(part int) {
	first := uint64(part) * uint64(len(w.ready)) * w.block
	if first == w.first {
		return
	}
	w.first = first
	for i := range w.ready {
		w.ready[i].Store(false)
	}
}

// at is the value of an index, if it is in the window.
func (w *window) at(i uint64) (v rules.Value, ok bool, err error) {
	if i < w.first || i-w.first >= uint64(len(w.values)) {
		return 0, false, nil
	}
	i -= w.first
	if block := i / w.block; !w.ready[block].Load() {
		if err := w.unpack(block); err != nil {
			return 0, false, err
		}
	}
	return w.values[i], true, nil
}

// unpack unpacks a block of the window, which others may be about to do as well.
func (w *window) unpack(block uint64) error {
	lock := &w.locks[block%uint64(len(w.locks))]
	lock.Lock()
	defer lock.Unlock()
	if w.ready[block].Load() {
		return nil
	}
	start := block * w.block
	room := w.values[start:start:min(start+w.block, uint64(len(w.values)))]
	if _, _, err := w.set.Values(w.first/w.block+block, room); err != nil {
		return err
	}
	w.ready[block].Store(true)
	return nil
}
