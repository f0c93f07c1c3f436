//go:build cgo

// Whether this process was forked. Where there is no fork, it was not.

#include "internal.h"

#ifdef _WIN32
int libgogotb_forked(void) { return 0; }
#else

#include <pthread.h>

// Written by the child alone, before fork returns in it and while it has one thread.
static int forked;

static void in_child(void) { forked = 1; }

__attribute__((constructor)) static void watch(void) { pthread_atfork(NULL, NULL, in_child); }

int libgogotb_forked(void) { return forked; }

#endif
