/* state.h -- the one table of session states, and the two machines behind it.
 *
 * A frame's `status` says what a person sees (starting, waiting, working, asking, stopped, failed,
 * finished, paused); a session's record says it in six words (starting, idle, running, waiting,
 * stopped, failed). Behind both stand two machines: the process (absent, starting, live, stopping)
 * and the turn (idle, running, asking); "failed" is a reason, not an end. Pure; any thread. */
#ifndef VY_MODEL_STATE_H
#define VY_MODEL_STATE_H

#include <stdbool.h>

#include "shared/base/sm.h"
#include "shared/base/str.h"

/* ---- as frames say it ---- */

enum vy_state {
#define VY_STATE(name, word, record) VY_STATE_##name,
#include "shared/model/states.def"
#undef VY_STATE
	VY_STATE_COUNT
};

/* ---- as the record says it ---- */

enum vy_record {
	VY_RECORD_STARTING,
	VY_RECORD_IDLE,
	VY_RECORD_RUNNING,
	VY_RECORD_WAITING,
	VY_RECORD_STOPPED,
	VY_RECORD_FAILED,
	VY_RECORD_COUNT
};

const char *vy_state_word(enum vy_state s);
bool vy_state_parse(struct vy_str word, enum vy_state *out);
enum vy_record vy_state_record(enum vy_state s);

const char *vy_record_word(enum vy_record r);
bool vy_record_parse(struct vy_str word, enum vy_record *out);
enum vy_state vy_record_state(enum vy_record r); /* what its frame says: idle is "waiting" */

/* Is that the reason of a rest? A session whose agent was let go (idle, restart, rewind) waits as any
 * other does, and its agent comes back with the next word; a job (done) is finished. */
bool vy_is_rest(struct vy_str reason);

/* ---- the machines ---- */

enum vy_process {
	VY_PROCESS_ABSENT,
	VY_PROCESS_STARTING,
	VY_PROCESS_LIVE,
	VY_PROCESS_STOPPING,
	VY_PROCESS_COUNT
};
enum vy_turn { VY_TURN_IDLE, VY_TURN_RUNNING, VY_TURN_ASKING, VY_TURN_COUNT };

struct vy_sm vy_process_sm(enum vy_process now); /* move it with vy_sm_move only */
struct vy_sm vy_turn_sm(enum vy_turn now);

/* The record's state. `end` is how it last ended: STOPPED, FAILED, or IDLE for a session at rest
 * (its agent was let go and comes back with the next message). */
enum vy_record vy_record_of(enum vy_process p, enum vy_turn t, enum vy_record end);

/* The invariant between the machines: a turn runs only in a live process (or one that is ending),
 * and it asks exactly while an ask is open. NULL when it holds, else what is wrong. */
const char *vy_machines_wrong(enum vy_process p, enum vy_turn t, unsigned open_asks);

#endif
