/* replay.h -- plays lines and commands to a driver, and writes down what it answered.
 *
 * With `is_cut` the driver's state is encoded, printed, parsed and decoded after every step, and
 * must print the same again: a run that is cut at every line. */
#ifndef TESTS_PROVIDER_REPLAY_H
#define TESTS_PROVIDER_REPLAY_H

#include <stdbool.h>

#include "server/provider/provider.h"

struct replay {
	const struct provider_ops *ops;
	struct agent *agent; /* NULL: not launched, or ended */
	bool is_cut;
	struct vy_buf log; /* one line an event, and one a line told */
	size_t told;       /* where the newest step's tell begins in the log */
	void (*on_event)(void *ctx, const struct agent_event *ev);
	void *ctx;
	struct vy_arena arena;   /* of the newest step */
	struct vy_buf last_tell; /* of the newest step */
};

void replay_init(struct replay *r, const struct provider_ops *ops, bool is_cut);
void replay_fini(struct replay *r);

void replay_launch(struct replay *r, const char *session, const char *cwd);
void replay_line(struct replay *r, enum agent_stream stream, struct vy_str line);
void replay_command(struct replay *r, const struct agent_command *cmd);
void replay_too_long(struct replay *r, int64_t bytes, struct vy_str head);
void replay_exit(struct replay *r, int status, int signo);

/* "AE_TEXT message=m1 index=0 text=\"alpha \"", appended with a newline. */
void replay_print(const struct agent_event *ev, struct vy_buf *out);

const char *replay_kind(enum agent_event_kind k);

#endif
