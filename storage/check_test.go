package storage

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// countdown is a context that is cancelled when it has been asked so many times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCheckFileInterrupted: the check of a file asks at every block, and while it reads the whole, whether it
// should stop, and stops wherever it is told to.
func TestCheckFileInterrupted(t *testing.T) {
	s := solve(t, "R")
	dir := t.TempDir()
	s.writeAs(t, dir, shape{8, 3}, WriterOptions{})
	for _, kind := range []Kind{Outcomes, Distances} {
		name := filepath.Join(dir, FileName(s.index.Material(), kind))
		const enough = 1 << 40
		whole := &countdown{Context: t.Context()}
		whole.left.Store(enough)
		if err := CheckFile(whole, name); err != nil {
			t.Fatal(err)
		}
		tbl, err := openTable(newHandles(1), name, s.index.Material(), kind)
		if err != nil {
			t.Fatal(err)
		}
		tbl.close()
		asked := enough - whole.left.Load()
		if least := int64(tbl.header.blocks()) + 1 + tbl.size>>16; asked < least {
			t.Errorf("%v: asked %d times whether to stop, want at least %d", kind, asked, least)
		}
		for after := int64(0); after < asked; after += 1 + asked/50 {
			c := &countdown{Context: t.Context()}
			c.left.Store(after)
			if err := CheckFile(c, name); !errors.Is(err, context.Canceled) {
				t.Errorf("%v: stopped after %d of %d: %v", kind, after, asked, err)
			}
		}
	}
}
