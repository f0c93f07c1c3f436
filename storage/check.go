package storage

import (
	"cmp"
	"context"
	"io"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"gogotb/storage/internal/codec"
)

// CheckFile reads every byte of a table file and checks every checksum: those of header,
// trailer, directory, statistics, models and blocks, and that of the whole. Blocks of
// distances can be decoded, and so be checked by themselves, only beside the outcomes that
// they belong to; where these are not in the same folder, or damaged, the checksum of the
// whole has to do. The error is that of the first flaw found, or of ctx.
func CheckFile(ctx context.Context, name string) error {
	m, kind, ok := parseFileName(filepath.Base(name))
	if !ok {
		return &NotATableError{name}
	}
	files := newHandles(openLimit())
	defer files.closeAll()
	t, err := openTable(files, name, m, kind)
	if err != nil {
		return err
	}
	outcomes := t
	if kind == Distances {
		outcomes, err = openTable(files, filepath.Join(filepath.Dir(name), FileName(m, Outcomes)), m, Outcomes)
		if err != nil || !t.belongsTo(outcomes) {
			outcomes = nil
		}
	}
	for chapter := range t.header.chapters() {
		if _, err := t.model(chapter << t.header.chapterShift); err != nil {
			return err
		}
	}
	if outcomes != nil {
		err := parallel(0, int(t.header.blocks()), newDecoder, func(d *decoder, block int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return d.check(t, outcomes, uint64(block))
		})
		if err != nil {
			return err
		}
	}
	sum := xxhash.New()
	whole := &untilDone{ctx, io.NewSectionReader(t.file, 0, t.size-trailerSize)}
	if _, err := io.Copy(sum, whole); err != nil {
		return cmp.Or(ctx.Err(), error(&ReadError{name, err}))
	}
	if sum.Sum64() != t.trailer.fileSum {
		return &CorruptError{name, 0, "the file does not match its checksum"}
	}
	return nil
}

// untilDone reads until a context is done.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(b)
}

// check decodes a block of a table, whose outcomes are in another one or the same.
func (d *decoder) check(t, outcomes *table, block uint64) error {
	var o codec.Outcomes
	err := d.outcomes(&o, outcomes, block)
	if t == outcomes {
		return err
	}
	if err != nil {
		return nil // not a flaw of this table
	}
	_, err = d.distances(t, block, &o)
	return err
}
