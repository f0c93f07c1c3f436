package main

import (
	"maps"
	"sync"
	"sync/atomic"

	"gogotb/storage"
)

// openTables are tables that C programs have open. C cannot hold a Go pointer, so it gets
// numbers, which are never used twice: a call with tables that were closed finds nothing.
var openTables registry

// registry is read by every probe and written seldom, so readers take no lock: the map that they see does not
// change, whoever opens or closes tables puts another in its place.
type registry struct {
	tables  atomic.Pointer[map[uint64]*sharedTables]
	writing sync.Mutex
	last    uint64 // number given
}

// sharedTables wait with closing until nobody uses them. Users hold the lock for reading.
type sharedTables struct {
	sync.RWMutex
	*storage.Tables // nil once closed
}

// register gives tables a number.
func (r *registry) register(t *storage.Tables) uint64 {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.last++
	changed := r.copy()
	changed[r.last] = &sharedTables{Tables: t}
	r.tables.Store(&changed)
	return r.last
}

// copy copies the map, which is nil in the beginning.
func (r *registry) copy() map[uint64]*sharedTables {
	changed := map[uint64]*sharedTables{}
	if now := r.tables.Load(); now != nil {
		maps.Copy(changed, *now)
	}
	return changed
}

// find finds tables by their number; nil if they are not open.
func (r *registry) find(number uint64) *sharedTables {
	if now := r.tables.Load(); now != nil {
		return (*now)[number]
	}
	return nil
}

// use finds tables, which its caller has to RUnlock; nil if they are not open.
func (r *registry) use(number uint64) *sharedTables {
	t := r.find(number)
	if t == nil {
		return nil
	}
	t.RLock()
	if t.Tables == nil {
		t.RUnlock()
		return nil
	}
	return t
}

// unregister closes tables; it reports false if they are not open.
func (r *registry) unregister(number uint64) (bool, error) {
	t := r.remove(number)
	if t == nil {
		return false, nil
	}
	t.Lock()
	defer t.Unlock()
	err := t.Close()
	t.Tables = nil
	return true, err
}

// remove takes tables out of the map.
func (r *registry) remove(number uint64) *sharedTables {
	r.writing.Lock()
	defer r.writing.Unlock()
	t := r.find(number)
	changed := r.copy()
	delete(changed, number)
	r.tables.Store(&changed)
	return t
}
