package engine

import (
	"testing"

	"gogotb/rules"
	"gogotb/verify/mate"
)

// TestHuntAtItsEnd: a mate is not lost where the hunt has come to its end before anybody looks.
func TestHuntAtItsEnd(t *testing.T) {
	m, err := rules.ParseUSI("R*3b")
	if err != nil {
		t.Fatal(err)
	}
	found := mate.Result{Verdict: mate.MateIn, Plies: 1, Line: []rules.Move{m}}
	for range 100 {
		h := &hunt{proved: make(chan struct{}), done: make(chan struct{}), some: found, best: found}
		close(h.proved)
		close(h.done)
		told := 0
		if a, ok := h.answer(&thought{Engine: &Engine{}}, func(Info) { told++ }); !ok || a.Move != m || told != 1 {
			t.Fatalf("%+v, %v, told %d times", a, ok, told)
		}
	}
}
