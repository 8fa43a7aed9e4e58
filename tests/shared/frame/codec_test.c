/* codec_test.c -- frames as bytes: the exact shape, what is refused, and the way back. */
#include "tests/shared/frame/frames.h"

#include "shared/base/json.h"
#include "shared/frame/check.h"
#include "shared/base/ban.h"

/* ---- the exact shape ---- */

static void writes_the_shape_of_the_wire(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_frame f;

	vy_arena_init(&a);
	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	f.id = vy_str_c("e1");
	f.cur = 12;
	f.session = vy_str_c("S");
	f.time = 1700000000000;
	vy_frame_set_str(&f, VY_F_TEXT, vy_str_c("a\"b\n\x01"));
	vy_frame_set_int(&f, VY_F_INDEX, 0); /* set out of order, written in order */
	vy_frame_set_str(&f, VY_F_MESSAGE, vy_str_c("m"));
	check_str("null turn and corr", encoded(&a, &f),
		"{\"v\":1,\"id\":\"e1\",\"cur\":12,\"session\":\"S\",\"turn\":null,"
		"\"type\":\"session.text-delta\",\"time\":1700000000000,\"corr\":null,"
		"\"data\":{\"message\":\"m\",\"index\":0,\"text\":\"a\\\"b\\n\\u0001\"}}");
	f.span = 3;
	f.turn = vy_str_c("S:2");
	f.corr = vy_str_c("c");
	f.author = vy_str_c("assistant:a");
	f.acts_for = vy_str_c("person:p");
	f.message = vy_str_c("mm");
	vy_frame_set_json(&f, VY_F_PARTS, vy_str_c("[1,2,1]"));
	vy_frame_set_bool(&f, VY_F_REASONING, true);
	check_str("everything", encoded(&a, &f),
		"{\"v\":1,\"id\":\"e1\",\"cur\":12,\"session\":\"S\",\"turn\":\"S:2\","
		"\"type\":\"session.text-delta\",\"time\":1700000000000,\"corr\":\"c\","
		"\"data\":{\"message\":\"m\",\"index\":0,\"text\":\"a\\\"b\\n\\u0001\","
		"\"reasoning\":true,\"parts\":[1,2,1]},\"span\":3,\"author\":\"assistant:a\","
		"\"acts_for\":\"person:p\",\"message\":\"mm\"}");
	vy_frame_init(&f, VY_KIND_TOOL_FINISHED);
	f.id = vy_str_c("e2");
	f.cur = 13;
	f.session = vy_str_c("S");
	vy_frame_set_bool(&f, VY_F_EXPIRED, true);
	check_str("expired", encoded(&a, &f),
		"{\"v\":1,\"id\":\"e2\",\"cur\":13,\"session\":\"S\",\"turn\":null,"
		"\"type\":\"session.tool-finished\",\"time\":0,\"corr\":null,"
		"\"data\":{\"expired\":true}}");
	vy_arena_fini(&a);
}

/* One frame is one line, whatever blanks its JSON came with. */
static void stays_on_one_line(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	struct vy_frame f = frame_of(&a, 1, "status", "'state':'waiting'");

	vy_frame_set_json(&f, VY_F_COMPACTED, vy_str_c("{\n\"a\":\r\n 1}"));
	check_true("no line break", !strpbrk(encoded(&a, &f), "\r\n"));
	f = frame_of(&a, 1, "telepathy", "'a':\n[\r]");
	check_true("nor in a stranger", !strpbrk(encoded(&a, &f), "\r\n"));
	vy_arena_fini(&a);
}

static void what_does_not_fit_leaves_no_trace(void **state)
{
	(void)state;
	struct vy_arena a;
	VY_AUTO_BUF b = VY_BUF_INIT(100);

	vy_arena_init(&a);
	struct vy_frame f = delta_of(&a, 1, "words");

	vy_buf_adds(&b, "before");
	check_true("refused", !vy_frame_encode(&f, &b));
	check_vstr("as it was", vy_buf_str(&b), vy_str_c("before"));
	check_true("and over", vy_buf_is_over(&b));
	vy_arena_fini(&a);
}

/* ---- what is refused, by name ---- */

#define F(cur, type, data)                                                                         \
	"{'v':1,'id':'e','cur':" cur ",'session':'S','type':'" type "','time':1,'data':" data "}"

static const struct {
	const char *name, *json, *error; /* error NULL: taken */
} refusals[] = {
	{ "fine", F("1", "session.hidden", "{}"), NULL },
	{ "unknown fields are passed over",
		"{'v':1,'new':[{'x':{}}],'id':'e','cur':1,'session':'S','type':'session.pin','time'"
		":1,"
		"'data':{'message':'m','on':true,'more':{'a':[1,2,null]}}}",
		NULL },
	{ "data before type",
		"{'v':1,'data':{'message':'m','on':true},'type':'session.pin','id':'e','cur':1,"
		"'session':'S','time':1}",
		NULL },
	{ "null is absent", F("1", "session.pin", "{'message':null,'on':true}"), NULL },
	{ "blanks", " { \"v\" : 1 ,\n\"type\" :\t\"session.hidden\" , \"data\" : { } } ", NULL },
	{ "time may be early", "{'v':1,'type':'session.hidden','time':-1,'data':{}}", NULL },
	{ "empty", "", "a frame: expected an object, got nothing" },
	{ "a list", "[]", "a frame: expected an object, got an array" },
	{ "half a frame", "{'v':1,'type':'session.hid",
		"a frame is not JSON: a string does not end (byte 15)" },
	{ "more behind", "{'v':1,'type':'session.hidden','data':{}} x",
		"a frame is not JSON: there is more behind its end (byte 42)" },
	{ "no colon", "{'v' 1}", "a frame is not JSON: a colon is missing (byte 5)" },
	{ "no comma", "{'v':1 'id':'e'}", "a frame is not JSON: a comma is missing (byte 7)" },
	{ "a comma too many", "{'v':1,}", "a frame is not JSON: a string is expected (byte 7)" },
	{ "text is a number", F("1", "session.text-delta", "{'text':5}"),
		"data.text: expected a string, got a number" },
	{ "index is a string", F("1", "session.text-delta", "{'index':'5'}"),
		"data.index: expected a whole number, got a string" },
	{ "index is a fraction", F("1", "session.text-delta", "{'index':1.5}"),
		"data.index: expected a whole number, got a number" },
	{ "index is huge", F("1", "session.text-delta", "{'index':9223372036854775808}"),
		"data.index: expected a whole number, got a number" },
	{ "ok is a word", F("1", "session.tool-finished", "{'ok':'yes'}"),
		"data.ok: expected a boolean, got a string" },
	{ "expired is a number", F("1", "session.hidden", "{'expired':1}"),
		"data.expired: expected a boolean, got a number" },
	{ "data is a list", F("1", "session.hidden", "[]"),
		"data: expected an object, got an array" },
	{ "cur is negative", F("-1", "session.hidden", "{}"),
		"cur: expected a whole number from 0 on, got a negative one" },
	{ "cur is a string", F("'1'", "session.hidden", "{}"),
		"cur: expected a whole number, got a string" },
	{ "type is a number", "{'v':1,'type':5}", "type: expected a string, got a number" },
	{ "type without session", F("1", "hidden", "{}"),
		"type: expected \"session.\" and a kind, got another word" },
	{ "no type", "{'v':1,'data':{}}", "type: expected a string, got nothing" },
	{ "two types", "{'v':1,'type':'session.pin','type':'session.hidden'}",
		"type: expected one, got two of them" },
	{ "two data", "{'v':1,'type':'session.hidden','data':{},'data':{}}",
		"data: expected one, got two of them" },
	{ "a NUL in a key", "{'v\\u0000':1}", "a frame is not JSON: a NUL in a key (byte 10)" },
	{ "no version", "{'type':'session.hidden'}", "v: expected 1, got nothing" },
	{ "version 2", "{'v':2,'type':'session.hidden'}", "v: expected 1, got another version" },
	{ "a lone surrogate", F("1", "session.text-delta", "{'text':'\\uD800'}"),
		"a frame is not JSON: a bad escape in a string (byte 91)" },
	{ "a control byte", F("1", "session.text-delta", "{'text':'\x01'}"),
		"a frame is not JSON: a control byte in a string (byte 91)" },
	{ "no UTF-8", F("1", "session.text-delta", "{'text':'\xFF'}"), "a frame is not UTF-8" },
};

static void refuses_by_name(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(refusals); i++) {
		struct vy_err e = { 0 };
		struct vy_frame f;
		int got = vy_frame_decode(quoted(&a, refusals[i].json), &a, &f, &e);

		check_str(refusals[i].name, got == 0 ? "taken" : e.text,
			refusals[i].error ? refusals[i].error : "taken");
		if (got < 0) {
			check_int(refusals[i].name, e.code, VY_BAD_INPUT);
		}
	}
	vy_arena_fini(&a);
}

static void depth_has_an_end(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	for (int depth = VY_JSON_DEPTH - 4; depth < VY_JSON_DEPTH + 4; depth++) {
		VY_AUTO_BUF b = VY_BUF_INIT(4096);
		struct vy_frame f;

		vy_buf_adds(&b, "{\"v\":1,\"type\":\"session.hidden\",\"x\":");
		for (int i = 0; i < depth - 1; i++) {
			vy_buf_addc(&b, '[');
		}
		for (int i = 0; i < depth - 1; i++) {
			vy_buf_addc(&b, ']');
		}
		vy_buf_addc(&b, '}');
		check_int("depth", vy_frame_decode(vy_buf_str(&b), &a, &f, NULL) == 0,
			depth <= VY_JSON_DEPTH);
	}
	vy_arena_fini(&a);
}

/* ---- strings ---- */

static void unescapes(void **state)
{
	(void)state;
	static const struct {
		const char *name, *in, *out;
	} rows[] = {
		{ "plain", "abc", "abc" },
		{ "short ones", "\\n\\t\\r\\b\\f\\/\\\\\\\"", "\n\t\r\b\f/\\\"" },
		{ "units", "\\u0041\\u00e9\\u4E2D", "A\u00E9\u4E2D" },
		{ "a pair", "x\\uD83D\\uDE00y", "x\U0001F600y" },
		{ "as it stands", "\U0001F600", "\U0001F600" },
	};
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_frame f;
		char *json = vy_arena_printf(&a,
			"{\"v\":1,\"type\":\"session.text-delta\",\"data\":{\"text\":\"%s\"}}",
			rows[i].in);

		check_int(rows[i].name, vy_frame_decode(vy_str_c(json), &a, &f, NULL), 0);
		check_vstr(rows[i].name, vy_frame_str(&f, VY_F_TEXT), vy_str_c(rows[i].out));
	}
	vy_arena_fini(&a);
}

/* ---- unknown kinds ---- */

static void a_stranger_is_kept_whole(void **state)
{
	(void)state;
	struct vy_arena a;
	const char *json = "{\"v\":1,\"id\":\"e\",\"cur\":5,\"session\":\"S\",\"turn\":null,"
			   "\"type\":\"session.telepathy\",\"time\":1,\"corr\":null,"
			   "\"data\":{\"text\":[1,{\"deep\":null}]}}";
	struct vy_frame f;

	vy_arena_init(&a);
	check_int("decodes", vy_frame_decode(vy_str_c(json), &a, &f, NULL), 0);
	check_int("kind", f.kind, VY_KIND_UNKNOWN);
	check_vstr("word", f.word, vy_str_c("telepathy"));
	check_vstr("data", vy_frame_str(&f, VY_F_DATA), vy_str_c("{\"text\":[1,{\"deep\":null}]}"));
	check_str("the same bytes", encoded(&a, &f), json);
	check_int("is a frame", vy_frame_check(&f, NULL), 0);
	vy_arena_fini(&a);
}

/* ---- another cursor ---- */

static void recur_equals_encoding_again(void **state)
{
	(void)state;
	static const char *const ids[] = { "e", "with \"quotes\" \\ and \n", "cur\":9" };
	static const uint64_t cursors[] = { 1, 9, 10, 123456789, INT64_MAX };
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(ids); i++) {
		for (size_t j = 0; j < VY_COUNT(cursors); j++) {
			struct vy_frame f = delta_of(&a, 77, "text \"cur\":5");
			VY_AUTO_BUF b = VY_BUF_INIT(4096);

			f.id = vy_str_c(ids[i]);
			struct vy_str line = vy_str_c(encoded(&a, &f));

			f.cur = cursors[j];
			check_true("fits", vy_frame_recur(line, f.cur, &b));
			check_str(ids[i], vy_buf_c(&b), encoded(&a, &f));
		}
	}
	VY_AUTO_BUF small = VY_BUF_INIT(50);
	struct vy_frame f = delta_of(&a, 7, "words");

	check_true("too small", !vy_frame_recur(vy_str_c(encoded(&a, &f)), 8, &small));
	check_int("no trace", (long long)small.len, 0);
	vy_arena_fini(&a);
}

/* ---- decode(encode(f)) == f ---- */

static struct vy_str random_json(struct vy_arena *a, uint64_t *seed, int depth)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);
	struct vy_jw w = VY_JW(&b);
	uint32_t pick = chance(seed, depth > 3 ? 4 : 6), n = chance(seed, 4);

	pick = depth == 0 && pick == 3 ? 5 : pick; /* a null field is an absent one */

	switch (pick) {
	case 0: vy_jw_str(&w, random_text(a, seed, 20)); break;
	case 1: vy_jw_int(&w, (int64_t)chance(seed, 1000) - 500); break;
	case 2: vy_jw_bool(&w, n & 1); break;
	case 3: vy_jw_null(&w); break;
	case 4:
		vy_jw_arr(&w);
		for (uint32_t i = 0; i < n; i++) {
			vy_jw_raw(&w, random_json(a, seed, depth + 1));
		}
		vy_jw_end_arr(&w);
		break;
	default:
		vy_jw_obj(&w);
		for (uint32_t i = 0; i < n; i++) {
			vy_jw_key(&w, vy_arena_printf(a, "k%u", i));
			vy_jw_raw(&w, random_json(a, seed, depth + 1));
		}
		vy_jw_end_obj(&w);
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

static struct vy_frame random_frame(struct vy_arena *a, uint64_t *seed)
{
	struct vy_frame f;
	size_t n;

	vy_frame_init(&f, (enum vy_kind)(1 + chance(seed, VY_KIND_COUNT - 1)));
	const struct vy_has *has = vy_kind_has(f.kind, &n);
	struct vy_str *const texts[] = { &f.id, &f.session, &f.turn, &f.corr, &f.author,
		&f.acts_for, &f.message };

	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		*texts[i] = random_text(a, seed, 30);
	}
	f.cur = chance(seed, 1000000);
	f.span = chance(seed, 3);
	f.time = (int64_t)chance(seed, 1u << 30) * chance(seed, 4000);
	for (size_t i = n; i-- > 0;) {
		if (chance(seed, 4) == 0) {
			continue;
		}
		switch (vy_field_type(has[i].field)) {
		case VY_TYPE_STR:
			vy_frame_set_str(&f, has[i].field, random_text(a, seed, 200));
			break;
		case VY_TYPE_INT:
			vy_frame_set_int(&f, has[i].field, (int64_t)chance(seed, 1u << 30) - 1000);
			break;
		case VY_TYPE_BOOL: vy_frame_set_bool(&f, has[i].field, chance(seed, 2)); break;
		case VY_TYPE_JSON:
			vy_frame_set_json(&f, has[i].field, random_json(a, seed, 0));
			break;
		}
	}
	if (chance(seed, 10) == 0) {
		vy_frame_set_bool(&f, VY_F_EXPIRED, true);
	}
	return f;
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	struct vy_arena a;
	uint64_t seed = 20251130;

	vy_arena_init(&a);
	for (int i = 0; i < 5000; i++) {
		struct vy_frame f = random_frame(&a, &seed), g;
		struct vy_err e = { 0 };
		const char *json = encoded(&a, &f);
		VY_AUTO_JSON *seen = vy_json_parse(vy_str_c(json), &e);

		check_str("it is JSON for others too", seen ? "yes" : e.text, "yes");
		if (vy_frame_decode(vy_str_c(json), &a, &g, &e) < 0) {
			fail_msg("%s: %s", json, e.text);
		}
		check_true(json, vy_frame_equal(&f, &g));
		check_str("the same bytes", encoded(&a, &g), json);
		vy_arena_reset(&a);
	}
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(writes_the_shape_of_the_wire), CHECK_TEST(stays_on_one_line),
	CHECK_TEST(what_does_not_fit_leaves_no_trace), CHECK_TEST(refuses_by_name),
	CHECK_TEST(depth_has_an_end), CHECK_TEST(unescapes), CHECK_TEST(a_stranger_is_kept_whole),
	CHECK_TEST(recur_equals_encoding_again), CHECK_TEST(what_is_written_is_read))
