/* table_copy.h -- a session is made that holds what another one does, or did before one of its messages.
 *
 * The frames are copied some dozen in a turn of the loop, so that nobody waits for them, with all
 * that comes of frames (journal, records, search), but nobody is told of each: the session is
 * news when it is whole. Until then it is in no list, and a vyred that dies meanwhile leaves nothing
 * of it. The agent's own history is copied by the agent itself, with the first word (rewind.h).
 * Loop thread. */
#ifndef TABLE_COPY_H
#define TABLE_COPY_H

#include "shared/base/err.h"
#include "shared/base/str.h"

struct session;
struct table;
struct copying;

struct table_copy {
	struct session *from;
	struct vy_str person;  /* whose the copy is */
	struct vy_str message; /* what came before it; empty: all, up to the last whole turn */
};

/* `made` is the new session, NULL with the reason. Called once, from the loop, unless the table goes
 * before. */
typedef void table_copied_fn(void *ctx, struct session *made, const struct vy_err *why);

/* 0, and `fn` follows; -1 at once when it cannot be: there is no such message, its agent cannot,
 * VY_BUSY: another copy is being made. */
int table_copy(struct table *t, const struct table_copy *what, table_copied_fn *fn, void *ctx,
	struct vy_err *e);

void table_copy_free(struct copying *own); /* NULL is fine */
void table_copy_clean(struct table *t);    /* at boot: what an earlier vyred left half made */

#endif
