/* check_test.c -- the one judgement: every rule has a frame that breaks it and nothing else. */
#include "tests/shared/frame/frames.h"

#include "shared/frame/check.h"
#include "shared/base/ban.h"

#define DELTA "'message':'m','index':0,'text':'héllo'"
#define MSG   "'message':'m','state':'sent'"

static const struct {
	const char *name, *kind, *data, *error; /* error NULL: it is a frame */
} by_data[] = {
	{ "a delta", "text-delta", DELTA, NULL },
	{ "an empty delta", "text-delta", "'message':'m','index':0,'text':''", NULL },
	{ "a message", "user-message", MSG ",'text':''", NULL },
	{ "an encrypted one", "user-message", MSG ",'enc':{'alg':'x'}", NULL },
	{ "a finished tool", "tool-finished",
		"'tool_id':'t','ok':false,'status':'canceled','result':{'type':'text','text':''}",
		NULL },
	{ "an exit may be negative", "term-command", "'term':'t','command':'x','exit':-9", NULL },
	{ "a chunk", "term-chunk", "'term':'t','offset':0,'b64':'AAE='", NULL },
	{ "an empty chunk", "term-chunk", "'term':'t','offset':0,'b64':''", NULL },
	{ "an expired delta", "text-delta", "'expired':true", NULL },
	{ "an expired message", "user-message", "'message':'m','state':'sent','expired':true",
		NULL },

	{ "no message", "text-delta", "'index':0,'text':'x'",
		"text-delta: data.message is missing" },
	{ "empty message", "text-delta", "'message':'','index':0,'text':'x'",
		"text-delta: data.message is empty" },
	{ "no text", "text-delta", "'message':'m','index':0", "text-delta: data.text is missing" },
	{ "negative index", "text-delta", "'message':'m','index':-1,'text':'x'",
		"text-delta: data.index must not be negative" },
	{ "a state nobody knows", "user-message", "'message':'m','state':'sen','text':''",
		"user-message: data.state is \"sen\", expected sent|queued|picked-up|cancelled" },
	{ "an empty state", "user-message", "'message':'m','state':'','text':''",
		"user-message: data.state is \"\", expected sent|queued|picked-up|cancelled" },
	{ "neither text nor enc", "user-message", MSG, "user-message: data.text is missing" },
	{ "both", "user-message", MSG ",'text':'x','enc':{}",
		"user-message: data.text stands beside data.enc" },
	{ "a percent over 100", "tool-progress", "'tool_id':'t','pct':101",
		"tool-progress: data.pct is too big" },
	{ "a result that is a list", "tool-finished",
		"'tool_id':'t','ok':true,'status':'completed','result':[]",
		"tool-finished: data.result must be an object" },
	{ "options that are an object", "ask",
		"'ask_id':'q','kind':'plan','summary':'','options':{}",
		"ask: data.options must be an array" },
	{ "no base64", "term-chunk", "'term':'t','offset':0,'b64':'A*=='",
		"term-chunk: data.b64 is not base64" },
	{ "half of base64", "term-chunk", "'term':'t','offset':0,'b64':'AAA'",
		"term-chunk: data.b64 is not base64" },
	{ "parts without a span", "text-delta", DELTA ",'parts':[2,3]",
		"text-delta: data.parts are not as many as the span" },
	{ "a part of the whole", "text-delta", DELTA ",'parts':[5]", NULL },
	{ "a part too short", "text-delta", DELTA ",'parts':[4]",
		"text-delta: data.parts are not as long as the text" },
	{ "parts that are words", "text-delta", DELTA ",'parts':['5']",
		"text-delta: data.parts must be lengths" },
};

static void judges_data(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(by_data); i++) {
		struct vy_frame f = frame_of(&a, 7, by_data[i].kind, by_data[i].data);
		struct vy_err e = { 0 };

		check_str(by_data[i].name, vy_frame_check(&f, &e) == 0 ? "a frame" : e.text,
			by_data[i].error ? by_data[i].error : "a frame");
		f.cur = 0;
		e.text[0] = '\0';
		check_str(by_data[i].name, vy_frame_check_new(&f, &e) == 0 ? "a frame" : e.text,
			by_data[i].error ? by_data[i].error : "a frame");
	}
	vy_arena_fini(&a);
}

static const struct {
	const char *name, *kind, *data;
	uint64_t cur, span;
	const char *author, *acts_for, *error;
} by_envelope[] = {
	{ "a person", "text-delta", DELTA, 1, 1, "person:p", NULL, NULL },
	{ "an assistant for a person", "text-delta", DELTA, 1, 1, "assistant:a", "person:p", NULL },
	{ "a model for a person", "text-delta", DELTA, 1, 1, "model:m", "person:p", NULL },
	{ "a hidden run", "hidden", "", 9, 9, NULL, NULL, NULL },
	{ "a merged run", "text-delta", DELTA ",'parts':[1,1,3]", 9, 3, NULL, NULL, NULL },
	{ "a merged chunk", "term-chunk", "'term':'t','offset':0,'b64':'AAEC','parts':[1,2]", 9, 2,
		NULL, NULL, NULL },
	{ "an expired run", "text-delta", "'expired':true", 9, 3, NULL, NULL, NULL },
	{ "presence", "presence", "'who':'person:p','state':'typing'", 0, 1, NULL, NULL, NULL },
	{ "a heartbeat", "heartbeat", "'head':0,'epoch':'e'", 0, 1, NULL, NULL, NULL },

	{ "a person for a person", "text-delta", DELTA, 1, 1, "person:p", "person:q",
		"text-delta: acts_for stands only beside an assistant or a model" },
	{ "nobody for a person", "text-delta", DELTA, 1, 1, NULL, "person:q",
		"text-delta: acts_for stands only beside an assistant or a model" },
	{ "for an assistant", "text-delta", DELTA, 1, 1, "model:m", "assistant:q",
		"text-delta: acts_for must be person:ID" },
	{ "for a person without an id", "text-delta", DELTA, 1, 1, "model:m",
		"person:", "text-delta: acts_for must be person:ID" },
	{ "an author of another sort", "text-delta", DELTA, 1, 1, "robot:r", NULL,
		"text-delta: author must be person:ID, assistant:ID or model:ID" },
	{ "an author without an id", "text-delta", DELTA, 1, 1, "person:", NULL,
		"text-delta: author must be person:ID, assistant:ID or model:ID" },
	{ "no cursor", "text-delta", DELTA, 0, 1, NULL, NULL, "text-delta: cur must be 1 or more" },
	{ "a cursor for presence", "presence", "'who':'p','state':'idle'", 1, 1, NULL, NULL,
		"presence: cur must be 0" },
	{ "a cursor for a heartbeat", "heartbeat", "'head':0,'epoch':'e'", 1, 1, NULL, NULL,
		"heartbeat: cur must be 0" },
	{ "a span before the start", "hidden", "", 3, 4, NULL, NULL,
		"hidden: span does not fit the cursor" },
	{ "a span of nothing", "hidden", "", 3, 0, NULL, NULL,
		"hidden: span does not fit the cursor" },
	{ "a merged status", "status", "'state':'waiting'", 3, 2, NULL, NULL,
		"status: span must be 1: this kind is never merged" },
	{ "a run without parts", "text-delta", DELTA, 3, 2, NULL, NULL,
		"text-delta: data.parts is missing beside a span" },
	{ "a part too many", "text-delta", DELTA ",'parts':[1,1,3]", 9, 2, NULL, NULL,
		"text-delta: data.parts are not as many as the span" },
};

static void judges_the_envelope(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(by_envelope); i++) {
		struct vy_frame f =
			frame_of(&a, by_envelope[i].cur, by_envelope[i].kind, by_envelope[i].data);
		struct vy_err e = { 0 };

		f.span = by_envelope[i].span;
		f.author = vy_str_c(by_envelope[i].author);
		f.acts_for = vy_str_c(by_envelope[i].acts_for);
		check_str(by_envelope[i].name, vy_frame_check(&f, &e) == 0 ? "a frame" : e.text,
			by_envelope[i].error ? by_envelope[i].error : "a frame");
	}
	vy_arena_fini(&a);
}

static void judges_what_a_literal_may_hold(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_err e;

	vy_arena_init(&a);
	struct vy_frame f = delta_of(&a, 1, "x");

	vy_frame_set_str(&f, VY_F_TEXT, vy_str_c("\xFF"));
	check_int("text", vy_frame_check(&f, &e), -1);
	check_str("text", e.text, "text-delta: data.text is not UTF-8");
	f = delta_of(&a, 1, "x");
	f.session = vy_str_c("");
	check_int("session", vy_frame_check(&f, &e), -1);
	check_str("session", e.text, "text-delta: session is missing");
	f = delta_of(&a, 1, "x");
	f.id = vy_str_c("");
	check_int("id", vy_frame_check(&f, &e), -1);
	check_str("id", e.text, "text-delta: id is missing");
	f.cur = 0;
	check_int("an id is the log's to give", vy_frame_check_new(&f, &e), 0);
	f.cur = 1;
	check_int("and so is a cursor", vy_frame_check_new(&f, &e), -1);
	check_str("cursor", e.text, "text-delta: cur is the log's to give");
	f = frame_of(&a, 1, "status", "'state':'waiting'");
	vy_frame_set_json(&f, VY_F_COMPACTED, vy_str_c("{\"a\":}"));
	check_int("json", vy_frame_check(&f, &e), -1);
	check_str("json", e.text, "status: data.compacted is not JSON");
	vy_frame_set_json(&f, VY_F_COMPACTED, vy_str_c("{\"a\":1,\"a\":2}"));
	check_int("a key twice", vy_frame_check(&f, &e), -1);
	check_str("a key twice", e.text, "status: data.compacted is not JSON");
	f = frame_of(&a, 1, "status", "'state':'waiting'");
	vy_frame_set_str(&f, VY_F_TEXT, vy_str_c("x"));
	check_int("a field of another kind", vy_frame_check(&f, &e), -1);
	check_str("field", e.text, "status: data has a field that this kind does not know");
	vy_arena_fini(&a);
}

/* ---- sizes ---- */

static struct vy_str many(struct vy_arena *a, size_t n, char c)
{
	char *s = vy_arena_alloc(a, n + 1);

	memset(s, c, n);
	return vy_str_n(s, n);
}

static void sizes_have_an_end(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_err e;

	vy_arena_init(&a);
	struct vy_frame f = delta_of(&a, 1, "x");

	vy_frame_set_str(&f, VY_F_TEXT, many(&a, VY_FRAME_TEXT_MAX, 'x'));
	check_int("64 KiB", vy_frame_check(&f, &e), 0);
	vy_frame_set_str(&f, VY_F_TEXT, many(&a, VY_FRAME_TEXT_MAX + 1, 'x'));
	check_int("and one", vy_frame_check(&f, &e), -1);
	check_str("and one", e.text,
		"text-delta: data.text has 65537 bytes, at most 65536 are allowed");
	vy_frame_set_str(&f, VY_F_TEXT, many(&a, VY_FRAME_TEXT_MAX, '\x01'));
	check_int("64 KiB that are written as 384", vy_frame_check(&f, &e), -1);
	check_str("384", e.text, "text-delta: it is over 256 KiB");
	f = delta_of(&a, 1, "x");
	f.id = many(&a, VY_ID_MAX, 'i');
	check_int("an id of 256", vy_frame_check(&f, &e), 0);
	f.id = many(&a, VY_ID_MAX + 1, 'i');
	check_int("of 257", vy_frame_check(&f, &e), -1);
	check_str("of 257", e.text, "text-delta: id has 257 bytes, at most 256 are allowed");
	vy_arena_fini(&a);
}

/* Whatever the text, the piece that fits makes a frame that is one, and the next is not better. */
static void what_fits_fits(void **state)
{
	(void)state;
	static const struct {
		const char *name, *bit;
		size_t n, fits;
	} rows[] = {
		{ "nothing", "x", 0, 0 },
		{ "little", "x", 10, 10 },
		{ "just enough", "x", VY_FRAME_TEXT_MAX, VY_FRAME_TEXT_MAX },
		{ "too much", "x", VY_FRAME_TEXT_MAX + 1, VY_FRAME_TEXT_MAX },
		{ "between characters", "\u4E2D", VY_FRAME_TEXT_MAX, VY_FRAME_TEXT_MAX - 1 },
		{ "full of quotes", "\"", VY_FRAME_TEXT_MAX, VY_FRAME_TEXT_MAX },
		{ "full of control bytes", "\x02", VY_FRAME_TEXT_MAX,
			(VY_FRAME_MAX - 32 * VY_KIB) / 6 },
	};
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_TEXT_MAX);
		struct vy_frame f = delta_of(&a, 1, "");
		struct vy_err e = { 0 };

		for (size_t j = 0; j < rows[i].n; j++) {
			vy_buf_adds(&b, rows[i].bit);
		}
		size_t fits = vy_frame_text_fit(vy_buf_str(&b));

		check_int(rows[i].name, (long long)fits, (long long)rows[i].fits);
		vy_frame_set_str(&f, VY_F_TEXT, vy_str_n(b.data, fits));
		check_int(rows[i].name, vy_frame_check(&f, &e), 0);
		check_true(rows[i].name, strlen(encoded(&a, &f)) <= VY_FRAME_MAX);
	}
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(judges_data), CHECK_TEST(judges_the_envelope),
	CHECK_TEST(judges_what_a_literal_may_hold), CHECK_TEST(sizes_have_an_end),
	CHECK_TEST(what_fits_fits))
