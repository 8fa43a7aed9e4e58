/* views_test.c -- how every view of the client looks: tests/screen/views/NAME.json and NAME.screen,
 * through the real painter and the emulator, in four sizes, in true colour and without colour; the
 * main ones in every other look too.
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

struct look {
	const char *name;
	struct theme theme;
};

static const struct look everywhere[] = {
	{ "true colour", { THEME_LOOK_DARK, THEME_DEPTH_RGB } },
	{ "no colour", { THEME_LOOK_DARK, THEME_DEPTH_NONE } },
};

/* Of a case with "looks": true, in one size: it is the colours that are looked at. */
static const struct look once[] = {
	{ "light", { THEME_LOOK_LIGHT, THEME_DEPTH_RGB } },
	{ "high contrast", { THEME_LOOK_CONTRAST, THEME_DEPTH_RGB } },
	{ "16 colours", { THEME_LOOK_DARK, THEME_DEPTH_16 } },
	{ "16 colours, light", { THEME_LOOK_LIGHT, THEME_DEPTH_16 } },
};

static void draw_one(const char *name, const struct vy_json *c, int cols, int rows,
	const struct look *look, struct vy_buf *out)
{
	struct stage st;

	stage_open(&st, cols, rows, look->theme, vy_json_bool(c, "ascii", false));
	stage_play(&st, c);
	golden_check_grid(name, &st.grid, st.grid.rows);
	check_int("bells", st.bells + st.titles + st.clips + st.oscs + st.answers, 0);
	vy_buf_addf(out, "== %s, %dx%d, %s\n", name, cols, rows, look->name);
	shot_text(st.vt, out);
	vy_buf_addc(out, '\n');
	stage_close(&st);
}

static void draw_case(const char *name, const struct vy_json *c, struct vy_buf *out)
{
	for (size_t size = 0; size < VY_COUNT(sizes); size++) {
		for (size_t i = 0; i < VY_COUNT(everywhere); i++) {
			draw_one(name, c, sizes[size].cols, sizes[size].rows, &everywhere[i], out);
		}
	}
	for (size_t i = 0; i < VY_COUNT(once) && vy_json_bool(c, "looks", false); i++) {
		draw_one(name, c, 100, 30, &once[i], out);
	}
}

static void views(void **state)
{
	(void)state;
	golden_run("tests/screen/views", draw_case);
}

CHECK_MAIN(CHECK_TEST(views))
