package storage

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage/internal/codec"
)

// table is an open table file. It may be read by many goroutines at once.
type table struct {
	name    string // of the file, for errors
	file    *handle
	size    int64
	index   *index.Index
	header  header
	trailer trailer
	stats   rules.Stats
	strides strides
	blocks  blockPlaces
	models  []model // of the chapters
	number  uint32  // tells the tables of a cache apart
}

// place is where a block or a model is in the file.
type place struct {
	offset int64
	length uint32
}

// blockPlaces are the places of all blocks. A set of four pieces has a million, so only the
// offsets of every few of them are kept; in between there are no models.
type blockPlaces struct {
	shift   uint8   // an offset for 1<<shift blocks
	offsets []int64 // of the first of these
	lengths []uint16
}

func (p *blockPlaces) of(block uint64) place {
	offset := p.offsets[block>>p.shift]
	for _, n := range p.lengths[block>>p.shift<<p.shift : block] {
		offset += int64(n)
	}
	return place{offset, uint32(p.lengths[block])}
}

// model is the model of a chapter, parsed when it is first needed.
type model struct {
	place  place
	sum    uint32
	parsed atomic.Pointer[codec.Model]
}

// openTable opens a file and checks everything in it but models and blocks.
func openTable(files *handles, name string, m index.Material, kind Kind) (*table, error) {
	f, err := files.openFile(name)
	if err != nil {
		return nil, &ReadError{name, err}
	}
	t := &table{name: name, file: f}
	if err := t.open(m, kind); err != nil {
		f.close()
		return nil, err
	}
	return t, nil
}

func (t *table) open(m index.Material, kind Kind) (err error) {
	t.size = t.file.info.Size()
	front := make([]byte, min(headerSize, t.size))
	if err := t.read(front, 0); err != nil {
		return err
	}
	if t.header, err = decodeHeader(front, t.name); err != nil {
		return err
	}
	if t.header.material != m || t.header.kind != kind {
		return &CorruptError{t.name, 12, fmt.Sprintf("this is the table of %s for %s under another name", t.header.kind, t.header.material)}
	}
	if t.index, err = index.New(m); err != nil {
		return &CorruptError{t.name, 15, err.Error()}
	}
	if t.header.entries != t.index.Size() {
		return &CorruptError{t.name, 24, fmt.Sprintf("%d entries, but the index of the set has %d", t.header.entries, t.index.Size())}
	}
	if t.trailer, err = readTrailer(t.file, t.size, front, t.header.version, t.name); err != nil {
		return err
	}
	if err := t.readDirectory(); err != nil {
		return err
	}
	return t.readStatistics()
}

// read fills b from an offset of the file.
func (t *table) read(b []byte, offset int64) error {
	n, err := t.file.ReadAt(b, offset)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF:
		return &CorruptError{t.name, offset + int64(n), "the file is cut short"}
	}
	return &ReadError{t.name, err}
}

func (t *table) readDirectory() error {
	slices, blocks, chapters := uint64(len(t.index.Slices())), t.header.blocks(), t.header.chapters()
	at := headerSize + int64(t.trailer.chaptersLen)
	if t.trailer.directoryLen != slices*strideEntry+blocks*blockEntry+chapters*modelEntry {
		return &CorruptError{t.name, at, fmt.Sprintf("a directory of %d bytes for %d blocks", t.trailer.directoryLen, blocks)}
	}
	b := make([]byte, t.trailer.directoryLen)
	if err := t.read(b, at); err != nil {
		return err
	}
	if xxhash.Sum64(b) != t.trailer.directorySum {
		return &CorruptError{t.name, at, "the directory does not match its checksum"}
	}
	var ok bool
	if t.strides, ok = decodeStrides(t.index, b); !ok {
		return &CorruptError{t.name, at, "impossible strides"}
	}
	b = b[slices*strideEntry:]
	t.blocks = blockPlaces{shift: min(6, t.header.chapterShift), lengths: make([]uint16, blocks)}
	t.models = make([]model, chapters)
	offset := int64(headerSize)
	for i := range t.blocks.lengths {
		if t.header.opensChapter(uint64(i)) {
			m := &t.models[t.header.chapterOf(uint64(i))]
			m.place = place{offset, binary.LittleEndian.Uint32(b)}
			m.sum = binary.LittleEndian.Uint32(b[4:])
			offset += int64(m.place.length)
			b = b[modelEntry:]
		}
		if i&(1<<t.blocks.shift-1) == 0 {
			t.blocks.offsets = append(t.blocks.offsets, offset)
		}
		t.blocks.lengths[i] = binary.LittleEndian.Uint16(b)
		offset += int64(t.blocks.lengths[i])
		b = b[blockEntry:]
	}
	if offset != at {
		return &CorruptError{t.name, at, "the models and blocks of the directory do not fill their part of the file"}
	}
	return nil
}

func (t *table) readStatistics() error {
	at := headerSize + int64(t.trailer.chaptersLen+t.trailer.directoryLen)
	b := make([]byte, t.trailer.statisticsLen)
	if err := t.read(b, at); err != nil {
		return err
	}
	if xxhash.Sum64(b) != t.trailer.statisticsSum {
		return &CorruptError{t.name, at, "the statistics do not match their checksum"}
	}
	stats, ok := decodeStatistics(b)
	if !ok {
		return &CorruptError{t.name, at, "the statistics are not well-formed"}
	}
	t.stats = stats
	return nil
}

// packed reads a block or a model as it is in the file, into buf if it has room.
func (t *table) packed(p place, buf []byte) ([]byte, error) {
	if cap(buf) < int(p.length) {
		buf = make([]byte, p.length)
	}
	buf = buf[:p.length]
	return buf, t.read(buf, p.offset)
}

// model returns the model of a block.
func (t *table) model(block uint64) (*codec.Model, error) {
	chapter := t.header.chapterOf(block)
	slot := &t.models[chapter].parsed
	if m := slot.Load(); m != nil {
		return m, nil
	}
	buf, err := t.packed(t.models[chapter].place, nil)
	if err != nil {
		return nil, err
	}
	if modelSum(buf) != t.models[chapter].sum {
		return nil, t.corruptModel(chapter, "does not match its checksum")
	}
	kind := codec.OutcomeTable
	if t.header.kind == Distances {
		kind = codec.DistanceTable
	}
	m, err := codec.ParseModel(kind, buf)
	if err != nil {
		return nil, t.corruptModel(chapter, "cannot be decoded")
	}
	slot.Store(m)
	return m, nil
}

// tag returns what a block's checksum says of it beside its bytes: the header, which tells the set
// and the kind of table, the model, and its number. Format 2 has nothing of that.
func (t *table) tag(block uint64) uint32 {
	if t.header.version < 3 {
		return 0
	}
	return blockTag(t.header.sum, t.models[t.header.chapterOf(block)].sum, block)
}

func (t *table) corruptBlock(block uint64, what string) error {
	return &CorruptError{t.name, t.blocks.of(block).offset, fmt.Sprintf("block %d %s", block, what)}
}

func (t *table) corruptModel(chapter uint64, what string) error {
	return &CorruptError{t.name, t.models[chapter].place.offset, fmt.Sprintf("model %d %s", chapter, what)}
}
