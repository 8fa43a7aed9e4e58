/* outside_test.c -- a program that has the terminal: what it reads, how it ends, whose keys are whose. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "tests/check.h"
#include "tui/app/outside.h"

static bool was_read_whole;

static void feed(void *ctx, int fd)
{
	const char *text = ctx;

	was_read_whole = true;
	for (int i = 0; i < 20000 && was_read_whole; i++) {
		was_read_whole = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	}
}

static void test_ends(void **state)
{
	static const struct {
		const char *name, *line, *arg;
		int code;
		bool feeds, reads_whole;
	} rows[] = {
		{ "well", "true", NULL, 0, false, false },
		{ "not well", "exit 3", NULL, 3, false, false },
		{ "no such program", "exec /no/such/pager 2>/dev/null", NULL, 127, false, false },
		{ "by a signal", "kill -9 $$", NULL, 137, false, false },
		{ "the path is an argument", "test \"$1\" = 'a b; exit 9'", "a b; exit 9", 0, false,
			false },
		{ "all is read", "test $(wc -l) -eq 20000", NULL, 0, true, true },
		{ "enough is read", "head -1 >/dev/null", NULL, 0, true, false },
		{ "nothing is read", "exec <&-; true", NULL, 0, true, false },
		{ "its ctrl-c is not ours", "kill -INT $PPID; kill -QUIT $PPID; true", NULL, 0,
			false, false },
	};

	(void)state;
	signal(SIGPIPE, SIG_IGN); /* as the client does */
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };
		char text[] = "a line of the transcript\n";

		check_int(rows[i].name,
			outside_run(
				rows[i].line, rows[i].arg, rows[i].feeds ? feed : NULL, text, &e),
			rows[i].code);
		if (rows[i].feeds) {
			check_true(rows[i].name, was_read_whole == rows[i].reads_whole);
		}
	}
}

CHECK_MAIN(CHECK_TEST(test_ends))
