/* store_tidy.h -- frames of a session are packed, sealed, and lose what expires; part of the SQLite store.
 *
 * A step takes some frames and what they stand on (loop), makes one run of them (worker), and
 * puts it in their place (loop, one transaction): it either happened or did not. Frames are
 *	packed   when what they rest on is settled: rows become a run (pack.h), settlements become
 *	         compact (compact.h), both zipped fast;
 *	expired  a run whose words are all older than retain_hours is made again without them;
 *	sealed   runs of an idle session are joined and zipped as small as it goes, settlements too. */
#ifndef STORE_TIDY_H
#define STORE_TIDY_H

#include "server/log/store.h"

struct db;
struct runs;
struct tidying; /* the step under way */
struct work;

struct tidying_conf {
	struct log_store *store; /* whose begin, commit and read are used */
	struct db *db;
	struct runs *runs;
	struct work *work; /* NULL: it is done at once */
};

struct tidying *tidying_new(const struct tidying_conf *c);
void tidying_free(struct tidying *t); /* waits for the worker; NULL is fine */
bool tidying_is_busy(const struct tidying *t);

/* store_ops.tidy */
VY_MUST_USE int tidying_step(struct tidying *t, const struct store_tidy *what,
	void (*done)(void *ctx, int rc), void *ctx, struct vy_err *e);
/* Can any of these frames be a delta, and of which message? Empty: it is none. For tests as well. */
struct vy_str tidying_message(struct vy_str line);

#endif
