/* words.h -- one line of a script as words. */
#ifndef TESTS_SCREEN_WORDS_H
#define TESTS_SCREEN_WORDS_H

#include "shared/base/arena.h"

#define WORDS_MAX 32

struct words {
	int n;
	const char *v[WORDS_MAX]; /* in the arena */
	size_t len[WORDS_MAX];
	const char *rest[WORDS_MAX]; /* the line from word i on, as it was written */
};

/* Blanks part words; "…" is one word, with \n \t \r \e \\ \" and \xHH in it. A # at the
 * start of the line, or before a blank, begins a comment. False when a quote is left open. */
bool words_parse(struct words *w, const char *line, struct vy_arena *a);

#endif
