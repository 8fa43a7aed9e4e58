/* redact_in.h -- between the files of redact.c. */
#ifndef GUARD_REDACT_IN_H
#define GUARD_REDACT_IN_H

#include <stdbool.h>

#include "server/guard/redact_shapes.h"
#include "shared/base/str.h"

struct redact_text {
	struct vy_str s;
	bool is_cut;    /* it goes on behind its end, which we do not have */
	bool is_of_ask; /* nothing may go but what is one word */
};

/* What was found at a place: how much to keep of it, how much to hide behind that. */
struct redact_find {
	const char *name;
	size_t keep, hide;
};

/* So far one looks before it is decided: a text of nothing but begins must not cost its square. */
#define REDACT_LOOK 512

/* How many characters of the alphabet stand at `at`, `most` at most. */
size_t redact_run(struct vy_str s, size_t at, enum guard_alphabet alphabet, size_t most);

/* redact_named.c: NAME=value, "name": "value", --name value; user:password@ in a URL. */
bool redact_named(const struct redact_text *t, size_t at, struct redact_find *f);
bool redact_login(const struct redact_text *t, size_t at, struct redact_find *f);

#endif
