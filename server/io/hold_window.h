/* hold_window.h -- input for a child between the caller and its holder.
 *
 * Copies wait here in the order of their numbers until the holder has them. Only so much is on its way
 * without an INACK (VY_HOLD_IN_WINDOW, or one message that is larger), and only so much waits at all
 * (VY_HOLD_IN_MAX): a child that does not read stops its sender here. Pure: a value, no fd. */
#ifndef HOLD_WINDOW_H
#define HOLD_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "shared/base/str.h"

struct hold_input;
TAILQ_HEAD(hold_input_list, hold_input);

struct hold_window {
	struct hold_input_list inputs; /* those on their way first */
	struct hold_input *next;       /* the first that was not given out */
	size_t on_way, waiting;        /* bytes: given out and not arrived; all of it */
};

void hold_window_init(struct hold_window *w);
void hold_window_fini(struct hold_window *w);

bool hold_window_add(struct hold_window *w, uint64_t seq, struct vy_str bytes); /* false: full */

/* What to send now; lent until the next call. False: nothing, or no more for the moment. */
bool hold_window_next(struct hold_window *w, uint64_t *seq, struct vy_str *bytes);

/* What was given out may not have arrived: it is given out again. */
void hold_window_rewind(struct hold_window *w);

void hold_window_arrived(struct hold_window *w, uint64_t next); /* the holder has all below it */

#endif
