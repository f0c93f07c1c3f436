package retro

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"gogotb/index"
	"gogotb/rules"
)

// checkpoint is a file to which results are appended, and from which an analysis goes on. It is a
// sequence of records:
//
//	head    first: versions and material set, as text
//	results what a slice got since the last commit, compressed
//	commit  everything before it belongs to finished plies or ranks
//
// A record begins with its type (1 byte), its log (1), its slice (2), its length (4) and the
// xxhash64 of these and of what follows (8), all little-endian. A record that is not whole, and
// everything behind the last commit, was being written when the process died: it is cut off. If a
// commit comes later, the record was damaged: see damage.go.
type checkpoint struct {
	name    string
	file    *os.File
	size    int64
	results [2][][]extent // by log and slice
	mark    mark          // of the last commit
	written time.Time     // when that was
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

// extent is a stretch of the file.
type extent struct {
	offset int64
	length int
}

// mark says how far an analysis has come.
type mark struct {
	Phase   uint64 // a Phase; ValuesPhase when all is solved
	Number  uint64 // the last finished ply or rank
	Decided uint64 // positions
	Mated   uint64 // checkmates
}

// possible tells whether an analysis can come to the mark.
func (m mark) possible() bool { return m.Phase <= uint64(ValuesPhase) && m.Number <= rules.MaxNumber }

const (
	checkpointVersion = 2
	recordHead        = 16
	// checkpointInterval is how often an analysis commits unless its options say otherwise.
	checkpointInterval = time.Minute
)

// Types of records.
const (
	headRecord = iota + 1
	resultsRecord
	commitRecord
)

// CheckpointError says that a checkpoint cannot be written, read or used.
type CheckpointError struct {
	File string
	Err  error
}

func (e *CheckpointError) Error() string { return e.File + ": " + e.Err.Error() }
func (e *CheckpointError) Unwrap() error { return e.Err }

// Why a checkpoint is refused.
var (
	ErrForeignCheckpoint = errors.New("the checkpoint is of another version, of other rules or of another set; remove it to begin anew")
	ErrNoCheckpoint      = errors.New("this is no checkpoint")
	ErrBadCheckpoint     = errors.New("the checkpoint is damaged and of no use; remove it to begin anew")
)

func (c *checkpoint) fail(err error) error {
	if err == nil {
		return nil
	}
	return &CheckpointError{c.name, pathless(err)}
}

// pathless returns what an error of package os says beside the file's name.
func pathless(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// openCheckpoint opens the checkpoint of a set, or begins one if there is none. It warns of damage.
func openCheckpoint(name string, m index.Material, slices int, warn func(error)) (c *checkpoint, err error) {
	c = &checkpoint{name: name, written: time.Now()}
	for i := range c.results {
		c.results[i] = make([][]extent, slices)
	}
	if c.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, c.fail(err)
	}
	head := fmt.Appendf(nil, "gogotb checkpoint %d\nrules %d\nset %s\n", checkpointVersion, rules.Version, m)
	if err = c.recover(head, warn); err == nil && c.size == 0 {
		err = c.append(headRecord, 0, 0, head)
	}
	if err == nil {
		if c.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)); err == nil {
			c.decoder, err = zstd.NewReader(nil)
		}
		err = c.fail(err)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// recover reads the records up to the last commit and cuts off what is behind it.
func (c *checkpoint) recover(head []byte, warn func(error)) error {
	stat, err := c.file.Stat()
	if err != nil {
		return c.fail(err)
	}
	committed, err := c.read(io.NewSectionReader(c.file, 0, stat.Size()), head)
	if err != nil {
		return err
	}
	if err := c.setAside(committed, warn); err != nil {
		return err
	}
	return c.cutOff(committed)
}

// read reads the records of a file up to the first one that is not whole, at c.size. It returns
// where the last commit ends.
func (c *checkpoint) read(file *io.SectionReader, head []byte) (committed int64, err error) {
	var pending [2][][]extent
	for i := range pending {
		pending[i] = make([][]extent, len(c.results[i]))
	}
	for {
		r, err := c.next(file)
		if err != nil {
			return 0, err
		}
		switch {
		case r.kind == 0:
			return committed, nil
		case committed == 0 && r.kind != headRecord, r.kind == headRecord && committed != 0:
			return 0, c.fail(ErrNoCheckpoint)
		case r.kind == headRecord:
			if !bytes.Equal(r.body, head) {
				return 0, c.fail(ErrForeignCheckpoint)
			}
			committed = c.size
		case r.kind == resultsRecord:
			if int(r.log) >= len(pending) || int(r.slice) >= len(pending[r.log]) {
				return 0, c.fail(ErrBadCheckpoint)
			}
			at := &pending[r.log][r.slice]
			*at = append(*at, extent{c.size - int64(len(r.body)), len(r.body)})
		case r.kind == commitRecord:
			if n, err := binary.Decode(r.body, binary.LittleEndian, &c.mark); err != nil || n != len(r.body) || !c.mark.possible() {
				return 0, c.fail(ErrBadCheckpoint)
			}
			committed = c.size
			for i := range pending {
				for s := range pending[i] {
					c.results[i][s] = append(c.results[i][s], pending[i][s]...)
					pending[i][s] = nil
				}
			}
		default:
			return 0, c.fail(ErrBadCheckpoint)
		}
	}
}

// record is a record of the file.
type record struct {
	kind, log byte
	slice     uint16
	body      []byte
}

// next reads the record at c.size and moves on; kind is 0 if there is no whole one.
func (c *checkpoint) next(file *io.SectionReader) (record, error) {
	var h [recordHead]byte
	n, err := file.ReadAt(h[:], c.size)
	if err != nil && err != io.EOF {
		return record{}, c.fail(err)
	}
	length := int64(binary.LittleEndian.Uint32(h[4:]))
	if n < len(h) || length > file.Size()-c.size-recordHead {
		return record{}, c.foreign(h[:n])
	}
	body := make([]byte, length)
	if _, err := file.ReadAt(body, c.size+recordHead); err != nil && err != io.EOF {
		return record{}, c.fail(err)
	}
	if binary.LittleEndian.Uint64(h[8:]) != recordSum(h[:8], body) {
		return record{}, c.foreign(h[:])
	}
	c.size += recordHead + length
	return record{h[0], h[1], binary.LittleEndian.Uint16(h[2:]), body}, nil
}

// foreign returns an error if what is no record is at the beginning of the file, and its head is
// more than that of a first record cut short.
func (c *checkpoint) foreign(head []byte) error {
	if c.size == 0 && len(head) > 0 && (head[0] != headRecord || len(head) == recordHead && head[1]|head[2]|head[3] != 0) {
		return c.fail(ErrNoCheckpoint)
	}
	return nil
}

func recordSum(head, body []byte) uint64 {
	d := xxhash.New()
	d.Write(head)
	d.Write(body)
	return d.Sum64()
}

// cutOff ends the file at size.
func (c *checkpoint) cutOff(size int64) error {
	c.size = size
	return c.fail(c.file.Truncate(size))
}

func (c *checkpoint) append(kind, log byte, slice int, body []byte) error {
	var h [recordHead]byte
	h[0], h[1] = kind, log
	binary.LittleEndian.PutUint16(h[2:], uint16(slice))
	binary.LittleEndian.PutUint32(h[4:], uint32(len(body)))
	binary.LittleEndian.PutUint64(h[8:], recordSum(h[:8], body))
	_, err := c.file.WriteAt(append(h[:], body...), c.size)
	if err != nil {
		return c.fail(err)
	}
	c.size += recordHead + int64(len(body))
	return nil
}

// commit makes durable what was appended, with the mark up to which it goes. If writing fails, the
// file ends with the commit before, and results keeps to that.
func (c *checkpoint) commit(m mark, added [2][][]extent) error {
	body, err := binary.Append(nil, binary.LittleEndian, m)
	if err == nil {
		err = c.file.Sync()
	}
	if err == nil && c.mark == (mark{}) {
		syncFolder(filepath.Dir(c.name))
	}
	if err == nil {
		err = c.append(commitRecord, 0, 0, body)
	}
	if err == nil {
		err = c.file.Sync()
	}
	if err != nil {
		return c.fail(err)
	}
	for i := range added {
		for s := range added[i] {
			c.results[i][s] = append(c.results[i][s], added[i][s]...)
		}
	}
	c.mark, c.written = m, time.Now()
	return nil
}

// syncFolder makes a new file's name durable where folders can be synced. Elsewhere the system sees
// to it.
func syncFolder(name string) {
	if folder, err := os.Open(name); err == nil {
		folder.Sync()
		folder.Close()
	}
}

func (c *checkpoint) close() {
	c.file.Close()
	if c.encoder != nil {
		c.encoder.Close()
	}
	if c.decoder != nil {
		c.decoder.Close()
	}
}

// packedAtOnce is about how many bytes are compressed at a time: what does not lie in memory twice
// need not be planned for.
const packedAtOnce = 1 << 20

// packChunks makes the body of a results record: for each chunk its unit within the slice
// (uvarint), its value (2 bytes), its length (uvarint) and its bytes, all compressed, in one or
// several frames. Chunks of the epoch and later ones are left out. It is nil if there are no
// others.
func (c *checkpoint) packChunks(units [][]chunk, epoch int) (packed []byte) {
	var b []byte
	for i, chunks := range units {
		for _, ch := range chunks {
			if ch.epoch >= epoch {
				continue
			}
			b = binary.AppendUvarint(b, uint64(i))
			b = binary.LittleEndian.AppendUint16(b, uint16(ch.value))
			b = binary.AppendUvarint(b, uint64(len(ch.bytes)))
			b = append(b, ch.bytes...)
			if len(b) >= packedAtOnce {
				packed, b = c.encoder.EncodeAll(b, packed), b[:0]
			}
		}
	}
	if len(b) > 0 {
		packed = c.encoder.EncodeAll(b, packed)
	}
	return packed
}

// chunks reads the committed results of a slice, by unit within the slice.
func (c *checkpoint) chunks(log, slice, units int) ([][]chunk, error) {
	all := make([][]chunk, units)
	for _, e := range c.results[log][slice] {
		packed := make([]byte, e.length)
		if _, err := c.file.ReadAt(packed, e.offset); err != nil {
			return nil, c.fail(err)
		}
		b, err := c.decoder.DecodeAll(packed, nil)
		if err == nil {
			err = unpackChunks(b, all)
		}
		if err != nil {
			return nil, c.fail(ErrBadCheckpoint)
		}
	}
	return all, nil
}

// unpackChunks adds the chunks of the body of a results record, decompressed, to those of their
// units.
func unpackChunks(b []byte, all [][]chunk) error {
	for len(b) > 0 {
		unit, n := binary.Uvarint(b)
		if n <= 0 || unit >= uint64(len(all)) || len(b) < n+2 {
			return ErrBadCheckpoint
		}
		value := rules.Value(binary.LittleEndian.Uint16(b[n:]))
		b = b[n+2:]
		length, n := binary.Uvarint(b)
		if n <= 0 || length > uint64(len(b)-n) {
			return ErrBadCheckpoint
		}
		b = b[n:]
		all[unit] = append(all[unit], chunk{value: value, bytes: b[:length:length]})
		b = b[length:]
	}
	return nil
}
