package main

// #include <string.h>
// #include "gogotb.h"
import "C"

import (
	"unsafe"

	"gogotb/rules"
	"gogotb/storage"
)

// goString copies a text. C.GoString would look for its end some bytes at a time, and so beyond it, which valgrind
// takes for a mistake.
func goString(text *C.char) string { return C.GoStringN(text, C.int(C.strlen(text))) }

// setText writes a text with its final 0 into an array, which is larger.
func setText(to []C.char, text string) {
	for i, letter := range []byte(text) {
		to[i] = C.char(letter)
	}
	to[len(text)] = 0
}

func flag(b bool) C.uint8_t {
	if b {
		return 1
	}
	return 0
}

// noList tells whether a list cannot be written because there is a null pointer.
func noList[T any](to *T, room C.size_t, count *C.size_t) bool {
	return count == nil || to == nil && room > 0
}

// writeList writes a list to where there is room for it.
func writeList[T any](list []T, to *T, room C.size_t, count *C.size_t) error {
	*count = C.size_t(len(list))
	if uint64(len(list)) > uint64(room) {
		return errRoom
	}
	copy(unsafe.Slice(to, len(list)), list)
	return nil
}

// positionOf checks a position of a C program.
func positionOf(position *C.gogotb_position) (rules.Position, error) {
	if position == nil {
		return rules.Position{}, errNull
	}
	var board [rules.Squares]rules.Piece
	for s, piece := range position.board {
		board[s] = rules.Piece(piece)
	}
	var hands [2]rules.Hand
	for i, n := range position.hands {
		hands[i/rules.HandKinds][i%rules.HandKinds] = uint8(n)
	}
	return rules.New(board, hands, rules.Color(position.side_to_move))
}

// setPosition gives a position to a C program.
func setPosition(to *C.gogotb_position, p *rules.Position) {
	*to = C.gogotb_position{side_to_move: C.uint8_t(p.SideToMove())}
	for s := range rules.Square(rules.Squares) {
		to.board[s] = C.uint8_t(p.At(s))
	}
	for i := range to.hands {
		hand := p.Hand(rules.Color(i / rules.HandKinds))
		to.hands[i] = C.uint8_t(hand[i%rules.HandKinds])
	}
}

// moveOf describes a legal move of a position.
func moveOf(p *rules.Position, m rules.Move) C.gogotb_move {
	c := C.gogotb_move{from: C.uint8_t(m.From()), to: C.uint8_t(m.To()), promotes: flag(m.Promotes())}
	setText(c.usi[:], m.USI())
	setText(c.western[:], p.Western(m))
	return c
}

// lineOf describes moves that follow one another.
func lineOf(p rules.Position, moves []rules.Move) []C.gogotb_move {
	list := make([]C.gogotb_move, len(moves))
	for i, m := range moves {
		list[i] = moveOf(&p, m)
		p.Make(m)
	}
	return list
}

// valueOf returns what the tables say of a position.
func valueOf(r storage.Result, check bool) C.gogotb_value {
	v := C.gogotb_value{outcome: C.uint8_t(r.Value.Outcome()), check: flag(check), dtm: -1, rank: -1}
	switch o := r.Value.Outcome(); {
	case !r.Exact:
	case o.ByMate():
		v.dtm = C.int16_t(r.Value.Number())
	case o.ByPerpetual():
		v.rank = C.int16_t(r.Value.Number())
	}
	return v
}

// ruleOf returns the rule of repetition that a number stands for.
func ruleOf(repetition C.int) (storage.Adjudication, error) {
	switch repetition {
	case C.GOGOTB_REPETITION_DRAW:
		return storage.Adjudication{}, nil
	case C.GOGOTB_REPETITION_SENTE_LOSES:
		return storage.Adjudication{Repetition: rules.FirstPlayerLoses, FirstPlayer: rules.Sente}, nil
	case C.GOGOTB_REPETITION_GOTE_LOSES:
		return storage.Adjudication{Repetition: rules.FirstPlayerLoses, FirstPlayer: rules.Gote}, nil
	}
	return storage.Adjudication{}, argumentError("no such rule of repetition")
}
