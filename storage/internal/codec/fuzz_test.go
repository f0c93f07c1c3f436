package codec

import (
	"math/rand/v2"
	"testing"
)

// FuzzDecode feeds the decoders bytes that no encoder made, as they are and with the right
// checksum: they end, without one with an error, and stay usable.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	b := randomBlock(r, 600, 15, true)
	c := encode(f, []block{b})
	f.Add(c.outcomes[0], c.distances[0], uint16(600), b.strides.L, b.strides.P)
	f.Add(c.outcomes[0][checkBytes:], []byte{}, uint16(600), b.strides.L, b.strides.P)
	d := NewDecoder()
	f.Fuzz(func(t *testing.T, outcomes, distances []byte, n, l, p uint16) {
		var o Outcomes
		s := Strides{l, p}
		sealed := func(coded []byte) []byte { return append(appendCheck(nil, coded, testTag), coded...) }
		if d.Outcomes(&o, sealed(outcomes), testTag, int(n), s, c.outcomeModel) == nil {
			d.Distances(nil, sealed(distances), testTag, &o, s, c.distanceModel)
		}
		if d.Outcomes(&o, outcomes, testTag, int(n), s, c.outcomeModel) == nil {
			if losses, err := d.Distances(nil, distances, testTag, &o, s, c.distanceModel); err == nil && len(losses) != o.LossesBefore(o.Entries) {
				t.Fatalf("%d distances for %d losses", len(losses), o.LossesBefore(o.Entries))
			}
		}
		checkBlock(t, d, b, c, 0)
		if err := d.Outcomes(&o, c.outcomes[0], testTag, len(b.values), b.strides, c.outcomeModel); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Distances(nil, distances, testTag, &o, b.strides, c.distanceModel); err == nil && string(distances) != string(c.distances[0]) {
			t.Fatal("other bytes, and nothing noticed")
		}
	})
}

// FuzzModel makes models from arbitrary bytes, and decodes arbitrary bytes with what is
// taken for a model.
func FuzzModel(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 2))
	b := randomBlock(r, 300, 15, true)
	c := encode(f, []block{b})
	f.Add(false, []byte{0, 0x40}, c.outcomes[0])
	f.Add(true, []byte{1, 0, 0x10}, c.distances[0])
	d := NewDecoder()
	var good Outcomes
	if err := d.Outcomes(&good, c.outcomes[0], testTag, 300, b.strides, c.outcomeModel); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, distances bool, pattern, in []byte) {
		table := OutcomeTable
		if distances {
			table = DistanceTable
		}
		plain := make([]byte, table.modelBytes())
		for i := range plain {
			if len(pattern) > 0 {
				plain[i] = pattern[i%len(pattern)]
			}
		}
		m, err := parseModel(table, plain)
		if err != nil {
			return
		}
		if distances {
			d.Distances(nil, append(appendCheck(nil, in, testTag), in...), testTag, &good, b.strides, m)
		} else {
			d.Outcomes(new(Outcomes), append(appendCheck(nil, in, testTag), in...), testTag, 300, b.strides, m)
		}
		checkBlock(t, d, b, c, 0)
	})
}
