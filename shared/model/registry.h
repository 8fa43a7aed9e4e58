/* registry.h -- the control plane's events as a table, and what happened as such events (wire 9).
 *
 * Six things happen: an event enters the journal, the record of a message changes, the record of a
 * session changes, a slot changes hands, a provider changes, people set another default. Each becomes no, one or several control events, by a pure function that is
 * told of one such thing. Words of an assistant come in whole messages only; a delta is none of
 * them. Data fits its schema in registry.def. Strings are the arena's or the caller's. Pure. */
#ifndef VY_MODEL_REGISTRY_H
#define VY_MODEL_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/str.h"
#include "shared/model/lift.h"
#include "shared/model/message.h"

#define VY_CONTROL_MESSAGE "{message: message_record, transcriptTargetId: id, producer: str}"
/* position: in the line, of what waits. waited: taken behind a wait, or out of the line without one. */
#define VY_CONTROL_TERM                                                                            \
	"{term: id, pid?: int, cols?: int, rows?: int, status?: int, signal?: int, why?: str}"
#define VY_CONTROL_SLOT                                                                            \
	"{kind: teammate|subagent, project?: str, session: id, holder: str, position?: int>=1,"    \
	" waited?: bool}"

enum vy_control_type {
#define VY_CONTROL(name, word, delivery, persistence, from, data) VY_CONTROL_##name,
#include "shared/model/registry.def"
#undef VY_CONTROL
	VY_CONTROL_TYPES
};

enum vy_delivery { VY_DELIVERY_CONTROL, VY_DELIVERY_GENERATION, VY_DELIVERY_BOTH };
enum vy_persistence { VY_PERSISTENCE_KEPT, VY_PERSISTENCE_PASSING };

struct vy_control_row {
	const char *word;
	enum vy_delivery delivery;
	enum vy_persistence persistence;
	const char *from; /* words with blanks between */
	const char *data; /* schema.h */
};

const struct vy_control_row *vy_control_row(enum vy_control_type t);
/* VY_CONTROL_TYPES: there is none of that name. */
enum vy_control_type vy_control_type(struct vy_str word);

struct vy_control {
	enum vy_control_type type;
	struct vy_str id; /* "evt_…"; empty: the caller names it */
	int64_t time;     /* wall ms */
	struct vy_str data;
};

/* Lent for the call. */
typedef void vy_control_fn(void *ctx, const struct vy_control *ev);

/* Of the journal's event `ev` of this name, which came of the frame f. */
void vy_control_of_event(struct vy_str id, const struct vy_event *ev, const struct vy_frame *f,
	struct vy_arena *mem, vy_control_fn *fn, void *ctx);

/* A message changed to `m`; `text` and `blocks` as for vy_message_write(). */
struct vy_control_message {
	struct vy_str id, session;
	enum vy_message_change change;
	const struct vy_message *m;
	struct vy_str text, blocks;
};
void vy_control_of_message(
	const struct vy_control_message *in, struct vy_arena *mem, vy_control_fn *fn, void *ctx);

/* A session's record (what threads.get shows) was `was`, which may be NULL, and is `is`; NULL: it
 * is deleted. `is_new`: it has just been started. Its time alone is no news. */
void vy_control_of_record(const struct vy_json *was, const struct vy_json *is, bool is_new,
	struct vy_arena *mem, vy_control_fn *fn, void *ctx);

/* Somebody took a slot, gave it back, or stands elsewhere in the line (server/session/slots.h). */
struct vy_control_slot {
	enum vy_control_type type; /* SLOT_TAKEN, _RELEASED, _QUEUED */
	struct vy_str kind, project, session, holder;
	int64_t position; /* 0: none */
	bool has_waited;
};
void vy_control_of_slot(
	const struct vy_control_slot *slot, struct vy_arena *mem, vy_control_fn *fn, void *ctx);

/* A person's shell in a session was opened, has ended (it can be attached a while longer), or is in no list any
 * more (server/term/terms.h). */
struct vy_control_term {
	enum vy_control_type type;        /* TERM_OPENED, _ENDED, _CLOSED */
	struct vy_str session, term, why; /* why: a sentence; empty: none */
	int64_t pid, cols, rows;          /* of one that was opened */
	bool has_code;                    /* of one that ended: */
	int64_t status, signal;           /* signal 0: it ended by itself */
};
void vy_control_of_term(
	const struct vy_control_term *term, struct vy_arena *mem, vy_control_fn *fn, void *ctx);

/* What people set for all sessions is another: the model of a purpose, the prompt of a project or of all, how
 * many may work. No session's, and without a word of a prompt. */
struct vy_control_defaults {
	struct vy_str what, project,
		purpose; /* what: model, prompt, slots (purpose: whose); may be empty */
	int64_t rev;     /* of a prompt */
};
void vy_control_of_defaults(
	const struct vy_control_defaults *d, struct vy_arena *mem, vy_control_fn *fn, void *ctx);

/* A provider is another than it was, or there is none of that name any more. `why` it cannot be used; empty:
 * it can. No session's. */
void vy_control_of_provider(
	struct vy_str name, struct vy_str why, struct vy_arena *mem, vy_control_fn *fn, void *ctx);

#endif
