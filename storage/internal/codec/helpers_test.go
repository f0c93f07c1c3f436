package codec

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/rules"
)

// testTag is the tag of all blocks, unless it matters.
const testTag = 0x89abcdef

// block is a block of values and the strides it is coded with.
type block struct {
	values  []rules.Value
	strides Strides
}

// randomBlock makes n values that look a little like those of a table: each is that of an
// earlier neighbour most of the time. noise is how often it is not, of 100; far allows
// distances up to the largest.
func randomBlock(r *rand.Rand, n, noise int, far bool) block {
	b := block{
		values:  make([]rules.Value, n),
		strides: Strides{uint16(MinStride + r.IntN(30)), uint16(MinStride + r.IntN(MaxStride-MinStride+1))},
	}
	limit := 60
	if far {
		limit = 2047
	}
	for i := range b.values {
		from := i - []int{1, int(b.strides.L), int(b.strides.P), 4}[r.IntN(4)]
		if from >= 0 && r.IntN(100) >= noise {
			b.values[i] = b.values[from]
			continue
		}
		switch o := rules.Outcome(r.IntN(6)); o {
		case rules.MateLoss:
			b.values[i] = rules.MakeValue(o, 2*r.IntN(limit))
		case rules.MateWin:
			b.values[i] = rules.MakeValue(o, 2*r.IntN(limit)+1)
		case rules.PerpetualLoss, rules.PerpetualWin:
			b.values[i] = rules.MakeValue(o, 1+r.IntN(min(limit, 30)))
		default:
			b.values[i] = rules.MakeValue(o, 0)
		}
	}
	return b
}

// coded are blocks with the models made from them.
type coded struct {
	outcomes, distances           [][]byte
	outcomeModel, distanceModel   *Model
	outcomeEvents, distanceEvents [][]Event
}

// encode codes blocks together.
func encode(t testing.TB, blocks []block) coded {
	t.Helper()
	e := NewEncoder()
	var c coded
	outcomes, distances := NewCounts(OutcomeTable), NewCounts(DistanceTable)
	for _, b := range blocks {
		o := e.Outcomes(nil, b.values, b.strides)
		d := e.Distances(nil, b.values, b.strides)
		outcomes.Add(o)
		distances.Add(d)
		c.outcomeEvents, c.distanceEvents = append(c.outcomeEvents, o), append(c.distanceEvents, d)
	}
	om, dm := NewModel(outcomes), NewModel(distances)
	for i := range blocks {
		c.outcomes = append(c.outcomes, e.Code(nil, c.outcomeEvents[i], om, testTag))
		c.distances = append(c.distances, e.Code(nil, c.distanceEvents[i], dm, testTag))
	}
	c.outcomeModel, c.distanceModel = parse(t, OutcomeTable, om), parse(t, DistanceTable, dm)
	return c
}

// parse is a model as a reader gets it.
func parse(t testing.TB, table Table, m *Model) *Model {
	t.Helper()
	parsed, err := ParseModel(table, m.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// checkBlock decodes a block and compares everything that a table keeps of its values.
func checkBlock(t testing.TB, d *Decoder, b block, c coded, k int) {
	t.Helper()
	var o Outcomes
	if err := d.Outcomes(&o, c.outcomes[k], testTag, len(b.values), b.strides, c.outcomeModel); err != nil {
		t.Fatalf("outcomes of block %d: %v", k, err)
	}
	distances, err := d.Distances(nil, c.distances[k], testTag, &o, b.strides, c.distanceModel)
	if err != nil {
		t.Fatalf("distances of block %d: %v", k, err)
	}
	losses := 0
	for i, v := range b.values {
		if got := o.LossesBefore(i); got != losses {
			t.Fatalf("block %d: %d losses before entry %d, want %d", k, got, i, losses)
		}
		got := o.At(i)
		if got == rules.MateLoss || got == rules.PerpetualLoss {
			losses++
		}
		want := v.Outcome()
		if want == rules.Illegal {
			continue
		}
		if got != want {
			t.Fatalf("block %d: entry %d has outcome %d, want %d", k, i, got, want)
		}
		switch want {
		case rules.MateLoss:
			if got := int(distances[losses-1]); got != v.Number()/2 {
				t.Fatalf("block %d: entry %d is half of %d plies, want %v", k, i, got, v)
			}
		case rules.PerpetualLoss:
			if got := int(distances[losses-1]); got != v.Number() {
				t.Fatalf("block %d: entry %d has rank %d, want %v", k, i, got, v)
			}
		}
	}
	if losses != len(distances) {
		t.Fatalf("block %d: %d distances for %d losses", k, len(distances), losses)
	}
}

// checkBeginning decodes the beginning of a block and compares it with the whole.
func checkBeginning(t testing.TB, d *Decoder, b block, c coded, k, want int) {
	t.Helper()
	var whole, o Outcomes
	n := len(b.values)
	if err := d.Outcomes(&whole, c.outcomes[k], testTag, n, b.strides, c.outcomeModel); err != nil {
		t.Fatal(err)
	}
	distances, err := d.Distances(nil, c.distances[k], testTag, &whole, b.strides, c.distanceModel)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.FirstOutcomes(&o, c.outcomes[k], testTag, n, want, b.strides, c.outcomeModel); err != nil {
		t.Fatal(err)
	}
	if o.Size != n || o.Entries < want || o.Entries > min(n, want+groupSize-1) {
		t.Fatalf("%d of %d entries wanted, got %d of %d", want, n, o.Entries, o.Size)
	}
	for i := range o.Entries {
		if o.At(i) != whole.At(i) {
			t.Fatalf("%d of %d entries wanted: entry %d has outcome %d, want %d", want, n, i, o.At(i), whole.At(i))
		}
	}
	first, err := d.FirstDistances(nil, c.distances[k], testTag, &o, want, b.strides, c.distanceModel)
	if err != nil || !slices.Equal(first, distances[:whole.LossesBefore(want)]) {
		t.Fatalf("%d of %d entries wanted: %d distances, %v, want %d", want, n, len(first), err, whole.LossesBefore(want))
	}
}
