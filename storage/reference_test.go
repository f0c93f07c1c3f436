package storage

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"gogotb/index"
	"gogotb/rules"
)

// reference is a reader written after FORMAT.md alone, sentence by sentence, without
// regard for speed. It shares nothing with the package but the index.

type referenceTable struct {
	kind       byte
	entries    int
	blockSize  int
	blocks     [][]byte
	models     [][]frequencies // by block
	strides    [][2]int        // by slice
	statistics []byte
	sum, pair  uint64
}

// frequencies are those of the symbols of a context.
type frequencies []int

// The contexts of either table, by their number and their number of symbols.
var referenceContexts = map[byte][][2]int{
	1: {{6561, 3}, {96, 2}, {1, 2}, {8, 2}, {16, 2}},
	2: {{1622, 32}, {32, 64}},
}

const (
	classContext      = 0
	groupContext      = 6561
	anyContext        = groupContext + 96
	markGroupContext  = anyContext + 1
	markContext       = markGroupContext + 8
	differenceContext = 0
	farContext        = 1622
)

var u16, u32, u64 = binary.LittleEndian.Uint16, binary.LittleEndian.Uint32, binary.LittleEndian.Uint64

// must fails the test with a rule of FORMAT.md that a file breaks.
func must(t testing.TB, ok bool, rule string, args ...any) {
	t.Helper()
	if !ok {
		t.Fatalf("FORMAT.md: "+rule, args...)
	}
}

func readReference(t testing.TB, file []byte, x *index.Index) referenceTable {
	must(t, bytes.Equal(file[:8], []byte{0x89, 0x47, 0x47, 0x54, 0x42, 0x0d, 0x0a, 0x1a}), "magic")
	version := u16(file[8:])
	must(t, (version == 2 || version == 3) && u16(file[10:]) == 1, "versions")
	r := referenceTable{kind: file[12], blockSize: 1 << file[13], entries: int(u64(file[24:]))}
	chapterSize := 1 << file[14]
	must(t, index.Material(file[15:20]) == x.Material(), "the set")
	must(t, bytes.Equal(file[20:24], make([]byte, 4)), "zeros in the header")
	must(t, xxhash.Sum64(file[:32]) == u64(file[32:]), "checksum of the header")

	trailer := file[len(file)-64:]
	covered := trailer[:56]
	if version == 3 {
		covered = append(slices.Clone(file[:40]), covered...)
	}
	must(t, xxhash.Sum64(covered) == u64(trailer[56:]), "checksum of the trailer")
	r.sum, r.pair = u64(trailer[48:]), u64(trailer[40:])
	must(t, xxhash.Sum64(file[:len(file)-64]) == r.sum, "checksum of the file")
	chapters := file[40 : 40+u64(trailer)]
	directory := file[40+len(chapters):][:u64(trailer[8:])]
	r.statistics = file[40+len(chapters)+len(directory):][:u64(trailer[16:])]
	must(t, 40+len(chapters)+len(directory)+len(r.statistics)+64 == len(file), "the parts fill the file")
	must(t, xxhash.Sum64(directory) == u64(trailer[24:]), "checksum of the directory")
	must(t, xxhash.Sum64(r.statistics) == u64(trailer[32:]), "checksum of the statistics")

	for range x.Slices() {
		r.strides = append(r.strides, [2]int{int(u16(directory)), int(u16(directory[2:]))})
		directory = directory[4:]
	}
	zstd, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer zstd.Close()
	var model []frequencies
	var modelSum uint32
	for n := range (r.entries + r.blockSize - 1) / r.blockSize {
		if n%chapterSize == 0 {
			length := u32(directory)
			modelSum = u32(directory[4:])
			must(t, uint32(xxhash.Sum64(chapters[:length])) == modelSum, "checksum of a model")
			plain, err := zstd.DecodeAll(chapters[:length], nil)
			if err != nil {
				t.Fatal(err)
			}
			must(t, len(plain) == map[byte]int{1: 26486, 2: 104596}[r.kind], "length of a model")
			model = referenceModel(t, plain, referenceContexts[r.kind])
			directory, chapters = directory[8:], chapters[length:]
		}
		length := u16(directory)
		sum := uint32(xxhash.Sum64(chapters[4:length]))
		if version == 3 {
			sum += u32(file[32:]) + modelSum + uint32(n)
		}
		must(t, sum == u32(chapters), "checksum of a block")
		r.blocks, r.models = append(r.blocks, chapters[:length]), append(r.models, model)
		directory, chapters = directory[2:], chapters[length:]
	}
	must(t, len(directory) == 0 && len(chapters) == 0, "the directory describes the chapters")
	return r
}

func referenceModel(t testing.TB, plain []byte, groups [][2]int) (model []frequencies) {
	i := 0
	for _, g := range groups {
		for range g[0] {
			c, left := frequencies(nil), 16384
			for range g[1] - 1 {
				f := int(plain[i]) + 256*int(plain[len(plain)/2+i])
				c, left, i = append(c, f), left-f, i+1
			}
			must(t, left >= 0, "frequencies of a context")
			model = append(model, append(c, left))
		}
	}
	return model
}

// coder decodes symbols.
type coder struct {
	x    int
	rest []byte
}

// newCoder begins with a block.
func newCoder(block []byte) *coder {
	c := &coder{0, block[4:]}
	c.refill()
	return c
}

func (c *coder) refill() {
	for c.x < 1<<23 && len(c.rest) > 0 {
		c.x = 256*c.x + int(c.rest[0])
		c.rest = c.rest[1:]
	}
}

func (c *coder) symbol(f frequencies) (s int) {
	slot, start := c.x%16384, 0
	for slot >= start+f[s] {
		start += f[s]
		s++
	}
	c.x = f[s]*(c.x/16384) + slot - start
	c.refill()
	return s
}

// raw is a raw number.
func (c *coder) raw() int {
	even := make(frequencies, 4096)
	for i := range even {
		even[i] = 4
	}
	return c.symbol(even)
}

func (c *coder) finish(t testing.TB) {
	must(t, len(c.rest) == 0, "bytes are left in a block")
	must(t, c.x == 0, "the last state of a block")
}

// block are the strides of a block, and the number of its entries.
func (r *referenceTable) block(x *index.Index, number int) (l, p, n int) {
	first := number * r.blockSize
	n = min(r.blockSize, r.entries-first)
	slice := sort.Search(len(r.strides), func(i int) bool { return int(x.SliceStart(i+1)) > first+n/2 })
	return r.strides[slice][0], r.strides[slice][1], n
}

// outcomes are the classes and the marks of a block.
func (r *referenceTable) outcomes(t testing.TB, x *index.Index, number int) (classes, marks []int) {
	l, p, n := r.block(x, number)
	model, code := r.models[number], newCoder(r.blocks[number])
	classes, marks = make([]int, n), make([]int, n)
	c := func(i int) int {
		if i < 0 {
			return 1
		}
		return classes[i]
	}
	m := func(i int) int {
		if i < 0 || i >= n {
			return 0
		}
		return marks[i]
	}
	b := map[bool]int{true: 1}
	all := func(i, class int) bool {
		for k := range 8 {
			if c(i+k) != class {
				return false
			}
		}
		return true
	}
	some := func(i int) bool {
		for k := range 8 {
			if m(i+k) == 1 {
				return true
			}
		}
		return false
	}
	any := code.symbol(model[anyContext])
	t1, t2, t3, before := 0, 0, 0, 0
	for group := 0; group < n; group += 8 {
		i, same := group, 0
		if i+8 <= n && all(i-l, c(i-1)) && all(i-p, c(i-1)) {
			context := ((t3*4+t2*2+t1)*4+b[all(i-4*l, c(i-1))]*2+b[all(i-p-l, c(i-1))])*3 + c(i-1)
			same = code.symbol(model[groupContext+context])
			t1, t2, t3 = same, t1, t2
		}
		for ; i < min(group+8, n); i++ {
			if same == 1 {
				classes[i] = c(i - 1)
				continue
			}
			classes[i] = code.symbol(model[classContext+
				c(i-1)*2187+c(i-l)*729+c(i-p)*243+c(i-4)*81+c(i-p-1)*27+c(i-4*l)*9+c(i-p-l)*3+c(i-l-1)])
		}
		if any == 0 {
			continue
		}
		i = group
		before = code.symbol(model[markGroupContext+before+2*b[some(i-l)]+4*b[some(i-p)]])
		for ; before == 1 && i < min(group+8, n); i++ {
			if c(i) != 0 {
				marks[i] = code.symbol(model[markContext+c(i)-1+2*m(i-1)+4*m(i-l)+8*m(i-p)])
			}
		}
	}
	code.finish(t)
	return classes, marks
}

func level(n int) int {
	return sort.SearchInts([]int{0, 1, 2, 3, 5, 7, 11, 15}, n)
}

func span(n int) int {
	return sort.SearchInts([]int{0, 1, 3, 7, 15}, n)
}

// distances are the distances of a block, -1 where there is none.
func (r *referenceTable) distances(t testing.TB, x *index.Index, number int, classes []int) []int {
	l, p, n := r.block(x, number)
	model, code := r.models[number], newCoder(r.blocks[number])
	d := slices.Repeat([]int{-1}, n)
	last := 0
	for i, class := range classes {
		if class != 2 {
			continue
		}
		var found []int
		for _, k := range []int{i - p, i - l, i - 1, i - 4, i - 4*l, i - 4*p} {
			if k >= 0 && d[k] >= 0 && len(found) < 3 {
				found = append(found, d[k])
			}
		}
		slices.Sort(found)
		m, context := last, 36*level(last)+6*span(last)+7
		switch len(found) {
		case 1:
			m = found[0]
			context = 36*level(m) + 6*span(m) + 6
		case 2:
			m = found[0]
			context = 36*level(m) + 6*span(m) + span(found[1]-m)
		case 3:
			m = found[1]
			context = 326 + 36*level(m) + 6*span(m-found[0]) + span(found[2]-m)
			if k := i - l - 1; k >= 0 && d[i-1] >= 0 && d[i-l] >= 0 && d[k] >= 0 {
				context += 324 * (2 + cmp.Compare(d[i-1]+d[i-l]-d[k], m))
			}
		}
		if s := code.symbol(model[differenceContext+context]); s < 31 {
			last = m + s - 15
			must(t, last >= 0, "a distance less than 0")
		} else if last = code.symbol(model[farContext+min(m/2, 31)]); last == 63 {
			last = code.raw()
		}
		d[i] = last
	}
	code.finish(t)
	return d
}

// TestReferenceReader reads tables with the reader above and compares every value.
func TestReferenceReader(t *testing.T) {
	for _, test := range []struct {
		name  string
		shape shape // {}: the files of format 2 that an earlier version of this program has written
		step  int   // every so many blocks
	}{
		{"none", shape{blockShift, chapterShift}, 1}, {"none", shape{3, 2}, 1}, {"P", shape{9, 3}, 1}, {"R", shape{blockShift, chapterShift}, 1},
		{"SS", shape{blockShift, chapterShift}, 7}, {"RB", shape{blockShift, chapterShift}, 31},
		{"G", shape{}, 1}, {"R", shape{}, 1},
	} {
		s := solve(t, test.name)
		dir := "testdata/format2"
		if test.shape != (shape{}) {
			dir = t.TempDir()
			s.writeAs(t, dir, test.shape, WriterOptions{})
		}
		x := s.index
		outcomes := readReference(t, read(t, dir, test.name+".gbo"), x)
		distances := readReference(t, read(t, dir, test.name+".gbd"), x)
		must(t, outcomes.kind == 1 && distances.kind == 2, "kinds of tables")
		must(t, outcomes.pair == 0 && distances.pair == outcomes.sum, "the two tables belong together")
		must(t, bytes.Equal(outcomes.statistics, distances.statistics), "the statistics are the same")
		must(t, outcomes.entries == int(x.Size()) && distances.entries == outcomes.entries, "number of entries")
		checkReferenceStatistics(t, outcomes.statistics, s)
		for block := 0; block < len(outcomes.blocks); block += test.step {
			classes, marks := outcomes.outcomes(t, x, block)
			numbers := distances.distances(t, x, block, classes)
			for k := range classes {
				i := block*outcomes.blockSize + k
				var got rules.Value
				switch [2]int{classes[k], marks[k]} {
				case [2]int{0, 0}:
					got = rules.MakeValue(rules.Open, 0)
				case [2]int{1, 0}:
					got = rules.MakeValue(rules.MateWin, 0)
				case [2]int{1, 1}:
					got = rules.MakeValue(rules.PerpetualWin, 0)
				case [2]int{2, 0}:
					got = rules.MakeValue(rules.MateLoss, 2*numbers[k])
				case [2]int{2, 1}:
					got = rules.MakeValue(rules.PerpetualLoss, numbers[k])
				}
				if want := s.values[i]; want != 0 && got != stripped(want, true) {
					t.Fatalf("%s, index %d: %v, want %v", test.name, i, got, want)
				}
			}
		}
	}
}

// checkReferenceStatistics compares a few of the statistics, by their offsets, with counts.
func checkReferenceStatistics(t testing.TB, b []byte, s solved) {
	for offset, want := range map[int]uint64{
		0: s.stats.Legal, 8: s.stats.MateWins, 16: s.stats.MateLosses, 24: s.stats.PerpetualWins, 32: s.stats.PerpetualLosses,
		40: s.stats.Open, 48: s.stats.LongestWin, 56: s.stats.LongestLoss, 64: s.stats.MutualZugzwangs, 72: 0,
		80: s.stats.Checkmates, 88: s.stats.Stalemates, 96: uint64(s.stats.MaxWin), 104: uint64(s.stats.MaxLoss),
	} {
		must(t, u64(b[offset:]) == want, "statistics at offset %d", offset)
	}
	b = b[112:]
	for _, list := range [][]uint64{s.stats.Histogram, s.stats.RankWins, s.stats.RankLosses} {
		must(t, int(u32(b)) == len(list), "length of a list in the statistics")
		b = b[4:]
		for _, want := range list {
			must(t, u64(b) == want, "a list in the statistics")
			b = b[8:]
		}
	}
	must(t, len(b) == 0, "the statistics end")
}

// TestFormatVectors checks the test vectors of FORMAT.md.
func TestFormatVectors(t *testing.T) {
	_, text, ok := strings.Cut(string(read(t, "FORMAT.md")), "## Test vectors")
	if !ok {
		t.Fatal("FORMAT.md has no test vectors")
	}
	n := 0
	for _, line := range strings.Split(text, "\n") {
		f := strings.Split(line, " | ")
		if len(f) != 3 || strings.Contains(line, "---") || strings.Contains(line, "set") {
			continue
		}
		set, sfen := strings.TrimPrefix(f[0], "| "), strings.TrimSuffix(f[2], " |")
		want, err := strconv.ParseUint(f[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		x, err := index.New(material(t, set))
		if err != nil {
			t.Fatal(err)
		}
		p, err := x.Decode(want) // some are illegal, which ParseSFEN refuses
		if err != nil {
			t.Fatal(err)
		}
		if m := p.Mirrored(); p.SFEN() != sfen && m.SFEN() != sfen {
			t.Errorf("%s, index %d: %s, want %s", set, want, p.SFEN(), sfen)
		}
		for _, q := range []rules.Position{p, p.Mirrored(), p.Rotated()} {
			if got, err := x.Encode(&q); err != nil || got != want {
				t.Errorf("%s: index %d, %v, want %d", q.SFEN(), got, err, want)
			}
		}
		n++
	}
	if n < 20 {
		t.Errorf("only %d vectors", n)
	}
}

// TestFormatConstants compares the numbers that FORMAT.md gives with the code.
func TestFormatConstants(t *testing.T) {
	text := string(read(t, "FORMAT.md"))
	for _, want := range []string{
		fmt.Sprintf("**Header**, %d bytes", headerSize), fmt.Sprintf("**Trailer**, %d bytes", trailerSize),
		fmt.Sprintf("version of the format: %d (or %d, see above) |", FormatVersion, OldestFormat), fmt.Sprintf("follow: %d |", rules.Version),
		fmt.Sprintf("*b*, at most %d |", maxBlockShift), fmt.Sprintf("*c*, at most %d |", maxChapterShift),
		fmt.Sprintf("0 to %d. Numbers", maxDistance), fmt.Sprintf("magic: % X |", magic),
		"`" + filepath.Base(FileName(material(t, "GSP"), Outcomes)) + "`", "`" + FileName(material(t, "GSP"), Distances) + "`", "`" + SumsFile + "`",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("FORMAT.md does not say %q", want)
		}
	}
}
