/* holder.h -- the holder itself: one child, its spool, its input, and at most one vyred.
 *
 * Three files share the struct: holder.c owns the child's life and time, serve.c answers a vyred and
 * sends it what it may have, turn.c is the loop. Nothing here waits for a vyred or for the child: it
 * waits in poll() alone. One thread. */
#ifndef HOLDER_HOLDER_H
#define HOLDER_HOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "server/holder/child.h"
#include "server/holder/input.h"
#include "server/holder/msg.h"
#include "server/holder/peer.h"
#include "server/holder/spool.h"
#include "shared/base/clock.h"
#include "shared/base/sm.h"

#define HOLDER_RETRY_MS 1000 /* after a full disk, or without an fd to give */
#define HOLDER_PEERS    4    /* one that is attached, and those that may become it */

/* How much and how long; tests make them small. */
struct holder_limits {
	int64_t spool_mem, spool_max; /* bytes */
	int64_t alone_ms;             /* neither a vyred nor a child: over */
	int64_t attach_ms;            /* a connection that does not say who it is */
	int64_t drain_ms;             /* after the child's end its output may stay open this long */
	int64_t linger_ms;            /* after the child's end, for a vyred to come */
	int64_t quiet_ms;             /* an orphan that wrote nothing for so long is ended */
	int64_t term_ms;              /* between TERM and KILL */
};

struct holder_conf {
	const char *dir; /* for the spool's file */
	const char *hid;
	const char *cgroup; /* to be in; NULL: where it was started */
	uint8_t token[MSG_TOKEN_LEN];
	int listen_fd;
	char *sock; /* where it is looked for; removed when nobody is to come any more */
	struct rlimit core;
	struct holder_limits limits;
	const struct vy_clock *clock;
};

enum holder_phase {
	HOLDER_EMPTY,
	HOLDER_STARTING, /* forked, and we do not know yet whether the program runs */
	HOLDER_REFUSED,  /* it did not; as good as empty */
	HOLDER_RUNNING,
	HOLDER_EXITED,
	HOLDER_LEAVING, /* no socket any more; stays while a process of the tree lives */
};

struct holder {
	struct holder_conf conf;
	struct vy_sm phase;
	struct child child;
	struct spool *spool;
	struct input input;
	struct peer peers[HOLDER_PEERS];
	uint64_t epoch; /* of the newest vyred that was here */
	char refusal[512];
	uint32_t orphan_s;
	int status, signo;          /* the child's end */
	bool out_ended[CHILD_OUTS]; /* a stream is closed, and its bytes end there: */
	uint64_t out_end[CHILD_OUTS];
	int out_left
		[CHILD_OUTS]; /* last bytes to take of a stream that stays open; -1: not counted */
	int64_t alone_since;  /* no vyred since; -1: one is here */
	int64_t wrote_at, over_at;
	int64_t kill_at, kill_since; /* next pass of a tree kill, and its first; kill_at -1: none */
	int64_t kill_wait;
	int64_t retry_at; /* the disk was full; -1: it was not */
	int64_t deaf_at;  /* no fd for a newcomer: listens again then; -1: listens */
	bool let_go;      /* BYE or SIGTERM: leave when the child is over */
	bool is_ending;   /* an orphan was told to end */
	bool is_over;
	int signal_fd;
};

void holder_limits_init(struct holder_limits *l);

/* `conf` is filled in, the socket listens, and this is the process that will hold. */
VY_MUST_USE int holder_open(struct holder *h, struct vy_err *e);
void holder_run(struct holder *h); /* turn.c: until there is nothing left to hold */
void holder_close(struct holder *h);

/* ---- holder.c, for the other two ---- */
int64_t holder_now(const struct holder *h);
bool holder_is_in(const struct holder *h, enum holder_phase phase);
struct peer *holder_vyred(struct holder *h); /* the attached peer or NULL */
void holder_start(struct holder *h, struct msg *start);
void holder_read_report(struct holder *h); /* whether the program runs */
void holder_close_out(struct holder *h, int which);
void holder_signal(struct holder *h, int sig, bool tree);
void holder_end_tree(struct holder *h); /* TERM, and KILL after a while */
void holder_reap(struct holder *h);
bool holder_is_told(const struct holder *h); /* EXIT may be sent: over, drained, tree not dying */
void holder_has_room(struct holder *h);      /* the spool forgot something */
/* Does what is due; milliseconds until the next thing will be, -1 for never. */
int holder_do_due(struct holder *h);

/* ---- serve.c ---- */
void serve_message(struct holder *h, struct peer *p, struct vy_str body);
void serve_started(struct holder *h); /* STARTED or REFUSED, as the phase says */
void serve_pump(struct holder *h);    /* queues for vyred a good part of what it may have now */
bool serve_wants(const struct holder *h, const struct peer *p); /* there is more for the socket */

#endif
