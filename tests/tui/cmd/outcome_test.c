/* outcome_test.c -- how the turn of a message ends, from frames as the server makes them. */
#include "tests/check.h"

#include "shared/base/arena.h"
#include "shared/frame/codec.h"
#include "tui/cmd/outcome.h"
#include "shared/base/ban.h"

#define M     "11111111-1111-4111-8111-111111111111"
#define OTHER "22222222-2222-4222-8222-222222222222"

/* One letter a frame; what it says is below. Capitals are turn 2's. */
static const struct {
	char letter;
	const char *turn, *type, *data;
} frames[] = {
	{ 's', "\"s:1\"", "user-message", "\"message\":\"" M "\",\"state\":\"sent\"" },
	{ 'q', "null", "user-message", "\"message\":\"" M "\",\"state\":\"queued\"" },
	{ 'p', "\"s:1\"", "user-message", "\"message\":\"" M "\",\"state\":\"picked-up\"" },
	{ 'P', "\"s:2\"", "user-message", "\"message\":\"" M "\",\"state\":\"picked-up\"" },
	{ 'c', "null", "user-message", "\"message\":\"" M "\",\"state\":\"cancelled\"" },
	{ 'o', "\"s:1\"", "user-message", "\"message\":\"" OTHER "\",\"state\":\"sent\"" },
	{ 'b', "\"s:1\"", "status", "\"state\":\"working\"" },
	{ 'w', "\"s:1\"", "status", "\"state\":\"waiting\"" },
	{ 'W', "\"s:2\"", "status", "\"state\":\"waiting\"" },
	{ 'i', "\"s:1\"", "status", "\"state\":\"waiting\",\"note\":\"interrupted\"" },
	{ 'h', "\"s:1\"", "status",
		"\"state\":\"waiting\",\"note\":\"interrupted\",\"held\":true" },
	{ 'f', "\"s:1\"", "status",
		"\"state\":\"failed\",\"reason\":\"agent-lost\",\"note\":\"The agent ended.\"" },
	{ 'r', "\"s:1\"", "status", "\"state\":\"failed\",\"reason\":\"agent-error\"" },
	{ 'F', "\"s:2\"", "status", "\"state\":\"failed\",\"reason\":\"agent-error\"" },
	{ 'n', "\"s:1\"", "status", "\"state\":\"working\",\"note\":\"a word by the way\"" },
	{ 'x', "\"s:1\"", "status", "\"state\":\"stopped\"" },
	{ 'd', "\"s:1\"", "status", "\"state\":\"finished\"" },
};

static void feed(struct outcome *o, char letter)
{
	struct vy_frame f;
	struct vy_arena a;
	char line[1024];
	size_t i = 0;

	while (i < VY_COUNT(frames) && frames[i].letter != letter) {
		i++;
	}
	assert_true(i < VY_COUNT(frames));
	snprintf(line, sizeof(line),
		"{\"v\":1,\"id\":\"x\",\"cur\":1,\"session\":\"s\",\"turn\":%s,\"type\":\"session."
		"%s\",\"time\":1,\"corr\":null,\"data\":{%s}}",
		frames[i].turn, frames[i].type, frames[i].data);
	vy_arena_init(&a);
	assert_int_equal(vy_frame_decode(vy_str_c(line), &a, &f, NULL), 0);
	outcome_step(o, &f);
	vy_arena_fini(&a);
}

static void ends(void **unused)
{
	static const struct {
		const char *name, *frames;
		enum outcome_state state;
		const char *why;
	} rows[] = {
		{ "nothing yet", "", OUTCOME_UNSEEN, "" },
		{ "others' turns are not ours", "obw", OUTCOME_UNSEEN, "" },
		{ "it goes on", "sb", OUTCOME_RUNNING, "" },
		{ "it is done", "sbw", OUTCOME_OK, "" },
		{ "a note is no end", "sbn", OUTCOME_RUNNING, "" },
		{ "a job is done", "sbd", OUTCOME_OK, "" },
		{ "queued", "obq", OUTCOME_WAITING, "" },
		{ "the turn before it ends", "obqw", OUTCOME_WAITING, "" },
		{ "then its own", "obqwP", OUTCOME_RUNNING, "" },
		{ "and its end", "obqwPbW", OUTCOME_OK, "" },
		{ "steered: the turn it joined", "obqpw", OUTCOME_OK, "" },
		{ "the failure of the turn before is not its", "obqfwPW", OUTCOME_OK, "" },
		{ "its own failure", "obqwPFW", OUTCOME_FAILED, "agent-error" },
		{ "with a sentence", "sbfw", OUTCOME_FAILED, "The agent ended." },
		{ "with a reason only", "sbrw", OUTCOME_FAILED, "agent-error" },
		{ "not over before the turn is", "sbf", OUTCOME_RUNNING, "The agent ended." },
		{ "interrupted", "sbi", OUTCOME_FAILED, "the turn was interrupted" },
		{ "held while it waits", "obqh", OUTCOME_FAILED,
			"the queue is held after an interrupt; the message waits in it" },
		{ "stopped", "sbx", OUTCOME_FAILED, "the session was stopped" },
		{ "stopped while it waits", "obqx", OUTCOME_FAILED,
			"the session was stopped; the message waits in its queue" },
		{ "taken back", "obqc", OUTCOME_FAILED, "the message was taken back" },
		{ "what comes behind changes nothing", "sbwsbfw", OUTCOME_OK, "" },
	};

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct outcome o;

		outcome_init(&o, M);
		for (const char *p = rows[i].frames; *p; p++) {
			feed(&o, *p);
		}
		check_int(rows[i].name, o.state, rows[i].state);
		check_str(rows[i].name, o.why, rows[i].why);
	}
}

CHECK_MAIN(CHECK_TEST(ends))
