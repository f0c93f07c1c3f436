package main

import (
	"sync"

	"gogotb/storage"
)

// openTables are tables that C programs have open. C cannot hold a Go pointer, so it gets
// numbers, which are never used twice: a call with tables that were closed finds nothing.
var openTables = struct {
	sync.RWMutex
	last   uint64
	tables map[uint64]*sharedTables
}{tables: map[uint64]*sharedTables{}}

// sharedTables wait with closing until nobody uses them. Users hold the lock for reading.
type sharedTables struct {
	sync.RWMutex
	*storage.Tables // nil once closed
}

// register gives tables a number.
func register(t *storage.Tables) uint64 {
	openTables.Lock()
	defer openTables.Unlock()
	openTables.last++
	openTables.tables[openTables.last] = &sharedTables{Tables: t}
	return openTables.last
}

// use finds tables, which its caller has to RUnlock; nil if they are not open.
func use(number uint64) *sharedTables {
	openTables.RLock()
	t := openTables.tables[number]
	openTables.RUnlock()
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
func unregister(number uint64) (bool, error) {
	openTables.Lock()
	t := openTables.tables[number]
	delete(openTables.tables, number)
	openTables.Unlock()
	if t == nil {
		return false, nil
	}
	t.Lock()
	defer t.Unlock()
	err := t.Close()
	t.Tables = nil
	return true, err
}
