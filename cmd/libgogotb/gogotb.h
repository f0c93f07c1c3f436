/*
 * gogotb.h - exact values of minishogi positions, from the tables that gogotb makes.
 *
 *     gogotb_tables tables;
 *     gogotb_position position;
 *     gogotb_value value;
 *     if (gogotb_open("tables", 0, &tables) != GOGOTB_OK ||
 *         gogotb_read_position("4k/5/5/5/K4 b RG", &position) != GOGOTB_OK ||
 *         gogotb_probe(tables, &position, &value) != GOGOTB_OK)
 *             fprintf(stderr, "%s\n", gogotb_message());
 *
 * Every function but gogotb_message returns a status, GOGOTB_OK or what went wrong. It writes through its last
 * pointers only if the status is GOGOTB_OK. Functions that write lists are given room for a number of entries
 * and write how many there are to *count; if there are more than that the status is GOGOTB_ROOM, *count is
 * how many there are, and nothing else is written. With no room at all (0) the list may be NULL.
 *
 * Memory: the caller owns what pointers point to. Texts end with a 0, are in UTF-8, and are not kept, nor changed;
 * nothing that a function writes has to be freed. What gogotb_open opens takes memory until gogotb_close.
 *
 * Units: distances are plies, moves of either side; sizes are bytes; times are seconds.
 *
 * Threads: all functions may be called from any number of threads at once. Messages are the thread's own.
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

/* What can be said of a call. Any function may return GOGOTB_ARGUMENT, GOGOTB_INTERNAL and GOGOTB_FORKED. */
typedef enum gogotb_status {
	GOGOTB_OK = 0,
	GOGOTB_NOT_COVERED = 1, /* no table: none in the folders, too many pieces for any, or one king alone */
	GOGOTB_CORRUPT = 2,     /* a table file is damaged, or is no table */
	GOGOTB_UNSUPPORTED = 3, /* a table of a format, or of rules, that this library does not read */
	GOGOTB_READ = 4,        /* the operating system could not read a table file */
	GOGOTB_ILLEGAL = 5,     /* an illegal position, or an illegal move */
	GOGOTB_TEXT = 6,        /* the text is no position, no move or no material set */
	GOGOTB_ARGUMENT = 7,    /* a null pointer, tables that are not open, a number that means nothing */
	GOGOTB_NOT_CACHED = 8,  /* gogotb_probe_cached would have had to read a file */
	GOGOTB_ROOM = 9,        /* there is more to write than room for it */
	GOGOTB_INTERNAL = 10,   /* an error in the library */
	GOGOTB_FORKED = 11,     /* this process was forked from one that uses the library */
	GOGOTB_UNAVAILABLE = 12 /* the server that has a table is away, or does not answer as it has to; it may later */
} gogotb_status;

/* Open tables; 0 never stands for any. */
typedef uint64_t gogotb_tables;

/* Pieces on a board. A piece of Gote is a kind + GOGOTB_GOTE_PIECE. */
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

/* A position. Functions that are given one that is not legal return GOGOTB_ILLEGAL. */
typedef struct gogotb_position {
	uint8_t board[25];    /* squares in reading order, as in SFEN: 5a 4a 3a 2a 1a 5b ... 1e */
	uint8_t hands[10];    /* counts of R B G S P in Sente's hand, then in Gote's */
	uint8_t side_to_move; /* GOGOTB_SENTE or GOGOTB_GOTE */
} gogotb_position;

/* Room for any SFEN that gogotb_write_sfen writes, with its final 0. */
#define GOGOTB_SFEN_SIZE 96

/* What a position comes to for the side to move, with best play by both sides. */
enum {
	GOGOTB_OPEN = 1, /* neither side can force a win */
	GOGOTB_MATE_WIN = 2,
	GOGOTB_MATE_LOSS = 3,
	GOGOTB_PERPETUAL_WIN = 4, /* the opponent can hold out only by perpetual check, which loses */
	GOGOTB_PERPETUAL_LOSS = 5
};

typedef struct gogotb_value {
	uint8_t outcome; /* GOGOTB_OPEN ... GOGOTB_PERPETUAL_LOSS */
	uint8_t check;   /* 1 if the side to move is in check */
	int16_t dtm;     /* plies to mate; -1: not by mate, or the distances are not installed */
	int16_t rank;    /* rank of a perpetual win or loss; -1: not by perpetual check, or not known */
} gogotb_value;

typedef struct gogotb_move {
	char usi[8];      /* "5e4d", "5b5a+", "G*3c" */
	char western[12]; /* "K-44", "S-51+", "G*33" */
	uint8_t from;     /* square 0..24, or 24 + the kind dropped: 25 for a rook ... 29 for a pawn */
	uint8_t to;       /* square */
	uint8_t promotes; /* 1 if the piece promotes */
	uint8_t reserved; /* 0 */
} gogotb_move;

typedef struct gogotb_root_move {
	gogotb_move move;
	gogotb_value value; /* of the position after the move, for the opponent, who is to move in it */
} gogotb_root_move;

/* No position has more legal moves. */
#define GOGOTB_MAX_MOVES 224

/* What open positions come to; it decides the order of moves. */
enum {
	GOGOTB_REPETITION_DRAW = 0,        /* a draw */
	GOGOTB_REPETITION_SENTE_LOSES = 1, /* first-player-loses, Sente made the first move of the game */
	GOGOTB_REPETITION_GOTE_LOSES = 2   /* the same, and Gote did */
};

/*
 * What went wrong in the last call by this thread that did not return GOGOTB_OK: one line of text
 * in UTF-8. It stays where it is until the next such call.
 */
const char *gogotb_message(void);

typedef struct gogotb_versions {
	char program[16];      /* "0.1.0" */
	uint32_t table_format; /* the format of table files that gogotb writes */
	uint32_t rules;        /* the version of the rules that values follow */
} gogotb_versions;

/* The versions of the library, of the tables and of the rules. */
int gogotb_version(gogotb_versions *versions);

/* ---- Tables ---- */

/*
 * Whether gogotb_open takes addresses, too: 1 if the library was built with them (`make lib LIBTAGS=remote`), otherwise
 * 0. Then whatever reads a table may return GOGOTB_UNAVAILABLE.
 */
int gogotb_addresses(int *reads);

/*
 * Opens the tables in some folders, which are separated as in PATH (":"; on Windows ";"). Addresses of tables may stand
 * among them, "https://host/tables/" or "s3://bucket/prefix", if gogotb_addresses says so: what is read there is kept
 * in memory, and in the folder that the environment names as GOGOTB_CACHE_DIR. Of a set that several
 * folders have, the first whole tables are used. Files are opened when first needed, so folders may be empty, or not
 * there yet; names must not be empty (GOGOTB_ARGUMENT). A set that appears is found by what is asked a second later.
 * cache_bytes is the size of the cache of unpacked blocks; 0: 64 MiB.
 */
int gogotb_open(const char *folders, size_t cache_bytes, gogotb_tables *tables);

/* Closes tables, when calls that are using them have ended. */
int gogotb_close(gogotb_tables tables);

typedef struct gogotb_set {
	char material[12];       /* "GSP"; "none" for the two kings alone */
	uint8_t pieces;          /* beside the kings */
	uint8_t distances;       /* 1 if the table of distances is installed, too */
	uint8_t reserved[2];     /* 0 */
	uint64_t outcome_bytes;  /* sizes of the files */
	uint64_t distance_bytes; /* 0 if it is not installed */
} gogotb_set;

/* Lists the material sets that can be probed, small ones first. Looks at every file. GOGOTB_READ. */
int gogotb_list_sets(gogotb_tables tables, gogotb_set *sets, size_t room, size_t *count);

/* The number of pieces, beside the kings, of the largest of these sets; -1 if there is none. */
int gogotb_largest(gogotb_tables tables, int *pieces);

/*
 * Unpacks the outcomes of a material set into memory, a quarter to three eighths of a byte a position, so that
 * their probes read no file. It works on all cores, and lasts until the tables are closed.
 * GOGOTB_NOT_COVERED, GOGOTB_CORRUPT, GOGOTB_UNSUPPORTED, GOGOTB_READ, GOGOTB_TEXT.
 */
int gogotb_load_outcomes(gogotb_tables tables, const char *material);

typedef struct gogotb_cache_stats {
	uint64_t hits, misses; /* blocks found, and not found, in the cache */
	uint64_t bytes;        /* unpacked blocks in it now */
} gogotb_cache_stats;

/* How the cache has served since the tables were opened. */
int gogotb_get_cache_stats(gogotb_tables tables, gogotb_cache_stats *stats);

typedef struct gogotb_stats {
	uint64_t index_size;                              /* positions that have a number */
	uint64_t legal;                                   /* legal ones, mirror images counted; so are all counts below */
	uint64_t mate_wins, mate_losses;                  /* for the side to move */
	uint64_t perpetual_wins, perpetual_losses, open;
	uint64_t checkmates, stalemates;                  /* of positions in which the game has ended */
	uint64_t mutual_zugzwangs;                        /* lost, whoever is to move, and not in check */
	uint64_t mutual_checks;                           /* in which both sides could check for ever */
	uint64_t outcome_bytes, distance_bytes;           /* sizes of the files, 0 for one that is not installed */
	int32_t max_win, max_loss;                        /* plies of the longest mates, -1 if there is none */
	char longest_win[GOGOTB_SFEN_SIZE];               /* the first position with max_win; empty if there is none */
	char longest_loss[GOGOTB_SFEN_SIZE];
} gogotb_stats;

/*
 * The statistics of a material set, given as "GSP", letters in any order.
 * GOGOTB_NOT_COVERED, GOGOTB_CORRUPT, GOGOTB_UNSUPPORTED, GOGOTB_READ, GOGOTB_TEXT.
 */
int gogotb_get_stats(gogotb_tables tables, const char *material, gogotb_stats *stats);

enum {
	GOGOTB_HISTOGRAM = 0,  /* counts[n]: positions in which somebody is mated in n plies */
	GOGOTB_RANK_WINS = 1,  /* counts[i]: perpetual wins of rank i+1 */
	GOGOTB_RANK_LOSSES = 2 /* counts[i]: perpetual losses of rank i+1 */
};

/* Counts of positions by distance or rank, up to the last that is not 0. Errors are those of gogotb_get_stats. */
int gogotb_get_counts(gogotb_tables tables, const char *material, int which, uint64_t *counts, size_t room,
                      size_t *count);

/* ---- Positions ---- */

/*
 * Reads a position: SFEN ("4k/5/5/5/K4 b RG 1", the move number may be left out), or what other programs show:
 * "sfen ...", "position sfen ... moves ...", "startpos", FEN as Fairy-Stockfish has it, underscores for spaces.
 * GOGOTB_TEXT, GOGOTB_ILLEGAL.
 */
int gogotb_read_position(const char *text, gogotb_position *position);

/* Writes a position as an SFEN with the move number 1. GOGOTB_ILLEGAL. */
int gogotb_write_sfen(const gogotb_position *position, char sfen[GOGOTB_SFEN_SIZE]);

/* All legal moves, in the order of their USI text. No table is needed, and one king is enough. GOGOTB_ILLEGAL. */
int gogotb_legal_moves(const gogotb_position *position, gogotb_move *moves, size_t room, size_t *count);

/* ---- Values ----
 *
 * They are those of positions without a history, but for gogotb_game_moves. All of these functions may return
 * GOGOTB_NOT_COVERED, GOGOTB_CORRUPT, GOGOTB_UNSUPPORTED, GOGOTB_READ and GOGOTB_ILLEGAL.
 */

/* The value of a position. */
int gogotb_probe(gogotb_tables tables, const gogotb_position *position, gogotb_value *value);

/* The outcome of a position alone, which is quicker, and needs no table of distances. */
int gogotb_probe_outcome(gogotb_tables tables, const gogotb_position *position, uint8_t *outcome);

/*
 * The value of a position without reading a file, for use inside a search: if that takes more than what is in
 * memory, or there is no table, the status is GOGOTB_NOT_CACHED. dtm and rank may be -1 although
 * gogotb_probe would know them.
 */
int gogotb_probe_cached(gogotb_tables tables, const gogotb_position *position, gogotb_value *value);

/*
 * All legal moves of a position with their values, best first: wins by the shortest mate, wins by perpetual check by
 * the lowest rank, wins by repetition, draws, then losses in the opposite order; equal ones by USI text.
 */
int gogotb_root_moves(gogotb_tables tables, const gogotb_position *position, int repetition, gogotb_root_move *moves,
                      size_t room, size_t *count);

/*
 * The same for the last position of a game, given as a position and the moves since, "sfen 4k/5/5/5/K4 b R moves
 * R*3c 1a2a", with what the game makes of the values: a position that has occurred three times ends the game when it
 * comes back. Then a side that has given check with all its moves since, and alone, has lost; otherwise the rule of
 * repetition decides. GOGOTB_OPEN stands for a game that ends by repetition, too; the rank 0 says that the move
 * itself ends the game, by perpetual check. The next two plies are always searched for such ends, up to eight as long
 * as there is not too much to search; what is farther is valued without history. A game that has ended on the
 * way begins anew from there. GOGOTB_TEXT, too.
 */
int gogotb_game_moves(gogotb_tables tables, const char *game, int repetition, gogotb_root_move *moves, size_t room,
                      size_t *count);

/*
 * A line of best play by both sides: to the end of the game for values by mate, until a position comes back for those
 * by perpetual check; no moves for open positions, and where the distances are not installed.
 */
int gogotb_line(gogotb_tables tables, const gogotb_position *position, gogotb_move *moves, size_t room,
                size_t *count);

/* ---- Search for mates ---- */

/* What gogotb_solve may spend. A field that is 0 is no limit, and the default for hash_bytes, 256 MiB. */
typedef struct gogotb_solve_options {
	uint32_t max_plies;  /* the longest mate that counts, up to GOGOTB_MAX_LINE */
	uint32_t tsume;      /* 1: the side to move attacks, and may only give check */
	uint64_t hash_bytes; /* memory for what is proved on the way */
	uint64_t max_nodes;  /* moves made */
	double seconds;
} gogotb_solve_options;

enum {
	GOGOTB_SOLVE_UNKNOWN = 0, /* a limit was reached before anything was proved */
	GOGOTB_SOLVE_WIN = 1,     /* the side to move mates */
	GOGOTB_SOLVE_LOSS = 2,    /* the side to move is mated */
	GOGOTB_SOLVE_NO_MATE = 3  /* neither side can mate (with tsume: the side to move cannot) */
};

typedef struct gogotb_solution {
	int32_t result;    /* GOGOTB_SOLVE_UNKNOWN ... GOGOTB_SOLVE_NO_MATE */
	int32_t dtm;       /* plies of the shortest mate; -1 unless there is one */
	int32_t max_plies; /* of no mate: the plies within which there is none; -1: there is none of any length */
	int32_t reserved;  /* 0 */
	uint64_t nodes;    /* moves made */
	double seconds;
} gogotb_solution;

/* No line of gogotb_solve is longer. */
#define GOGOTB_MAX_LINE 1000

/*
 * The shortest mate by either side, by search, for any material, with one king or two: the solution, and
 * solution->dtm moves of best play by both sides in line. options may be NULL. Without limits it may take for
 * ever. It takes memory as hash_bytes says, and one core. GOGOTB_ILLEGAL.
 */
int gogotb_solve(const gogotb_position *position, const gogotb_solve_options *options, gogotb_solution *solution,
                 gogotb_move *line, size_t room, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
