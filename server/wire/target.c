/* target.c -- see target.h. */
#include "server/wire/target.h"

#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

int target_cursor(struct vy_str s, const char *what, int64_t *out, struct vy_err *e)
{
	long long n = -1;
	bool is_number = s.n > 0 && s.p[0] >= '0' && s.p[0] <= '9' && vy_parse_i64(s, &n);

	if (!is_number || n < 0) {
		return vy_fail(e, VY_BAD_INPUT,
			"%s: expected a cursor (0, or the number of the last frame you hold), got "
			"\"%.*s\"",
			what, (int)(s.n < 40 ? s.n : 40), s.n ? s.p : "");
	}
	*out = n;
	return 0;
}

static bool is_id(struct vy_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    c == '-' || c == '_')) {
			return false;
		}
	}
	return s.n > 0;
}

static bool id_of(struct vy_str path, struct vy_str before, const char *behind, struct target *out)
{
	size_t around = before.n + strlen(behind);
	struct vy_str id;

	if (!path.p || path.n <= around || !vy_str_eq(vy_str_n(path.p, before.n), before) ||
		!vy_str_is(vy_str_from(path, path.n - strlen(behind)), behind)) {
		return false;
	}
	id = vy_str_n(path.p + before.n, path.n - around);
	if (id.n >= sizeof(out->session) || !is_id(id)) {
		return false;
	}
	memcpy(out->session, id.p, id.n);
	out->session[id.n] = '\0';
	return true;
}

static int stream_args(const struct vy_str *args, size_t n, struct target *out, struct vy_err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (vy_str_starts(args[i], "ticket=")) {
			out->ticket = vy_str_from(args[i], strlen("ticket="));
		} else if (vy_str_starts(args[i], "from=")) {
			if (target_cursor(vy_str_from(args[i], strlen("from=")), "from", &out->from,
				    e) != 0) {
				return -1;
			}
			out->has_from = true;
		}
	}
	return 0;
}

/* ?rows=N, ?to=CUR: a page of it; ?folded=1: with what was rewound. */
static int snapshot_args(const struct vy_str *args, size_t n, struct target *out, struct vy_err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (vy_str_starts(args[i], "rows=") &&
			target_cursor(vy_str_from(args[i], 5), "rows", &out->rows, e) != 0) {
			return -1;
		}
		if (vy_str_starts(args[i], "folded=")) {
			struct vy_str on = vy_str_from(args[i], 7);

			if (!vy_str_is(on, "1") && !vy_str_is(on, "0")) {
				return vy_fail(e, VY_BAD_INPUT,
					"folded: expected 0 or 1, got \"%.*s\"", VY_STR_ARG(on));
			}
			out->is_folded = vy_str_is(on, "1");
		}
		if (vy_str_starts(args[i], "to=") &&
			target_cursor(vy_str_from(args[i], 3), "to", &out->to, e) != 0) {
			return -1;
		}
	}
	return 0;
}

static const char *const paths[] = {
#define VY_ROUTE(name, method, path, ...) [TARGET_##name] = path,
#include "server/wire/routes.def"
#undef VY_ROUTE
};

/* Does the path follow that of the route? What stands for its {session} or {term} is in `out`. */
static bool is_route(struct vy_str path, enum target_route r, struct target *out)
{
	const char *begin = strchr(paths[r], '{'), *end = strchr(paths[r], '}');

	return begin && end
		       ? id_of(path, vy_str_n(paths[r], (size_t)(begin - paths[r])), end + 1, out)
		       : vy_str_is(path, paths[r]);
}

static enum target_route route_of(struct vy_str path, struct target *out)
{
	for (unsigned r = 0; r < VY_COUNT(paths); r++) {
		if (paths[r] && is_route(path, (enum target_route)r, out)) {
			return (enum target_route)r;
		}
	}
	out->endpoint = endpoint_find(path, out->parts);
	return out->endpoint ? TARGET_EVENTS : TARGET_NONE;
}

int target_parse(struct vy_str path, const struct vy_str *args, size_t n, struct target *out,
	struct vy_err *e)
{
	*out = (struct target){ .route = TARGET_NONE };
	out->route = route_of(path, out);
	switch (out->route) {
	case TARGET_STREAM:
	case TARGET_TERM: return stream_args(args, n, out, e);
	case TARGET_SNAPSHOT: return snapshot_args(args, n, out, e);
	case TARGET_CONTROL: out->endpoint = endpoint_find(path, out->parts); return 0;
	default: return 0;
	}
}
