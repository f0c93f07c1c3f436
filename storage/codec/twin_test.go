package codec

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/rules"
)

// The hot parts beside slow and obvious ones.

func TestClassContext(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var c entries
	for i := range c {
		c[i] = uint8(r.IntN(3))
	}
	for range 3000 {
		l, p := 1+r.IntN(MaxStride), 1+r.IntN(MaxStride)
		i := padding + r.IntN(MaxEntries)
		want := uint(0)
		for _, back := range []int{1, l, p, 4, p + 1, 4 * l, p + l, l + 1} {
			want = want*3 + uint(c[i-back])
		}
		if got := classContext(&c, uint16(i), uint16(l), uint16(p)); got != want {
			t.Fatalf("strides %d, %d: context %d, want %d", l, p, got, want)
		}
	}
}

func TestDistanceContext(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	class := func(x int) int { // 0, 1, 2, 3, 4-5, 6-7, 8-11, 12-15, 16 and more
		for k, from := range []int{0, 1, 2, 3, 4, 6, 8, 12, 16} {
			if x < from {
				return k - 1
			}
		}
		return 8
	}
	var d distances
	for range 5000 {
		l, p := 1+r.IntN(MaxStride), 1+r.IntN(MaxStride)
		i, last := padding+r.IntN(MaxEntries), r.IntN(4096)
		var near []int
		for _, back := range []int{p, l, 1, 4, 4 * l, 4 * p} {
			d[i-back] = noDistance
		}
		for _, back := range []int{p, l, 1, 4, 4 * l, 4 * p} {
			if r.IntN(3) > 0 {
				d[i-back] = uint16(r.IntN([]int{3, 25, 4096}[r.IntN(3)]))
			}
		}
		for _, back := range []int{p, l, 1, 4, 4 * l, 4 * p} {
			if d[i-back] != noDistance && len(near) < 3 {
				near = append(near, int(d[i-back]))
			}
		}
		slices.Sort(near)
		var context, median int
		switch len(near) {
		case 0:
			context, median = class(last), last
		case 1:
			context, median = 9+class(near[0]), near[0]
		case 2:
			context, median = 18+9*class(near[0])+class(near[1]-near[0]), near[0]
		case 3:
			context, median = 99+81*class(near[1])+9*class(near[1]-near[0])+class(near[2]-near[1]), near[1]
		}
		c, m := distanceContext(&d, uint16(i), uint16(l), uint16(p), uint16(last))
		if c != context || int(m) != median {
			t.Fatalf("neighbours %v, last %d: context %d, median %d, want %d, %d", near, last, c, m, context, median)
		}
		for _, back := range []int{p, l, 1, 4, 4 * l, 4 * p} {
			d[i-back] = 0
		}
	}
	if distanceContexts != 99+9*81 {
		t.Errorf("%d contexts of distances", distanceContexts)
	}
}

func TestPacking(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var w workspace
	for i := range MaxEntries {
		w.class[padding+i], w.perpetual[padding+i] = uint8(r.IntN(3)), uint8(r.IntN(2))
	}
	var o Outcomes
	w.outcomes(&o, MaxEntries, true)
	losses := 0
	for i := range MaxEntries {
		want := [3][2]rules.Outcome{
			open: {rules.Open, rules.Open},
			win:  {rules.MateWin, rules.PerpetualWin},
			loss: {rules.MateLoss, rules.PerpetualLoss},
		}[w.class[padding+i]][w.perpetual[padding+i]]
		if got := o.At(i); got != want {
			t.Fatalf("entry %d: outcome %d, want %d", i, got, want)
		}
		if got := o.LossesBefore(i); got != losses {
			t.Fatalf("entry %d: %d losses before, want %d", i, got, losses)
		}
		if w.class[padding+i] == loss {
			losses++
		}
	}
}
