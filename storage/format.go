package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"gogotb/index"
)

// FormatVersion is the version of the file format that this package writes and reads.
const FormatVersion = 1

// RulesVersion is the version of the rules that the values follow. It changes whenever
// a change of the rules, or of their reading, changes a value.
const RulesVersion = 1

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

// Extension of the table's file name.
func (k Kind) Extension() string {
	if k == Distances {
		return ".gbd"
	}
	return ".gbo"
}

// FileName is the name of a table's file in its folder, "GSP.gbo".
func FileName(m index.Material, k Kind) string { return m.String() + k.Extension() }

// A file is
//
//	header | blocks | directory | statistics | trailer
//
// written once from the front to the back: what is known only at the end stands there.
// FORMAT.md describes every byte. All numbers are little endian.
const (
	headerSize  = 40
	trailerSize = 56
)

// magic begins every table. Its first byte and its line ends reveal a transfer as text.
var magic = []byte("\x89GGTB\r\n\x1a")

// header is the front of a file: all that is known before the first value.
type header struct {
	kind     Kind
	material index.Material
	shift    uint8  // a block holds 1<<shift entries, the last one the rest
	entries  uint64 // size of the perfect index
}

func (h *header) encode() []byte {
	b := make([]byte, 0, headerSize)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint16(b, FormatVersion)
	b = binary.LittleEndian.AppendUint16(b, RulesVersion)
	b = append(b, byte(h.kind), h.shift)
	b = append(b, h.material[:]...)
	b = append(b, 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, h.entries)
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
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
	if v := binary.LittleEndian.Uint16(b[8:]); v != FormatVersion {
		return h, &VersionError{file, "format", int(v), FormatVersion}
	}
	if v := binary.LittleEndian.Uint16(b[10:]); v != RulesVersion {
		return h, &VersionError{file, "rules", int(v), RulesVersion}
	}
	if binary.LittleEndian.Uint64(b[32:]) != xxhash.Sum64(b[:32]) {
		return h, &CorruptError{file, 0, "the header does not match its checksum"}
	}
	h.kind = Kind(b[12])
	h.shift = b[13]
	copy(h.material[:], b[14:19])
	h.entries = binary.LittleEndian.Uint64(b[24:])
	if h.kind != Outcomes && h.kind != Distances {
		return h, &CorruptError{file, 12, fmt.Sprintf("unknown kind of table %d", h.kind)}
	}
	if h.shift < minShift || h.shift > maxShift {
		return h, &CorruptError{file, 13, fmt.Sprintf("impossible block size 2^%d", h.shift)}
	}
	return h, nil
}

// blocks is the number of blocks.
func (h *header) blocks() uint64 { return (h.entries + 1<<h.shift - 1) >> h.shift }

// blockEntries is the number of entries of a block.
func (h *header) blockEntries(block uint64) int {
	return int(min(1<<h.shift, h.entries-block<<h.shift))
}

// trailer is the end of a file: where its parts are, and their checksums.
type trailer struct {
	blocksLen     uint64
	directoryLen  uint64
	statisticsLen uint64
	directorySum  uint64
	statisticsSum uint64
	fileSum       uint64 // of every byte before the trailer
}

func (t *trailer) encode() []byte {
	b := make([]byte, 0, trailerSize)
	for _, v := range [...]uint64{t.blocksLen, t.directoryLen, t.statisticsLen, t.directorySum, t.statisticsSum, t.fileSum} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// readTrailer reads the end of a file of the given size and checks that its parts fill
// the file exactly.
func readTrailer(r io.ReaderAt, size int64, file string) (trailer, error) {
	var t trailer
	if size < headerSize+trailerSize {
		return t, &CorruptError{file, size, "the file is cut short"}
	}
	at := size - trailerSize
	var b [trailerSize]byte
	if _, err := r.ReadAt(b[:], at); err != nil {
		return t, &ReadError{file, err}
	}
	if binary.LittleEndian.Uint64(b[48:]) != xxhash.Sum64(b[:48]) {
		return t, &CorruptError{file, at, "the trailer does not match its checksum, or the file is cut short"}
	}
	for i, v := range [...]*uint64{&t.blocksLen, &t.directoryLen, &t.statisticsLen, &t.directorySum, &t.statisticsSum, &t.fileSum} {
		*v = binary.LittleEndian.Uint64(b[8*i:])
	}
	left := uint64(at) - headerSize
	for _, length := range [...]uint64{t.blocksLen, t.directoryLen, t.statisticsLen} {
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
