/* mark_test.c -- each sign is one cell in both looks, and has a look-alike in ASCII terminals. */
#include "shared/text/width.h"
#include "tests/check.h"
#include "tui/block/mark.h"
#include "tui/ink/paint_ascii.h"

static const struct {
	const char *name, *utf8, *ascii;
} marks[] = {
#define BLOCK_MARK(name, utf8, ascii) { #name, utf8, ascii },
#include "tui/block/marks.def"
#undef BLOCK_MARK
};

static void test_marks(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(marks); i++) {
		const char *name = marks[i].name, *ascii = mark_look((enum block_mark)i, true);
		struct vy_str look = vy_str_c(mark_look((enum block_mark)i, false));
		VY_AUTO_BUF shown = VY_BUF_INIT(8);

		check_vstr(name, look, vy_str_c(marks[i].utf8));
		check_str(name, ascii, marks[i].ascii);
		check_int(name, (long long)vy_width_cells(look, (struct vy_width){ 0 }), 1);
		check_int(name, (long long)strlen(ascii), 1);
		check_true(name, ascii[0] >= 0x20 && ascii[0] < 0x7f);
		if (look.n > 1) {
			paint_ascii(look, 1, &shown);
			check_true(name, shown.len == 1 && shown.data[0] != '?');
		}
	}
	check_int("all", VY_COUNT(marks), MARK_COUNT);
}

CHECK_MAIN(CHECK_TEST(test_marks))
