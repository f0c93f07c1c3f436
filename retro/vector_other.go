//go:build !amd64 || purego

package retro

import "gogotb/rules"

func addRows(sum *row, rows []*row, masked []maskedRow) { addRowsGo(sum, rows, masked) }

func xSteps(acc, s *row, m *movement) { xStepsGo(acc, s, m) }

func xSlides(acc, s *row, m *movement, free *paddedRow) { xSlidesGo(acc, s, m, free) }

func ySteps(acc, s *row, m *movement) { yStepsGo(acc, s, m) }

func ySlides(acc, s *row, m *movement, taken *row, free, from uint64) {
	ySlidesGo(acc, s, m, taken, free, from)
}

func addBoards(sums *rowsOfBoard, rows uint32, boards []*rowsOfBoard) {
	addBoardsGo(sums, rows, boards)
}

func addMirroredBoard(sums *rowsOfBoard, rows uint32, board *rowsOfBoard) {
	addMirroredBoardGo(sums, rows, board)
}

func addBoardMoves(sums *rowsOfBoard, rows uint32, board *rowsOfBoard, near, far *[boardRows]uint32) {
	addBoardMovesGo(sums, rows, board, near, far)
}

func uncovered(sums *rowsOfBoard, rows uint32, need *rowsOfBoard) (left uint32) {
	return uncoveredGo(sums, rows, need)
}

func takeWins(dst []byte, need, sum, cells *row, free, squares uint32) (words uint32, n uint64, left bool) {
	return takeWinsGo(dst, need, sum, cells, free, squares)
}

func takeLosses(dst []byte, need, sum, taken *row) (words uint32, n uint64, left bool) {
	return takeLossesGo(dst, need, sum, taken)
}

func keepCells(r, cells *row, free, squares uint32) { keepCellsGo(r, cells, free, squares) }

func dropX(acc *row, source *rowsOfBoard, free uint32) { dropXGo(acc, source, free) }

func dropY(acc *row, source *rowsOfBoard, free uint32) { dropYGo(acc, source, free) }

func xPromotionSteps(acc, s *row, p *promotion) { xPromotionStepsGo(acc, s, p) }

func yPromotionSteps(acc, s *row, p *promotion) { yPromotionStepsGo(acc, s, p) }

func setCells(cells []rules.Value, packed []byte, words uint32, v rules.Value) (n uint64) {
	return setCellsGo(cells, packed, words, v)
}

func setRotatedCells(cells []rules.Value, packed []byte, words uint32, v rules.Value) (n uint64) {
	return setCellsApart(cells, 0, rules.Squares, 1, packed, words, v)
}

func packCells(run, cells []rules.Value, stride int, squares uint32, win, loss rules.Value) (legal, wins, losses uint32) {
	return packCellsGo(run, cells, stride, squares, win, loss)
}

func addWords(r *row, packed []byte, words uint32) { addWordsGo(r, packed, words) }

func addParts(r *row, parts []rowPart) bool { return addPartsGo(r, parts) }
