/* runner_in.h -- the inside of a runner, for runner*.c alone (runner.h is the contract).
 *
 * runner.c is its life, runner_row.c what survives and what the agent is told, runner_hold.c what
 * the holder says. */
#ifndef RUNNER_IN_H
#define RUNNER_IN_H

#include <sys/queue.h>

#include "server/hub/observe.h"
#include "server/io/hold.h"
#include "server/io/hold_lines.h"
#include "server/session/runner.h"
#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"

struct vy_timer;

#define RUNNER_MAGIC 0x52554E52u

/* What a killed agent had said and nobody had read yet may be as much as the holder keeps; no more than this of it
 * is heard, so that a stop of one that floods is a stop. */
#define RUNNER_LAST_WORDS (4 * VY_MIB)

/* Bytes for the agent that wait for their commit, then for their INACK. */
struct tell {
	int64_t seq;
	struct vy_str bytes; /* owned */
	TAILQ_ENTRY(tell) link;
};

struct runner {
	VY_MAGIC;
	struct vy_loop *loop;
	struct log *log;
	char *state_dir, *session;
	uint32_t orphan_s;
	size_t line_max;
	const struct provider_ops *driver;
	const struct runner_ops *ops;
	void *ctx;
	struct observe_tap *tap;

	char hid[HOLD_HID_LEN + 1];
	uint8_t token[HOLD_TOKEN_LEN];
	struct hold *hold;
	struct hold_lines lines;
	struct agent *agent;
	struct vy_arena arena;
	struct agent_out heard;     /* of the line at hand, in `arena` */
	struct vy_buf state, extra; /* of the row that is staged */
	/* {argv, env, cwd, secret, hello}: what the child can be started from, by the next vyred
	 * too; NULL once it was. */
	struct vy_json *start;
	struct runner_pids pids;
	int64_t next_seq;
	TAILQ_HEAD(tell_list, tell) tells; /* not acknowledged; in order */
	int64_t staged_seq, committed_seq; /* tells up to here are in the row, are in the store */
	int64_t sent_seq;                  /* the last one given to the holder */
	uint64_t staged_off;               /* what the row says was handled */
	uint64_t acked_off;                /* what the holder was told that it may forget */

	struct vy_timer *grace;
	bool is_killed;     /* its grace is over */
	size_t heard_since; /* then: bytes of what it had said before */
	unsigned calls;  /* of ours that wait in the loop or the log: the memory stays under them */
	bool is_resumed; /* an earlier vyred's */
	bool is_met;     /* by its holder, in this vyred's life */
	bool is_started, is_dirty, is_over, is_freed, is_ending, is_paused, is_private,
		is_sparing; /* it is to rest: what it left running may stay */
};

/* ---- runner_row.c ---- */

/* A call that was waited for has come: true when its runner is still somebody's. */
bool runner_came(struct runner *r);
void runner_stage_now(struct runner *r);   /* commits where we stand */
void runner_stage_later(struct runner *r); /* the same, once in this loop turn */
void runner_add_tell(struct runner *r, int64_t seq, struct vy_str bytes);
void runner_tell_free(struct runner *r, struct tell *t);
void runner_stage_tell(struct runner *r, struct vy_str bytes);
void runner_send_tells(struct runner *r); /* all that are committed and not sent */
void runner_deliver(struct runner *r, struct agent_out *out);
void runner_over(struct runner *r, const char *why); /* `gone`, once */
void runner_unborn(struct runner *r);                /* `unborn`, in place of it */

/* ---- runner_hold.c ---- */

extern const struct hold_ops runner_hold_ops;

#endif
