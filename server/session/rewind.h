/* rewind.h -- going back in a conversation: marks, what is checked before, what can be redone.
 *
 * A mark is kept for each word of a person that an agent took: under which name it was told, by
 * which of the agent's own histories, and where that stood before it (the agent's own id; empty:
 * at its beginning, and then going back is a history anew). A summary of the agent's own making
 * begins a chapter: it cannot go back behind that. Going back never cuts a history: the agent begins another
 * one, a copy of the old one up to the mark, so each of them only grows and a mark stays good.
 *
 * `struct rewind` is the part of a turn's value (turn.h) that knows where the agent's history
 * stands, whether its next start has to go back there, and the way back again (redo), newest last,
 * until the agent takes the next word. Pure. */
#ifndef REWIND_H
#define REWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

struct provider_caps;
struct vy_message;

#define REWIND_REDO_MAX 16
/* Marks are rows (kv) of this space and the session's id, by message. */
#define REWIND_SPACE "mark:"

struct rewind_mark {
	struct vy_str as;    /* uuid it was told with */
	struct vy_str agent; /* the agent's own id of its history */
	struct vy_str at;    /* where that stood; empty: at its beginning */
	int64_t chapter;
};

struct vy_json *rewind_mark_json(const struct rewind_mark *m); /* owned */
/* false: it is damaged. Slices live in `mem`. */
bool rewind_mark_read(struct vy_str json, struct vy_arena *mem, struct rewind_mark *out);

/* ---- may it be? ---- */

struct rewind_ask {
	const struct vy_message *message; /* revision 0: there is none */
	const struct rewind_mark *mark;   /* NULL: the agent never took it, or nobody marked it */
	struct vy_str who;                /* who asks: "person:ID" */
	int64_t chapter;
	const struct provider_caps *caps;
	const char *provider;
	bool is_copy; /* branch: the message may be anybody's, and nothing is taken back */
};

/* 0, or -1 with a sentence: there is no such message, it is another's, it is rewound already, the
 * agent never took it, or cannot go back (that far). */
VY_MUST_USE int rewind_check(const struct rewind_ask *a, struct vy_err *e);

/* ---- in a turn ---- */

/* One way back: as it stood before a rewind. */
struct rewind_step {
	char *message;    /* gone back to: it, and all behind it, is folded away */
	char *agent, *at; /* where the agent's history stood */
	char *fork_of;    /* it was a copy of that agent's, and no word had been taken; NULL */
	char *files; /* the files as they were before they were put back are kept under this name; NULL */
	int64_t to;     /* the log's newest frame then */
	bool was_taken; /* the agent had taken a turn */
	bool was_back;  /* … and had to go back itself */
	int64_t chapter;
};

struct rewind {
	char *at;      /* where the agent's history stands; NULL: at its beginning */
	char *fork_of; /* until it took a word, it is a copy of that agent's; NULL: its own */
	int64_t chapter;
	bool is_due;  /* its next start goes back to `at` */
	bool is_root; /* it said that it forgot all there was: an empty mark is its beginning */
	/* Files are being put back, and then it goes back (session_files.c says what is in it); or (a
	 * member `redo`) they are brought again. NULL: not so. */
	struct vy_json *pending;
	char *key,
		*answer; /* of the newest call that put files back, which nobody may have heard; NULL */
	struct rewind_step redo[REWIND_REDO_MAX];
	size_t n;
};

void rewind_fini(struct rewind *r);
void rewind_push(struct rewind *r, const struct rewind_step *own); /* takes its strings over */
void rewind_step_fini(struct rewind_step *s);
void rewind_taken(struct rewind *r); /* the agent took a word: it stands, there is no way back */
struct vy_json *rewind_json(const struct rewind *r); /* owned */
void rewind_load(struct rewind *r, const struct vy_json *v);

#endif
