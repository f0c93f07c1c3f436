package review

import (
	"slices"

	"gogotb/rules"
	"gogotb/rules/record"
)

// betterVariations is how many of the moves that avoid a mate Annotate adds to a game.
const betterVariations = 3

// Annotate returns a copy of a game with what a review says of its moves: comment returns the lines for one, and what was missed or allowed
// becomes a variation.
func Annotate(rec *record.Game, moves []Move, comment func(*Move) []string) *record.Game {
	g := *rec
	g.Moves, g.Variations = slices.Clone(rec.Moves), slices.Clone(rec.Variations)
	for i := range moves {
		m := &moves[i]
		if m.Judgement == Illegal {
			continue
		}
		at := &g.Moves[m.Ply-1]
		at.Comments = slices.Concat(at.Comments, comment(m))
		switch {
		case m.Judgement == AllowedMate:
			for _, other := range m.Better[:min(len(m.Better), betterVariations)] {
				vary(&g, m.Ply, m.Position, []rules.Move{other})
			}
			after := m.Position
			after.Make(m.Move)
			vary(&g, m.Ply+1, after, m.Line[1:])
		case len(m.Line) > 0:
			vary(&g, m.Ply, m.Position, m.Line)
		case len(m.Better) > 0 && m.Judgement != OK && m.Judgement != Best:
			vary(&g, m.Ply, m.Position, m.Better[:1])
		}
	}
	return &g
}

// vary adds a variation that leaves a game at a ply, p, unless it is what was played.
func vary(g *record.Game, ply int, p rules.Position, moves []rules.Move) {
	rest := g.Played()[ply-1:]
	if len(moves) == 0 || len(rest) >= len(moves) && slices.Equal(rest[:len(moves)], moves) {
		return
	}
	line := record.Line{Ply: ply}
	for _, m := range moves {
		line.Moves = append(line.Moves, record.Move{Move: m})
		p.Make(m)
	}
	if !p.HasMove() {
		line.End.Kind = record.Checkmate
	}
	if len(rest) == 0 && g.End.Kind == record.NoEnd {
		g.End.Kind = record.Interrupted // a variation has to leave something
	}
	g.Variations = append(g.Variations, line)
}
