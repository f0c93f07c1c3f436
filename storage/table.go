package storage

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"gogotb/index"
)

// table is an open table file. It may be read by many goroutines at once.
type table struct {
	name    string // of the file, for errors
	file    *os.File
	size    int64
	header  header
	trailer trailer
	offsets []uint64 // of the blocks in the file, and of their end
	sums    []uint64 // of the blocks
	stats   index.Stats
	number  uint32 // tells the tables of a cache apart
}

// openTable opens a file and checks everything in it but the blocks.
func openTable(name string, m index.Material, kind Kind) (*table, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &ReadError{name, err}
	}
	t := &table{name: name, file: f}
	if err := t.open(m, kind); err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

func (t *table) open(m index.Material, kind Kind) (err error) {
	if t.size, err = fileSize(t.file); err != nil {
		return &ReadError{t.name, err}
	}
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
	if t.trailer, err = readTrailer(t.file, t.size, t.name); err != nil {
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
	blocks := t.header.blocks()
	at := headerSize + int64(t.trailer.blocksLen)
	if t.trailer.directoryLen != blocks*directoryEntry {
		return &CorruptError{t.name, at, fmt.Sprintf("a directory of %d bytes for %d blocks", t.trailer.directoryLen, blocks)}
	}
	b := make([]byte, t.trailer.directoryLen)
	if err := t.read(b, at); err != nil {
		return err
	}
	if xxhash.Sum64(b) != t.trailer.directorySum {
		return &CorruptError{t.name, at, "the directory does not match its checksum"}
	}
	t.offsets, t.sums = make([]uint64, blocks+1), make([]uint64, blocks)
	offset := uint64(headerSize)
	for i := range t.sums {
		t.offsets[i] = offset
		offset += uint64(binary.LittleEndian.Uint32(b[directoryEntry*i:]))
		t.sums[i] = binary.LittleEndian.Uint64(b[directoryEntry*i+4:])
	}
	t.offsets[blocks] = offset
	if offset != uint64(at) {
		return &CorruptError{t.name, at, "the blocks of the directory do not fill their part of the file"}
	}
	return nil
}

func (t *table) readStatistics() error {
	at := headerSize + int64(t.trailer.blocksLen+t.trailer.directoryLen)
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

// packed reads a block as it is in the file.
func (t *table) packed(block uint64, buf []byte) ([]byte, error) {
	n := int(t.offsets[block+1] - t.offsets[block])
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if err := t.read(buf, int64(t.offsets[block])); err != nil {
		return buf, err
	}
	if xxhash.Sum64(buf) != t.sums[block] {
		return buf, t.corruptBlock(block, "does not match its checksum")
	}
	return buf, nil
}

// block reads a block and unpacks it.
func (t *table) block(block uint64, d *zstd.Decoder, buf []byte) (unpacked, scratch []byte, err error) {
	buf, err = t.packed(block, buf)
	if err != nil || len(buf) == 0 {
		return nil, buf, err
	}
	unpacked, err = d.DecodeAll(buf, nil)
	if err != nil {
		return nil, buf, t.corruptBlock(block, "cannot be unpacked: "+err.Error())
	}
	return unpacked, buf, nil
}

func (t *table) corruptBlock(block uint64, what string) error {
	return &CorruptError{t.name, int64(t.offsets[block]), fmt.Sprintf("block %d %s", block, what)}
}

// newDecoder unpacks blocks; it may be used by many goroutines at once.
func newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(8<<maxShift))
}

// CheckFile reads every byte of a table file and checks all checksums. The error is that
// of the first flaw.
func CheckFile(name string) error {
	m, kind, ok := parseFileName(filepath.Base(name))
	if !ok {
		return &NotATableError{name}
	}
	t, err := openTable(name, m, kind)
	if err != nil {
		return err
	}
	defer t.file.Close()
	var buf []byte
	for block := range t.header.blocks() {
		if buf, err = t.packed(block, buf); err != nil {
			return err
		}
	}
	sum := xxhash.New()
	if _, err := io.Copy(sum, io.NewSectionReader(t.file, 0, t.size-trailerSize)); err != nil {
		return &ReadError{name, err}
	}
	if sum.Sum64() != t.trailer.fileSum {
		return &CorruptError{name, 0, "the file does not match its checksum"}
	}
	return nil
}
