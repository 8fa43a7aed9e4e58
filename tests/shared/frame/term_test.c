/* term_test.c -- the messages of a terminal's stream, and what its viewer makes of them. */
#include "shared/frame/term.h"

#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/base/ban.h"

/* ---- messages ---- */

static const struct {
	const char *name;
	bool server;
	struct vy_term_msg m;
	const char *text;
} written[] = {
	{ "hello", true,
		{ .type = VY_TERM_HELLO,
			.offset = 7,
			.floor = 5,
			.end = 9,
			.cols = 80,
			.rows = 24,
			.pid = 42,
			.has_prologue = true,
			.has_keys = true },
		"{\"t\":\"hello\",\"offset\":7,\"floor\":5,\"end\":9,\"cols\":80,\"rows\":24,"
		"\"pid\":42,"
		"\"prologue\":true,\"keys\":true}" },
	{ "exit", true, { .type = VY_TERM_EXIT, .has_status = true, .status = 3 },
		"{\"t\":\"exit\",\"status\":3,\"signal\":null}" },
	{ "exit by a signal", true, { .type = VY_TERM_EXIT, .has_signal = true, .signal = 9 },
		"{\"t\":\"exit\",\"status\":null,\"signal\":9}" },
	{ "exit of nobody knows what", true, { .type = VY_TERM_EXIT, .why = "its holder died" },
		"{\"t\":\"exit\",\"status\":null,\"signal\":null,\"why\":\"its holder died\"}" },
	{ "resize", true, { .type = VY_TERM_RESIZE, .offset = 12, .cols = 1, .rows = 1000 },
		"{\"t\":\"resize\",\"offset\":12,\"cols\":1,\"rows\":1000}" },
	{ "resize of a viewer", false, { .type = VY_TERM_RESIZE, .cols = 1000, .rows = 1 },
		"{\"t\":\"resize\",\"cols\":1000,\"rows\":1}" },
	{ "take", true, { .type = VY_TERM_TAKE, .has_keys = true },
		"{\"t\":\"take\",\"keys\":true}" },
	{ "take of a viewer", false, { .type = VY_TERM_TAKE }, "{\"t\":\"take\"}" },
};

static void there_and_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(written); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(4096), back = VY_BUF_INIT(4096);
		struct vy_term_msg m;
		struct vy_err e = { 0 };

		vy_term_write(&written[i].m, written[i].server, &b);
		check_str(written[i].name, vy_buf_c(&b), written[i].text);
		check_int(written[i].name, vy_term_read(vy_buf_str(&b), written[i].server, &m, &e),
			0);
		vy_term_write(&m, written[i].server, &back);
		check_str(written[i].name, vy_buf_c(&back), written[i].text);
	}
}

static const struct {
	const char *name;
	bool server;
	const char *text, *why; /* why NULL: it is taken, of a type that is none */
} judged[] = {
	{ "no JSON", false, "{", "" },
	{ "no object", false, "[1]", "message.t" },
	{ "no type", false, "{}", "message.t" },
	{ "a type that is none", false, "{\"t\":\"dance\",\"cols\":-1}", NULL },
	{ "a viewer says no hello", false, "{\"t\":\"hello\"}", NULL },
	{ "a viewer does not end it", false, "{\"t\":\"exit\",\"status\":0}", NULL },
	{ "no size", false, "{\"t\":\"resize\",\"cols\":80}", "message.rows" },
	{ "no columns", false, "{\"t\":\"resize\",\"cols\":0,\"rows\":24}", "message.cols" },
	{ "too many", false, "{\"t\":\"resize\",\"cols\":80,\"rows\":1001}", "message.rows" },
	{ "less than none", false, "{\"t\":\"resize\",\"cols\":-80,\"rows\":24}", "message.cols" },
	{ "a word for a number", false, "{\"t\":\"resize\",\"cols\":\"80\",\"rows\":24}",
		"message.cols" },
	{ "no offset", true, "{\"t\":\"resize\",\"cols\":80,\"rows\":24}", "message.offset" },
	{ "below the floor", true,
		"{\"t\":\"hello\",\"offset\":1,\"floor\":2,\"end\":3,\"cols\":8,\"rows\":2}",
		"message.offset" },
	{ "past the end", true,
		"{\"t\":\"hello\",\"offset\":4,\"floor\":2,\"end\":3,\"cols\":8,\"rows\":2}",
		"message.offset" },
	{ "an offset below 0", true,
		"{\"t\":\"hello\",\"offset\":-4,\"floor\":2,\"end\":3,\"cols\":8,\"rows\":2}",
		"message.offset" },
};

static void judges(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(judged); i++) {
		struct vy_term_msg m;
		struct vy_err e = { 0 };
		int rc = vy_term_read(vy_str_c(judged[i].text), judged[i].server, &m, &e);

		check_int(judged[i].name, rc, judged[i].why ? -1 : 0);
		if (judged[i].why) {
			check_true(judged[i].name, strstr(e.text, judged[i].why) != NULL);
			check_int(judged[i].name, (int)e.code, VY_BAD_INPUT);
		} else {
			check_int(judged[i].name, (int)m.type, VY_TERM_UNKNOWN);
		}
	}
}

static void offsets(void **state)
{
	static const uint64_t at[] = { 0, 1, 255, 256, 0x0102030405060708u, UINT64_MAX };
	struct vy_str bytes;
	uint64_t got;

	(void)state;
	for (size_t i = 0; i < VY_COUNT(at); i++) {
		char room[VY_TERM_HEAD + 2];

		vy_term_head(at[i], (unsigned char *)room);
		memcpy(room + VY_TERM_HEAD, "ab", 2);
		assert_true(vy_term_split(vy_str_n(room, sizeof(room)), &got, &bytes));
		assert_true(got == at[i]);
		check_vstr("bytes", bytes, VY_STR_LIT("ab"));
		assert_true(vy_term_split(vy_str_n(room, VY_TERM_HEAD), &got, &bytes));
		assert_int_equal(bytes.n, 0);
		assert_false(vy_term_split(vy_str_n(room, VY_TERM_HEAD - 1), &got, &bytes));
	}
}

/* ---- the viewer: a script of messages, and what it does of each ----
 *
 *	H off floor end cols rows p|- k|-	hello, with prologue, with the keyboard
 *	B off text				bytes
 *	R off cols rows, T 0|1, X status	resize, take, exit
 *	O					another connection
 * It answers "reset 80x24", "size 80x24", "feed x", "pro x", "keys 1", "exit 3", "again". */

static void say_effects(
	const struct vy_term_viewer *v, const struct vy_term_out *out, struct vy_buf *said)
{
	for (size_t i = 0; i < out->n; i++) {
		const struct vy_term_effect *e = &out->e[i];

		switch (e->what) {
		case VY_TERM_DO_RESET: vy_buf_addf(said, "reset %ux%u;", e->cols, e->rows); break;
		case VY_TERM_DO_SIZE: vy_buf_addf(said, "size %ux%u;", e->cols, e->rows); break;
		case VY_TERM_DO_FEED:
			vy_buf_addf(said, "%s %.*s;", e->is_prologue ? "pro" : "feed",
				VY_STR_ARG(e->bytes));
			break;
		case VY_TERM_DO_KEYS: vy_buf_addf(said, "keys %d;", v->has_keys); break;
		case VY_TERM_DO_EXIT: vy_buf_addf(said, "exit %d;", v->exit.status); break;
		case VY_TERM_DO_AGAIN: vy_buf_adds(said, "again;"); break;
		}
	}
}

static void one_line(struct vy_term_viewer *v, const char *line, struct vy_buf *said)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	unsigned long long off = 0, floor = 0, end = 0;
	struct vy_term_msg m = { 0 };
	struct vy_term_out out = { 0 };
	char pro, keys, text[64] = "";
	int n = 0;

	if (line[0] == 'O') {
		vy_term_opened(v);
		return;
	}
	if (line[0] == 'B') {
		unsigned char head[VY_TERM_HEAD];

		sscanf(line, "B %llu %63s", &off, text);
		vy_term_head(off, head);
		vy_buf_add(&b, head, sizeof(head));
		vy_buf_adds(&b, text);
		vy_term_bytes(v, vy_buf_str(&b), &out);
		say_effects(v, &out, said);
		return;
	}
	if (sscanf(line, "H %llu %llu %llu %u %u %c %c", &off, &floor, &end, &m.cols, &m.rows, &pro,
		    &keys) == 7) {
		m.type = VY_TERM_HELLO;
		m.has_prologue = pro == 'p';
		m.has_keys = keys == 'k';
	} else if (sscanf(line, "R %llu %u %u", &off, &m.cols, &m.rows) == 3) {
		m.type = VY_TERM_RESIZE;
	} else if (sscanf(line, "T %d", &n) == 1) {
		m.type = VY_TERM_TAKE;
		m.has_keys = n;
	} else if (sscanf(line, "X %d", &m.status) == 1) {
		m.type = VY_TERM_EXIT;
		m.has_status = true;
	} else {
		fail_msg("%s: is no line of a script", line);
	}
	m.offset = off;
	m.floor = floor;
	m.end = end;
	vy_term_write(&m, true, &b);
	vy_term_text(v, vy_buf_str(&b), &out);
	say_effects(v, &out, said);
}

static const struct {
	const char *name, *script, *does;
	long long from; /* -1: of nothing */
} viewers[] = {
	{ "nothing yet", "O", "", -1 },
	{ "from the start", "O|H 0 0 0 80 24 - k|B 0 abc|B 3 d",
		"reset 80x24;keys 1;feed abc;feed d;", 4 },
	{ "with a prologue", "O|H 9 9 12 80 24 p -|B 9 state|B 9 xyz",
		"reset 80x24;pro state;feed xyz;", 12 },
	{ "goes on", "O|H 0 0 0 80 24 - -|B 0 abc|O|H 3 0 5 80 24 - -|B 3 de",
		"reset 80x24;feed abc;feed de;", 5 },
	{ "goes on in another size", "O|H 0 0 0 80 24 - -|B 0 abc|O|H 3 0 5 40 10 - -",
		"reset 80x24;feed abc;size 40x10;", 3 },
	{ "comes too late", "O|H 0 0 0 80 24 - -|B 0 abc|O|H 9 9 9 80 24 p -|B 9 s|B 9 x",
		"reset 80x24;feed abc;reset 80x24;pro s;feed x;", 10 },
	{ "is taken further", "O|H 0 0 0 80 24 - -|B 0 abc|H 90 90 99 80 24 p -|B 90 s|B 90 x",
		"reset 80x24;feed abc;reset 80x24;pro s;feed x;", 91 },
	{ "is taken back", "O|H 0 0 9 80 24 - -|B 0 abc|O|H 0 0 9 80 24 - -|B 0 x",
		"reset 80x24;feed abc;reset 80x24;feed x;", 1 },
	{ "goes on where it is not", "O|H 0 0 9 80 24 - -|B 0 abc|O|H 5 0 9 80 24 - -|B 5 x",
		"reset 80x24;feed abc;again;", -1 },
	{ "goes on behind it", "O|H 0 0 9 80 24 - -|B 0 abc|H 2 0 9 80 24 - -|B 2 x",
		"reset 80x24;feed abc;again;", -1 },
	{ "goes on where nothing is", "O|H 5 0 9 80 24 - k|B 5 x", "again;", -1 },
	{ "goes on before the prologue came", "O|H 9 9 12 80 24 p -|H 9 9 12 80 24 - -|B 9 x",
		"reset 80x24;again;", -1 },
	{ "comes again from nothing",
		"O|H 0 0 9 80 24 - -|B 0 abc|O|H 5 0 9 80 24 - -|O|H 5 5 9 80 24 p -|B 5 s|B 5 x",
		"reset 80x24;feed abc;again;reset 80x24;pro s;feed x;", 6 },
	{ "what it had", "O|H 0 0 0 80 24 - -|B 0 abc|B 0 abc|B 1 bcd|B 0 ab",
		"reset 80x24;feed abc;feed d;", 4 },
	{ "a gap", "O|H 0 0 0 80 24 - -|B 0 abc|B 4 x|B 3 d|H 0 0 0 9 9 - -",
		"reset 80x24;feed abc;again;", 3 },
	{ "comes again after a gap", "O|H 0 0 0 80 24 - -|B 0 abc|B 4 x|O|H 3 0 5 80 24 - -|B 3 dx",
		"reset 80x24;feed abc;again;feed dx;", 5 },
	{ "no hello", "O|B 0 abc", "again;", -1 },
	{ "a size before the hello", "O|R 0 80 24", "again;", -1 },
	{ "no prologue", "O|H 9 9 9 80 24 p -|R 9 4 4", "reset 80x24;again;", -1 },
	{ "cut before its prologue", "O|H 9 9 9 80 24 p -|O", "reset 80x24;", -1 },
	{ "another prologue", "O|H 9 9 9 80 24 p -|B 8 s", "reset 80x24;again;", -1 },
	{ "sizes", "O|H 0 0 0 80 24 - -|R 0 40 10|R 0 40 10|B 0 a|R 0 9 9|R 1 80 24|R 2 1 1",
		"reset 80x24;size 40x10;feed a;size 80x24;again;", 1 },
	{ "the keyboard", "O|H 0 0 0 80 24 - -|T 0|T 1|T 1|T 0|O|H 0 0 0 80 24 - k",
		"reset 80x24;keys 1;keys 0;keys 1;", 0 },
	{ "the end", "O|H 0 0 0 80 24 - -|B 0 a|X 3|O|H 1 0 1 80 24 - -|X 3",
		"reset 80x24;feed a;exit 3;", 1 },
};

static void watches(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(viewers); i++) {
		VY_AUTO_BUF said = VY_BUF_INIT(4096);
		struct vy_term_viewer v;
		char script[512], *save = NULL;
		uint64_t from = 0;

		vy_term_viewer_init(&v);
		snprintf(script, sizeof(script), "%s", viewers[i].script);
		for (char *l = strtok_r(script, "|", &save); l; l = strtok_r(NULL, "|", &save)) {
			one_line(&v, l, &said);
		}
		check_str(viewers[i].name, vy_buf_c(&said), viewers[i].does);
		check_int(viewers[i].name, vy_term_from(&v, &from) ? (long long)from : -1,
			viewers[i].from);
	}
}

static void junk(void **state)
{
	struct vy_term_viewer v;
	struct vy_term_out out;

	(void)state;
	vy_term_viewer_init(&v);
	vy_term_opened(&v);
	vy_term_text(&v, VY_STR_LIT("{\"t\":\"news\",\"offset\":\"x\"}"), &out);
	assert_int_equal(out.n, 0);
	vy_term_text(&v, VY_STR_LIT("{"), &out);
	assert_int_equal(out.n, 1);
	assert_int_equal(out.e[0].what, VY_TERM_DO_AGAIN);
	vy_term_opened(&v);
	vy_term_bytes(&v, VY_STR_LIT("short"), &out);
	assert_int_equal(out.n, 1);
	assert_int_equal(out.e[0].what, VY_TERM_DO_AGAIN);
}

CHECK_MAIN(CHECK_TEST(there_and_back), CHECK_TEST(judges), CHECK_TEST(offsets), CHECK_TEST(watches),
	CHECK_TEST(junk))
