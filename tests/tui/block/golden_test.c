/* golden_test.c -- how rows and blocks look: tests/golden/block, and what holds at every width.
 *
 * A case: {name, row | block, cols: [widths], and of the look: open, depth, details, ascii, sides,
 * spin, now, wide (ambiguous characters take two cells)}. A row may leave out its key. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/tui/golden.h"
#include "tui/block/shape.h"

#define WIDEST 150

struct subject {
	struct cell_pool *pool;
	struct vy_arena arena;
	struct vy_row row;
	struct vy_block block;
	bool is_row;
	struct block_how how;
	struct block_sheet sheet;
};

static void open_subject(struct subject *s, const char *name, const struct vy_json *c)
{
	struct vy_json *row = vy_json_get(c, "row");
	struct vy_err e = { 0 };

	*s = (struct subject){ .pool = cell_pool_new((struct vy_width){
				       .ambiguous_wide = vy_json_bool(c, "wide", false) }),
		.is_row = row != NULL,
		.how = { .depth = (unsigned)vy_json_int(c, "depth", 0),
			.is_open = vy_json_bool(c, "open", false),
			.with_details = vy_json_bool(c, "details", false),
			.is_ascii = vy_json_bool(c, "ascii", false),
			.is_side_by_side = vy_json_bool(c, "sides", false),
			.spin = (int)vy_json_int(c, "spin", 0),
			.now_ms = vy_json_int(c, "now", 0) } };
	vy_arena_init(&s->arena);
	block_sheet_init(&s->sheet, s->pool);
	if (row) {
		static const char *const ids[] = { "key", "message", "tool_id", "term" };

		for (size_t i = 0; i < VY_COUNT(ids); i++) {
			if (!vy_json_get(row, ids[i])) {
				vy_json_set_c(row, ids[i], "x");
			}
		}
		if (vy_row_decode(row, &s->arena, &s->row, &e) != 0) {
			fail_msg("%s: %s", name, e.text);
		}
	} else {
		vy_block_read(vy_json_get(c, "block"), &s->arena, &s->block);
	}
}

static void close_subject(struct subject *s)
{
	block_sheet_fini(&s->sheet);
	vy_arena_fini(&s->arena);
	cell_pool_free(s->pool);
}

static void draw(struct subject *s, const char *title, int cols)
{
	s->how.cols = cols;
	if (s->is_row) {
		block_draw(&s->row, &s->how, &s->sheet);
	} else {
		block_sheet_reset(&s->sheet, cols);
		s->sheet.is_plain = s->how.is_ascii;
		shape_block(&s->block, &s->how, SHAPE_MARK, &s->sheet);
	}
	for (int i = 1; i < s->sheet.lines; i++) {
		check_true(title, s->sheet.marks[i - 1] <= s->sheet.marks[i]);
	}
	check_int(title, s->sheet.grid.cols, cols);
}

static void draw_case(const char *name, const struct vy_json *c, struct vy_buf *out)
{
	const struct vy_json *widths = vy_json_get(c, "cols");
	struct subject s;

	open_subject(&s, name, c);
	for (size_t i = 0; i < vy_json_len(widths); i++) {
		int cols = (int)vy_json_intval(vy_json_at(widths, i), 80);
		char title[200];

		snprintf(title, sizeof(title), "%s, %d columns", name, cols);
		draw(&s, title, cols);
		golden_add(out, title, &s.sheet.grid, s.sheet.lines, NULL);
	}
	for (int cols = 1; cols <= WIDEST; cols += cols < 50 ? 1 : 7) {
		draw(&s, name, cols);
		golden_check_grid(name, &s.sheet.grid, s.sheet.lines);
	}
	close_subject(&s);
}

static void test_pictures(void **state)
{
	(void)state;
	golden_run("tests/golden/block", draw_case);
}

CHECK_MAIN(CHECK_TEST(test_pictures))
