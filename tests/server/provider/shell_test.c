/* shell_test.c -- a command's output as people and the agent see it, cut at every line. */
#include "server/provider/shell.h"

#include "shared/base/mem.h"
#include "tests/check.h"
#include "shared/base/ban.h"

#define TOKEN "ghp_abcdefghijklmnopqrstuvwxyz0123"

struct run {
	struct agent *a;
	struct vy_arena arena;
	struct agent_out out;
	struct vy_buf shown;
	int64_t at;
};

static const struct shell_facts facts = { { "t1", 2 }, { "make", 4 }, { "person:ana", 10 } };

static void begin(struct run *r)
{
	*r = (struct run){ .a = shell_new(&facts) };
	vy_arena_init(&r->arena);
	agent_out_init(&r->out, &r->arena);
	vy_buf_init(&r->shown, 4 * VY_MIB);
}

static void end(struct run *r)
{
	shell_ops.free(r->a);
	agent_out_fini(&r->out);
	vy_arena_fini(&r->arena);
	vy_buf_fini(&r->shown);
}

/* What was said last is taken, and each piece begins where the one before ended. */
static void take(struct run *r)
{
	for (size_t i = 0; i < r->out.n; i++) {
		const struct agent_event *ev = &r->out.events[i];

		if (ev->kind == AE_TEXT) {
			assert_int_equal(ev->index, r->at);
			r->at += (int64_t)ev->text.n;
			vy_buf_addstr(&r->shown, ev->text);
		}
	}
	agent_out_fini(&r->out);
	agent_out_init(&r->out, &r->arena);
}

/* vyred dies here: the state goes through the store. */
static void cut(struct run *r)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	struct vy_jw w = VY_JW(&text);
	struct vy_err e = { 0 };

	shell_ops.encode(r->a, &w);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&text), &e);

	assert_true(shell_is_state(v));
	shell_ops.free(r->a);
	r->a = shell_ops.decode(v, &e);
	assert_non_null(r->a);
}

static void lines(struct run *r, const char *text, bool is_cut)
{
	char *copy = vy_strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		shell_ops.line(r->a, AGENT_STDOUT, vy_str_c(line), &r->out);
		take(r);
		if (is_cut) {
			cut(r);
		}
	}
	free(copy);
}

static const struct {
	const char *name, *in, *out;
} rows[] = {
	{ "lines", "one\ntwo", "one\ntwo\n" },
	{ "an empty line", "a\n\nb", "a\n\nb\n" },
	{ "a token", "x " TOKEN " y", "x [redacted: github token] y\n" },
	{ "no UTF-8", "a\xff z", "a\xEF\xBF\xBD z\n" },
	{ "colours stay", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m\n" },
	{ "a key on many lines",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----\nz",
		"[redacted: private key]\nz\n" },
	{ "a key without end", "-----BEGIN PRIVATE KEY-----\nMIIEow", "[redacted: private key]\n" },
	{ "a key on one line", "-----BEGIN PRIVATE KEY-----x-----END PRIVATE KEY-----\nz",
		"[redacted: private key]\nz\n" },
};

static void secrets_are_not_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		for (int is_cut = 0; is_cut < 2; is_cut++) {
			struct run r;

			begin(&r);
			lines(&r, rows[i].in, is_cut);
			check_vstr(rows[i].name, vy_buf_str(&r.shown), vy_str_c(rows[i].out));
			end(&r);
		}
	}
}

static void much_is_cut_once_and_its_end_is_told(void **state)
{
	VY_AUTO_BUF told = VY_BUF_INIT(VY_MIB);
	char line[1001];
	struct run r;

	(void)state;
	memset(line, 'x', 1000);
	line[1000] = '\0';
	begin(&r);
	for (int i = 0; i < 3000; i++) {
		shell_ops.line(r.a, AGENT_STDOUT, vy_str_c(i < 2999 ? line : "the end"), &r.out);
		take(&r);
	}
	assert_in_range(r.shown.len, SHELL_SHOWN_MAX - 2000, SHELL_SHOWN_MAX + 100);
	assert_non_null(strstr(vy_buf_c(&r.shown), "no more of it is shown"));
	shell_ops.exited(r.a, 2, 0, &r.out);
	assert_int_equal(r.out.n, 1);
	assert_int_equal(vy_json_int(r.out.events[0].json, "exit", 0), 2);
	shell_tell(vy_str_c("make"), r.out.events[0].json, &told);
	assert_in_range(told.len, SHELL_HEAD_MAX, SHELL_HEAD_MAX + SHELL_TAIL_MAX + 2000);
	assert_non_null(strstr(vy_buf_c(&told), "$ make\n"));
	assert_non_null(strstr(vy_buf_c(&told), "bytes are left out"));
	assert_non_null(strstr(vy_buf_c(&told), "the end\n"));
	end(&r);
}

static void a_signal_is_a_status(void **state)
{
	VY_AUTO_BUF told = VY_BUF_INIT(VY_MIB);
	struct run r;

	(void)state;
	begin(&r);
	shell_ops.exited(r.a, 0, 9, &r.out);
	assert_int_equal(vy_json_int(r.out.events[0].json, "exit", 0), 137);
	shell_tell(vy_str_c("make"), r.out.events[0].json, &told);
	assert_non_null(strstr(vy_buf_c(&told), "status 137"));
	assert_non_null(strstr(vy_buf_c(&told), "printed nothing"));
	end(&r);
}

static void a_line_that_is_too_long_says_so(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	shell_ops.line_too_long(r.a, 1 << 20, VY_STR_LIT("head " TOKEN), &r.out);
	take(&r);
	check_vstr("cut", vy_buf_str(&r.shown),
		vy_str_c("head [redacted: github token] … the rest of this line is left out\n"));
	end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets_are_not_shown),
		cmocka_unit_test(much_is_cut_once_and_its_end_is_told),
		cmocka_unit_test(a_signal_is_a_status),
		cmocka_unit_test(a_line_that_is_too_long_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
