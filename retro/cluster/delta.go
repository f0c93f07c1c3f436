package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"gogotb/retro"
	"gogotb/rules"
)

// An object of deltas is what a part has found in a step, or all its results of a slice. FORMAT.md describes it.

// deltaMagic begins an object of deltas.
const deltaMagic = "gogotb deltas 1\n"

// deltaHead is the head of an object of deltas.
type deltaHead struct {
	Set      string     `json:"set"`
	Plan     string     `json:"plan"`
	Part     int        `json:"part"`
	Step     int        `json:"step"`  // of objects of a step
	Slice    int        `json:"slice"` // of objects of results
	Worker   string     `json:"worker"`
	Mark     retro.Mark `json:"mark"`
	Sums     retro.Sums `json:"sums"`
	Sections []section  `json:"sections"`
}

// section says what one section has, and where it ends.
type section struct {
	Kind    string `json:"kind"`
	Readers []int  `json:"readers"` // parts that read it, its own but for results
	Packed  int64  `json:"packed"`  // bytes, in the object
	Size    int64  `json:"size"`    // bytes, unpacked
	Hash    string `json:"hash"`    // xxhash64 of these, in hexadecimal
}

// Kinds of sections.
const (
	winsSection   = "wins"
	lossesSection = "losses"
	rowsSection   = "rows"
)

func sectionKind(k retro.DeltaKind) string {
	switch k {
	case retro.Wins:
		return winsSection
	case retro.Losses:
		return lossesSection
	}
	return rowsSection
}

// equal tells whether two heads say that the same was found, whoever found it and however it was packed.
func (h *deltaHead) equal(other *deltaHead) bool {
	return h.Mark == other.Mark && h.Sums == other.Sums && slices.EqualFunc(h.Sections, other.Sections, func(a, b section) bool {
		return a.Kind == b.Kind && slices.Equal(a.Readers, b.Readers) && a.Size == b.Size && a.Hash == b.Hash
	})
}

// packer packs and unpacks sections.
var packer = sync.OnceValue(func() *codec {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are good
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(math.MaxInt32))
	if err != nil {
		panic(err) // the options are good
	}
	return &codec{encoder, decoder}
})

type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// packDeltas makes an object of deltas, with a section for each kind and group of readers.
func packDeltas(h deltaHead, readers func(*retro.Delta) []int, deltas []retro.Delta) ([]byte, *deltaHead) {
	var sections []section
	var texts [][]byte
	for i := range deltas {
		d := &deltas[i]
		kind, to := sectionKind(d.Kind), readers(d)
		at := slices.IndexFunc(sections, func(s section) bool { return s.Kind == kind && slices.Equal(s.Readers, to) })
		if at < 0 {
			at = len(sections)
			sections = append(sections, section{Kind: kind, Readers: append([]int{}, to...)})
			texts = append(texts, nil)
		}
		texts[at] = appendDelta(texts[at], d)
	}
	var body []byte
	for i, text := range texts {
		s := &sections[i]
		before := len(body)
		body = packer().encoder.EncodeAll(text, body)
		s.Packed, s.Size, s.Hash = int64(len(body)-before), int64(len(text)), hashOf(text)
	}
	h.Sections = sections
	head, err := json.Marshal(h)
	if err != nil {
		panic(err) // it has nothing that cannot be written
	}
	object := binary.LittleEndian.AppendUint32([]byte(deltaMagic), uint32(len(head)))
	object = append(append(object, head...), binaryHash(head)...)
	return append(object, body...), &h
}

// appendDelta writes a delta: its kind (a byte), value (two), slice and pair (uvarints), the number of bytes of its rows
// (uvarint), and these.
func appendDelta(b []byte, d *retro.Delta) []byte {
	b = append(b, byte(d.Kind))
	b = binary.LittleEndian.AppendUint16(b, uint16(d.Value))
	b = binary.AppendUvarint(b, uint64(d.Slice))
	b = binary.AppendUvarint(b, uint64(d.Pair))
	b = binary.AppendUvarint(b, uint64(len(d.Rows)))
	return append(b, d.Rows...)
}

// eachDelta calls f for each delta of the text of a section.
func eachDelta(text []byte, step int, f func(retro.Delta) error) error {
	for len(text) > 0 {
		if len(text) < 3 || text[0] > byte(retro.GoteRows) {
			return errBadDelta
		}
		d := retro.Delta{Step: step, Kind: retro.DeltaKind(text[0]), Value: rules.Value(binary.LittleEndian.Uint16(text[1:]))}
		text = text[3:]
		var numbers [3]int // slice, pair, bytes
		for i := range numbers {
			v, n := binary.Uvarint(text)
			if n <= 0 || v > math.MaxInt32 {
				return errBadDelta
			}
			numbers[i], text = int(v), text[n:]
		}
		if numbers[2] > len(text) {
			return errBadDelta
		}
		d.Slice, d.Pair, d.Rows = numbers[0], numbers[1], text[:numbers[2]]
		text = text[numbers[2]:]
		if err := f(d); err != nil {
			return err
		}
	}
	return nil
}

var errBadDelta = fmt.Errorf("there is something else among the deltas")

// deltaObject is an object of deltas whose head has been read.
type deltaObject struct {
	deltaHead
	key   string
	body  int64  // where its sections begin
	begin []byte // of the object, as far as it was read with the head
}

// readFirst is how much of an object is read at first: small ones as a whole.
const readFirst = 1 << 18

// openDeltas reads the head of an object of deltas.
func (s *store) openDeltas(ctx context.Context, key string) (*deltaObject, error) {
	begin, err := s.Get(ctx, key, 0, readFirst)
	if err != nil {
		return nil, err
	}
	o := &deltaObject{key: key, begin: begin}
	const before = len(deltaMagic) + 4
	if len(begin) < before || string(begin[:len(deltaMagic)]) != deltaMagic {
		return nil, &DamagedError{key, "it is something else"}
	}
	const hash, longest = 8, 1 << 26
	length := binary.LittleEndian.Uint32(begin[len(deltaMagic):])
	if length > longest {
		return nil, &DamagedError{key, "its head is none"}
	}
	end := before + int(length)
	if len(begin) < end+hash && len(begin) == readFirst {
		if o.begin, err = s.Get(ctx, key, 0, int64(end+hash)); err != nil {
			return nil, err
		}
		begin = o.begin
	}
	if len(begin) < end+hash || !bytes.Equal(binaryHash(begin[before:end]), begin[end:end+hash]) {
		return nil, &DamagedError{key, "its head has another hash than it should have"}
	}
	if err := json.Unmarshal(begin[before:end], &o.deltaHead); err != nil {
		return nil, &DamagedError{key, err.Error()}
	}
	for _, c := range o.Sections {
		if c.Packed < 0 || c.Size < 0 || c.Size > math.MaxInt32 {
			return nil, &DamagedError{key, "its head is none"}
		}
	}
	o.body = int64(end + hash)
	return o, nil
}

// eachDelta calls f for the deltas of the sections that are wanted.
func (o *deltaObject) eachDelta(ctx context.Context, s *store, wanted func(*section) bool, f func(retro.Delta) error) error {
	at := o.body
	for i := range o.Sections {
		c := &o.Sections[i]
		from := at
		at += c.Packed
		if !wanted(c) {
			continue
		}
		packed, err := o.read(ctx, s, from, c.Packed)
		if err != nil {
			return err
		}
		text, err := packer().decoder.DecodeAll(packed, make([]byte, 0, min(c.Size, 16*c.Packed)))
		if err != nil || int64(len(text)) != c.Size || hashOf(text) != c.Hash {
			return &DamagedError{o.key, fmt.Sprintf("section %d has other bytes than its head says", i)}
		}
		if err := eachDelta(text, o.Step, f); err == errBadDelta {
			return &DamagedError{o.key, err.Error()}
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (o *deltaObject) read(ctx context.Context, s *store, from, n int64) ([]byte, error) {
	if from+n <= int64(len(o.begin)) {
		return o.begin[from : from+n], nil
	}
	return s.Get(ctx, o.key, from, n)
}

// putDeltas puts an object of deltas. If it is there it has to say the same.
func (s *store) putDeltas(ctx context.Context, key string, h deltaHead, readers func(*retro.Delta) []int, deltas []retro.Delta) error {
	object, head := packDeltas(h, readers, deltas)
	return s.putSame(ctx, key, object, func() (string, bool, error) {
		there, err := s.openDeltas(ctx, key)
		if err != nil {
			return "", false, err
		}
		return there.Worker, there.equal(head), nil
	}, h.Worker)
}
