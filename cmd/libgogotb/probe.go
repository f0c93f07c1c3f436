package main

// #include "gogotb.h"
import "C"

import (
	"context"

	"gogotb/cmd/internal/history"
	"gogotb/cmd/internal/position"
	"gogotb/rules"
	"gogotb/storage"
)

//export libgogotb_probe
func libgogotb_probe(tables C.gogotb_tables, position *C.gogotb_position, value *C.gogotb_value) C.int {
	return withPosition(tables, position, value == nil, func(t *storage.Tables, p *rules.Position) error {
		r, err := t.Probe(p)
		if err == nil {
			*value = valueOf(r, p.InCheck())
		}
		return err
	})
}

//export libgogotb_probe_outcome
func libgogotb_probe_outcome(tables C.gogotb_tables, position *C.gogotb_position, outcome *C.uint8_t) C.int {
	return withPosition(tables, position, outcome == nil, func(t *storage.Tables, p *rules.Position) error {
		o, err := t.Outcome(p)
		if err == nil {
			*outcome = C.uint8_t(o)
		}
		return err
	})
}

//export libgogotb_probe_cached
func libgogotb_probe_cached(tables C.gogotb_tables, position *C.gogotb_position, value *C.gogotb_value) C.int {
	return withPosition(tables, position, value == nil, func(t *storage.Tables, p *rules.Position) error {
		r, ok := t.SoftProbe(p)
		if !ok {
			return errNotCached
		}
		*value = valueOf(r, p.InCheck())
		return nil
	})
}

//export libgogotb_root_moves
func libgogotb_root_moves(tables C.gogotb_tables, position *C.gogotb_position, repetition C.int,
	moves *C.gogotb_root_move, room C.size_t, count *C.size_t) C.int {
	return withPosition(tables, position, noList(moves, room, count), func(t *storage.Tables, p *rules.Position) error {
		rule, err := ruleOf(repetition)
		if err != nil {
			return err
		}
		found, err := t.Moves(p, rule)
		if err != nil {
			return err
		}
		list := make([]C.gogotb_root_move, len(found))
		for i, m := range found {
			list[i] = rootMove(p, m.Move, m.Result)
		}
		return writeList(list, moves, room, count)
	})
}

//export libgogotb_game_moves
func libgogotb_game_moves(tables C.gogotb_tables, text *C.char, repetition C.int,
	moves *C.gogotb_root_move, room C.size_t, count *C.size_t) C.int {
	return withTables(tables, func(t *storage.Tables) error {
		if text == nil || noList(moves, room, count) {
			return errNull
		}
		rule, err := ruleOf(repetition)
		if err != nil {
			return err
		}
		start, played, err := position.ReadGame(goString(text))
		if err != nil {
			return err
		}
		game, err := history.New(start, played, rule)
		if err != nil {
			return err
		}
		found, err := history.Moves(context.Background(), t, game)
		if err != nil {
			return err
		}
		p := game.Position()
		list := make([]C.gogotb_root_move, len(found))
		for i, m := range found {
			list[i] = rootMove(&p, m.Move, game.Result(m))
		}
		return writeList(list, moves, room, count)
	})
}

// rootMove describes a move and what the position after it comes to.
func rootMove(p *rules.Position, m rules.Move, r storage.Result) C.gogotb_root_move {
	return C.gogotb_root_move{move: moveOf(p, m), value: valueOf(r, p.GivesCheck(m))}
}

//export libgogotb_line
func libgogotb_line(tables C.gogotb_tables, position *C.gogotb_position, moves *C.gogotb_move, room C.size_t,
	count *C.size_t) C.int {
	return withPosition(tables, position, noList(moves, room, count), func(t *storage.Tables, p *rules.Position) error {
		line, err := t.Line(p)
		if err != nil {
			return err
		}
		return writeList(lineOf(*p, line), moves, room, count)
	})
}

// withPosition runs f for tables and a position, unless there is no place for the answer.
func withPosition(tables C.gogotb_tables, position *C.gogotb_position, noAnswer bool,
	f func(*storage.Tables, *rules.Position) error) C.int {
	return withTables(tables, func(t *storage.Tables) error {
		if noAnswer {
			return errNull
		}
		p, err := positionOf(position)
		if err != nil {
			return err
		}
		return f(t, &p)
	})
}
