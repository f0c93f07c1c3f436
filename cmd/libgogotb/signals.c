//go:build cgo && unix

// The Go runtime takes some signals for itself when a library is loaded: the ones that stand for
// faults, to turn them into panics, SIGPIPE, and SIGURG, with which it interrupts
// its own threads. A library has no business to, so what was there before comes back.
//
// That leaves Go without two things. Faults end the program, as those of any library do; nothing here
// makes them on purpose. And its threads are interrupted only where the
// compiler has put a check; `make lib` tells the runtime so (asyncpreemptoff), because
// otherwise it would go on sending SIGURG, which a program may have a use for.
//
// Loading the library starts the runtime on a thread of its own, and the program goes on
// meanwhile. So actions that the program has set since must stay: only what is the
// runtime's is replaced, which shows by all signals blocked, an alternate stack, and by being the
// same function for several signals.

#include <signal.h>
#include <string.h>

#include "internal.h"

static const int taken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGPIPE, SIGURG};
enum { TAKEN = sizeof taken / sizeof taken[0] };

static struct sigaction before[TAKEN];

// Constructors with a priority come before those without, which the runtime's is.
__attribute__((constructor(101))) static void remember(void) {
	for (int i = 0; i < TAKEN; i++)
		sigaction(taken[i], NULL, &before[i]);
}

static int looks_like_the_runtime(const struct sigaction *a) {
	const int flags = SA_SIGINFO | SA_ONSTACK;
	return (a->sa_flags & flags) == flags && a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN &&
	       sigismember(&a->sa_mask, SIGHUP) && sigismember(&a->sa_mask, SIGUSR1) && sigismember(&a->sa_mask, SIGTERM);
}

void libgogotb_restore_signals(void) {
	struct sigaction now[TAKEN];
	for (int i = 0; i < TAKEN; i++)
		sigaction(taken[i], NULL, &now[i]);
	for (int i = 0; i < TAKEN; i++) {
		int same = 0;
		for (int j = 0; j < TAKEN; j++)
			same += now[j].sa_sigaction == now[i].sa_sigaction;
		if (same > 1 && looks_like_the_runtime(&now[i]))
			sigaction(taken[i], &before[i], NULL);
	}
}
