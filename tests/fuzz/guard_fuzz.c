/* guard_fuzz.c -- whatever a command line, a prompt or a text holds: the guard judges it, the demo
 * reads it, a secret that was taken out is not there any more. A denial names its rule, and is one
 * behind any harmless command too. */
#include <stdint.h>
#include <string.h>

#include "server/guard/redact.h"
#include "server/guard/rules.h"
#include "server/provider/script.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct guard_context context = {
	.cwd = { "/home/u/app", 11 },
	.home = { "/home/u", 7 },
	.state_dir = { "/home/u/.local/state/vyre", 25 },
	.config_file = { "/home/u/.config/vyre/vyred.conf", 31 },
};

/* What one judgement may take: so much, and so much for each byte. */
#define WORK_ONCE   ((size_t)48 * VY_MIB)
#define WORK_A_BYTE ((size_t)16 * VY_KIB)

static enum guard_verdict judge_command(struct vy_str text, struct vy_arena *a)
{
	VY_AUTO_JSON *input = vy_json_new_obj();

	vy_json_set_str(input, "command", text);
	size_t before = a->used;
	struct guard_answer r = guard_check(VY_STR_LIT("Bash"), input, &context, a);

	vy_assert(a->used - before < WORK_ONCE + WORK_A_BYTE * text.n);
	vy_assert((r.verdict != GUARD_NOTHING) == (r.rule && r.text));
	vy_assert(!r.rule || strstr(r.text, r.rule));
	return r.verdict;
}

/* What is denied stays denied behind a command that does nothing, and in a group. */
static void judge_again(struct vy_str text, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	if (judge_command(text, a) != GUARD_DENY) {
		return;
	}
	vy_buf_adds(&b, "true; ");
	vy_buf_addstr(&b, text);
	vy_assert(judge_command(vy_buf_str(&b), a) == GUARD_DENY);
	vy_buf_clear(&b);
	vy_buf_adds(&b, "{ true\n");
	vy_buf_addstr(&b, text);
	vy_assert(judge_command(vy_buf_str(&b), a) == GUARD_DENY);
}

static void judge(struct vy_str text, struct vy_arena *a)
{
	VY_AUTO_JSON *input = vy_json_new_obj();

	vy_json_set_str(input, "command", text);
	vy_json_set_str(input, "file_path", text);
	struct guard_answer file = guard_check(VY_STR_LIT("Write"), input, &context, a);

	vy_assert((file.verdict != GUARD_NOTHING) == (file.rule && file.text));
	guard_check(VY_STR_LIT("mcp__x"), input, &context, a);
	guard_check(VY_STR_LIT("apply_patch"), input, &context, a);
	judge_again(text, a);
}

/* Cut anywhere, by lines, and as values: whatever there is. */
static void redact_otherwise(struct vy_str text)
{
	VY_AUTO_BUF out = VY_BUF_INIT(64 * VY_MIB);
	VY_AUTO_JSON *arr = vy_json_new_arr();
	bool in_key = false;
	struct vy_str rest = text;

	vy_assert(guard_redact_cut(text, &out));
	while (rest.n) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		struct vy_str line = vy_str_n(rest.p, nl ? (size_t)(nl - rest.p) : rest.n);

		rest = vy_str_from(rest, line.n + (nl != NULL));
		guard_redact_line(&in_key, line, false, &out);
		vy_json_add_take(arr, vy_json_new_str(line));
	}
	guard_redact_json(arr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str text = vy_str_n((const char *)data, n);
	VY_AUTO_BUF once = VY_BUF_INIT(64 * VY_MIB);
	struct vy_arena a;
	struct script s;

	vy_arena_init(&a);
	judge(text, &a);
	vy_assert(script_parse(text, &a, &s) == (s.n > 0));
	vy_assert(guard_redact(text, &once));
	vy_assert(guard_has_secret(text) || vy_str_eq(text, vy_buf_str(&once)));
	vy_assert(!guard_has_secret(vy_buf_str(&once)));
	redact_otherwise(text);
	vy_arena_fini(&a);
	return 0;
}
