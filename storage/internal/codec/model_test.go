package codec

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomCounts counts events as unevenly as tables do.
func randomCounts(r *rand.Rand, table Table) *Counts {
	c := NewCounts(table)
	for e := range c.n {
		if r.IntN(3) > 0 {
			c.n[e] = uint32(r.Uint64() >> (33 + r.IntN(31)))
		}
	}
	return c
}

// TestModel: every symbol that was counted can be coded, the frequencies of a context add
// up, they are near the truth, and a reader gets the same ones.
func TestModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, table := range []Table{OutcomeTable, DistanceTable} {
		c := randomCounts(r, table)
		m := NewModel(c)
		table.contexts(func(first, symbols int) {
			sum, total := 0, uint64(0)
			for e := first; e < first+symbols; e++ {
				if int(m.ranges[e].start) != sum {
					t.Fatalf("event %d starts at %d, want %d", e, m.ranges[e].start, sum)
				}
				sum += int(m.ranges[e].frequency)
				total += uint64(c.n[e])
			}
			if sum != scale {
				t.Fatalf("the frequencies from event %d on add up to %d", first, sum)
			}
			for e := first; e < first+symbols; e++ {
				got, n := float64(m.ranges[e].frequency), uint64(c.n[e])
				if n == 0 {
					if total > 0 && got > 0 {
						t.Fatalf("event %d has the frequency %v but never occurs", e, got)
					}
					continue
				}
				if want := float64(n) / float64(total) * scale; got < 1 || got < want*2/3-1 || got > want*3/2+1 {
					t.Fatalf("event %d has the frequency %v, occurs %v of %d times", e, got, want, scale)
				}
			}
		})
		ranges := slices.Clone(m.ranges)
		parsed := parse(t, table, m)
		if again := NewModel(c).Append(nil); !slices.Equal(again, m.Append(nil)) {
			t.Error("the same counts make another model")
		}
		for e, want := range ranges {
			if got := parsed.decodedRange(Event(e)); got != want {
				t.Fatalf("event %d: a reader has %v, the writer %v", e, got, want)
			}
		}
	}
}

// decodedRange is what the decoder's tables say of an event.
func (m *Model) decodedRange(e Event) symbolRange {
	sized := func(start, next uint16) symbolRange { return symbolRange{start, next - start} }
	switch {
	case m.table == DistanceTable && e < farEvents:
		t, s := &m.decode.distances[e/distanceSymbols], uint32(e%distanceSymbols)
		if s == distanceSymbols-1 {
			return sized(t.start[s], scale)
		}
		return sized(t.start[s], t.start[s+1])
	case m.table == DistanceTable:
		t, s := &m.decode.far[(e-farEvents)/farSymbols], (e-farEvents)%farSymbols
		return sized(t[s], t[s+1])
	case e < groupEvents:
		v := m.decode.classes[e/3]
		starts := [4]uint16{0, uint16(v), uint16(v >> 16), scale}
		return sized(starts[e%3], starts[e%3+1])
	}
	starts := [3]uint16{0, m.decode.zeros[(e-groupEvents)/2], scale}
	return sized(starts[(e-groupEvents)%2], starts[(e-groupEvents)%2+1])
}

// TestSymbolSearch: the decoder finds the symbol of every slot.
func TestSymbolSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := NewModel(randomCounts(r, DistanceTable))
	for context := range 50 {
		ranges := m.ranges[context*distanceSymbols : (context+1)*distanceSymbols]
		var table distanceTable
		table.fill(ranges)
		for s, v := range ranges {
			for slot := v.start; slot < v.start+v.frequency; slot++ {
				got, start, next := table.find(uint32(slot))
				if int(got) != s || start != uint32(v.start) || next != uint32(v.start+v.frequency) {
					t.Fatalf("context %d: slot %d is symbol %d from %d to %d, want %d, %v", context, slot, got, start, next, s, v)
				}
			}
		}
	}
}

func TestCounts(t *testing.T) {
	a, b := NewCounts(DistanceTable), NewCounts(DistanceTable)
	a.Add([]Event{5, 5, 7, rawEvents + 3})
	b.Add([]Event{7, 0})
	a.Merge(b)
	for e, want := range map[Event]uint32{0: 1, 5: 2, 7: 2, 100: 0} {
		if a.n[e] != want {
			t.Errorf("event %d counted %d times, want %d", e, a.n[e], want)
		}
	}
}

func TestDamagedModel(t *testing.T) {
	m := NewModel(randomCounts(rand.New(rand.NewPCG(3, 3)), DistanceTable))
	b := m.Append(nil)
	if _, err := ParseModel(OutcomeTable, b); err == nil {
		t.Error("the model of another table, and nothing noticed")
	}
	if _, err := ParseModel(DistanceTable, b[:len(b)/2]); err == nil {
		t.Error("half a model, and nothing noticed")
	}
	tooMuch := make([]byte, DistanceTable.modelBytes())
	for i := range tooMuch {
		tooMuch[i] = 0x20
	}
	if _, err := ParseModel(DistanceTable, Compress(nil, tooMuch)); err == nil {
		t.Error("frequencies that add up to too much, and nothing noticed")
	}
}

// TestCodeTwo: two blocks at once come to the same bytes as one by one.
func TestCodeTwo(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	e := NewEncoder()
	for range 300 {
		var blocks [2][]Event
		counts := NewCounts(DistanceTable)
		for k := range blocks {
			for range rng.IntN(300) {
				event := Event(rng.IntN(1 + rng.IntN(distanceEvents)))
				if rng.IntN(9) == 0 {
					event = rawEvents + Event(rng.IntN(1<<rawBits))
				}
				blocks[k] = append(blocks[k], event)
			}
			counts.Add(blocks[k])
		}
		m := NewModel(counts)
		a, b := e.CodeTwo(blocks[0], blocks[1], m, 5, 6)
		if !bytes.Equal(a, e.Code(nil, blocks[0], m, 5)) || !bytes.Equal(b, e.Code(nil, blocks[1], m, 6)) {
			t.Fatalf("blocks of %d and %d events: other bytes than one by one", len(blocks[0]), len(blocks[1]))
		}
	}
}
