/* input.h -- what vyred has for the child's stdin and the child has not read yet.
 *
 * Whole messages with growing numbers, each taken once: one that was had already is told apart, so
 * a vyred that sends again after a crash cannot make the agent read twice. A message is due to be
 * acknowledged when little stands before it (INPUT_SOFT); a child that never reads its stdin so
 * stops its writer, and at INPUT_MAX nothing more is taken. Pure: a value, no fd. */
#ifndef HOLDER_INPUT_H
#define HOLDER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "shared/base/limits.h"
#include "shared/base/str.h"

#define INPUT_SOFT (1 * VY_MIB)
#define INPUT_MAX  (VY_HOLD_IN_WINDOW + 2 * VY_HOLD_MSG_MAX) /* all an honest vyred can send */

enum input_got {
	INPUT_TAKEN,
	INPUT_OLD,    /* had it before */
	INPUT_FULL,   /* not taken, and nothing after it may be */
	INPUT_CLOSED, /* not taken: the child has no stdin any more */
};

struct input_item;
TAILQ_HEAD(input_list, input_item);

struct input {
	struct input_list items;
	struct input_item *undue; /* the first that is not due yet */
	uint64_t next;            /* the lowest number that was not taken */
	uint64_t taken, written;  /* bytes ever */
	uint64_t due;             /* the highest number that is due, plus one */
	size_t at;                /* written of the first item */
	bool is_closed;
};

void input_init(struct input *in);
void input_fini(struct input *in);

/* Copies. An empty message is the end of input: it is given out as such and closes. */
enum input_got input_add(struct input *in, uint64_t seq, struct vy_str bytes);

/* What to write now: false when there is nothing. `is_end`: close the child's stdin instead. */
bool input_peek(const struct input *in, struct vy_str *bytes, bool *is_end);
void input_wrote(struct input *in, size_t n); /* of what peek gave; 0 for the end */
void input_close(struct input *in);           /* the child is not there to read: drops the rest */

/* All messages below this may be acknowledged; 0: none. */
uint64_t input_due(const struct input *in);

#endif
