/* fields.c -- see fields.h. Lists are read and written through a view of the same layout. */
#include "server/provider/fields.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* What every FIELD_LIST_OF() looks like from here. */
struct list_view {
	void *v;
	size_t n, cap;
};

static void *field_in(const struct field *f, const void *base)
{
	return (char *)(uintptr_t)base + f->at;
}

static struct list_view view_of(const void *list)
{
	struct list_view l;

	memcpy(&l, list, sizeof(l));
	return l;
}

/* ---- encode ---- */

/* Straight into the text: this runs at every commit, for every word that an agent says. */

static void encode_list(struct vy_jw *w, const struct field_set *of, struct list_view l)
{
	vy_jw_arr(w);
	for (size_t i = 0; i < l.n; i++) {
		vy_jw_obj(w);
		fields_encode(of, (char *)l.v + i * of->size, w);
		vy_jw_end_obj(w);
	}
	vy_jw_end_arr(w);
}

static void encode_json(struct vy_jw *w, const struct vy_json *v)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_LINE_MAX);

	vy_json_dump(v, &text);
	vy_jw_raw(w, vy_buf_str(&text));
}

static void encode_real(struct vy_jw *w, double n)
{
	VY_AUTO_JSON *v = vy_json_new_real(n);

	encode_json(w, v);
}

/* What a child printed may be anything: then its bad bytes are marked. */
static void encode_str(struct vy_jw *w, struct vy_str s)
{
	if (vy_utf8_is_valid(s)) {
		vy_jw_str(w, s);
	} else {
		VY_AUTO_JSON *v = vy_json_new_str(s);

		encode_json(w, v);
	}
}

static bool is_empty(const struct field *f, const void *p)
{
	switch (f->type) {
	case FIELD_BOOL: return !*(const bool *)p;
	case FIELD_INT: return *(const int64_t *)p == 0;
	case FIELD_REAL: return *(const double *)p == 0;
	case FIELD_STR: return !*(char *const *)p || !**(char *const *)p;
	case FIELD_JSON: return !*(struct vy_json *const *)p;
	case FIELD_LIST: return view_of(p).n == 0;
	}
	return true;
}

void fields_encode(const struct field_set *s, const void *of, struct vy_jw *w)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct field *f = &s->fields[i];
		const void *p = field_in(f, of);

		if (is_empty(f, p)) {
			continue;
		}
		vy_jw_key(w, f->name);
		switch (f->type) {
		case FIELD_BOOL: vy_jw_bool(w, true); break;
		case FIELD_INT: vy_jw_int(w, *(const int64_t *)p); break;
		case FIELD_REAL: encode_real(w, *(const double *)p); break;
		case FIELD_STR: encode_str(w, vy_str_c(*(char *const *)p)); break;
		case FIELD_JSON: encode_json(w, *(struct vy_json *const *)p); break;
		case FIELD_LIST: encode_list(w, f->of, view_of(p)); break;
		}
	}
}

/* ---- decode ---- */

static bool fits(const struct field *f, enum vy_json_type t)
{
	static const enum vy_json_type want[] = {
		[FIELD_BOOL] = VY_JSON_BOOL,
		[FIELD_INT] = VY_JSON_INT,
		[FIELD_REAL] = VY_JSON_REAL,
		[FIELD_STR] = VY_JSON_STR,
		[FIELD_LIST] = VY_JSON_ARR,
	};

	return f->type == FIELD_JSON || t == want[f->type] ||
	       (f->type == FIELD_REAL && t == VY_JSON_INT);
}

static int decode_list(const struct field *f, void *list, const struct vy_json *v, struct vy_err *e)
{
	for (size_t i = 0; i < vy_json_len(v); i++) {
		if (fields_decode(f->of, fields_list_add(list, f->of), vy_json_at(v, i), e) < 0) {
			return vy_wrap(e, "%s", f->name);
		}
	}
	return 0;
}

static int decode_one(
	const struct field *f, void *base, const struct vy_json *obj, struct vy_err *e)
{
	void *p = field_in(f, base);

	switch (f->type) {
	case FIELD_BOOL: *(bool *)p = vy_json_bool(obj, f->name, false); break;
	case FIELD_INT: *(int64_t *)p = vy_json_int(obj, f->name, 0); break;
	case FIELD_REAL: *(double *)p = vy_json_num(obj, f->name, 0); break;
	case FIELD_STR: fields_str_set(p, vy_json_str(obj, f->name)); break;
	case FIELD_JSON: *(struct vy_json **)p = vy_json_ref(vy_json_get(obj, f->name)); break;
	case FIELD_LIST: return decode_list(f, p, vy_json_get(obj, f->name), e);
	}
	return 0;
}

int fields_decode(const struct field_set *s, void *into, const struct vy_json *v, struct vy_err *e)
{
	if (vy_json_type(v) != VY_JSON_OBJ) {
		return vy_fail(e, VY_CORRUPT, "expected an object, got %s",
			vy_json_type_name(vy_json_type(v)));
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct field *f = &s->fields[i];
		struct vy_json *m = vy_json_get(v, f->name);

		if (!m) {
			continue;
		}
		if (!fits(f, vy_json_type(m))) {
			return vy_fail(e, VY_CORRUPT, "%s: got %s", f->name,
				vy_json_type_name(vy_json_type(m)));
		}
		if (decode_one(f, into, v, e) < 0) {
			return -1;
		}
	}
	return 0;
}

/* ---- free ---- */

void fields_free(const struct field_set *s, void *of)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct field *f = &s->fields[i];
		void *p = field_in(f, of);

		if (f->type == FIELD_STR) {
			free(*(char **)p);
		} else if (f->type == FIELD_JSON) {
			vy_json_free(*(struct vy_json **)p);
		} else if (f->type == FIELD_LIST) {
			fields_list_clear(p, f->of);
		}
	}
	memset(of, 0, s->size);
}

/* ---- lists ---- */

void *fields_list_add(void *list, const struct field_set *of)
{
	struct list_view l = view_of(list);

	l.v = vy_grow(l.v, &l.cap, l.n + 1, of->size);
	void *item = (char *)l.v + l.n++ * of->size;

	memset(item, 0, of->size);
	memcpy(list, &l, sizeof(l));
	return item;
}

void fields_list_del(void *list, const struct field_set *of, size_t i)
{
	struct list_view l = view_of(list);
	char *at = (char *)l.v + i * of->size;

	vy_assert(i < l.n);
	fields_free(of, at);
	l.n--;
	memmove(at, at + of->size, (l.n - i) * of->size);
	memcpy(list, &l, sizeof(l));
}

void fields_list_clear(void *list, const struct field_set *of)
{
	struct list_view l = view_of(list);

	for (size_t i = 0; i < l.n; i++) {
		fields_free(of, (char *)l.v + i * of->size);
	}
	free(l.v);
	memset(list, 0, sizeof(l));
}

void *fields_list_find(const void *list, const struct field_set *of, size_t at, struct vy_str key)
{
	struct list_view l = view_of(list);

	for (char *one = l.v; one && one < (char *)l.v + l.n * of->size; one += of->size) {
		if (vy_str_eq(vy_str_c(*(char **)(void *)(one + at)), key)) {
			return one;
		}
	}
	return NULL;
}

/* ---- strings ---- */

void fields_str_set(char **own, struct vy_str s)
{
	free(*own);
	*own = s.n ? vy_memdup0(s.p, s.n) : NULL;
}

/* ---- a whole state ---- */

void fields_state_encode(const struct field_set *s, const void *of, int version, struct vy_jw *w)
{
	vy_jw_obj(w);
	fields_encode(s, of, w);
	vy_jw_kint(w, "v", version);
	vy_jw_end_obj(w);
}

void *fields_state_decode(
	const struct field_set *s, int version, const struct vy_json *v, struct vy_err *e)
{
	int64_t theirs = vy_json_int(v, "v", 0);

	if (theirs != version) {
		vy_fail(e, VY_CORRUPT,
			"the state of an agent has version %lld, this vyred reads %d",
			(long long)theirs, version);
		return NULL;
	}
	void *state = vy_calloc(1, s->size);

	if (fields_decode(s, state, v, e) < 0) {
		vy_wrap(e, "the state of an agent");
		fields_free(s, state);
		free(state);
		return NULL;
	}
	return state;
}
