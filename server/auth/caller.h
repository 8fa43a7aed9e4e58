/* caller.h -- who speaks to vyred: a value, and the placing of a local process (wire.md 1).
 *
 * A local peer is a person unless something says it is not. It is an agent when it, or any
 * process above it, is one that vyred started, shares the process group or POSIX session of one,
 * carries a holder's mark (VYRE_HOLDER) in its environment, or is an agent program vyred did not
 * start (claude, codex, every configured command), or what such a one put into an environment says
 * so. The shell of a terminal is listed by its
 * holder too, but as a person's: what runs under it is the person, unless an agent program stands
 * between. What cannot be read to its end (a process that died, another user's, an unknown mark,
 * a stray below vyred itself) is unknown, and unknown is no person. So is what stands in the cgroup of
 * vyred's own service and below nothing of ours: only vyred puts processes there (each agent's into
 * one of their own, which names it, io/cgroup.h), and one that killed its holder, hid its mark and outlived a vyred is still there. And so is, anywhere, what
 * bears the brand that agents are given and cannot take off (holder/brand.h).
 *
 * Processes change: a place holds for the moment it was taken. It is taken when a connection is
 * accepted and again for every call that only a person may make.
 *
 * caller_place() is a function of the world it is given; the real one reads /proc (proc.h). */
#ifndef CALLER_H
#define CALLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/hash.h"

#define CALLER_ID_MAX   64  /* ids of persons and devices are ours, and short */
#define CALLER_HID_MAX  31  /* a holder has 16 characters; what is longer is nobody's */
#define CALLER_PROG_MAX 128 /* an agent program's name */
#define CALLER_DEPTH    256 /* ancestors read before a chain is called endless */
#define CALLER_UNIT_MAX 512 /* a cgroup's path; of a longer one nothing is said */

enum caller_kind { CALLER_UNKNOWN, CALLER_PERSON, CALLER_AGENT, CALLER_SERVICE };

struct caller {
	enum caller_kind kind;
	char person[CALLER_ID_MAX + 1]; /* who it is, or for an agent whom it acts for */
	char device[CALLER_ID_MAX + 1]; /* "local" on a Unix socket */
	char surface[32]; /* what they use: "vyre-tui", "curl"; a label, proves nothing */
	char session[VY_UUID_LEN + 1]; /* an agent's own; "" when vyred did not start it */
	bool is_confined;              /* came by an agent socket: no person-only method exists */
};

/* One process as the placing sees it. */
struct caller_proc {
	pid_t pid, ppid, pgid, sid;
	uint64_t born;                     /* tells a pid from a later one of the same number */
	char comm[CALLER_PROG_MAX + 1];    /* the kernel's name of it */
	char program[CALLER_PROG_MAX + 1]; /* last part of argv[0] */
	char script[CALLER_PROG_MAX + 1];  /* last part of argv[1] when argv[0] interprets it */
	char exe[CALLER_PROG_MAX + 1];     /* last part of the executable's path; "" if not told */
	char hid[CALLER_HID_MAX + 1];      /* VYRE_HOLDER; "" when there is none */
	bool is_env_known;                 /* false: the environment may not be read */
	bool is_told;               /* its environment says that an agent program started it */
	bool is_branded;            /* bears what only an agent is given (holder/brand.h) */
	char unit[CALLER_UNIT_MAX]; /* its cgroup's path; "" when there is none to see */
};

enum caller_look { CALLER_READ, CALLER_NO_PROC, CALLER_HIDDEN };

/* One child of ours that lives, or whose process group still does. 0 in a field: not known. */
struct caller_live {
	const char *session;
	const char *hid;
	const char *person; /* whom it acts for */
	pid_t holder, pid, pgid, sid;
	bool is_term; /* a person's shell, not an agent */
};

typedef void caller_live_each_fn(void *arg, const struct caller_live *live);

struct caller_world {
	/* Fills *out and says CALLER_READ; or that there is none (any more), or that there is one which
	 * only its own user may look at. */
	enum caller_look (*proc)(void *ctx, pid_t pid, struct caller_proc *out);
	/* Calls `each` for every child of ours. */
	void (*live)(void *ctx, caller_live_each_fn *each, void *arg);
	void *ctx;
	uid_t uid;                   /* the one user whose processes may be persons */
	bool has_agents;             /* agents run as a user of their own: */
	uid_t agents;                /* this one, who comes by agents' sockets alone */
	pid_t self;                  /* vyred: what hangs below it without a name is a stray */
	const char *person;          /* the id of that user */
	const char *unit;            /* the cgroup that is vyred's alone; NULL: it has none */
	const char *const *programs; /* names of agent programs, NULL at the end */
};

/* The peer of a local socket, as the kernel told it. */
struct caller_peer {
	pid_t pid;
	uid_t uid;
	uint64_t born; /* 0: not known */
};

/* Fills `out` (never fails: the worst is CALLER_UNKNOWN) but for its surface; *why says in a few
 * words what decided, for the log. */
void caller_place(struct caller *out, const struct caller_peer *peer, const struct caller_world *w,
	const char **why);

/* The nearest agent program above the peer, whoever started it. False: there is none to see. */
bool caller_program(
	const struct caller_peer *peer, const struct caller_world *w, struct caller_proc *out);

const char *caller_kind_name(enum caller_kind kind);

/* "person:ID", or for an agent "assistant:SESSION": the author of what it writes. */
void caller_author(const struct caller *c, char out[VY_UUID_LEN + CALLER_ID_MAX]);

/* The same person, device, session and kind; the surface does not count. */
bool caller_same(const struct caller *a, const struct caller *b);

#endif
