package dialect

import (
	"errors"
	"fmt"
	"strings"

	"gogotb/rules"
)

// Dialect is a protocol.
type Dialect uint8

const (
	USI Dialect = iota
	UCI
)

// String returns the command that greets an engine.
func (d Dialect) String() string {
	if d == UCI {
		return "uci"
	}
	return "usi"
}

// Move writes a move.
func (d Dialect) Move(m rules.Move) string {
	if d == UCI {
		return FairyMove(m)
	}
	return m.USI()
}

// Line writes moves with spaces between them.
func (d Dialect) Line(moves []rules.Move) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = d.Move(m)
	}
	return strings.Join(texts, " ")
}

// ParseMove reads a move. A piece that could promote and does not may have a "=" behind its move: XBoard writes it, and
// Fairy-Stockfish reads it.
func (d Dialect) ParseMove(text string) (rules.Move, error) {
	parse := rules.ParseUSI
	if d == UCI {
		parse = ParseFairyMove
	}
	m, err := parse(text)
	if err == nil {
		return m, nil
	}
	if declined, ok := strings.CutSuffix(text, "="); ok {
		if m, err := parse(declined); err == nil && !m.IsDrop() && !m.Promotes() {
			return m, nil
		}
	}
	return 0, err
}

// Position returns the command that sets a position up and plays moves.
func (d Dialect) Position(start *rules.Position, moves []rules.Move) string {
	text := "position sfen " + start.SFEN()
	if d == UCI {
		text = "position fen " + FEN(start)
	}
	if len(moves) > 0 {
		text += " moves " + d.Line(moves)
	}
	return text
}

// ParsePosition reads the words of that command behind "position". In both dialects it
// takes startpos, sfen and fen. Moves are read, but not played.
func (d Dialect) ParsePosition(words []string) (start rules.Position, moves []rules.Move, err error) {
	if len(words) == 0 {
		return start, nil, errors.New("position: startpos, sfen or fen missing")
	}
	end := 1
	for end < len(words) && words[end] != "moves" {
		end++
	}
	text := strings.Join(words[1:end], " ")
	switch words[0] {
	case "startpos":
		if text != "" {
			return start, nil, fmt.Errorf("position: %q follows startpos", text)
		}
		start, err = rules.ParseSFEN(rules.StartSFEN)
	case "sfen":
		start, err = rules.ParseSFEN(text)
	case "fen":
		start, err = ParseFEN(text)
	default:
		err = fmt.Errorf("position: %q is not startpos, sfen or fen", words[0])
	}
	if err != nil || end == len(words) {
		return start, nil, err
	}
	for _, word := range words[end+1:] {
		m, err := d.ParseMove(word)
		if err != nil {
			return start, nil, err
		}
		moves = append(moves, m)
	}
	return start, moves, nil
}
