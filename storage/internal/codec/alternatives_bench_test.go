package codec

import (
	"flag"
	"math"
	"testing"

	"gogotb/retro/retrotest"
	"gogotb/rules"
)

// alternativesSet is the set that BenchmarkAlternatives codes.
var alternativesSet = flag.String("set", "RB", "material set of BenchmarkAlternatives")

// everyBlock is which blocks BenchmarkAlternatives looks at: one of so many.
const everyBlock = 16

// BenchmarkAlternatives reports what other ways to code the blocks of a set would come to, in bits for each distinct legal
// position without models, as ideal coders have them: NOTES.md of package storage has the figures.
//
//   - static: as it is, with a static model for each context.
//   - adaptive: the frequencies of a context change with each symbol of a block, and begin as the static ones.
//   - mixed: the predictions of two contexts, ours and what came of the last predictions near by, are mixed, symbol by symbol in
//     binary decisions, with weights that are learned (after M. Mahoney, "Adaptive weighing of context models for lossless data
//     compression", 2005).
//   - proved: wins that a capture of the side to move proves count as if nobody asked for them.
func BenchmarkAlternatives(b *testing.B) {
	s := retrotest.Solve(b, *alternativesSet)
	var sample []sampled
	strides, slices := []Strides{}, s.Index.Slices()
	for i := range slices {
		strides = append(strides, StridesOf(&slices[i]))
	}
	legal, k := 0, 0
	for first := 0; first < len(s.Values); first += everyBlock * 4096 {
		values := s.Values[first:min(first+4096, len(s.Values))]
		for s.Index.SliceStart(k+1) <= uint64(first+len(values)/2) {
			k++
		}
		for _, v := range values {
			if v != 0 {
				legal++
			}
		}
		sample = append(sample, sampled{block{values, strides[k]}, uint64(first)})
	}
	report := func(what string, bits float64) { b.ReportMetric(bits/float64(legal), what+"-bits") }
	for b.Loop() {
		outcomes, distances := sampleEvents(sample, nil)
		report("outcomes-binary", mixedOutcomeBits(sample, false))
		report("outcomes-mixed", mixedOutcomeBits(sample, true))
		report("outcomes-static", staticBits(OutcomeTable, outcomes))
		report("outcomes-adaptive", adaptiveBits(OutcomeTable, outcomes))
		report("distances-static", staticBits(DistanceTable, plainEvents(distances)))
		report("distances-adaptive", adaptiveBits(DistanceTable, plainEvents(distances)))
		report("distances-binary", mixedBits(distances, false))
		report("distances-mixed", mixedBits(distances, true))
		proved, _ := sampleEvents(sample, func(v rules.Value, i uint64) bool { return v.Outcome() == rules.MateWin && captureWins(b, s, i) })
		report("outcomes-proved", staticBits(OutcomeTable, proved))
	}
}

// sampled is a block and where it begins in the index.
type sampled struct {
	block
	first uint64
}

// distanceEvent is the event of a distance, and beside it the context of the second model: how far the last predictions
// near by were off.
type distanceEvent struct {
	event  Event
	second uint16
}

// sampleEvents returns the events of blocks. Values of which skip is true count as illegal.
func sampleEvents(sample []sampled, skip func(rules.Value, uint64) bool) (outcomes [][]Event, distances [][]distanceEvent) {
	e := NewEncoder()
	for _, s := range sample {
		values := s.values
		if skip != nil {
			values = append([]rules.Value{}, values...)
			for i, v := range values {
				if skip(v, s.first+uint64(i)) {
					values[i] = 0
				}
			}
		}
		outcomes = append(outcomes, e.Outcomes(nil, values, s.strides))
		if skip != nil {
			continue
		}
		var off entries // by how much predictions were wrong, in classes
		var list []distanceEvent
		last := 0
		place := lossPlaces(e, len(values), values, s.strides)
		for _, event := range e.Distances(nil, values, s.strides) {
			if event >= farEvents { // belongs to the one before
				list = append(list, distanceEvent{event, 0})
				continue
			}
			i := place[last]
			last++
			before := uint8(0)
			if last > 1 {
				before = off[place[last-2]]
			}
			list = append(list, distanceEvent{event, uint16(off[i-s.strides.P])*36 + uint16(off[i-s.strides.L])*6 + uint16(before)})
			off[i] = offClass(int(event)%distanceSymbols - reach)
		}
		distances = append(distances, list)
	}
	return outcomes, distances
}

// lossPlaces returns which entries Distances has events of.
func lossPlaces(e *Encoder, n int, values []rules.Value, s Strides) (places []uint16) {
	for i := range n {
		if e.class[padding+i] == loss {
			places = append(places, padding+uint16(i))
		}
	}
	return places
}

// offClass puts errors of predictions into classes: 0 for what is not known.
func offClass(off int) uint8 {
	switch {
	case off < -1:
		return 1
	case off > 1:
		return 5
	}
	return uint8(off + 3)
}

func plainEvents(list [][]distanceEvent) (plain [][]Event) {
	for _, block := range list {
		var events []Event
		for _, e := range block {
			events = append(events, e.event)
		}
		plain = append(plain, events)
	}
	return plain
}

// contextsOf returns, for every event, the first event of its context, and the number of symbols.
func contextsOf(t Table) (first, symbols []int) {
	first, symbols = make([]int, t.events()), make([]int, t.events())
	t.contexts(func(f, n int) {
		for i := f; i < f+n; i++ {
			first[i], symbols[i] = f, n
		}
	})
	return first, symbols
}

func countsOf(t Table, blocks [][]Event) *Counts {
	c := NewCounts(t)
	for _, events := range blocks {
		c.Add(events)
	}
	return c
}

// staticBits returns what the events take with the model that is made from them.
func staticBits(t Table, blocks [][]Event) (sum float64) {
	m := NewModel(countsOf(t, blocks))
	for _, events := range blocks {
		for _, e := range events {
			_, frequency := m.rangeOf(e)
			sum += scaleBits - math.Log2(float64(frequency))
		}
	}
	return sum
}

// adaptiveBits returns what they take if each symbol of a block makes itself more likely in its context, by the best of a few
// weights of the static model.
func adaptiveBits(t Table, blocks [][]Event) float64 {
	m := NewModel(countsOf(t, blocks))
	first, _ := contextsOf(t)
	best := math.Inf(1)
	for _, weight := range []float64{16, 32, 64, 128, 256, 1024} {
		sum := 0.0
		for _, events := range blocks {
			seen, total := map[Event]float64{}, map[int]float64{}
			for _, e := range events {
				_, frequency := m.rangeOf(e)
				if e >= rawEvents {
					sum += rawBits
					continue
				}
				p := (weight*float64(frequency)/scale + seen[e]) / (weight + total[first[e]])
				sum -= math.Log2(p)
				seen[e]++
				total[first[e]]++
			}
		}
		best = min(best, sum)
	}
	return best
}

// mixedBits returns what distances take if a symbol is told by binary decisions (is it the median? above it? one off? ...), each
// predicted by the static context alone or, mixed with it, by the second one.
func mixedBits(blocks [][]distanceEvent, mix bool) (bits float64) {
	type key struct{ context, decision int }
	ours, second := map[key]*[2]float64{}, map[key]*[2]float64{}
	each := func(f func(context, second, decision int, yes bool), start func()) {
		for _, block := range blocks {
			start()
			for _, e := range block {
				if e.event >= farEvents {
					continue
				}
				context, symbol := int(e.event)/distanceSymbols, int(e.event)%distanceSymbols
				binaryDecisions(symbol, func(decision int, yes bool) {
					f(context, int(e.second)+216*int(context*8/distanceContexts), decision, yes)
				})
			}
		}
	}
	count := func(m map[key]*[2]float64, k key, yes bool) {
		if m[k] == nil {
			m[k] = &[2]float64{0.4, 0.4}
		}
		m[k][truth(yes)]++
	}
	each(func(c, s, d int, yes bool) {
		count(ours, key{c, d}, yes)
		count(second, key{s, d}, yes)
	}, func() {})
	probability := func(n *[2]float64) float64 { return n[1] / (n[0] + n[1]) }
	weights := map[int]*[2]float64{}
	each(func(c, s, d int, yes bool) {
		p := probability(ours[key{c, d}])
		if mix {
			q := probability(second[key{s, d}])
			w := weights[min(d, 8)]
			if w == nil {
				w = &[2]float64{0.8, 0.4}
				weights[min(d, 8)] = w
			}
			x, y := stretch(p), stretch(q)
			p = squash(w[0]*x + w[1]*y)
			e := float64(truth(yes)) - p
			w[0] += 0.002 * e * x
			w[1] += 0.002 * e * y
		}
		if !yes {
			p = 1 - p
		}
		bits -= math.Log2(max(p, 1.0/scale))
	}, func() {})
	var far [][]Event
	for _, block := range plainEvents(blocks) {
		var events []Event
		for _, e := range block {
			if e >= farEvents {
				events = append(events, e)
			}
		}
		far = append(far, events)
	}
	return bits + staticBits(DistanceTable, far)
}

// mixedOutcomeBits returns what outcomes take if classes are told by two binary decisions (as the entry before? win?), each predicted by
// the static context alone or, mixed with it, by six neighbours that it does not look at.
func mixedOutcomeBits(sample []sampled, mix bool) (bits float64) {
	type decision struct {
		ours, second uint32
		yes          bool
	}
	var list []decision
	var rest [][]Event
	e := NewEncoder()
	for _, s := range sample {
		l, p := s.strides.L, s.strides.P
		i, c := uint16(padding), &e.class
		var others []Event
		for _, event := range e.Outcomes(nil, s.values, s.strides) {
			switch {
			case event >= anyEvents:
				others = append(others, event)
			case event >= groupEvents:
				others = append(others, event)
				if (event-groupEvents)%2 == 1 {
					i += groupSize
				}
			default:
				context, symbol := uint32(event)/3, uint8(event%3)
				second := uint32(0)
				for _, back := range []uint16{l - 1, p - 1, p - l, 2 * l, 2 * p, 2} {
					second = second*3 + uint32(c[i-back])
				}
				before := c[i-1]
				list = append(list, decision{context * 4, second*12 + uint32(before)*4, symbol == before})
				if symbol != before {
					list = append(list, decision{context*4 + 1, second*12 + uint32(before)*4 + 1, symbol == (before+1)%3})
				}
				i++
			}
		}
		rest = append(rest, others)
	}
	ours, second := map[uint32]*[2]float64{}, map[uint32]*[2]float64{}
	for _, d := range list {
		for _, c := range []struct {
			m   map[uint32]*[2]float64
			key uint32
		}{{ours, d.ours}, {second, d.second}} {
			if c.m[c.key] == nil {
				c.m[c.key] = &[2]float64{0.4, 0.4}
			}
			c.m[c.key][truth(d.yes)]++
		}
	}
	w := [2][2]float64{{0.8, 0.4}, {0.8, 0.4}}
	for _, d := range list {
		n := ours[d.ours]
		p := n[1] / (n[0] + n[1])
		if mix {
			n, w := second[d.second], &w[d.ours&1]
			x, y := stretch(p), stretch(n[1]/(n[0]+n[1]))
			p = squash(w[0]*x + w[1]*y)
			e := float64(truth(d.yes)) - p
			w[0] += 0.002 * e * x
			w[1] += 0.002 * e * y
		}
		if !d.yes {
			p = 1 - p
		}
		bits -= math.Log2(max(p, 1.0/scale))
	}
	return bits + staticBits(OutcomeTable, rest)
}

func truth(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func stretch(p float64) float64 { p = min(max(p, 1e-4), 1-1e-4); return math.Log(p / (1 - p)) }
func squash(x float64) float64  { return 1 / (1 + math.Exp(-x)) }

// binaryDecisions calls f with the decisions that tell a symbol.
func binaryDecisions(symbol int, f func(decision int, yes bool)) {
	off := symbol - reach
	f(0, symbol == reach)
	if symbol == reach {
		return
	}
	f(1, symbol == escape)
	if symbol == escape {
		return
	}
	f(2, off > 0)
	side := 16 * truth(off > 0)
	for n := 1; n < reach; n++ {
		f(3+side+n, max(off, -off) == n)
		if max(off, -off) == n {
			return
		}
	}
}

// captureWins tells whether a capture in position i of a set leads to a loss for the opponent.
func captureWins(b *testing.B, s *retrotest.Set, i uint64) bool {
	p, err := s.Index.Decode(i)
	if err != nil {
		b.Fatal(err)
	}
	var room [rules.MaxMoves]rules.Move
	for _, m := range p.Moves(room[:0]) {
		if m.IsDrop() || p.At(m.To()) == rules.NoPiece {
			continue
		}
		u := p.Make(m)
		v, ok := s.Value(&p)
		p.Unmake(u)
		if ok && v.Outcome() == rules.MateLoss {
			return true
		}
	}
	return false
}
