/* fields.c -- see fields.h. Lists are read and written through a view of the same layout. */
#include "server/provider/fields.h"

#include <string.h>

#include "shared/base/mem.h"
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

static void encode_list(struct vy_json *obj, const struct field *f, const void *list)
{
	struct list_view l = view_of(list);

	if (l.n == 0) {
		return;
	}
	struct vy_json *arr = vy_json_new_arr();

	for (size_t i = 0; i < l.n; i++) {
		vy_json_add_take(arr, fields_encode(f->of, (char *)l.v + i * f->of->size));
	}
	vy_json_take(obj, f->name, arr);
}

static void encode_one(struct vy_json *obj, const struct field *f, const void *base)
{
	void *p = field_in(f, base);

	switch (f->type) {
	case FIELD_BOOL:
		if (*(bool *)p) {
			vy_json_set_bool(obj, f->name, true);
		}
		break;
	case FIELD_INT:
		if (*(int64_t *)p != 0) {
			vy_json_set_int(obj, f->name, *(int64_t *)p);
		}
		break;
	case FIELD_REAL:
		if (*(double *)p != 0) {
			vy_json_take(obj, f->name, vy_json_new_real(*(double *)p));
		}
		break;
	case FIELD_STR:
		if (*(char **)p && **(char **)p) {
			vy_json_set_c(obj, f->name, *(char **)p);
		}
		break;
	case FIELD_JSON:
		if (*(struct vy_json **)p) {
			vy_json_set(obj, f->name, *(struct vy_json **)p);
		}
		break;
	case FIELD_LIST: encode_list(obj, f, p); break;
	}
}

struct vy_json *fields_encode(const struct field_set *s, const void *of)
{
	struct vy_json *obj = vy_json_new_obj();

	for (size_t i = 0; i < s->n; i++) {
		encode_one(obj, &s->fields[i], of);
	}
	return obj;
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

/* ---- strings ---- */

void fields_str_set(char **own, struct vy_str s)
{
	free(*own);
	*own = s.n ? vy_memdup0(s.p, s.n) : NULL;
}
