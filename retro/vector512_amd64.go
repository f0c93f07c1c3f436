//go:build !purego

package retro

import (
	"golang.org/x/sys/cpu"

	"gogotb/rules"
)

// The functions of vector_amd64.s for processors with AVX-512, as vector_amd64.go has those for AVX2.

// useAVX512 says whether vectors of 64 bytes are used.
var useAVX512 = useAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ

func addBoards(sums *rowsOfBoard, rows uint32, boards []*rowsOfBoard) {
	if useAVX512 && len(boards) > 0 {
		addBoardsAVX512(sums, rows, &boards[0], len(boards))
	} else {
		addBoardsGo(sums, rows, boards)
	}
}

func addMirroredBoard(sums *rowsOfBoard, rows uint32, board *rowsOfBoard) {
	if useAVX512 {
		addMirroredBoardAVX512(sums, rows, board)
	} else {
		addMirroredBoardGo(sums, rows, board)
	}
}

func addBoardMoves(sums *rowsOfBoard, rows uint32, board *rowsOfBoard, near, far *[boardRows]uint32) {
	if useAVX512 {
		addBoardMovesAVX512(sums, rows, board, near, far, passing)
	} else {
		addBoardMovesGo(sums, rows, board, near, far)
	}
}

func uncovered(sums *rowsOfBoard, rows uint32, need *rowsOfBoard) (left uint32) {
	if useAVX512 {
		return uncoveredAVX512(sums, rows, need)
	}
	return uncoveredGo(sums, rows, need)
}

func takeWins(dst []byte, need, sum, cells *row, free, squares uint32) (words uint32, n uint64, left bool) {
	if !useAVX512 {
		return takeWinsGo(dst, need, sum, cells, free, squares)
	}
	words, n, some := takeWinsAVX512(&dst[:packedRow][0], need, sum, cells, free, squares)
	return words, n, some != 0
}

func takeLosses(dst []byte, need, sum, taken *row) (words uint32, n uint64, left bool) {
	if !useAVX512 {
		return takeLossesGo(dst, need, sum, taken)
	}
	words, n, some := takeLossesAVX512(&dst[:packedRow][0], need, sum, taken)
	return words, n, some != 0
}

func keepCells(r, cells *row, free, squares uint32) {
	if useAVX512 {
		keepCellsAVX512(r, cells, free, squares)
	} else {
		keepCellsGo(r, cells, free, squares)
	}
}

func dropX(acc *row, source *rowsOfBoard, free uint32) {
	if useAVX512 {
		dropXAVX512(acc, source, free)
	} else {
		dropXGo(acc, source, free)
	}
}

func dropY(acc *row, source *rowsOfBoard, free uint32) {
	if useAVX512 {
		dropYAVX512(acc, source, free)
	} else {
		dropYGo(acc, source, free)
	}
}

func xPromotionSteps(acc, s *row, m *promotion) {
	if useAVX512 {
		a, b := (*[rowWords]uint32)(acc.words()), (*[rowWords]uint32)(s.words())
		xPromotionStepsAVX512(&a[m.window], &b[m.window], &m.words[0], len(m.words))
	} else {
		xPromotionStepsGo(acc, s, m)
	}
}

func yPromotionSteps(acc, s *row, m *promotion) {
	if useAVX512 {
		yPromotionStepsAVX512(acc, s, &m.rotations[0], len(m.rotations))
	} else {
		yPromotionStepsGo(acc, s, m)
	}
}

// useWords says whether vectors of words of 16 bits are used, too.
var useWords = useAVX512 && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasAVX512GFNI

func setCells(cells []rules.Value, packed []byte, words uint32, v rules.Value) (n uint64) {
	if useWords && words != 0 {
		return setCellsAVX512((*uint16)(&cells[0]), &packed[0], words, uint32(v))
	}
	return setCellsGo(cells, packed, words, v)
}

func setRotatedCells(cells []rules.Value, packed []byte, words uint32, v rules.Value) (n uint64) {
	if useWords && words != 0 {
		return setRotatedCellsAVX512((*uint16)(&cells[0]), &packed[0], words, uint32(v))
	}
	return setCellsApart(cells, 0, rules.Squares, 1, packed, words, v)
}

func packCells(run, cells []rules.Value, stride int, squares uint32, win, loss rules.Value) (legal, wins, losses uint32) {
	if useWords {
		return packCellsAVX512((*uint16)(&run[0]), (*uint16)(&cells[0]), stride, squares, uint32(win), uint32(loss))
	}
	return packCellsGo(run, cells, stride, squares, win, loss)
}

func addWords(r *row, packed []byte, words uint32) {
	if useAVX512 && words != 0 {
		addWordsAVX512(r, &packed[0], words)
	} else {
		addWordsGo(r, packed, words)
	}
}

//go:noescape
func setCellsAVX512(cells *uint16, packed *byte, words, value uint32) (n uint64)

//go:noescape
func setRotatedCellsAVX512(cells *uint16, packed *byte, words, value uint32) (n uint64)

//go:noescape
func packCellsAVX512(out, cells *uint16, stride int, squares, win, loss uint32) (legal, wins, losses uint32)

func addParts(r *row, parts []rowPart) bool {
	if useAVX512 && len(parts) > 0 {
		return addPartsAVX512(r, &parts[0], len(parts)) != 0
	}
	return addPartsGo(r, parts)
}

//go:noescape
func addPartsAVX512(r *row, parts *rowPart, n int) (some uint32)

//go:noescape
func addWordsAVX512(r *row, packed *byte, words uint32)

//go:noescape
func addBoardsAVX512(sums *rowsOfBoard, rows uint32, boards **rowsOfBoard, n int)

//go:noescape
func addMirroredBoardAVX512(sums *rowsOfBoard, rows uint32, board *rowsOfBoard)

//go:noescape
func addBoardMovesAVX512(sums *rowsOfBoard, rows uint32, board *rowsOfBoard, near, far *[boardRows]uint32, masks *[boardRows][boardRows]row)

//go:noescape
func uncoveredAVX512(sums *rowsOfBoard, rows uint32, need *rowsOfBoard) (left uint32)

//go:noescape
func takeWinsAVX512(dst *byte, need, sum, distinct *row, free, squares uint32) (words uint32, bits uint64, left uint32)

//go:noescape
func takeLossesAVX512(dst *byte, need, sum, taken *row) (words uint32, bits uint64, left uint32)

//go:noescape
func keepCellsAVX512(r, distinct *row, free, squares uint32)

//go:noescape
func dropXAVX512(acc *row, source *rowsOfBoard, free uint32)

//go:noescape
func dropYAVX512(acc *row, source *rowsOfBoard, free uint32)

//go:noescape
func xPromotionStepsAVX512(acc, s *uint32, steps *stepOfWords, n int)

//go:noescape
func yPromotionStepsAVX512(acc, s *row, steps *rotation, n int)
