//go:build amd64 && !purego

package retro

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gogotb/index"
	"gogotb/rules"
)

// withVectors runs f with those functions for vectors that are allowed, and with those written in Go for the rest.
func withVectors(t *testing.T, avx2, avx512 bool, f func()) {
	if !useAVX2 || !useAVX512 {
		t.Logf("this processor has AVX2: %v, AVX-512: %v; what it has not is compared with itself", useAVX2, useAVX512)
	}
	old2, old512, oldWords := useAVX2, useAVX512, useWords
	useAVX2, useAVX512, useWords = old2 && avx2, old512 && avx512, oldWords && avx512
	defer func() { useAVX2, useAVX512, useWords = old2, old512, oldWords }()
	f()
}

// randomRow returns a row in which about one bit of n is set.
func randomRow(rng *rand.Rand, n int) (r row) {
	for i := range r.words()[:rules.Squares] {
		for b := range rules.Squares {
			if rng.IntN(n) == 0 {
				r.words()[i] |= 1 << b
			}
		}
	}
	return r
}

// TestVectors compares the functions for vectors with their twins on random rows, thin and dense. What
// is written beside the result shows, because rows stand on both sides of it.
func TestVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 3000 {
		s, taken := randomRow(rng, 1+i%9), randomRow(rng, 1+i%7)
		start := randomRow(rng, 1+i%30)
		one, other := rng.Uint32(), rng.Uint32() // on both: a quarter of the squares
		occupied := rules.Bitboard(one&other) & rules.Board
		var rows []*row
		var masked []maskedRow
		for range rng.IntN(7) {
			r := randomRow(rng, 9)
			rows = append(rows, &r)
		}
		for range rng.IntN(4) {
			r, mask := randomRow(rng, 2), randomRow(rng, 2)
			masked = append(masked, maskedRow{&r, &mask})
		}
		free := xFree(occupied)
		from := rng.Uint64()
		compare := func(name string, f func(acc *row)) {
			t.Helper()
			got := [3]row{fullRow(2), start, fullRow(2)}
			want := got
			f(&got[1])
			withVectors(t, false, false, func() { f(&want[1]) })
			if got != want {
				t.Fatalf("%s: %x, in Go %x", name, got, want)
			}
		}
		compare("addRows", func(acc *row) { addRows(acc, rows, masked) })
		for c := range movements {
			for k := range movements[c] {
				m := &movements[c][k]
				if len(m.steps) > 0 {
					compare("xSteps", func(acc *row) { xSteps(acc, &s, m) })
					compare("ySteps", func(acc *row) { ySteps(acc, &s, m) })
				}
				if len(m.slides) > 0 {
					compare("xSlides", func(acc *row) { xSlides(acc, &s, m, &free) })
					compare("ySlides", func(acc *row) { ySlides(acc, &s, m, &taken, lanes(rules.Board&^occupied), from) })
				}
				p := &promotions[c][k]
				if len(p.moves) > 0 {
					compare("xPromotions", func(acc *row) { xPromotions(acc, &s, p, occupied) })
					compare("yPromotions", func(acc *row) { yPromotions(acc, &s, m, p, rules.Color(c), 2, occupied) })
				}
			}
		}
		var parts []rowPart
		for range rng.IntN(6) {
			r := randomRow(rng, 2)
			parts = append(parts, rowPart{&r, rng.Uint32() & allSquares, rng.Uint32() & allSquares})
		}
		compare("addParts", func(acc *row) {
			if some := addParts(acc, parts); some == acc.empty() {
				t.Errorf("addParts: %x has something: %v", acc, some)
			}
		})
		compare("keepCells", func(acc *row) { keepCells(acc, &taken, uint32(rules.Board&^occupied), one&uint32(rules.Board)) })
	}
}

// TestVectorsOfBoards does the same with functions that take the rows of boards.
func TestVectorsOfBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	randomBoard := func(n int) *rowsOfBoard {
		b := new(rowsOfBoard)
		for i := range b {
			b[i] = randomRow(rng, n)
		}
		return b
	}
	for i := range 300 {
		board, start := randomBoard(1+i%9), randomBoard(2+i%30)
		rows, free := rng.Uint32()&uint32(rules.Board), rng.Uint32()&uint32(rules.Board)
		var boards []*rowsOfBoard
		for range rng.IntN(9) {
			boards = append(boards, randomBoard(9))
		}
		var near, far [boardRows]uint32
		for r := range near {
			near[r], far[r] = rng.Uint32()&rng.Uint32()&uint32(rules.Board), rng.Uint32()&rng.Uint32()&uint32(rules.Board)
		}
		compare := func(name string, f func(sums *rowsOfBoard) any) {
			t.Helper()
			got := [3]rowsOfBoard{1: *start}
			want := got
			result := f(&got[1])
			withVectors(t, false, false, func() {
				if other := f(&want[1]); !reflect.DeepEqual(result, other) {
					t.Fatalf("%s: %v, in Go %v", name, result, other)
				}
			})
			if got != want {
				t.Fatalf("%s: %x, in Go %x", name, got[1], want[1])
			}
		}
		adds := func(f func(sums *rowsOfBoard)) func(*rowsOfBoard) any {
			return func(sums *rowsOfBoard) any { f(sums); return nil }
		}
		compare("addBoards", adds(func(sums *rowsOfBoard) { addBoards(sums, rows, boards) }))
		compare("addMirroredBoard", adds(func(sums *rowsOfBoard) { addMirroredBoard(sums, rows, board) }))
		compare("addBoardMoves", adds(func(sums *rowsOfBoard) { addBoardMoves(sums, rows, board, &near, &far) }))
		compare("dropX", adds(func(sums *rowsOfBoard) { dropX(&sums[1], board, free) }))
		compare("dropY", adds(func(sums *rowsOfBoard) { dropY(&sums[1], board, free) }))
		need := *start // but for some rows that are covered
		for r := range need {
			if rng.IntN(3) == 0 {
				need[r].and(&board[r])
			}
		}
		compare("uncovered", func(*rowsOfBoard) any { return uncovered(board, rows, &need) })
		compare("takeWins", taking(func(r *rowsOfBoard, dst []byte) (uint32, uint64, bool) {
			return takeWins(dst, &r[1], &board[1], &offDiagonal, free, rows)
		}))
		compare("takeLosses", taking(func(r *rowsOfBoard, dst []byte) (uint32, uint64, bool) {
			return takeLosses(dst, &r[1], &board[1], &r[2])
		}))
		compare("takeLosses of a covered row", taking(func(r *rowsOfBoard, dst []byte) (uint32, uint64, bool) {
			covered := board[3]
			return takeLosses(dst, &covered, &board[3], &r[3])
		}))
	}
}

// TestVectorsOfCells does the same with functions that take packed rows, and values.
func TestVectorsOfCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	kinds := []rules.Value{0, rules.MakeValue(rules.Open, 0), rules.MakeValue(rules.PerpetualWin, 2), rules.MakeValue(rules.PerpetualLoss, 1)}
	for n := range 40 {
		kinds = append(kinds, rules.MakeValue(rules.MateWin, 2*n+1), rules.MakeValue(rules.MateLoss, 2*n))
	}
	packed := make([]byte, packedRow)
	for i := range 2000 {
		r := randomRow(rng, 1+i%40)
		words := packRow(packed, &r)
		at := packed[4:][:4*bits.OnesCount32(words)]
		start := make([]rules.Value, 27*rules.Squares+1)
		for j := range start {
			start[j] = kinds[rng.IntN(len(kinds))]
		}
		squares := 1 + rng.Uint32N(1<<rules.Squares-1)
		win, loss := rules.MakeValue(rules.MateWin, rng.IntN(90)), rules.MakeValue(rules.MateLoss, rng.IntN(90))
		cells := func() []rules.Value { return slices.Clone(start) }
		compare := func(name string, f func(cells []rules.Value) any) {
			t.Helper()
			got, want := cells(), cells()
			result := f(got)
			withVectors(t, false, false, func() {
				if other := f(want); !reflect.DeepEqual(result, other) {
					t.Fatalf("%s: %v, in Go %v", name, result, other)
				}
			})
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %x, in Go %x", name, got, want)
			}
		}
		compare("setCells", func(cells []rules.Value) any { return setCells(cells[rules.Squares:], at, words, 7) })
		compare("setRotatedCells", func(cells []rules.Value) any { return setRotatedCells(cells[rules.Squares:], at, words, 7) })
		for _, stride := range []int{1, rules.Squares, 3} {
			compare("packCells", func(cells []rules.Value) any {
				run := make([]rules.Value, 32)
				legal, wins, losses := packCells(run[2:][:bits.OnesCount32(squares)], cells[3*rules.Squares:], stride, squares, win, loss)
				return []any{run, legal, wins, losses}
			})
		}
		compare("addWords", func([]rules.Value) any {
			sum := [3]row{fullRow(0), fullRow(1), fullRow(0)}
			addWords(&sum[1], at, words)
			return sum
		})
	}
}

// taking returns the results of a function that takes positions and writes them.
func taking(f func(r *rowsOfBoard, dst []byte) (words uint32, n uint64, left bool)) func(*rowsOfBoard) any {
	return func(r *rowsOfBoard) any {
		dst := make([]byte, packedRow)
		words, n, left := f(r, dst)
		if words == 0 {
			return []any{words, n, left}
		}
		return []any{words, n, left, dst[:4*(1+bits.OnesCount32(words))]}
	}
}

// TestSolveWithoutVectors solves whole sets with and without vectors.
func TestSolveWithoutVectors(t *testing.T) {
	for _, name := range []string{"R", "RB", "PP", "GS"} {
		m, err := index.ParseMaterial(name)
		if err != nil {
			t.Fatal(err)
		}
		solve := func() (values []rules.Value) {
			s, err := Solve(context.Background(), m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			_, err = s.Values(context.Background(), func(v []rules.Value) error {
				values = append(values, v...)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
		got := solve()
		for _, avx2 := range []bool{false, true} {
			withVectors(t, avx2, false, func() {
				if !slices.Equal(got, solve()) {
					t.Errorf("%s: other values without vectors, or with those of AVX2: %v", name, avx2)
				}
			})
		}
	}
}
