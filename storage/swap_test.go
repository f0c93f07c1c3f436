package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gogotb/rules"
)

// Parts of tables, each right by itself, where they do not belong.

// placesOf are where the blocks of a table of format 3 are in its bytes.
func placesOf(t testing.TB, name string, kind Kind) []place {
	t.Helper()
	table, err := openTable(newHandles(1), name, material(t, filepath.Base(name[:len(name)-len(kind.Extension())])), kind)
	if err != nil {
		t.Fatal(err)
	}
	defer table.close()
	var places []place
	for block := range table.header.blocks() {
		places = append(places, table.blocks.of(block))
	}
	return places
}

// part is the bytes of a block.
func (p place) part(b []byte) []byte { return b[p.offset:][:p.length] }

// reader is a set whose files are read anew each time, although they change.
func reader(t *testing.T, dir, name string) *Set {
	t.Helper()
	tables, err := Open([]string{dir}, &Options{CacheBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	set, err := tables.Set(material(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// refuses demands that no entry of a block can be read, from the first one on, which needs only a
// few of its symbols.
func refuses(t *testing.T, set *Set, d *damaged, kind Kind, block uint64, what string) {
	t.Helper()
	pair := set.pair.Load()
	n := pair.outcomes.header.blockEntries(block)
	for _, at := range []int{0, n / 2, n - 1} {
		var corrupt *CorruptError
		o, err := pair.outcomeBlock(block, at, anywhere)
		if kind == Distances && err == nil {
			for at > 0 && !o.At(at).Loses() {
				at--
			}
			if !o.At(at).Loses() {
				continue // the block has no distance up to here
			}
			_, err = pair.distance(block, at, o, anywhere)
		}
		if !errors.As(err, &corrupt) || corrupt.File != d.file {
			t.Fatalf("%s, entry %d of block %d: %v", what, at, block, err)
		}
	}
}

// change puts a block's bytes in the place of another one, in the file that is open.
func (d *damaged) change(t *testing.T, p place, content []byte) {
	t.Helper()
	f, err := os.OpenFile(d.file, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt(content, p.offset)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSwappedBlocks exchanges each two blocks of the same length of a table.
func TestSwappedBlocks(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "G", kind, shape{7, 3})
		places, set := placesOf(t, d.file, kind), reader(t, d.dir, "G")
		pairs := 0
		for i, p := range places {
			for j, q := range places[:i] {
				if p.length != q.length {
					continue
				}
				what := fmt.Sprintf("%v, blocks %d and %d exchanged", kind, i, j)
				d.change(t, p, q.part(d.whole))
				d.change(t, q, p.part(d.whole))
				refuses(t, set, d, kind, uint64(i), what)
				refuses(t, set, d, kind, uint64(j), what)
				if pairs%50 == 0 {
					if err := CheckFile(t.Context(), d.file); !typed(err) {
						t.Errorf("%s: CheckFile says %v", what, err)
					}
				}
				d.change(t, p, p.part(d.whole))
				d.change(t, q, q.part(d.whole))
				pairs++
			}
		}
		if err := readAll(t, d.dir, d.truth); err != nil {
			t.Error(err)
		}
		if pairs < 10 {
			t.Errorf("%v: only %d pairs of blocks of the same length", kind, pairs)
		}
	}
}

// TestSwappedDirectory exchanges each two entries of a directory that follow one another.
func TestSwappedDirectory(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "G", kind, shape{8, 3})
		_, starts := d.sections(t)
		at, n := starts[2], 0
		exchange := func(size int) {
			b := bytes.Clone(d.whole)
			copy(b[at:], d.whole[at+size:][:size])
			copy(b[at+size:], d.whole[at:][:size])
			if at += size; !bytes.Equal(b, d.whole) {
				n++
				put(t, b, d.file)
				if err := readAll(t, d.dir, d.truth); !typed(err) {
					t.Errorf("%v, directory at byte %d: %v", kind, at, err)
				}
			}
		}
		for range len(d.truth.index.Slices()) - 1 {
			exchange(strideEntry)
		}
		for at += strideEntry; at+2*blockEntry <= starts[3]; { // models' entries are four times as long
			exchange(blockEntry)
		}
		if n < 10 {
			t.Errorf("%v: only %d entries differ from the next", kind, n)
		}
	}
}

// TestBlocksOfOthers puts blocks of other tables, at the same place and of the same length, into a
// table: of another set of the same size, of the other kind, and of tables with other values.
func TestBlocksOfOthers(t *testing.T) {
	shape := shape{6, 4}
	s := solve(t, "R")
	changed := solved{s.index, slices.Clone(s.values), s.stats}
	for i, left := 0, 20; left > 0; i++ {
		if v := &changed.values[i]; v.Outcome() == rules.MateLoss && v.Number() > 0 {
			*v = rules.MakeValue(rules.MateLoss, v.Number()-2)
			changed.values[i-1] = rules.MakeValue(rules.Open, 0)
			left--
		}
	}
	otherValues := t.TempDir()
	changed.writeAs(t, otherValues, shape, WriterOptions{})
	for _, kind := range []Kind{Outcomes, Distances} {
		d := newDamaged(t, "R", kind, shape)
		bishops := newDamaged(t, "B", kind, shape)
		for _, source := range []struct {
			what string
			file string
			kind Kind
		}{
			{"another set", bishops.file, kind},
			{"the other kind", filepath.Join(d.dir, "R"+(Outcomes+Distances-kind).Extension()), Outcomes + Distances - kind},
			{"other values", filepath.Join(otherValues, filepath.Base(d.file)), kind},
		} {
			places, others, b := placesOf(t, d.file, kind), placesOf(t, source.file, source.kind), read(t, source.file)
			set, n := reader(t, d.dir, "R"), 0
			for block, p := range places {
				for k, q := range others {
					if p.length != q.length || bytes.Equal(p.part(d.whole), q.part(b)) || source.what == "other values" && k != block {
						continue
					}
					n++
					d.change(t, p, q.part(b))
					refuses(t, set, d, kind, uint64(block), fmt.Sprintf("%v: block %d of %s", kind, k, source.what))
					d.change(t, p, p.part(d.whole))
					break
				}
			}
			if n == 0 {
				t.Errorf("%v: no block of %s has the same length", kind, source.what)
			}
		}
	}
}

// TestForeignHeader gives a table the header of another set, which has as many entries and slices,
// or of the same set in another version of the format.
func TestForeignHeader(t *testing.T) {
	for _, kind := range []Kind{Outcomes, Distances} {
		d, other := newDamaged(t, "R", kind, shape{8, 3}), newDamaged(t, "B", kind, shape{8, 3})
		if d.truth.index.Size() != other.truth.index.Size() {
			t.Fatal("the sets have different sizes")
		}
		older := bytes.Clone(d.whole[:headerSize])
		older[8] = OldestFormat
		copy(older[32:], resealed(append(older, make([]byte, trailerSize)...))[32:headerSize])
		for what, b := range map[string][]byte{
			"another set":   append(bytes.Clone(d.whole[:headerSize]), other.whole[headerSize:]...),
			"an older file": append(older, d.whole[headerSize:]...),
		} {
			put(t, b, d.file)
			var corrupt *CorruptError
			if _, err := open(t, d.dir).Set(d.truth.index.Material()); !errors.As(err, &corrupt) || corrupt.File != d.file {
				t.Errorf("%v behind the header of %s: %v", kind, what, err)
			}
		}
	}
}

// TestFormat2 reads tables that an earlier version of this program has written, and refuses to mix
// them with new ones.
func TestFormat2(t *testing.T) {
	const older = "testdata/format2"
	for _, name := range []string{"G", "R"} {
		s, dir := solve(t, name), written(t, name)
		if err := readAll(t, older, s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		set := openSet(t, name, older)
		for i, want := range s.values {
			if want == 0 {
				continue
			}
			p, err := s.index.Decode(uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			if r, err := set.Probe(&p); err != nil || r.Value != want {
				t.Fatalf("%s, index %d: %v, %v, want %v", name, i, r.Value, err, want)
			}
		}
		for _, kind := range []Kind{Outcomes, Distances} {
			file := name + kind.Extension()
			if err := CheckFile(t.Context(), filepath.Join(older, file)); err != nil {
				t.Error(err)
			}
			if version := binary.LittleEndian.Uint16(read(t, older, file)[8:]); version != 2 {
				t.Errorf("%s has format %d", file, version)
			}
			put(t, read(t, older, file), dir, file)
			var corrupt *CorruptError
			if _, err := open(t, dir).Set(s.index.Material()); kind == Outcomes && !errors.As(err, &corrupt) {
				t.Errorf("%s: outcomes of format 2 with distances of format 3: %v", name, err)
			}
		}
	}
}
