package codec

import (
	"cmp"
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
		l, p := MinStride+r.IntN(MaxStride-MinStride+1), MinStride+r.IntN(MaxStride-MinStride+1)
		i := padding + r.IntN(MaxEntries)
		row, plane, rows, both := c.around(uint16(i), uint16(l), uint16(p))
		near, far := c.contexts(uint16(i), uint16(l), uint16(p), row, plane, rows, both)
		for k := range groupSize {
			want := uint64(0)
			for _, back := range []int{1, l, p, 4, p + 1, 4 * l, p + l, l + 1} {
				want = want*3 + uint64(c[i+k-back])
			}
			got := uint64(c[i+k-1])*beforeWeight + near>>(8*k)&0xff*nearWeight + uint64(c[i+k-4])*fourWeight + far>>(8*k)&0xff
			if got != want {
				t.Fatalf("strides %d, %d: entry %d has context %d, want %d", l, p, k, got, want)
			}
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
	var w workspace
	d := &w.distance
	lost := &w.lost
	width := func(x int) int { // 0, 1, 2-3, 4-7, 8-15, 16 and more
		for k, from := range []int{0, 1, 2, 4, 8, 16} {
			if x < from {
				return k - 1
			}
		}
		return 5
	}
	backs := func(l, p int) []int { return []int{p, l, 1, 4, 4 * l, 4 * p, l + 1} }
	for range 2000 {
		l, p := MinStride+r.IntN(MaxStride-MinStride+1), MinStride+r.IntN(MaxStride-MinStride+1)
		i, before := padding+r.IntN(MaxEntries), padding-1+r.IntN(100)
		d[before] = uint16(r.IntN(4096))
		if before < padding {
			d[before] = 0
		}
		last := int(d[before])
		for _, back := range backs(l, p) {
			lost[i-back] = uint8(r.IntN(3)+1) / 2 // two of three
			if i-back >= padding && i-back != before {
				d[i-back] = uint16(r.IntN([]int{3, 25, 4096}[r.IntN(3)]))
			}
		}
		var near []int
		for _, back := range backs(l, p)[:6] {
			if lost[i-back] == 1 && len(near) < 3 {
				near = append(near, int(d[i-back]))
			}
		}
		var context, median int
		slices.Sort(near)
		switch len(near) {
		case 0:
			median = last
			context = 36*class(last) + 6*width(last) + 7
		case 1:
			median = near[0]
			context = 36*class(median) + 6*width(median) + 6
		case 2:
			median = near[0]
			context = 36*class(median) + 6*width(median) + width(near[1]-median)
		case 3:
			median = near[1]
			context = 326 + 36*class(median) + 6*width(median-near[0]) + width(near[2]-median)
			if lost[i-1] == 1 && lost[i-l] == 1 && lost[i-l-1] == 1 {
				gradient := int(d[i-1]) + int(d[i-l]) - int(d[i-l-1])
				context += 324 * (2 + cmp.Compare(gradient, median))
			}
		}
		w.plans.set(Strides{uint16(l), uint16(p)})
		w.findNear(i-padding+1, Strides{uint16(l), uint16(p)})
		m, c := w.predict(uint16(i), uint16(l), uint32(last))
		if int(c) != context || int(m) != median {
			t.Fatalf("neighbours %v, last %d: context %d, median %d, want %d, %d", near, last, c, m, context, median)
		}
		for _, back := range backs(l, p) {
			lost[i-back] = 0
		}
	}
	if distanceContexts != 326+4*324 {
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

func TestClassesOf(t *testing.T) {
	class := [...]uint8{
		rules.Illegal: illegal, rules.Open: open,
		rules.MateWin: win, rules.MateLoss: loss,
		rules.PerpetualWin: win, rules.PerpetualLoss: loss,
	}
	r := rand.New(rand.NewPCG(4, 4))
	e := NewEncoder()
	for n := range 40 {
		for range 50 {
			values, any := make([]rules.Value, n), Event(0)
			outcomes := 4 + r.IntN(3) // without those by perpetual check, or with one or two
			for i := range values {
				o := rules.Outcome(r.IntN(outcomes))
				values[i] = rules.MakeValue(o, r.IntN(rules.MaxNumber+1))
				if o == rules.PerpetualWin || o == rules.PerpetualLoss {
					any = 1
				}
			}
			if got := e.classes(values); got != any {
				t.Fatalf("%v: by perpetual check: %d, want %d", values, got, any)
			}
			for i, v := range values {
				if got := e.class[padding+i]; got != class[v.Outcome()] {
					t.Fatalf("%v: entry %d has class %d, want %d", values, i, got, class[v.Outcome()])
				}
			}
		}
	}
}

// TestReciprocals divides what an encoder can have to divide: states below 1<<31. The
// quotient is most likely to be wrong just around a multiple.
func TestReciprocals(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for f := uint32(1); f <= scale; f++ {
		states := []uint32{0, 1, 1<<31 - 1, 1<<31/f*f - 1}
		for range 100 {
			multiple := r.Uint32N(1<<31) / f * f
			states = append(states, multiple, multiple+f-1)
		}
		for _, x := range states {
			if got := quotient(x, f); got != x/f {
				t.Fatalf("%d / %d: got %d, want %d", x, f, got, x/f)
			}
		}
	}
}
