package main

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	_ "gonum.org/v1/plot/vg/vgimg" // png
	_ "gonum.org/v1/plot/vg/vgsvg" // svg

	"gogotb/index"
)

// Size of a plot.
const (
	plotWidth  = 24 * vg.Centimeter
	plotHeight = 12 * vg.Centimeter
)

// plotFormat is the format that the name of a plot's file asks for.
func plotFormat(file string) (string, error) {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".svg", ".png":
		return ext[1:], nil
	}
	return "", usagef("--plot %s: the name must end in .svg or .png", file)
}

// plotStats draws a set's mate distances as a histogram with a logarithmic scale.
func plotStats(file string, m index.Material, s *index.Stats) error {
	format, err := plotFormat(file)
	if err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: %s legal positions, %s won and %s lost by mate, %s by perpetual check, %s open",
		m, comma(s.Legal), comma(s.MateWins), comma(s.MateLosses), comma(s.PerpetualWins+s.PerpetualLosses), comma(s.Open))
	p.Title.Padding = vg.Points(6)
	p.X.Label.Text = "plies to mate"
	p.Y.Label.Text = "positions"
	p.Y.Min = 0
	p.Y.Tick.Marker = logTicks{}
	p.Legend.Top = true
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	p.Add(grid)
	barWidth := font.Length(math.Min(10, 560/float64(len(s.Histogram)+1))) * 0.9
	for _, side := range []struct {
		name   string
		parity int
		color  color.Color
	}{
		{"side to move wins", 1, color.RGBA{0x2f, 0x6f, 0xb5, 0xff}},
		{"side to move loses", 0, color.RGBA{0xc8, 0x55, 0x3d, 0xff}},
	} {
		heights := make(plotter.Values, len(s.Histogram))
		for n := side.parity; n < len(heights); n += 2 {
			heights[n] = logHeight(s.Histogram[n])
		}
		if len(heights) == 0 {
			continue
		}
		bars, err := plotter.NewBarChart(heights, barWidth)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		bars.Color = side.color
		bars.LineStyle.Width = 0
		p.Add(bars)
		p.Legend.Add(side.name, bars)
	}
	picture, err := p.WriterTo(plotWidth, plotHeight, format)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = picture.WriteTo(f)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// logHeight is the height of a bar for n positions. The axis begins at half a position,
// so that a single one can be seen.
func logHeight(n uint64) float64 {
	if n == 0 {
		return 0
	}
	return math.Log10(2 * float64(n))
}

// logTicks marks the powers of ten on an axis of logHeight.
type logTicks struct{}

func (logTicks) Ticks(_, top float64) []plot.Tick {
	var ticks []plot.Tick
	for n := uint64(1); logHeight(n) <= top; n *= 10 {
		ticks = append(ticks, plot.Tick{Value: logHeight(n), Label: comma(n)})
		for k := uint64(2); k < 10 && logHeight(k*n) <= top; k++ {
			ticks = append(ticks, plot.Tick{Value: logHeight(k * n)})
		}
	}
	return ticks
}
