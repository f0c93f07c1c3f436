package storage

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"gogotb/index"
	"gogotb/storage/internal/codec"
)

// Check reads every byte of a set's files and checks every checksum: those of header,
// trailer, directory, statistics, models and blocks, and that of the whole. Blocks of
// distances can be decoded, and so be checked by themselves, only beside the outcomes that
// they belong to; where these are not in the same folder, or damaged, the checksum of the
// whole has to do. The set's files in all folders are checked: probing may use any of them. It returns the files that
// it has checked; the error is that of the first flaw found, or of ctx.
func (t *Tables) Check(ctx context.Context, m index.Material) (files []string, err error) {
	outcomes := false
	for _, f := range t.folders {
		for _, kind := range [...]Kind{Outcomes, Distances} {
			switch err := f.check(ctx, m, kind); {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return files, err
			default:
				files = append(files, f.file(FileName(m, kind)))
				outcomes = outcomes || kind == Outcomes
			}
		}
	}
	if !outcomes {
		return nil, &MissingTableError{m, Outcomes, t.Dirs()}
	}
	return files, nil
}

// CheckFile checks a file in a folder as Check does.
func CheckFile(ctx context.Context, name string) error {
	m, kind, ok := parseFileName(filepath.Base(name))
	if !ok {
		return &NotATableError{name}
	}
	return folder{name: filepath.Dir(name)}.check(ctx, m, kind)
}

// check checks a file of the folder.
func (f folder) check(ctx context.Context, m index.Material, kind Kind) error {
	files := newHandles(openLimit())
	defer files.closeAll()
	t, err := f.openTable(ctx, files, m, kind)
	if err != nil {
		return err
	}
	outcomes := t
	if kind == Distances {
		outcomes, err = f.openTable(ctx, files, m, Outcomes)
		if err != nil || !t.belongsTo(outcomes) {
			outcomes = nil
		}
	}
	for chapter := range t.header.chapters() {
		if _, err := t.model(ctx, chapter<<t.header.chapterShift); err != nil {
			return err
		}
	}
	if outcomes != nil {
		err := parallel(0, int(t.header.blocks()), newDecoder, func(d *decoder, block int) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return d.check(ctx, t, outcomes, uint64(block))
		})
		if err != nil {
			return err
		}
	}
	return t.checkWhole(ctx)
}

// checkWhole checks the checksum of the whole file.
func (t *table) checkWhole(ctx context.Context) error {
	sum := xxhash.New()
	room := make([]byte, 1<<16)
	for at := int64(0); at < t.size-trailerSize; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := room[:min(int64(len(room)), t.size-trailerSize-at)]
		if err := t.read(ctx, b, at); err != nil {
			return err
		}
		sum.Write(b)
		at += int64(len(b))
	}
	if sum.Sum64() != t.trailer.fileSum {
		return &CorruptError{t.name, 0, "the file does not match its checksum"}
	}
	return nil
}

// check decodes a block of a table, whose outcomes are in another one or the same.
func (d *decoder) check(ctx context.Context, t, outcomes *table, block uint64) error {
	var o codec.Outcomes
	err := d.outcomes(ctx, &o, outcomes, block)
	if t == outcomes {
		return err
	}
	if err != nil {
		return nil // not a flaw of this table
	}
	_, err = d.distances(ctx, t, block, &o)
	return err
}
