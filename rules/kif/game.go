package kif

import "gogotb/rules"

// Game is a game or a puzzle: where it starts, its moves and the variations.
type Game struct {
	// Headers are all but those that tell where the pieces are, in their order.
	Headers []Header
	Start   rules.Position
	// Line holds the moves of the game; its Ply is 1.
	Line
	// FileLine is the line of the file, from 1, in which the game starts.
	FileLine int
}

// Header is a line "key：value".
type Header struct{ Key, Value string }

// Header is the value of the first header with that key, or "".
func (g *Game) Header(key string) string {
	for _, h := range g.Headers {
		if h.Key == key {
			return h.Value
		}
	}
	return ""
}

// Line is a sequence of moves from some position of a game on.
type Line struct {
	// Ply is the number of the first move, from 1.
	Ply   int
	Moves []rules.Move
	// Illegal is a move after those that is understood but breaks a rule, 0 if there is none. The
	// rest of the line is not read then, nor are variations that leave it there.
	Illegal rules.Move
	// End is how the line is said to end, if it is.
	End End
	// Variations leave the line at their own Ply, which is at most one beyond the
	// last move. Except in the line of the game, it is greater than the line's Ply: what
	// replaces the first move of a variation is another variation of the line above.
	Variations []Line
}

// End is how a line ends, in the word of the file; "" if nothing is said.
type End string

// The ends that files have.
const (
	Resigns        End = "投了"
	Interrupted    End = "中断"
	Checkmate      End = "詰み"
	NoCheckmate    End = "不詰"
	Repetition     End = "千日手"
	Impasse        End = "持将棋"
	OutOfTime      End = "切れ負け"
	IllegalLoses   End = "反則負け"
	IllegalWins    End = "反則勝ち"
	EnteringWins   End = "入玉勝ち"
	LosesByDefault End = "不戦敗"
	shortCheckmate End = "詰"
)

var ends = []End{
	Resigns, Interrupted, Checkmate, NoCheckmate, Repetition, Impasse, OutOfTime,
	IllegalLoses, IllegalWins, EnteringWins, LosesByDefault,
}

// parseEnd reads the word that stands in the place of a move.
func parseEnd(text string) (End, bool) {
	if End(text) == shortCheckmate {
		return Checkmate, true
	}
	for _, e := range ends {
		if End(text) == e {
			return e, true
		}
	}
	return "", false
}
