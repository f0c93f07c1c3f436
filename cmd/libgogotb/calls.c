//go:build cgo

// The functions of the header. Each of them calls the Go function that does the work, but not in a
// process that was forked: of Go's threads only the one that forked lives on there, and a call would
// wait for the others for ever.

#include "gogotb.h"
#include "internal.h"

#define FORWARD(name, parameters, arguments)                               \
	extern int libgogotb_##name parameters;                                \
	int gogotb_##name parameters {                                         \
		return libgogotb_forked() ? refuse() : libgogotb_##name arguments; \
	}

static int refuse(void) {
	static const char text[] = "this process was forked, and its parent uses the library: it can only call exec";
	libgogotb_set_message(text, sizeof text - 1);
	return GOGOTB_FORKED;
}

FORWARD(version, (gogotb_versions *versions), (versions))
FORWARD(addresses, (int *reads), (reads))
FORWARD(open,
        (const char *folders, size_t cache_bytes, gogotb_tables *tables),
        (folders, cache_bytes, tables))
FORWARD(close, (gogotb_tables tables), (tables))
FORWARD(list_sets,
        (gogotb_tables tables, gogotb_set *sets, size_t room, size_t *count),
        (tables, sets, room, count))
FORWARD(largest, (gogotb_tables tables, int *pieces), (tables, pieces))
FORWARD(load_outcomes, (gogotb_tables tables, const char *material), (tables, material))
FORWARD(get_cache_stats, (gogotb_tables tables, gogotb_cache_stats *stats), (tables, stats))
FORWARD(get_stats,
        (gogotb_tables tables, const char *material, gogotb_stats *stats),
        (tables, material, stats))
FORWARD(get_counts,
        (gogotb_tables tables, const char *material, int which, uint64_t *counts, size_t room, size_t *count),
        (tables, material, which, counts, room, count))
FORWARD(read_position, (const char *text, gogotb_position *position), (text, position))
FORWARD(write_sfen, (const gogotb_position *position, char sfen[GOGOTB_SFEN_SIZE]), (position, sfen))
FORWARD(legal_moves,
        (const gogotb_position *position, gogotb_move *moves, size_t room, size_t *count),
        (position, moves, room, count))
FORWARD(probe,
        (gogotb_tables tables, const gogotb_position *position, gogotb_value *value),
        (tables, position, value))
FORWARD(probe_outcome,
        (gogotb_tables tables, const gogotb_position *position, uint8_t *outcome),
        (tables, position, outcome))
FORWARD(probe_cached,
        (gogotb_tables tables, const gogotb_position *position, gogotb_value *value),
        (tables, position, value))
FORWARD(root_moves,
        (gogotb_tables tables, const gogotb_position *position, int repetition, gogotb_root_move *moves,
         size_t room, size_t *count),
        (tables, position, repetition, moves, room, count))
FORWARD(game_moves,
        (gogotb_tables tables, const char *game, int repetition, gogotb_root_move *moves, size_t room,
         size_t *count),
        (tables, game, repetition, moves, room, count))
FORWARD(line,
        (gogotb_tables tables, const gogotb_position *position, gogotb_move *moves, size_t room, size_t *count),
        (tables, position, moves, room, count))
FORWARD(solve,
        (const gogotb_position *position, const gogotb_solve_options *options, gogotb_solution *solution,
         gogotb_move *line, size_t room, size_t *count),
        (position, options, solution, line, room, count))
