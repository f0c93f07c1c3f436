//go:build cgo

// Messages of errors, one for each thread. Exported Go functions run on the thread of
// their caller, so what they call here sees the same message as the caller.

#include <string.h>

#include "gogotb.h"
#include "internal.h"

static _Thread_local char message[1024];

void libgogotb_set_message(const char *text, size_t length) {
	if (length >= sizeof message) {
		length = sizeof message - 1;
		while (length > 0 && (text[length] & 0xc0) == 0x80)
			length--; // not within a character
	}
	memcpy(message, text, length);
	message[length] = 0;
}

const char *gogotb_message(void) { return message; }
