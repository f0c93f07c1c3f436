package codec

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var blocks []block
	for _, n := range []int{1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 1000, 4095, 4096} {
		for _, noise := range []int{1, 20, 100} {
			blocks = append(blocks, randomBlock(r, n, noise, n%2 == 0))
		}
	}
	blocks = append(blocks, randomBlock(r, MaxEntries, 3, true))
	for o := rules.Illegal; o <= rules.PerpetualLoss; o++ { // blocks of one value
		number := 0
		if o >= rules.PerpetualWin {
			number = 1
		}
		blocks = append(blocks, block{slices.Repeat([]rules.Value{rules.MakeValue(o, number)}, 100), Strides{20, 400}})
	}
	c := encode(t, blocks)
	d := NewDecoder()
	for k, b := range blocks {
		checkBlock(t, d, b, c, k)
	}
	// In another order a decoder must not remember what it decoded before.
	for _, k := range r.Perm(len(blocks)) {
		checkBlock(t, d, blocks[k], c, k)
	}
}

// TestBeginnings decodes blocks up to each of their entries.
func TestBeginnings(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	d := NewDecoder()
	for _, n := range []int{1, 8, 9, 100, 700} {
		b := randomBlock(r, n, 10, true)
		c := encode(t, []block{b})
		for want := range n + 1 {
			checkBeginning(t, d, b, c, 0, want)
			if want%50 == 0 {
				checkBlock(t, d, b, c, 0)
			}
		}
	}
}

// TestLargestNumbers has the distances that need each way of coding: near the median, far
// from it, and beyond the symbols.
func TestLargestNumbers(t *testing.T) {
	b := block{strides: Strides{8, 64}}
	for _, n := range []int{0, 15, 30, 31, 46, 62, 63, 64, 1000, rules.MaxNumber / 2, 0, rules.MaxNumber / 2, 17} {
		b.values = append(b.values, rules.MakeValue(rules.MateLoss, 2*n))
	}
	for _, n := range []int{1, 62, 63, 64, 100, rules.MaxNumber, 1, rules.MaxNumber} {
		b.values = append(b.values, rules.MakeValue(rules.PerpetualLoss, n))
	}
	c := encode(t, []block{b})
	checkBlock(t, NewDecoder(), b, c, 0)
}

// TestIllegal: what illegal positions are taken for costs no distances.
func TestIllegal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	b := randomBlock(r, 4096, 5, false)
	e := NewEncoder()
	for i := range b.values {
		if r.IntN(3) == 0 {
			b.values[i] = 0
		}
	}
	e.Outcomes(nil, b.values, b.strides)
	filled := 0
	for i, v := range b.values {
		if v.Outcome() == rules.Illegal && e.class[padding+i] == loss {
			filled++
		}
	}
	if filled > len(b.values)/20 { // only within groups that are losses otherwise
		t.Errorf("%d of %d entries are illegal and taken for losses", filled, len(b.values))
	}
	checkBlock(t, NewDecoder(), b, encode(t, []block{b}), 0)
}

// TestDeterminism: neither the encoder's history nor the memory it is given shows.
func TestDeterminism(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	blocks := []block{randomBlock(r, 4096, 5, false), randomBlock(r, 777, 30, true), randomBlock(r, 4096, 1, false)}
	c := encode(t, blocks)
	slices.Reverse(blocks)
	reversed := encode(t, blocks)
	memory := slices.Repeat([]Event{7}, 10)
	e := NewEncoder()
	for k, b := range blocks {
		if i := len(blocks) - 1 - k; !bytes.Equal(c.outcomes[i], reversed.outcomes[k]) || !bytes.Equal(c.distances[i], reversed.distances[k]) {
			t.Errorf("block %d has other bytes after other blocks", i)
		}
		if memory = e.Outcomes(memory, b.values, b.strides); !slices.Equal(memory, reversed.outcomeEvents[k]) {
			t.Errorf("block %d has other events in used memory", k)
		}
		if memory = e.Distances(memory, b.values, b.strides); !slices.Equal(memory, reversed.distanceEvents[k]) {
			t.Errorf("block %d has other distance events in used memory", k)
		}
	}
}

// TestFlippedBits: a block with a bit changed, a byte cut off or added is damaged.
func TestFlippedBits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	b := randomBlock(r, 500, 10, false)
	c := encode(t, []block{b})
	d := NewDecoder()
	var o Outcomes
	if err := d.Outcomes(&o, c.outcomes[0], testTag, len(b.values), b.strides, c.outcomeModel); err != nil {
		t.Fatal(err)
	}
	for _, table := range []struct {
		name   string
		bytes  []byte
		decode func([]byte) error
	}{
		{"outcomes", c.outcomes[0], func(in []byte) error {
			return d.Outcomes(new(Outcomes), in, testTag, len(b.values), b.strides, c.outcomeModel)
		}},
		{"distances", c.distances[0], func(in []byte) error {
			_, err := d.Distances(nil, in, testTag, &o, b.strides, c.distanceModel)
			return err
		}},
	} {
		if err := table.decode(table.bytes); err != nil {
			t.Fatal(err)
		}
		for i := range 8 * len(table.bytes) {
			in := slices.Clone(table.bytes)
			in[i/8] ^= 1 << (i % 8)
			if table.decode(in) == nil {
				t.Errorf("%s: bit %d of byte %d changed, and nothing noticed", table.name, i%8, i/8)
			}
		}
		for n := range table.bytes {
			if table.decode(table.bytes[:n]) == nil {
				t.Errorf("%s: cut to %d bytes, and nothing noticed", table.name, n)
			}
		}
		if table.decode(append(slices.Clone(table.bytes), 0)) == nil {
			t.Errorf("%s: a byte too many, and nothing noticed", table.name)
		}
	}
}

// TestWrongContext: a block decoded as if it were another one is damaged, too.
func TestWrongContext(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	a, b := randomBlock(r, 2000, 10, false), randomBlock(r, 2000, 10, false)
	a.strides, b.strides = Strides{20, 400}, Strides{21, 400}
	one, both := encode(t, []block{a}), encode(t, []block{a, b})
	d := NewDecoder()
	var o Outcomes
	for _, wrong := range []struct {
		what string
		err  error
	}{
		{"strides", d.Outcomes(&o, both.outcomes[0], testTag, 2000, b.strides, both.outcomeModel)},
		{"number of entries", d.Outcomes(&o, both.outcomes[0], testTag, 1900, a.strides, both.outcomeModel)},
		{"model", d.Outcomes(&o, both.outcomes[0], testTag, 2000, a.strides, one.outcomeModel)},
		{"impossible strides", d.Outcomes(&o, both.outcomes[0], testTag, 2000, Strides{0, MaxStride + 1}, both.outcomeModel)},
		{"impossible number of entries", d.Outcomes(&o, both.outcomes[0], testTag, MaxEntries+1, a.strides, both.outcomeModel)},
	} {
		if wrong.err == nil {
			t.Errorf("wrong %s, and nothing noticed", wrong.what)
		}
	}
	if err := d.Outcomes(&o, both.outcomes[1], testTag, 2000, b.strides, both.outcomeModel); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Distances(nil, both.distances[0], testTag, &o, a.strides, both.distanceModel); err == nil {
		t.Error("distances with the outcomes of another block, and nothing noticed")
	}
}

func TestNoAllocation(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	b := randomBlock(r, 4096, 10, false)
	c := encode(t, []block{b})
	d := NewDecoder()
	var o Outcomes
	var distances []uint16
	decode := func() {
		if err := d.Outcomes(&o, c.outcomes[0], testTag, len(b.values), b.strides, c.outcomeModel); err != nil {
			t.Fatal(err)
		}
		var err error
		if distances, err = d.Distances(distances, c.distances[0], testTag, &o, b.strides, c.distanceModel); err != nil {
			t.Fatal(err)
		}
	}
	decode()
	if n := testing.AllocsPerRun(20, decode); n != 0 {
		t.Errorf("decoding into used memory allocates %v times", n)
	}
}

func TestStridesOf(t *testing.T) {
	for _, m := range index.Sets(index.MaxPieces) {
		for i, s := range index.Slices(m) {
			if v := StridesOf(&s); !v.Valid() {
				t.Fatalf("slice %d of %s has strides %v", i, m, v)
			}
		}
	}
	own := func(k rules.Kind) index.SlicePiece { return index.SlicePiece{Kind: k, State: index.Own} }
	for _, c := range []struct {
		pieces []index.SlicePiece
		want   Strides
	}{
		// The last of three pieces has 21 free squares, the one before 22.
		{[]index.SlicePiece{own(rules.Rook), own(rules.Bishop), own(rules.Gold)}, Strides{21, 21 * 22}},
		{[]index.SlicePiece{own(rules.Gold), own(rules.Silver), own(rules.Pawn)}, Strides{21, 21 * 22}},
		// Two golds stand on 22 squares in 22*21/2 ways; the stride of the rook is too large.
		{[]index.SlicePiece{own(rules.Rook), own(rules.Gold), own(rules.Gold)}, Strides{22 * 21 / 2, 4 * 22 * 21 / 2}},
		// The gold has 21 squares; the stride of the rooks, which stand in 23*22/2 ways, is
		// too large.
		{[]index.SlicePiece{own(rules.Rook), own(rules.Rook), own(rules.Gold)}, Strides{21, 5 * 21}},
	} {
		if got := StridesOf(&index.Slice{Pieces: c.pieces}); got != c.want {
			t.Errorf("%v: strides %v, want %v", c.pieces, got, c.want)
		}
	}
}
