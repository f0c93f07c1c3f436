package retro

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// model connects parts through objects that never change, as a bucket does, and delivers as badly as
// is allowed: in any order, at once, late and twice. It can kill parts at any point of a step.
type model struct {
	plan *Plan
	kill func(number, step int, at moment) bool // nil: nobody dies

	mu      sync.Mutex
	changed *sync.Cond
	rng     *rand.Rand
	objects map[[2]int]*object // by step and part
	ended   [][]int            // by part: the steps that it has ended, in the order of time
	late    [][]Delta          // by part: what will be delivered once more
	steps   []*ending
	results [][]Delta // by part: what it has found and read
}

type object struct {
	step Step
	out  []Delta
}

// ending is what all parts together say at the end of a step.
type ending struct {
	parts int // that have ended it
	sums  Sums
	in    [][]Delta // by reader
}

// moment is a point of a step.
type moment int

const (
	beforePut moment = iota
	afterPut
	whileApplying
	afterApplying
	moments
)

var errKilled = errors.New("killed")

func newModel(plan *Plan, seed uint64) *model {
	m := &model{plan: plan, rng: rand.New(rand.NewPCG(seed, 7)), objects: map[[2]int]*object{}}
	m.changed = sync.NewCond(&m.mu)
	m.ended = make([][]int, plan.Parts())
	m.late, m.results = make([][]Delta, plan.Parts()), make([][]Delta, plan.Parts())
	return m
}

// modelPart is what one part sees of the model.
type modelPart struct {
	*model
	number int
}

func (p modelPart) dies(step int, at moment) bool { return p.kill != nil && p.kill(p.number, step, at) }

// put keeps an object, or compares it with the one that is there.
func (p modelPart) put(step Step, out []Delta) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended[p.number] = append(p.ended[p.number], step.Number)
	key := [2]int{step.Number, p.number}
	o := &object{step, out}
	if there := p.objects[key]; there == nil {
		p.objects[key] = o
		p.deliver(o)
	} else if !reflect.DeepEqual(there, o) {
		return fmt.Errorf("part %d ends step %d with another object than before: %+v, %d deltas; %+v, %d deltas",
			p.number, step.Number, there.step, len(there.out), step, len(out))
	}
	return nil
}

// deliver gives an object to those who read it.
func (p modelPart) deliver(o *object) {
	for len(p.steps) <= o.step.Number {
		p.steps = append(p.steps, &ending{in: make([][]Delta, p.plan.Parts())})
	}
	all := p.steps[o.step.Number]
	for _, d := range o.out {
		readers := p.plan.Readers(&d)
		for _, reader := range readers {
			all.in[reader] = append(all.in[reader], d)
		}
		if d.Kind.IsResult() {
			for _, i := range append(slices.Clone(readers), p.number) {
				p.results[i] = append(p.results[i], d)
			}
		}
	}
	all.sums.Add(o.step.Sums)
	if all.parts++; all.parts == p.plan.Parts() {
		p.changed.Broadcast()
	}
}

func (p modelPart) Swap(ctx context.Context, step Step, out []Delta, in func(Delta) error) (sums Sums, err error) {
	if p.dies(step.Number, beforePut) {
		return sums, errKilled
	}
	if err := p.put(step, out); err != nil {
		return sums, err
	}
	if p.dies(step.Number, afterPut) {
		return sums, errKilled
	}
	deltas, sums, err := p.gather(ctx, step.Number)
	if err != nil {
		return sums, err
	}
	die := p.dies(step.Number, whileApplying)
	if die {
		deltas = deltas[:len(deltas)/2]
	}
	half := len(deltas) / 2
	var group sync.WaitGroup
	var errs [2]error
	for i, deltas := range [][]Delta{deltas[:half], deltas[half:]} {
		group.Go(func() {
			for _, d := range deltas {
				errs[i] = errors.Join(errs[i], in(d))
			}
		})
	}
	group.Wait()
	if die || p.dies(step.Number, afterApplying) {
		return sums, errKilled
	}
	return sums, errors.Join(errs[:]...)
}

// gather waits until all have ended a step, and returns what the part reads.
func (p modelPart) gather(ctx context.Context, step int) (deltas []Delta, sums Sums, err error) {
	defer context.AfterFunc(ctx, func() {
		p.mu.Lock()
		p.changed.Broadcast()
		p.mu.Unlock()
	})()
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.steps[step]
	for all.parts < p.plan.Parts() {
		if ctx.Err() != nil {
			return nil, sums, ctx.Err()
		}
		p.changed.Wait()
	}
	once := all.in[p.number]
	deltas = append(slices.Clone(once), p.late[p.number]...)
	p.late[p.number] = nil
	for _, d := range once {
		switch p.rng.IntN(8) {
		case 0:
			deltas = append(deltas, d)
		case 1:
			p.late[p.number] = append(p.late[p.number], d)
		}
	}
	p.rng.Shuffle(len(deltas), func(i, j int) { deltas[i], deltas[j] = deltas[j], deltas[i] })
	return deltas, all.sums, nil
}

func (p modelPart) Restore(context.Context) (Mark, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	newest := Step{Number: -1}
	for _, o := range p.objects {
		if o.step.Number > newest.Number {
			newest = o.step
		}
	}
	return newest.Mark, nil
}

func (p modelPart) Replay(_ context.Context, before int, in func(Delta) error) error {
	p.mu.Lock()
	deltas := slices.Clone(p.results[p.number])
	p.rng.Shuffle(len(deltas), func(i, j int) { deltas[i], deltas[j] = deltas[j], deltas[i] })
	p.mu.Unlock()
	for _, d := range deltas {
		if d.Step >= before {
			continue
		}
		if err := in(d); err != nil {
			return err
		}
	}
	return nil
}

// solve runs all parts to their end, those that are killed again and again.
func (m *model) solve(t *testing.T) Totals {
	t.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	totals := make([]Totals, m.plan.Parts())
	var group sync.WaitGroup
	for i := range totals {
		group.Go(func() {
			err := errKilled
			for errors.Is(err, errKilled) {
				totals[i], err = m.solvePart(ctx, i)
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	if err := context.Cause(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range totals {
		if totals[i] != totals[0] {
			t.Fatalf("totals of part %d: %+v, of part 0: %+v", i, totals[i], totals[0])
		}
	}
	return totals[0]
}

// solvePart is SolvePart, where every other part has sparse sets.
func (m *model) solvePart(ctx context.Context, i int) (Totals, error) {
	s := newPartSolver(m.plan, i, modelPart{m, i}, nil, Options{Workers: 1})
	if i%2 == 1 {
		s.tuning.sparseFrom = 0
	}
	return s.solvePart(ctx)
}

// values makes the values of what the parts have left, slice by slice, in any order.
func (m *model) values(t *testing.T, totals Totals) ([]rules.Value, rules.Stats) {
	t.Helper()
	maker, err := NewSlices(m.plan.material, 2)
	if err != nil {
		t.Fatal(err)
	}
	x := indexOf(t, m.plan.material.String())
	var results []Delta
	for _, o := range m.objects {
		results = append(results, o.out...)
	}
	values, total := make([]rules.Value, x.Size()), newTally()
	for _, i := range m.rng.Perm(maker.Count()) {
		of, tally, err := maker.Values(t.Context(), i, results)
		if err != nil {
			t.Fatal(err)
		}
		copy(values[x.SliceStart(i):], of)
		text, err := tally.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var read Tally
		if err := read.UnmarshalBinary(text); err != nil {
			t.Fatal(err)
		}
		total.Merge(&read)
	}
	stats, _ := total.Stats(totals)
	return values, stats
}

// check solves the set of a model and compares it with the one that is solved whole.
func (m *model) check(t *testing.T) {
	t.Helper()
	values, stats := m.values(t, m.solve(t))
	same(t, m.plan.material.String(), values, stats)
}

// randomPlan gives every part one king pair, and the others to anybody.
func randomPlan(m index.Material, parts int, rng *rand.Rand) *Plan {
	owner := make([]int, len(kingPairs))
	for i := range owner {
		owner[i] = rng.IntN(parts)
	}
	for part, pair := range rng.Perm(len(owner))[:parts] {
		owner[pair] = part
	}
	return planOf(m, owner)
}

// partCounts are the numbers of parts that sets are solved in.
var partCounts = []int{1, 2, 3, 7, 15, MaxParts}

func solveInParts(t *testing.T, m index.Material, n int) {
	t.Run(fmt.Sprint(m, "/", n), func(t *testing.T) {
		seed := uint64(n)
		newModel(randomPlan(m, n, rand.New(rand.NewPCG(seed, 3))), seed).check(t)
	})
}

// TestParts solves every set of up to two pieces in parts, under random plans. Each number of parts has its turn with
// several sets; TestAllParts takes all of them with all.
func TestParts(t *testing.T) {
	for i, m := range index.Sets(2) {
		solveInParts(t, m, partCounts[i%5])
		if m.PieceCount() < 2 {
			solveInParts(t, m, MaxParts)
		}
	}
}

// TestTakeover kills parts at every moment of steps, some of them again and again. Who takes over restores what was
// found, and ends no step that was not the last one, or of the last ply or rank, a second time. What it ends twice is
// equal.
func TestTakeover(t *testing.T) {
	for _, c := range []struct {
		set    string
		parts  int
		rarely int // dies a part: after so many moments, at the next one of the kind whose turn it is
	}{{"R", 7, 80}, {"P", 3, 24}, {"BS", 2, 90}} {
		t.Run(c.set, func(t *testing.T) {
			m := newModel(randomPlan(indexOf(t, c.set).Material(), c.parts, rand.New(rand.NewPCG(5, 5))), 5)
			var mu sync.Mutex
			deaths := map[moment]int{}
			lived, died := 0, 0
			m.kill = func(number, step int, at moment) bool {
				mu.Lock()
				defer mu.Unlock()
				if lived++; lived < c.rarely || at != moment(died%int(moments)) {
					return false
				}
				deaths[at]++
				lived, died = 0, died+1
				return true
			}
			m.check(t)
			for at := range moments {
				if deaths[at] == 0 {
					t.Errorf("nobody has died at moment %d", at)
				}
			}
			ended, twice := 0, 0
			for i, steps := range m.ended {
				most := -1
				for at, step := range steps {
					if step <= most {
						twice++
					}
					// A step is ended a second time only by who begins again behind a mark.
					if at > 0 && step <= steps[at-1] && m.objects[[2]int{step, i}].step.Mark.Step != step {
						t.Errorf("part %d ended step %d after step %d, but step %d follows a mark", i, step, steps[at-1],
							m.objects[[2]int{step, i}].step.Mark.Step)
					}
					most = max(most, step)
				}
				ended += most + 1
			}
			t.Logf("%d steps, %d of them twice, %d deaths", ended, twice, died)
			if died == 0 || twice > died*8 {
				t.Errorf("%d deaths, %d of %d steps were ended a second time", died, twice, ended)
			}
		})
	}
}
