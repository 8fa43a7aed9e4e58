/* outbox_store.h -- the outbox's folder: one file a message, a lock a client.
 *
 * A file is CLIENT-ID.msg, CLIENT the sixteen hex digits of who wrote it, and holds
 *
 *	vyre-outbox 1 <SHA-256 of the next line>
 *	{the document}
 *
 * written once and synced, never changed: a file that is not whole says so. CLIENT.lock is locked
 * for as long as that client runs, so what it holds is its own; what a dead client left is taken
 * over by the next one that comes for the same box. A file that cannot be read gets ".bad"
 * behind its name and is left alone from then on: it may be somebody's words.
 *
 * Blocks on the disk. Any thread, one at a time. */
#ifndef OUTBOX_STORE_H
#define OUTBOX_STORE_H

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/json.h"

struct outbox_store;

/* Makes the folder (0700) and those above it, and takes a lock of our own. */
struct outbox_store *outbox_store_open(const char *dir, struct vy_err *e);
void outbox_store_close(struct outbox_store *s); /* what was put stays; NULL is fine */

/* On disk, with its name, once it returns 0; on failure nothing is left. `id` is a uuid. */
VY_MUST_USE int outbox_store_put(
	struct outbox_store *s, const char *id, const struct vy_json *doc, struct vy_err *e);
void outbox_store_del(struct outbox_store *s, const char *id);

/* Gives every readable document of dead clients to `fn`, which says whether it takes it: then it
 * is ours, else it stays where it is. What was put aside is told in `trouble`, a sentence each. */
typedef bool outbox_store_fn(void *ctx, const char *id, const struct vy_json *doc);
void outbox_store_adopt(
	struct outbox_store *s, outbox_store_fn *fn, void *ctx, struct vy_buf *trouble);

#endif
