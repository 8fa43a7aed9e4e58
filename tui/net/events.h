/* events.h -- a standing stream of events of the server, over however many connections it takes.
 *
 * Drives the machine of shared/frame/standing over GET with Accept: text/event-stream: an item is parsed, is
 * judged, and only then delivered, once; a line that breaks is opened again behind the last place. On a local
 * path the folder of the socket is watched, and a server that comes back is dialled the moment it appears.
 *
 * What one reader does with an item is its own: it cannot fail the stream, and another stream knows nothing of
 * it. events_free() ends it at any time but from inside its callbacks; there events_stop() does. Loop thread. */
#ifndef NET_EVENTS_H
#define NET_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"
#include "shared/io/loop.h"

struct dial;
struct events;
struct vy_clock;

/* Of one item; a baseline or a snapshot may be as large. */
#define EVENTS_ITEM_MAX (36 * 1024 * 1024)

struct events_item {
	struct vy_str name;         /* "message" when it has none */
	struct vy_str id;           /* the place behind it; empty: none yet */
	struct vy_str text;         /* one JSON object, and … */
	const struct vy_json *json; /* … read */
};

enum events_state {
	EVENTS_DOWN, /* nothing open; a try may be under way or due */
	EVENTS_LIVE,
	EVENTS_OVER, /* all there will ever be was delivered */
	EVENTS_LOST  /* no for good: not found, no access, nothing that fits; `why` is a sentence */
};

enum events_fit {
	EVENTS_FITS,
	EVENTS_LAST, /* and nothing follows it by its nature */
	EVENTS_MISFIT
};

struct events_ops {
	/* Does it fit its schema? NULL: any object does, and none is the last. */
	enum events_fit (*judge)(void *ctx, const struct events_item *it);
	void (*item)(void *ctx, const struct events_item *it);
	void (*state)(void *ctx, enum events_state s, const struct vy_err *why); /* on change */
};

struct events_conf {
	struct vy_loop *loop;
	struct dial *dial;
	const struct vy_clock *clock;
	const char *path; /* the request target */
	const char *last; /* the place to go on from; NULL: from the start, or as `path` says */
};

struct events *events_new(const struct events_conf *conf, const struct events_ops *ops, void *ctx);
void events_free(struct events *ev);  /* NULL is fine */
void events_stop(struct events *ev);  /* nothing more comes; also from a callback */
void events_retry(struct events *ev); /* now, not when the back-off ends */

const char *events_last(const struct events *ev); /* the place; "": none yet */

/* Judge the items of a generation stream, of the rows, and of an agent's lines, raw or tidy (wire 9). What a
 * newer server adds is not known to be wrong. `ctx` is not looked at. */
enum events_fit events_judge_generation(void *ctx, const struct events_item *it);
enum events_fit events_judge_ui(void *ctx, const struct events_item *it);
enum events_fit events_judge_observe(void *ctx, const struct events_item *it);

#endif
