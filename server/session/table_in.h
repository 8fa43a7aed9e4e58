/* table_in.h -- what the table's files share: its entries (table*.c alone). */
#ifndef TABLE_IN_H
#define TABLE_IN_H

#include <sys/queue.h>

#include <uthash.h>

#include "server/session/elsewhere.h"
#include "server/session/live.h"
#include "server/session/table.h"
#include "shared/base/hash.h"

struct table_entry {
	char id[VY_UUID_LEN + 1];
	struct session *session;
	UT_hash_handle hh;
};

struct table {
	struct table_conf conf;
	struct table_entry *entries;             /* by id */
	struct copying *copying;                 /* table_copy.h; NULL: none is being made */
	LIST_HEAD(adoptings, adopting) adopting; /* table_adopt.h */
	struct slots *slots;
	/* table_life.c */
	struct live *live;
	struct vy_timer *idle;
	int64_t due;       /* what it is set for, on the boot clock; -1: it is not */
	uint64_t live_rev; /* of the stored ledger */
	bool is_booting, is_ending, is_deciding;
	struct vy_json *models; /* what people set (defaults.h) */
	struct payer *payer;
	struct vy_timer *limit; /* the first limit that somebody waits for */
	/* table_spare.c */
	struct session *spare;      /* NULL: none */
	struct vy_buf spare_key;    /* what it was launched with */
	struct vy_json *last_start; /* that a spare may be for; NULL: none yet */
	/* table_elsewhere.c */
	struct elsewhere *elsewhere;
	uint64_t elsewhere_rev; /* of the stored ledger */
	LIST_HEAD(, table_eye) eyes;
	struct vy_timer *quiet; /* when the first file may be quiet */
};

/* ---- table_payer.c ---- */

void table_payer_new(struct table *t);
void table_payer_boot(struct table *t); /* what is stored */
void table_payer_free(struct table *t);

struct session *table_keep(struct table *t, struct session *own); /* from now on the table's */
void table_drop(struct table *t, struct session *own);            /* out of memory, and no more */
void table_go_on_deleting(struct table *t); /* what an earlier vyred had begun */
void table_defaults_open(struct table *t);
void table_slots_open(struct table *t); /* as it was stored */
void table_slots_boot(struct table *t); /* whose agent is gone has no slot */
/* May it have a process, as far as teammates go? False: it waits, and wants it again with its slot. */
bool table_teammate_may(struct table *t, struct session *s);
void table_teammate_idle(struct table *t); /* one with nothing to do lets go, when another waits */
struct session *table_loaded(struct table *t, struct vy_str id); /* NULL: not in memory */
/* From the store into the table; NULL with the reason. */
struct session *table_load(struct table *t, struct vy_str id, struct vy_err *e);

/* ---- table_life.c ---- */

void table_life_new(struct table *t);
void table_life_free(struct table *t);
void table_life_boot(struct table *t); /* who lives is loaded; who waits is loaded here */
void table_life_work(struct table *t); /* does what the ledger decides now */
void table_life_drop(struct table *t, struct session *s);
void table_life_end(struct table *t);
/* Is there a place that nobody has to be let go for? */
bool table_has_free(struct table *t);

/* ---- table_spare.c ---- */

void table_spare_learn(struct table *t, const struct table_start *st); /* somebody started so */
void table_spare_want(struct table *t);                                /* a turn is over */
void table_spare_drop(struct table *t);
void table_spare_gone(struct table *t, struct session *s); /* its process is; it is freed */
void table_spare_free(struct table *t);
/* The spare of an earlier vyred, if that is one: it is to be ended. NULL: it is none. */
struct session *table_spare_boot(struct table *t, struct vy_str id);
/* The spare, if it is just what that start would launch: it is this session from now on, and the
 * record its own, with the spare's id. */
struct session *table_spare_take(
	struct table *t, struct record **own_r, const struct table_start *st);
/* table_start.c: what that start says, and does not say. */
VY_MUST_USE int table_fill(
	struct table *t, struct record *r, const struct table_start *st, struct vy_err *e);
struct vy_json *table_caps_json(const struct provider_caps *c); /* as a record says them; owned */
/* VY_BUSY, with a sentence that says who is. */
VY_MUST_USE int table_refuse_start(struct table *t, struct vy_err *e);

/* ---- table_elsewhere.c: a session whose conversation another has open waits (elsewhere.h) ---- */

void table_elsewhere_open(struct table *t);
void table_elsewhere_boot(struct table *t);
void table_elsewhere_free(struct table *t);
void table_elsewhere_keep(struct table *t); /* it may have changed */
/* May it have a process, as far as others go? False: it waits, and wants it again when they have ended. */
bool table_elsewhere_lets(struct table *t, struct session *s);
void table_elsewhere_unwait(struct table *t, struct session *s);
void table_elsewhere_watch(struct table *t, const struct elsewhere_proc *p);
void table_elsewhere_gone(struct table *t, const struct elsewhere_proc *p);
/* It goes on with another conversation: before that is bound, and behind it. */
void table_elsewhere_moves(struct table *t, const struct elsewhere_proc *p);
void table_elsewhere_moved(struct table *t, const struct elsewhere_proc *p);
/* table_hook.c: the words of that token were printed. */
void table_hook_handed(struct table *t, struct vy_str token);

#endif
