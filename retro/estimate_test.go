package retro

import (
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/dustin/go-humanize"

	"gogotb/index"
)

// TestMemoryPlan: what fits stays in memory, what does not goes to the scratch file, and what does
// not fit even so is refused, with what it would take.
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

// TestMemoryErrorIsTrue: who gives as much memory as the refusal of a set of two or three pieces
// names, or as the estimate says, gets the set solved.
func TestMemoryErrorIsTrue(t *testing.T) {
	for _, m := range index.Sets(3) {
		for _, workers := range []int{1, 2, 64} {
			opt := Options{Workers: workers, Scratch: "."}
			read := func(text string) uint64 {
				bytes, err := humanize.ParseBytes(text)
				if err != nil {
					t.Fatal(err)
				}
				return bytes
			}
			check := func(bytes uint64, where string) Estimate {
				opt.Memory = bytes
				e, err := EstimateSolve(m, opt)
				if err != nil {
					t.Errorf("%s, %d workers: refused with the %d bytes that %s names: %v", m, workers, bytes, where, err)
				}
				return e
			}
			free, err := EstimateSolve(m, opt)
			if err != nil {
				t.Fatal(err)
			}
			check(read(humanize.IBytes(free.Memory)), "the estimate")
			opt.Memory = 1 << 20
			var low *MemoryError
			if _, err := EstimateSolve(m, opt); !errors.As(err, &low) {
				t.Fatalf("%s in a mebibyte: %v", m, err)
			}
			named := regexp.MustCompile(`[0-9.]+ [KMGT]iB`).FindAllString(low.Error(), -1)
			if len(named) < 2 || named[len(named)-1] != "1.0 MiB" {
				t.Fatalf("the message is %q", low)
			}
			if e := check(read(named[0]), "the refusal"); e.Scratch != 0 {
				t.Errorf("%s: a scratch file even with %s", m, named[0])
			}
			if len(named) == 3 {
				if e := check(read(named[1]), "the refusal"); e.Scratch == 0 {
					t.Errorf("%s: no scratch file with %s", m, named[1])
				}
			}
		}
	}
	for bytes, want := range map[uint64]string{1 << 20: "1.0 MiB", 264_241_153: "252 MiB", 26<<30 - 1: "25 GiB", 1<<30 - 1: "1023 MiB"} {
		if got := roundedDown(bytes); got != want {
			t.Errorf("%d bytes are %s rounded down, want %s", bytes, got, want)
		}
	}
	for bytes, want := range map[uint64]uint64{1 << 20: 1 << 20, 252 << 20: 252 << 20, 252<<20 + 1: 253 << 20, 25<<30 + 1: 26 << 30, 1<<30 - 1: 1 << 30} {
		if got := roundedUp(bytes); got != want {
			t.Errorf("%d bytes are %d rounded up, want %d", bytes, got, want)
		}
	}
}

// TestWorkersArePlanned: each worker takes memory, as long as there is work for it.
func TestWorkersArePlanned(t *testing.T) {
	memory := func(name string, workers int) uint64 {
		e, err := EstimateSolve(indexOf(t, name).Material(), Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return e.Memory
	}
	if one, many := memory("GPP", 1), memory("GPP", 101); many < one+200<<20 || many > one+400<<20 {
		t.Errorf("GPP: %d bytes with one worker, %d with 101", one, many)
	}
	if many, more := memory("none", 1), memory("none", 3000); more != many {
		t.Errorf("none, which has work for one: %d bytes with one worker, %d with 3000", many, more)
	}
}
