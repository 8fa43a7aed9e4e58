/* slots.h -- who may work beside whom: the slots of teammates and subagents, and who waits for one.
 *
 * A slot is held by a holder: a session (teammate), or a call of its agent (subagent). Each kind is
 * bounded by two limits, the box's and the project's; both must have room, 0 is no limit. A take
 * without room waits: in a project the oldest goes first, and projects take turns, the one that got
 * a slot going to the end of the circle. One whose own limit is reached is passed over and keeps its
 * place. A limit that is lowered takes nothing from anybody.
 *
 * Promises: no act leaves a slot free that somebody waits for and may have; the positions of a kind
 * are 1, 2, 3 … in the order in which they come to their turn; the first of a project is never
 * moved back; whatever changed for anybody is in the news, each position too. A value: it encodes,
 * decodes, and goes on. Pure; the news' strings are its own memory, until slots_news_clear(). */
#ifndef SLOTS_H
#define SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

enum slots_kind { SLOTS_TEAMMATE, SLOTS_SUBAGENT, SLOTS_KINDS };

const char *slots_word(enum slots_kind kind);
bool slots_parse(struct vy_str word, enum slots_kind *out);

struct slots_who {
	enum slots_kind kind;
	struct vy_str project, session, holder; /* project: empty for none */
};

/* ---- what an act changed ---- */

enum slots_what { SLOTS_TAKEN, SLOTS_RELEASED, SLOTS_QUEUED };

struct slots_item {
	enum slots_what what;
	struct slots_who who;
	int64_t position;     /* of QUEUED */
	bool is_of_line;      /* TAKEN after a wait; RELEASED without ever having had one */
	struct vy_str ticket; /* of TAKEN: what slots_take() was given with it */
};

struct slots_news {
	struct vy_arena mem;
	struct slots_item *v;
	size_t n, cap;
};

void slots_news_init(struct slots_news *n);
void slots_news_clear(struct slots_news *n);
void slots_news_fini(struct slots_news *n);

/* ---- life ---- */

struct slots;

/* What the configuration says, now; project NULL: of the box. */
typedef int64_t slots_file_fn(void *ctx, enum slots_kind kind, const char *project);

struct slots *slots_new(slots_file_fn *file, void *ctx);
void slots_free(struct slots *s);                    /* NULL is fine */
struct vy_json *slots_encode(const struct slots *s); /* owned; has a version */
/* What is no ledger is none: empty, and false. */
bool slots_decode(struct slots *s, const struct vy_json *v);
uint64_t slots_rev(const struct slots *s); /* grows whenever the encoded value changes */

/* ---- acts ---- */

/* True: it has one, now or already; false: it waits. The same holder again changes nothing. */
bool slots_take(struct slots *s, const struct slots_who *who, struct vy_str ticket, int64_t now_ms,
	struct slots_news *out);
/* It needs none any more, whether it has one or waits; false: there is no such holder. */
bool slots_give(struct slots *s, enum slots_kind kind, struct vy_str session, struct vy_str holder,
	struct slots_news *out);
/* The same of all of a session's; `waiting` alone: those that wait. */
void slots_give_all(struct slots *s, enum slots_kind kind, struct vy_str session, bool waiting,
	struct slots_news *out);
/* A person's limit goes before the configuration's; -1: the configuration's again. project NULL: of
 * the box. */
void slots_set(struct slots *s, enum slots_kind kind, const char *project, int64_t limit,
	struct slots_news *out);
void slots_look(struct slots *s, struct slots_news *out); /* the configuration may be another */

/* ---- what others may know ---- */

int64_t slots_limit(const struct slots *s, enum slots_kind kind, const char *project);
bool slots_is_set(const struct slots *s, enum slots_kind kind, const char *project);
/* 0: it does not wait. */
int64_t slots_position(
	const struct slots *s, enum slots_kind kind, struct vy_str session, struct vy_str holder);
bool slots_has(
	const struct slots *s, enum slots_kind kind, struct vy_str session, struct vy_str holder);
bool slots_concerns(const struct slots *s, enum slots_kind kind, struct vy_str session); /* any */

bool slots_has_room(const struct slots *s, enum slots_kind kind, struct vy_str project);
size_t slots_waiting(const struct slots *s, enum slots_kind kind);

/* Each holder and each one waiting, holders first, oldest first; fn must not act. */
typedef void slots_each_fn(void *ctx, const struct slots_who *who, int64_t position, int64_t since);
void slots_each(const struct slots *s, slots_each_fn *fn, void *ctx);

/* sessions.slots' answer: {slots, holders, waiting}; project empty: of all. `may` says whose
 * sessions are named; NULL: all. Owned. */
typedef bool slots_may_fn(void *ctx, struct vy_str session);
struct vy_json *slots_json(
	const struct slots *s, struct vy_str project, slots_may_fn *may, void *ctx);

#endif
