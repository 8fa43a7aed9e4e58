/* json_twin.c -- see json_twin.h. */
#include "shared/base/json_twin.h"

#include <string.h>

#include "shared/base/json_in.h"
#include "shared/base/ban.h"

void vy_json_twin_fini(struct vy_json_twin *t)
{
	vy_buf_fini(&t->text);
	vy_json_free(t->tree);
	*t = (struct vy_json_twin){ 0 };
}

/* ---- the one read whole ---- */

/* Behind the string whose first quote is at i: valid JSON, so it has an end. */
static size_t skip_string(struct vy_str s, size_t i)
{
	for (i++; s.p[i] != '"'; i++) {
		i += s.p[i] == '\\';
	}
	return i + 1;
}

static bool is_key(struct vy_str s, size_t behind)
{
	while (behind < s.n && strchr(" \t\r\n", s.p[behind])) {
		behind++;
	}
	return behind < s.n && s.p[behind] == ':';
}

/* Where the string values stand, in the order of the text. */
static bool find_strings(struct vy_json_twin *t, struct vy_str s)
{
	t->n = 0;
	for (size_t i = 0; i < s.n;) {
		if (s.p[i] != '"') {
			i++;
			continue;
		}
		size_t behind = skip_string(s, i);

		if (!is_key(s, behind)) {
			if (t->n == VY_JSON_TWIN_STRINGS) {
				return false;
			}
			t->strings[t->n++] =
				(struct vy_json_twin_string){ .at = i + 1, .end = behind - 1 };
		}
		i = behind;
	}
	return true;
}

/* Whichever they are: objects keep the order of insertion. */
static bool lend_strings(struct vy_json_twin *t, struct vy_json *v, size_t *at)
{
	const char *key;
	struct vy_json *child;

	if (vy_json_type(v) == VY_JSON_STR) {
		if (*at == t->n) {
			return false;
		}
		t->strings[(*at)++].lent = v;
	} else if (vy_json_type(v) == VY_JSON_ARR) {
		for (size_t i = 0; i < vy_json_len(v); i++) {
			if (!lend_strings(t, vy_json_at(v, i), at)) {
				return false;
			}
		}
	} else if (vy_json_type(v) == VY_JSON_OBJ) {
		VY_JSON_EACH (v, key, child) {
			if (!lend_strings(t, child, at)) {
				return false;
			}
		}
	}
	return true;
}

static void note(struct vy_json_twin *t, struct vy_str text, struct vy_json *tree)
{
	size_t lent = 0;

	vy_json_free(t->tree);
	t->tree = NULL;
	if (find_strings(t, text) && lend_strings(t, tree, &lent) && lent == t->n) {
		vy_buf_clear(&t->text);
		vy_buf_addstr(&t->text, text);
		t->tree = vy_json_ref(tree);
	}
}

/* ---- its twin ---- */

/* Somebody may have kept a part of the tree: then it is theirs. */
static bool is_ours(const struct vy_json *v)
{
	const char *key;
	struct vy_json *child;

	if (vy_json_type(v) == VY_JSON_ARR) {
		for (size_t i = 0; i < vy_json_len(v); i++) {
			if (!is_ours(vy_json_at(v, i))) {
				return false;
			}
		}
	} else if (vy_json_type(v) == VY_JSON_OBJ) {
		VY_JSON_EACH (v, key, child) {
			if (!is_ours(child)) {
				return false;
			}
		}
	}
	return vy_json_is_lone(v);
}

/* The plain characters from `at` on; more than there are when they do not end in a quote. */
static size_t plain(struct vy_str s, size_t at)
{
	size_t i = at;

	while (i < s.n && s.p[i] != '"') {
		unsigned char c = (unsigned char)s.p[i];
		size_t len = c < 0x80 ? c >= ' ' && c != '\\'
				      : vy_json_utf8((const unsigned char *)s.p + i, s.n - i);

		if (!len) {
			return s.n;
		}
		i += len;
	}
	return i - at;
}

static bool goes_on(struct vy_str s, size_t at, const char *with, size_t n)
{
	return s.n - at >= n && memcmp(s.p + at, with, n) == 0;
}

/* Where its strings stand in the other text; false: it is no twin. */
static bool match(const struct vy_json_twin *t, struct vy_str s, struct vy_json_twin_string *out)
{
	const char *text = t->text.data;
	size_t from = 0, at = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct vy_json_twin_string *was = &t->strings[i];
		size_t n = was->end - was->at;

		if (!goes_on(s, at, text + from, was->at - from)) {
			return false;
		}
		at += was->at - from;
		out[i] = (struct vy_json_twin_string){ .at = at };
		/* with its quote */
		if (!goes_on(s, at, text + was->at, n + 1)) {
			out[i].lent = was->lent;
			n = plain(s, at);
			if (n >= s.n - at) {
				return false;
			}
		}
		at += n;
		out[i].end = at;
		from = was->end;
	}
	return s.n - at == t->text.len - from && goes_on(s, at, text + from, s.n - at);
}

static bool reword(struct vy_json_twin *t, struct vy_str s)
{
	struct vy_json_twin_string now[VY_JSON_TWIN_STRINGS];

	if (!t->tree || s.n > VY_JSON_TWIN_TEXT || !match(t, s, now) || !is_ours(t->tree)) {
		return false;
	}
	for (size_t i = 0; i < t->n; i++) {
		if (now[i].lent) {
			vy_json_reword(
				now[i].lent, vy_str_n(s.p + now[i].at, now[i].end - now[i].at));
		}
		t->strings[i].at = now[i].at;
		t->strings[i].end = now[i].end;
	}
	vy_buf_clear(&t->text);
	vy_buf_addstr(&t->text, s);
	return true;
}

struct vy_json *vy_json_twin_parse(struct vy_json_twin *t, struct vy_str text, struct vy_err *e)
{
	struct vy_json *v;

	if (!t->text.max) {
		vy_buf_init(&t->text, VY_JSON_TWIN_TEXT);
	}
	if (reword(t, text)) {
		return vy_json_ref(t->tree);
	}
	v = text.n <= VY_JSON_TWIN_TEXT ? vy_json_parse(text, NULL) : NULL;
	if (v) {
		note(t, text, v);
	}
	return v ? v : vy_json_parse_lenient(text, e);
}
