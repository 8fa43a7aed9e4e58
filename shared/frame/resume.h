/* resume.h -- the client's side of a session stream: one pure machine (wire 4, "Client rules").
 *
 * It holds (epoch, last): the history it reads and the newest cursor it delivered. "None yet" is
 * not 0: none takes whatever the log still holds, 0 asks from the very start. It delivers each
 * cursor once, in order, and repairs by nothing but asking again from `last`: a gap, a heartbeat
 * that is ahead, a dead line (VY_DEAD_MS without a byte) or a close each open anew, the first time
 * at once, then after 250 ms doubling to 15 s with equal jitter. A reset, another epoch or a cursor
 * outside the log needs a snapshot first.
 *
 * The edge feeds events and does the effects in order: time and randomness come in with the event.
 * Frames of an attempt that is over must not be fed (they would be dropped anyway).
 * Pure; any thread. */
#ifndef VY_FRAME_RESUME_H
#define VY_FRAME_RESUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/frame/frame.h"

#define VY_EPOCH_MAX 64

enum vy_resume_state {
	VY_RESUME_IDLE,     /* not started, or stopped by the caller */
	VY_RESUME_OPENING,  /* stream.open and the dial are under way */
	VY_RESUME_LIVE,     /* connected: replay, then live */
	VY_RESUME_WAITING,  /* until `due_ms`, or the path appears */
	VY_RESUME_SNAPSHOT, /* the caller reads a snapshot */
	VY_RESUME_LOST      /* given up: `why` said it */
};

struct vy_resume {
	enum vy_resume_state state;
	bool has_last; /* false: nothing was delivered and nothing asked for */
	uint64_t last;
	char epoch[VY_EPOCH_MAX + 1]; /* empty: not known yet */
	unsigned tries;               /* attempts without progress so far */
	unsigned snapshots;           /* the same of snapshots */
	int64_t opened_ms;            /* when the connection came to be */
	int64_t heard_ms;             /* when the last byte came */
	int64_t due_ms;               /* VY_RESUME_WAITING: when to open */
	bool wants_snapshot;          /* the attempt that waits is a snapshot */
	bool was_too_big;             /* 1009 since the last progress */
};

enum vy_resume_event_type {
	VY_RESUME_START,  /* go */
	VY_RESUME_OPENED, /* stream.open answered: head, floor, epoch */
	VY_RESUME_FRAME,  /* any decoded frame: logged, ephemeral, heartbeat, reset */
	VY_RESUME_BYTES,  /* something came that is no frame (an SSE comment, a pong) */
	VY_RESUME_CLOSED, /* the connection or the attempt ended: code; 0: no close frame, no snapshot */
	VY_RESUME_REFUSED, /* the server says no for good: text */
	VY_RESUME_TAKEN,   /* the snapshot was taken over: head is its cur, epoch */
	VY_RESUME_PATH,    /* the socket's path appeared */
	VY_RESUME_TICK,    /* time passed */
	VY_RESUME_STOP
};

struct vy_resume_event {
	enum vy_resume_event_type type;
	int64_t now_ms;
	uint32_t random;
	uint64_t head, floor;
	struct vy_str epoch, text;
	int code;
	const struct vy_frame *frame;
};

enum vy_resume_effect_type {
	VY_RESUME_DO_DELIVER, /* `frame`: fold it */
	VY_RESUME_DO_OPEN,  /* call stream.open with from (when has_last) and epoch, then connect */
	VY_RESUME_DO_CLOSE, /* drop the present connection; its CLOSED need not be fed */
	VY_RESUME_DO_SNAPSHOT, /* read the snapshot, then TAKEN (or CLOSED, REFUSED) */
	VY_RESUME_DO_WAIT,     /* TICK after `ms`; a path to watch may be watched */
	VY_RESUME_DO_GIVE_UP   /* `text` is a sentence for the person */
};

struct vy_resume_effect {
	enum vy_resume_effect_type type;
	struct vy_frame frame; /* slices as the event's, or in the arena after a trim */
	int64_t ms;
	const char *text; /* static, or the event's */
};

struct vy_resume_out {
	size_t n;
	struct vy_resume_effect e[4];
};

/* Without `from` it holds nothing yet. */
void vy_resume_init(struct vy_resume *r);
void vy_resume_init_from(struct vy_resume *r, uint64_t last, struct vy_str epoch);

/* Eats one event and says what to do. A given-up sentence lives in `a`, as a trimmed text does. */
void vy_resume_step(struct vy_resume *r, const struct vy_resume_event *ev, struct vy_arena *a,
	struct vy_resume_out *out);

/* When the next TICK is due on the caller's clock: the end of a wait or the line's death.
 * INT64_MAX: never. */
int64_t vy_resume_due(const struct vy_resume *r);

#endif
