/*
 * Compares probes through the C library with answers that a file holds, from several
 * threads at once, and tries what a program can do wrong.
 *
 *     compare FOLDER ANSWERS THREADS ROUNDS
 *
 * A line of ANSWERS is 25 pieces, 10 counts in hand, the side to move, outcome, check, distance, rank, the number
 * of moves; for each move its texts in USI and in western notation and the value after it; the number of moves
 * of the line; then the SFEN. Exit status 0 if all is as it should be.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gogotb.h"

typedef struct {
	gogotb_position position;
	gogotb_value value;
	size_t count;
	gogotb_root_move *moves;
	size_t line;
	char sfen[GOGOTB_SFEN_SIZE];
} answer;

static answer *answers;
static size_t lines;
static gogotb_tables tables;
static int rounds;

static int number(FILE *f) {
	int n;
	if (fscanf(f, "%d", &n) != 1) {
		fprintf(stderr, "the file of answers is broken in line %zu\n", lines + 1);
		exit(2);
	}
	return n;
}

static gogotb_value value(FILE *f) {
	gogotb_value v;
	v.outcome = number(f);
	v.check = number(f);
	v.dtm = number(f);
	v.rank = number(f);
	return v;
}

static void read_answers(const char *name) {
	FILE *f = fopen(name, "r");
	if (!f) {
		perror(name);
		exit(2);
	}
	int c;
	while ((c = fgetc(f)) != EOF) {
		ungetc(c, f);
		answers = realloc(answers, (lines + 1) * sizeof *answers);
		answer *a = &answers[lines];
		memset(a, 0, sizeof *a);
		for (int i = 0; i < 25; i++)
			a->position.board[i] = number(f);
		for (int i = 0; i < 10; i++)
			a->position.hands[i] = number(f);
		a->position.side_to_move = number(f);
		a->value = value(f);
		a->count = number(f);
		a->moves = calloc(a->count + 1, sizeof *a->moves);
		for (size_t i = 0; i < a->count; i++) {
			if (fscanf(f, "%7s %11s", a->moves[i].move.usi, a->moves[i].move.western) != 2)
				exit(2);
			a->moves[i].value = value(f);
		}
		a->line = number(f);
		fgetc(f);
		if (!fgets(a->sfen, sizeof a->sfen, f))
			exit(2);
		a->sfen[strcspn(a->sfen, "\n")] = 0;
		lines++;
	}
	fclose(f);
}

static int wrong(const answer *a, const char *what) {
	fprintf(stderr, "%s: %s: %s\n", a->sfen, what, gogotb_message());
	return 1;
}

static int differs(const gogotb_value *a, const gogotb_value *b) {
	return a->outcome != b->outcome || a->check != b->check || a->dtm != b->dtm || a->rank != b->rank;
}

static int square(const char *usi) { return '5' - usi[0] + 5 * (usi[1] - 'a'); }

/* Whether the parts of a move contradict its USI text. */
static int bad_move(const gogotb_move *m) {
	int from = m->usi[1] == '*' ? 25 + (int)(strchr("RBGSP", m->usi[0]) - "RBGSP") : square(m->usi);
	return m->from != from || m->to != square(m->usi + 2) || m->promotes != (m->usi[4] == '+') || m->reserved;
}

static int bad_moves(const answer *a, const gogotb_root_move *moves, size_t count) {
	if (count != a->count)
		return 1;
	for (size_t i = 0; i < count; i++) {
		const gogotb_root_move *m = &moves[i], *want = &a->moves[i];
		if (strcmp(m->move.usi, want->move.usi) || strcmp(m->move.western, want->move.western) ||
		    differs(&m->value, &want->value) || bad_move(&m->move))
			return 1;
	}
	return 0;
}

/* Legal moves are those of the root, sorted. */
static int bad_legal(const answer *a, const gogotb_move *moves, size_t count) {
	if (count != a->count)
		return 1;
	for (size_t i = 0; i < count; i++) {
		size_t found = 0;
		for (size_t j = 0; j < count; j++)
			found += !strcmp(moves[i].usi, a->moves[j].move.usi);
		if (found != 1 || bad_move(&moves[i]) || (i > 0 && strcmp(moves[i - 1].usi, moves[i].usi) >= 0))
			return 1;
	}
	return 0;
}

/* A line begins with the best move and is as long as the distance to mate. */
static int bad_line(const answer *a, const gogotb_move *moves, size_t count) {
	return count != a->line || (a->value.dtm >= 0 && count != (size_t)a->value.dtm) ||
	       (count > 0 && strcmp(moves[0].usi, a->moves[0].move.usi)) || (a->value.outcome == GOGOTB_OPEN && count);
}

static int compare(const answer *a) {
	gogotb_position p;
	gogotb_value v;
	uint8_t outcome;
	gogotb_root_move root[GOGOTB_MAX_MOVES];
	gogotb_move moves[GOGOTB_MAX_MOVES];
	char text[GOGOTB_SFEN_SIZE + 8];
	size_t count;
	if (gogotb_read_position(a->sfen, &p) || memcmp(&p, &a->position, sizeof p))
		return wrong(a, "gogotb_read_position");
	if (gogotb_write_sfen(&p, text) || strcmp(text, a->sfen))
		return wrong(a, "gogotb_write_sfen");
	if (gogotb_probe(tables, &p, &v) || differs(&v, &a->value))
		return wrong(a, "gogotb_probe");
	if (gogotb_probe_outcome(tables, &p, &outcome) || outcome != a->value.outcome)
		return wrong(a, "gogotb_probe_outcome");
	if (gogotb_probe_cached(tables, &p, &v) || v.outcome != a->value.outcome)
		return wrong(a, "gogotb_probe_cached");
	memset(root, 0xff, sizeof root);
	if (gogotb_root_moves(tables, &p, GOGOTB_REPETITION_DRAW, root, GOGOTB_MAX_MOVES, &count) ||
	    bad_moves(a, root, count))
		return wrong(a, "gogotb_root_moves");
	snprintf(text, sizeof text, "sfen %s", a->sfen);
	memset(root, 0xff, sizeof root);
	if (gogotb_game_moves(tables, text, GOGOTB_REPETITION_DRAW, root, GOGOTB_MAX_MOVES, &count) ||
	    bad_moves(a, root, count))
		return wrong(a, "gogotb_game_moves");
	memset(moves, 0xff, sizeof moves);
	if (gogotb_legal_moves(&p, moves, GOGOTB_MAX_MOVES, &count) || bad_legal(a, moves, count))
		return wrong(a, "gogotb_legal_moves");
	if (gogotb_line(tables, &p, moves, GOGOTB_MAX_MOVES, &count) || bad_line(a, moves, count))
		return wrong(a, "gogotb_line");
	return 0;
}

/* Each thread begins elsewhere, so that all parts of the file are asked for at any time. */
static void *compare_all(void *arg) {
	size_t start = (size_t)arg, failed = 0;
	for (int r = 0; r < rounds; r++)
		for (size_t i = 0; i < lines && failed < 10; i++)
			failed += compare(&answers[(start + i) % lines]);
	/* An error of this thread's own, seen by no other. */
	char sfen[32], place[32];
	snprintf(sfen, sizeof sfen, "%.*s", (int)(start % 7 + 1), "xxxxxxxx");
	gogotb_position p;
	if (gogotb_read_position(sfen, &p) != GOGOTB_TEXT)
		failed++;
	snprintf(place, sizeof place, "character 1");
	if (!strstr(gogotb_message(), place))
		failed++;
	return (void *)failed;
}

#define EXPECT(status, call)                                                                              \
	do {                                                                                                  \
		int got = (call);                                                                                 \
		if (got != (status)) {                                                                            \
			fprintf(stderr, "%s: status %d, want %d: %s\n", #call, got, status, gogotb_message());        \
			failed++;                                                                                     \
		} else if (got != GOGOTB_OK && (!*gogotb_message() || strchr(gogotb_message(), '\n'))) {          \
			fprintf(stderr, "%s: the message is not a line of text: %s\n", #call, gogotb_message());      \
			failed++;                                                                                     \
		}                                                                                                 \
	} while (0)

/* What a probe of a position given as text comes to. */
static int probe_text(gogotb_tables t, const char *text, gogotb_value *v) {
	gogotb_position p;
	int status = gogotb_read_position(text, &p);
	return status != GOGOTB_OK ? status : gogotb_probe(t, &p, v);
}

static size_t null_pointers(const char *folder) {
	size_t failed = 0, count;
	const gogotb_position *p = &answers[0].position;
	gogotb_position q;
	gogotb_value v;
	gogotb_root_move root[GOGOTB_MAX_MOVES];
	gogotb_move moves[GOGOTB_MAX_MOVES];
	gogotb_solution solution;
	gogotb_stats stats;
	uint64_t counts[4];
	gogotb_tables other;

	EXPECT(GOGOTB_ARGUMENT, gogotb_version(NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_open(NULL, 0, &other));
	EXPECT(GOGOTB_ARGUMENT, gogotb_open("", 0, &other));
	EXPECT(GOGOTB_ARGUMENT, gogotb_open(folder, 0, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_list_sets(tables, NULL, 1, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_list_sets(tables, NULL, 0, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_largest(tables, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_load_outcomes(tables, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_get_cache_stats(tables, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_get_stats(tables, NULL, &stats));
	EXPECT(GOGOTB_ARGUMENT, gogotb_get_stats(tables, "P", NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_get_counts(tables, "P", GOGOTB_HISTOGRAM, NULL, 1, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_get_counts(tables, "P", 3, counts, 4, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_read_position(NULL, &q));
	EXPECT(GOGOTB_ARGUMENT, gogotb_read_position("startpos", NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_write_sfen(p, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_legal_moves(NULL, moves, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_legal_moves(p, NULL, 1, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables, NULL, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables, p, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(0, p, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables + 1000, p, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe_outcome(tables, p, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe_cached(tables, p, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_root_moves(tables, p, 3, root, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_root_moves(tables, p, 0, NULL, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_root_moves(tables, p, 0, root, GOGOTB_MAX_MOVES, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_game_moves(tables, NULL, 0, root, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_game_moves(tables, "startpos", -1, root, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_line(tables, p, NULL, 1, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_solve(p, NULL, NULL, moves, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_solve(NULL, NULL, &solution, moves, GOGOTB_MAX_MOVES, &count));
	const gogotb_solve_options bad[] = {{.max_plies = GOGOTB_MAX_LINE + 1}, {.tsume = 2}, {.seconds = -1},
	                                    {.seconds = 0.0 / 0.0}, {.seconds = 1e300}, {.hash_bytes = UINT64_MAX}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		EXPECT(GOGOTB_ARGUMENT, gogotb_solve(p, &bad[i], &solution, moves, GOGOTB_MAX_MOVES, &count));
	return failed;
}

static size_t bad_positions(void) {
	size_t failed = 0, count;
	gogotb_position p = answers[0].position;
	gogotb_value v;
	uint8_t outcome;
	char sfen[GOGOTB_SFEN_SIZE];
	gogotb_root_move root[GOGOTB_MAX_MOVES];
	gogotb_move moves[GOGOTB_MAX_MOVES];
	gogotb_solution solution;

	EXPECT(GOGOTB_TEXT, probe_text(tables, "", &v));
	EXPECT(GOGOTB_TEXT, probe_text(tables, "4k/5/5/5/K4 b - 1 \xff\xfe", &v));
	EXPECT(GOGOTB_ILLEGAL, probe_text(tables, "4k/5/5/5/KK3 b - 1", &v)); /* a king too many */
	EXPECT(GOGOTB_ILLEGAL, probe_text(tables, "4k/5/5/5/K4 b - moves 5e3c", &v));
	EXPECT(GOGOTB_TEXT, probe_text(tables, "4k/5/5/5/K4 b - moves 5e9z", &v));
	EXPECT(GOGOTB_NOT_COVERED, probe_text(tables, "rbsgk/4p/5/P4/KGSBR b - 1", &v));
	EXPECT(GOGOTB_NOT_COVERED, probe_text(tables, "4k/5/5/5/K4 b 2R2B 1", &v));
	EXPECT(GOGOTB_NOT_COVERED, probe_text(tables, "5/5/5/5/K4 b - 1", &v)); /* one king */
	EXPECT(GOGOTB_ILLEGAL, gogotb_game_moves(tables, "4k/5/5/5/K4 b - moves 5e5d 5e5d", 0, root, GOGOTB_MAX_MOVES, &count));
	if (!strstr(gogotb_message(), "ply 2"))
		failed += wrong(&answers[0], "the message does not say which move is illegal");
	EXPECT(GOGOTB_TEXT, gogotb_game_moves(tables, "4k/5/5/5/K4 b - moves x", 0, root, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_NOT_COVERED, gogotb_game_moves(tables, "startpos", 0, root, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_TEXT, gogotb_load_outcomes(tables, "PPP"));
	EXPECT(GOGOTB_TEXT, gogotb_load_outcomes(tables, ""));
	EXPECT(GOGOTB_NOT_COVERED, gogotb_load_outcomes(tables, "RRBBGGSSPP"));
	EXPECT(GOGOTB_NOT_COVERED, gogotb_load_outcomes(tables, "SS"));

	EXPECT(GOGOTB_OK, gogotb_read_position("4k/5/5/5/K4 b - 1", &p));
	EXPECT(GOGOTB_ROOM, gogotb_root_moves(tables, &p, 0, root, 2, &count));
	failed += count != 3;
	EXPECT(GOGOTB_OK, gogotb_root_moves(tables, &p, 0, root, 3, &count));
	EXPECT(GOGOTB_ROOM, gogotb_legal_moves(&p, NULL, 0, &count));
	failed += count != 3;

	p.side_to_move = 2;
	EXPECT(GOGOTB_ILLEGAL, gogotb_probe(tables, &p, &v));
	memset(&p, 0, sizeof p);
	EXPECT(GOGOTB_ILLEGAL, gogotb_probe(tables, &p, &v)); /* no king */
	p.board[0] = GOGOTB_KING;
	p.board[1] = GOGOTB_KING + GOGOTB_GOTE_PIECE;
	EXPECT(GOGOTB_ILLEGAL, gogotb_probe(tables, &p, &v)); /* adjacent */
	EXPECT(GOGOTB_ILLEGAL, gogotb_probe_cached(tables, &p, &v));
	EXPECT(GOGOTB_ILLEGAL, gogotb_probe_outcome(tables, &p, &outcome));
	EXPECT(GOGOTB_ILLEGAL, gogotb_root_moves(tables, &p, 0, root, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ILLEGAL, gogotb_line(tables, &p, moves, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ILLEGAL, gogotb_legal_moves(&p, moves, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ILLEGAL, gogotb_write_sfen(&p, sfen));
	EXPECT(GOGOTB_ILLEGAL, gogotb_solve(&p, NULL, &solution, moves, GOGOTB_MAX_MOVES, &count));
	for (int piece = 0; piece < 256; piece++) { /* no value of a byte makes trouble */
		p.hands[0] = p.hands[9] = p.board[24] = piece;
		EXPECT(GOGOTB_ILLEGAL, gogotb_probe(tables, &p, &v));
	}
	return failed;
}

/* Folders without tables, tables that are closed, several folders. */
static size_t folders(const char *folder) {
	size_t failed = 0;
	const answer *a = &answers[0];
	gogotb_value v;
	gogotb_tables other;
	int pieces;

	EXPECT(GOGOTB_OK, gogotb_open("/nonexistent", 1 << 20, &other));
	EXPECT(GOGOTB_NOT_COVERED, gogotb_probe(other, &a->position, &v));
	EXPECT(GOGOTB_NOT_CACHED, gogotb_probe_cached(other, &a->position, &v));
	EXPECT(GOGOTB_OK, gogotb_close(other));
	EXPECT(GOGOTB_ARGUMENT, gogotb_close(other));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(other, &a->position, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_largest(other, &pieces));

	char two[4096];
	snprintf(two, sizeof two, "/nonexistent:%s", folder);
	EXPECT(GOGOTB_OK, gogotb_open(two, 1 << 20, &other));
	EXPECT(GOGOTB_OK, gogotb_probe(other, &a->position, &v));
	EXPECT(GOGOTB_OK, gogotb_close(other));
	return failed;
}

static void nothing(int s) { (void)s; }

/* No signal is handled by the library, and what the program handles stays so. */
static size_t signals(const char *when) {
	size_t failed = 0;
	for (int s = 1; s < NSIG; s++) {
		struct sigaction a;
		if (sigaction(s, NULL, &a))
			continue;
		void (*want)(int) = s == SIGUSR1 || s == SIGSEGV || s == SIGURG ? nothing : SIG_DFL;
		if (a.sa_handler != want && a.sa_handler != SIG_IGN) {
			fprintf(stderr, "%s the action for signal %d (%s) has changed\n", when, s, strsignal(s));
			failed++;
		}
	}
	return failed;
}

static void *close_it(void *arg) {
	gogotb_close(*(gogotb_tables *)arg);
	return NULL;
}

/* Closing while others probe: they get an answer or an error. */
static size_t close_while_probing(const char *folder) {
	size_t failed = 0;
	gogotb_tables other;
	EXPECT(GOGOTB_OK, gogotb_open(folder, 0, &other));
	pthread_t closer;
	for (int i = 0; i < 2000; i++) {
		if (i == 1000)
			pthread_create(&closer, NULL, close_it, &other);
		const answer *a = &answers[i % lines];
		gogotb_value v;
		int status = gogotb_probe(other, &a->position, &v);
		if (status != GOGOTB_ARGUMENT && (status != GOGOTB_OK || differs(&v, &a->value)))
			failed += wrong(a, "while closing");
	}
	pthread_join(closer, NULL);
	return failed;
}

int main(int argc, char **argv) {
	if (argc != 5)
		return 2;
	size_t failed = 0;
	signal(SIGUSR1, nothing);
	signal(SIGSEGV, nothing);
	signal(SIGURG, nothing);
	read_answers(argv[2]);
	int threads = atoi(argv[3]);
	rounds = atoi(argv[4]);

	EXPECT(GOGOTB_OK, gogotb_open(argv[1], 0, &tables));
	failed += signals("after opening");
	pthread_t *thread = calloc(threads, sizeof *thread);
	for (size_t i = 0; i < (size_t)threads; i++)
		pthread_create(&thread[i], NULL, compare_all, (void *)(i * lines / threads));
	for (int i = 0; i < threads; i++) {
		void *f;
		pthread_join(thread[i], &f);
		failed += (size_t)f;
	}
	failed += null_pointers(argv[1]);
	failed += bad_positions();
	failed += folders(argv[1]);
	failed += close_while_probing(argv[1]);
	EXPECT(GOGOTB_OK, gogotb_close(tables));
	failed += signals("at the end");

	for (size_t i = 0; i < lines; i++)
		free(answers[i].moves);
	free(answers);
	free(thread);
	if (failed)
		return 1;
	printf("%zu positions, %d threads, %d rounds\n", lines, threads, rounds);
	return 0;
}
