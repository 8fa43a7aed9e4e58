/* queue.h -- what a session still has to tell its agent: a value that a loop turn commits.
 *
 * Items stand in the order people see. An item WAITS until it is handed to the agent, is TOLD until
 * the agent takes it, and leaves the queue only when it was taken or cancelled; an interrupt may
 * bring a told one back, to its old place. It never moves backwards: taken and cancelled are final (but see vy_queue_untaken),
 * and the newest of them are remembered so that a late edit gets a true answer. While the queue is
 * held only an item sent with `now` goes. On the wire the queue row's id (`queued`) is the message
 * id. Nothing here sends: vy_queue_next says which, the session does it. Init/fini. Pure. */
#ifndef VY_MODEL_QUEUE_H
#define VY_MODEL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/str.h"

enum vy_send_mode { VY_SEND_STEER, VY_SEND_QUEUE, VY_SEND_NOW }; /* wire 2, threads.send */
enum vy_item_state { VY_ITEM_WAITING, VY_ITEM_TOLD };

struct vy_queue_item {
	struct vy_str message;                       /* id; also the key towards the agent */
	struct vy_str text, images, author, surface; /* images: JSON array; empty: none */
	struct vy_str reply_to, parent; /* the message it answers, a thread's root; or empty */
	enum vy_send_mode mode;
	enum vy_item_state state;
	int64_t queued_at;
	int64_t tells; /* how often it was handed over; each after a take-back needs a new uuid */
	bool edited;
	bool urgent; /* send_now: goes even while held */
};

#define VY_QUEUE_GONE     64                 /* how many that left are remembered */
#define VY_QUEUE_BACK_MAX (2 * VY_QUEUE_MAX) /* with what came back of one turn */

struct vy_queue {
	bool held;
	size_t n, cap;
	struct vy_queue_item *items; /* slices are the queue's own */
	size_t ngone;
	char *gone[VY_QUEUE_GONE]; /* ids of taken and cancelled messages, a ring */
};

void vy_queue_init(struct vy_queue *q);
void vy_queue_fini(struct vy_queue *q);

const struct vy_queue_item *vy_queue_find(const struct vy_queue *q, struct vy_str message);
size_t vy_queue_waiting(const struct vy_queue *q); /* how many are not told yet */
size_t vy_queue_bytes(const struct vy_queue *q);   /* of all texts */
const char *vy_send_mode_word(enum vy_send_mode m);
bool vy_send_mode_parse(struct vy_str word, enum vy_send_mode *out);

/* ---- people's acts ---- */

/* At the end; copies. VY_FULL past VY_QUEUE_MAX, VY_CONFLICT for an id that is or was here. */
VY_MUST_USE int vy_queue_add(struct vy_queue *q, const struct vy_queue_item *it, struct vy_err *e);

/* These need a waiting item: VY_CONFLICT ("the agent has it already…") for one that is told or
 * taken, VY_NOT_FOUND for one that was never here. */
VY_MUST_USE int vy_queue_edit(
	struct vy_queue *q, struct vy_str message, struct vy_str text, struct vy_err *e);
VY_MUST_USE int vy_queue_unqueue(struct vy_queue *q, struct vy_str message, struct vy_err *e);
VY_MUST_USE int vy_queue_move(struct vy_queue *q, struct vy_str message, struct vy_str before,
	struct vy_err *e); /* before: empty is the end */
VY_MUST_USE int vy_queue_send_now(struct vy_queue *q, struct vy_str message, struct vy_err *e);
void vy_queue_hold(struct vy_queue *q);
void vy_queue_calm(struct vy_queue *q); /* nothing is urgent any more */
void vy_queue_release(struct vy_queue *q);

/* ---- the agent's acts ---- */

/* The next to hand over: an urgent one, else the first waiting one unless held. While the agent is
 * busy only one that steers or is urgent. NULL: none. Borrowed until the next change. */
const struct vy_queue_item *vy_queue_next(const struct vy_queue *q, bool busy);

/* Unknown ids are refused with VY_NOT_FOUND, final ones with VY_CONFLICT; asking twice is fine. */
VY_MUST_USE int vy_queue_told(struct vy_queue *q, struct vy_str message, struct vy_err *e);
VY_MUST_USE int vy_queue_taken(struct vy_queue *q, struct vy_str message, struct vy_err *e);
VY_MUST_USE int vy_queue_came_back(struct vy_queue *q, struct vy_str message, struct vy_err *e);
VY_MUST_USE int vy_queue_cancelled(struct vy_queue *q, struct vy_str message, struct vy_err *e);
/* One it took, and could do nothing with: waits again, at that place (of all items). Copies. The only
 * way back from what is final; VY_CONFLICT for one that is here, VY_FULL past VY_QUEUE_BACK_MAX. */
VY_MUST_USE int vy_queue_untaken(
	struct vy_queue *q, const struct vy_queue_item *it, size_t at, struct vy_err *e);
size_t vy_queue_all_came_back(struct vy_queue *q); /* every told one; how many */

/* ---- as JSON ---- */

void vy_queue_encode(const struct vy_queue *q, struct vy_jw *w);
VY_MUST_USE int vy_queue_decode(struct vy_queue *q, const struct vy_json *v, struct vy_err *e);

#endif
