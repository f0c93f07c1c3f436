package storage

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"encoding/hex"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"gogotb/index"
	"gogotb/rules"
)

// WriterOptions of Create; the zero value is good.
type WriterOptions struct {
	Workers int // goroutines that compress; 0: one for each core
}

// Writer writes the two tables of a set. The bytes depend on the values and statistics
// alone. Nothing appears under the tables' names before Commit.
type Writer struct {
	dir     string
	index   *index.Index
	files   [2]*newFile // outcomes, distances
	entries uint64      // appended so far
	pending []rules.Value

	jobs    chan *job
	order   chan *job // in the order of the blocks
	workers sync.WaitGroup
	written chan error // the result of the goroutine that writes
	closed  bool

	mu  sync.Mutex
	err error // the first one of that goroutine
}

// job is a block on its way through compression.
type job struct {
	values []rules.Value
	packed [2][]byte
	done   chan struct{}
}

// directoryEntry is the size of a block's entry in the directory: its length, 4 bytes,
// and the checksum of its bytes, 8.
const directoryEntry = 12

// Create begins the tables of a set in a folder, which it makes if it is not there. The
// files have temporary names until Commit. Errors are *WriteError.
func Create(dir string, x *index.Index, opt WriterOptions) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &WriteError{dir, err}
	}
	w := &Writer{dir: dir, index: x, written: make(chan error, 1)}
	for i, kind := range [...]Kind{Outcomes, Distances} {
		f, err := createFile(filepath.Join(dir, FileName(x.Material(), kind)))
		if err == nil {
			w.files[i] = f
			h := header{kind: kind, material: x.Material(), shift: blockShift, entries: x.Size()}
			_, err = f.Write(h.encode())
		}
		if err != nil {
			w.discard()
			return nil, err
		}
	}
	n := opt.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	w.jobs, w.order = make(chan *job, n), make(chan *job, 4*n)
	for range n {
		w.workers.Go(w.compress)
	}
	go w.write()
	return w, nil
}

// Append adds the values of the next entries in index order. They are copied. The error
// may be one of an earlier block: a *WriteError, or a *ValueError for what no position
// can have.
func (w *Writer) Append(values []rules.Value) error {
	for len(values) > 0 {
		n := min(len(values), 1<<blockShift-len(w.pending))
		w.pending = append(w.pending, values[:n]...)
		values = values[n:]
		if len(w.pending) == 1<<blockShift {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush sends the pending values on.
func (w *Writer) flush() error {
	for i, v := range w.pending {
		if what := impossible(v); what != "" {
			return &ValueError{w.entries + uint64(i), what}
		}
	}
	w.entries += uint64(len(w.pending))
	j := &job{values: w.pending, done: make(chan struct{})}
	w.pending = make([]rules.Value, 0, 1<<blockShift)
	w.jobs <- j
	w.order <- j
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// impossible says why no position has the value, "" if one can.
func impossible(v rules.Value) string {
	n := v.Number()
	switch v.Outcome() {
	case rules.Illegal, rules.Open:
		if n != 0 {
			return fmt.Sprintf("outcome %d with the number %d", v.Outcome(), n)
		}
	case rules.MateWin:
		if n%2 == 0 {
			return fmt.Sprintf("a mate in %d plies for the side to move", n)
		}
	case rules.MateLoss:
		if n%2 == 1 {
			return fmt.Sprintf("a mate in %d plies against the side to move", n)
		}
	case rules.PerpetualWin, rules.PerpetualLoss:
		if n == 0 {
			return "a perpetual check of rank 0"
		}
	default:
		return fmt.Sprintf("unknown outcome %d", v.Outcome())
	}
	return ""
}

// compress packs blocks until there are no more.
func (w *Writer) compress() {
	encoder, err := newEncoder()
	if err != nil {
		panic(err) // the options are constant
	}
	defer encoder.Close()
	var raw []byte
	for j := range w.jobs {
		raw = appendOutcomes(raw[:0], j.values)
		j.packed[0] = encoder.EncodeAll(raw, nil)
		if raw = appendDistances(raw[:0], j.values); len(raw) > 0 {
			j.packed[1] = encoder.EncodeAll(raw, nil)
		}
		close(j.done)
	}
}

// newEncoder has the settings of the format's blocks: a frame without a checksum of its
// own, since the directory has one.
func newEncoder() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true), zstd.WithWindowSize(1<<17))
}

// write writes the packed blocks in order, then the directories.
func (w *Writer) write() {
	var directories [2][]byte
	var err error
	for j := range w.order {
		<-j.done
		if err != nil {
			continue // drain
		}
		for i, f := range w.files {
			directories[i] = binary.LittleEndian.AppendUint32(directories[i], uint32(len(j.packed[i])))
			directories[i] = binary.LittleEndian.AppendUint64(directories[i], xxhash.Sum64(j.packed[i]))
			if _, e := f.Write(j.packed[i]); e != nil && err == nil {
				err = e
				w.mu.Lock()
				w.err = e
				w.mu.Unlock()
			}
		}
	}
	for i, f := range w.files {
		if err == nil {
			f.blocksLen = uint64(f.size - headerSize)
			f.directory = directories[i]
			_, err = f.Write(directories[i])
		}
	}
	w.written <- err
}

// stop ends the goroutines and returns the first error.
func (w *Writer) stop() error {
	if w.closed {
		return nil
	}
	w.closed = true
	close(w.jobs)
	close(w.order)
	w.workers.Wait()
	return <-w.written
}

// Commit completes the tables with the statistics, gives them their names and brings
// SHA256SUMS up to date. If it fails, the tables that stood there before still stand.
func (w *Writer) Commit(stats index.Stats) error {
	if err := w.finish(stats); err != nil {
		w.Abort()
		return err
	}
	return w.publish()
}

// finish writes what is left and makes the files durable under their temporary names.
func (w *Writer) finish(stats index.Stats) error {
	if len(w.pending) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.entries != w.index.Size() {
		return &ValueError{w.entries, fmt.Sprintf("missing: the set has %d entries", w.index.Size())}
	}
	if err := w.stop(); err != nil {
		return err
	}
	statistics := encodeStatistics(&stats)
	for _, f := range w.files {
		if _, err := f.Write(statistics); err != nil {
			return err
		}
		t := trailer{
			blocksLen: f.blocksLen, directoryLen: uint64(len(f.directory)), statisticsLen: uint64(len(statistics)),
			directorySum: xxhash.Sum64(f.directory), statisticsSum: xxhash.Sum64(statistics),
			fileSum: f.sum.Sum64(),
		}
		if _, err := f.Write(t.encode()); err != nil {
			return err
		}
		if err := f.finish(); err != nil {
			return err
		}
	}
	return nil
}

// publish renames the finished files. The old pair of tables and the new one are not of
// one making, so the old distances go first: between the renames a reader finds
// outcomes without distances, or none, but never a mixture.
func (w *Writer) publish() error {
	sums := map[string]string{}
	for _, f := range w.files {
		sums[filepath.Base(f.path)] = hex.EncodeToString(f.sha.Sum(nil))
	}
	if err := dropSums(w.dir, sums); err != nil {
		w.discard()
		return err
	}
	outcomes, distances := w.files[0], w.files[1]
	if err := os.Remove(distances.path); err != nil && !os.IsNotExist(err) {
		w.discard()
		return &WriteError{distances.path, err}
	}
	for _, f := range []*newFile{outcomes, distances} {
		if err := f.publish(); err != nil {
			w.discard()
			return err
		}
	}
	if err := syncFolder(w.dir); err != nil {
		return err
	}
	return updateSums(w.dir, sums)
}

// Abort ends the work and removes the temporary files. After Commit it does nothing.
func (w *Writer) Abort() {
	w.stop()
	w.discard()
}

func (w *Writer) discard() {
	for _, f := range w.files {
		if f != nil {
			f.discard()
		}
	}
}
