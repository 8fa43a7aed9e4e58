/* picture_test.c -- rows with pictures: tests/golden/picture; and the cells of a terminal that draws.
 *
 * A case: {name, row | block, cols: [widths], and of the pictures: files {ref: file of
 * tests/corpus/picture}, look: cells | 256 | off, rows: most of one, open: its row is opened}. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/tui/album.h"
#include "tests/tui/golden.h"
#include "tui/block/shape.h"
#include "tui/ink/kitty.h"

struct subject {
	struct cell_pool *pool;
	struct vy_arena arena;
	struct vy_row row;
	struct vy_block block;
	bool is_row;
	struct block_how how;
	struct block_sheet sheet;
};

static struct album_conf conf_of(const struct vy_json *c)
{
	struct vy_str look = vy_json_str(c, "look");

	return (struct album_conf){ .look = vy_str_is(look, "off")     ? ALBUM_CAPTIONS
					    : vy_str_is(look, "kitty") ? ALBUM_PIXELS
								       : ALBUM_CELLS,
		.is_256 = vy_str_is(look, "256"),
		.rows = (int)vy_json_int(c, "rows", 12),
		.ground = 0x16181a };
}

static void open_subject(struct subject *s, const char *name, const struct vy_json *c)
{
	struct vy_json *row = vy_json_get(c, "row");
	struct album_conf conf = conf_of(c);
	struct vy_err e = { 0 };

	*s = (struct subject){ .pool = cell_pool_new((struct vy_width){ 0 }),
		.is_row = row != NULL,
		.how = { .is_ascii = vy_json_bool(c, "ascii", false),
			.is_open = vy_json_bool(c, "open", false),
			.album = album_new() } };
	album_set(s->how.album, &conf);
	vy_arena_init(&s->arena);
	block_sheet_init(&s->sheet, s->pool);
	if (row) {
		vy_json_set_c(row, "key", "x");
		if (vy_row_decode(row, &s->arena, &s->row, &e) != 0) {
			fail_msg("%s: %s", name, e.text);
		}
	} else {
		vy_block_read(vy_json_get(c, "block"), &s->arena, &s->block);
	}
}

static void close_subject(struct subject *s)
{
	album_free(s->how.album);
	block_sheet_fini(&s->sheet);
	vy_arena_fini(&s->arena);
	cell_pool_free(s->pool);
}

static void draw_once(struct subject *s, int cols)
{
	s->how.cols = cols;
	s->how.pictures = album_rev(s->how.album);
	if (s->is_row) {
		block_draw(&s->row, &s->how, &s->sheet);
	} else {
		block_sheet_reset(&s->sheet, cols);
		s->sheet.is_plain = s->how.is_ascii;
		shape_block(&s->block, &s->how, SHAPE_MARK, &s->sheet);
	}
	album_turn(s->how.album);
	for (size_t i = 0; i < s->sheet.n_pictures; i++) {
		album_see(s->how.album, s->sheet.pictures[i].id, s->sheet.pictures[i].size);
	}
}

/* As it is when nothing is to be brought any more. */
static void draw(struct subject *s, const struct vy_json *files, int cols)
{
	int turns = 0;

	draw_once(s, cols);
	while (files && album_bring(s->how.album, files)) {
		draw_once(s, cols);
		check_true("it comes to an end", turns++ < 20);
	}
}

static void draw_case(const char *name, const struct vy_json *c, struct vy_buf *out)
{
	const struct vy_json *widths = vy_json_get(c, "cols"), *files = vy_json_get(c, "files");
	struct subject s;

	open_subject(&s, name, c);
	for (size_t i = 0; i < vy_json_len(widths); i++) {
		int cols = (int)vy_json_intval(vy_json_at(widths, i), 80);
		char title[200];

		snprintf(title, sizeof(title), "%s, %d columns", name, cols);
		draw(&s, files, cols);
		golden_add(out, title, &s.sheet.grid, s.sheet.lines, NULL);
	}
	for (int cols = 1; cols <= 60; cols++) {
		draw(&s, files, cols);
		golden_check_grid(name, &s.sheet.grid, s.sheet.lines);
	}
	close_subject(&s);
}

static void test_pictures(void **state)
{
	(void)state;
	golden_run("tests/golden/picture", draw_case);
}

/* Each cell says its place in the picture, in the colour that says which one it is. */
static void test_kitty(void **state)
{
	(void)state;
	VY_AUTO_JSON *c =
		vy_json_parse(VY_STR_LIT("{\"look\":\"kitty\",\"files\":{\"r\":\"card.png\"},"
					 "\"block\":{\"type\":\"screen\",\"ref\":\"r\"}}"),
			NULL);
	struct subject s;

	open_subject(&s, "kitty", c);
	draw(&s, vy_json_get(c, "files"), 40);
	check_int("its rows", s.sheet.lines, 4);
	for (int y = 0; y < 4; y++) {
		for (int x = 0; x < 8; x++) {
			const struct cell *at = cell_at(&s.sheet.grid, SHAPE_MARK + x, y);
			char want[KITTY_CELL_MAX];
			size_t n = kitty_cell(y, x, want);

			check_vstr("a cell", cell_text(&s.sheet.grid, at), vy_str_n(want, n));
			check_int("one wide", at->width, 1);
			check_int("the image", at->fg, CELL_RGB(0x560001));
		}
	}
	check_vstr("nothing beside it",
		cell_text(&s.sheet.grid, cell_at(&s.sheet.grid, SHAPE_MARK + 8, 0)),
		VY_STR_LIT(" "));
	close_subject(&s);
}

CHECK_MAIN(CHECK_TEST(test_pictures), CHECK_TEST(test_kitty))
