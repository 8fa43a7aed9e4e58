/* schema.c -- see schema.h.
 *
 * A schema is a tree of small nodes: a list's item, an object's members and a union's
 * alternatives all hang on `first` and are chained by `next`. */
#include "shared/rpc/schema.h"

#include <stdint.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

enum type { ANY, STR, ID, INT, NUM, BOOL, NIL, WORD, OBJ, MAP, LIST, UNION };

struct vy_schema {
	enum type type;
	struct vy_str name; /* as a member of an object */
	bool optional;
	struct vy_str word; /* WORD */
	bool has_min, has_max;
	int64_t min, max;
	struct vy_schema *first, *next;
};

/* `record` and `obj` are objects whose members are told elsewhere. */
static const struct {
	const char *word, *expected, *json; /* json: its name in JSON Schema */
} types[] = {
	[ANY] = { "any", "anything", NULL },
	[STR] = { "str", "a string", "string" },
	[ID] = { "id", "a string", "string" },
	[INT] = { "int", "a whole number", "integer" },
	[NUM] = { "num", "a number", "number" },
	[BOOL] = { "bool", "a boolean", "boolean" },
	[NIL] = { "null", "null", "null" },
	[WORD] = { NULL, "a word", NULL },
	[OBJ] = { NULL, "an object", "object" },
	[MAP] = { "obj", "an object", "object" },
	[LIST] = { NULL, "an array", "array" },
	[UNION] = { NULL, NULL, NULL },
};

/* ---- reading the language ---- */

struct parser {
	struct vy_str text;
	size_t at;
	int depth;
	struct vy_arena *a;
	struct vy_err *e;
	bool failed;
};

static void *bad(struct parser *p, const char *what)
{
	if (!p->failed) {
		vy_fail(p->e, VY_BUG, "schema: %s at byte %zu of %.*s", what, p->at,
			VY_STR_ARG(p->text));
	}
	p->failed = true;
	return NULL;
}

static char peek(struct parser *p)
{
	while (p->at < p->text.n && (p->text.p[p->at] == ' ' || p->text.p[p->at] == '\n')) {
		p->at++;
	}
	return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

static bool eat(struct parser *p, const char *what)
{
	(void)peek(p);
	if (!vy_str_starts(vy_str_from(p->text, p->at), what)) {
		return false;
	}
	p->at += strlen(what);
	return true;
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

static struct vy_str word(struct parser *p)
{
	(void)peek(p);
	size_t from = p->at;

	while (p->at < p->text.n && is_word_char(p->text.p[p->at])) {
		p->at++;
	}
	return vy_str_n(p->text.p + from, p->at - from);
}

static struct vy_schema *node(struct parser *p, enum type type)
{
	struct vy_schema *s = VY_ARENA_NEW(p->a, struct vy_schema);

	s->type = type;
	return s;
}

static struct vy_schema *parse_type(struct parser *p);

static struct vy_schema *parse_list(struct parser *p)
{
	struct vy_schema *s = node(p, LIST);

	s->first = parse_type(p);
	return eat(p, "]") || p->failed ? s : bad(p, "] is missing");
}

static struct vy_schema *parse_member(struct parser *p)
{
	struct vy_str name = word(p);

	if (name.n == 0) {
		return bad(p, "a name is missing");
	}
	bool optional = eat(p, "?");

	if (!eat(p, ":")) {
		return bad(p, ": is missing");
	}
	struct vy_schema *s = parse_type(p);

	if (s) {
		s->name = name;
		s->optional = optional;
	}
	return s;
}

static struct vy_schema *parse_object(struct parser *p)
{
	struct vy_schema *s = node(p, OBJ), **end = &s->first;

	if (eat(p, "...")) {
		s->type = MAP;
		return eat(p, "}") ? s : bad(p, "} is missing");
	}
	if (eat(p, "}")) {
		return s;
	}
	do {
		*end = parse_member(p);
		if (!*end) {
			return NULL;
		}
		end = &(*end)->next;
	} while (eat(p, ","));
	return eat(p, "}") ? s : bad(p, "} is missing");
}

static struct vy_schema *parse_word(struct parser *p)
{
	struct vy_str w = word(p);

	if (w.n == 0) {
		return bad(p, "a type is missing");
	}
	if (vy_str_is(w, "record")) {
		return node(p, MAP);
	}
	for (unsigned t = 0; t < VY_COUNT(types); t++) {
		if (types[t].word && vy_str_is(w, types[t].word)) {
			return node(p, (enum type)t);
		}
	}
	struct vy_schema *s = node(p, WORD);

	s->word = w;
	return s;
}

static bool parse_number(struct parser *p, int64_t *out)
{
	(void)peek(p);
	size_t from = p->at;
	long long n;

	while (p->at < p->text.n && p->text.p[p->at] >= '0' && p->text.p[p->at] <= '9') {
		p->at++;
	}
	if (!vy_parse_i64(vy_str_n(p->text.p + from, p->at - from), &n)) {
		(void)bad(p, "a number is missing");
		return false;
	}
	*out = n;
	return true;
}

/* One type with its bounds, without alternatives. */
static struct vy_schema *parse_one(struct parser *p)
{
	struct vy_schema *s = eat(p, "{")   ? parse_object(p)
			      : eat(p, "[") ? parse_list(p)
					    : parse_word(p);

	if (s && eat(p, ">=")) {
		s->has_min = parse_number(p, &s->min);
	}
	if (s && eat(p, "<=")) {
		s->has_max = parse_number(p, &s->max);
	}
	return p->failed ? NULL : s;
}

static struct vy_schema *parse_type(struct parser *p)
{
	if (++p->depth > VY_JSON_DEPTH) {
		return bad(p, "too many levels");
	}
	struct vy_schema *s = parse_one(p);

	if (s && peek(p) == '|') {
		struct vy_schema *u = node(p, UNION), *last = s;

		u->first = s;
		while (last && eat(p, "|")) {
			last->next = parse_one(p);
			last = last->next;
		}
		s = u;
	}
	p->depth--;
	return p->failed ? NULL : s;
}

const struct vy_schema *vy_schema_parse(struct vy_str text, struct vy_arena *a, struct vy_err *e)
{
	struct parser p = { .text = text, .a = a, .e = e };
	struct vy_schema *s = parse_type(&p);

	if (s && peek(&p)) {
		return bad(&p, "more than one type");
	}
	return s;
}

/* ---- checking ---- */

struct checker {
	struct vy_err *e;
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

static bool fits_type(enum type t, const struct vy_json *v)
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
		return types[s->type].expected;
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
	return 0;
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
	case ANY:
	case BOOL:
	case NIL:
	case MAP:
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

/* ---- as JSON Schema ---- */

static void write_bounds(
	const struct vy_schema *s, struct vy_jw *w, const char *least, const char *most)
{
	if (s->has_min) {
		vy_jw_kint(w, least, s->min);
	}
	if (s->has_max) {
		vy_jw_kint(w, most, s->max);
	}
}

static bool all_words(const struct vy_schema *s)
{
	for (const struct vy_schema *o = s->first; o; o = o->next) {
		if (o->type != WORD) {
			return false;
		}
	}
	return true;
}

static void write_union(const struct vy_schema *s, struct vy_jw *w)
{
	bool words = all_words(s);

	vy_jw_key(w, words ? "enum" : "anyOf");
	vy_jw_arr(w);
	for (const struct vy_schema *o = s->first; o; o = o->next) {
		if (words) {
			vy_jw_str(w, o->word);
		} else {
			vy_schema_write(o, w);
		}
	}
	vy_jw_end_arr(w);
}

static void write_members(const struct vy_schema *s, struct vy_jw *w)
{
	vy_jw_key(w, "properties");
	vy_jw_obj(w);
	for (const struct vy_schema *m = s->first; m; m = m->next) {
		char key[VY_ID_MAX];

		snprintf(key, sizeof(key), "%.*s", VY_STR_ARG(m->name));
		vy_jw_key(w, key);
		vy_schema_write(m, w);
	}
	vy_jw_end_obj(w);
	vy_jw_key(w, "required");
	vy_jw_arr(w);
	for (const struct vy_schema *m = s->first; m; m = m->next) {
		if (!m->optional) {
			vy_jw_str(w, m->name);
		}
	}
	vy_jw_end_arr(w);
}

void vy_schema_write(const struct vy_schema *s, struct vy_jw *w)
{
	vy_jw_obj(w);
	if (types[s->type].json) {
		vy_jw_kstr(w, "type", vy_str_c(types[s->type].json));
	}
	switch (s->type) {
	case STR: write_bounds(s, w, "minLength", "maxLength"); break;
	case ID:
		vy_jw_kint(w, "minLength", 1);
		vy_jw_kint(w, "maxLength", VY_ID_MAX);
		break;
	case INT:
	case NUM: write_bounds(s, w, "minimum", "maximum"); break;
	case WORD: vy_jw_kstr(w, "const", s->word); break;
	case OBJ: write_members(s, w); break;
	case LIST:
		write_bounds(s, w, "minItems", "maxItems");
		vy_jw_key(w, "items");
		vy_schema_write(s->first, w);
		break;
	case UNION: write_union(s, w); break;
	case ANY:
	case BOOL:
	case NIL:
	case MAP: break;
	}
	vy_jw_end_obj(w);
}
