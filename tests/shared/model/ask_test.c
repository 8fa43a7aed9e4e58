/* ask_test.c -- the life of an ask: the first answer stands. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/model/ask.h"
#include "shared/base/ban.h"

#define OPTIONS                                                                                    \
	"[{\"id\":\"yes\",\"label\":\"Yes\",\"decision\":\"allow\"},"                              \
	"{\"id\":\"always\",\"label\":\"Always\",\"decision\":\"allow\",\"rule\":\"Bash(ls)\","    \
	"\"scope\":\"project\"},"                                                                  \
	"{\"id\":\"plan\",\"label\":\"Go\",\"decision\":\"allow\",\"mode\":\"acceptEdits\"},7]"

static struct vy_ask open_ask(void)
{
	return (struct vy_ask){ .id = vy_str_c("q"),
		.session = vy_str_c("S"),
		.turn = vy_str_c("S:1"),
		.kind = VY_ASK_PERMISSION,
		.tool = vy_str_c("Bash"),
		.summary = vy_str_c("ls \"x\""),
		.options = vy_str_c(OPTIONS),
		.raised = 5 };
}

/* A script of acts, one word each: answers, "!word" closes by the house. */
static void lives(void **state)
{
	(void)state;
	static const struct {
		const char *name, *acts[3], *end, *decision;
		int answer; /* of the last act of a person */
		bool already;
		const char *error;
	} rows[] = {
		{ "allowed", { "allow" }, "answered", "allow", 0, false, NULL },
		{ "denied", { "deny" }, "answered", "deny", 0, false, NULL },
		{ "by an option", { "always" }, "answered", "always", 0, false, NULL },
		{ "skipped", { "skip" }, "skipped", "skip", 0, false, NULL },
		{ "the same again", { "allow", "allow" }, "answered", "allow", 0, true, NULL },
		{ "another one again", { "allow", "deny" }, "answered", "allow", 0, true, NULL },
		{ "nonsense again", { "allow", "perhaps" }, "answered", "allow", 0, true, NULL },
		{ "nonsense", { "perhaps" }, "open", "", -1, false,
			"params.decision: expected allow, deny, skip or one of the ask's options" },
		{ "nothing", { "" }, "open", "", -1, false,
			"params.decision: expected allow, deny, skip or one of the ask's options" },
		{ "a person cannot cancel", { "cancelled" }, "open", "", -1, false,
			"params.decision: expected allow, deny, skip or one of the ask's options" },
		{ "nor supersede", { "superseded" }, "open", "", -1, false,
			"params.decision: expected allow, deny, skip or one of the ask's options" },
		{ "withdrawn", { "!cancelled" }, "withdrawn", "cancelled", 0, false, NULL },
		{ "answered too late", { "!cancelled", "allow" }, "withdrawn", "cancelled", -1,
			false, "the agent no longer asks this" },
		{ "superseded, then answered", { "!superseded", "allow" }, "superseded",
			"superseded", 0, true, NULL },
		{ "answered, then withdrawn", { "allow", "!cancelled" }, "answered", "allow", 0,
			false, NULL },
		{ "nonsense, then an answer", { "perhaps", "deny" }, "answered", "deny", 0, false,
			NULL },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_ask a = open_ask();
		struct vy_err e = { 0 };
		bool already = false;
		int answer = 0;

		for (size_t j = 0; j < 3 && rows[i].acts[j]; j++) {
			const char *act = rows[i].acts[j];

			if (act[0] == '!') {
				vy_ask_close(&a, vy_str_c(act + 1), 9);
			} else {
				answer = vy_ask_answer(
					&a, vy_str_c(act), vy_str_c("person:p"), 9, &already, &e);
			}
		}
		check_str(rows[i].name, vy_ask_state_word(a.state), rows[i].end);
		check_vstr(rows[i].name, a.decision, vy_str_c(rows[i].decision));
		check_int(rows[i].name, answer, rows[i].answer);
		check_int(rows[i].name, already, rows[i].already);
		if (rows[i].error) {
			check_str(rows[i].name, e.text, rows[i].error);
		}
		check_int(rows[i].name, a.closed, a.state == VY_ASK_OPEN ? 0 : 9);
	}
}

static void options(void **state)
{
	(void)state;
	struct vy_ask a = open_ask();
	struct vy_ask_option o;
	struct vy_arena mem;

	vy_arena_init(&mem);
	check_true("second", vy_ask_option(&a, 1, &mem, &o));
	check_vstr("id", o.id, vy_str_c("always"));
	check_vstr("rule", o.rule, vy_str_c("Bash(ls)"));
	check_vstr("scope", o.scope, vy_str_c("project"));
	check_true("third", vy_ask_option(&a, 2, &mem, &o));
	check_vstr("mode", o.mode, vy_str_c("acceptEdits"));
	check_true("one that is none is empty", vy_ask_option(&a, 3, &mem, &o) && o.id.n == 0);
	check_true("past the end", !vy_ask_option(&a, 4, &mem, &o));
	a.options = vy_str_n(NULL, 0);
	check_true("no options", !vy_ask_option(&a, 0, &mem, &o));
	check_true("and none taken", !vy_ask_takes(&a, vy_str_c("always")));
	vy_arena_fini(&mem);
}

static void comes_back(void **state)
{
	(void)state;
	struct vy_ask a = open_ask(), b;
	struct vy_arena mem;
	struct vy_err e = { 0 };
	bool already;

	vy_arena_init(&mem);
	a.questions = vy_str_c("[{\"question\":\"?\"}]");
	a.answers = vy_str_c("{\"?\":\"a\"}");
	a.more = true;
	a.delivered = vy_str_c("false");
	check_int("answered",
		vy_ask_answer(&a, vy_str_c("yes"), vy_str_c("person:p"), 7, &already, &e), 0);
	for (int i = 0; i < 2; i++) {
		VY_AUTO_BUF one = VY_BUF_INIT(4096), two = VY_BUF_INIT(4096);
		struct vy_jw w = VY_JW(&one), x = VY_JW(&two);

		vy_ask_encode(&a, &w);
		VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&one), &e);

		check_int("decodes", vy_ask_decode(v, &mem, &b, &e), 0);
		vy_ask_encode(&b, &x);
		check_str("the same", vy_buf_c(&two), vy_buf_c(&one));
		a = (struct vy_ask){ .id = vy_str_c("bare") };
	}
	VY_AUTO_JSON *none = vy_json_new_obj();

	check_int("no id", vy_ask_decode(none, &mem, &b, &e), -1);
	vy_arena_fini(&mem);
}

CHECK_MAIN(CHECK_TEST(lives), CHECK_TEST(options), CHECK_TEST(comes_back))
