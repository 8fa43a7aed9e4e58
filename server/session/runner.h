/* runner.h -- one living agent of a session: its holder, its driver, and the bytes between.
 *
 * The edge round a pure driver (provider.h). Bytes from the holder are cut into lines and handed
 * to the driver; its events go up through `heard`; the house's commands go down through
 * runner_command(). What the agent is told leaves only after the commit that holds its `tell` row,
 * and what was read is acknowledged only after the commit that holds its effects, so a vyred that
 * dies at any point goes on exactly there (wire 12).
 *
 * `heard` may come from inside runner_command(); `started`, `gone` and `unborn` come from the loop
 * only. After `gone` or `unborn` the runner does nothing more; its owner frees it, also from inside
 * a callback.
 * Loop thread only. */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/log/store.h"
#include "server/provider/provider.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"

struct log;
struct observe;
struct runner;
struct vy_loop;

struct runner_ops {
	/* Appends the secret of that name: asked for when the child is really started, so that it
	 * is in no memory before and after. */
	int (*secret)(void *ctx, const char *name, struct vy_buf *out, struct vy_err *e);
	void (*started)(void *ctx);
	void (*heard)(void *ctx, const struct agent_event *ev);
	/* `why` is a sentence, "" for an end that was wanted. */
	void (*gone)(void *ctx, const char *why);
	/* In place of `gone`: an earlier vyred died before it had started the agent. */
	void (*unborn)(void *ctx);
};

struct runner_conf {
	struct vy_loop *loop;
	struct log *log;
	const char *state_dir; /* absolute */
	const char *session;
	uint32_t orphan_s;
	size_t line_max;         /* of the child's output; 0: an agent's */
	struct observe *observe; /* what is said goes there as well; NULL: nowhere */
	const struct provider_ops *driver;
	const struct runner_ops *ops;
	void *ctx;
};

/* What is started: all copied. */
struct runner_start {
	const char *const *argv, *const *env;
	const char *cwd;
	const char *user;            /* who it becomes; NULL: nobody else */
	const char *secret_name;     /* what the child reads on fd 3; NULL: nothing */
	struct agent *own_agent;     /* the driver's fresh state; handed over */
	const struct vy_json *hello; /* AC_HELLO's json; borrowed */
	/* A person's own command, not an agent. It may hold a secret: it is not stored, so a vyred that dies before the child was
	 * started leaves one that is unborn. */
	bool is_private;
};

/* Stages the `live` row; the holder is started after its commit. Never fails: what goes wrong
 * arrives as `gone`. */
struct runner *runner_new(const struct runner_conf *conf, const struct runner_start *start);

/* Goes on with an agent that an earlier vyred started. A holder that is not there any more
 * arrives as `gone`. NULL when the row cannot be read: then runner_abandon() it. */
struct runner *runner_resume(
	const struct runner_conf *conf, const struct row_live *live, struct vy_err *e);
/* Nobody can go on with it: its processes are killed, and its row goes. */
void runner_abandon(struct log *log, const char *state_dir, const struct row_live *live);

/* Lets go: the process lives on in its holder. NULL is fine. */
void runner_free(struct runner *r);

/* One command to the agent. Events it causes are heard before it returns. */
void runner_command(struct runner *r, const struct agent_command *c);

/* What the agent is told is counted: the number of the next tell, and the lowest one whose arrival at the
 * holder is not known (the next one: all have arrived). In `gone` it is the last word about them. */
int64_t runner_next_tell(const struct runner *r);
int64_t runner_first_untold(const struct runner *r);

/* Asks the agent to leave, and ends its whole tree when it has or grace_ms is over (0: at once). Once more
 * only changes the grace. */
void runner_end(struct runner *r, int64_t grace_ms);
/* The same for a while: what it left running when it went in time goes on, below its holder. */
void runner_rest(struct runner *r, int64_t grace_ms);

/* As a ctrl-c: a signal to its whole tree, and the kill when grace_ms is over. */
void runner_interrupt(struct runner *r, int64_t grace_ms);

/* While the log cannot take more, nothing is read from the agent. */
void runner_pause(struct runner *r, bool is_paused);

struct runner_pids {
	pid_t holder, pid, pgid, sid; /* 0: not known yet */
	const char *hid;
};
void runner_pids(const struct runner *r, struct runner_pids *out);

#endif
