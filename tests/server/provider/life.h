/* life.h -- an agent's program as a child, with its driver at the other end of the pipes.
 *
 * What goes over the pipes is real; the driver's state is encoded and decoded at every step
 * (replay.h). Floor checks are answered at once with `verdict`, asks with `decision` and `answer`
 * when there is one. Nothing here waits for a time, only for words: until() fails the test when
 * they do not come. */
#ifndef TESTS_PROVIDER_LIFE_H
#define TESTS_PROVIDER_LIFE_H

#include <sys/types.h>

#include "shared/base/cut.h"
#include "tests/server/provider/replay.h"

struct life {
	struct replay r;
	pid_t pid;
	int in, out, err;
	struct vy_cut cut, err_cut;
	const char *decision;       /* for asks; NULL: they are left open */
	const char *verdict;        /* of the floor */
	struct vy_json *answer;     /* {answers, always, stop} of the next answer */
	struct vy_buf asks, checks; /* requests that wait to be answered, one a line */
	bool is_ended;
	int status;
	const char *waits_for;
};

/* Runs `program` with the launch's arguments, in its folder; with our environment and what the
 * driver adds to it. */
void life_start(struct life *l, const struct provider_ops *ops,
	const struct provider_launch *launch, const char *program);
void life_finish(struct life *l); /* closes stdin, waits for the end, frees */

void life_say(struct life *l, const char *uuid, const char *text, enum agent_when when);
void life_command(struct life *l, struct agent_command cmd);
void life_answer(struct life *l); /* what is open, now */
void life_step(struct life *l);   /* one look at what it printed */

/* Until the log holds `what` behind byte `from`; gives the byte behind it. */
size_t life_until(struct life *l, size_t from, const char *what);
bool life_told(const struct life *l, const char *what);

#endif
