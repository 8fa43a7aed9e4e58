/* endpoints.c -- see endpoints.h. */
#include "server/wire/endpoints.h"

#include "server/hub/place.h"
#include "server/wire/target.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const struct endpoint rows[] = {
	{
		.path = "/v1/stream", /* upgraded it is the control WebSocket (talk.h) */
		.method = "control.subscribe",
		.forms = ENDPOINT_SSE,
		.args = { { "since", ENDPOINT_CURSOR } },
		.place = "since",
	},
	{
		.path = "/v1/sessions/{session}/messages/{message}/stream",
		.method = "session.messageGeneration.subscribe",
		.forms = ENDPOINT_SSE,
		.args = { { "after", ENDPOINT_TEXT } },
		.place = "after",
		.is_ahead = place_is_ahead,
	},
	{
		.path = "/v1/sessions/{session}/follow",
		.method = "session.follow",
		.forms = ENDPOINT_SSE | ENDPOINT_WS,
		.args = { { "from", ENDPOINT_CURSOR }, { "attempts", ENDPOINT_FLAG },
			{ "epoch", ENDPOINT_TEXT } },
		.place = "from",
	},
	{
		.path = "/v1/sessions/{session}/ui-stream",
		.method = "session.ui.subscribe",
		.forms = ENDPOINT_SSE | ENDPOINT_WS,
	},
	{
		.path = "/v1/sessions/{session}/observe",
		.method = "session.observe.subscribe",
		.forms = ENDPOINT_SSE | ENDPOINT_WS | ENDPOINT_PAGE,
		.args = { { "after", ENDPOINT_CURSOR }, { "view", ENDPOINT_TEXT } },
		.place = "after",
	},
};

const struct endpoint *endpoint_at(size_t i)
{
	return i < VY_COUNT(rows) ? &rows[i] : NULL;
}

/* ---- paths ---- */

/* Up to the next slash; what is no byte of an id matches nothing. */
static struct vy_str part_of(struct vy_str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] != '/') {
		if ((unsigned char)s.p[n] <= ' ' || s.p[n] == 0x7f) {
			return vy_str_n(NULL, 0);
		}
		n++;
	}
	return n <= VY_ID_MAX ? vy_str_n(s.p, n) : vy_str_n(NULL, 0);
}

static bool matches(const char *pattern, struct vy_str path, struct vy_str *parts)
{
	size_t n = 0;

	while (*pattern && path.n) {
		if (*pattern != '{') {
			if (*pattern++ != path.p[0]) {
				return false;
			}
			path = vy_str_from(path, 1);
			continue;
		}
		struct vy_str part = part_of(path);

		if (part.n == 0) {
			return false;
		}
		vy_assert(n < ENDPOINT_PARTS);
		parts[n++] = part;
		path = vy_str_from(path, part.n);
		pattern = strchr(pattern, '}') + 1;
	}
	return !*pattern && path.n == 0;
}

const struct endpoint *endpoint_find(struct vy_str path, struct vy_str parts[ENDPOINT_PARTS])
{
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		if (matches(rows[i].path, path, parts)) {
			return &rows[i];
		}
	}
	return NULL;
}

/* ---- params ---- */

static const struct endpoint_arg *arg_named(const struct endpoint *at, struct vy_str name)
{
	for (size_t i = 0; i < ENDPOINT_ARGS && at->args[i].name; i++) {
		if (vy_str_is(name, at->args[i].name)) {
			return &at->args[i];
		}
	}
	return NULL;
}

/* `what`: how a sentence calls it. */
static int set(struct vy_json *o, const struct endpoint_arg *arg, const char *what,
	struct vy_str value, struct vy_err *e)
{
	int64_t n;

	switch (arg->kind) {
	case ENDPOINT_CURSOR:
		if (target_cursor(value, what, &n, e) != 0) {
			return -1;
		}
		vy_json_set_int(o, arg->name, n);
		return 0;
	case ENDPOINT_FLAG:
		if (!vy_str_is(value, "1") && !vy_str_is(value, "0")) {
			return vy_fail(e, VY_BAD_INPUT, "%s: expected 1 or 0", what);
		}
		vy_json_set_bool(o, arg->name, vy_str_is(value, "1"));
		return 0;
	case ENDPOINT_TEXT:
	default: vy_json_set_str(o, arg->name, value); return 0;
	}
}

static bool is_ahead(const struct endpoint *at, const struct endpoint_arg *arg,
	const struct vy_json *was, const struct vy_json *is)
{
	if (!was) {
		return true;
	}
	if (arg->kind == ENDPOINT_CURSOR) {
		return vy_json_intval(is, 0) > vy_json_intval(was, 0);
	}
	return !at->is_ahead || at->is_ahead(vy_json_strval(is), vy_json_strval(was));
}

/* The header is the same place in another hand: the one that is further on counts. */
static int set_last(
	struct vy_json *o, const struct endpoint *at, struct vy_str last, struct vy_err *e)
{
	const struct endpoint_arg *arg = at->place ? arg_named(at, vy_str_c(at->place)) : NULL;
	VY_AUTO_JSON *said = vy_json_new_obj();

	if (!arg || last.n == 0) {
		return 0;
	}
	if (set(said, arg, "Last-Event-ID", last, e) != 0) {
		return -1;
	}
	struct vy_json *is = vy_json_get(said, arg->name);

	if (is_ahead(at, arg, vy_json_get(o, arg->name), is)) {
		vy_json_set(o, arg->name, is);
	}
	return 0;
}

static void set_parts(struct vy_json *o, const char *pattern, const struct vy_str *parts)
{
	while ((pattern = strchr(pattern, '{'))) {
		const char *end = strchr(++pattern, '}');
		char name[32];

		vy_assert((size_t)(end - pattern) < sizeof(name));
		memcpy(name, pattern, (size_t)(end - pattern));
		name[end - pattern] = '\0';
		vy_json_set_str(o, name, *parts++);
		pattern = end;
	}
}

struct vy_json *endpoint_params(const struct endpoint *at, const struct vy_str *parts,
	const struct vy_str *args, size_t n, struct vy_str last, struct vy_err *e)
{
	struct vy_json *o = vy_json_new_obj();

	set_parts(o, at->path, parts);
	for (size_t i = 0; i < n; i++) {
		const char *eq = args[i].n ? memchr(args[i].p, '=', args[i].n) : NULL;
		struct vy_str name = vy_str_n(args[i].p, eq ? (size_t)(eq - args[i].p) : args[i].n);
		struct vy_str value = vy_str_from(args[i], name.n + 1);
		const struct endpoint_arg *arg = arg_named(at, name);

		if (arg && set(o, arg, arg->name, value, e) != 0) {
			vy_json_free(o);
			return NULL;
		}
	}
	if (set_last(o, at, last, e) != 0) {
		vy_json_free(o);
		return NULL;
	}
	return o;
}
