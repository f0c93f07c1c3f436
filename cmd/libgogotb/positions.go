package main

// #include "gogotb.h"
import "C"

import (
	"slices"
	"strings"
	"unsafe"

	"gogotb/cmd/internal/position"
	"gogotb/rules"
)

//export libgogotb_read_position
func libgogotb_read_position(text *C.char, to *C.gogotb_position) C.int {
	return guard(func() error {
		if text == nil || to == nil {
			return errNull
		}
		p, err := position.Read(goString(text))
		if err == nil {
			setPosition(to, &p)
		}
		return err
	})
}

//export libgogotb_write_sfen
func libgogotb_write_sfen(from *C.gogotb_position, sfen *C.char) C.int {
	return guard(func() error {
		p, err := positionOf(from)
		if err != nil {
			return err
		}
		if sfen == nil {
			return errNull
		}
		setText(unsafe.Slice(sfen, C.GOGOTB_SFEN_SIZE), p.SFEN())
		return nil
	})
}

//export libgogotb_legal_moves
func libgogotb_legal_moves(from *C.gogotb_position, moves *C.gogotb_move, room C.size_t, count *C.size_t) C.int {
	return guard(func() error {
		if noList(moves, room, count) {
			return errNull
		}
		p, err := positionOf(from)
		if err != nil {
			return err
		}
		legal := p.Moves(nil)
		slices.SortFunc(legal, func(a, b rules.Move) int { return strings.Compare(a.USI(), b.USI()) })
		list := make([]C.gogotb_move, len(legal))
		for i, m := range legal {
			list[i] = moveOf(&p, m)
		}
		return writeList(list, moves, room, count)
	})
}
