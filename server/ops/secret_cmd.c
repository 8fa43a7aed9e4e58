/* secret_cmd.c -- vyred secret: keys go in by the terminal or a pipe, never by argv. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "server/io/secret.h"
#include "server/ops/ops.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define CTRL_C 3

static int usage(void)
{
	fputs("usage: vyred secret set NAME | list | remove NAME\n", stderr);
	return 2;
}

static int failed(const struct vy_err *e)
{
	fprintf(stderr, "vyred: %s\n", e->text);
	return e->code == VY_BAD_INPUT ? 2 : 1;
}

/* One line from stdin, without its newline. */
static size_t read_line(char *out, size_t room)
{
	size_t n = 0;

	while (n < room) {
		ssize_t got = read(STDIN_FILENO, out + n, 1);

		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0 || out[n] == '\n') {
			break;
		}
		n++;
	}
	return n;
}

static int set(const char *state_dir, const char *name)
{
	char line[VY_SECRET_MAX + 1];
	struct termios old, quiet;
	struct vy_err e = { 0 };
	bool is_tty = tcgetattr(STDIN_FILENO, &old) == 0;

	if (is_tty) {
		fprintf(stderr, "%s (not shown): ", name);
		quiet = old;
		/* ctrl-c ends the line instead of us: else the terminal would stay without echo */
		quiet.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
		quiet.c_cc[VEOL] = CTRL_C;
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
	}
	size_t n = read_line(line, sizeof(line));
	bool is_given_up = n > 0 && line[n - 1] == CTRL_C;

	if (is_tty) {
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &old);
		fputc('\n', stderr);
	}
	if (n > 0 && line[n - 1] == '\r') {
		n--; /* of a file from another system */
	}
	int rc = is_given_up ? vy_fail(&e, VY_BAD_INPUT, "nothing was changed")
			     : secret_set(state_dir, name, vy_str_n(line, n), &e);

	vy_wipe(line, sizeof(line));
	return rc == 0 ? 0 : failed(&e);
}

static void print_name(void *ctx, const char *name)
{
	(void)ctx;
	puts(name);
}

int ops_secret(const char *state_dir, const char *const *words, int n)
{
	struct vy_err e = { 0 };

	if (n == 2 && strcmp(words[0], "set") == 0) {
		return set(state_dir, words[1]);
	}
	if (n == 2 && strcmp(words[0], "remove") == 0) {
		return secret_remove(state_dir, words[1], &e) == 0 ? 0 : failed(&e);
	}
	if (n == 1 && strcmp(words[0], "list") == 0) {
		return secret_each(state_dir, print_name, NULL, &e) == 0 ? 0 : failed(&e);
	}
	return usage();
}
