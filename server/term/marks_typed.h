/* marks_typed.h -- for marks.c: the line a person typed, when it is certain what it was. Pure.
 *
 * Keys and the terminal's bytes in the order vyred sees them; the echo may come long after the key.
 * typed_hear() says true at the line end behind a line that is certain: take it, then settle. */
#ifndef TERM_MARKS_TYPED_H
#define TERM_MARKS_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"

#define TYPED_PROMPT_MAX 512
#define TYPED_LINE_MAX   4096

struct typed {
	struct vy_buf shown;  /* of the line the terminal is in: what came before the first key */
	struct vy_buf prompt; /* where the very first line began; empty: not known yet */
	struct vy_buf keys;   /* typed since */
	struct vy_buf echo;   /* shown since */
	size_t at;            /* cursor in the echo */
	bool is_typing, is_sure, is_entered;
};

void typed_init(struct typed *t);
void typed_fini(struct typed *t);
void typed_key(struct typed *t, char c);
bool typed_hear(struct typed *t, char c);
struct vy_str typed_line(const struct typed *t);
void typed_settle(struct typed *t); /* wipes the line; the next one may come */
void typed_forget(struct typed *t); /* wipes all */
struct vy_str typed_prompt(const struct typed *t);
void typed_resume(struct typed *t, struct vy_str prompt); /* nothing is sure before a new line */

#endif
