package storage

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"gogotb/index"
	"gogotb/rules"
	"gogotb/storage/internal/codec"
)

// WriterOptions of Create; the zero value is good.
type WriterOptions struct {
	Workers int // goroutines that compress; 0: one for each core
}

// Writer writes the two tables of a set. The bytes depend on the values and statistics
// alone. Nothing appears under the tables' names before Commit. A Writer is for one
// goroutine, and a folder for one Writer at a time. WriterMemory says what memory it takes.
type Writer struct {
	dir     string
	index   *index.Index
	workers int
	shape   shape
	strides strides
	files   [2]*newFile // outcomes, distances
	entries uint64      // appended so far

	chapter []rules.Value      // being filled
	other   []rules.Value      // being packed, by a goroutine
	packed  chan error         // its result; nil if there is none
	events  [2][][]codec.Event // room for those of a chapter's blocks
	err     error              // ends the work
}

// Create begins the tables of a set in a folder, which it makes if it is not there. The
// files have temporary names until Commit. Errors are *WriteError.
func Create(dir string, x *index.Index, opt WriterOptions) (*Writer, error) {
	return create(dir, x, opt, shape{blockShift, chapterShift})
}

func create(dir string, x *index.Index, opt WriterOptions, s shape) (*Writer, error) {
	if err := MakeFolder(dir); err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, index: x, workers: opt.Workers, shape: s, strides: newStrides(x)}
	for i, kind := range [...]Kind{Outcomes, Distances} {
		f, err := createFile(filepath.Join(dir, FileName(x.Material(), kind)))
		if err == nil {
			w.files[i] = f
			f.header, f.headerSum = (&header{kind: kind, material: x.Material(), shape: s, entries: x.Size()}).encode()
			f.directory = w.strides.encode()
			_, err = f.Write(f.header)
		}
		if err != nil {
			w.discard()
			return nil, err
		}
	}
	return w, nil
}

// Append adds the values of the next entries in index order. They are copied. The error
// is a *ValueError for values that no position can have, or too many of them, or a
// *WriteError, perhaps for earlier values.
func (w *Writer) Append(values []rules.Value) error {
	if w.err != nil {
		return w.err
	}
	for len(values) > 0 {
		if w.chapter == nil {
			w.chapter = make([]rules.Value, 0, min(w.shape.chapterEntries(), w.index.Size()))
		}
		n := min(len(values), cap(w.chapter)-len(w.chapter))
		w.chapter, w.err = w.check(w.chapter, values[:n])
		if w.err != nil {
			return w.err
		}
		values = values[n:]
		if len(w.chapter) == cap(w.chapter) {
			if w.flush(); w.err != nil {
				return w.err
			}
		}
	}
	return nil
}

// check appends values that can be.
func (w *Writer) check(chapter, values []rules.Value) ([]rules.Value, error) {
	if w.index.Size()-w.entries < uint64(len(values)) {
		return nil, &ValueError{w.index.Size(), "the set has no such entry"}
	}
	for i, v := range values {
		if possible[v>>6]>>(v&63)&1 == 0 {
			return nil, &ValueError{w.entries + uint64(i), impossible(v)}
		}
	}
	w.entries += uint64(len(values))
	return append(chapter, values...), nil
}

// possible has a bit for each value that a position can have.
var possible = func() (set [1 << 16 / 64]uint64) {
	add := func(o rules.Outcome, from, to, step int) {
		for n := from; n <= to; n += step {
			v := rules.MakeValue(o, n)
			set[v>>6] |= 1 << (v & 63)
		}
	}
	add(rules.Illegal, 0, 0, 1)
	add(rules.Open, 0, 0, 1)
	add(rules.MateWin, 1, rules.MaxNumber, 2)
	add(rules.MateLoss, 0, rules.MaxNumber, 2)
	add(rules.PerpetualWin, 1, maxDistance, 1)
	add(rules.PerpetualLoss, 1, maxDistance, 1)
	return set
}()

// impossible says why no position has the value.
func impossible(v rules.Value) string {
	switch n := v.Number(); v.Outcome() {
	case rules.Illegal, rules.Open:
		return fmt.Sprintf("%v with the number %d", v, n)
	case rules.MateWin:
		return fmt.Sprintf("a mate in %d plies for the side to move", n)
	case rules.MateLoss:
		return fmt.Sprintf("a mate in %d plies against the side to move", n)
	case rules.PerpetualWin, rules.PerpetualLoss:
		return fmt.Sprintf("a perpetual check of rank %d", n)
	default:
		return fmt.Sprintf("unknown outcome %d", v.Outcome())
	}
}

// flush has the chapter packed while the next one is filled.
func (w *Writer) flush() {
	w.wait()
	if w.err != nil {
		return
	}
	packed := make(chan error, 1)
	w.chapter, w.other, w.packed = w.other[:0], w.chapter, packed
	values, first := w.other, w.entries-uint64(len(w.other))
	go func() { packed <- w.writeChapter(first, values) }()
}

// wait waits for the chapter that is being packed.
func (w *Writer) wait() {
	if w.packed == nil {
		return
	}
	if err := <-w.packed; w.err == nil {
		w.err = err
	}
	w.packed = nil
}

// errDone is what a Writer returns after Commit or Abort.
var errDone = errors.New("storage: the Writer has been committed or aborted")

// Commit completes the tables with the statistics, gives them their names and brings
// SHA256SUMS up to date. If it fails, the tables that stood there before still stand,
// unless a rename failed. That the folder vanishes once the tables have their names is no failure.
func (w *Writer) Commit(stats rules.Stats) error {
	w.finish(&stats)
	err := w.err
	if err == nil {
		err = w.publish()
	}
	if err == nil {
		err = w.enter()
	}
	w.Abort()
	return err
}

// finish writes what is left and makes the files durable under their temporary names.
func (w *Writer) finish(stats *rules.Stats) {
	if w.err == nil && w.entries != w.index.Size() {
		w.err = &ValueError{w.entries, fmt.Sprintf("missing; the set has %d entries", w.index.Size())}
	}
	if len(w.chapter) > 0 {
		w.flush()
	}
	w.wait()
	outcomesSum := uint64(0)
	for _, f := range w.files {
		if w.err == nil {
			w.err = f.complete(encodeStatistics(stats), &outcomesSum)
		}
	}
}

// complete writes what follows the chapters and makes the file durable. outcomesSum is 0
// for the outcomes, which leave their sum there for the distances.
func (n *newFile) complete(statistics []byte, outcomesSum *uint64) error {
	t := trailer{
		chaptersLen: uint64(n.size - headerSize), directoryLen: uint64(len(n.directory)), statisticsLen: uint64(len(statistics)),
		directorySum: xxhash.Sum64(n.directory), statisticsSum: xxhash.Sum64(statistics), outcomesSum: *outcomesSum,
	}
	n.Write(n.directory)
	n.Write(statistics)
	t.fileSum = n.sum.Sum64()
	*outcomesSum = t.fileSum
	n.Write(t.encode(n.header))
	return n.finish()
}

// publish renames the finished files. The old tables and the new ones are not of one
// making. A set is there when its outcomes are, so the old ones go first and the new ones
// come last: meanwhile a reader finds no set, but never a mixture.
func (w *Writer) publish() error {
	outcomes, distances := w.files[0], w.files[1]
	if err := dropSums(w.dir, w.sums()); err != nil {
		return err
	}
	if err := os.Remove(outcomes.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &WriteError{outcomes.path, err}
	}
	for _, f := range []*newFile{distances, outcomes} {
		if err := f.publish(); err != nil {
			return err
		}
	}
	return nil
}

// enter makes the names of the files durable and puts them in SHA256SUMS. If somebody has taken the folder away with
// the tables in it, there is nothing left to do: they were made.
func (w *Writer) enter() error {
	err := syncFolder(w.dir)
	if err == nil {
		err = updateSums(w.dir, w.sums())
	}
	if _, gone := os.Stat(w.dir); errors.Is(gone, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sums returns what SHA256SUMS will say of the files.
func (w *Writer) sums() map[string]string {
	sums := map[string]string{}
	for _, f := range w.files {
		sums[filepath.Base(f.path)] = hex.EncodeToString(f.sha.Sum(nil))
	}
	return sums
}

// Abort ends the work and removes the temporary files. After Commit it does nothing.
func (w *Writer) Abort() {
	w.wait()
	w.discard()
	w.err = errDone
}

func (w *Writer) discard() {
	for _, f := range w.files {
		if f != nil {
			f.discard()
		}
	}
}
