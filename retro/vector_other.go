//go:build !amd64 || purego

package retro

func addRows(sum *row, rows []*row, masked []maskedRow) { addRowsGo(sum, rows, masked) }

func xSteps(acc, s *row, m *movement) { xStepsGo(acc, s, m) }

func xSlides(acc, s *row, m *movement, free *paddedRow) { xSlidesGo(acc, s, m, free) }

func ySteps(acc, s *row, m *movement) { yStepsGo(acc, s, m) }

func ySlides(acc, s *row, m *movement, taken *row, free, from uint64) {
	ySlidesGo(acc, s, m, taken, free, from)
}
