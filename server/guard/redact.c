/* redact.c -- see redact.h. What begins a word is held against the table of shapes, then against what
 * has more shape than a row: a JWT, a key block, a name with its value, a login in a URL. */
#include "server/guard/redact.h"

#include <stdint.h>
#include <string.h>

#include "server/guard/redact_in.h"
#include "shared/base/ban.h"

#define JWT_PART  8
#define GROWN_MAX (2 * 1024)

/* ---- shapes ---- */

size_t redact_run(struct vy_str s, size_t at, enum guard_alphabet alphabet, size_t most)
{
	size_t n = 0;

	while (n < most && at + n < s.n && guard_is_in(alphabet, s.p[at + n])) {
		n++;
	}
	return n;
}

static bool begins(struct vy_str s, size_t at, const char *what)
{
	return vy_str_starts(vy_str_from(s, at), what);
}

static bool is_of_word(char ch)
{
	return guard_is_in(GUARD_ALNUM, ch) || ch == '_';
}

static bool has_digit(struct vy_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] >= '0' && s.p[i] <= '9') {
			return true;
		}
	}
	return false;
}

static bool fits(const struct guard_shape *g, const struct redact_text *t, size_t from, size_t n)
{
	bool is_open = from + n == t->s.n && t->is_cut;

	if (n == 0 || (g->max && n > g->max) || (n < g->min && !is_open)) {
		return false;
	}
	if (n < REDACT_LOOK && from + n < t->s.n && is_of_word(t->s.p[from + n])) {
		return false;
	}
	return is_open || !(g->flags & GUARD_DIGIT) || has_digit(vy_str_n(t->s.p + from, n));
}

static bool is_one_word(const struct guard_shape *g)
{
	return !(g->flags & GUARD_KEEP) && g->alphabet != GUARD_BASE64 &&
	       g->alphabet != GUARD_PATH && g->alphabet != GUARD_TOKEN;
}

/* The first row whose prefix begins with that character, or a later one. */
static const struct guard_shape *first_row(char ch)
{
	size_t low = 0, high = guard_n_shapes;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (guard_shapes[middle].prefix[0] < ch) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return &guard_shapes[low];
}

static bool find_shape(const struct redact_text *t, size_t at, struct redact_find *f)
{
	char ch = t->s.p[at], second = at + 1 < t->s.n ? t->s.p[at + 1] : '\0';

	for (const struct guard_shape *g = first_row(ch); g->name && g->prefix[0] == ch; g++) {
		if (g->prefix[1] != second || (t->is_of_ask && !is_one_word(g)) ||
			!begins(t->s, at, g->prefix)) {
			continue;
		}
		size_t p = strlen(g->prefix);
		size_t n = redact_run(t->s, at + p, g->alphabet, REDACT_LOOK);

		if (fits(g, t, at + p, n)) {
			bool is_kept = g->flags & GUARD_KEEP;

			n += redact_run(t->s, at + p + n, g->alphabet, SIZE_MAX);

			*f = (struct redact_find){ g->name, is_kept ? p : 0, is_kept ? n : p + n };
			return true;
		}
	}
	return false;
}

/* ---- what has more shape ---- */

static bool is_hex(char ch)
{
	return guard_is_in(GUARD_HEX, ch) || (ch >= 'A' && ch <= 'F');
}

/* What stands before a word though it looks like a part of it: the end of a colour's sequence, an
 * escaped line end, a percent code. */
static bool is_behind_an_escape(struct vy_str s, size_t at)
{
	size_t i = at - 1;

	if (at >= 2 && s.p[at - 2] == '\\' && strchr("nrt", s.p[i])) {
		return true;
	}
	if (at >= 3 && s.p[at - 3] == '%' && is_hex(s.p[at - 2]) && is_hex(s.p[i])) {
		return true;
	}
	while (s.p[i] == 'm' && i > 0 && at - i < 24) {
		size_t k = i;

		while (k > 0 && ((s.p[k - 1] >= '0' && s.p[k - 1] <= '9') || s.p[k - 1] == ';' ||
					s.p[k - 1] == ':')) {
			k--;
		}
		return k >= 2 && s.p[k - 1] == '[' && s.p[k - 2] == '\033';
	}
	return false;
}

/* Three runs of base64url joined by dots, the first of which begins a JSON object. */
static bool find_jwt(const struct redact_text *t, size_t at, struct redact_find *f)
{
	struct vy_str s = t->s;

	if (!begins(s, at, "eyJ") ||
		(at > 0 && guard_is_in(GUARD_DASHED, s.p[at - 1]) && !is_behind_an_escape(s, at))) {
		return false;
	}
	size_t n = redact_run(s, at, GUARD_URL, SIZE_MAX), parts = 1;

	while (parts < 3 && n >= JWT_PART && at + n < s.n && s.p[at + n] == '.') {
		size_t more = redact_run(s, at + n + 1, GUARD_URL, SIZE_MAX);

		if (more < JWT_PART && !(t->is_cut && at + n + 1 + more == s.n)) {
			return false;
		}
		n += 1 + more;
		parts++;
	}
	*f = (struct redact_find){ "token", 0, n };
	return parts == 3 || (t->is_cut && at + n == s.n && n >= JWT_PART);
}

/* Where the line with `mark` begins and `end` is found ends; 0: it is no such line. */
static size_t mark_line(struct vy_str s, size_t at, const char *begin)
{
	static const char *const marks[] = { "PRIVATE KEY-----", "PRIVATE KEY BLOCK-----" };

	if (!begins(s, at, begin)) {
		return 0;
	}
	/* "RSA ", "OPENSSH ", "PGP ", or nothing */
	for (size_t i = at + strlen(begin); i < s.n; i++) {
		for (size_t k = 0; k < VY_COUNT(marks); k++) {
			if (begins(s, i, marks[k])) {
				return i + strlen(marks[k]);
			}
		}
		if (s.p[i] != ' ' && !guard_is_in(GUARD_UPPER, s.p[i])) {
			break;
		}
	}
	return 0;
}

static bool find_block(const struct redact_text *t, size_t at, struct redact_find *f)
{
	size_t i = mark_line(t->s, at, "-----BEGIN "), end = 0;

	if (i == 0) {
		return false;
	}
	while (i < t->s.n && (end = mark_line(t->s, i, "-----END ")) == 0) {
		i++;
	}
	*f = (struct redact_find){ "private key", 0, (end ? end : t->s.n) - at };
	return true;
}

/* ---- words ---- */

static bool find_at(const struct redact_text *t, size_t at, struct redact_find *f)
{
	char ch = t->s.p[at];
	bool is_in_word = at > 0 && is_of_word(t->s.p[at - 1]) && is_of_word(ch);

	if (is_in_word && !is_behind_an_escape(t->s, at)) {
		return false;
	}
	if (t->is_of_ask) {
		return is_of_word(ch) && (find_shape(t, at, f) || find_jwt(t, at, f));
	}
	switch (ch) {
	case ':': return redact_login(t, at, f);
	case '-': return find_block(t, at, f);
	case '&': return find_shape(t, at, f);
	default:
		return is_of_word(ch) &&
		       (find_shape(t, at, f) || find_jwt(t, at, f) || redact_named(t, at, f));
	}
}

/* ---- the doors ---- */

static void redact_from(const struct redact_text *t, size_t from, size_t at, struct vy_buf *out);

/* What is kept of a find may hold another: the user before a password is a token, sometimes. */
static void keep(const struct redact_text *t, size_t from, size_t at, size_t n, struct vy_buf *out)
{
	struct redact_text kept = *t;

	kept.s.n = at + n;
	kept.is_cut = false;
	redact_from(&kept, from, n ? at + 1 : at, out);
}

/* Adds what stands from `from` on, having looked at all before `at`. */
static void redact_from(const struct redact_text *t, size_t from, size_t at, struct vy_buf *out)
{
	struct redact_find f;

	while (at < t->s.n) {
		if (!find_at(t, at, &f)) {
			at++;
			continue;
		}
		keep(t, from, at, f.keep, out);
		vy_buf_addf(out, "[redacted: %s]", f.name);
		at += f.keep + f.hide;
		from = at;
	}
	if (from < t->s.n) {
		vy_buf_add(out, t->s.p + from, t->s.n - from);
	}
}

static bool redact(const struct redact_text *t, struct vy_buf *out)
{
	redact_from(t, 0, 0, out);
	return !vy_buf_is_over(out);
}

bool guard_redact(struct vy_str in, struct vy_buf *out)
{
	return redact(&(struct redact_text){ .s = in }, out);
}

bool guard_redact_cut(struct vy_str in, struct vy_buf *out)
{
	return redact(&(struct redact_text){ .s = in, .is_cut = true }, out);
}

bool guard_has_secret(struct vy_str in)
{
	struct redact_text t = { .s = in };
	struct redact_find f;

	for (size_t i = 0; i < in.n; i++) {
		if (find_at(&t, i, &f)) {
			return true;
		}
	}
	return false;
}

/* ---- lines ---- */

static bool holds(struct vy_str s, const char *what)
{
	return s.n && memmem(s.p, s.n, what, strlen(what));
}

/* A key stands on many lines, and lines come one by one. */
static bool is_of_a_key(bool *in_key, struct vy_str line)
{
	bool was_in = *in_key;

	if (holds(line, "PRIVATE KEY-----") || holds(line, "PRIVATE KEY BLOCK-----")) {
		*in_key = holds(line, "-----BEGIN ") && !holds(line, "-----END ");
	}
	return was_in;
}

bool guard_redact_line(bool *in_key, struct vy_str line, bool is_cut, struct vy_buf *out)
{
	if (is_of_a_key(in_key, line)) {
		return false;
	}
	redact(&(struct redact_text){ .s = line, .is_cut = is_cut }, out);
	return true;
}

/* ---- values ---- */

static struct vy_json *shorter(struct vy_str was, struct vy_buf *now)
{
	size_t max = was.n > GROWN_MAX ? was.n : GROWN_MAX;

	if (now->len > max) {
		while (max > 0 && ((unsigned char)now->data[max] & 0xC0) == 0x80) {
			max--;
		}
		vy_buf_truncate(now, max);
	}
	return vy_json_new_str(vy_buf_str(now));
}

/* The string without its secrets; NULL: it has none. What is as long as a cut one may be one. */
static struct vy_json *redacted(bool *in_key, bool is_of_ask, const struct vy_json *v)
{
	struct vy_str s = vy_json_strval(v);
	VY_AUTO_BUF out = VY_BUF_INIT(s.n * 32 + 64);
	struct redact_text t = { .s = s, .is_cut = s.n >= 400, .is_of_ask = is_of_ask };

	if (in_key && !is_of_ask && is_of_a_key(in_key, s)) {
		return vy_json_new_str(vy_str_n("", 0));
	}
	redact(&t, &out);
	return vy_str_eq(s, vy_buf_str(&out)) ? NULL : shorter(s, &out);
}

static void redact_value(struct vy_json *v, bool is_of_ask);

static void redact_array(struct vy_json *arr, bool is_of_ask)
{
	bool in_key = false;

	for (size_t i = 0; i < vy_json_len(arr); i++) {
		struct vy_json *item = vy_json_at(arr, i), *clean;

		if (vy_json_type(item) != VY_JSON_STR) {
			redact_value(item, is_of_ask);
		} else if ((clean = redacted(&in_key, is_of_ask, item))) {
			vy_json_del_at(arr, i);
			vy_json_insert_take(arr, i, clean);
		}
	}
}

static void redact_value(struct vy_json *v, bool is_of_ask)
{
	struct vy_json *value, *clean;
	const char *key;

	if (vy_json_type(v) == VY_JSON_ARR) {
		redact_array(v, is_of_ask);
		return;
	}
	if (vy_json_type(v) != VY_JSON_OBJ) {
		return;
	}
	VY_JSON_EACH (v, key, value) {
		if (vy_json_type(value) != VY_JSON_STR) {
			redact_value(value, is_of_ask);
		} else if ((clean = redacted(NULL, is_of_ask, value))) {
			vy_json_take(v, key, clean);
		}
	}
}

void guard_redact_json(struct vy_json *v)
{
	redact_value(v, false);
}

void guard_redact_ask(struct vy_json *v)
{
	redact_value(v, true);
}
