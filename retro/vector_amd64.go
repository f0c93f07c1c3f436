//go:build !purego

package retro

import "golang.org/x/sys/cpu"

//go:generate go -C internal/kernels run . -out ../../vector_amd64.s

// The functions that vector_amd64.s has for processors with AVX2 are those on which the kernel spends
// most of its time, a row at a time. Each does what its twin, the function with Go at the end of its name, does,
// which is the definition and what all other processors run.

// useAVX2 says whether vectors are used.
var useAVX2 = cpu.X86.HasAVX2

func addRows(sum *row, rows []*row, masked []maskedRow) {
	if !useAVX2 {
		addRowsGo(sum, rows, masked)
		return
	}
	var first **row
	var firstMasked *maskedRow
	if len(rows) > 0 {
		first = &rows[0]
	}
	if len(masked) > 0 {
		firstMasked = &masked[0]
	}
	addRowsAVX2(sum, first, len(rows), firstMasked, len(masked))
}

func xSteps(acc, s *row, m *movement) {
	if useAVX2 {
		xStepsAVX2(acc, s, &m.stepMasks)
	} else {
		xStepsGo(acc, s, m)
	}
}

func xSlides(acc, s *row, m *movement, free *paddedRow) {
	switch {
	case !useAVX2:
		xSlidesGo(acc, s, m, free)
	case m.slidesDiagonally():
		xSlidesDiagonalAVX2(acc, s, free)
	default:
		xSlidesCrossAVX2(acc, s, free)
	}
}

func ySteps(acc, s *row, m *movement) {
	if useAVX2 {
		yStepsAVX2(acc, s, &m.stepMasks)
	} else {
		yStepsGo(acc, s, m)
	}
}

func ySlides(acc, s *row, m *movement, taken *row, free, from uint64) {
	switch {
	case !useAVX2:
		ySlidesGo(acc, s, m, taken, free, from)
	case m.slidesDiagonally():
		ySlidesDiagonalAVX2(acc, s, taken, free, from)
	default:
		ySlidesCrossAVX2(acc, s, taken, free, from)
	}
}

//go:noescape
func addRowsAVX2(sum *row, rows **row, n int, masked *maskedRow, m int)

//go:noescape
func xStepsAVX2(acc, s *row, m *stepMasks)

//go:noescape
func xSlidesCrossAVX2(acc, s *row, free *paddedRow)

//go:noescape
func xSlidesDiagonalAVX2(acc, s *row, free *paddedRow)

//go:noescape
func yStepsAVX2(acc, s *row, m *stepMasks)

//go:noescape
func ySlidesCrossAVX2(acc, s, taken *row, free, from uint64)

//go:noescape
func ySlidesDiagonalAVX2(acc, s, taken *row, free, from uint64)
