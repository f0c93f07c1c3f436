package main

import (
	"runtime"
	"testing"

	"gogotb/storage"
)

// Tables are found while others are being opened and closed, because finding them takes no lock that
// all share.
func TestUseTakesNoSharedLock(t *testing.T) {
	var r registry
	number := r.register(openEmpty(t))
	r.writing.Lock() // as if somebody was opening or closing tables
	defer r.writing.Unlock()
	done := make(chan *sharedTables)
	go func() { done <- r.use(number) }()
	if used := <-done; used == nil {
		t.Error("open tables are not found")
	} else {
		used.RUnlock()
	}
	if r.use(number+1) != nil {
		t.Error("tables that nobody has opened are found")
	}
}

// A number stands for its tables until they are closed, and never again.
func TestNumbers(t *testing.T) {
	var r registry
	first, second := r.register(openEmpty(t)), r.register(openEmpty(t))
	if first == second || first == 0 {
		t.Fatalf("numbers are %d and %d", first, second)
	}
	for _, c := range []struct {
		number uint64
		open   bool
	}{{first, true}, {first, false}, {0, false}, {second + 1, false}, {second, true}, {second, false}} {
		if open, err := r.unregister(c.number); open != c.open || err != nil {
			t.Errorf("closing %d: open %v, error %v; want open %v", c.number, open, err, c.open)
		}
		if r.use(c.number) != nil {
			t.Errorf("%d is found although it is closed", c.number)
		}
	}
	if third := r.register(openEmpty(t)); third == first || third == second {
		t.Errorf("number %d is used again", third)
	}
}

// Closing waits for those who use the tables, and hinders nobody who uses others.
func TestCloseWaits(t *testing.T) {
	var r registry
	first, second := r.register(openEmpty(t)), r.register(openEmpty(t))
	used := r.use(first)
	closed := make(chan bool)
	go func() {
		open, _ := r.unregister(first)
		closed <- open
	}()
	for r.find(first) != nil { // until the other has come as far as waiting, or a step before
		runtime.Gosched()
	}
	if other := r.use(second); other == nil {
		t.Error("closing one hides the other")
	} else {
		other.RUnlock()
	}
	select {
	case <-closed:
		t.Error("closed while in use")
	default:
	}
	if used.Tables == nil {
		t.Error("closed while in use")
	}
	used.RUnlock()
	if !<-closed || used.Tables != nil {
		t.Error("not closed when nobody uses them any more")
	}
}

func openEmpty(t *testing.T) *storage.Tables {
	t.Helper()
	tables, err := storage.Open([]string{t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}
