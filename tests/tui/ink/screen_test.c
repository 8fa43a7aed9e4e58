/* screen_test.c -- the terminal back end on a real PTY: one write a frame, and a terminal that does not
 * read is not waited for. write() is counted by the linker's --wrap. */
#include "tests/check.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "tui/ink/rescue.h"
#include "tui/ink/screen.h"
#include "shared/base/ban.h"

static int writes;

ssize_t __real_write(int fd, const void *p, size_t n);
ssize_t __wrap_write(int fd, const void *p, size_t n);

ssize_t __wrap_write(int fd, const void *p, size_t n)
{
	writes++;
	return __real_write(fd, p, n);
}

/* ---- in the child: a client ---- */

static struct cell_pool *pool;
static struct cell_grid grid;

static void fill(int number)
{
	for (int y = 0; y < grid.rows; y++) {
		char line[64];

		snprintf(line, sizeof(line), "frame %d row %d %d", number, y, number * 7919 % 1000);
		cell_puts(cell_win_all(&grid), 0, y, line,
			theme_ink((enum theme_role)((number + y) % 9)));
	}
}

static int show(struct screen *s, int number)
{
	struct vy_err e;

	fill(number);
	return screen_present(s, &grid, (struct screen_cursor){ .visible = true }, &e);
}

/* Ends the child with the number of the line that did not hold. */
#define MUST(x)                                                                                    \
	do {                                                                                       \
		if (!(x)) {                                                                        \
			_exit(__LINE__ % 200 + 1);                                                 \
		}                                                                                  \
	} while (0)

/* Frames until the terminal takes no more; says so; then goes on as it is read. */
static void client(int say)
{
	struct screen_options o = { 0 };
	struct vy_err e;
	struct screen *s = screen_curses_open(&o, &e);
	int cols, rows, r = 0, n = 0;

	MUST(s != NULL);
	screen_set_theme(s, (struct theme){ .depth = THEME_DEPTH_256 });
	screen_size(s, &cols, &rows);
	MUST(cols == 60 && rows == 20);
	pool = cell_pool_new((struct vy_width){ 0 });
	cell_grid_init(&grid, pool, cols, rows);
	writes = 0;
	MUST(show(s, n) == 0 && writes == 1);
	MUST(show(s, n) == 0 && writes == 1); /* nothing changed, nothing written */
	while (r == 0 && n < 5000) {
		writes = 0;
		r = show(s, ++n);
		MUST(r != 0 || writes == 1 || screen_is_pending(s));
	}
	MUST(r == 1 && screen_is_pending(s));
	MUST(show(s, ++n) == 1); /* and no wait */
	MUST(__real_write(say, "b", 1) == 1);
	for (int i = 0; i < 1000 && screen_flush(s, &e) == 1; i++) {
		struct pollfd p = { .fd = screen_fd(s), .events = POLLOUT };

		poll(&p, 1, 10000);
	}
	MUST(!screen_is_pending(s) && show(s, 123456) == 0);
	MUST(ioctl(screen_fd(s), TIOCSWINSZ, &(struct winsize){ .ws_col = 50, .ws_row = 9 }) == 0);
	screen_size(s, &cols, &rows);
	MUST(cols == 60 && rows == 20); /* it is not asked at each frame … */
	screen_redraw(s);
	screen_size(s, &cols, &rows);
	MUST(cols == 50 && rows == 9); /* … but when it may be another */
	screen_close(s);
	cell_grid_fini(&grid);
	cell_pool_free(pool);
	_exit(0);
}

/* ---- in the parent: a terminal ---- */

static void slow_terminal(void **state)
{
	(void)state;
	struct winsize w = { .ws_col = 60, .ws_row = 20 };
	VY_AUTO_BUF got = VY_BUF_INIT(1 << 24);
	int master, say[2], status = 0;
	char b[4096];
	ssize_t n;

	assert_int_equal(pipe(say), 0);
	pid_t pid = forkpty(&master, NULL, NULL, &w);

	assert_true(pid >= 0);
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		close(say[0]);
		client(say[1]);
	}
	close(say[1]);
	check_int("it says that the terminal is full", read(say[0], b, 1), 1);
	while ((n = read(master, b, sizeof(b))) > 0) {
		vy_buf_add(&got, b, (size_t)n);
	}
	check_int("its status", waitpid(pid, &status, 0) == pid && WIFEXITED(status), 1);
	check_int("the line that did not hold", WEXITSTATUS(status), 0);
	check_true(
		"the last frame is whole", strstr(vy_buf_c(&got), "frame 123456 row 19 ") != NULL);
	size_t k = strlen(rescue_string);

	check_vstr("then the terminal is given back", vy_str_from(vy_buf_str(&got), got.len - k),
		vy_str_c(rescue_string));
	close(master);
	close(say[0]);
}

/* No terminal at all is an error with a sentence. */
static void no_terminal(void **state)
{
	(void)state;
	int say[2], status = 0;
	pid_t pid;

	assert_int_equal(pipe(say), 0);
	pid = fork();
	if (pid == 0) {
		struct screen_options o = { 0 };
		struct vy_err e;
		int null = open("/dev/null", O_RDWR);

		setsid();
		dup2(null, 0);
		dup2(null, 1);
		MUST(screen_curses_open(&o, &e) == NULL && e.code == VY_UNSUPPORTED);
		MUST(strcmp(e.text, "there is no terminal to draw on") == 0);
		_exit(0);
	}
	check_int("its status", waitpid(pid, &status, 0) == pid && WIFEXITED(status), 1);
	check_int("the line that did not hold", WEXITSTATUS(status), 0);
	close(say[0]);
	close(say[1]);
}

CHECK_MAIN(CHECK_TEST(slow_terminal), CHECK_TEST(no_terminal))
