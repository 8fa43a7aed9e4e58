/* floor.c -- see floor.h. */
#include "tests/server/guard/floor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "server/guard/rules.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const struct guard_context context = {
	.cwd = { "/home/u/app", 11 },
	.home = { "/home/u", 7 },
	.state_dir = { "/home/u/.local/state/vyre", 25 },
	.config_file = { "/home/u/.config/vyre/own.conf", 29 },
};

static struct vy_json *input_of(const struct floor_row *row)
{
	struct vy_json *o;

	if (row->tool) {
		o = vy_json_parse(vy_str_c(row->input), NULL);
	} else {
		o = vy_json_new_obj();
		vy_json_set_c(o, "command", row->input);
	}
	assert_non_null(o);
	return o;
}

void floor_check(const struct floor_row *rows, size_t n)
{
	size_t bad = 0;

	for (size_t i = 0; i < n; i++) {
		VY_AUTO_JSON *input = input_of(&rows[i]);
		struct guard_answer got;
		struct vy_arena a;
		char said[64];

		vy_arena_init(&a);
		got = guard_check(
			vy_str_c(rows[i].tool ? rows[i].tool : "Bash"), input, &context, &a);
		snprintf(said, sizeof(said), "%s%s", got.verdict == GUARD_ASK ? "?" : "",
			got.rule ? got.rule : "");
		if ((got.verdict == GUARD_NOTHING) != (got.rule == NULL) ||
			(got.rule && !strstr(got.text, got.rule))) {
			print_message("%s: the answer does not name its rule\n", rows[i].input);
			bad++;
		}
		if (strcmp(said, rows[i].want) != 0) {
			print_message("%s %s\n\tgot \"%s\", wanted \"%s\" (%s)\n",
				rows[i].tool ? rows[i].tool : "Bash", rows[i].input, said,
				rows[i].want, got.text ? got.text : "");
			bad++;
		}
		vy_arena_fini(&a);
	}
	assert_int_equal(bad, 0);
}
