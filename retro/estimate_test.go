package retro

import (
	"errors"
	"testing"
	"time"
)

// TestMemoryPlan: what fits stays in memory, what does not goes to the scratch file, and what
// does not fit even so is refused, with what it would take.
func TestMemoryPlan(t *testing.T) {
	m := indexOf(t, "RBSP").Material()
	free, err := EstimateSolve(m, Options{Workers: 2})
	if err != nil || free.Scratch != 0 || free.Positions != 12_364_045_536 || free.Time < time.Minute {
		t.Fatalf("no limit: %+v, %v", free, err)
	}
	if same, err := EstimateSolve(m, Options{Workers: 2, Memory: free.Memory, Scratch: "."}); err != nil || same != free {
		t.Errorf("as much as it takes: %+v, %v", same, err)
	}
	limit := free.Memory - 1
	less, err := EstimateSolve(m, Options{Memory: limit, Scratch: "."})
	if err != nil || less.Memory != limit || less.Scratch == 0 {
		t.Errorf("a byte less: %+v, %v", less, err)
	}
	var low *MemoryError
	if _, err := EstimateSolve(m, Options{Memory: limit}); !errors.As(err, &low) || low.Whole != free.Memory {
		t.Fatalf("a byte less and no scratch file: %v", err)
	}
	if e, err := EstimateSolve(m, Options{Memory: low.Least, Scratch: "."}); err != nil || e.Memory != low.Least {
		t.Errorf("the least: %+v, %v", e, err)
	}
	if _, err := EstimateSolve(m, Options{Memory: low.Least - 1, Scratch: "."}); !errors.As(err, &low) {
		t.Errorf("a byte less than the least: %v", err)
	}
}
