/* roster.h -- the sessions there are, as the server told last: the column, the switcher, alt-1 to
 * alt-9.
 *
 * Their order is that of alt-1 to alt-9: who needs a person first, then the newest; what was put
 * away is last. The words are the server's, to be made fit where they are drawn; they are the
 * row's until that is put anew. Init/fini. Pure. */
#ifndef APP_ROSTER_H
#define APP_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/model/state.h"
#include "tui/app/seen.h"
#include "tui/ink/theme.h"
#include "tui/words/standing.h"

struct look;

struct roster_row {
	struct vy_str session, title, cwd, provider, model; /* empty: not said */
	struct vy_str from;                                 /* id of the session it is a copy of */
	struct vy_str left_by; /* the program that it was begun in; empty: here */
	enum vy_state state;   /* asking while it asks */
	bool is_stopping;      /* known of the session at hand alone */
	struct standing stand; /* beside its state */
	bool is_archived;
	int64_t asks, queued, viewers;
	int64_t updated;  /* wall ms */
	size_t nth;       /* in the answer */
	int64_t messages; /* of the assistant, in all, and … */
	int64_t news;     /* … those that were not shown here */
	char *words;      /* owned: what the strings point into */
};

struct roster {
	struct roster_row *rows;
	size_t n, cap;
	uint64_t rev; /* another after each change */
};

void roster_init(struct roster *r);
void roster_fini(struct roster *r);

/* Replaces all by an answer of threads.list. */
void roster_read(struct roster *r, const struct vy_json *answer, const struct seen *seen);
void roster_clear(struct roster *r);
/* One record takes the place of what was known of its session; what it does not say (viewers: the
 * control plane has none) stays. */
void roster_put(struct roster *r, const struct vy_json *record, const struct seen *seen);
void roster_drop(struct roster *r, struct vy_str session);
void roster_see(struct roster *r, const struct seen *seen); /* more was shown: what is news now? */
int64_t roster_asks(const struct roster *r, const char *but); /* open ones, of all but a session */
int64_t roster_asking(const struct roster *r, const char *but); /* how many of the others ask */
const struct roster_row *roster_find(const struct roster *r, struct vy_str session); /* or NULL */

/* ---- in words ---- */

/* In the person's language when it has no title. */
struct vy_str roster_title(const struct roster_row *row);
/* "needs you", "3 new", "working", "5 min": the one thing that is worth the right edge. With
 * `is_short` the number of asks is left out. */
/* Its mark and the role of that. */
struct look roster_look(const struct roster_row *row);
enum theme_role roster_aside(
	const struct roster_row *row, int64_t wall_ms, bool is_short, char *out, size_t room);

#endif
