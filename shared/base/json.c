/* json.c -- see json.h. `struct vy_json` is jansson's json_t under a name of ours. */
#include "shared/base/json.h"

#include <jansson.h>
#include <stdlib.h>

#include "shared/base/arena.h"
#include "shared/base/json_in.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static json_t *in(const struct vy_json *v)
{
	return (json_t *)(uintptr_t)v;
}

static struct vy_json *out_(json_t *j)
{
	return (struct vy_json *)j;
}

static json_t *made(json_t *j)
{
	vy_assert(j != NULL);
	return j;
}

/* ---- reading ---- */

/* jansson's own depth limit is fixed at 2048: far past what the house walks recursively. */
static bool too_deep(struct vy_str s)
{
	int depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (in_string) {
			if (c == '\\') {
				i++;
			} else if (c == '"') {
				in_string = false;
			}
		} else if (c == '"') {
			in_string = true;
		} else if (c == '{' || c == '[') {
			if (++depth > VY_JSON_DEPTH) {
				return true;
			}
		} else if (c == '}' || c == ']') {
			depth--;
		}
	}
	return false;
}

static struct vy_json *parse(struct vy_str s, size_t flags, struct vy_err *e)
{
	json_error_t je;

	if (s.n &&
		memchr(s.p, '\0', s.n)) { /* jansson takes one for the end and forgets the rest */
		vy_fail(e, VY_BAD_INPUT, "not JSON: a NUL byte");
		return NULL;
	}
	if (too_deep(s)) {
		vy_fail(e, VY_BAD_INPUT, "JSON is nested deeper than %d", VY_JSON_DEPTH);
		return NULL;
	}
	json_t *j = json_loadb(s.n ? s.p : "", s.n, JSON_DECODE_ANY | JSON_ALLOW_NUL | flags, &je);

	if (!j) {
		vy_fail(e, VY_BAD_INPUT, "not JSON: %s (byte %d)", je.text, je.position);
	}
	return out_(j);
}

struct vy_json *vy_json_parse(struct vy_str s, struct vy_err *e)
{
	return parse(s, JSON_REJECT_DUPLICATES, e);
}

size_t vy_json_utf8(const unsigned char *p, size_t n)
{
	size_t len = p[0] < 0x80                   ? 1
		     : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
		     : p[0] >= 0xE0 && p[0] < 0xF0 ? 3
		     : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
						   : 0;

	if (len == 0 || len > n) {
		return 0;
	}
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] >= 0xA0) ||
		(p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] >= 0x90)) {
		return 0;
	}
	return len;
}

/* Value of a \uXXXX escape at p, or -1. */
static long escape_at(const char *p, size_t n)
{
	long v = 0;

	if (n < 6 || p[0] != '\\' || p[1] != 'u') {
		return -1;
	}
	for (int i = 2; i < 6; i++) {
		char c = (char)(p[i] | 0x20);
		int d = p[i] >= '0' && p[i] <= '9' ? p[i] - '0'
			: c >= 'a' && c <= 'f'     ? c - 'a' + 10
						   : -1;

		if (d < 0) {
			return -1;
		}
		v = v * 16 + d;
	}
	return v;
}

/* Copies one escape (whole pairs together) and says how many bytes of input it was. */
static size_t mend_escape(const char *p, size_t n, struct vy_buf *b)
{
	long v = escape_at(p, n);

	if (v < 0xD800 || v > 0xDFFF) {
		size_t len = n < 2 ? n : 2;

		vy_buf_add(b, p, len);
		return len;
	}
	long low = v < 0xDC00 ? escape_at(p + 6, n - 6) : -1;

	if (low >= 0xDC00 && low <= 0xDFFF) {
		vy_buf_add(b, p, 12);
		return 12;
	}
	vy_buf_adds(b, "\\ufffd");
	return 6;
}

static void mend(struct vy_str s, struct vy_buf *b)
{
	for (size_t i = 0; i < s.n;) {
		size_t len;

		if (s.p[i] == '\\') {
			i += mend_escape(s.p + i, s.n - i, b);
		} else if ((len = vy_json_utf8((const unsigned char *)s.p + i, s.n - i)) > 0) {
			vy_buf_add(b, s.p + i, len);
			i += len;
		} else {
			vy_buf_adds(b, "\xEF\xBF\xBD");
			i++;
		}
	}
}

struct vy_json *vy_json_parse_lenient(struct vy_str s, struct vy_err *e)
{
	struct vy_json *v = parse(s, 0, NULL);

	if (v) {
		return v;
	}
	VY_AUTO_BUF b = VY_BUF_INIT(s.n * 3 + 16);

	mend(s, &b);
	v = parse(vy_buf_str(&b), 0, NULL);
	/* a whole number past 64 bits costs its last digits, not the line */
	return v ? v : parse(vy_buf_str(&b), JSON_DECODE_INT_AS_REAL, e);
}

struct vy_json *vy_json_ref(struct vy_json *v)
{
	return out_(json_incref(in(v)));
}

void vy_json_free(struct vy_json *v)
{
	json_decref(in(v));
}

void vy_json_freep(struct vy_json **v)
{
	vy_json_free(*v);
	*v = NULL;
}

bool vy_json_is_lone(const struct vy_json *v)
{
	return in(v)->refcount == 1 ||
	       in(v)->refcount == (size_t)-1; /* true, false and null are nobody's */
}

void vy_json_reword(struct vy_json *v, struct vy_str text)
{
	vy_assert(json_string_setn_nocheck(in(v), text.n ? text.p : "", text.n) == 0);
}

enum vy_json_type vy_json_type(const struct vy_json *v)
{
	if (!v) {
		return VY_JSON_NONE;
	}
	switch (json_typeof(in(v))) {
	case JSON_OBJECT: return VY_JSON_OBJ;
	case JSON_ARRAY: return VY_JSON_ARR;
	case JSON_STRING: return VY_JSON_STR;
	case JSON_INTEGER: return VY_JSON_INT;
	case JSON_REAL: return VY_JSON_REAL;
	case JSON_TRUE:
	case JSON_FALSE: return VY_JSON_BOOL;
	case JSON_NULL: return VY_JSON_NULL;
	}
	return VY_JSON_NONE;
}

const char *vy_json_type_name(enum vy_json_type t)
{
	static const char *const names[] = { "nothing", "null", "a boolean", "a whole number",
		"a number", "a string", "an array", "an object" };

	return names[t];
}

struct vy_json *vy_json_get(const struct vy_json *obj, const char *key)
{
	return out_(json_object_get(in(obj), key));
}

struct vy_json *vy_json_path(const struct vy_json *obj, const char *dotted)
{
	const struct vy_json *v = obj;

	while (v && *dotted) {
		size_t n = strcspn(dotted, ".");
		char key[128];

		if (n >= sizeof(key)) {
			return NULL;
		}
		memcpy(key, dotted, n);
		key[n] = '\0';
		v = vy_json_get(v, key);
		dotted += n + (dotted[n] == '.');
	}
	return out_(in(v));
}

size_t vy_json_len(const struct vy_json *v)
{
	return json_is_array(in(v)) ? json_array_size(in(v)) : json_object_size(in(v));
}

struct vy_json *vy_json_at(const struct vy_json *arr, size_t i)
{
	return out_(json_array_get(in(arr), i));
}

bool vy_json_each(const struct vy_json *obj, void **it, const char **key, struct vy_json **value)
{
	*it = *it ? json_object_iter_next(in(obj), *it) : json_object_iter(in(obj));
	if (!*it) {
		return false;
	}
	*key = json_object_iter_key(*it);
	*value = out_(json_object_iter_value(*it));
	return true;
}

struct vy_str vy_json_strval(const struct vy_json *v)
{
	return json_is_string(in(v)) ? vy_str_n(json_string_value(in(v)), json_string_length(in(v)))
				     : vy_str_n(NULL, 0);
}

struct vy_str vy_json_str(const struct vy_json *obj, const char *key)
{
	return vy_json_strval(vy_json_get(obj, key));
}

const char *vy_json_cstr(const struct vy_json *obj, const char *key)
{
	return json_string_value(json_object_get(in(obj), key));
}

const char **vy_json_strings(const struct vy_json *arr, struct vy_arena *a)
{
	size_t n = vy_json_len(arr);
	const char **v = vy_arena_calloc(a, n + 1, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		struct vy_str s = vy_json_strval(vy_json_at(arr, i));

		v[i] = vy_arena_dup(a, s.n ? s.p : "", s.n);
	}
	return v;
}

int64_t vy_json_intval(const struct vy_json *v, int64_t none)
{
	if (json_is_integer(in(v))) {
		return json_integer_value(in(v));
	}
	if (json_is_real(in(v))) {
		double d = json_real_value(in(v));

		return d > -9e18 && d < 9e18 ? (int64_t)d : none;
	}
	return none;
}

double vy_json_numval(const struct vy_json *v, double none)
{
	return json_is_number(in(v)) ? json_number_value(in(v)) : none;
}

int64_t vy_json_int(const struct vy_json *obj, const char *key, int64_t none)
{
	return vy_json_intval(vy_json_get(obj, key), none);
}

double vy_json_num(const struct vy_json *obj, const char *key, double none)
{
	return vy_json_numval(vy_json_get(obj, key), none);
}

bool vy_json_bool(const struct vy_json *obj, const char *key, bool none)
{
	json_t *j = json_object_get(in(obj), key);

	return json_is_boolean(j) ? json_is_true(j) : none;
}

bool vy_json_equal(const struct vy_json *a, const struct vy_json *b)
{
	return (!a && !b) || json_equal(in(a), in(b));
}

static int wrong_type(const struct vy_json *v, const char *where, const char *key,
	enum vy_json_type want, struct vy_err *e)
{
	return vy_fail(e, VY_BAD_INPUT, "%s%s: expected %s, got %s", where, key,
		vy_json_type_name(want), vy_json_type_name(vy_json_type(v)));
}

int vy_json_need_str(const struct vy_json *obj, const char *where, const char *key,
	struct vy_str *out, struct vy_err *e)
{
	struct vy_json *v = vy_json_get(obj, key);

	if (vy_json_type(v) != VY_JSON_STR) {
		return wrong_type(v, where, key, VY_JSON_STR, e);
	}
	*out = vy_json_strval(v);
	return 0;
}

int vy_json_need_int(const struct vy_json *obj, const char *where, const char *key, int64_t *out,
	struct vy_err *e)
{
	struct vy_json *v = vy_json_get(obj, key);

	if (vy_json_type(v) != VY_JSON_INT) {
		return wrong_type(v, where, key, VY_JSON_INT, e);
	}
	*out = json_integer_value(in(v));
	return 0;
}

/* ---- building ---- */

struct vy_json *vy_json_new_obj(void)
{
	return out_(made(json_object()));
}

struct vy_json *vy_json_new_arr(void)
{
	return out_(made(json_array()));
}

struct vy_json *vy_json_new_str(struct vy_str s)
{
	json_t *j = json_stringn(s.n ? s.p : "", s.n);

	if (!j) { /* not UTF-8: what a file or a child gave us is still shown, marked */
		VY_AUTO_BUF b = VY_BUF_INIT(s.n * 3 + 16);

		for (size_t i = 0; i < s.n;) {
			size_t len = vy_json_utf8((const unsigned char *)s.p + i, s.n - i);

			vy_buf_add(&b, len ? s.p + i : "\xEF\xBF\xBD", len ? len : 3);
			i += len ? len : 1;
		}
		j = json_stringn(vy_buf_c(&b), b.len);
	}
	return out_(made(j));
}

struct vy_json *vy_json_new_int(int64_t n)
{
	return out_(made(json_integer(n)));
}

struct vy_json *vy_json_new_real(double n)
{
	json_t *j = json_real(n); /* refuses NaN and infinities */

	return out_(j ? j : made(json_null()));
}

struct vy_json *vy_json_new_bool(bool b)
{
	return out_(json_boolean(b));
}

struct vy_json *vy_json_new_null(void)
{
	return out_(json_null());
}

struct vy_json *vy_json_copy(const struct vy_json *v)
{
	return v ? out_(made(json_deep_copy(in(v)))) : NULL;
}

void vy_json_take(struct vy_json *obj, const char *key, struct vy_json *own_value)
{
	if (own_value) {
		vy_assert(json_object_set_new(in(obj), key, in(own_value)) == 0);
	}
}

void vy_json_add_take(struct vy_json *arr, struct vy_json *own_value)
{
	vy_assert(json_array_append_new(in(arr), in(own_value)) == 0);
}

void vy_json_insert_take(struct vy_json *arr, size_t at, struct vy_json *own_value)
{
	vy_assert(json_array_insert_new(in(arr), at, in(own_value)) == 0);
}

void vy_json_set(struct vy_json *obj, const char *key, struct vy_json *value)
{
	vy_json_take(obj, key, vy_json_ref(value));
}

void vy_json_set_str(struct vy_json *obj, const char *key, struct vy_str s)
{
	vy_json_take(obj, key, vy_json_new_str(s));
}

void vy_json_set_c(struct vy_json *obj, const char *key, const char *s)
{
	if (s) {
		vy_json_set_str(obj, key, vy_str_c(s));
	}
}

void vy_json_set_int(struct vy_json *obj, const char *key, int64_t n)
{
	vy_json_take(obj, key, vy_json_new_int(n));
}

void vy_json_set_bool(struct vy_json *obj, const char *key, bool b)
{
	vy_json_take(obj, key, vy_json_new_bool(b));
}

void vy_json_set_null(struct vy_json *obj, const char *key)
{
	vy_json_take(obj, key, vy_json_new_null());
}

void vy_json_del(struct vy_json *obj, const char *key)
{
	json_object_del(in(obj), key);
}

void vy_json_del_at(struct vy_json *arr, size_t i)
{
	json_array_remove(in(arr), i);
}

/* ---- printing ---- */

static int add_piece(const char *p, size_t n, void *ctx)
{
	return vy_buf_add(ctx, p, n) ? 0 : -1;
}

bool vy_json_dump(const struct vy_json *v, struct vy_buf *out)
{
	return json_dump_callback(in(v), add_piece, out, JSON_COMPACT | JSON_ENCODE_ANY) == 0;
}

bool vy_json_dump_canonical(const struct vy_json *v, struct vy_buf *out)
{
	return json_dump_callback(
		       in(v), add_piece, out, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS) == 0;
}
