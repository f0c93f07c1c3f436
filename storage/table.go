package storage

import (
	"context"
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
	name    string     // of the file, for errors
	file    *handle    // in a folder
	far     SourceFile // or elsewhere
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
	t := &table{name: name, file: f, size: f.info.Size()}
	if err := t.open(context.Background(), m, kind); err != nil {
		f.close()
		return nil, err
	}
	return t, nil
}

// openTable opens a table in the folder. If that of an address is damaged, it is asked for once more.
func (f folder) openTable(ctx context.Context, files *handles, m index.Material, kind Kind) (*table, error) {
	name := FileName(m, kind)
	if f.source == nil {
		return openTable(files, f.file(name), m, kind)
	}
	x, err := index.New(m)
	if err != nil {
		return nil, err
	}
	for again := false; ; again = true {
		file, err := f.source.Open(ctx, name, tailSize(x))
		if err != nil {
			return nil, f.readError(ctx, name, err)
		}
		t := &table{name: f.file(name), far: file, size: file.Size()}
		if err = t.open(ctx, m, kind); err == nil {
			return t, nil
		}
		if again || !isDamage(err) {
			return nil, err
		}
		file.Discard(0, file.Size())
	}
}

// readError returns the error of reading a file of the folder, or that of the context which has ended it.
func (f folder) readError(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &ReadError{f.file(name), err}
}

func (t *table) open(ctx context.Context, m index.Material, kind Kind) (err error) {
	if t.far == nil || !t.openFromEnd(ctx, m, kind) {
		if err := t.openFromFront(ctx); err != nil {
			return err
		}
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
	if err := t.readDirectory(ctx); err != nil {
		return err
	}
	return t.readStatistics(ctx)
}

// openFromFront reads header and trailer.
func (t *table) openFromFront(ctx context.Context) (err error) {
	front := make([]byte, min(headerSize, t.size))
	if err := t.read(ctx, front, 0); err != nil {
		return err
	}
	if t.header, err = decodeHeader(front, t.name); err != nil {
		return err
	}
	t.trailer, err = t.readTrailer(ctx, front)
	return err
}

// readTrailer reads the end of the file, to which a header belongs.
func (t *table) readTrailer(ctx context.Context, front []byte) (trailer, error) {
	if t.size < headerSize+trailerSize {
		return trailer{}, &CorruptError{t.name, t.size, "the file is cut short"}
	}
	b := make([]byte, trailerSize)
	if err := t.read(ctx, b, t.size-trailerSize); err != nil {
		return trailer{}, err
	}
	return decodeTrailer(b, t.size, front, t.header.version, t.name)
}

// openFromEnd reads the trailer alone, if its checksum says that before it stands the header that a Writer makes: one
// place less to ask an address for.
func (t *table) openFromEnd(ctx context.Context, m index.Material, kind Kind) bool {
	x, err := index.New(m)
	if err != nil {
		return false
	}
	h := header{version: FormatVersion, kind: kind, material: m, shape: shape{blockShift, chapterShift}, entries: x.Size()}
	front, sum := h.encode()
	h.sum = sum
	t.header = h
	t.trailer, err = t.readTrailer(ctx, front)
	return err == nil
}

// tailSize is how much there is behind the chapters of a table that a Writer has made, and perhaps a little less or more,
// since nobody knows how long the statistics are. More than maxTail is not asked for at once.
func tailSize(x *index.Index) int64 {
	const statistics, maxTail = 16 << 10, 64 << 20
	h := header{shape: shape{blockShift, chapterShift}, entries: x.Size()}
	directory := uint64(len(x.Slices()))*strideEntry + h.blocks()*blockEntry + h.chapters()*modelEntry
	return int64(min(directory, maxTail)) + statistics + trailerSize
}

// read fills b from an offset of the file.
func (t *table) read(ctx context.Context, b []byte, offset int64) error {
	if t.far != nil {
		return t.readParts(ctx, Part{offset, b})
	}
	n, err := t.file.ReadAt(b, offset)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF:
		return &CorruptError{t.name, offset + int64(n), "the file is cut short"}
	}
	return &ReadError{t.name, err}
}

// readParts fills parts of a file that is not in a folder.
func (t *table) readParts(ctx context.Context, parts ...Part) error {
	for _, p := range parts {
		if p.end() > t.size {
			return &CorruptError{t.name, t.size, "the file is cut short"}
		}
	}
	if err := t.far.Read(ctx, parts...); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &ReadError{t.name, err}
	}
	return nil
}

// close closes the file if it is open here.
func (t *table) close() {
	if t.file != nil {
		t.file.close()
	}
}

func (t *table) readDirectory(ctx context.Context) error {
	slices, blocks, chapters := uint64(len(t.index.Slices())), t.header.blocks(), t.header.chapters()
	at := headerSize + int64(t.trailer.chaptersLen)
	if t.trailer.directoryLen != slices*strideEntry+blocks*blockEntry+chapters*modelEntry {
		return &CorruptError{t.name, at, fmt.Sprintf("a directory of %d bytes for %d blocks", t.trailer.directoryLen, blocks)}
	}
	b := make([]byte, t.trailer.directoryLen)
	if err := t.read(ctx, b, at); err != nil {
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

func (t *table) readStatistics(ctx context.Context) error {
	at := headerSize + int64(t.trailer.chaptersLen+t.trailer.directoryLen)
	b := make([]byte, t.trailer.statisticsLen)
	if err := t.read(ctx, b, at); err != nil {
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

// model returns the model of a block.
func (t *table) model(ctx context.Context, block uint64) (*codec.Model, error) {
	chapter := t.header.chapterOf(block)
	if m := t.models[chapter].parsed.Load(); m != nil {
		return m, nil
	}
	p := t.models[chapter].place
	b := make([]byte, p.length)
	if err := t.read(ctx, b, p.offset); err != nil {
		return nil, err
	}
	return t.parseModel(chapter, b)
}

// parseModel parses the model of a chapter, and keeps it.
func (t *table) parseModel(chapter uint64, b []byte) (*codec.Model, error) {
	if modelSum(b) != t.models[chapter].sum {
		return nil, t.corruptModel(chapter, "does not match its checksum")
	}
	kind := codec.OutcomeTable
	if t.header.kind == Distances {
		kind = codec.DistanceTable
	}
	m, err := codec.ParseModel(kind, b)
	if err != nil {
		return nil, t.corruptModel(chapter, "cannot be decoded")
	}
	t.models[chapter].parsed.Store(m)
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
