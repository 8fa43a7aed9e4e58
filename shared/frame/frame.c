/* frame.c -- the value and its tables; see frame.h. */
#include "shared/frame/frame.h"

#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- the facts ---- */

#define NEED(f, most)        { VY_F_##f, true, (most), NULL },
#define MAY(f, most)         { VY_F_##f, false, (most), NULL },
#define NEED_AS(f, most, as) { VY_F_##f, true, (most), (as) },
#define MAY_AS(f, most, as)  { VY_F_##f, false, (most), (as) },

/* The closing entry keeps a kind without fields from being an empty array. */
#define VY_KIND(name, word, class, ...)                                                            \
	static const struct vy_has has_##name[] = { __VA_ARGS__{ VY_F_COUNT, false, 0, NULL } };
#include "shared/frame/kinds.def"
#undef VY_KIND

static const struct vy_has has_UNKNOWN[] = { MAY_AS(DATA, VY_FRAME_MAX, "{") };

#define VY_KIND(name, ...)                                                                         \
	_Static_assert(VY_COUNT(has_##name) <= VY_FRAME_FIELDS, #name " has too many fields");
#include "shared/frame/kinds.def"
#undef VY_KIND

static const struct {
	const char *word;
	enum vy_class class;
	const struct vy_has *has;
	size_t n;
} kinds[] = {
	[VY_KIND_UNKNOWN] = { "unknown", VY_CLASS_LOGGED, has_UNKNOWN, 1 },
#define VY_KIND(name, word, class, ...)                                                            \
	[VY_KIND_##name] = { word, VY_CLASS_##class, has_##name, VY_COUNT(has_##name) - 1 },
#include "shared/frame/kinds.def"
#undef VY_KIND
};

static const struct {
	const char *word;
	enum vy_type type;
} fields[] = {
#define VY_FIELD(name, word, type) [VY_F_##name] = { word, VY_TYPE_##type },
#include "shared/frame/fields.def"
#undef VY_FIELD
};

const char *vy_kind_word(enum vy_kind k)
{
	return kinds[k].word;
}

enum vy_kind vy_kind_of(struct vy_str word)
{
	for (unsigned k = VY_KIND_UNKNOWN + 1; k < VY_KIND_COUNT; k++) {
		if (vy_str_is(word, kinds[k].word)) {
			return (enum vy_kind)k;
		}
	}
	return VY_KIND_UNKNOWN;
}

enum vy_class vy_kind_class(enum vy_kind k)
{
	return kinds[k].class;
}

const char *vy_field_word(enum vy_fid id)
{
	return fields[id].word;
}

enum vy_type vy_field_type(enum vy_fid id)
{
	return fields[id].type;
}

const struct vy_has *vy_kind_has(enum vy_kind k, size_t *n)
{
	*n = kinds[k].n;
	return kinds[k].has;
}

/* ---- building ---- */

void vy_frame_init(struct vy_frame *f, enum vy_kind kind)
{
	/* The fields behind n are never read: clearing them all would cost more than the rest. */
	f->cur = 0;
	f->span = 1;
	f->kind = kind;
	f->word = f->id = f->session = f->turn = f->corr = vy_str_n(NULL, 0);
	f->author = f->acts_for = f->message = vy_str_n(NULL, 0);
	f->time = 0;
	f->n = 0;
}

static struct vy_field *slot(struct vy_frame *f, enum vy_fid id)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->f[i].id == id) {
			return &f->f[i];
		}
	}
	vy_assert(f->n < VY_FRAME_FIELDS);
	f->f[f->n].id = id;
	return &f->f[f->n++];
}

void vy_frame_set_str(struct vy_frame *f, enum vy_fid id, struct vy_str s)
{
	vy_assert(fields[id].type == VY_TYPE_STR);
	slot(f, id)->str = s;
}

void vy_frame_set_c(struct vy_frame *f, enum vy_fid id, const char *s)
{
	if (s) {
		vy_frame_set_str(f, id, vy_str_c(s));
	}
}

void vy_frame_set_json(struct vy_frame *f, enum vy_fid id, struct vy_str json)
{
	vy_assert(fields[id].type == VY_TYPE_JSON);
	slot(f, id)->str = json;
}

void vy_frame_set_int(struct vy_frame *f, enum vy_fid id, int64_t n)
{
	vy_assert(fields[id].type == VY_TYPE_INT);
	slot(f, id)->num = n;
}

void vy_frame_set_bool(struct vy_frame *f, enum vy_fid id, bool b)
{
	vy_assert(fields[id].type == VY_TYPE_BOOL);
	slot(f, id)->num = b;
}

void vy_frame_del(struct vy_frame *f, enum vy_fid id)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->f[i].id == id) {
			memmove(&f->f[i], &f->f[i + 1], (f->n - i - 1) * sizeof(f->f[0]));
			f->n--;
			return;
		}
	}
}

/* ---- reading ---- */

const struct vy_field *vy_frame_get(const struct vy_frame *f, enum vy_fid id)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->f[i].id == id) {
			return &f->f[i];
		}
	}
	return NULL;
}

bool vy_frame_has(const struct vy_frame *f, enum vy_fid id)
{
	return vy_frame_get(f, id) != NULL;
}

static bool is_text(enum vy_fid id)
{
	return fields[id].type == VY_TYPE_STR || fields[id].type == VY_TYPE_JSON;
}

struct vy_str vy_frame_str(const struct vy_frame *f, enum vy_fid id)
{
	const struct vy_field *v = vy_frame_get(f, id);

	return v && is_text(id) ? v->str : vy_str_n(NULL, 0);
}

int64_t vy_frame_int(const struct vy_frame *f, enum vy_fid id, int64_t none)
{
	const struct vy_field *v = vy_frame_get(f, id);

	return v && !is_text(id) ? v->num : none;
}

bool vy_frame_bool(const struct vy_frame *f, enum vy_fid id)
{
	return vy_frame_int(f, id, 0) != 0;
}

bool vy_frame_is(const struct vy_frame *f, enum vy_fid id, const char *word)
{
	return vy_str_is(vy_frame_str(f, id), word);
}

bool vy_frame_is_expired(const struct vy_frame *f)
{
	return vy_frame_bool(f, VY_F_EXPIRED);
}

uint64_t vy_frame_first(const struct vy_frame *f)
{
	return f->cur == 0 || f->span > f->cur ? 0 : f->cur - f->span + 1;
}

static bool same_json(struct vy_str a, struct vy_str b)
{
	if (vy_str_eq(a, b)) {
		return true;
	}
	VY_AUTO_JSON *x = vy_json_parse(a, NULL);
	VY_AUTO_JSON *y = vy_json_parse(b, NULL);

	return x && y && vy_json_equal(x, y);
}

static bool same_field(const struct vy_field *a, const struct vy_field *b)
{
	switch (fields[a->id].type) {
	case VY_TYPE_STR: return vy_str_eq(a->str, b->str);
	case VY_TYPE_JSON: return same_json(a->str, b->str);
	case VY_TYPE_INT:
	case VY_TYPE_BOOL: return a->num == b->num;
	}
	return false;
}

bool vy_frame_equal(const struct vy_frame *a, const struct vy_frame *b)
{
	if (a->cur != b->cur || a->span != b->span || a->kind != b->kind || a->time != b->time ||
		a->n != b->n || !vy_str_eq(a->word, b->word) || !vy_str_eq(a->id, b->id) ||
		!vy_str_eq(a->session, b->session) || !vy_str_eq(a->turn, b->turn) ||
		!vy_str_eq(a->corr, b->corr) || !vy_str_eq(a->author, b->author) ||
		!vy_str_eq(a->acts_for, b->acts_for) || !vy_str_eq(a->message, b->message)) {
		return false;
	}
	for (size_t i = 0; i < a->n; i++) {
		const struct vy_field *other = vy_frame_get(b, a->f[i].id);

		if (!other || !same_field(&a->f[i], other)) {
			return false;
		}
	}
	return true;
}

static struct vy_str keep(struct vy_arena *a, struct vy_str s)
{
	return s.n ? vy_arena_str(a, s) : vy_str_n(NULL, 0);
}

void vy_frame_dup(const struct vy_frame *f, struct vy_arena *a, struct vy_frame *out)
{
	struct vy_str *const slices[] = { &out->word, &out->id, &out->session, &out->turn,
		&out->corr, &out->author, &out->acts_for, &out->message };

	*out = *f;
	for (size_t i = 0; i < VY_COUNT(slices); i++) {
		*slices[i] = keep(a, *slices[i]);
	}
	for (size_t i = 0; i < out->n; i++) {
		if (is_text(out->f[i].id)) {
			out->f[i].str = keep(a, out->f[i].str);
		}
	}
}
