/* lift.h -- what of a session goes into the journal: a frame becomes one event, or none.
 *
 * The one function between the two (wire 7): author becomes actor, acts_for the first hop of the
 * chain. An event holds ids, summaries and counts; never an agent's words (settle.h has those),
 * what a tool said on its way, what it was called with, or what anybody said. Of a private message
 * it holds {message, state, enc: true} and nothing else; of all others also `cur`, where the frame stood. Most frames (every word that streams) lift
 * to nothing, at the cost of one comparison.
 *
 * A small machine, because a status frame alone does not tell whether a turn ends with it: it
 * knows the turn, its step (calls that have ended in it) and whether it runs. It is a value, stored
 * by its owner; the same frames give the same events, with a restart anywhere between them. Pure. */
#ifndef VY_MODEL_LIFT_H
#define VY_MODEL_LIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/str.h"
#include "shared/frame/frame.h"

#define VY_LIFT_ERROR 256

enum vy_lift_phase { VY_LIFT_REST, VY_LIFT_STARTING, VY_LIFT_TURN };

struct vy_lift {
	char turn[VY_ID_MAX + 1]; /* the newest */
	int64_t step;             /* in it, from 0 */
	enum vy_lift_phase phase;
	bool has_failed;           /* the turn; its end says so, … */
	char error[VY_LIFT_ERROR]; /* … and why, in a sentence that may be cut */
};

struct vy_event {
	const char *type;    /* "thread.tool", "ask.raised" … */
	struct vy_str actor; /* who did it: person:ID, assistant:ID, model:ID; "system": nobody */
	struct vy_str chain; /* for whom, a JSON array, nearest first; empty: for nobody else */
	struct vy_str
		subject; /* what it is about: the id of a message, call, ask …; may be empty */
	struct vy_str turn;
	int64_t step;
	int64_t time;
	struct vy_str data; /* a JSON object in canonical form */
};

/* True: *out is its event; slices live in `mem` or in the frame. */
bool vy_lift(
	struct vy_lift *l, const struct vy_frame *f, struct vy_arena *mem, struct vy_event *out);

/* Who did it, and for whom: of any frame. */
struct vy_str vy_lift_actor(const struct vy_frame *f);
struct vy_str vy_lift_chain(const struct vy_frame *f, struct vy_arena *mem);

/* As members of an object that is open; and back, where what is missing is as at the beginning. */
void vy_lift_encode(const struct vy_lift *l, struct vy_jw *w);
void vy_lift_decode(const struct vy_json *v, struct vy_lift *out);

#endif
