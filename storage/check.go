package storage

import (
	"io"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
)

// CheckFile reads every byte of a table file and checks every checksum: those of header,
// trailer, directory, statistics models and blocks, and that of the whole. The error is that of
// the first flaw.
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
	sum := xxhash.New()
	sum.Write(t.header.encode())
	var buf []byte
	for block := range t.header.blocks() {
		if t.header.opensChapter(block) {
			model, err := t.packedModel(t.header.chapterOf(block))
			if err != nil {
				return err
			}
			sum.Write(model)
		}
		if buf, err = t.packedBlock(block, buf); err != nil {
			return err
		}
		sum.Write(buf)
	}
	at := headerSize + int64(t.trailer.chaptersLen)
	if _, err := io.Copy(sum, io.NewSectionReader(t.file, at, t.size-trailerSize-at)); err != nil {
		return &ReadError{name, err}
	}
	if sum.Sum64() != t.trailer.fileSum {
		return &CorruptError{name, 0, "the file does not match its checksum"}
	}
	return nil
}
