package storage

import (
	"encoding/binary"
	"testing"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage/internal/codec"
)

// largeTables writes tables of RBSP, the largest set of four pieces, whose index goes beyond
// 32 bits. All positions are won but those of one block, whose values are given; all other
// blocks are the same, so that this takes no time.
func largeTables(t testing.TB, dir string, special uint64, values []rules.Value) {
	t.Helper()
	x, err := index.New(material(t, "RBSP"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := Create(dir, x, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	h := header{entries: x.Size(), shape: w.shape}
	won := make([]rules.Value, 1<<blockShift)
	for i := range won {
		won[i] = rules.MakeValue(rules.MateWin, 1)
	}
	blocks := [][]rules.Value{won, won[:h.blockEntries(h.blocks()-1)], values}
	e := codec.NewEncoder()
	strides := w.strides.of(special<<blockShift, len(values)) // those of a block of wins do not matter
	var events [2][][]codec.Event
	for _, b := range blocks {
		events[0] = append(events[0], e.Outcomes(nil, b, strides))
		events[1] = append(events[1], e.Distances(nil, b, strides))
	}
	for kind, table := range []codec.Table{codec.OutcomeTable, codec.DistanceTable} {
		counts := codec.NewCounts(table)
		var packed [][]byte
		for _, e := range events[kind] {
			counts.Add(e)
		}
		model := codec.NewModel(counts)
		for k := range blocks {
			packed = append(packed, e.Code(nil, events[kind][k], model, 0))
		}
		bytes := model.Append(nil)
		sum := modelSum(bytes)
		tagged := func(packed []byte, block uint64) []byte {
			check := binary.LittleEndian.Uint32(packed) + blockTag(w.files[kind].headerSum, sum, block)
			return append(binary.LittleEndian.AppendUint32(nil, check), packed[4:]...)
		}
		for chapter := range h.chapters() {
			var list [][]byte
			for b := chapter << chapterShift; b < min((chapter+1)<<chapterShift, h.blocks()); b++ {
				switch b {
				case special:
					list = append(list, tagged(packed[2], b))
				case h.blocks() - 1:
					list = append(list, tagged(packed[1], b))
				default:
					list = append(list, tagged(packed[0], b))
				}
			}
			if err := w.files[kind].writeChapter(bytes, sum, list); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.entries = x.Size()
	if err := w.Commit(rules.Stats{MaxWin: -1, MaxLoss: -1}); err != nil {
		t.Fatal(err)
	}
}

// TestBeyond32Bits probes positions whose index needs 33 bits.
func TestBeyond32Bits(t *testing.T) {
	const first = 1<<32 + 7<<blockShift
	values := make([]rules.Value, 1<<blockShift)
	for i := range values {
		switch o := rules.Outcome(1 + i/3*i/50%5); o {
		case rules.MateWin:
			values[i] = rules.MakeValue(o, 1)
		case rules.MateLoss:
			values[i] = rules.MakeValue(o, i/40*2)
		case rules.PerpetualWin, rules.PerpetualLoss:
			values[i] = rules.MakeValue(o, 1+i%5)
		default:
			values[i] = rules.MakeValue(o, 0)
		}
	}
	dir := t.TempDir()
	largeTables(t, dir, first>>blockShift, values)
	set := openSet(t, "RBSP", dir)
	seen := map[rules.Outcome]bool{}
	for i, want := range values {
		p, err := set.Index().Decode(first + uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		r, err := set.pair.Load().stored(&p, anywhere)
		if err != nil || r.Value != stripped(want, true) {
			t.Fatalf("index %d: got %v, %v, want %v", first+uint64(i), r.Value, err, want)
		}
		seen[r.Value.Outcome()] = true
	}
	if len(seen) != 5 {
		t.Errorf("only the outcomes %v", seen)
	}
	won := stripped(rules.MakeValue(rules.MateWin, 1), true)
	for _, n := range []uint64{0, first>>blockShift - 1, first>>blockShift + 1, set.BlockCount() - 1} {
		b, err := set.Block(n, nil)
		if err != nil || b.First != n<<blockShift || len(b.Values) == 0 {
			t.Fatalf("block %d: %d values from %d on, %v", n, len(b.Values), b.First, err)
		}
		for i, v := range b.Values {
			if v != won {
				t.Fatalf("index %d: got %v, want %v", b.First+uint64(i), v, won)
			}
		}
	}
}
