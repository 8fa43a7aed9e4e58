/* match.c -- see match.h. */
#include "tests/play/match.h"

#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/ban.h"

const struct vy_json *match_path(const struct vy_json *v, struct vy_str path)
{
	while (path.n && v) {
		const char *dot = memchr(path.p, '.', path.n);
		struct vy_str step = vy_str_n(path.p, dot ? (size_t)(dot - path.p) : path.n);
		char name[256];
		long long i;

		if (step.n >= sizeof(name)) {
			return NULL;
		}
		memcpy(name, step.p, step.n);
		name[step.n] = '\0';
		v = vy_parse_i64(step, &i) && i >= 0 ? vy_json_at(v, (size_t)i)
						     : vy_json_get(v, name);
		path = vy_str_from(path, step.n + 1);
	}
	return v;
}

void match_text(const struct vy_json *v, struct vy_buf *out)
{
	if (vy_json_type(v) == VY_JSON_STR) {
		vy_buf_addstr(out, vy_json_strval(v));
	} else if (v) {
		vy_json_dump_canonical(v, out);
	}
}

static const char *const operators[] = { "!=", "!~", ">=", "<=", "=", "~", "?", "!" };

/* Where the path ends; the operator begins there. */
static const char *operator_of(const char *fact, const char **op)
{
	for (const char *p = fact; *p; p++) {
		for (size_t i = 0; i < VY_COUNT(operators); i++) {
			if (strncmp(p, operators[i], strlen(operators[i])) == 0) {
				*op = operators[i];
				return p;
			}
		}
	}
	return NULL;
}

static bool compares(struct vy_str have, const char *op, struct vy_str want)
{
	bool is_in = want.n == 0 || (have.n && memmem(have.p, have.n, want.p, want.n));
	long long a = 0, b = 0;

	if (strcmp(op, "=") == 0 || strcmp(op, "!=") == 0) {
		return vy_str_eq(have, want) == (*op == '=');
	}
	if (strcmp(op, "~") == 0 || strcmp(op, "!~") == 0) {
		return is_in == (*op == '~');
	}
	if (!vy_parse_i64(have, &a) || !vy_parse_i64(want, &b)) {
		return false;
	}
	return *op == '>' ? a >= b : a <= b;
}

bool match_fact(const struct vy_json *v, const char *fact, struct vy_buf *why)
{
	const char *op = NULL, *at = operator_of(fact, &op);
	VY_AUTO_BUF have = VY_BUF_INIT(64 * VY_MIB);

	if (!at) {
		vy_buf_addf(why, "\"%s\" is no fact: PATH OPERATOR VALUE", fact);
		return false;
	}
	struct vy_str path = vy_str_n(fact, (size_t)(at - fact)), want = vy_str_c(at + strlen(op));
	bool is_length = path.n && path.p[path.n - 1] == '#', holds;

	path.n -= is_length;
	if (path.n && path.p[0] == '.') {
		path = vy_str_from(path, 1);
	} else {
		v = vy_json_get(v, "data");
	}
	v = match_path(v, path);
	if (is_length) {
		vy_buf_addf(&have, "%zu", vy_json_len(v));
	} else {
		match_text(v, &have);
	}
	if (*op == '?') {
		holds = v != NULL;
	} else if (strcmp(op, "!") == 0) {
		holds = v == NULL;
	} else {
		holds = compares(vy_buf_str(&have), op, want);
	}
	if (!holds) {
		vy_buf_addf(why, "%s: it is %s%.600s", fact, v ? "" : "not there", vy_buf_c(&have));
	}
	return holds;
}
