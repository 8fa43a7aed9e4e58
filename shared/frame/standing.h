/* standing.h -- the client's side of a standing stream of events: one pure machine.
 *
 * It knows the place to go on from (the id of the newest item it delivered) and repairs by nothing but
 * coming back with it: after an end, a refusal that is for now, a dead line (VY_DEAD_MS without a byte), or an
 * item that does not fit its schema; at once when there was progress, else as backoff.h says. It is over for
 * good behind an item that is the last by its nature, when the server says that access ended or that it
 * will never serve this, and behind VY_STANDING_BAD items in a row that fit no schema. An item is judged
 * before it is delivered, and delivered once.
 *
 * The edge reads and judges (sse.h, a schema) and feeds what it found with the time and a random number; it
 * does the effects in order. What comes of a connection that was closed must not be fed. How resume.h is to
 * session frames, this is to all other streams: there the place is the server's to read. Pure; any thread. */
#ifndef VY_FRAME_STANDING_H
#define VY_FRAME_STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"
#include "shared/frame/sse.h"

#define VY_STANDING_BAD 3

enum vy_standing_state {
	VY_STANDING_IDLE,    /* not started, or stopped by the caller */
	VY_STANDING_OPENING, /* the request is under way */
	VY_STANDING_LIVE,
	VY_STANDING_WAITING, /* until due_ms, or the path appears */
	VY_STANDING_OVER,    /* it has all there will ever be */
	VY_STANDING_LOST     /* given up */
};

struct vy_standing {
	enum vy_standing_state state;
	char last[VY_SSE_ID_MAX + 1]; /* "": from the start */
	unsigned tries;               /* without progress so far */
	unsigned bad;
	int64_t first_ms; /* of the backoff; the server's `retry` */
	int64_t heard_ms, due_ms;
};

enum vy_standing_event_type {
	VY_STANDING_START,
	VY_STANDING_OPENED,  /* 200 */
	VY_STANDING_ITEM,    /* one that fits: `id`; is_last: nothing follows by its nature */
	VY_STANDING_MISFIT,  /* one that does not */
	VY_STANDING_BYTES,   /* something came: a comment */
	VY_STANDING_RETRY,   /* `ms` */
	VY_STANDING_GOODBYE, /* `event: closed`: its code, and text */
	VY_STANDING_CLOSED,  /* the connection ended, or never came to be */
	VY_STANDING_REFUSED, /* `code` is the HTTP status, `text` the sentence */
	VY_STANDING_PATH,    /* the socket's path appeared */
	VY_STANDING_TICK,
	VY_STANDING_STOP
};

struct vy_standing_event {
	enum vy_standing_event_type type;
	int64_t now_ms;
	uint32_t random;
	struct vy_str id, text;
	bool is_last;
	int code;
	int64_t ms;
};

enum vy_standing_effect {
	VY_STANDING_DO_DELIVER = 1, /* the item at hand */
	VY_STANDING_DO_OPEN,        /* GET, with `last` as Last-Event-ID unless it is empty */
	VY_STANDING_DO_CLOSE,       /* the present connection */
	VY_STANDING_DO_WAIT,        /* TICK at due_ms */
	VY_STANDING_DO_END,         /* over: all was delivered */
	VY_STANDING_DO_GIVE_UP /* lost: `text` of the event says why, or the server's items do not fit */
};

struct vy_standing_out {
	size_t n;
	enum vy_standing_effect e[4];
};

/* `last` NULL or "": from the start. */
void vy_standing_init(struct vy_standing *s, const char *last);
void vy_standing_step(
	struct vy_standing *s, const struct vy_standing_event *ev, struct vy_standing_out *out);
/* When the next TICK is due: the end of a wait, or the line's death. INT64_MAX: never. */
int64_t vy_standing_due(const struct vy_standing *s);

#endif
