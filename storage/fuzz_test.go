package storage

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// FuzzTable changes a table of the kings alone, or of one gold: edit is a list of changes,
// each the place, 2 bytes, and what to add to the byte there, then a number of bytes to
// cut off the end. Nothing may panic, and no value may be wrong, unless all checksums are
// corrected afterwards (repair), as no accident does.
func FuzzTable(f *testing.F) {
	shape, large := shape{6, 2}, shape{6, 6} // to parse many models takes long
	tables := [4]*damaged{
		newDamaged(f, "none", Outcomes, shape), newDamaged(f, "none", Distances, shape),
		newDamaged(f, "G", Outcomes, large), newDamaged(f, "G", Distances, large),
	}
	for which := range tables {
		_, starts := tables[which].sections(f)
		for _, start := range starts[:5] {
			for _, repair := range []bool{false, true} {
				f.Add(uint8(which), repair, []byte{byte(start), byte(start >> 8), 1})
				f.Add(uint8(which), repair, []byte{byte(start + 8), byte((start + 8) >> 8), 0x80, 0, 1, 1, 3})
			}
		}
		f.Add(uint8(which), true, []byte{8, 0, 255}) // of format 2
		f.Add(uint8(which), true, []byte{8, 0, 255, 100, 0, 1, 44, 1, 7})
		f.Add(uint8(which), true, []byte{41, 0, 1, 43, 0, 200, 60, 0, 17, 13, 0, 1, 14, 0, 255})
	}
	f.Fuzz(func(t *testing.T, which uint8, repair bool, edit []byte) {
		d := tables[which%4]
		b := bytes.Clone(d.whole)
		for ; len(edit) >= 3; edit = edit[3:] {
			b[int(binary.LittleEndian.Uint16(edit))%len(b)] += edit[2]
		}
		if len(edit) > 0 {
			b = b[:len(b)-min(int(edit[0]), len(b))]
		}
		if repair {
			repairSums(b)
		}
		// Fuzzing runs in several processes, each with folders of its own.
		put(t, b, d.file)
		defer put(t, d.whole, d.file)
		if !repair {
			if err := readAll(t, d.dir, d.truth); err != nil && !typed(err) {
				t.Errorf("%T %v", err, err)
			}
			if err := CheckFile(t.Context(), d.file); (err == nil) != bytes.Equal(b, d.whole) {
				t.Errorf("CheckFile says %v", err)
			}
			return
		}
		set, err := open(t, d.dir).Set(d.truth.index.Material())
		if err == nil {
			err = readBlocks(set)
		}
		if err != nil && !typed(err) {
			t.Errorf("%T %v", err, err)
		}
		if err := CheckFile(t.Context(), d.file); err != nil && !typed(err) {
			t.Errorf("%T %v", err, err)
		}
	})
}

// readBlocks reads all blocks of a set for their first error.
func readBlocks(set *Set) error {
	for _, err := range set.Values() {
		if err != nil {
			return err
		}
	}
	return set.LoadOutcomes()
}

// repairSums corrects the checksums of a table as far as its directory can be found.
func repairSums(b []byte) {
	if len(b) < headerSize+trailerSize {
		return
	}
	sum64 := func(at, from, to int) { binary.LittleEndian.PutUint64(b[at:], xxhash.Sum64(b[from:to])) }
	sum64(headerSize-8, 0, headerSize-8)
	latest := b[8] == FormatVersion
	end := len(b) - trailerSize
	chapters, directory, statistics := lengthAt(b, end), lengthAt(b, end+8), lengthAt(b, end+16)
	defer func() {
		if latest {
			resealed(b)
		} else {
			sum64(len(b)-8, end, len(b)-8)
		}
	}()
	if headerSize+chapters+directory+statistics != end {
		return
	}
	at := headerSize + chapters
	defer func() {
		sum64(end+24, at, at+directory)
		sum64(end+32, at+directory, at+directory+statistics)
		sum64(end+48, 0, end)
	}()
	// in front of the entries of models and blocks the strides, of as many slices as the set has
	slices := 1
	if b[17] == 1 { // a gold
		slices = 4
	}
	s := shape{b[13] % 14, b[14] % 21}
	model := uint32(0)
	offset, entry := headerSize, at+slices*strideEntry
	for block := uint64(0); entry+blockEntry <= at+directory; block++ {
		if s.opensChapter(block) {
			if entry+modelEntry > at+directory {
				return
			}
			n := int(binary.LittleEndian.Uint32(b[entry:]))
			if n > at-offset {
				return
			}
			model = modelSum(b[offset : offset+n])
			binary.LittleEndian.PutUint32(b[entry+4:], model)
			offset, entry = offset+n, entry+modelEntry
			if entry+blockEntry > at+directory {
				return
			}
		}
		n := int(binary.LittleEndian.Uint16(b[entry:]))
		if n > at-offset {
			return
		}
		if n >= 4 {
			check := uint32(xxhash.Sum64(b[offset+4 : offset+n]))
			if latest {
				check += blockTag(binary.LittleEndian.Uint64(b[32:]), model, block)
			}
			binary.LittleEndian.PutUint32(b[offset:], check)
		}
		offset, entry = offset+n, entry+blockEntry
	}
}

// lengthAt is a number of the trailer, if it can be a length.
func lengthAt(b []byte, at int) int {
	return int(min(binary.LittleEndian.Uint64(b[at:]), uint64(len(b))))
}

// FuzzSums reads SHA256SUMS files of any content, and brings them up to date.
func FuzzSums(f *testing.F) {
	dir := f.TempDir()
	table := newDamaged(f, "none", Outcomes, shape{6, 2})
	for _, name := range []string{"none.gbo", "none.gbd"} {
		put(f, read(f, table.dir, name), dir, name)
	}
	sums := read(f, table.dir, SumsFile)
	for _, seed := range []string{"", "\n", "x  y\n", "none.gbo\n", string(sums), string(sums[:80]), string(bytes.ReplaceAll(sums, []byte("\n"), []byte("\r\n")))} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		put(t, content, dir, SumsFile)
		if err := Tidy(dir); err != nil {
			t.Fatal(err)
		}
		got, err := readSums(dir)
		if err != nil || len(got) != 2 || len(got["none.gbo"]) != 64 || len(got["none.gbd"]) != 64 {
			t.Errorf("%q gives %v, %v", content, got, err)
		}
		if err := os.Remove(filepath.Join(dir, SumsFile)); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzSplitList: a list of folders without addresses is split as the system splits it, and one of addresses at colons that
// are not theirs.
func FuzzSplitList(f *testing.F) {
	for _, seed := range []string{"", "a", "a:b", ":a:", "/x/y:https", "C:x", "a//b://c", "x:80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		got := SplitList(list)
		if !strings.Contains(list, "://") && !slices.Equal(got, filepath.SplitList(list)) {
			t.Errorf("%q: %q", list, got)
		}
		if strings.Join(got, string(filepath.ListSeparator)) != list {
			t.Errorf("%q: %q does not make up the list", list, got)
		}
		address := "https://user:pass@host:8055/a"
		if both := SplitList(address + string(filepath.ListSeparator) + list); len(both) == 0 || both[0] != address {
			t.Errorf("%q after an address: %q", list, both)
		}
	})
}
