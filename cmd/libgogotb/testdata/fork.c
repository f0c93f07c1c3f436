/*
 * Forks with tables open, while another thread probes, and calls every function in the child.
 *
 *     fork FOLDER
 *
 * Exit status 0 if the child got GOGOTB_FORKED from all of them, could exec, and the parent noticed nothing.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gogotb.h"

static gogotb_position won; /* Sente, with rook and bishop in hand */
static gogotb_tables tables;

static int probe(void) {
	gogotb_value v;
	int status = gogotb_probe(tables, &won, &v);
	if (status != GOGOTB_OK)
		fprintf(stderr, "status %d: %s\n", status, gogotb_message());
	return status != GOGOTB_OK || v.outcome != GOGOTB_MATE_WIN;
}

static int failed;

static void refused(const char *call, int status) {
	if (status != GOGOTB_FORKED || !strstr(gogotb_message(), "forked")) {
		fprintf(stderr, "%s in the child: status %d: %s\n", call, status, gogotb_message());
		failed = 1;
	}
}
#define REFUSED(call) refused(#call, call)

/* What every function says in the child. Arguments do not matter. */
static void call_all(void) {
	gogotb_versions versions;
	int reads;
	gogotb_tables other;
	gogotb_set set;
	gogotb_cache_stats cache;
	gogotb_stats stats;
	gogotb_position p;
	gogotb_value v;
	gogotb_root_move root[GOGOTB_MAX_MOVES];
	gogotb_move moves[GOGOTB_MAX_MOVES];
	gogotb_solution solution;
	char sfen[GOGOTB_SFEN_SIZE];
	uint64_t counts[100];
	uint8_t outcome;
	size_t count;
	int pieces;
	REFUSED(gogotb_version(&versions));
	REFUSED(gogotb_addresses(&reads));
	REFUSED(gogotb_open("/nonexistent", 0, &other));
	REFUSED(gogotb_open(NULL, 0, NULL));
	REFUSED(gogotb_list_sets(tables, &set, 1, &count));
	REFUSED(gogotb_largest(tables, &pieces));
	REFUSED(gogotb_load_outcomes(tables, "RB"));
	REFUSED(gogotb_get_cache_stats(tables, &cache));
	REFUSED(gogotb_get_stats(tables, "RB", &stats));
	REFUSED(gogotb_get_counts(tables, "RB", GOGOTB_HISTOGRAM, counts, 100, &count));
	REFUSED(gogotb_read_position("startpos", &p));
	REFUSED(gogotb_write_sfen(&won, sfen));
	REFUSED(gogotb_legal_moves(&won, moves, GOGOTB_MAX_MOVES, &count));
	REFUSED(gogotb_probe(tables, &won, &v));
	REFUSED(gogotb_probe(0, NULL, NULL));
	REFUSED(gogotb_probe_outcome(tables, &won, &outcome));
	REFUSED(gogotb_probe_cached(tables, &won, &v));
	REFUSED(gogotb_root_moves(tables, &won, 0, root, GOGOTB_MAX_MOVES, &count));
	REFUSED(gogotb_game_moves(tables, "startpos", 0, root, GOGOTB_MAX_MOVES, &count));
	REFUSED(gogotb_line(tables, &won, moves, GOGOTB_MAX_MOVES, &count));
	REFUSED(gogotb_solve(&won, NULL, &solution, moves, GOGOTB_MAX_MOVES, &count));
	REFUSED(gogotb_close(tables));
	REFUSED(gogotb_close(tables));
}

/* The child of a fork, and a child of its own; a call that hangs is ended by SIGALRM. */
static void child(char **argv) {
	alarm(60);
	call_all();
	int status;
	pid_t pid = fork();
	if (pid != 0)
		_exit(failed || waitpid(pid, &status, 0) != pid || status != 0);
	alarm(60);
	call_all();
	if (failed)
		_exit(1);
	char *again[] = {argv[0], argv[1], "again", NULL};
	execv("/proc/self/exe", again);
	_exit(2);
}

static volatile int stop;

static void *keep_probing(void *arg) {
	(void)arg;
	size_t wrong = 0;
	while (!stop)
		wrong += probe();
	return (void *)wrong;
}

int main(int argc, char **argv) {
	if (argc < 2 || gogotb_open(argv[1], 0, &tables) != GOGOTB_OK ||
	    gogotb_read_position("4k/5/5/5/K4 b RB", &won) != GOGOTB_OK || probe())
		return 3;
	if (argc > 2) /* after exec all is as ever */
		return 0;
	pthread_t thread;
	pthread_create(&thread, NULL, keep_probing, NULL);
	for (int i = 0; i < 20; i++) {
		int status;
		pid_t pid = fork();
		if (pid == 0)
			child(argv);
		if (waitpid(pid, &status, 0) != pid || status != 0) {
			fprintf(stderr, "child %d ended with wait status %#x\n", i, status);
			failed = 1;
		}
		if (probe())
			failed = 1;
	}
	stop = 1;
	void *wrong;
	pthread_join(thread, &wrong);
	if (wrong || failed || gogotb_close(tables) != GOGOTB_OK)
		return 1;
	puts("20 children");
	return 0;
}
