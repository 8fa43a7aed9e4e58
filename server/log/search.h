/* search.h -- the words of all sessions, to be found again (threads.search).
 *
 * An index of its own, `<state-dir>/search.db`, made of the journal and the message records: it can be
 * deleted at any time and is made anew. The worker fills it, some events at a time, behind a mark; who
 * searches reads it on the loop, newest first, without waiting for the worker. What cannot be read
 * here (private messages), was taken back, or is of a deleted session is not in it, nor anywhere in
 * its file. Loop thread. */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "server/log/log.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define SEARCH_WORD_MIN 3 /* characters: words are found inside of others, in any script */

struct search;
struct work;

/* All borrowed. Begins to fill it at once. */
struct search *search_new(
	struct log *log, struct vy_loop *loop, struct work *work, const char *state_dir);
/* Before the log is freed and while the worker runs; NULL is fine. */
void search_free(struct search *s);

struct search_hit {
	struct vy_str session, message, role; /* role: user, assistant */
	int64_t time;
	struct vy_str text; /* some words around the first place */
};
/* false: enough. */
typedef bool search_fn(void *ctx, const struct search_hit *hit);

/* All words of the query, in any order, each anywhere; a message comes once. VY_BAD_INPUT: no word of
 * it is long enough. *behind: the index does not know the newest yet. */
VY_MUST_USE int search_find(struct search *s, struct vy_str query, search_fn *fn, void *ctx,
	bool *behind, struct vy_err *e);

#endif
