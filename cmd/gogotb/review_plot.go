package main

import (
	"fmt"
	"os"

	"github.com/go-analyze/charts"

	"gogotb/rules"
	"gogotb/rules/record"
	"gogotb/verify/review"
)

// The picture of a game: Sente's chance of winning from move to move in a frame, and above and below it, beyond all
// chances, the mates by either side.
const (
	chanceTop, chanceBottom = plotTop + 90, plotBottom - 90
	// mateSpan is how many plies of a mate the bands beyond the frame have room for; the end of the game is at the very edge.
	mateSpan = 30
)

var (
	plotBand        = charts.ColorRGB(0xf0, 0xf0, 0xf0)
	plotMissedColor = charts.ColorRGB(0xc8, 0x2d, 0x2d)
	plotOtherColor  = charts.ColorRGB(0xe0, 0x9a, 0x1a)
	plotOnlyColor   = charts.ColorRGB(0x2e, 0x8b, 0x57)
)

// plotReview draws a game.
func plotReview(file string, g *record.Game, moves []review.Move, s *review.Summary, scale float64, whole bool) error {
	format, err := plotFormat(file)
	if err != nil {
		return err
	}
	p := gamePlot{
		canvas: canvas{charts.NewPainter(charts.PainterOptions{OutputFormat: format, Width: plotWidth, Height: plotHeight})},
		plies:  max(len(g.Moves), 1), scale: scale,
	}
	p.FilledRect(0, 0, plotWidth, plotHeight, charts.ColorWhite, charts.ColorWhite, 0)
	title := "A game"
	if g.Players != [2]string{} {
		title = fmt.Sprintf("%s against %s", g.Players[rules.Sente], g.Players[rules.Gote])
	}
	p.write(title, 18, plotLeft, 28, atStart)
	subtitle := capital(plies(s.Plies))
	if text := statusText(s.Status); text != "" {
		subtitle += ". " + text
	}
	p.write(subtitle+".", 12, plotLeft, 50, atStart)
	p.drawFrame()
	last := &s.Last
	if !whole {
		last = nil
	}
	p.drawValues(moves, last)
	p.drawMarks(moves)
	p.drawLegend()
	picture, err := p.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, picture, 0o666)
}

// gamePlot draws the parts of the picture.
type gamePlot struct {
	canvas
	plies int
	scale float64
}

// x returns where the position after so many plies is.
func (p *gamePlot) x(ply int) int { return plotLeft + (plotRight-plotLeft)*ply/p.plies }

// y returns where a value is that the side to move has; ok is false if nothing is known.
func (p *gamePlot) y(v *review.Value, sideToMove rules.Color) (y int, ok bool) {
	chance := 0.5
	switch {
	case v.By == review.ByMate:
		depth := min(v.Most, mateSpan) * (chanceTop - plotTop) / mateSpan
		if (v.Category == review.Win) == (sideToMove == rules.Sente) {
			return plotTop + depth, true
		}
		return plotBottom - depth, true
	case v.Category == review.Win:
		chance = 1
	case v.Category == review.Loss:
		chance = 0
	case v.Evaluation != nil:
		chance = v.Evaluation.Chance(p.scale)
	case v.Category == review.Unknown:
		return 0, false
	}
	if sideToMove == rules.Gote {
		chance = 1 - chance
	}
	return chanceBottom - int(chance*(chanceBottom-chanceTop)+0.5), true
}

func (p *gamePlot) drawFrame() {
	p.FilledRect(plotLeft, plotTop, plotRight, chanceTop, plotBand, plotBand, 0)
	p.FilledRect(plotLeft, chanceBottom, plotRight, plotBottom, plotBand, plotBand, 0)
	for percent := 0; percent <= 100; percent += 25 {
		y := chanceBottom - (chanceBottom-chanceTop)*percent/100
		p.LineStroke([]charts.Point{{X: plotLeft - 5, Y: y}, {X: plotRight, Y: y}}, plotGrid, 1)
		p.write(fmt.Sprintf("%d%%", percent), 11, plotLeft-9, y+4, atEnd)
	}
	p.write("Sente mates", 11, plotLeft+8, plotTop+16, atStart)
	p.write("Sente's chance of winning", 11, plotLeft+8, chanceTop+16, atStart)
	p.write("Gote mates", 11, plotLeft+8, plotBottom-8, atStart)
	every := 1
	for _, step := range []int{2, 5, 10, 20, 50, 100} {
		if p.x(every)-p.x(0) < 30 {
			every = step
		}
	}
	for n := 0; n <= p.plies; n += every {
		p.write(fmt.Sprint(n), 11, p.x(n), plotBottom+18, atMid)
	}
	p.write("plies", 12, plotRight, plotBottom+42, atEnd)
	p.LineStroke([]charts.Point{{X: plotLeft, Y: plotTop}, {X: plotLeft, Y: plotBottom}, {X: plotRight, Y: plotBottom}}, plotInk, 1)
}

// drawValues draws the values of all positions as a line, which has gaps where nothing is known.
func (p *gamePlot) drawValues(moves []review.Move, last *review.Value) {
	var line []charts.Point
	flush := func() {
		if len(line) == 1 {
			line = append(line, charts.Point{X: line[0].X + 1, Y: line[0].Y})
		}
		if len(line) > 1 {
			p.LineStroke(line, plotWinColor, 2)
		}
		line = nil
	}
	add := func(ply int, v *review.Value, sideToMove rules.Color) {
		y, ok := p.y(v, sideToMove)
		if !ok {
			flush()
			return
		}
		line = append(line, charts.Point{X: p.x(ply), Y: y})
	}
	for i := range moves {
		add(moves[i].Ply-1, &moves[i].Before, moves[i].Position.SideToMove())
	}
	if n := len(moves); n > 0 && last != nil && moves[n-1].Judgement != review.Illegal {
		add(moves[n-1].Ply, last, moves[n-1].Position.SideToMove().Other())
	}
	flush()
}

// plotMarks are the judgements that have a mark, its color, and the place of both in the legend.
var plotMarks = []struct {
	text       string
	x          int
	color      charts.Color
	judgements []review.Judgement
}{
	{"a mate missed or allowed, a blunder", plotLeft, plotMissedColor, []review.Judgement{review.MissedMate, review.AllowedMate, review.Blunder, review.Illegal}},
	{"longer or shorter than need be, a mistake", plotLeft + 260, plotOtherColor, []review.Judgement{review.Longer, review.Shortened, review.Mistake, review.Inaccuracy}},
	{"the only move", plotLeft + 560, plotOnlyColor, []review.Judgement{review.Only}},
}

// drawMarks draws a mark for each move that has one, at the position after it; on the line in the middle if nothing is known of that.
func (p *gamePlot) drawMarks(moves []review.Move) {
	for i := range moves {
		m := &moves[i]
		for _, mark := range plotMarks {
			for _, j := range mark.judgements {
				if j != m.Judgement {
					continue
				}
				y, ok := p.y(&m.After, m.Position.SideToMove().Other())
				if !ok {
					y = (chanceTop + chanceBottom) / 2
				}
				p.Circle(5, min(p.x(m.Ply), plotRight), y, mark.color, charts.ColorWhite, 1)
			}
		}
	}
}

func (p *gamePlot) drawLegend() {
	const y = plotBottom + 54
	for _, mark := range plotMarks {
		p.Circle(5, mark.x+5, y-4, mark.color, charts.ColorWhite, 1)
		p.write(mark.text, 11, mark.x+16, y, atStart)
	}
}
