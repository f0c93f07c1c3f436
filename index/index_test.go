package index

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gogotb/rules"
)

func TestSizesOfFixtures(t *testing.T) {
	file, err := os.Open("testdata/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	d := json.NewDecoder(file)
	n := 0
	for ; d.More(); n++ {
		var stats struct {
			Material  string
			IndexSize uint64 `json:"index_size"`
		}
		if err := d.Decode(&stats); err != nil {
			t.Fatal(err)
		}
		if got := mustIndex(t, stats.Material).Size(); got != stats.IndexSize {
			t.Errorf("%s: size %d, want %d", stats.Material, got, stats.IndexSize)
		}
	}
	if n != 9 {
		t.Errorf("%d sets in the fixtures, want 9", n)
	}
}

// The size is the number of placements and of those that are their own mirror image, halved.
// Both are counted here in ways that know nothing of the order of the index.
func TestSizes(t *testing.T) {
	sets := Sets(4)
	for _, set := range []string{"RBGSP", "GGSPP", "RRSSP", "RRBBG"} {
		sets = append(sets, mustIndex(t, set).Material())
	}
	for _, m := range sets {
		x := mustIndex(t, m.String())
		if start := x.SliceStart(0); start != 0 {
			t.Errorf("%s starts at %d", m, start)
		}
		if end := x.SliceStart(len(x.Slices())); end != x.Size() {
			t.Errorf("%s ends at %d, its size is %d", m, end, x.Size())
		}
		for i, s := range x.Slices() {
			all, selfMirrored := countPlacements(s.OnBoard())
			want := (all + selfMirrored) / 2
			if got := x.SliceStart(i+1) - x.SliceStart(i); got != want {
				t.Errorf("%s, slice %d %v: size %d, want %d", m, i, s, got, want)
			}
		}
	}
}

// countPlacements counts the placements of pieces on a board with all pairs of kings.
func countPlacements(pieces []SlicePiece) (all, selfMirrored uint64) {
	var own, opposing int
	for _, p := range pieces {
		if p == (SlicePiece{rules.Pawn, Own}) {
			own++
		}
		if p == (SlicePiece{rules.Pawn, Opposing}) {
			opposing++
		}
	}
	all = uint64(countWithPawns()[own][opposing])
	free := uint64(23 - own - opposing)
	for i, p := range pieces {
		if p.Kind == rules.Pawn && !p.State.Promoted() {
			continue
		}
		all *= free
		free--
		if i > 0 && pieces[i-1] == p {
			all /= 2
		}
	}
	for k1 := rules.Square(middle); k1 < rules.Squares; k1 += 5 {
		for k2 := rules.Square(middle); k2 < rules.Squares; k2 += 5 {
			if k1 > k2+5 || k2 > k1+5 {
				selfMirrored += countSymmetricPlacements(pieces, k1.Bit()|k2.Bit())
			}
		}
	}
	return all, selfMirrored
}

// countWithPawns are the placements of both kings and so many own and opposing unpromoted
// pawns, which are not told apart.
var countWithPawns = sync.OnceValue(func() (counts [3][3]int) {
	for own := range 3 {
		for opposing := range 3 - own {
			for k1 := range rules.Square(rules.Squares) {
				for k2 := range rules.Square(rules.Squares) {
					if max(abs(k1.Rank()-k2.Rank()), abs(k1.Column()-k2.Column())) > 1 {
						counts[own][opposing] += countPawns(own, opposing, 0, k1.Bit()|k2.Bit(), 0, 0)
					}
				}
			}
		}
	}
	return counts
})

func abs(n int) int { return max(n, -n) }

// countPawns places pawns on squares from s on; files are those taken by pawns of a side.
func countPawns(own, opposing int, s rules.Square, taken rules.Bitboard, ownFiles, opposingFiles int) int {
	if own+opposing == 0 {
		return 1
	}
	if s == rules.Squares {
		return 0
	}
	n := countPawns(own, opposing, s+1, taken, ownFiles, opposingFiles)
	file := 1 << s.Column()
	if taken.Has(s) {
		return n
	}
	if own > 0 && s.Rank() > 0 && ownFiles&file == 0 {
		n += countPawns(own-1, opposing, s+1, taken, ownFiles|file, opposingFiles)
	}
	if opposing > 0 && s.Rank() < 4 && opposingFiles&file == 0 {
		n += countPawns(own, opposing-1, s+1, taken, ownFiles, opposingFiles|file)
	}
	return n
}

// countSymmetricPlacements places pieces such that each one, or two alike together, are
// their own mirror image.
func countSymmetricPlacements(pieces []SlicePiece, taken rules.Bitboard) uint64 {
	if len(pieces) == 0 {
		return 1
	}
	p := pieces[0]
	can := func(s rules.Square) bool {
		dead := p == SlicePiece{rules.Pawn, Own} && s.Rank() == 0 || p == SlicePiece{rules.Pawn, Opposing} && s.Rank() == 4
		return !taken.Has(s) && !dead
	}
	alike := len(pieces) > 1 && pieces[1] == p
	pawns := p.Kind == rules.Pawn && !p.State.Promoted()
	n := uint64(0)
	for s := range rules.Square(rules.Squares) {
		switch image := s.Mirror(); {
		case !can(s):
		case !alike && s == image:
			n += countSymmetricPlacements(pieces[1:], taken|s.Bit())
		case alike && s < image:
			n += countSymmetricPlacements(pieces[2:], taken|s.Bit()|image.Bit())
		case alike && s == image && !pawns: // two pawns on the middle file: nifu
			for u := s + 5; u < rules.Squares; u += 5 {
				if can(u) {
					n += countSymmetricPlacements(pieces[2:], taken|s.Bit()|u.Bit())
				}
			}
		}
	}
	return n
}

func TestNewRefuses(t *testing.T) {
	for _, m := range []Material{{2, 2, 2, 0, 0}, {2, 2, 2, 2, 2}, {3, 0, 0, 0, 0}, {0, 0, 0, 0, 255}} {
		x, err := New(m)
		var size *SizeError
		if x != nil || !errors.As(err, &size) || size.Material != m {
			t.Errorf("%v: %v, %#v; want a SizeError", m, x, err)
		}
	}
}

// The examples of the definition in the package comment were worked out from it by a
// program of another kind, which lists the placements of a king pair one after the other.
func TestVectors(t *testing.T) {
	file, err := os.Open("testdata/vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Scan() // the names of the columns
	n := 0
	for ; scanner.Scan(); n++ {
		fields := strings.Split(scanner.Text(), "\t")
		x := mustIndex(t, fields[0])
		i, err := strconv.ParseUint(fields[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		p, err := x.Decode(i)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.SFEN(); got != fields[2] {
			t.Errorf("index %d of %s is %s, want %s", i, fields[0], got, fields[2])
		}
		if got, err := x.Encode(&p); err != nil || got != i {
			t.Errorf("%s: index %d, %v; want %d", fields[2], got, err, i)
		}
	}
	if err := scanner.Err(); err != nil || n != 170 {
		t.Errorf("%d vectors, %v; want 170", n, err)
	}
}

// Kings alone, by hand: the first pair is on 5a (0) and the first square that is neither
// adjacent nor on a smaller column, 3a (2); the last one has the own king on column 3.
func TestDecodeByHand(t *testing.T) {
	for _, v := range []struct {
		set   string
		index uint64
		sfen  string
	}{
		{"none", 0, "K1k2/5/5/5/5 b - 1"},
		{"none", 1, "K2k1/5/5/5/5 b - 1"},
		{"none", 2, "K3k/5/5/5/5 b - 1"},
		{"none", 3, "K4/2k2/5/5/5 b - 1"},
		{"none", 233, "5/5/4k/5/3K1 b - 1"},
		{"G", 0, "K1k2/5/5/5/5 b G 1"},
		{"G", 234, "K1k2/5/5/5/5 b g 1"},
		{"G", 468, "KGk2/5/5/5/5 b - 1"},       // the lowest of 23 free squares
		{"G", 468 + 22, "K1k2/5/5/5/4G b - 1"}, // the highest
		{"G", 468 + 23, "KG1k1/5/5/5/5 b - 1"}, // the next king pair
		{"P", 468, "K1k2/P4/5/5/5 b - 1"},      // not on rank a
		{"PP", 233, "5/5/4k/5/3K1 b 2P 1"},     // both in hand
	} {
		p, err := mustIndex(t, v.set).Decode(v.index)
		if err != nil || p.SFEN() != v.sfen {
			t.Errorf("index %d of %s is %s, %v; want %s", v.index, v.set, p.SFEN(), err, v.sfen)
		}
	}
}

func TestDecodeBeyondTheEnd(t *testing.T) {
	x := mustIndex(t, "GP")
	for _, i := range []uint64{x.Size(), x.Size() + 1, 1<<64 - 1} {
		_, err := x.Decode(i)
		var r *RangeError
		if !errors.As(err, &r) || r.Index != i || r.Size != x.Size() {
			t.Errorf("index %d: %#v, want a RangeError", i, err)
		}
	}
}
