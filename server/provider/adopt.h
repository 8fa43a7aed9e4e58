/* adopt.h -- readers of what other programs left in their own folders: one file a kind (adopt_*.c).
 *
 * A reader is pure: bytes in, words out; who finds and opens the files is server/adopt. It has two
 * doors. A *glance* sees the first and the last bytes of a file and says what a list needs; it never
 * fails, and what it cannot tell stays empty. A *reading* sees the whole (or what was added) and
 * says, in order, what a person said and what the agent did, in the events of provider.h, with the
 * same ids that the driver of that agent would have given them live: so a turn that was seen and is
 * read is known to be the same. Lines that are torn, too long, not JSON or of an unknown kind are
 * skipped and counted. Older shapes of lines are read too. */
#ifndef PROVIDER_ADOPT_H
#define PROVIDER_ADOPT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/provider.h"
#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

#define ADOPT_HEAD     (64 * 1024) /* of a file, for a glance */
#define ADOPT_TAIL     (32 * 1024)
#define ADOPT_LINE_MAX (8 * 1024 * 1024) /* a longer line is skipped */
#define ADOPT_FILE_MAX (128LL << 20)     /* of a longer file its end is read */

/* ---- a glance ---- */

struct adopt_piece {
	struct vy_str name;       /* of the file, without its folder */
	struct vy_str head, tail; /* tail empty: head is the whole file */
};

/* Slices are the piece's or the arena's. */
struct adopt_glance {
	struct vy_str id;    /* the program's own name of the session */
	struct vy_str cwd;   /* empty: nobody knows */
	struct vy_str title; /* as it comes; empty: none */
	bool is_none;        /* no session: a subagent's, a summary alone, nothing was said */
};

/* ---- a reading ---- */

struct adopt_said {
	struct vy_str message; /* the id it has there; empty: it has none */
	struct vy_str text;
	int64_t time;  /* ms; 0: not known */
	int images;    /* that came with it: they are not taken over */
	bool is_steer; /* said while the turn ran */
};

/* Lent for the call. AE_CHECK and the like, which a past has none of, may come and mean nothing. */
struct adopt_sink {
	void (*said)(void *ctx, const struct adopt_said *s);
	void (*event)(void *ctx, const struct agent_event *ev, int64_t time);
	/* The turn is over; the next word of a person ends one, too. */
	void (*over)(void *ctx, int64_t time);
	void *ctx;
};

struct adopt_reading {
	struct vy_str text; /* whole lines */
	struct vy_str cwd;
	bool is_rest; /* it begins somewhere in the middle */
	const struct adopt_sink *sink;
	int64_t skipped; /* counted up: lines that could not be read */
};

struct adopt_kind {
	const char *kind;  /* claude, codex, opencode, gemini: the word on the wire */
	const char *title; /* for a sentence */
	void (*glance)(const struct adopt_piece *p, struct vy_arena *a, struct adopt_glance *out);
	void (*read)(struct adopt_reading *r);
};

/* adopt.c. NULL when there is no such kind. */
const struct adopt_kind *adopt_find(struct vy_str kind);
const struct adopt_kind *const *adopt_all(void); /* NULL-terminated */

extern const struct adopt_kind adopt_claude, adopt_codex, adopt_opencode, adopt_gemini;

/* ---- what the readers share ---- */

/* The next line of *rest without its end, and *rest behind it; false: there is none. One without an
 * end is the last, and comes when `torn` says so. */
bool adopt_line(struct vy_str *rest, bool torn, struct vy_str *line);
/* A line as an object, NULL: it is none. Owned. */
struct vy_json *adopt_object(struct vy_str line);
/* The string of the first `"key": "…"` in these bytes, whatever they are: of an object that is torn.
 * In the arena; empty: none. */
struct vy_str adopt_member(struct vy_str bytes, const char *key, struct vy_arena *a);
/* "2026-11-30T20:34:29.422Z" as ms; 0: it is no time. */
int64_t adopt_time(struct vy_str iso);
/* Text of a list of parts ({text}), or of a string; joined, in the arena. *images is added to. */
struct vy_str adopt_text(const struct vy_json *content, int *images, struct vy_arena *a);
/* What the program itself put in a person's mouth: begins with <tag>. */
bool adopt_is_tagged(struct vy_str text, const char *const *tags);

/* Text as an agent's: one AE_TEXT and its end, of that block. */
struct adopt_block {
	struct vy_str message;
	int64_t index;
	bool is_reasoning;
};
void adopt_tell(const struct adopt_sink *sink, const struct adopt_block *b, struct vy_str text,
	int64_t time);
/* A call from its beginning to its end. */
struct adopt_call {
	struct vy_str id, name, about;
	const char *kind;
	enum agent_outcome outcome;
	struct vy_json *own_block;
};
void adopt_tell_call(const struct adopt_sink *sink, const struct adopt_call *c, int64_t time);

#endif
