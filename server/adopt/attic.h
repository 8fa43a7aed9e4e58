/* attic.h -- what other programs left in their folders: listed, and one of it read.
 *
 * Both happen on the worker's thread, a piece at a time so that nobody waits for it; the answers come on
 * the loop. Nothing of theirs is ever written to (dig.h). Loop thread. */
#ifndef ADOPT_ATTIC_H
#define ADOPT_ATTIC_H

#include <stdbool.h>
#include <stdint.h>

#include "server/adopt/past.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

struct adopt_kind;
struct attic;
struct vy_loop;
struct work;

struct attic_conf {
	struct vy_loop *loop;
	struct work *work;
	const char *state_dir; /* absolute */
	const char *home;      /* whose sessions they are */
	/* Where the programs were told to keep them; NULL: where they do by themselves. */
	const char *claude_dir, *codex_dir, *data_dir;
	uint32_t uid;
};

struct attic *attic_new(const struct attic_conf *conf);
/* Who waits is not told any more. Before the worker goes. */
void attic_free(struct attic *a);

/* One of them; strings are lent. */
struct attic_item {
	const char *provider, *id;
	const char *cwd, *title, *why; /* NULL: not known; nothing is wrong */
	const char *path;
	int64_t updated, size;     /* ms; bytes, 0: it has no file of its own */
	bool is_archived, is_gone; /* its folder is no more */
};

struct attic_unread {
	const char *provider, *path, *why;
};

struct attic_list {
	const struct attic_item *items;
	size_t n;
	const struct attic_unread *unread;
	size_t n_unread;
	bool has_more;
};

struct attic_ask {
	struct vy_str cwd; /* of that folder alone; empty: all */
	size_t limit;
	/* Behind that one, in the order of the list; empty: from its beginning. */
	struct vy_str before_provider, before_id;
	int64_t before_updated;
};

/* NULL: the attic goes before it could be told. */
typedef void attic_listed_fn(void *ctx, const struct attic_list *list);
void attic_list(struct attic *a, const struct attic_ask *ask, attic_listed_fn *fn, void *ctx);

/* What was read; NULL with why not. `item` says what it is of. The past is the caller's. */
typedef void attic_read_fn(
	void *ctx, const struct attic_item *item, struct past *own, const struct vy_err *why);
struct attic_reading {
	const struct adopt_kind *kind;
	struct vy_str id;
	const char *session;
	struct vy_str person, assistant; /* authors (past.h) */
};
void attic_read(struct attic *a, const struct attic_reading *what, attic_read_fn *fn, void *ctx);

/* What was added to that file since byte `from`, at once (a few MiB of it at most); NULL: nothing,
 * or it cannot be told. past->upto says how far. Owned. */
struct past *attic_added(struct attic *a, const struct adopt_kind *kind, const char *path,
	const char *cwd, int64_t from, const struct past_of *of);

#endif
