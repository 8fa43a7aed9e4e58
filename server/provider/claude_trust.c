/* claude_trust.c -- see claude_trust.h. */
#include "server/provider/claude_trust.h"

#include "shared/base/ban.h"

#define TRUST_MAX 200 /* the oldest goes: it is asked about again */

bool claude_trust_is_served(struct vy_str tool)
{
	return vy_str_starts(tool, "mcp__");
}

void claude_trust_ask(struct claude *c, struct vy_str tool_id)
{
	if (tool_id.n) {
		if (c->asked.n >= TRUST_MAX) {
			fields_list_del(&c->asked, &claude_line_set, 0);
		}
		struct claude_line *l = fields_list_add(&c->asked, &claude_line_set);

		fields_str_set(&l->text, tool_id);
	}
}

static bool was_to_be_asked(struct claude *c, struct vy_str tool_id)
{
	for (size_t i = 0; i < c->asked.n; i++) {
		if (vy_str_eq(fields_str(c->asked.v[i].text), tool_id)) {
			fields_list_del(&c->asked, &claude_line_set, i);
			return true;
		}
	}
	return false;
}

static bool is_known(const struct claude *c, struct vy_str source, struct vy_str tool)
{
	for (size_t i = 0; i < c->trusted.n; i++) {
		if (vy_str_eq(fields_str(c->trusted.v[i].source), source) &&
			vy_str_eq(fields_str(c->trusted.v[i].tool), tool)) {
			return true;
		}
	}
	return false;
}

bool claude_trust_covers(
	struct claude *c, struct vy_str source, struct vy_str tool, struct vy_str tool_id)
{
	bool is_to_be_asked = was_to_be_asked(c, tool_id);

	return source.n && !is_to_be_asked && is_known(c, source, tool);
}

void claude_trust_add(struct claude *c, struct vy_str source, struct vy_str tool)
{
	if (is_known(c, source, tool)) {
		return;
	}
	if (c->trusted.n >= TRUST_MAX) {
		fields_list_del(&c->trusted, &claude_trust_set, 0);
	}
	struct claude_trust *t = fields_list_add(&c->trusted, &claude_trust_set);

	fields_str_set(&t->source, source);
	fields_str_set(&t->tool, tool);
}
