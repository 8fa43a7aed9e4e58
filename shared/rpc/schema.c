/* schema.c -- see schema.h: reading the language. */
#include "shared/rpc/schema.h"

#include "shared/base/limits.h"
#include "shared/rpc/schema_in.h"
#include "shared/base/ban.h"

const struct vy_schema_word vy_schema_words[] = {
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

/* types.def: what has a name of its own. */
static const struct {
	const char *name, *text;
} named[] = {
#define VY_RPC_TYPE(name, text) { name, text },
#include "shared/rpc/types.def"
#undef VY_RPC_TYPE
};

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

static struct vy_schema *node(struct parser *p, enum vy_schema_type type)
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
		if (eat(p, ":")) {
			s->first = parse_type(p);
		}
		return p->failed || eat(p, "}") ? s : bad(p, "} is missing");
	}
	if (eat(p, "}")) {
		return s;
	}
	do {
		if (eat(p, "...")) {
			s->is_open = true;
			break;
		}
		*end = parse_member(p);
		if (!*end) {
			return NULL;
		}
		end = &(*end)->next;
	} while (eat(p, ","));
	return eat(p, "}") ? s : bad(p, "} is missing");
}

/* A text of our own table, read in its place; deeper by one, so that none can hold itself. */
static struct vy_schema *parse_named(struct parser *p, const char *text)
{
	struct parser inner = { .text = vy_str_c(text), .depth = p->depth, .a = p->a, .e = p->e };
	struct vy_schema *s = parse_type(&inner);

	if (s && peek(&inner)) {
		s = bad(&inner, "more than one type");
	}
	p->failed |= inner.failed;
	return s;
}

static struct vy_schema *parse_word(struct parser *p)
{
	struct vy_str w = word(p);

	if (w.n == 0) {
		return bad(p, "a type is missing");
	}
	for (size_t i = 0; i < VY_COUNT(named); i++) {
		if (vy_str_is(w, named[i].name)) {
			return parse_named(p, named[i].text);
		}
	}
	for (unsigned t = 0; t < VY_COUNT(vy_schema_words); t++) {
		if (vy_schema_words[t].word && vy_str_is(w, vy_schema_words[t].word)) {
			return node(p, (enum vy_schema_type)t);
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
