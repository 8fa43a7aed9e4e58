/* session_tools.c -- a session that may use some tools only: kept to them at each call, whatever its
 * agent was told to offer. It only ever takes away: what is left is judged and asked about as always. */
#include "server/session/session_in.h"

#include "shared/base/ban.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

static bool is_name(struct vy_str name)
{
	for (size_t i = 0; i < name.n; i++) {
		if (!memchr(letters, name.p[i], sizeof(letters) - 1)) {
			return false;
		}
	}
	return name.n > 0 && name.p[0] != '-';
}

int session_tools_check(const struct vy_json *tools, struct vy_err *e)
{
	for (size_t i = 0; i < vy_json_len(tools); i++) {
		struct vy_str name = vy_json_strval(vy_json_at(tools, i));

		if (!is_name(name)) {
			return vy_fail(e, VY_BAD_INPUT,
				"params.tools: expected the names of tools, got \"%.*s\"",
				VY_STR_ARG(name));
		}
	}
	return 0;
}

/* One tool, two names: what claude's list calls Task its calls call Agent. */
static bool is_same(struct vy_str a, struct vy_str b)
{
	return vy_str_eq(a, b) || (vy_str_is(a, "Task") && vy_str_is(b, "Agent")) ||
	       (vy_str_is(a, "Agent") && vy_str_is(b, "Task"));
}

static bool is_in(const struct vy_json *tools, struct vy_str tool)
{
	bool is_one = tools == NULL;

	for (size_t i = 0; i < vy_json_len(tools); i++) {
		is_one |= is_same(vy_json_strval(vy_json_at(tools, i)), tool);
	}
	return is_one;
}

bool session_tools_allow(const struct session *s, struct vy_str tool)
{
	return is_in(s->record->tools, tool);
}

struct vy_json *session_tools_handed_on(const struct session *s, const struct vy_json *asked)
{
	const struct vy_json *own = s ? s->record->tools : NULL;
	struct vy_json *out;

	if (!own || !asked) {
		return own || asked ? vy_json_copy(own ? own : asked) : NULL;
	}
	out = vy_json_new_arr();
	for (size_t i = 0; i < vy_json_len(asked); i++) {
		struct vy_str name = vy_json_strval(vy_json_at(asked, i));

		if (is_in(own, name)) {
			vy_json_add_take(out, vy_json_new_str(name));
		}
	}
	return out;
}
