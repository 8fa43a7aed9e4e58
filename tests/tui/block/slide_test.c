/* slide_test.c -- code that is not wrapped: where it is cut, what slides, and what stays whole. */
#include "tests/check.h"

#include "tests/tui/golden.h"
#include "tui/block/slide.h"
#include "shared/base/ban.h"

struct world {
	struct cell_pool *pool;
	struct block_sheet sheet;
	struct cell_grid seen;
	struct vy_buf text;
};

static void world_init(struct world *w)
{
	w->pool = cell_pool_new((struct vy_width){ 0 });
	block_sheet_init(&w->sheet, w->pool);
	cell_grid_init(&w->seen, w->pool, 1, 1);
	w->text = VY_BUF_INIT(4 << 20);
}

static void world_fini(struct world *w)
{
	vy_buf_fini(&w->text);
	cell_grid_fini(&w->seen);
	block_sheet_fini(&w->sheet);
	cell_pool_free(w->pool);
}

static struct vy_row said(struct vy_str text)
{
	return (struct vy_row){ .kind = VY_ROW_MESSAGE,
		.rev = 1,
		.key = VY_STR_LIT("k"),
		.message = { .done = true, .state = VY_MESSAGE_SENT, .text = text } };
}

static struct vy_row tool(const char *result)
{
	return (struct vy_row){ .kind = VY_ROW_TOOL,
		.rev = 1,
		.key = VY_STR_LIT("t"),
		.tool = { .name = VY_STR_LIT("Tool"),
			.summary = VY_STR_LIT("it"),
			.status = VY_TOOL_COMPLETED,
			.pct = -1,
			.result = vy_str_c(result) } };
}

static void draw(struct world *w, const struct vy_row *row, int cols, bool sides)
{
	struct block_how how = {
		.cols = cols, .is_open = true, .is_side_by_side = sides, .is_unwrapped = true
	};

	w->sheet.same = 0;
	block_draw(row, &how, &w->sheet);
	golden_check_grid("sheet", &w->sheet.grid, w->sheet.lines);
}

/* The sheet as it is seen when every block has slid by `shift`, without blanks at the ends. */
static const char *seen(struct world *w, int shift)
{
	const struct block_sheet *s = &w->sheet;

	cell_grid_resize(&w->seen, s->grid.cols, s->lines);
	vy_buf_clear(&w->text);
	for (int y = 0; y < s->lines; y++) {
		int at = slide_of(s, y), most = at >= 0 ? slide_most(s, at) : 0;
		size_t from = w->text.len;

		cell_blit(cell_win_all(&w->seen), 0, y, &s->grid,
			(struct cell_rect){ 0, y, s->grid.cols, 1 });
		slide_put(cell_win_all(&w->seen), y, s, y, shift < most ? shift : most, NULL);
		for (int x = 0; x < w->seen.cols; x++) {
			const struct cell *c = cell_at(&w->seen, x, y);

			if (c->width) {
				vy_buf_addstr(&w->text, cell_text(&w->seen, c));
			}
		}
		while (w->text.len > from && w->text.data[w->text.len - 1] == ' ') {
			vy_buf_truncate(&w->text, w->text.len - 1);
		}
		vy_buf_addc(&w->text, '\n');
	}
	golden_check_grid("seen", &w->seen, s->lines);
	return vy_buf_c(&w->text);
}

/* ---- where it is cut ---- */

#define GIRL "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"

static const struct {
	const char *name, *text;
	int cols, shift;
	const char *seen;
} cuts[] = {
	{ "what fits stays", "```\nabcdefgh\nab\n```", 14, 0, "    ▏ abcdefgh\n    ▏ ab\n" },
	{ "one cell too many", "```\nabcdefghi\nab\n```", 14, 0, "    ▏ abcdefg›\n    ▏ ab\n" },
	{ "slid by one", "```\nabcdefghi\nab\n```", 14, 1, "    ▏ ‹cdefghi\n    ▏ ‹\n" },
	{ "more on both sides", "```\nabcdefghijklmnop\n```", 14, 4, "    ▏ ‹fghijk›\n" },
	{ "no farther than its end, and a cursor", "```\nabcdefghijklmnop\n```", 14, 900,
		"    ▏ ‹klmnop\n" },
	{ "short lines slide along", "```\nabcdefghijklmnop\n\n  xyz\n```", 14, 2,
		"    ▏ ‹defghi›\n    ▏\n    ▏ ‹yz\n" },
	{ "a wide glyph under the right mark goes whole", "```\nabcdef中中\n```", 14, 0,
		"    ▏ abcdef ›\n" },
	{ "a wide glyph is not halved at the left", "```\na中中cdefghijklmnop\n```", 14, 2,
		"    ▏ ‹中cdef›\n" },
	{ "nor under the left mark", "```\n中中cdefghijklmnop\n```", 14, 2, "    ▏ ‹ cdefg›\n" },
	{ "emoji in pieces stay one", "```\n" GIRL GIRL GIRL GIRL GIRL "\n```", 14, 0,
		"    ▏ " GIRL GIRL GIRL " ›\n" },
	{ "a tab is as wide as it was", "```\n\tabcdefgh\n```", 14, 0, "    ▏     abc›\n" },
	{ "a tab half gone", "```\n\tabcdefgh\n```", 14, 2, "    ▏ ‹ abcde›\n" },
	{ "blocks of their own", "```\nabcdefghijkl\n```\n\nword\n\n```\nabcdefghi\n```", 14, 3,
		"    ▏ ‹efghij›\n\n    word\n\n    ▏ ‹defghi\n" },
	{ "in a quote", "> ```\n> abcdefghij\n> ```", 16, 1, "    ▎ ▏ ‹cdefgh›\n" },
	{ "in a list", "- ```\n  abcdefghij\n  ```", 16, 0, "    • ▏ abcdefg›\n" },
	{ "prose is wrapped", "alpha bravo charlie", 16, 5, "    alpha bravo\n    charlie\n" },
};

static void test_cuts(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < VY_COUNT(cuts); i++) {
		struct vy_row row = said(vy_str_c(cuts[i].text));

		draw(&w, &row, cuts[i].cols, false);
		check_str(cuts[i].name, seen(&w, cuts[i].shift), cuts[i].seen);
	}
	world_fini(&w);
}

/* ---- what tools bring ---- */

#define DIFF                                                                                       \
	"{\"type\":\"diff\",\"path\":\"a.txt\",\"added\":1,\"removed\":1,\"hunks\":[{\"old_"       \
	"start\":8,"                                                                               \
	"\"new_start\":8,\"lines\":[\" {\",\"-one two three four\",\"+one two THREE four\"]}]}"
#define OUTPUT                                                                                     \
	"{\"type\":\"terminal\",\"output\":\"one two three four "                                  \
	"five\\n\\u001b[31mred\\u001b[m\\n\"}"
#define READ                                                                                       \
	"{\"type\":\"files\",\"files\":[{\"path\":\"a.txt\",\"text\":\"one two three four five "   \
	"six\\n"                                                                                   \
	"b\\n\"}]}"

static const struct {
	const char *name, *result;
	int cols, shift;
	bool sides;
	const char *seen;
} brought[] = {
	{ "a diff", DIFF, 24, 0, false,
		"  ● Tool  it      +1 −1\n       8    {\n       9  - one two thr›\n"
		"       9  + one two THR›\n" },
	{ "its numbers and marks stay", DIFF, 24, 5, false,
		"  ● Tool  it      +1 −1\n       8    ‹\n       9  - ‹o three fo›\n"
		"       9  + ‹o THREE fo›\n" },
	{ "in two columns each is cut at its own edge", DIFF, 40, 0, true,
		"  ● Tool  it                      +1 −1\n"
		"       8    {           8    {\n"
		"       9  - one two t›  9  + one two T›\n" },
	{ "and both slide", DIFF, 40, 4, true,
		"  ● Tool  it                      +1 −1\n"
		"       8    ‹           8    ‹\n"
		"       9  - ‹wo three›  9  + ‹wo THREE›\n" },
	{ "what a command printed", OUTPUT, 24, 0, false,
		"  ● Tool  it\n      one two three fou›\n      red\n" },
	{ "it slides", OUTPUT, 24, 5, false, "  ● Tool  it\n      ‹o three four five\n      ‹\n" },
	{ "a file that was read", READ, 24, 8, false,
		"  ● Tool  it     1 file\n      ▏ ‹hree four five›\n      ▏ ‹\n" },
};

static void test_brought(void **state)
{
	struct world w;

	(void)state;
	world_init(&w);
	for (size_t i = 0; i < VY_COUNT(brought); i++) {
		struct vy_row row = tool(brought[i].result);

		draw(&w, &row, brought[i].cols, brought[i].sides);
		check_str(brought[i].name, seen(&w, brought[i].shift), brought[i].seen);
	}
	world_fini(&w);
}

/* ---- none of it ---- */

/* On a sheet that wraps nothing slides. */
static void test_wrapped(void **state)
{
	struct vy_row row = said(VY_STR_LIT("```\nabcdefghijklmnopqrstuvwxyz\n```"));
	struct block_how how = { .cols = 14 };
	struct world w;

	(void)state;
	world_init(&w);
	block_draw(&row, &how, &w.sheet);
	check_int("slides", w.sheet.n_slides + w.sheet.n_longs, 0);
	check_int("lines", w.sheet.lines, 4);
	check_int("no slide", slide_of(&w.sheet, 1), -1);
	draw(&w, &row, 14, false);
	check_int("a slide", w.sheet.n_slides, 1);
	check_int("a line", w.sheet.lines, 1);
	w.sheet.same = 0;
	block_draw(&row, &how, &w.sheet);
	check_int("wrapped again", w.sheet.n_slides + w.sheet.n_longs, 0);
	world_fini(&w);
}

CHECK_MAIN(CHECK_TEST(test_cuts), CHECK_TEST(test_brought), CHECK_TEST(test_wrapped))
