/* fit_test.c -- how many cells a picture takes. */
#include "tui/ink/fit.h"

#include "tests/check.h"
#include "shared/base/ban.h"

static const struct {
	const char *name;
	int64_t w, h;
	struct fit_room room;
	int cols, rows;
} table[] = {
	{ "as large as it is", 80, 160, { 80, 24, 8, 16 }, 10, 10 },
	{ "a cell that is not known", 80, 160, { 80, 24, 0, 0 }, 10, 10 },
	{ "another cell", 100, 200, { 80, 24, 10, 20 }, 10, 10 },
	{ "too wide", 1600, 320, { 100, 24, 8, 16 }, 100, 10 },
	{ "too tall", 320, 1600, { 100, 20, 8, 16 }, 8, 20 },
	{ "too wide and too tall: the nearer side decides", 1600, 1600, { 100, 20, 8, 16 }, 40,
		20 },
	{ "a photo in 80 columns", 4000, 3000, { 76, 12, 8, 16 }, 32, 12 },
	{ "a dot has a cell", 1, 1, { 80, 24, 8, 16 }, 1, 1 },
	{ "a line has a cell's height", 4000, 1, { 80, 24, 8, 16 }, 80, 1 },
	{ "a post has a cell's width", 1, 4000, { 80, 24, 8, 16 }, 1, 24 },
	{ "an icon is not made larger", 16, 16, { 80, 24, 8, 16 }, 2, 1 },
	{ "square cells", 80, 80, { 80, 24, 16, 16 }, 5, 5 },
	{ "one cell of room", 640, 480, { 1, 1, 8, 16 }, 1, 1 },
	{ "no room", 640, 480, { 0, 24, 8, 16 }, 0, 0 },
	{ "less than no room", 640, 480, { 80, -3, 8, 16 }, 0, 0 },
	{ "no width", 0, 480, { 80, 24, 8, 16 }, 0, 0 },
	{ "a width below none", -5, 480, { 80, 24, 8, 16 }, 0, 0 },
	{ "whatever a peer says", INT64_MAX, INT64_MAX, { 80, 24, 8, 16 }, 48, 24 },
	{ "whatever a peer says of one side", INT64_MAX, 1, { 80, 24, 8, 16 }, 80, 1 },
};

static void sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		struct fit_size s = fit_into(table[i].w, table[i].h, table[i].room);

		check_int(table[i].name, s.cols, table[i].cols);
		check_int(table[i].name, s.rows, table[i].rows);
	}
}

CHECK_MAIN(CHECK_TEST(sizes))
