/* sse_test.c -- server-sent events out of bytes: what the standard says, cut anywhere. */
#include "shared/frame/sse.h"

#include "tests/check.h"

#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* An event as "name|id|data;", a retry as "retry=MS;". */
static void on_event(void *ctx, const struct vy_sse_event *ev)
{
	vy_buf_addf(ctx, "%.*s|", VY_STR_ARG(ev->name));
	vy_buf_addf(ctx, "%.*s|", VY_STR_ARG(ev->id));
	vy_buf_addstr(ctx, ev->data);
	vy_buf_addc(ctx, ';');
}

static void on_retry(void *ctx, int64_t ms)
{
	vy_buf_addf(ctx, "retry=%lld;", (long long)ms);
}

static const struct {
	const char *name;
	struct vy_str in;
	const char *out;
} rows[] = {
#define ROW(name, in, out)                                                                         \
	{                                                                                          \
		name, VY_STR_LIT(in), out                                                          \
	}
	ROW("one event", "data: a\n\n", "message||a;"),
	ROW("no blank", "data:a\n\n", "message||a;"),
	ROW("one blank only", "data:  a\n\n", "message|| a;"),
	ROW("several lines", "data: a\ndata: b\ndata\ndata: c\n\n", "message||a\nb\n\nc;"),
	ROW("a name", "event: x\ndata: a\n\ndata: b\n\n", "x||a;message||b;"),
	ROW("an empty name", "event: x\nevent:\ndata: a\n\n", "message||a;"),
	ROW("the last name", "event: x\nevent: y\ndata: a\n\n", "y||a;"),
	ROW("a name without data", "event: x\n\ndata: a\n\n", "message||a;"),
	ROW("a place", "id: 7\ndata: a\n\ndata: b\n\n", "message|7|a;message|7|b;"),
	ROW("a place without data", "id: 7\n\ndata: a\n\n", "message|7|a;"),
	ROW("no place any more", "id: 7\ndata: a\n\nid\ndata: b\n\n", "message|7|a;message||b;"),
	ROW("a NUL in a place", "id: 7\nid: 8\0\ndata: a\n\n", "message|7|a;"),
	ROW("CR LF", "id: 7\r\ndata: a\r\n\r\ndata: b\r\n\r\n", "message|7|a;message|7|b;"),
	ROW("CR", "id: 7\rdata: a\r\rdata: b\r\r", "message|7|a;message|7|b;"),
	ROW("all three", "data: a\r\n\ndata: b\n\rdata: c\r\r\n",
		"message||a;message||b;message||c;"),
	ROW("comments", ": hello\n:\ndata: a\n: more\ndata: b\n\n", "message||a\nb;"),
	ROW("other fields", "datax: 1\nda: 2\nDATA: 3\n data: 4\nfoo\ndata: a\n\n", "message||a;"),
	ROW("colons", "data: a:b: c\n\n", "message||a:b: c;"),
	ROW("a mark",
		"\xef\xbb\xbf"
		"data: a\n\n",
		"message||a;"),
	ROW("one mark only",
		"\xef\xbb\xbf\xef\xbb\xbf"
		"data: a\n\ndata: b\n\n",
		"message||b;"),
	ROW("a mark later",
		"data: a\n\n\xef\xbb\xbf"
		"data: b\n\n",
		"message||a;"),
	ROW("half a mark",
		"\xef\xbb"
		"data: a\n\ndata: b\n\n",
		"message||b;"),
	ROW("retry",
		"retry: 250\nretry: 2x\nretry:\nretry: -1\nretry: +1\nretry: 1 \nretry: 99\n\n",
		"retry=250;retry=99;"),
	ROW("cut off", "data: a\n\ndata: b\n", "message||a;"),
	ROW("cut off in a line", "data: a\n\ndata: b", "message||a;"),
	ROW("empty data", "data\n\ndata:\ndata:\n\n", "message||;message||\n;"),
	ROW("nothing", "", ""),
	ROW("blank lines", "\n\n\r\r\n\n", ""),
	ROW("a NUL in data", "data: a\0b\n\n", "message||a\0b;"),
};

static void run(struct vy_sse *s, struct vy_str in, size_t piece, struct vy_buf *got)
{
	const struct vy_sse_out out = { on_event, on_retry, got };

	for (size_t at = 0; at < in.n; at += piece) {
		size_t n = in.n - at < piece ? in.n - at : piece;

		assert_int_equal(vy_sse_feed(s, vy_str_n(in.p + at, n), &out, NULL), 0);
	}
}

static void as_the_standard_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		for (size_t piece = 1; piece <= rows[i].in.n + 1; piece++) {
			VY_AUTO_BUF got = VY_BUF_INIT(4096);
			struct vy_sse s;

			vy_sse_init(&s, 1000);
			run(&s, rows[i].in, piece, &got);
			check_str(rows[i].name, vy_buf_c(&got), rows[i].out);
			vy_sse_fini(&s);
		}
	}
}

static void too_long(void **state)
{
	static const struct {
		const char *name, *in;
		bool ok;
	} cases[] = {
		{ "fits", "data: 12345678\n\n", true },
		{ "one line", "data: 123456789\n\n", false },
		{ "together", "data: 1234\ndata: 5678\n\n", false },
		{ "just together", "data: 1234\ndata: 567\n\n", true },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(cases); i++) {
		VY_AUTO_BUF got = VY_BUF_INIT(4096);
		const struct vy_sse_out out = { on_event, NULL, &got };
		struct vy_err e = { 0 };
		struct vy_sse s;

		vy_sse_init(&s, 8);
		int rc = vy_sse_feed(&s, vy_str_c(cases[i].in), &out, &e);

		if ((rc == 0) != cases[i].ok || (rc < 0 && e.code != VY_FULL)) {
			fail_msg("%s: %d", cases[i].name, rc);
		}
		if (rc < 0) { /* it is dead, until it is for another stream */
			assert_int_equal(vy_sse_feed(&s, VY_STR_LIT("data: a\n\n"), &out, &e), -1);
			vy_sse_reset(&s);
		}
		vy_buf_clear(&got);
		assert_int_equal(vy_sse_feed(&s, VY_STR_LIT("data: a\n\n"), &out, &e), 0);
		check_str(cases[i].name, vy_buf_c(&got), "message||a;");
		vy_sse_fini(&s);
	}
}

/* A line that never ends is no memory. */
static void endless(void **state)
{
	static const struct vy_sse_out out = { on_event, NULL, NULL };
	static char much[4096];
	struct vy_sse s;
	int n = 0;

	(void)state;
	memset(much, 'x', sizeof(much));
	vy_sse_init(&s, 64 * VY_KIB);
	while (vy_sse_feed(&s, vy_str_n(much, sizeof(much)), &out, NULL) == 0) {
		n++;
	}
	assert_in_range(n, 15, 17);
	vy_sse_fini(&s);
}

struct resetting {
	struct vy_sse *s;
	int events;
};

static void reset_it(void *ctx, const struct vy_sse_event *ev)
{
	struct resetting *r = ctx;

	(void)ev;
	r->events++;
	vy_sse_reset(r->s);
}

static void reset_from_within(void **state)
{
	struct vy_sse s;
	struct resetting r = { &s, 0 };
	const struct vy_sse_out out = { reset_it, NULL, &r };

	(void)state;
	vy_sse_init(&s, 100);
	assert_int_equal(
		vy_sse_feed(&s, VY_STR_LIT("id: 7\ndata: a\n\ndata: b\n\n"), &out, NULL), 0);
	assert_int_equal(r.events, 1); /* what came behind is of the connection that was */
	assert_int_equal(s.id.len, 0);
	vy_sse_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_the_standard_says),
		cmocka_unit_test(too_long),
		cmocka_unit_test(endless),
		cmocka_unit_test(reset_from_within),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
