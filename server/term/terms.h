/* terms.h -- the terminals of this vyred: shells that people share, each a child of a holder.
 *
 * A terminal belongs to a session, for as long as its shell runs and an hour longer. What it printed last
 * is in a ring by offset; what left the ring is in an emulator (the shadow), so who comes late or was too
 * slow gets the screen at the ring's floor and all that came since. The holder keeps what the last
 * checkpoint does not: a vyred that comes anew goes on at the same offsets, and whoever looked goes on from the
 * byte it had. A shell is never made to wait for a viewer, and what it prints costs a bounded amount of
 * memory, whatever that is.
 *
 * Rows (kv): `term` by id, the facts; `term-screen`, the checkpoint. What happens is told upward by
 * terms_ops, behind nothing: rows of the listener commit with ours. Loop thread; callbacks may call back
 * but for terms_free(). */
#ifndef TERMS_H
#define TERMS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/io/hold.h"
#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/hash.h"
#include "shared/base/str.h"

#define TERM_PERSON_MAX 64 /* caller.h */

struct log;
struct marks_event;
struct term_viewer;
struct terms;
struct vy_clock;
struct vy_loop;

/* What is known of one; lent until the next call. */
struct term_facts {
	char id[VY_UUID_LEN + 1], session[VY_UUID_LEN + 1];
	char person[TERM_PERSON_MAX + 1]; /* whose it is */
	char hid[HOLD_HID_LEN + 1];
	pid_t holder, pid, pgid, sid; /* 0: not known (yet) */
	unsigned cols, rows;          /* as of now */
	uint64_t floor, end;          /* what can be had is [floor, end) */
	int viewers;
	int64_t started, ended; /* wall ms; ended 0: it runs */
	bool is_closing;        /* a person ended it */
	bool has_code;          /* … how is known: */
	int status, signal;     /* signal 0: it ended by itself */
	char why[200];          /* a sentence when there is more to say; "" */
};

struct terms_ops {                                             /* each may be NULL */
	void (*opened)(void *ctx, const struct term_facts *f); /* its shell runs */
	void (*ended)(
		void *ctx, const struct term_facts *f); /* it can be attached a while longer */
	void (*closed)(void *ctx, const struct term_facts *f); /* it is in no list any more */
	/* Its shell said so, or a person typed it (marks.h). Told once: the row that says so commits with
	 * the listener's. */
	void (*marked)(void *ctx, const struct term_facts *f, const struct marks_event *ev);
};

struct terms_conf {
	struct vy_loop *loop;
	struct log *log;
	const struct vy_clock *clock;
	const char *state_dir;           /* absolute */
	uint32_t (*orphan_s)(void *ctx); /* hold.h */
	int64_t (*keep_ms)(void *ctx);   /* how long one stays that nobody looks at and that prints
	                                  * nothing; 0: for ever */
	const struct terms_ops *ops;
	void *ctx;
};

struct terms *terms_new(const struct terms_conf *conf);
/* Goes on with what an earlier vyred had: before strays among the holders are ended (terms_knows). */
void terms_boot(struct terms *t);
void terms_free(struct terms *t); /* shells live on in their holders; NULL is fine */
bool terms_knows(const struct terms *t, const char *hid);
void terms_look(struct terms *t); /* keep_ms may be another */

/* ---- people's acts, already judged ---- */

struct terms_open { /* all of it is copied */
	const char *session, *person;
	const char *const *argv, *const *env; /* NULL at the end; the whole environment */
	const char *cwd;
	struct vy_str asked; /* the key of the call; empty: none */
	unsigned cols, rows;
	const char *key; /* its shell's reports have it (rc.h); NULL or "": none comes */
};

/* f NULL: it was not opened, *why says why not, and nothing is left of it. */
typedef void terms_opened_fn(void *ctx, const struct term_facts *f, const struct vy_err *why);
/* `fn` comes once, from the loop or terms_free(); from inside when that key opened one already, which it is told
 * of: nobody gets two for one asking, whenever a vyred died. VY_BUSY: there are as many as there may be. */
VY_MUST_USE int terms_open(struct terms *t, const struct terms_open *o, terms_opened_fn *fn,
	void *ctx, struct vy_err *e);

const struct term_facts *terms_get(struct terms *t, struct vy_str id); /* NULL: there is none */
/* Oldest first; of one session, or of all (NULL). */
typedef void terms_each_fn(void *ctx, const struct term_facts *f);
void terms_each(struct terms *t, const char *session, terms_each_fn *fn, void *ctx);

/* Its processes are hung up, then told to end, then killed; false: it had ended, and is forgotten now. */
bool terms_close(struct terms *t, struct vy_str id);
/* The session is deleted: all of it is killed and forgotten. */
void terms_end_session(struct terms *t, const char *session);
/* vyred ends for good: the same of all. */
void terms_end_all(struct terms *t);

/* ---- who looks ---- */

#define TERM_GIVE_MAX (48 * 1024) /* a piece of a message, its head counted */

struct term_view {
	bool has_from;
	bool had_keys; /* it opened the terminal, or held the keyboard before it was cut */
	uint64_t from;
	/* There is something to take, after it had run dry. From the loop, never from inside a call. */
	void (*ready)(void *ctx);
	void *ctx;
};

/* VY_NOT_FOUND, VY_BUSY. It is ready at once. */
struct term_viewer *terms_look_at(
	struct terms *t, struct vy_str id, const struct term_view *v, struct vy_err *e);
void term_viewer_free(struct term_viewer *v); /* NULL is fine */

enum term_give { TERM_NOTHING, TERM_TEXT, TERM_BINARY, TERM_OVER };

struct term_piece {
	enum term_give what;
	bool is_first, is_last; /* of its message; a text is one piece */
};
/* Appends the next piece, at most TERM_GIVE_MAX; TERM_OVER: the terminal is forgotten. */
struct term_piece term_viewer_next(struct term_viewer *v, struct vy_buf *out);

void term_viewer_type(
	struct term_viewer *v, struct vy_str keys); /* heard when it holds the keyboard */
VY_MUST_USE int term_viewer_hear(struct term_viewer *v, struct vy_str text, struct vy_err *e);

#endif
