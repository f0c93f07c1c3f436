package main

// #include <string.h>
// #include "gogotb.h"
// #include "internal.h"
import "C"

import (
	"path/filepath"
	"unsafe"

	"gogotb/rules"
	"gogotb/storage"
)

// The runtime has started by now, and no exported function runs before this has.
func init() { C.libgogotb_restore_signals() }

//export libgogotb_open
func libgogotb_open(folders *C.char, cacheBytes C.size_t, tables *C.gogotb_tables) C.int {
	return guard(func() error {
		if folders == nil || tables == nil {
			return errNull
		}
		dirs := filepath.SplitList(goString(folders))
		t, err := storage.Open(dirs, &storage.Options{CacheBytes: int64(cacheBytes)})
		if err != nil {
			return err
		}
		*tables = C.gogotb_tables(openTables.register(t))
		return nil
	})
}

//export libgogotb_close
func libgogotb_close(tables C.gogotb_tables) C.int {
	return guard(func() error {
		open, err := openTables.unregister(uint64(tables))
		if !open {
			return errNotOpen
		}
		return err
	})
}

//export libgogotb_probe
func libgogotb_probe(tables C.gogotb_tables, board, hands *C.uint8_t, turn C.int, value *C.gogotb_value) C.int {
	return withPosition(tables, board, hands, turn, unsafe.Pointer(value), func(t *storage.Tables, p *rules.Position) error {
		return probe(t, p, value)
	})
}

//export libgogotb_probe_sfen
func libgogotb_probe_sfen(tables C.gogotb_tables, sfen *C.char, value *C.gogotb_value) C.int {
	return withSFEN(tables, sfen, unsafe.Pointer(value), func(t *storage.Tables, p *rules.Position) error {
		return probe(t, p, value)
	})
}

func probe(t *storage.Tables, p *rules.Position, value *C.gogotb_value) error {
	r, err := t.Probe(p)
	if err == nil {
		*value = valueOf(r)
	}
	return err
}

//export libgogotb_probe_outcome
func libgogotb_probe_outcome(tables C.gogotb_tables, board, hands *C.uint8_t, turn C.int, outcome *C.uint8_t) C.int {
	return withPosition(tables, board, hands, turn, unsafe.Pointer(outcome), func(t *storage.Tables, p *rules.Position) error {
		o, err := t.Outcome(p)
		if err == nil {
			*outcome = C.uint8_t(o)
		}
		return err
	})
}

//export libgogotb_probe_cached
func libgogotb_probe_cached(tables C.gogotb_tables, board, hands *C.uint8_t, turn C.int, value *C.gogotb_value) C.int {
	return withPosition(tables, board, hands, turn, unsafe.Pointer(value), func(t *storage.Tables, p *rules.Position) error {
		r, ok := t.SoftProbe(p)
		if !ok {
			return errNotCached
		}
		*value = valueOf(r)
		return nil
	})
}

//export libgogotb_root_moves
func libgogotb_root_moves(tables C.gogotb_tables, board, hands *C.uint8_t, turn, repetition C.int,
	moves *C.gogotb_move, room C.size_t, count *C.size_t) C.int {
	return withPosition(tables, board, hands, turn, unsafe.Pointer(count), func(t *storage.Tables, p *rules.Position) error {
		return rootMoves(t, p, repetition, moves, room, count)
	})
}

//export libgogotb_root_moves_sfen
func libgogotb_root_moves_sfen(tables C.gogotb_tables, sfen *C.char, repetition C.int,
	moves *C.gogotb_move, room C.size_t, count *C.size_t) C.int {
	return withSFEN(tables, sfen, unsafe.Pointer(count), func(t *storage.Tables, p *rules.Position) error {
		return rootMoves(t, p, repetition, moves, room, count)
	})
}

func rootMoves(t *storage.Tables, p *rules.Position, repetition C.int, moves *C.gogotb_move, room C.size_t, count *C.size_t) error {
	if moves == nil {
		return errNull
	}
	var rule storage.Adjudication
	switch repetition {
	case C.GOGOTB_REPETITION_DRAW:
	case C.GOGOTB_REPETITION_SENTE_LOSES:
		rule = storage.Adjudication{Repetition: rules.FirstPlayerLoses, FirstPlayer: rules.Sente}
	case C.GOGOTB_REPETITION_GOTE_LOSES:
		rule = storage.Adjudication{Repetition: rules.FirstPlayerLoses, FirstPlayer: rules.Gote}
	default:
		return argumentError("no such rule of repetition")
	}
	list, err := t.Moves(p, rule)
	if err != nil {
		return err
	}
	if uint64(len(list)) > uint64(room) {
		return errRoom
	}
	for i, m := range unsafe.Slice(moves, len(list)) {
		m = C.gogotb_move{
			from:  C.uint8_t(list[i].Move.From()),
			to:    C.uint8_t(list[i].Move.To()),
			value: valueOf(list[i].Result),
		}
		for j, letter := range []byte(list[i].Move.USI()) {
			m.usi[j] = C.char(letter)
		}
		if list[i].Move.Promotes() {
			m.promotes = 1
		}
		unsafe.Slice(moves, len(list))[i] = m
	}
	*count = C.size_t(len(list))
	return nil
}

func valueOf(r storage.Result) C.gogotb_value {
	v := C.gogotb_value{outcome: C.uint8_t(r.Value.Outcome()), number: C.uint16_t(r.Value.Number())}
	if r.Exact {
		v.exact = 1
	}
	return v
}

// withPosition runs f for a position given by arrays.
func withPosition(tables C.gogotb_tables, board, hands *C.uint8_t, turn C.int, answer unsafe.Pointer,
	f func(*storage.Tables, *rules.Position) error) C.int {
	return guard(func() error {
		if board == nil || hands == nil || answer == nil {
			return errNull
		}
		if turn != C.GOGOTB_SENTE && turn != C.GOGOTB_GOTE {
			return argumentError("no such side to move")
		}
		t := openTables.use(uint64(tables))
		if t == nil {
			return errNotOpen
		}
		defer t.RUnlock()
		p, err := rules.New(*(*[rules.Squares]rules.Piece)(unsafe.Pointer(board)), *(*[2]rules.Hand)(unsafe.Pointer(hands)), rules.Color(turn))
		if err != nil {
			return err
		}
		return f(t.Tables, &p)
	})
}

// withSFEN runs f for a position given as text.
func withSFEN(tables C.gogotb_tables, sfen *C.char, answer unsafe.Pointer, f func(*storage.Tables, *rules.Position) error) C.int {
	return guard(func() error {
		if sfen == nil || answer == nil {
			return errNull
		}
		t := openTables.use(uint64(tables))
		if t == nil {
			return errNotOpen
		}
		defer t.RUnlock()
		p, err := rules.ParseSFEN(goString(sfen))
		if err != nil {
			return err
		}
		return f(t.Tables, &p)
	})
}

// goString copies a text. C.GoString would look for its end some bytes at a time, and so beyond it, which valgrind
// takes for a mistake.
func goString(text *C.char) string { return C.GoStringN(text, C.int(C.strlen(text))) }
