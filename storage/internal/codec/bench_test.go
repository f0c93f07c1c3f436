package codec

import (
	"math/rand/v2"
	"testing"

	"gogotb/rules"
)

// The blocks of these benchmarks are made up, but are about as hard to predict as those of
// three pieces: the last pieces stand on 21 and 22 squares; regions of wins and losses
// shift a little from row to row, distances grow across them, and some entries differ.

const benchBlocks = 64

func benchmarkBlocks(b *testing.B) ([]block, coded) {
	r := rand.New(rand.NewPCG(1, 1))
	blocks := make([]block, benchBlocks)
	for k := range blocks {
		blocks[k] = block{make([]rules.Value, 4096), Strides{21, 21 * 22}}
		for i := range blocks[k].values {
			x, y, z := i%21, i/21%22, i/(21*22)
			v := rules.MakeValue(rules.MateWin, 1)
			if lost := x/7 + y/5 + z + k; lost%3 == 0 != (r.IntN(25) == 0) {
				v = rules.MakeValue(rules.MateLoss, 2*(10+(x+2*y+3*z+k)/6+r.IntN(1+r.IntN(4))))
			}
			blocks[k].values[i] = v
		}
	}
	return blocks, encode(b, blocks)
}

func perEntry(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/entry")
}

func BenchmarkDecodeOutcomes(b *testing.B) {
	blocks, c := benchmarkBlocks(b)
	d := NewDecoder()
	var o Outcomes
	i := 0
	for b.Loop() {
		k := i % benchBlocks
		i++
		if err := d.Outcomes(&o, c.outcomes[k], testTag, 4096, blocks[k].strides, c.outcomeModel); err != nil {
			b.Fatal(err)
		}
	}
	perEntry(b)
}

func BenchmarkDecodeDistances(b *testing.B) {
	blocks, c := benchmarkBlocks(b)
	d := NewDecoder()
	outcomes := make([]Outcomes, benchBlocks)
	for k := range outcomes {
		if err := d.Outcomes(&outcomes[k], c.outcomes[k], testTag, 4096, blocks[k].strides, c.outcomeModel); err != nil {
			b.Fatal(err)
		}
	}
	var distances []uint16
	losses, i := 0, 0
	for b.Loop() {
		k := i % benchBlocks
		i++
		var err error
		if distances, err = d.Distances(distances, c.distances[k], testTag, &outcomes[k], blocks[k].strides, c.distanceModel); err != nil {
			b.Fatal(err)
		}
		losses += len(distances)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(losses), "ns/loss")
}

func BenchmarkEncode(b *testing.B) {
	blocks, _ := benchmarkBlocks(b)
	e := NewEncoder()
	var outcomes, distances []Event
	var out []byte
	oc, dc := NewCounts(OutcomeTable), NewCounts(DistanceTable)
	for _, v := range blocks {
		oc.Add(e.Outcomes(nil, v.values, v.strides))
		dc.Add(e.Distances(nil, v.values, v.strides))
	}
	om, dm := NewModel(oc), NewModel(dc)
	i := 0
	for b.Loop() {
		v := blocks[i%benchBlocks]
		i++
		outcomes = e.Outcomes(outcomes, v.values, v.strides)
		distances = e.Distances(distances, v.values, v.strides)
		oc.Add(outcomes)
		dc.Add(distances)
		out = e.Code(out[:0], outcomes, om, testTag)
		out = e.Code(out[:0], distances, dm, testTag)
	}
	perEntry(b)
}

func BenchmarkParseModel(b *testing.B) {
	_, c := benchmarkBlocks(b)
	counts := NewCounts(DistanceTable)
	for _, e := range c.distanceEvents {
		counts.Add(e)
	}
	packed := NewModel(counts).Append(nil)
	for b.Loop() {
		if _, err := ParseModel(DistanceTable, packed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLossesBefore(b *testing.B) {
	blocks, c := benchmarkBlocks(b)
	var o Outcomes
	if err := NewDecoder().Outcomes(&o, c.outcomes[0], testTag, 4096, blocks[0].strides, c.outcomeModel); err != nil {
		b.Fatal(err)
	}
	i, sum := 0, 0
	for b.Loop() {
		sum += o.LossesBefore(i & 4095)
		i += 1237
	}
	_ = sum
}
