package retro

import (
	"bytes"
	"testing"

	"gogotb/rules"
)

// FuzzTally: bytes of any content are a tally, which is then written as it was read, or are refused.
func FuzzTally(f *testing.F) {
	t := newTally()
	t.once, t.twice = 3, 300
	t.add(rules.MakeValue(rules.MateWin, 1), 40)
	t.win.merge(longest{rules.MakeValue(rules.MateWin, 1), 1 << 40})
	text, err := t.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		var read, again Tally
		if read.UnmarshalBinary(text) != nil {
			return
		}
		written, err := read.MarshalBinary()
		if err != nil || again.UnmarshalBinary(written) != nil || again != read {
			t.Fatalf("%x is read as what is written as %x: %v", text, written, err)
		}
	})
}

// FuzzDelta: a delta of any content is refused, or has rows of its slice and king pair alone.
func FuzzDelta(f *testing.F) {
	l := newLayout(indexOf(f, "RB").Material(), 1)
	f.Add(uint8(Wins), uint16(rules.MakeValue(rules.MateWin, 1)), len(l.slices)-1, 7, []byte{0, 1, 0, 0, 0, 1, 0, 0, 0})
	f.Add(uint8(GoteRows), uint16(0), 0, 0, []byte{0, 1, 0, 0, 0, 1, 0, 0, 0})
	f.Add(uint8(Losses), uint16(9), -1, 258, bytes.Repeat([]byte{255}, 20))
	f.Fuzz(func(t *testing.T, kind uint8, value uint16, slice, pair int, rows []byte) {
		d := Delta{Kind: DeltaKind(kind % 4), Value: rules.Value(value), Slice: slice, Pair: pair, Rows: rows}
		c, err := l.chunkOf(&d)
		if err != nil {
			return
		}
		full := fullRow(l.slices[slice].n)
		for r := c.reader(); r.read(); {
			var found row
			addWordsGo(&found, r.at, r.words)
			if r.row >= l.slices[slice].rows || !full.covers(&found) {
				t.Fatalf("row %d: %x", r.row, found)
			}
		}
	})
}
