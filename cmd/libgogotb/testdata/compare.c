/*
 * Compares probes through the C library with answers that a file holds, from several
 * threads at once, and tries what a program can do wrong.
 *
 *     compare FOLDER ANSWERS THREADS ROUNDS
 *
 * A line of ANSWERS is 25 pieces, 10 counts in hand, the side to move, outcome, whether the
 * number is exact, number, the number of moves; for each move its USI text, outcome and
 * number; then the SFEN. Exit status 0 if all is as it should be.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gogotb.h"

typedef struct {
	uint8_t board[25];
	uint8_t hands[10];
	int turn;
	gogotb_value value;
	size_t count;
	gogotb_move *moves;
	char sfen[80];
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
			a->board[i] = number(f);
		for (int i = 0; i < 10; i++)
			a->hands[i] = number(f);
		a->turn = number(f);
		a->value.outcome = number(f);
		a->value.exact = number(f);
		a->value.number = number(f);
		a->count = number(f);
		a->moves = calloc(a->count + 1, sizeof *a->moves);
		for (size_t i = 0; i < a->count; i++) {
			if (fscanf(f, "%7s", a->moves[i].usi) != 1)
				exit(2);
			a->moves[i].value.outcome = number(f);
			a->moves[i].value.number = number(f);
		}
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
	return a->outcome != b->outcome || a->exact != b->exact || a->number != b->number;
}

static int square(const char *usi) { return '5' - usi[0] + 5 * (usi[1] - 'a'); }

static int bad_moves(const answer *a, const gogotb_move *moves, size_t count) {
	if (count != a->count)
		return 1;
	for (size_t i = 0; i < count; i++) {
		const gogotb_move *m = &moves[i], *want = &a->moves[i];
		if (strcmp(m->usi, want->usi) || m->value.outcome != want->value.outcome ||
		    m->value.number != want->value.number)
			return 1;
		int from = m->usi[1] == '*' ? 25 + (int)(strchr("RBGSP", m->usi[0]) - "RBGSP") : square(m->usi);
		if (m->from != from || m->to != square(m->usi + 2) || m->promotes != (m->usi[4] == '+') || m->reserved)
			return 1;
	}
	return 0;
}

static int compare(const answer *a) {
	gogotb_value v;
	uint8_t outcome;
	gogotb_move moves[GOGOTB_MAX_MOVES];
	size_t count;
	if (gogotb_probe(tables, a->board, a->hands, a->turn, &v) || differs(&v, &a->value))
		return wrong(a, "gogotb_probe");
	if (gogotb_probe_sfen(tables, a->sfen, &v) || differs(&v, &a->value))
		return wrong(a, "gogotb_probe_sfen");
	if (gogotb_probe_outcome(tables, a->board, a->hands, a->turn, &outcome) || outcome != a->value.outcome)
		return wrong(a, "gogotb_probe_outcome");
	if (gogotb_probe_cached(tables, a->board, a->hands, a->turn, &v) || v.outcome != a->value.outcome)
		return wrong(a, "gogotb_probe_cached");
	if (gogotb_root_moves(tables, a->board, a->hands, a->turn, GOGOTB_REPETITION_DRAW, moves, GOGOTB_MAX_MOVES,
	                      &count) ||
	    bad_moves(a, moves, count))
		return wrong(a, "gogotb_root_moves");
	memset(moves, 0xff, sizeof moves);
	if (gogotb_root_moves_sfen(tables, a->sfen, GOGOTB_REPETITION_DRAW, moves, GOGOTB_MAX_MOVES, &count) ||
	    bad_moves(a, moves, count))
		return wrong(a, "gogotb_root_moves_sfen");
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
	gogotb_value v;
	if (gogotb_probe_sfen(tables, sfen, &v) != GOGOTB_SFEN)
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

static size_t mistakes(const char *folder) {
	size_t failed = 0, count = 0;
	const answer *a = &answers[0];
	gogotb_value v;
	uint8_t outcome;
	gogotb_move moves[GOGOTB_MAX_MOVES];
	gogotb_tables other;
	uint8_t board[25];

	EXPECT(GOGOTB_ARGUMENT, gogotb_open(NULL, 0, &other));
	EXPECT(GOGOTB_ARGUMENT, gogotb_open(folder, 0, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables, NULL, a->hands, a->turn, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables, a->board, NULL, a->turn, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables, a->board, a->hands, a->turn, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables, a->board, a->hands, 2, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables, a->board, a->hands, -1, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(0, a->board, a->hands, a->turn, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe(tables + 1000, a->board, a->hands, a->turn, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe_sfen(tables, NULL, &v));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe_sfen(tables, a->sfen, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe_outcome(tables, a->board, a->hands, a->turn, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe_cached(tables, a->board, a->hands, a->turn, NULL));
	EXPECT(GOGOTB_ARGUMENT, gogotb_root_moves_sfen(tables, a->sfen, 3, moves, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_root_moves_sfen(tables, a->sfen, 0, NULL, GOGOTB_MAX_MOVES, &count));
	EXPECT(GOGOTB_ARGUMENT, gogotb_root_moves_sfen(tables, a->sfen, 0, moves, GOGOTB_MAX_MOVES, NULL));
	EXPECT(GOGOTB_ROOM, gogotb_root_moves_sfen(tables, "4k/5/5/5/K4 b - 1", 0, moves, 2, &count));
	EXPECT(GOGOTB_OK, gogotb_root_moves_sfen(tables, "4k/5/5/5/K4 b - 1", 0, moves, 3, &count));
	EXPECT(GOGOTB_SFEN, gogotb_probe_sfen(tables, "", &v));
	EXPECT(GOGOTB_SFEN, gogotb_probe_sfen(tables, "4k/5/5/5/K4 b - 1 \xff\xfe", &v));
	EXPECT(GOGOTB_POSITION, gogotb_probe_sfen(tables, "4k/5/5/5/KK3 b - 1", &v)); /* a king too many */
	EXPECT(GOGOTB_MISSING, gogotb_probe_sfen(tables, "rbsgk/4p/5/P4/KGSBR b - 1", &v));
	EXPECT(GOGOTB_MISSING, gogotb_probe_sfen(tables, "4k/5/5/5/K4 b 2R2B 1", &v));
	EXPECT(GOGOTB_POSITION, gogotb_probe_sfen(tables, "5/5/5/5/K4 b - 1", &v)); /* one king */

	memset(board, 0, sizeof board);
	EXPECT(GOGOTB_POSITION, gogotb_probe(tables, board, a->hands, 0, &v)); /* no king */
	board[0] = GOGOTB_KING;
	board[1] = GOGOTB_KING + GOGOTB_GOTE_PIECE;
	EXPECT(GOGOTB_POSITION, gogotb_probe(tables, board, a->hands, 0, &v)); /* adjacent */
	EXPECT(GOGOTB_POSITION, gogotb_probe_cached(tables, board, a->hands, 0, &v));
	EXPECT(GOGOTB_POSITION, gogotb_probe_outcome(tables, board, a->hands, 0, &outcome));
	EXPECT(GOGOTB_POSITION, gogotb_root_moves(tables, board, a->hands, 0, 0, moves, GOGOTB_MAX_MOVES, &count));
	for (int piece = 0; piece < 256; piece++) { /* no value of a byte makes trouble */
		uint8_t hands[10] = {piece, 0, 0, 0, 0, 0, 0, 0, 0, piece};
		board[24] = piece;
		EXPECT(GOGOTB_POSITION, gogotb_probe(tables, board, hands, 0, &v));
	}

	/* A folder that is not there has no tables; one that is closed cannot be used. */
	EXPECT(GOGOTB_OK, gogotb_open("/nonexistent", 1 << 20, &other));
	EXPECT(GOGOTB_MISSING, gogotb_probe_sfen(other, a->sfen, &v));
	EXPECT(GOGOTB_NOT_CACHED, gogotb_probe_cached(other, a->board, a->hands, a->turn, &v));
	EXPECT(GOGOTB_OK, gogotb_close(other));
	EXPECT(GOGOTB_ARGUMENT, gogotb_close(other));
	EXPECT(GOGOTB_ARGUMENT, gogotb_probe_sfen(other, a->sfen, &v));

	/* Two folders, of which only the second has the tables. */
	char two[4096];
	snprintf(two, sizeof two, "/nonexistent:%s", folder);
	EXPECT(GOGOTB_OK, gogotb_open(two, 1 << 20, &other));
	EXPECT(GOGOTB_OK, gogotb_probe_sfen(other, a->sfen, &v));
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
		int status = gogotb_probe(other, a->board, a->hands, a->turn, &v);
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
	failed += mistakes(argv[1]);
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
