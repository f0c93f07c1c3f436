package cluster

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/klauspost/compress/zstd"

	"gogotb/retro"
	"gogotb/retro/cluster/bucket"
	"gogotb/rules"
)

// oneObject is a bucket that has one object.
type oneObject struct {
	bucket.Bucket
	body []byte
}

func (b oneObject) Get(_ context.Context, _ string, offset, n int64) ([]byte, error) {
	offset = min(offset, int64(len(b.body)))
	if n < 0 || n > int64(len(b.body))-offset {
		n = int64(len(b.body)) - offset
	}
	return b.body[offset : offset+n], nil
}

var testDeltas = []retro.Delta{
	{Kind: retro.Wins, Value: rules.MakeValue(rules.MateWin, 7), Slice: 3, Pair: 200, Rows: []byte("wins")},
	{Kind: retro.SenteRows, Slice: 0, Pair: 1, Rows: []byte("rows")},
	{Kind: retro.Losses, Value: rules.MakeValue(rules.MateLoss, 6), Slice: 300, Pair: 0, Rows: make([]byte, 1<<18)},
	{Kind: retro.Wins, Value: rules.MakeValue(rules.MateWin, 7), Slice: 4, Pair: 200, Rows: []byte("more")},
}

// testReaders: part 1 reads king pair 200, and nobody the others.
func testReaders(d *retro.Delta) []int {
	if d.Pair == 200 {
		return []int{1}
	}
	return nil
}

// TestDeltaObject: what is packed is read again, the sections that are wanted and no others.
func TestDeltaObject(t *testing.T) {
	h := deltaHead{Set: "GP", Plan: "plan", Part: 2, Step: 5, Worker: "w", Mark: retro.Mark{Step: 4, Decided: 9}, Sums: retro.Sums{Found: 1}}
	body, _ := packDeltas(h, testReaders, testDeltas)
	o, err := (&store{Bucket: oneObject{body: body}}).openDeltas(t.Context(), "key")
	if err != nil {
		t.Fatal(err)
	}
	if o.Set != h.Set || o.Part != h.Part || o.Step != h.Step || o.Mark != h.Mark || o.Sums != h.Sums || len(o.Sections) != 3 {
		t.Errorf("the head is %+v", o.deltaHead)
	}
	for _, c := range []struct {
		wanted func(*section) bool
		want   []int // of testDeltas
	}{
		{func(*section) bool { return true }, []int{0, 3, 1, 2}},
		{func(s *section) bool { return len(s.Readers) > 0 }, []int{0, 3}},
		{func(s *section) bool { return s.Kind == lossesSection }, []int{2}},
	} {
		n := 0
		err := o.eachDelta(t.Context(), &store{Bucket: oneObject{body: body}}, c.wanted, func(d retro.Delta) error {
			want := testDeltas[c.want[n]]
			want.Step = h.Step
			if !reflect.DeepEqual(d, want) {
				t.Errorf("a delta of slice %d, pair %d, want slice %d, pair %d", d.Slice, d.Pair, want.Slice, want.Pair)
			}
			n++
			return nil
		})
		if err != nil || n != len(c.want) {
			t.Errorf("%d deltas, %v, want %d", n, err, len(c.want))
		}
	}
}

// TestDeltaFormat reads an object as FORMAT.md describes it, by nothing of this package.
func TestDeltaFormat(t *testing.T) {
	body, _ := packDeltas(deltaHead{Set: "GP", Step: 5}, testReaders, testDeltas[:2])
	if string(body[:16]) != "gogotb deltas 1\n" {
		t.Fatalf("it begins with %q", body[:16])
	}
	n := int(binary.LittleEndian.Uint32(body[16:]))
	var head struct {
		Set      string
		Step     int
		Sections []struct {
			Kind         string
			Readers      []int
			Packed, Size int
			Hash         string
		}
	}
	if err := json.Unmarshal(body[20:20+n], &head); err != nil || head.Set != "GP" || head.Step != 5 || len(head.Sections) != 2 {
		t.Fatalf("the head is %+v, %v", head, err)
	}
	if got, want := hex.EncodeToString(body[20+n:28+n]), hashOf(body[20:20+n]); got != want {
		t.Errorf("the head's hash is %s, want %s", got, want)
	}
	first := head.Sections[0]
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	text, err := decoder.DecodeAll(body[28+n:28+n+first.Packed], nil)
	if err != nil {
		t.Fatal(err)
	}
	// Kind 0, the value in two bytes, slice 3, pair 200 as a uvarint, four bytes of rows.
	value := uint16(testDeltas[0].Value)
	want := string([]byte{0, byte(value), byte(value >> 8), 3, 0xc8, 1, 4}) + "wins"
	if string(text) != want || first.Size != len(want) || first.Kind != "wins" || len(first.Readers) != 1 || first.Readers[0] != 1 || first.Hash != hashOf(text) {
		t.Errorf("the first section is %+v with %q, want %q", first, text, want)
	}
}

// TestDamagedDeltas changes each byte of an object in turn, and cuts it at each: whoever reads all of it is told, or reads
// the same as before, as a few bits of a zstd frame say nothing.
func TestDamagedDeltas(t *testing.T) {
	good, _ := packDeltas(deltaHead{Set: "GP"}, testReaders, testDeltas[:2])
	want, err := readDeltas(t, good)
	if err != nil || len(want) != 2 {
		t.Fatalf("%d deltas, %v", len(want), err)
	}
	told := 0
	for i := range good {
		body := append([]byte{}, good...)
		body[i] ^= 0x10
		got, err := readDeltas(t, body)
		switch damaged := (*DamagedError)(nil); {
		case errors.As(err, &damaged) && damaged.Key == "key":
			told++
		case err != nil || !reflect.DeepEqual(got, want):
			t.Errorf("byte %d is another one: %v", i, err)
		}
	}
	if told < len(good)*9/10 {
		t.Errorf("%d of %d changes were told of", told, len(good))
	}
	for n := range good {
		if _, err := readDeltas(t, good[:n]); err == nil {
			t.Errorf("with %d of %d bytes it is good", n, len(good))
		}
	}
}

func readDeltas(t testing.TB, body []byte) (all []retro.Delta, err error) {
	s := &store{Bucket: oneObject{body: body}}
	o, err := s.openDeltas(t.Context(), "key")
	if err == nil {
		err = o.eachDelta(t.Context(), s, func(*section) bool { return true }, func(d retro.Delta) error {
			all = append(all, d)
			return nil
		})
	}
	return all, err
}

// FuzzDeltas reads anything as an object of deltas, and as the text of a section.
func FuzzDeltas(f *testing.F) {
	good, _ := packDeltas(deltaHead{Set: "GP"}, testReaders, testDeltas[:2])
	f.Add(good)
	f.Add(appendDelta(nil, &testDeltas[0]))
	f.Add([]byte(deltaMagic + "\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, body []byte) {
		readDeltas(t, body)
		eachDelta(body, 0, func(retro.Delta) error { return nil })
	})
}
