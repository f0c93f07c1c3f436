/* What the C files of the library share. Programs do not see it. */
#ifndef LIBGOGOTB_INTERNAL_H
#define LIBGOGOTB_INTERNAL_H

#include <stddef.h>

/* Sets the message of this thread, that of gogotb_message. */
void libgogotb_set_message(const char *text, size_t length);

/* Tells whether this process was forked from one that had loaded the library. */
int libgogotb_forked(void);

/* Gives signals back what the Go runtime has taken from them, see signals.c. */
void libgogotb_restore_signals(void);

#endif
