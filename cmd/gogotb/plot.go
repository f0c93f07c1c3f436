package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-analyze/charts"

	"gogotb/index"
	"gogotb/rules"
)

// The picture, in pixels: a frame with the bars, and margins for what is written around it.
const (
	plotWidth, plotHeight = 1000, 500
	plotLeft, plotRight   = 90, 975
	plotTop, plotBottom   = 70, 440
)

var (
	plotInk       = charts.ColorRGB(0x22, 0x22, 0x22)
	plotGrid      = charts.ColorRGB(0xdd, 0xdd, 0xdd)
	plotWinColor  = charts.ColorRGB(0x2f, 0x6f, 0xb5)
	plotLossColor = charts.ColorRGB(0xc8, 0x55, 0x3d)
)

// plotFormat returns the format that the name of a plot's file asks for.
func plotFormat(file string) (string, error) {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".svg", ".png":
		return ext[1:], nil
	}
	return "", usagef("--plot %s: the name must end in .svg or .png", file)
}

// plotStats draws a set's mate distances as a histogram with a logarithmic scale.
func plotStats(file string, m index.Material, s *rules.Stats) error {
	format, err := plotFormat(file)
	if err != nil {
		return err
	}
	p := histogram{
		canvas: canvas{charts.NewPainter(charts.PainterOptions{OutputFormat: format, Width: plotWidth, Height: plotHeight})},
		counts: s.Histogram,
	}
	p.FilledRect(0, 0, plotWidth, plotHeight, charts.ColorWhite, charts.ColorWhite, 0)
	p.write(fmt.Sprintf("%s: %s legal positions", m, comma(s.Legal)), 18, plotLeft, 28, atStart)
	p.write(fmt.Sprintf("%s won and %s lost by mate, %s won and %s lost by perpetual check, %s open",
		comma(s.MateWins), comma(s.MateLosses), comma(s.PerpetualWins), comma(s.PerpetualLosses), comma(s.Open)),
		12, plotLeft, 50, atStart)
	p.drawScale()
	p.drawBars()
	p.drawLegend()
	picture, err := p.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, picture, 0o666)
}

// canvas is what pictures are drawn on.
type canvas struct{ *charts.Painter }

// histogram draws the parts of the picture.
type histogram struct {
	canvas
	counts []uint64 // by plies
}

// Where a text is written, seen from its place.
const (
	atStart = 0
	atMid   = 0.5
	atEnd   = 1
)

// write writes a text on a base line; place is the part of it to the left of x.
func (p *canvas) write(text string, size float64, x, y int, place float64) {
	style := charts.FontStyle{FontSize: size, FontColor: plotInk}
	p.Text(text, x-int(place*float64(p.MeasureText(text, 0, style).Width())), y, 0, style)
}

// decades returns the number of powers of ten that the scale has to reach.
func (p *histogram) decades() float64 {
	most := uint64(1)
	for _, n := range p.counts {
		most = max(most, n)
	}
	return math.Log10(2*float64(most)) * 1.05
}

// height returns where a bar for n positions ends. The scale begins at half a position, so that
// a single one can be seen.
func (p *histogram) height(n uint64) int {
	if n == 0 {
		return plotBottom
	}
	return plotBottom - int(math.Round((plotBottom-plotTop)*math.Log10(2*float64(n))/p.decades()))
}

// column returns the left edge of the bar for n plies.
func (p *histogram) column(n int) int {
	return plotLeft + (plotRight-plotLeft)*n/max(len(p.counts), 1)
}

func (p *histogram) drawScale() {
	for n := uint64(1); p.height(n) >= plotTop; n *= 10 {
		y := p.height(n)
		p.LineStroke([]charts.Point{{X: plotLeft - 5, Y: y}, {X: plotRight, Y: y}}, plotGrid, 1)
		p.write(comma(n), 11, plotLeft-9, y+4, atEnd)
	}
	p.write("positions", 12, 8, plotTop-10, atStart)
	every := 1
	for _, step := range []int{2, 5, 10, 20, 50, 100} {
		if p.column(every)-p.column(0) < 30 {
			every = step
		}
	}
	for n := 0; n < len(p.counts); n += every {
		p.write(fmt.Sprint(n), 11, (p.column(n)+p.column(n+1))/2, plotBottom+18, atMid)
	}
	p.write("plies to mate", 12, (plotLeft+plotRight)/2, plotBottom+42, atMid)
	p.LineStroke([]charts.Point{{X: plotLeft, Y: plotTop}, {X: plotLeft, Y: plotBottom}, {X: plotRight, Y: plotBottom}}, plotInk, 1)
}

func (p *histogram) drawBars() {
	for n, count := range p.counts {
		if count == 0 {
			continue
		}
		color := plotLossColor
		if n%2 == 1 {
			color = plotWinColor
		}
		gap := (p.column(1) - p.column(0)) / 8
		p.FilledRect(p.column(n)+gap, p.height(count), p.column(n+1)-gap, plotBottom, color, color, 0)
	}
}

func (p *histogram) drawLegend() {
	const y = plotBottom + 42
	for i, side := range []struct {
		text  string
		color charts.Color
	}{{"the side to move wins", plotWinColor}, {"the side to move loses", plotLossColor}} {
		x := plotLeft + i*170
		p.FilledRect(x, y-10, x+10, y, side.color, side.color, 0)
		p.write(side.text, 11, x+16, y, atStart)
	}
}
