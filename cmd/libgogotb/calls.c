//go:build cgo

// The functions of the header. Each of them calls the Go function that does the work, lib.go's, but for a
// process that was forked: of Go's threads only the one that forked lives on there, and a call would
// wait for the others for ever.

#include "gogotb.h"
#include "internal.h"

#define FORWARD(name, parameters, arguments)                            \
	extern int libgogotb_##name parameters;                             \
	int gogotb_##name parameters {                                      \
		return libgogotb_forked() ? refuse() : libgogotb_##name arguments; \
	}

static int refuse(void) {
	static const char text[] = "this process was forked, and its parent uses the library: it can only call exec";
	libgogotb_set_message(text, sizeof text - 1);
	return GOGOTB_FORKED;
}

FORWARD(open, (const char *folders, size_t cache_bytes, gogotb_tables *tables), (folders, cache_bytes, tables))
FORWARD(close, (gogotb_tables tables), (tables))
FORWARD(probe,
        (gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn, gogotb_value *value),
        (tables, board, hands, turn, value))
FORWARD(probe_sfen, (gogotb_tables tables, const char *sfen, gogotb_value *value), (tables, sfen, value))
FORWARD(probe_outcome,
        (gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn, uint8_t *outcome),
        (tables, board, hands, turn, outcome))
FORWARD(probe_cached,
        (gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn, gogotb_value *value),
        (tables, board, hands, turn, value))
FORWARD(root_moves,
        (gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn, int repetition,
         gogotb_move *moves, size_t room, size_t *count),
        (tables, board, hands, turn, repetition, moves, room, count))
FORWARD(root_moves_sfen,
        (gogotb_tables tables, const char *sfen, int repetition, gogotb_move *moves, size_t room, size_t *count),
        (tables, sfen, repetition, moves, room, count))
