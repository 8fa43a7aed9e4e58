/* develop_test.c -- pictures, good ones and hostile ones, through the program that decodes them. */
#include "tui/ink/develop.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/tui/child.h"
#include "tui/ink/confine.h"
#include "shared/base/ban.h"

static const struct develop_want want_cells = { DEVELOP_CELLS_RGB, { 8, 4 }, 8, 16, 0x102030 };

#define HEAD_BYTES (5 * sizeof(int64_t))

/* ---- one picture through a child ---- */

static void read_file(const char *name, struct vy_buf *out)
{
	char path[4096], piece[4096];
	const char *top = getenv("top_srcdir");
	size_t n;

	snprintf(path, sizeof(path), "%s/tests/corpus/picture/%s", top ? top : ".", name);
	FILE *f = fopen(path, "re");

	check_true(path, f != NULL);
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0) {
		vy_buf_add(out, piece, n);
	}
	fclose(f);
}

/* Its status as of waitpid. */
static int through_child(
	struct vy_str bytes, const struct develop_want *want, struct developed *out)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(DEVELOP_MAX);
	int status = child_answer(bytes, want, &answer);

	check_true("an answer that fits", !vy_buf_is_over(&answer));
	develop_read(vy_buf_str(&answer), want, out);
	return status;
}

/* ---- what comes of each file ---- */

#define RED   0xdc2828
#define GREEN 0x28c83c

static const struct {
	const char *file;
	enum decode_end end;
	int64_t w, h;
	int32_t first, last_of_row; /* colours, about; -2: not looked at */
} files[] = {
	{ "card.png", DECODE_OK, 64, 64, RED, GREEN },
	{ "card.jpg", DECODE_OK, 64, 64, RED, GREEN },
	{ "card.gif", DECODE_OK, 64, 64, RED, GREEN },
	{ "card.webp", DECODE_OK, 64, 64, RED, GREEN },
	{ "lossy.webp", DECODE_OK, 64, 64, -2, -2 },
	{ "turned.jpg", DECODE_OK, 48, 64, RED, GREEN },
	{ "progressive.jpg", DECODE_OK, 64, 64, RED, GREEN },
	{ "cmyk.jpg", DECODE_OK, 64, 64, RED, GREEN },
	{ "grey.jpg", DECODE_OK, 64, 64, -2, -2 },
	{ "laced.gif", DECODE_OK, 64, 64, RED, GREEN },
	{ "clear.png", DECODE_OK, 64, 64, PICTURE_CLEAR, PICTURE_CLEAR },
	{ "sixteen.png", DECODE_OK, 8, 8, 0xff8000, 0xff8000 },
	{ "moving.gif", DECODE_OK, 32, 32, 0xff0000, 0xff0000 },
	{ "moving.webp", DECODE_OK, 32, 32, 0xff0000, 0xff0000 },
	{ "jpeg-inside.png", DECODE_OK, 64, 64, RED, GREEN },
	{ "beside.gif", DECODE_OK, 64, 64, PICTURE_CLEAR, PICTURE_CLEAR },
	{ "text.png", DECODE_UNKNOWN, 0, 0, -2, -2 },
	{ "cut.png", DECODE_BROKEN, 64, 64, -2, -2 },
	{ "cut.jpg", DECODE_BROKEN, 64, 64, -2, -2 },
	{ "cut.gif", DECODE_BROKEN, 64, 64, -2, -2 },
	{ "cut.webp", DECODE_BROKEN, 64, 64, -2, -2 },
	{ "short.png", DECODE_BROKEN, 0, 0, -2, -2 },
	{ "short.jpg", DECODE_BROKEN, 0, 0, -2, -2 },
	{ "short.gif", DECODE_BROKEN, 0, 0, -2, -2 },
	{ "short.webp", DECODE_BROKEN, 0, 0, -2, -2 },
	{ "zero.png", DECODE_BROKEN, 0, 0, -2, -2 },
	{ "endless.png", DECODE_BROKEN, 0, 0, -2, -2 },
	{ "bomb.png", DECODE_TOO_LARGE, 60000, 60000, -2, -2 },
	{ "bomb.jpg", DECODE_TOO_LARGE, 65500, 65500, -2, -2 },
	{ "bomb.gif", DECODE_TOO_LARGE, 60000, 60000, -2, -2 },
	{ "bomb.webp", DECODE_TOO_LARGE, 16384, 16384, -2, -2 },
};

static int far(int32_t a, int32_t b)
{
	int most = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int d = abs((a >> shift & 255) - (b >> shift & 255));

		most = d > most ? d : most;
	}
	return most;
}

/* What is seen of a cell that has one colour. */
static int32_t color_of(const struct picture_cell *c)
{
	return c->glyph == ' ' ? c->bg : c->fg;
}

static void check_color(const char *name, const struct picture_cell *c, int32_t want)
{
	int32_t got = color_of(c);

	if (want == PICTURE_CLEAR) {
		check_int(name, got, want);
	} else if (want >= 0) {
		check_true(name, got >= 0 && far(got, want) < 60);
	}
}

static void every_file(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(files); i++) {
		VY_AUTO_BUF bytes = VY_BUF_INIT(VY_MIB);
		struct developed d;
		int status;

		read_file(files[i].file, &bytes);
		status = through_child(vy_buf_str(&bytes), &want_cells, &d);
		check_true(files[i].file, WIFEXITED(status) && WEXITSTATUS(status) == 0);
		check_int(files[i].file, d.end, files[i].end);
		check_int(files[i].file, d.own_w, files[i].w);
		check_int(files[i].file, d.own_h, files[i].h);
		if (d.end == DECODE_OK) {
			check_color(files[i].file, &d.cells[0], files[i].first);
			check_color(files[i].file, &d.cells[want_cells.size.cols - 1],
				files[i].last_of_row);
		}
		developed_fini(&d);
	}
}

/* ---- looks ---- */

static bool is_cube(int32_t c) /* of the 240 colours that no terminal lets a person change */
{
	int r = c >> 16, g = c >> 8 & 255, b = c & 255;

#define STEP(v) ((v) == 0 || ((v) >= 95 && ((v)-95) % 40 == 0))
	return (STEP(r) && STEP(g) && STEP(b)) || (r == g && g == b && r >= 8 && (r - 8) % 10 == 0);
#undef STEP
}

static void few_colors(void **state)
{
	(void)state;
	struct develop_want want = want_cells;
	VY_AUTO_BUF bytes = VY_BUF_INIT(VY_MIB);
	struct developed d;

	want.kind = DEVELOP_CELLS_256;
	read_file("card.jpg", &bytes);
	through_child(vy_buf_str(&bytes), &want, &d);
	check_int("done", d.end, DECODE_OK);
	for (int i = 0; i < want.size.cols * want.size.rows; i++) {
		check_true("of the 256", is_cube(color_of(&d.cells[i])));
	}
	developed_fini(&d);
}

static void pixels(void **state)
{
	(void)state;
	struct develop_want want = { DEVELOP_PIXELS, { 4, 2 }, 8, 16, 0 };
	VY_AUTO_BUF bytes = VY_BUF_INIT(VY_MIB);
	struct developed d;

	read_file("card.png", &bytes);
	through_child(vy_buf_str(&bytes), &want, &d);
	check_int("done", d.end, DECODE_OK);
	check_int("as many as the cells have", d.w, 32);
	check_int("as many as the cells have", d.h, 32);
	check_int("red", d.rgba[0], 0xdc);
	check_int("and opaque", d.rgba[3], 255);
	check_int("green at the right", d.rgba[31 * 4 + 1], 0xc8);
	developed_fini(&d);
}

/* Clear pixels have no colour of their own. */
static void scaled(void **state)
{
	(void)state;
	uint8_t px[] = { 200, 100, 0, 255, 9, 9, 9, 0, 0, 100, 200, 255, 9, 9, 9, 0 }, one[4];
	struct decode_pixels p = { 4, 1, 4, 1, px };

	picture_scale(&p, 1, 1, one);
	check_int("red", one[0], 100);
	check_int("green", one[1], 100);
	check_int("blue", one[2], 100);
	check_int("half seen", one[3], 128);
}

/* ---- answers that are none ---- */

static void lies(void **state)
{
	(void)state;
	VY_AUTO_BUF bytes = VY_BUF_INIT(VY_MIB), good = VY_BUF_INIT(DEVELOP_MAX);
	struct developed d;

	read_file("card.png", &bytes);
	child_answer(vy_buf_str(&bytes), &want_cells, &good);
	develop_read(vy_buf_str(&good), &want_cells, &d);
	check_int("the good one", d.end, DECODE_OK);
	developed_fini(&d);
	for (size_t n = 0; n < good.len; n++) {
		develop_read(vy_str_n(good.data, n), &want_cells, &d);
		check_true("cut", d.end != DECODE_OK && !d.cells);
		developed_fini(&d);
	}
	for (size_t at = 0; at < 7 * sizeof(int64_t);
		at++) { /* no number of the head is believed */
		VY_AUTO_BUF bad = VY_BUF_INIT(DEVELOP_MAX);

		vy_buf_addstr(&bad, vy_buf_str(&good));
		bad.data[at] = (char)(bad.data[at] ^ 0x81);
		develop_read(vy_buf_str(&bad), &want_cells, &d);
		check_true("whole or nothing", (d.end == DECODE_OK) == (d.cells != NULL));
		developed_fini(&d);
	}
	good.data[HEAD_BYTES] = '\033'; /* the first glyph */
	develop_read(vy_buf_str(&good), &want_cells, &d);
	check_int("a glyph that is none", d.end, DECODE_BROKEN);
	developed_fini(&d);
}

/* Orders that are none: no answer, and an end that says so. */
static void bad_orders(void **state)
{
	(void)state;
	static const struct fit_size sizes[] = { { 0, 4 }, { 4, 0 }, { -1, 4 }, { 4, 1001 } };
	VY_AUTO_BUF bytes = VY_BUF_INIT(VY_MIB);
	pid_t pid;

	read_file("card.png", &bytes);
	for (size_t i = 0; i < VY_COUNT(sizes); i++) {
		VY_AUTO_BUF answer = VY_BUF_INIT(DEVELOP_MAX);
		struct develop_want want = want_cells;

		want.size = sizes[i];
		int status = child_answer(vy_buf_str(&bytes), &want, &answer);

		check_true("refused", WIFEXITED(status) && WEXITSTATUS(status) == 1);
		check_int("no answer", (long long)answer.len, 0);
	}
	check_int(
		"no program", develop_start("/nowhere", vy_buf_str(&bytes), &want_cells, &pid), -1);
}

/* ---- bounds ---- */

static int open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir)) {
		n++;
	}
	closedir(dir);
	return n;
}

static void nothing_left(void **state)
{
	(void)state;
	VY_AUTO_BUF bytes = VY_BUF_INIT(VY_MIB);
	int before = open_fds();

	read_file("card.png", &bytes);
	for (int i = 0; i < 5; i++) {
		struct developed d;

		through_child(vy_buf_str(&bytes), &want_cells, &d);
		developed_fini(&d);
	}
	check_int("descriptors", open_fds(), before);
	check_int("children", waitpid(-1, NULL, WNOHANG), -1);
}

/* What a child tries that was taken over: one letter for each thing it could do. */
static void try_all(void)
{
	char did[8] = "";
	size_t n = 0;

	did[n] = 'o';
	n += open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0;
	did[n] = 's';
	n += socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0;
#ifndef __SANITIZE_ADDRESS__
	did[n] = 'k';
	n += kill(getppid(), 0) == 0;
	did[n] = 'f';
	n += fork() >= 0;
	void *volatile much = malloc((size_t)CONFINE_DATA_MB << 20); /* clang would leave it out */

	did[n] = 'm';
	n += much != NULL;
#endif
	did[n] = '.';
	n++;
	_exit(write(STDOUT_FILENO, did, n) == (ssize_t)n ? 0 : 1);
}

static void confined(void **state)
{
	(void)state;
	int ends[2], status = 0;
	char did[16] = "";

	check_int("pipe", pipe(ends), 0);
	signal(SIGUSR1, SIG_IGN);
	pid_t pid = fork();

	if (pid == 0) {
		if (dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO && confine()) {
			try_all();
		}
		_exit(2);
	}
	close(ends[1]);
	check_true("it answers", read(ends[0], did, sizeof(did) - 1) > 0);
	check_str("it can do nothing", did, ".");
	close(ends[0]);
	waitpid(pid, &status, 0);
	check_true("and ends", WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

CHECK_MAIN(CHECK_TEST(every_file), CHECK_TEST(few_colors), CHECK_TEST(pixels), CHECK_TEST(scaled),
	CHECK_TEST(lies), CHECK_TEST(bad_orders), CHECK_TEST(nothing_left), CHECK_TEST(confined))
