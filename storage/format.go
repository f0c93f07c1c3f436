package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"gogotb/index"
	"gogotb/rules"
)

// FormatVersion is the version of the file format that this package writes. It also reads
// those from OldestFormat on. In format 3 the checksums say where blocks and trailers belong;
// in format 2 blocks of equal length could change places without a trace, but for the
// checksum of the whole file.
const (
	FormatVersion = 3
	OldestFormat  = 2
)

// Kind tells the two tables of a material set apart.
type Kind uint8

const (
	// Outcomes is the table of win, loss and open, and of what is by perpetual check.
	Outcomes Kind = 1
	// Distances is the table of plies to mate and of ranks, of lost positions only.
	Distances Kind = 2
)

func (k Kind) String() string {
	if k == Distances {
		return "distances"
	}
	return "outcomes"
}

// Extension returns the end of the table's file name.
func (k Kind) Extension() string {
	if k == Distances {
		return ".gbd"
	}
	return ".gbo"
}

// FileName returns the name of a table's file in its folder, "GSP.gbo".
func FileName(m index.Material, k Kind) string { return m.String() + k.Extension() }

// A file is
//
//	header | chapters | directory | statistics | trailer
//
// written once from the front to the back: what is known only at the end stands there. A
// chapter is a model and the blocks that were encoded with it. FORMAT.md describes every
// byte. All numbers are little endian.
const (
	headerSize  = 40
	trailerSize = 64

	// A Writer makes blocks of 1<<blockShift entries and chapters of 1<<chapterShift blocks.
	// In small blocks a probe is quick, in large ones entries have more neighbours; small
	// chapters have models that fit better, but more of them. NOTES.md has the curves.
	blockShift   = 12
	chapterShift = 12

	maxBlockShift   = 13 // a packed block is shorter than 64 KiB then
	maxChapterShift = 20

	// In the directory a slice has its strides, 4 bytes, a model its length and its
	// checksum, 4 bytes each, and a block its length, 2 bytes. The checksum of a block is
	// its first four bytes.
	strideEntry = 4
	modelEntry  = 8
	blockEntry  = 2
)

// modelSum returns the checksum of a model: the lower half of xxHash64.
func modelSum(b []byte) uint32 { return uint32(xxhash.Sum64(b)) }

// magic begins every table. Its first byte and its line ends reveal a transfer as text.
var magic = []byte("\x89GGTB\r\n\x1a")

// blockTag returns what a block's checksum says of it in format 3 beside its bytes. No two blocks of
// a chapter have the same.
func blockTag(headerSum uint64, modelSum uint32, block uint64) uint32 {
	return uint32(headerSum) + modelSum + uint32(block)
}

// header is the front of a file: all that is known before the first value.
type header struct {
	version  int    // of the format; that of a header to be written is FormatVersion
	sum      uint64 // its checksum, which stands for all of it; of one that was read
	kind     Kind
	material index.Material
	shape
	entries uint64 // size of the perfect index
}

// shape is how a table is divided.
type shape struct {
	blockShift   uint8 // a block holds 1<<blockShift entries, the last one the rest
	chapterShift uint8 // a chapter holds 1<<chapterShift blocks, the last one the rest
}

// chapterEntries returns the number of entries of a chapter.
func (s shape) chapterEntries() uint64 { return 1 << (s.blockShift + s.chapterShift) }

// chapterOf returns the chapter of a block.
func (s shape) chapterOf(block uint64) uint64 { return block >> s.chapterShift }

// opensChapter tells whether the block is the first one of its chapter.
func (s shape) opensChapter(block uint64) bool { return block&(1<<s.chapterShift-1) == 0 }

// encode writes the header, and returns its checksum beside it.
func (h *header) encode() (b []byte, sum uint64) {
	b = make([]byte, 0, headerSize)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint16(b, FormatVersion)
	b = binary.LittleEndian.AppendUint16(b, rules.Version)
	b = append(b, byte(h.kind), h.blockShift, h.chapterShift)
	b = append(b, h.material[:]...)
	b = append(b, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, h.entries)
	sum = xxhash.Sum64(b)
	return binary.LittleEndian.AppendUint64(b, sum), sum
}

// decodeHeader reads the front of the named file. Foreign files and other versions have
// errors of their own, so they are told from the first twelve bytes, which no version
// of the format may change.
func decodeHeader(b []byte, file string) (header, error) {
	var h header
	if len(b) < len(magic) || !bytes.Equal(b[:len(magic)], magic) {
		return h, &NotATableError{file}
	}
	if len(b) < headerSize {
		return h, &CorruptError{file, int64(len(b)), "the file ends within its header"}
	}
	h.version = int(binary.LittleEndian.Uint16(b[8:]))
	if h.version < OldestFormat || h.version > FormatVersion {
		return h, &VersionError{file, "format", h.version, OldestFormat, FormatVersion}
	}
	if v := int(binary.LittleEndian.Uint16(b[10:])); v != rules.Version {
		return h, &VersionError{file, "rules", v, rules.Version, rules.Version}
	}
	if h.sum = binary.LittleEndian.Uint64(b[32:]); h.sum != xxhash.Sum64(b[:32]) {
		return h, &CorruptError{file, 0, "the header does not match its checksum"}
	}
	h.kind = Kind(b[12])
	h.blockShift, h.chapterShift = b[13], b[14]
	copy(h.material[:], b[15:20])
	h.entries = binary.LittleEndian.Uint64(b[24:])
	if h.kind != Outcomes && h.kind != Distances {
		return h, &CorruptError{file, 12, fmt.Sprintf("unknown kind of table %d", h.kind)}
	}
	if h.blockShift > maxBlockShift {
		return h, &CorruptError{file, 13, fmt.Sprintf("impossible block size 2^%d", h.blockShift)}
	}
	if h.chapterShift > maxChapterShift {
		return h, &CorruptError{file, 14, fmt.Sprintf("impossible chapter size 2^%d", h.chapterShift)}
	}
	if h.entries == 0 {
		return h, &CorruptError{file, 24, "a table without entries"}
	}
	return h, nil
}

// blocks returns the number of blocks; there is at least one entry.
func (h *header) blocks() uint64 { return (h.entries-1)>>h.blockShift + 1 }

// chapters returns the number of chapters.
func (h *header) chapters() uint64 { return h.chapterOf(h.blocks()-1) + 1 }

// blockEntries returns the number of entries of a block.
func (h *header) blockEntries(block uint64) int {
	return int(min(1<<h.blockShift, h.entries-block<<h.blockShift))
}

// trailer is the end of a file: where its parts are, and their checksums.
type trailer struct {
	chaptersLen   uint64 // bytes
	directoryLen  uint64
	statisticsLen uint64
	directorySum  uint64 // xxHash64
	statisticsSum uint64
	outcomesSum   uint64 // in a table of distances the fileSum of the outcomes that it belongs to; else 0
	fileSum       uint64 // of every byte before the trailer
}

// fields returns the numbers of the trailer in their order in the file.
func (t *trailer) fields() [7]*uint64 {
	return [...]*uint64{
		&t.chaptersLen, &t.directoryLen, &t.statisticsLen,
		&t.directorySum, &t.statisticsSum, &t.outcomesSum, &t.fileSum,
	}
}

func (t *trailer) encode(header []byte) []byte {
	b := make([]byte, 0, trailerSize)
	for _, v := range t.fields() {
		b = binary.LittleEndian.AppendUint64(b, *v)
	}
	return binary.LittleEndian.AppendUint64(b, trailerSum(header, b))
}

// trailerSum returns the checksum of a trailer. Since format 3 it covers the header, too, so that
// the front of a file and its end are known to belong together.
func trailerSum(header, fields []byte) uint64 {
	sum := xxhash.New()
	sum.Write(header)
	sum.Write(fields)
	return sum.Sum64()
}

// decodeTrailer reads the end of a file of the given size, of which the header has been read,
// and checks that its parts fill the file exactly.
func decodeTrailer(b []byte, size int64, header []byte, version int, file string) (trailer, error) {
	var t trailer
	at := size - trailerSize
	if version < 3 {
		header = nil
	}
	if sum := trailerSize - 8; binary.LittleEndian.Uint64(b[sum:]) != trailerSum(header, b[:sum]) {
		return t, &CorruptError{file, at, "the trailer does not match its checksum or the header, or the file is cut short"}
	}
	for i, v := range t.fields() {
		*v = binary.LittleEndian.Uint64(b[8*i:])
	}
	left := uint64(at) - headerSize
	for _, length := range [...]uint64{t.chaptersLen, t.directoryLen, t.statisticsLen} {
		if length > left {
			return t, &CorruptError{file, at, "the parts do not fill the file"}
		}
		left -= length
	}
	if left != 0 {
		return t, &CorruptError{file, at, "the parts do not fill the file"}
	}
	return t, nil
}
