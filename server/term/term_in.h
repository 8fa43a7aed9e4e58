/* term_in.h -- what the files of this room share of a terminal, and nobody else sees. */
#ifndef TERM_IN_H
#define TERM_IN_H

#include <sys/queue.h>

#include "server/term/crowd.h"
#include "server/term/marks.h"
#include "server/term/reel.h"
#include "server/term/sizes.h"
#include "server/term/terms.h"
#include "shared/base/mem.h"

#define TERM_MAGIC 0x7465726du

struct vy_json;
struct vy_timer;
struct vy_vt;

enum term_state {
	TERM_OPENING, /* its row is on its way, or its shell */
	TERM_RUNS,
	TERM_ENDED
};

/* A screen as bytes, which readers that are slower than the shell share. */
struct prologue {
	int refs;
	uint64_t at; /* of the ring's floor it was made for */
	size_t n;
	char bytes[];
};

struct term {
	VY_MAGIC;
	struct terms *terms; /* NULL: it is forgotten, or they are freed */
	TAILQ_ENTRY(term) link;
	int calls; /* of the log's that are still to come */
	enum term_state state;
	struct term_facts facts;
	uint8_t token[HOLD_TOKEN_LEN];
	char *asked;           /* of the call that opened it; NULL: none */
	struct vy_json *start; /* argv, env, cwd; NULL once the holder has it */
	terms_opened_fn *opened;
	void *opened_ctx;

	struct hold *hold;
	bool is_met;     /* the holder spoke: next_seq is known */
	bool is_leaving; /* its rows go; then the holder is let go */
	bool is_unheld;  /* there is no holder any more */
	bool is_broken;  /* its row cannot be read */
	bool is_resumed; /* an earlier vyred's */
	uint64_t next_seq;
	uint64_t caught; /* before the ring has this much again nobody is shown anything */

	struct marks *marks;
	uint64_t marked; /* they were told what came before */
	bool has_mark;

	struct reel ring;
	struct sizes sizes;        /* from the last checkpoint on */
	uint64_t shown;            /* number of the next size for the shadow */
	struct vy_vt *shadow;      /* the screen at ring.floor */
	struct prologue *prologue; /* of ring.floor; NULL: none was asked for */
	uint64_t kept, keeping;    /* the last checkpoint; the one that is not committed yet */
	size_t kept_bytes;
	bool is_keeping, is_sizing, wants_fit;
	bool is_waiting; /* for the database to take something again */

	struct crowd crowd;
	TAILQ_HEAD(, term_viewer) viewers;
	unsigned last_viewer;
	struct vy_timer *timer; /* the next step of closing, of being idle, of being forgotten */
	int steps;              /* of closing */
	int64_t active_ms;      /* boot clock: it printed, or somebody looked */
};
TAILQ_HEAD(term_list, term);

struct terms {
	struct terms_conf conf;
	struct term_list all;
	size_t n;
};

/* ---- term.c ---- */
struct term *term_make(struct terms *ts, const char *id);
void term_begin(struct term *t);  /* its row is staged: the rest follows behind the commit */
void term_go_on(struct term *t);  /* an earlier vyred's, as its rows say */
void term_close(struct term *t);  /* or its next step */
void term_forget(struct term *t); /* kills what still runs */
void term_drop(struct term *t);   /* out of memory, as it is */
void term_ended(struct term *t, const char *why); /* status and signal are in the facts, if known */
void term_rest(struct term *t);                   /* sets its timer */
const struct term_facts *term_facts_now(struct term *t);
void term_came(struct term *t); /* one of its calls of the log */
void term_wake(struct term *t); /* there is something for who looks */

/* ---- term_hold.c ---- */
extern const struct hold_ops term_hold_ops;
void term_start(struct term *t);  /* behind the commit of its row */
void term_attach(struct term *t); /* to the holder of an earlier vyred */

/* ---- term_screen.c: the ring, the shadow, sizes, checkpoints ---- */
void term_heard(struct term *t, uint64_t off, struct vy_str bytes);
void term_fit(struct term *t);                  /* the size may have to be another */
void term_resume(struct term *t);               /* the database takes all again */
struct prologue *term_prologue(struct term *t); /* at the floor; a reference */
void term_prologue_drop(struct prologue *p);    /* NULL is fine */

/* ---- term_row.c ---- */
void term_put(struct term *t); /* its facts */
void term_put_screen(struct term *t, struct vy_str prologue);
void term_delete_rows(struct log *log, struct vy_str id);
/* One of each row; false: it cannot be gone on with, and goes. */
bool term_read(struct term *t, struct vy_str doc);
void term_read_screen(struct term *t, struct vy_str value);

#endif
