package main

// #include "gogotb.h"
import "C"

import (
	"context"
	"math"
	"time"

	"gogotb/verify/mate"
)

//export libgogotb_solve
func libgogotb_solve(position *C.gogotb_position, options *C.gogotb_solve_options, solution *C.gogotb_solution,
	line *C.gogotb_move, room C.size_t, count *C.size_t) C.int {
	return guard(func() error {
		if solution == nil || noList(line, room, count) {
			return errNull
		}
		p, err := positionOf(position)
		if err != nil {
			return err
		}
		opt, hash, err := solveOptions(options)
		if err != nil {
			return err
		}
		r, err := mate.New(hash).Solve(context.Background(), &p, opt)
		if err != nil {
			return err
		}
		if r.Cause == mate.ErrCollision {
			return r.Cause
		}
		if err := writeList(lineOf(p, r.Line), line, room, count); err != nil {
			return err
		}
		*solution = C.gogotb_solution{dtm: -1, max_plies: -1, nodes: C.uint64_t(r.Nodes), seconds: C.double(r.Elapsed.Seconds())}
		switch r.Verdict {
		case mate.MateIn:
			solution.result, solution.dtm = C.GOGOTB_SOLVE_WIN, C.int32_t(r.Plies)
		case mate.MatedIn:
			solution.result, solution.dtm = C.GOGOTB_SOLVE_LOSS, C.int32_t(r.Plies)
		case mate.NoMate:
			solution.result = C.GOGOTB_SOLVE_NO_MATE
		case mate.NoMateWithin:
			solution.result, solution.max_plies = C.GOGOTB_SOLVE_NO_MATE, C.int32_t(r.Plies)
		}
		return nil
	})
}

// longest is about how many seconds a time.Duration can hold.
const longest = math.MaxInt64 / float64(time.Second) / 2

// solveOptions returns the options of a C program, and the size of the hash table.
func solveOptions(o *C.gogotb_solve_options) (opt mate.Options, hash int64, err error) {
	if o == nil {
		return opt, mate.DefaultHash, nil
	}
	seconds := float64(o.seconds)
	switch {
	case o.tsume > 1:
		return opt, 0, argumentError("tsume is neither 0 nor 1")
	case o.max_plies > C.GOGOTB_MAX_LINE:
		return opt, 0, argumentError("max_plies is more than GOGOTB_MAX_LINE")
	case !(seconds >= 0 && seconds <= longest):
		return opt, 0, argumentError("seconds is no time")
	case o.hash_bytes > 1<<40:
		return opt, 0, argumentError("hash_bytes is more than a TiB")
	}
	opt = mate.Options{
		Tsume:    o.tsume == 1,
		MaxPlies: int(o.max_plies),
		MaxNodes: uint64(o.max_nodes),
		Timeout:  time.Duration(seconds * float64(time.Second)),
	}
	hash = int64(o.hash_bytes)
	if hash == 0 {
		hash = mate.DefaultHash
	}
	return opt, hash, nil
}
