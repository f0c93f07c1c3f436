/*
 * gogotb.h - exact values of minishogi positions, from the tables that gogotb makes.
 *
 *     gogotb_tables tables;
 *     gogotb_value value;
 *     if (gogotb_open("tables", 0, &tables) != GOGOTB_OK ||
 *         gogotb_probe_sfen(tables, "4k/5/5/5/K4 b RG 1", &value) != GOGOTB_OK)
 *             fprintf(stderr, "%s\n", gogotb_message());
 *
 * Every function but gogotb_message returns a status, GOGOTB_OK or what went wrong, and
 * writes its answer through its last pointers only if the status is GOGOTB_OK.
 *
 * Threads: all functions may be called from any number of threads at once.
 *
 * Signals: the library handles none, and leaves the actions of the program for them
 * alone. It never ends the program, and writes nothing to its standard streams.
 *
 * Fork: a process that was forked from one that had loaded the library cannot use it. There every function
 * returns GOGOTB_FORKED at once, whatever it was called with, until exec. The parent goes on as before.
 *
 * Valgrind: `make lib-valgrind` builds a library in which valgrind knows Go's memory; with it memcheck has
 * nothing to report. Run it with --leak-check=no: what Go has not freed yet is no leak.
 */
#ifndef GOGOTB_H
#define GOGOTB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can be said of a call. */
typedef enum gogotb_status {
	GOGOTB_OK = 0,
	GOGOTB_MISSING = 1,    /* no folder holds a table of the material */
	GOGOTB_CORRUPT = 2,    /* a table file is damaged, or is no table */
	GOGOTB_VERSION = 3,    /* a table of a version that this library does not read */
	GOGOTB_READ = 4,       /* a table file could not be read */
	GOGOTB_POSITION = 5,   /* not a legal position, or one that no table can have */
	GOGOTB_SFEN = 6,       /* the text is not an SFEN */
	GOGOTB_ARGUMENT = 7,   /* a null pointer, tables that are not open, no such rule */
	GOGOTB_NOT_CACHED = 8, /* gogotb_probe_cached would have had to read a file */
	GOGOTB_ROOM = 9,       /* there are more moves than room for them */
	GOGOTB_INTERNAL = 10,  /* an error in the library */
	GOGOTB_FORKED = 11     /* this process was forked from one that uses the library */
} gogotb_status;

/* Open tables; 0 never stands for any. */
typedef uint64_t gogotb_tables;

/*
 * A position is
 * - board: 25 pieces in reading order, as in SFEN: 5a 4a 3a 2a 1a 5b ... 1e;
 * - hands: ten counts, of R B G S P in Sente's hand, then in Gote's;
 * - turn: the side to move, GOGOTB_SENTE or GOGOTB_GOTE.
 * A piece of Gote is a kind + GOGOTB_GOTE_PIECE.
 */
enum {
	GOGOTB_EMPTY = 0,
	GOGOTB_ROOK = 1,
	GOGOTB_BISHOP = 2,
	GOGOTB_GOLD = 3,
	GOGOTB_SILVER = 4,
	GOGOTB_PAWN = 5,
	GOGOTB_KING = 6,
	GOGOTB_DRAGON = 7, /* promoted rook */
	GOGOTB_HORSE = 8,  /* promoted bishop */
	GOGOTB_PROMOTED_SILVER = 10,
	GOGOTB_TOKIN = 11, /* promoted pawn */
	GOGOTB_GOTE_PIECE = 16
};
enum { GOGOTB_SENTE = 0, GOGOTB_GOTE = 1 };

/* What a position comes to for the side to move, with best play and no history. */
enum {
	GOGOTB_OPEN = 1, /* neither side can force a win */
	GOGOTB_MATE_WIN = 2,
	GOGOTB_MATE_LOSS = 3,
	GOGOTB_PERPETUAL_WIN = 4, /* the opponent can hold out only by perpetual check, which loses */
	GOGOTB_PERPETUAL_LOSS = 5
};

typedef struct gogotb_value {
	uint8_t outcome; /* GOGOTB_OPEN ... GOGOTB_PERPETUAL_LOSS */
	uint8_t exact;   /* 1: number is known; 0: it needs a table of distances that is not there */
	uint16_t number; /* plies to the end of the game for values by mate, the rank for those by
	                    perpetual check, otherwise 0 */
} gogotb_value;

typedef struct gogotb_move {
	char usi[8];        /* "5e4d", "5b5a+", "G*3c" */
	uint8_t from;       /* square 0..24, or 24 + the kind dropped: 25 for a rook ... 29 for a pawn */
	uint8_t to;         /* square */
	uint8_t promotes;   /* 1 if the piece promotes */
	uint8_t reserved;   /* 0 */
	gogotb_value value; /* of the position after the move, for the opponent, who is to move in it */
} gogotb_move;

/* No position has more legal moves. */
#define GOGOTB_MAX_MOVES 224

/* Who wins an open position; it decides the order of moves. */
enum {
	GOGOTB_REPETITION_DRAW = 0,        /* nobody */
	GOGOTB_REPETITION_SENTE_LOSES = 1, /* first-player-loses, Sente made the first move of the game */
	GOGOTB_REPETITION_GOTE_LOSES = 2   /* the same, and Gote did */
};

/*
 * Opens the tables in some folders, which are separated as in PATH (":"; on Windows ";"). A set of which
 * two folders have tables is taken from the first. Files are opened when first needed, so
 * folders may be empty, or not there yet; names must not be empty (GOGOTB_ARGUMENT). cache_bytes is the size of the cache of unpacked
 * blocks; 0: 64 MiB.
 */
int gogotb_open(const char *folders, size_t cache_bytes, gogotb_tables *tables);

/* Closes tables, when calls that are using them have ended. */
int gogotb_close(gogotb_tables tables);

/* The value of a position. */
int gogotb_probe(gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn,
                 gogotb_value *value);

/* The value of a position given as an SFEN. */
int gogotb_probe_sfen(gogotb_tables tables, const char *sfen, gogotb_value *value);

/* The outcome of a position alone, which is quicker, and needs no table of distances. */
int gogotb_probe_outcome(gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn,
                         uint8_t *outcome);

/*
 * The value of a position without reading a file, for use inside a search: if that takes more than
 * what is in memory, the status is GOGOTB_NOT_CACHED. The value may be less exact than
 * that of gogotb_probe.
 */
int gogotb_probe_cached(gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn,
                        gogotb_value *value);

/*
 * All legal moves of a position, best first, and their number in *count. moves has room for
 * that many; if there are more the status is GOGOTB_ROOM. GOGOTB_MAX_MOVES are always enough.
 */
int gogotb_root_moves(gogotb_tables tables, const uint8_t board[25], const uint8_t hands[10], int turn,
                      int repetition, gogotb_move *moves, size_t room, size_t *count);

/* The same for a position given as an SFEN. */
int gogotb_root_moves_sfen(gogotb_tables tables, const char *sfen, int repetition, gogotb_move *moves, size_t room,
                           size_t *count);

/*
 * What went wrong in the last call by this thread that did not return GOGOTB_OK: one line of text
 * in UTF-8. It stays where it is until the next such call.
 */
const char *gogotb_message(void);

#ifdef __cplusplus
}
#endif

#endif
