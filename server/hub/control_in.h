/* control_in.h -- the control plane's inside, for its files: control.c makes events and keeps the newest,
 * control_sub.c gives them out. */
#ifndef CONTROL_IN_H
#define CONTROL_IN_H

#include <sys/queue.h>
#include <uthash.h>

#include "server/hub/control.h"
#include "server/hub/control_event.h"
#include "shared/base/mem.h"

#define CONTROL_MAGIC 0x6374726cu
#define SUB_MAGIC     0x63737562u

#define TYPES_MOST 32
#define PAGE_ROWS  16 /* read at a time for one who comes from further back than the ring */

/* A session, as far as events need it: whose it is, and how its record was told last. Of what is no session's,
 * the one without a name. */
struct known {
	char *session, *person, *started_by, *project;
	struct vy_json *record;
	bool is_gone;
	UT_hash_handle hh;
};

struct item {
	struct known *of;
	enum vy_control_type type;
	size_t len;
	char bytes[];
};

struct control_sub {
	VY_MAGIC;
	struct control *control;
	struct caller who;
	int64_t at;                        /* the last seq it is past */
	struct store_row *page[PAGE_ROWS]; /* what comes next, from the store */
	size_t page_at, page_n;
	bool wants_reset, is_dry, is_due;
	char *session, *project;
	char *types[TYPES_MOST];
	size_t n_types;
	void (*ready)(void *ctx);
	void *ctx;
	TAILQ_ENTRY(control_sub) link, in_due;
};

struct control {
	VY_MAGIC;
	struct log *log;
	struct vy_loop *loop;
	const struct vy_clock *clock;
	struct known *known;
	struct item *ring[CONTROL_RING];
	int64_t head, floor; /* floor: the oldest in the ring; head + 1 when none is */
	int64_t kept;        /* the oldest in the store; head + 1 when none is */
	int64_t staged;      /* the last seq given out */
	size_t bytes;
	TAILQ_HEAD(, draft) drafts;
	TAILQ_HEAD(, control_sub) subs;
	TAILQ_HEAD(, control_sub) due;
	bool is_deferred;
	control_owner_fn *owner;
	void *owner_ctx;
};

/* The one of that name, made when there is none. */
struct known *control_known(struct control *c, const char *session);
/* Of a session that was not told of since this start: what its record was. */
void control_find_known(struct control *c, struct known *k);
/* Whose it is, of its record. True: it was another's before. */
bool control_learn(struct known *k, const struct vy_json *doc);
struct item **control_slot(struct control *c, int64_t seq); /* in the ring */
void control_make_due(struct control_sub *s);

#endif
