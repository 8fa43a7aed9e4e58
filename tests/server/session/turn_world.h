/* turn_world.h -- a turn that is played by lines: acts and events in, effects out (tests alone).
 *
 * A line is an act of a person (say, say-queue, say-now, edit, unqueue, send-now, move, release,
 * esc, stop, rest, mode, answer) or an event of the agent (started, gone, again, taken, back,
 * begin, text, text-done, void, tool, tool-progress, tool-done, file, ask, ask-gone, tasks, end, is-mode, broken; limit, the end of
 * a turn by one: `on`, with another credential, or `hold`, until 7, and what is said).
 * Behind "no-places [soon]" a wish for a process waits for "go", "soon", "waits N", "leave-line". "m1" ..
 * "m9" stand for uuids, and a uuid that the turn makes itself is shown, and may be named, as "u1", "u2"
 * … in the order of appearance; "a1" .. are asks. */
#ifndef TURN_WORLD_H
#define TURN_WORLD_H

#include "server/session/turn.h"
#include "shared/base/hash.h"
#include "tests/check.h"

#define TURN_WORLD_MADE 64

struct turn_world {
	struct turn *t;
	struct vy_arena arena;
	struct vy_buf out; /* the effects so far, a line each */
	char made[TURN_WORLD_MADE][VY_UUID_LEN + 1];
	size_t n_made;
	int64_t now; /* one more with each word */
	char ask[TURN_WORLD_MADE][32];
	size_t n_asks;
	long long over;    /* the newest turn that has had its last frame */
	bool has_places;   /* what wants a process gets one at once */
	bool has_one_soon; /* a word need not wait in the queue for one */
	/* Called with each effect before it is shown; may be NULL. */
	void (*seen)(struct turn_world *w, const struct effect *e);
	void *ctx;
};

void turn_world_init(struct turn_world *w);
void turn_world_fini(struct turn_world *w);
void turn_world_step(struct turn_world *w, char *line); /* the line is cut into words in place */
void turn_world_reload(struct turn_world *w);           /* encodes, decodes and goes on */
const char *turn_world_alias(struct turn_world *w, struct vy_str uuid); /* until the next call */
char *turn_world_play(const char *script, bool reloading);              /* a whole script; owned */

#endif
