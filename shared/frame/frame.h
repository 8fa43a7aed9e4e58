/* frame.h -- one thing that happened in a session, as every log, viewer and script reads it.
 *
 * A frame is an open value: copy it, compare it, write it in a test as a literal. It owns nothing;
 * every slice is borrowed from what it was made of (an arena, an encoded line, a literal), and an
 * empty slice is an absent envelope field. Which kinds there are and which fields each has are
 * facts in kinds.def and fields.def; codec.h writes and reads it, check.h judges it.
 *
 *	struct vy_frame f;
 *
 *	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
 *	vy_frame_set_str(&f, VY_F_MESSAGE, id);
 *	vy_frame_set_int(&f, VY_F_INDEX, 0);
 *	vy_frame_set_str(&f, VY_F_TEXT, delta);
 *
 * Pure; any thread. */
#ifndef VY_FRAME_H
#define VY_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/str.h"

#define VY_FRAME_FIELDS  23 /* the most fields one kind has, EXPIRED among them */
#define VY_FRAME_VERSION 1

enum vy_class { VY_CLASS_LOGGED, VY_CLASS_EPHEMERAL, VY_CLASS_CONTROL };

enum vy_kind {
	VY_KIND_UNKNOWN = 0, /* from a newer peer: the word is kept, the data is VY_F_DATA */
#define VY_KIND(name, ...) VY_KIND_##name,
#include "shared/frame/kinds.def"
#undef VY_KIND
	VY_KIND_COUNT
};

enum vy_type { VY_TYPE_STR, VY_TYPE_INT, VY_TYPE_BOOL, VY_TYPE_JSON };

enum vy_fid {
#define VY_FIELD(name, word, type) VY_F_##name,
#include "shared/frame/fields.def"
#undef VY_FIELD
	VY_F_COUNT
};

struct vy_field {
	enum vy_fid id;
	union {
		struct vy_str str; /* STR, JSON */
		int64_t num;       /* INT, BOOL */
	};
};

struct vy_frame {
	uint64_t cur;  /* of the last frame it stands for; 0: not logged */
	uint64_t span; /* how many frames it stands for; 1 but after a merge */
	enum vy_kind kind;
	struct vy_str word; /* the kind as spelt, of an unknown kind only */
	struct vy_str id, session, turn, corr, author, acts_for, message;
	int64_t time; /* ms since the epoch, for display only */
	size_t n;
	struct vy_field f[VY_FRAME_FIELDS];
};

/* ---- building ---- */

void vy_frame_init(struct vy_frame *f, enum vy_kind kind); /* all empty, span 1 */

/* Each replaces a value already there. The field must be of that type (our own mistake else). */
void vy_frame_set_str(struct vy_frame *f, enum vy_fid id, struct vy_str s);
void vy_frame_set_c(struct vy_frame *f, enum vy_fid id, const char *s); /* NULL: leaves it out */
void vy_frame_set_int(struct vy_frame *f, enum vy_fid id, int64_t n);
void vy_frame_set_bool(struct vy_frame *f, enum vy_fid id, bool b);
void vy_frame_set_json(struct vy_frame *f, enum vy_fid id, struct vy_str json);
void vy_frame_del(struct vy_frame *f, enum vy_fid id);

/* ---- reading ---- */

const struct vy_field *vy_frame_get(const struct vy_frame *f, enum vy_fid id); /* NULL: absent */
bool vy_frame_has(const struct vy_frame *f, enum vy_fid id);
struct vy_str vy_frame_str(const struct vy_frame *f, enum vy_fid id); /* STR or JSON; or empty */
int64_t vy_frame_int(const struct vy_frame *f, enum vy_fid id, int64_t none);
bool vy_frame_bool(const struct vy_frame *f, enum vy_fid id); /* absent is false */
bool vy_frame_is(const struct vy_frame *f, enum vy_fid id, const char *word);
bool vy_frame_is_expired(const struct vy_frame *f);

/* The first cursor it stands for; 0 when it has none. */
uint64_t vy_frame_first(const struct vy_frame *f);

/* Same values in any order of fields; JSON texts are compared as values. */
bool vy_frame_equal(const struct vy_frame *a, const struct vy_frame *b);

struct vy_arena;
/* A copy whose every slice lives in `a`. */
void vy_frame_dup(const struct vy_frame *f, struct vy_arena *a, struct vy_frame *out);

/* ---- the facts ---- */

const char *vy_kind_word(enum vy_kind k);    /* "text-delta"; "unknown" */
enum vy_kind vy_kind_of(struct vy_str word); /* without "session." */
enum vy_class vy_kind_class(enum vy_kind k);
const char *vy_field_word(enum vy_fid id);
enum vy_type vy_field_type(enum vy_fid id);

struct vy_has {
	enum vy_fid field;
	bool need;
	int64_t max;    /* bytes, or the largest value */
	const char *as; /* what narrows it, as kinds.def tells; NULL: nothing */
};

/* The fields of a kind, in the order they are written. */
const struct vy_has *vy_kind_has(enum vy_kind k, size_t *n);

#endif
