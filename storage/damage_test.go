package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"gogotb/rules"
)

// readAll opens a set and reads everything in it. The result is the first error; a wrong
// value fails the test.
func readAll(t testing.TB, dir string, s solved) error {
	t.Helper()
	tables, err := Open([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	set, err := tables.Set(s.index.Material())
	if err != nil {
		return err
	}
	return compareBlocks(t, set, s.values)
}

// typed tells whether an error is of a type that a damaged file may have.
func typed(err error) bool {
	var corrupt *CorruptError
	var version *VersionError
	var foreign *NotATableError
	return errors.As(err, &corrupt) || errors.As(err, &version) || errors.As(err, &foreign)
}

// damaged makes a folder in which one table of a set can be replaced.
type damaged struct {
	dir   string
	truth solved
	file  string // the table that gets damaged
	whole []byte
}

func newDamaged(t testing.TB, name string, kind Kind, shape shape) *damaged {
	d := &damaged{dir: t.TempDir(), truth: solve(t, name)}
	d.truth.writeAs(t, d.dir, shape, WriterOptions{})
	d.file = filepath.Join(d.dir, FileName(d.truth.index.Material(), kind))
	d.whole = read(t, d.file)
	return d
}

// sections are the parts of a table, by their names; where each begins, and the end.
func (d *damaged) sections(t testing.TB) (names []string, starts []int) {
	t.Helper()
	tr, err := decodeTrailer(d.whole[len(d.whole)-trailerSize:], int64(len(d.whole)), d.whole[:headerSize], FormatVersion, d.file)
	if err != nil {
		t.Fatal(err)
	}
	directory := headerSize + int(tr.chaptersLen)
	statistics := directory + int(tr.directoryLen)
	names = []string{"header", "chapters", "directory", "statistics", "trailer"}
	return names, []int{0, headerSize, directory, statistics, statistics + int(tr.statisticsLen), len(d.whole)}
}

// TestEveryByte changes each byte of the two tables of the kings alone, and each bit of a
// few hundred bytes of larger ones, at random. Nothing may go unnoticed by CheckFile, and
// no probe may give a wrong value.
func TestEveryByte(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		for _, set := range []struct {
			name  string
			shape shape
			every bool
		}{{"none", shape{5, 2}, true}, {"P", shape{8, 3}, false}} {
			t.Run(fmt.Sprint(set.name, " ", kind), func(t *testing.T) {
				t.Parallel()
				d := newDamaged(t, set.name, kind, set.shape)
				rng := rand.New(rand.NewPCG(7, uint64(kind)))
				try := func(at int, flip byte) {
					b := bytes.Clone(d.whole)
					b[at] ^= flip
					put(t, b, d.file)
					if err := readAll(t, d.dir, d.truth); err != nil && !typed(err) {
						t.Errorf("byte %d ^ %#x: %T %v", at, flip, err, err)
					}
					if err := CheckFile(t.Context(), d.file); !typed(err) {
						t.Errorf("byte %d ^ %#x: CheckFile says %v", at, flip, err)
					}
				}
				if set.every {
					for at := range d.whole {
						if testing.Short() && at%20 != 0 {
							continue
						}
						try(at, 1<<rng.IntN(8))
						try(at, byte(1+rng.IntN(255)))
					}
					return
				}
				names, starts := d.sections(t)
				for i := range names {
					for range 30 {
						try(starts[i]+rng.IntN(starts[i+1]-starts[i]), 1<<rng.IntN(8))
					}
				}
			})
		}
	}
}

// TestFlaws damages each section and looks at what the error says.
func TestFlaws(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "G", kind, shape{8, 3})
		_, starts := d.sections(t)
		firstModel := headerSize
		firstBlock := firstModel + int(binary.LittleEndian.Uint32(d.whole[starts[2]+len(d.truth.index.Slices())*strideEntry:]))
		for _, flaw := range []struct {
			at, offset int
			what       string
		}{
			{13, 0, "header does not match"},
			{35, 0, "header does not match"},
			{firstModel + 1, firstModel, "model 0 does not match"},
			{firstBlock, firstBlock, "block 0 cannot be decoded, or does not match its checksum"},
			{starts[2], starts[2], "directory does not match"},
			{starts[2] + 99, starts[2], "directory does not match"},
			{starts[3], starts[3], "statistics do not match"},
			{starts[4], starts[4], "trailer does not match"},
			{len(d.whole) - 1, starts[4], "trailer does not match"},
		} {
			b := bytes.Clone(d.whole)
			b[flaw.at] ^= 0x10
			put(t, b, d.file)
			for _, err := range []error{readAll(t, d.dir, d.truth), CheckFile(t.Context(), d.file)} {
				var corrupt *CorruptError
				if !errors.As(err, &corrupt) || corrupt.File != d.file || corrupt.Offset != int64(flaw.offset) || !strings.Contains(corrupt.What, flaw.what) {
					t.Errorf("%v, byte %d: %v, want %q at byte %d", kind, flaw.at, err, flaw.what, flaw.offset)
				}
				if !strings.HasPrefix(fmt.Sprint(err), d.file+": corrupt at byte ") {
					t.Errorf("%v, byte %d: %v", kind, flaw.at, err)
				}
			}
		}
		// a file whose sections are all right, and yet not that file
		b := bytes.Clone(d.whole)
		b[starts[4]+6*8]++
		put(t, resealed(b), d.file)
		if err := CheckFile(t.Context(), d.file); !typed(err) || !strings.Contains(err.Error(), "the file does not match its checksum") {
			t.Errorf("%v: a wrong sum of the whole file gives %v", kind, err)
		}
	}
}

// resealed corrects the checksums of header and trailer after a change.
func resealed(b []byte) []byte {
	header, trailer := b[:headerSize], b[len(b)-trailerSize:]
	binary.LittleEndian.PutUint64(header[32:], xxhash.Sum64(header[:32]))
	binary.LittleEndian.PutUint64(trailer[56:], xxhash.Sum64(append(bytes.Clone(header), trailer[:56]...)))
	return b
}

// TestTruncated cuts tables short at the boundaries of the sections and near them, and
// adds to them.
func TestTruncated(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "R", kind, shape{8, 3})
		_, starts := d.sections(t)
		for _, start := range starts {
			for cut := max(start-9, 0); cut < min(start+10, len(d.whole)); cut++ {
				put(t, d.whole[:cut], d.file)
				for _, err := range []error{readAll(t, d.dir, d.truth), CheckFile(t.Context(), d.file)} {
					var foreign *NotATableError
					var corrupt *CorruptError
					if !(errors.As(err, &corrupt) || cut < len(magic) && errors.As(err, &foreign)) {
						t.Errorf("%v cut at %d: %v", kind, cut, err)
					}
				}
			}
		}
		for _, more := range [][]byte{{0}, make([]byte, trailerSize), d.whole} {
			put(t, append(bytes.Clone(d.whole), more...), d.file)
			if err := readAll(t, d.dir, d.truth); !typed(err) {
				t.Errorf("%v with %d bytes more: %v", kind, len(more), err)
			}
		}
		// the file shrinks after it was opened
		put(t, d.whole, d.file)
		set := openSet(t, "R", d.dir)
		if err := os.Truncate(d.file, int64(starts[2]/2)); err != nil {
			t.Fatal(err)
		}
		var corrupt *CorruptError
		if err := compareBlocks(t, set, d.truth.values); !errors.As(err, &corrupt) || !strings.Contains(corrupt.What, "cut short") {
			t.Errorf("%v: a shrinking file gives %v", kind, err)
		}
	}
}

func TestOtherVersions(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "none", kind, shape{5, 2})
		for _, test := range []struct {
			at   int
			want VersionError
			text string
		}{
			{8, VersionError{d.file, "format", FormatVersion + 6, OldestFormat, FormatVersion}, ": format version 9, but this program reads versions 2 to 3"},
			{10, VersionError{d.file, "rules", rules.Version + 6, rules.Version, rules.Version}, ": rules version 7, but this program reads version 1"},
		} {
			b := bytes.Clone(d.whole)
			b[test.at] += 6
			put(t, resealed(b), d.file)
			for _, err := range []error{readAll(t, d.dir, d.truth), CheckFile(t.Context(), d.file)} {
				var version *VersionError
				if !errors.As(err, &version) || *version != test.want || err.Error() != d.file+test.text {
					t.Errorf("got %v, want %v", err, test.want)
				}
			}
			list, err := open(t, d.dir).List()
			if err != nil || len(list) != 2 {
				t.Fatal(list, err)
			}
			var version *VersionError
			if err := list[kind-Outcomes].Err; !errors.As(err, &version) {
				t.Errorf("List says %v", err)
			}
		}
	}
}

func TestForeignFiles(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "none", kind, shape{5, 2})
		text := bytes.ReplaceAll(d.whole, []byte("\r\n"), []byte("\n"))
		for name, content := range map[string][]byte{
			"empty": nil, "short": magic[:4], "text": []byte("this is no table, but it is long enough for a header"),
			"sent as text": text, "zeros": make([]byte, 1000),
		} {
			put(t, content, d.file)
			for _, err := range []error{readAll(t, d.dir, d.truth), CheckFile(t.Context(), d.file)} {
				var foreign *NotATableError
				if !errors.As(err, &foreign) || foreign.File != d.file || err.Error() != d.file+": not a table file" {
					t.Errorf("%v, %s: %v", kind, name, err)
				}
			}
		}
	}
	var foreign *NotATableError
	for _, name := range []string{"GSP", "GSP.zip", "GSPGBO", "PSG.gbo", "X.gbo", ".gbo", "GGG.gbd", "gsp.gbo", "none.gbo.tmp"} {
		if err := CheckFile(t.Context(), name); !errors.As(err, &foreign) {
			t.Errorf("CheckFile(t.Context(), %q): %v", name, err)
		}
	}
}

// TestHugeNumbers gives the reader headers and trailers with correct checksums and
// numbers that would take all memory if they were believed.
func TestHugeNumbers(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "none", kind, shape{5, 2})
		_, starts := d.sections(t)
		put64 := func(at int, v uint64) func([]byte) {
			return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], v) }
		}
		for _, v := range []uint64{0, 1, 233, 235, 1 << 32, 1<<63 - 1, 1 << 63, ^uint64(0)} {
			for name, change := range map[string]func([]byte){
				"entries":      put64(24, v),
				"block size":   func(b []byte) { b[13] = byte(v) },
				"chapter size": func(b []byte) { b[14] = byte(v) },
				"chapters":     put64(starts[4], v),
				"directory":    put64(starts[4]+8, v),
				"statistics":   put64(starts[4]+16, v),
			} {
				b := bytes.Clone(d.whole)
				change(b)
				put(t, resealed(b), d.file)
				if err := readAll(t, d.dir, d.truth); !typed(err) {
					t.Errorf("%v: %s = %d: %v", kind, name, v, err)
				}
			}
		}
	}
}

// TestRenamed puts tables under the names of others.
func TestRenamed(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		dir := written(t, "R", "B")
		rook, bishop := material(t, "R"), material(t, "B")
		// B's table as R's
		put(t, read(t, dir, FileName(bishop, kind)), dir, FileName(rook, kind))
		var corrupt *CorruptError
		if _, err := open(t, dir).Set(rook); !errors.As(err, &corrupt) || !strings.Contains(err.Error(), "for B under another name") {
			t.Errorf("%v of B as those of R: %v", kind, err)
		}
	}
	dir := written(t, "R")
	rook := material(t, "R")
	put(t, read(t, dir, FileName(rook, Distances)), dir, FileName(rook, Outcomes))
	var corrupt *CorruptError
	if _, err := open(t, dir).Set(rook); !errors.As(err, &corrupt) {
		t.Errorf("distances as outcomes: %v", err)
	}
}

// TestMismatch puts two tables together that were not made together: with other values,
// but the same statistics.
func TestMismatch(t *testing.T) {
	s := solve(t, "R")
	dir, other := t.TempDir(), t.TempDir()
	s.write(t, dir)
	changed := solved{s.index, append([]rules.Value(nil), s.values...), s.stats}
	for i, v := range changed.values {
		if v.Outcome() == rules.MateLoss {
			changed.values[i] = rules.MakeValue(rules.MateWin, 1)
			break
		}
	}
	changed.write(t, other)
	name := FileName(s.index.Material(), Distances)
	put(t, read(t, other, name), dir, name)
	_, err := open(t, dir).Set(s.index.Material())
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.File != filepath.Join(dir, name) || !strings.Contains(corrupt.What, "do not belong") {
		t.Errorf("mixed tables give %v", err)
	}
}

func TestMissing(t *testing.T) {
	dir, other := written(t, "G"), t.TempDir()
	tables := open(t, other, filepath.Join(other, "nowhere"), dir)
	_, err := tables.Set(material(t, "RB"))
	var missing *MissingTableError
	if !errors.As(err, &missing) || missing.Material != material(t, "RB") || missing.Kind != Outcomes || len(missing.Dirs) != 3 {
		t.Errorf("a missing set gives %v", err)
	}
	if want := "outcomes for RB: none of the folders " + strings.Join(missing.Dirs, ", ") + " has them"; err.Error() != want {
		t.Errorf("it says %q, want %q", err, want)
	}
	for _, sfen := range []string{
		"4k/5/5/5/K4 b RB 1",    // not there
		rules.StartSFEN,         // more pieces than a set can have
		"4k/1r3/5/3R1/K4 w B 1", // nor this
	} {
		p := position(t, sfen)
		_, probeErr := tables.Probe(&p)
		_, outcomeErr := tables.Outcome(&p)
		_, movesErr := tables.Moves(&p, Adjudication{})
		_, lineErr := tables.Line(&p)
		for _, err := range []error{probeErr, outcomeErr, movesErr, lineErr} {
			if !errors.As(err, &missing) {
				t.Errorf("%s: %v", sfen, err)
			}
		}
		if _, ok := tables.SoftProbe(&p); ok {
			t.Errorf("%s: SoftProbe knows it", sfen)
		}
	}
	// what no legal position has must not be taken for another set, either
	for _, m := range [][5]uint8{{3}, {0, 0, 0, 0, 3}, {0, 0, 255}, {255, 255, 255, 255, 255}} {
		if _, err := tables.Set(m); !errors.As(err, &missing) {
			t.Errorf("%v: %v", m, err)
		}
	}
	// a set that appears later is found
	tables.lookAgain = 0
	solve(t, "R").write(t, other)
	if _, err := tables.Set(material(t, "R")); err != nil {
		t.Error(err)
	}
}

// TestUnreadable has a folder where a table should be.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "G.gbo"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, dir).Set(material(t, "G"))
	var read *ReadError
	if !errors.As(err, &read) || read.File != filepath.Join(dir, "G.gbo") || strings.Count(err.Error(), dir) != 1 {
		t.Errorf("%T %v", err, err)
	}
	file := filepath.Join(dir, "file")
	put(t, nil, file)
	if _, err := open(t, file).List(); !errors.As(err, &read) {
		t.Errorf("listing a file: %v", err)
	}
}
