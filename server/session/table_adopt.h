/* table_adopt.h -- a session that another program left becomes one of ours.
 *
 * Its record names whose it was; its history is the transcript's, as frames with their own times, and so
 * in the journal, the search and an export; the first word resumes it under its own id. What is
 * there already is not made twice: the same call, or one at the same time, answers the same session.
 * Half of one does not outlive vyred. When the transcript grew since, and our agent is not yet there, what was
 * added comes first (table_adopt_catch_up): by the ids of messages, so nothing is there twice.
 * Loop thread. */
#ifndef TABLE_ADOPT_H
#define TABLE_ADOPT_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct session;
struct table;
struct vy_json;

struct table_adopt {
	struct vy_str provider, id; /* the kind of program, its own id */
	struct vy_str person;
};

/* `made` is the session, NULL with the reason. Called once, perhaps in the call itself; with
 * VY_GONE when the table ends before. */
typedef void table_adopted_fn(void *ctx, struct session *made, const struct vy_err *why);
void table_adopt(struct table *t, const struct table_adopt *what, table_adopted_fn *fn, void *ctx);

void table_adopt_free(struct table *t);

/* {"claude ID": session}: what is ours already, adopted or begun here; owned. */
struct vy_json *table_ours(struct table *t);

struct record;
/* The file that holds its conversation and no other; NULL: there is none. */
const char *table_adopt_file(const struct record *r);

/* That conversation is open in another program: a living one holds it, or it grew at `updated`, just now, and
 * that was not us. By what is known already: nobody is looked for. */
bool table_adopt_is_open(struct table *t, struct vy_str id, int64_t updated);

/* Before its agent starts: what was added to the transcript it came from. */
void table_adopt_catch_up(struct table *t, struct session *s);
/* Its agent has gone: what is in the transcript now is known. */
void table_adopt_rested(struct table *t, struct session *s);

#endif
