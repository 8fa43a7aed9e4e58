/* follow_in.h -- the inside of the follow view, for its files: follow.c has followers, follow_read.c
 * reads the log for them. */
#ifndef FOLLOW_IN_H
#define FOLLOW_IN_H

#include <sys/queue.h>
#include <uthash.h>

#include "server/hub/attempts.h"
#include "server/hub/follow.h"
#include "server/log/log.h"
#include "server/log/ring.h"
#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "shared/frame/twin.h"
#include "shared/io/loop.h"

#define FOLLOW_MAGIC 0x666f6c77u
#define SUB_MAGIC    0x66737562u

enum follow_phase {
	FOLLOW_OPENING, /* owes follow.open */
	FOLLOW_PAST,    /* reads the journal behind `seq` */
	FOLLOW_LIVE /* takes what was drawn for it, then the ring; without attempts the journal */
};

struct drawn { /* an item for one follower */
	STAILQ_ENTRY(drawn) link;
	size_t n;
	char bytes[];
};

struct follow_sub {
	VY_MAGIC;
	struct follow *follow;
	struct followed *of;
	bool wants_attempts, is_dry, is_due;
	bool was_event; /* what it was given last, and … */
	char name[64];  /* … its type */
	enum follow_phase phase;
	int64_t seq;       /* it has what the journal holds up to here */
	int64_t given;     /* the last event it was given; first `from` */
	int64_t at;        /* the ring's last item it was given */
	const char *reset; /* why; until it was told */
	int code;          /* 0: open */
	STAILQ_HEAD(, drawn) drawn;
	void (*ready)(void *ctx);
	void *ctx;
	TAILQ_ENTRY(follow_sub) link, in_due;
};

struct followed { /* a session with followers */
	struct follow *follow;
	char *session;
	int64_t seq;    /* the journal is known up to here; first the head of it all */
	int64_t events; /* log_events() of that time */
	size_t n_live;  /* followers who want attempts */
	/* as long as there are any */
	struct attempts *attempts;
	int64_t cur; /* the last frame they have read */
	struct vy_twin twin;
	struct vy_arena mem;
	int64_t arrived; /* number of the ring's newest item; counts on for good */
	struct ring ring;
	TAILQ_HEAD(, follow_sub) subs;
	UT_hash_handle hh;
};

struct follow {
	VY_MAGIC;
	struct log *log;
	struct vy_loop *loop;
	struct followed *followed;
	size_t frames;
	TAILQ_HEAD(, follow_sub) due;
	bool is_deferred;
};

/* ---- follow_read.c ---- */

/* The journal's newest number, of all sessions. */
VY_MUST_USE int follow_head(struct log *l, int64_t *head, struct vy_err *e);
/* The attempts as they stand at the last commit, also in place of those there are. */
VY_MUST_USE int follow_rebuild(struct followed *fd, struct vy_err *e);
void follow_forget(struct followed *fd); /* the attempts, and the ring */

enum follow_got {
	FOLLOW_NOTHING,
	FOLLOW_MORE,
	FOLLOW_AGAIN, /* the log does not hold all of it: the attempts were rebuilt */
	FOLLOW_FAILED
};
enum follow_got follow_read(struct followed *fd, struct vy_err *e);

/* Appends the follower's next event, at most number `upto`, and moves it there: 1; 0: there is none. */
VY_MUST_USE int follow_event(
	struct follow_sub *s, int64_t upto, struct vy_buf *out, struct vy_err *e);

#endif
