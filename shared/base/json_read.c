/* json_read.c -- see json_read.h. */
#include "shared/base/json_read.h"

#include <jansson.h>
#include <stdbool.h>

#include "shared/base/limits.h"
#include "shared/base/utf8_len.h"
#include "shared/base/ban.h"

#define DIGITS_MAX 18   /* fit 64 bits, whatever they are */
#define TEXT_MAX   8192 /* a longer text with escapes is left to jansson */

struct reader {
	const char *p, *end;
	int depth;
	char text[TEXT_MAX]; /* of a string with escapes */
};

struct slice { /* of the input, or of reader.text */
	const char *p;
	size_t n;
};

static json_t *read_value(struct reader *r);

static void skip_blanks(struct reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t')) {
		r->p++;
	}
}

static bool take(struct reader *r, char c)
{
	if (r->p < r->end && *r->p == c) {
		r->p++;
		return true;
	}
	return false;
}

/* ---- strings ---- */

/* Up to the next quote or backslash; false: something that is not plain comes before it. */
static bool skip_plain(struct reader *r)
{
	while (r->p < r->end) {
		unsigned char c = (unsigned char)*r->p;

		if (c == '"' || c == '\\') {
			return true;
		}
		if (c < 0x20) {
			return false;
		}
		size_t len = c < 0x80 ? 1 : vy_utf8_len(r->p, (size_t)(r->end - r->p));

		if (len == 0) {
			return false;
		}
		r->p += len;
	}
	return false;
}

static char unescaped(char c)
{
	switch (c) {
	case '"':
	case '\\':
	case '/': return c;
	case 'b': return '\b';
	case 'f': return '\f';
	case 'n': return '\n';
	case 'r': return '\r';
	case 't': return '\t';
	default: return '\0';
	}
}

/* Behind the opening quote, the first backslash is at p. */
static bool read_escaped(struct reader *r, const char *begin, struct slice *out)
{
	size_t n = 0;

	for (;;) {
		size_t part = (size_t)(r->p - begin);
		char c;

		if (part >= TEXT_MAX - n) {
			return false;
		}
		memcpy(r->text + n, begin, part);
		n += part;
		if (take(r, '"')) {
			*out = (struct slice){ r->text, n };
			return true;
		}
		if (r->end - r->p < 2 || !(c = unescaped(r->p[1])) || n + 1 >= TEXT_MAX) {
			return false;
		}
		r->text[n++] = c;
		r->p += 2;
		begin = r->p;
		if (!skip_plain(r)) {
			return false;
		}
	}
}

static bool read_text(struct reader *r, struct slice *out)
{
	const char *begin = r->p;

	if (!skip_plain(r)) {
		return false;
	}
	if (*r->p == '\\') {
		return read_escaped(r, begin, out);
	}
	*out = (struct slice){ begin, (size_t)(r->p - begin) };
	r->p++;
	return true;
}

static json_t *read_string(struct reader *r)
{
	struct slice s;

	return read_text(r, &s) ? json_stringn_nocheck(s.p, s.n) : NULL;
}

/* ---- numbers and names ---- */

static json_t *read_number(struct reader *r)
{
	bool is_negative = take(r, '-');
	const char *begin = r->p;
	json_int_t n = 0;

	while (r->p < r->end && *r->p >= '0' && *r->p <= '9' && r->p - begin <= DIGITS_MAX) {
		n = n * 10 + (*r->p++ - '0');
	}
	size_t digits = (size_t)(r->p - begin);

	if (digits == 0 || digits > DIGITS_MAX || (*begin == '0' && (digits > 1 || is_negative)) ||
		(r->p < r->end && (*r->p == '.' || *r->p == 'e' || *r->p == 'E'))) {
		return NULL;
	}
	return json_integer(is_negative ? -n : n);
}

static json_t *read_name(struct reader *r)
{
	static const struct {
		const char *name;
		size_t n;
	} names[] = { { "true", 4 }, { "false", 5 }, { "null", 4 } };

	for (int i = 0; i < 3; i++) {
		if ((size_t)(r->end - r->p) >= names[i].n &&
			memcmp(r->p, names[i].name, names[i].n) == 0) {
			r->p += names[i].n;
			return i == 0 ? json_true() : i == 1 ? json_false() : json_null();
		}
	}
	return NULL;
}

/* ---- what holds others ---- */

static bool read_members(struct reader *r, json_t *obj)
{
	do {
		struct slice key;
		json_t *v;
		char name[128];

		skip_blanks(r);
		if (!take(r, '"') || !read_text(r, &key) || key.n >= sizeof(name) ||
			memchr(key.p, '\0', key.n)) {
			return false;
		}
		memcpy(name, key.p, key.n); /* reader.text may be written again by the value */
		name[key.n] = '\0';
		skip_blanks(r);
		if (!take(r, ':') || json_object_get(obj, name)) {
			return false;
		}
		v = read_value(r);
		if (!v || json_object_set_new_nocheck(obj, name, v) != 0) {
			return false;
		}
		skip_blanks(r);
	} while (take(r, ','));
	return take(r, '}');
}

static bool read_items(struct reader *r, json_t *arr)
{
	do {
		json_t *v = read_value(r);

		if (!v || json_array_append_new(arr, v) != 0) {
			return false;
		}
		skip_blanks(r);
	} while (take(r, ','));
	return take(r, ']');
}

static json_t *read_inside(struct reader *r, bool is_object)
{
	json_t *v = is_object ? json_object() : json_array();
	bool ok = ++r->depth <= VY_JSON_DEPTH;

	skip_blanks(r);
	ok = ok && (take(r, is_object ? '}' : ']') ||
			   (is_object ? read_members(r, v) : read_items(r, v)));
	r->depth--;
	if (!ok) {
		json_decref(v);
		return NULL;
	}
	return v;
}

static json_t *read_value(struct reader *r)
{
	skip_blanks(r);
	if (take(r, '{')) {
		return read_inside(r, true);
	}
	if (take(r, '[')) {
		return read_inside(r, false);
	}
	if (take(r, '"')) {
		return read_string(r);
	}
	if (r->p < r->end && (*r->p == '-' || (*r->p >= '0' && *r->p <= '9'))) {
		return read_number(r);
	}
	return read_name(r);
}

struct vy_json *vy_json_read(struct vy_str s)
{
	struct reader r;
	json_t *v;

	r.p = s.n ? s.p : "";
	r.end = r.p + s.n;
	r.depth = 0;
	v = read_value(&r);
	if (!v) {
		return NULL;
	}
	skip_blanks(&r);
	if (r.p != r.end) {
		json_decref(v);
		return NULL;
	}
	return (struct vy_json *)v;
}
