/* copy_test.c -- how a clipboard is asked for: by what a place says of itself. */
#include "tests/check.h"
#include "tui/app/copy.h"

static void test_doors(void **state)
{
	static const struct {
		const char *name;
		struct copy_env env;
		enum copy_door door;
	} rows[] = {
		{ "xterm", { "xterm-256color", NULL, NULL, NULL }, COPY_RAW },
		{ "tmux says nothing", { "tmux", "/tmp/t,1,0", "", "" }, COPY_BUFFER },
		{ "tmux takes it", { "tmux", "/tmp/t,1,0", "on", "off" }, COPY_RAW },
		{ "raw goes before passing on", { "tmux", "/tmp/t,1,0", "on", "on" }, COPY_RAW },
		{ "tmux passes it on", { "tmux", "/tmp/t,1,0", "external", "on" }, COPY_PASSED },
		{ "tmux passes all on", { "tmux", "/tmp/t,1,0", "off", "all" }, COPY_PASSED },
		{ "an older tmux", { "screen", "/tmp/t,1,0", "external", "" }, COPY_BUFFER },
		{ "tmux is not here", { "xterm", "", "", "" }, COPY_RAW },
		{ "the console", { "linux", NULL, NULL, NULL }, COPY_NO_DOOR },
		{ "no terminal", { "dumb", NULL, NULL, NULL }, COPY_NO_DOOR },
		{ "a VT220", { "vt220", NULL, NULL, NULL }, COPY_NO_DOOR },
		{ "unknown", { NULL, NULL, NULL, NULL }, COPY_NO_DOOR },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_int(rows[i].name, (long long)copy_door_of(&rows[i].env), rows[i].door);
	}
}

static void test_bytes(void **state)
{
	static const struct {
		const char *name, *text;
		enum copy_door door;
		const char *bytes;
	} rows[] = {
		{ "raw", "hello", COPY_RAW, "\033]52;c;aGVsbG8=\a" },
		{ "passed on", "hello", COPY_PASSED, "\033Ptmux;\033\033]52;c;aGVsbG8=\a\033\\" },
		{ "nothing of the text is obeyed", "\033]0;x\a", COPY_RAW, "\033]52;c;G10wO3gH\a" },
		{ "UTF-8", "é漢", COPY_RAW, "\033]52;c;w6nmvKI=\a" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(4096);

		copy_osc52(vy_str_c(rows[i].text), rows[i].door, &out);
		check_str(rows[i].name, vy_buf_c(&out), rows[i].bytes);
	}
}

CHECK_MAIN(CHECK_TEST(test_doors), CHECK_TEST(test_bytes))
