/* schema_check.c -- see schema.h: does a value look as it must? */
#include "shared/base/limits.h"
#include "shared/rpc/schema.h"
#include "shared/rpc/schema_in.h"
#include "shared/base/ban.h"

struct checker {
	struct vy_err *e;
	bool is_whole;  /* nothing may stand there that the schema does not name */
	char path[256]; /* "params.images[2].ref" */
	size_t len;
};

static int check(struct checker *c, const struct vy_schema *s, const struct vy_json *v);

/* Adds to the path; one that is too long for a person ends in dots. Gives the length before. */
static size_t go_down(struct checker *c, struct vy_str step)
{
	size_t before = c->len, room = sizeof(c->path) - c->len;

	size_t n = step.n < room ? step.n : room - 1;

	memcpy(c->path + c->len, step.p, n);
	c->len += n;
	c->path[c->len] = '\0';
	if (n < step.n) {
		memcpy(c->path + sizeof(c->path) - 4, "...", 4);
	}
	return before;
}

static void go_up(struct checker *c, size_t before)
{
	c->len = before;
	c->path[before] = '\0';
}

static bool fits_type(enum vy_schema_type t, const struct vy_json *v)
{
	enum vy_json_type j = vy_json_type(v);

	switch (t) {
	case ANY: return j != VY_JSON_NONE;
	case STR:
	case ID:
	case WORD: return j == VY_JSON_STR;
	case INT: return j == VY_JSON_INT;
	case NUM: return j == VY_JSON_INT || j == VY_JSON_REAL;
	case BOOL: return j == VY_JSON_BOOL;
	case NIL: return j == VY_JSON_NULL;
	case OBJ:
	case MAP: return j == VY_JSON_OBJ;
	case LIST: return j == VY_JSON_ARR;
	case UNION: break;
	}
	return false;
}

/* "steer, queue or now"; "a boolean or an object" */
static const char *expected(const struct vy_schema *s, char *buf, size_t room)
{
	size_t len = 0;

	if (s->type == WORD) {
		snprintf(buf, room, "%.*s", VY_STR_ARG(s->word));
		return buf;
	}
	if (s->type != UNION) {
		return vy_schema_words[s->type].expected;
	}
	for (const struct vy_schema *o = s->first; o && len < room; o = o->next) {
		char one[64];
		int n = snprintf(buf + len, room - len, "%s%s",
			o == s->first ? ""
			: o->next     ? ", "
				      : " or ",
			expected(o, one, sizeof(one)));

		len += n > 0 ? (size_t)n : 0;
	}
	return buf;
}

static int wrong_type(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	char buf[200];
	enum vy_json_type j = vy_json_type(v);
	const char *want = expected(s, buf, sizeof(buf));
	struct vy_str got = vy_json_strval(v);

	if (j == VY_JSON_STR && (s->type == WORD || s->type == UNION)) {
		return vy_fail(c->e, VY_BAD_INPUT, "%s: expected %s, got \"%.*s\"", c->path, want,
			(int)(got.n > 40 ? 40 : got.n), got.n ? got.p : "");
	}
	/* an INT that got 1.5 is told "a number": that a whole one was expected says the rest */
	return vy_fail(c->e, VY_BAD_INPUT, "%s: expected %s, got %s", c->path, want,
		j == VY_JSON_INT ? "a number" : vy_json_type_name(j));
}

static int check_size(struct checker *c, const struct vy_schema *s, size_t n, const char *of)
{
	if (s->has_max && n > (uint64_t)s->max) {
		return vy_fail(c->e, VY_BAD_INPUT, "%s: %zu %s, at most %lld are allowed", c->path,
			n, of, (long long)s->max);
	}
	if (s->has_min && n < (uint64_t)s->min) {
		return vy_fail(c->e, VY_BAD_INPUT, "%s: %zu %s, at least %lld are needed", c->path,
			n, of, (long long)s->min);
	}
	return 0;
}

static int check_id(struct checker *c, struct vy_str id)
{
	if (id.n == 0) {
		return vy_fail(c->e, VY_BAD_INPUT, "%s: is empty", c->path);
	}
	return id.n <= VY_ID_MAX
		       ? 0
		       : vy_fail(c->e, VY_BAD_INPUT, "%s: %zu bytes, at most %d are allowed",
				 c->path, id.n, VY_ID_MAX);
}

static int check_number(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	bool whole = vy_json_type(v) == VY_JSON_INT;
	int64_t i = vy_json_intval(v, 0);
	double d = vy_json_numval(v, 0);

	if (s->has_min && (whole ? i < s->min : d < (double)s->min)) {
		return vy_fail(c->e, VY_BAD_INPUT, "%s: must be at least %lld", c->path,
			(long long)s->min);
	}
	if (s->has_max && (whole ? i > s->max : d > (double)s->max)) {
		return vy_fail(
			c->e, VY_BAD_INPUT, "%s: must be at most %lld", c->path, (long long)s->max);
	}
	return 0;
}

static bool has_member(const struct vy_schema *s, const char *key)
{
	for (const struct vy_schema *m = s->first; m; m = m->next) {
		if (vy_str_is(m->name, key)) {
			return true;
		}
	}
	return false;
}

static int check_strangers(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (v, key, value) {
		if (!has_member(s, key)) {
			return vy_fail(c->e, VY_BUG, "%s.%s: is not in the schema", c->path, key);
		}
	}
	return 0;
}

static int check_values(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	const char *key;
	struct vy_json *value;

	VY_JSON_EACH (v, key, value) {
		size_t before = go_down(c, VY_STR_LIT("."));

		(void)go_down(c, vy_str_c(key));
		if (check(c, s->first, value) < 0) {
			return -1;
		}
		go_up(c, before);
	}
	return 0;
}

static int check_members(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	for (const struct vy_schema *m = s->first; m; m = m->next) {
		char key[VY_ID_MAX];

		snprintf(key, sizeof(key), "%.*s", VY_STR_ARG(m->name));
		const struct vy_json *value = vy_json_get(v, key);
		enum vy_json_type j = vy_json_type(value);

		if (m->optional && (j == VY_JSON_NONE || j == VY_JSON_NULL)) {
			continue;
		}
		size_t before = go_down(c, VY_STR_LIT("."));

		(void)go_down(c, m->name);

		if (j == VY_JSON_NONE) {
			return vy_fail(c->e, VY_BAD_INPUT, "%s is missing", c->path);
		}
		if (check(c, m, value) < 0) {
			return -1;
		}
		go_up(c, before);
	}
	return c->is_whole && !s->is_open ? check_strangers(c, s, v) : 0;
}

static int check_items(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	size_t n = vy_json_len(v);

	if (check_size(c, s, n, "items") < 0) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		char step[32];

		snprintf(step, sizeof(step), "[%zu]", i);
		size_t before = go_down(c, vy_str_c(step));

		if (check(c, s->first, vy_json_at(v, i)) < 0) {
			return -1;
		}
		go_up(c, before);
	}
	return 0;
}

/* The first alternative of the value's own type has the word; words are tried one by one. */
static int check_union(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	for (const struct vy_schema *o = s->first; o; o = o->next) {
		if (o->type == WORD ? vy_str_eq(vy_json_strval(v), o->word) && fits_type(WORD, v)
				    : fits_type(o->type, v)) {
			return check(c, o, v);
		}
	}
	return wrong_type(c, s, v);
}

static int check(struct checker *c, const struct vy_schema *s, const struct vy_json *v)
{
	if (s->type == UNION) {
		return check_union(c, s, v);
	}
	if (!fits_type(s->type, v)) {
		return wrong_type(c, s, v);
	}
	switch (s->type) {
	case STR: return check_size(c, s, vy_json_strval(v).n, "bytes");
	case ID: return check_id(c, vy_json_strval(v));
	case INT:
	case NUM: return check_number(c, s, v);
	case WORD: return vy_str_eq(vy_json_strval(v), s->word) ? 0 : wrong_type(c, s, v);
	case OBJ: return check_members(c, s, v);
	case LIST: return check_items(c, s, v);
	case MAP: return s->first ? check_values(c, s, v) : 0;
	case ANY:
	case BOOL:
	case NIL:
	case UNION: break;
	}
	return 0;
}

int vy_schema_check(
	const struct vy_schema *s, const struct vy_json *v, const char *where, struct vy_err *e)
{
	struct checker c = { .e = e };

	(void)go_down(&c, vy_str_c(where));
	return check(&c, s, v);
}

int vy_schema_check_whole(
	const struct vy_schema *s, const struct vy_json *v, const char *where, struct vy_err *e)
{
	struct checker c = { .e = e, .is_whole = true };

	(void)go_down(&c, vy_str_c(where));
	return check(&c, s, v);
}
