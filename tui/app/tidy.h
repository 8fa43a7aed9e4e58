/* tidy.h -- what is left on this machine of sessions that are gone: their drafts and pastes go too.
 *
 * Once a day, a while after a client's start, <state_dir>/drafts and pastes are looked through. What
 * nobody touched for TIDY_DAYS goes if its session was deleted; if it has ended or was archived a
 * paste goes, and a draft that the server has as well. What may hold the only copy of something for
 * a session that lives stays, and so does what belongs to another server: a session counts as
 * deleted only by the server (its log's epoch) that once told of it, noted in drafts/owners. So many
 * files are looked at, so many removed in one go; the rest is for the next day. Loop thread only. */
#ifndef APP_TIDY_H
#define APP_TIDY_H

#include <stdint.h>

#include "shared/base/json.h"

#define TIDY_DAYS    30
#define TIDY_LOOKED  4096 /* files of a folder, in one go */
#define TIDY_REMOVED 256

struct rpc;
struct tidy;
struct vy_loop;

struct tidy_conf {
	struct vy_loop *loop;
	struct rpc *rpc;
	const char *state_dir; /* both borrowed for its life */
	const char *session;   /* shown now: nothing of it goes */
	int64_t wait_ms;       /* after tidy_line_up(): the start is not slowed down */
};

struct tidy *tidy_new(const struct tidy_conf *conf);
void tidy_free(struct tidy *t); /* NULL is fine */
/* The server is there; the first time only. */
void tidy_line_up(struct tidy *t);

/* ---- the work, without asking ---- */

struct tidy_known {
	const char *epoch;              /* of the server's log */
	const struct vy_json *sessions; /* what threads.list answers … */
	const struct vy_json *archived; /* … and with those; both [record] */
	const char *shown;              /* or NULL */
	int64_t now_ms;                 /* wall clock */
};

/* How many files went. */
int tidy_folders(const char *state_dir, const struct tidy_known *k);

#endif
