package main

import (
	"strconv"
	"strings"
	"testing"
)

// TestIndex: the numbers of placements all over a set lead there and back.
func TestIndex(t *testing.T) {
	legal := 0
	for n := 0; n < 21516; n += 500 {
		number := strconv.Itoa(n)
		r := gogotb(t, "index", "R", number)
		if r.status != exitDone || strings.Count(r.stdout, "\n") != 1 {
			t.Fatalf("index R %d: %+v", n, r)
		}
		sfen := strings.TrimSpace(r.stdout)
		if r.stderr != "" {
			if !strings.HasPrefix(r.stderr, "not a legal position: ") {
				t.Errorf("index R %d: standard error %q", n, r.stderr)
			}
			refuse(t, exitUsage, []string{"in check"}, "index", sfen)
			continue
		}
		legal++
		if got := succeed(t, "index", sfen); got != number+"\n" {
			t.Errorf("index %q: %q, want %d", sfen, got, n)
		}
		want := `{"material":"R","index":` + number + `,"sfen":"` + sfen + `","legal":true}` + "\n"
		if got := succeed(t, "index", "--json", "R", number); got != want {
			t.Errorf("index --json R %d:\n%swant\n%s", n, got, want)
		}
		if got := succeed(t, "index", "--json", sfen); got != want {
			t.Errorf("index --json %q:\n%swant\n%s", sfen, got, want)
		}
	}
	if legal < 10 {
		t.Errorf("%d of the placements are legal", legal)
	}
	// A position, its mirror image, and the two seen from the other side are one.
	for _, sfen := range []string{"4k/5/1B3/5/K4 b - 1", "k4/5/3B1/5/4K b - 1", "4k/5/3b1/5/K4 w - 1", "k4/5/1b3/5/4K w - 1"} {
		if got, want := succeed(t, "index", sfen), succeed(t, "index", "4k/5/1B3/5/K4 b - 1"); got != want {
			t.Errorf("index %q: %s, want %s", sfen, got, want)
		}
	}
	if got := succeed(t, "index", "--json", "none", "0"); !strings.HasPrefix(got, `{"material":"none","index":0,`) {
		t.Errorf("index none 0: %s", got)
	}
}
