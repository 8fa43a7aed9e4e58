/* message_test.c -- the life of a message: what each frame makes of its record, and that a record
 * comes back from its row as it was. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/model/message.h"
#include "shared/base/ban.h"

#define TEXT_MAX (64 * VY_KIB)

static struct vy_arena mem;

/* One act: "queued x", "sent x", "picked x", "edited x", "cancelled x", "private x", "streams",
 * "whole N", "cut N", "gone". */
static enum vy_message_change act(struct vy_message *m, const char *script, int64_t now)
{
	const char *arg = strchr(script, ' ');
	struct vy_str word = vy_str_n(script, arg ? (size_t)(arg - script) : strlen(script));
	struct vy_frame f;
	bool is_queued = vy_str_is(word, "queued") || vy_str_is(word, "edited");

	arg = arg ? arg + 1 : "";
	if (vy_str_is(word, "whole") || vy_str_is(word, "cut")) {
		return vy_message_settled(m, vy_str_c(vy_str_is(word, "cut") ? "interrupted" : ""),
			atoll(arg), now, &mem);
	}
	if (vy_str_is(word, "gone")) {
		return vy_message_rewind(m, now, 0, now);
	}
	if (vy_str_is(word, "back")) { /* the frame before was the rewind */
		return vy_message_rewind(m, now, now - 2, now);
	}
	vy_frame_init(&f, vy_str_is(word, "streams") ? VY_KIND_TEXT_DELTA : VY_KIND_USER_MESSAGE);
	f.cur = (uint64_t)now;
	f.time = 1000 + now;
	f.author = vy_str_c(f.kind == VY_KIND_TEXT_DELTA ? "assistant:a" : "person:p");
	vy_frame_set_c(&f, VY_F_MESSAGE, "m");
	if (f.kind == VY_KIND_TEXT_DELTA) {
		f.turn = VY_STR_LIT("S:1");
		vy_frame_set_c(&f, VY_F_TEXT, arg);
		return vy_message_streams(m, &f);
	}
	if (vy_str_is(word, "private")) {
		vy_frame_set_json(&f, VY_F_ENC, VY_STR_LIT("{\"ct\":\"?\"}"));
	} else {
		vy_frame_set_c(&f, VY_F_TEXT, arg);
	}
	vy_frame_set_c(&f, VY_F_STATE,
		is_queued                    ? "queued"
		: vy_str_is(word, "picked")  ? "picked-up"
		: vy_str_is(word, "private") ? "sent"
					     : vy_arena_dup(&mem, word.p, word.n));
	if (vy_str_is(word, "edited")) {
		vy_frame_set_bool(&f, VY_F_EDITED, true);
	}
	return vy_message_said(m, &f);
}

static void say(struct vy_buf *out, const struct vy_message *m, enum vy_message_change c)
{
	const char *word = vy_message_change_word(c);

	vy_buf_addf(out, "%s:%s/%lld ", word ? strrchr(word, '.') + 1 : "same",
		vy_message_life_word(m->state), (long long)m->revision);
}

static void lives(void **state)
{
	(void)state;
	static const struct {
		const char *name, *acts[6], *want, *text, *settled;
	} rows[] = {
		{ "said at once", { "sent a" }, "created:completed/1 ", "a", "" },
		{ "waits, then is taken", { "queued a", "picked a" },
			"created:pending/1 completed:completed/2 ", "a", "" },
		{ "edited while it waits", { "queued a", "edited b", "picked b" },
			"created:pending/1 updated:pending/2 completed:completed/3 ", "b", "" },
		{ "said again as it was", { "queued a", "queued a" },
			"created:pending/1 same:pending/1 ", "a", "" },
		{ "taken back loses its words", { "queued a", "cancelled a" },
			"created:pending/1 deleted:deleted/2 ", "", "" },
		{ "deleted is the end", { "queued a", "cancelled a", "picked a" },
			"created:pending/1 deleted:deleted/2 same:deleted/2 ", "", "" },
		{ "given back by the agent", { "sent a", "queued a", "picked a" },
			"created:completed/1 updated:pending/2 completed:completed/3 ", "a", "" },
		{ "private", { "private" }, "created:completed/1 ", "", "" },
		{ "an answer", { "streams x", "whole 7" },
			"created:streaming/1 completed:completed/2 ", "", "[7]" },
		{ "cut short", { "streams x", "cut 7" }, "created:streaming/1 failed:failed/2 ", "",
			"[7]" },
		{ "asked again", { "streams x", "cut 7", "streams y", "whole 9" },
			"created:streaming/1 failed:failed/2 updated:streaming/3 "
			"completed:completed/4 ",
			"", "[7,9]" },
		{ "rewound", { "streams x", "whole 7", "gone", "streams y", "whole 8" },
			"created:streaming/1 completed:completed/2 deleted:deleted/3 "
			"same:deleted/3 same:deleted/3 ",
			"", "[7]" },
		{ "rewound, and redone", { "sent a", "gone", "back", "gone" },
			"created:completed/1 deleted:deleted/2 updated:completed/3 "
			"deleted:deleted/4 ",
			"a", "" },
		{ "redone is only what was rewound", { "sent a", "cancelled a", "back" },
			"created:completed/1 deleted:deleted/2 same:deleted/2 ", "", "" },
		{ "a rewind leaves what waits", { "queued a", "gone", "picked a" },
			"created:pending/1 same:pending/1 completed:completed/2 ", "a", "" },
		{ "settled and never seen", { "whole 7" }, "same:pending/0 ", "", "" },
		{ "an id of both sides stays whose it was", { "sent a", "streams x" },
			"created:completed/1 same:completed/1 ", "a", "" },
	};

	vy_arena_init(&mem);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_message m = { 0 };
		VY_AUTO_BUF out = VY_BUF_INIT(4096);

		for (size_t k = 0; k < VY_COUNT(rows[i].acts) && rows[i].acts[k]; k++) {
			say(&out, &m, act(&m, rows[i].acts[k], 10 + (int64_t)k));
		}
		check_str(rows[i].name, vy_buf_c(&out), rows[i].want);
		check_vstr(rows[i].name, m.text, vy_str_c(rows[i].text));
		check_vstr(rows[i].name, m.settled, vy_str_c(rows[i].settled));
		check_int(rows[i].name, m.position, m.revision ? 10 : 0);
	}
	vy_arena_fini(&mem);
}

static void comes_back_from_its_row(void **state)
{
	(void)state;
	const char row[] = "{\"message\":\"m\",\"role\":\"assistant\",\"state\":\"failed\","
			   "\"revision\":4,\"position\":10,\"author\":\"assistant:a\","
			   "\"turn\":\"S:1\",\"created\":1010,\"updated\":13,"
			   "\"settled\":[7,9],\"reason\":\"interrupted\"}";
	struct vy_message m;
	struct vy_err e = { 0 };
	VY_AUTO_BUF out = VY_BUF_INIT(TEXT_MAX);
	struct vy_jw w = VY_JW(&out);

	vy_arena_init(&mem);
	assert_int_equal(vy_message_decode(vy_str_c(row), &mem, &m, &e), 0);
	vy_message_encode(&m, &w);
	check_str("row", vy_buf_c(&out), row);
	assert_int_equal(vy_message_decode(VY_STR_LIT("{}"), &mem, &m, &e), -1);
	assert_int_equal(vy_message_decode(VY_STR_LIT("{"), &mem, &m, &e), -1);
	vy_arena_fini(&mem);
}

static void as_the_wire_has_it(void **state)
{
	(void)state;
	struct vy_message m = { 0 };
	VY_AUTO_BUF out = VY_BUF_INIT(TEXT_MAX);
	struct vy_jw w = VY_JW(&out);

	vy_arena_init(&mem);
	act(&m, "private", 10);
	vy_message_write(&m, VY_STR_LIT("never"), VY_STR_LIT("[1]"), &w);
	check_str("private", vy_buf_c(&out),
		"{\"message\":\"m\",\"role\":\"user\",\"author\":\"person:p\","
		"\"state\":\"completed\",\"blocks\":[],\"messageRevision\":1,\"turn\":\"\","
		"\"created\":1010,\"updated\":1010,\"enc\":{\"ct\":\"?\"}}");
	m = (struct vy_message){ 0 };
	act(&m, "streams x", 10);
	act(&m, "cut 7", 11);
	vy_buf_clear(&out);
	w = VY_JW(&out);
	vy_message_write(&m, VY_STR_LIT("x"), VY_STR_LIT("[{\"kind\":\"text\"}]"), &w);
	check_str("an attempt", vy_buf_c(&out),
		"{\"message\":\"m\",\"role\":\"assistant\",\"author\":\"assistant:a\","
		"\"state\":\"failed\",\"text\":\"x\",\"blocks\":[{\"kind\":\"text\"}],"
		"\"messageRevision\":2,\"turn\":\"S:1\",\"created\":1010,\"updated\":11,"
		"\"reason\":\"interrupted\"}");
	vy_arena_fini(&mem);
}

CHECK_MAIN(CHECK_TEST(lives), CHECK_TEST(comes_back_from_its_row), CHECK_TEST(as_the_wire_has_it))
