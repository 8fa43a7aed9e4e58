/* watch.h -- what a client knows of all sessions by the control plane: the rules for clients of wire
 * 9 as a machine.
 *
 * Two things tell of sessions, the list (threads.list) and events, and there is no order between
 * them. A list that was asked for before an event came may be older than it, so what the event said
 * stays; what the list knew beyond it will be said by an event, too. An event whose id was seen before
 * is nothing, by whichever plane it came again. Records and messages are replaced whole, never
 * patched, and a message only by a higher messageRevision. `since` is where a connection goes on that
 * was cut; a reset says that something was missed, and the list must be read anew.
 *
 * Records are lent until the next call that is not const. Init/fini. Pure. */
#ifndef VY_MODEL_WATCH_H
#define VY_MODEL_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/json.h"
#include "shared/base/str.h"

#define VY_WATCH_IDS      4096 /* events that are remembered, and … */
#define VY_WATCH_MESSAGES 4096 /* … messages: the oldest are forgotten */

struct vy_watch_session;
struct vy_watch_once;

struct vy_watch {
	int64_t since;                     /* seq of the newest event, or the head; -1: neither */
	int64_t listed;                    /* when the list that is known was asked for */
	struct vy_watch_session *sessions; /* by id; those that are gone too, for a while */
	struct vy_watch_once *ids, *messages;
	size_t n_ids, n_messages;
};

void vy_watch_init(struct vy_watch *w);
void vy_watch_fini(struct vy_watch *w);

/* ---- what comes ---- */

enum vy_watch_news {
	VY_WATCH_NOTHING, /* seen before, older than what is known, or no event */
	VY_WATCH_RECORD,  /* the session's record is another */
	VY_WATCH_GONE,    /* the session was put away or deleted */
	VY_WATCH_MESSAGE, /* data.message is the newest of its id: it takes its place */
	VY_WATCH_OTHER,   /* it says what its type says */
	VY_WATCH_RESET    /* read the list */
};

/* The params of a control.event. */
enum vy_watch_news vy_watch_event(struct vy_watch *w, const struct vy_json *event);
/* The answer to a subscription. True: nothing was heard before it, so the list must be read. */
bool vy_watch_head(struct vy_watch *w, int64_t head);
/* The list, and what `since` was when it was asked for. */
void vy_watch_list(struct vy_watch *w, const struct vy_json *threads, int64_t asked);

/* ---- what is known ---- */

const struct vy_json *vy_watch_record(
	const struct vy_watch *w, struct vy_str session); /* NULL: none */
typedef void vy_watch_fn(void *ctx, const struct vy_json *record);
void vy_watch_each(const struct vy_watch *w, vy_watch_fn *fn, void *ctx); /* the list's order */

#endif
