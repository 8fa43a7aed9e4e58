/* views_test.c -- how every view of the client looks: tests/screen/views/NAME.json and NAME.screen,
 * through the real painter and the emulator, in four sizes, in true colour and without colour.
 *
 * A new view is one NAME.json (stage.h says what a case has) and `make golden-update`. */
#include "tests/check.h"

#include "shared/base/limits.h"
#include "tests/screen/shot.h"
#include "tests/screen/stage.h"
#include "tests/tui/golden.h"
#include "shared/base/ban.h"

static const struct {
	int cols, rows;
} sizes[] = { { 80, 24 }, { 100, 30 }, { 160, 50 }, { 40, 12 } };

static const struct {
	const char *name;
	enum theme_depth depth;
} depths[] = { { "true colour", THEME_DEPTH_RGB }, { "no colour", THEME_DEPTH_NONE } };

static void draw_one(
	const char *name, const struct vy_json *c, size_t size, size_t depth, struct vy_buf *out)
{
	struct theme t = { THEME_LOOK_DARK, depths[depth].depth };
	struct stage st;

	stage_open(&st, sizes[size].cols, sizes[size].rows, t, vy_json_bool(c, "ascii", false));
	stage_play(&st, c);
	golden_check_grid(name, &st.grid, st.grid.rows);
	check_int("bells", st.bells + st.titles + st.clips + st.oscs + st.answers, 0);
	vy_buf_addf(out, "== %s, %dx%d, %s\n", name, sizes[size].cols, sizes[size].rows,
		depths[depth].name);
	shot_text(st.vt, out);
	vy_buf_addc(out, '\n');
	stage_close(&st);
}

static void draw_case(const char *name, const struct vy_json *c, struct vy_buf *out)
{
	for (size_t size = 0; size < VY_COUNT(sizes); size++) {
		for (size_t depth = 0; depth < VY_COUNT(depths); depth++) {
			draw_one(name, c, size, depth, out);
		}
	}
}

static void views(void **state)
{
	(void)state;
	golden_run("tests/screen/views", draw_case);
}

CHECK_MAIN(CHECK_TEST(views))
