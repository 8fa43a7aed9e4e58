/* find_test.c -- a search through the whole session: its counts hold whatever comes, it costs no
 * layout, it opens what hides a match; and a selection stays on its words. */
#include "shared/base/mem.h"
#include "tests/shared/frame/frames.h"
#include "tests/tui/golden.h"
#include "tui/view/find.h"
#include "tui/view/transcript_text.h"

struct world {
	struct vy_arena arena;
	struct cell_pool *pool;
	struct vy_fold *fold;
	struct transcript *t;
	struct cell_grid grid;
	struct transcript_how how;
	struct vy_buf text;
	uint64_t cur;
};

static void world_init(struct world *w, int cols, int rows)
{
	*w = (struct world){ .pool = cell_pool_new((struct vy_width){ 0 }),
		.fold = vy_fold_new(),
		.how = { .is_browsing = true },
		.text = VY_BUF_INIT(1 << 20) };
	vy_arena_init(&w->arena);
	w->t = transcript_new(w->pool);
	cell_grid_init(&w->grid, w->pool, cols, rows);
}

static void world_fini(struct world *w)
{
	cell_grid_fini(&w->grid);
	transcript_free(w->t);
	vy_fold_free(w->fold);
	cell_pool_free(w->pool);
	vy_arena_fini(&w->arena);
	vy_buf_fini(&w->text);
}

static struct vy_change feed(struct world *w, const char *kind, const char *data)
{
	struct vy_frame f = frame_of(&w->arena, ++w->cur, kind, data);
	struct vy_change ch = { 0 };

	vy_fold_apply(w->fold, &f, &ch);
	transcript_changed(w->t, w->fold, &ch);
	return ch;
}

static void say(struct world *w, const char *text)
{
	feed(w, "user-message",
		vy_arena_printf(&w->arena, "'message':'u%llu','state':'sent','text':'%s'",
			(unsigned long long)w->cur, text));
}

static void draw(struct world *w)
{
	cell_grid_clear(&w->grid);
	transcript_draw(w->t, w->fold, cell_win_all(&w->grid), &w->how);
}

static void resize(struct world *w, int cols)
{
	cell_grid_resize(&w->grid, cols, w->grid.rows);
	draw(w);
}

static bool sees(struct world *w, const char *text)
{
	VY_AUTO_BUF all = VY_BUF_INIT(1 << 20);

	draw(w);
	for (int i = 0; i < w->grid.rows * w->grid.cols; i++) {
		const struct cell *c = &w->grid.cells[i];

		if (c->width) {
			vy_buf_addstr(&all, cell_text(&w->grid, c));
		}
	}
	return strstr(vy_buf_c(&all), text) != NULL;
}

static void test_a_long_session(void **state)
{
	struct world w;
	size_t at, before;

	(void)state;
	world_init(&w, 100, 30);
	for (int i = 0; i < 100000; i++) {
		vy_arena_reset(&w.arena);
		say(&w, vy_arena_printf(&w.arena, "message %d of many", i));
	}
	draw(&w);
	before = transcript_layouts(w.t);
	transcript_find(w.t, w.fold, VY_STR_LIT("message 123"));
	check_int("matches", (long long)transcript_found(w.t, w.fold, &at), 1 + 10 + 100);
	transcript_find(w.t, w.fold, VY_STR_LIT("message 12345 "));
	check_int("one", (long long)transcript_found(w.t, w.fold, &at), 1);
	check_int("it", (long long)at, 1);
	check_true("shown", sees(&w, "message 12345 of many"));
	check_true("laid out: windows, not the session", transcript_layouts(w.t) - before < 300);
	transcript_find(w.t, w.fold, VY_STR_LIT("OF MANY"));
	check_int("capitals count", (long long)transcript_found(w.t, w.fold, &at), 0);
	check_true("none", !transcript_find_step(w.t, w.fold, 1));
	transcript_scroll(w.t, w.fold, -4000);
	draw(&w);
	check_true("somewhere", !transcript_is_following(w.t) && sees(&w, "message 10345 of many"));
	transcript_find_begin(w.t, w.fold);
	transcript_find(w.t, w.fold, VY_STR_LIT("message 77777 "));
	check_true("far away", sees(&w, "message 77777 of many"));
	transcript_find_cancel(w.t, w.fold);
	check_true("and back", sees(&w, "message 10345 of many"));
	transcript_follow(w.t);
	draw(&w);
	transcript_find_begin(w.t, w.fold);
	transcript_find(w.t, w.fold, VY_STR_LIT("message 77777 "));
	draw(&w);
	transcript_find_cancel(w.t, w.fold);
	draw(&w);
	check_true("to the end", transcript_is_following(w.t));
	world_fini(&w);
}

/* After each frame the counts are those of a search that begins anew. */
static void test_counts_hold(void **state)
{
	static const struct {
		const char *kind, *data;
	} frames[] = {
		{ "user-message", "'message':'a','state':'sent','text':'needle, one'" },
		{ "turn-started", "'turn':'t1'" },
		{ "text-delta", "'message':'m','index':0,'text':'a nee'" },
		{ "text-delta", "'message':'m','index':0,'text':'dle and a need'" },
		{ "text-delta", "'message':'m','index':0,'text':'le'" },
		{ "thinking-delta", "'message':'m','index':1,'text':'needle'" },
		{ "tool-started", "'tool_id':'b','tool':'Bash','kind':'shell','summary':'needle'" },
		{ "tool-finished", "'tool_id':'b','status':'completed','result':{'type':'terminal',"
				   "'command':'x','output':'needle needle'}" },
		{ "user-message", "'message':'q','state':'queued','text':'a needle that waits'" },
		{ "text-delta", "'message':'n','index':0,'text':'the last needle'" },
	};
	struct world w;
	struct find live, fresh;

	(void)state;
	world_init(&w, 60, 20);
	find_init(&live);
	find_init(&fresh);
	find_set(&live, w.fold, VY_STR_LIT("needle"));
	for (size_t i = 0; i < VY_COUNT(frames); i++) {
		struct vy_change ch = feed(&w, frames[i].kind, frames[i].data);

		find_changed(&live, w.fold, &ch);
		find_set(&fresh, w.fold, VY_STR_LIT("x"));
		find_set(&fresh, w.fold, VY_STR_LIT("needle"));
		check_int(frames[i].data, (long long)live.total, (long long)fresh.total);
		check_int(frames[i].data, (long long)live.n, (long long)fresh.n);
		for (size_t k = 0; k < live.n; k++) {
			check_int("row", (long long)live.hits[k].row, (long long)fresh.hits[k].row);
			check_int("matches", (long long)live.hits[k].n, (long long)fresh.hits[k].n);
		}
	}
	check_true("there are some", live.total >= 7);
	find_fini(&live);
	find_fini(&fresh);
	world_fini(&w);
}

static void test_steps_and_hidden(void **state)
{
	struct world w;
	size_t at;

	(void)state;
	world_init(&w, 60, 12);
	say(&w, "needle one, needle two");
	feed(&w, "tool-started", "'tool_id':'b','tool':'Bash','kind':'shell','summary':'seq'");
	feed(&w, "tool-finished",
		"'tool_id':'b','status':'completed','result':{'type':'terminal','exit':0,'command':"
		"'seq',"
		"'output':'1\\n2\\nneedle three\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11\\n12'}");
	say(&w, "no more");
	check_true("folded", !sees(&w, "needle three"));
	transcript_find(w.t, w.fold, VY_STR_LIT("needle"));
	check_int("all", (long long)transcript_found(w.t, w.fold, &at), 3);
	check_int("first", (long long)at, 1);
	transcript_find_step(w.t, w.fold, 1);
	transcript_found(w.t, w.fold, &at);
	check_int("second", (long long)at, 2);
	transcript_find_step(w.t, w.fold, 1);
	transcript_found(w.t, w.fold, &at);
	check_int("third", (long long)at, 3);
	check_true("opened", sees(&w, "needle three"));
	transcript_find_step(w.t, w.fold, 1);
	transcript_found(w.t, w.fold, &at);
	check_int("round", (long long)at, 1);
	transcript_find_step(w.t, w.fold, -1);
	transcript_found(w.t, w.fold, &at);
	check_int("and back", (long long)at, 3);
	world_fini(&w);
}

static const char *copied(struct world *w)
{
	vy_buf_clear(&w->text);
	transcript_copy(w->t, w->fold, &w->text);
	return vy_buf_c(&w->text);
}

static void test_selection_stays(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 40, 14);
	say(&w, "one two three four five six seven eight nine ten eleven");
	say(&w, "second message");
	draw(&w);
	/* "three" begins at 4 + 8; to the end of "second" */
	transcript_drag(w.t, w.fold, 12, 1, 9, 4);
	check_str(
		"dragged", copied(&w), "three four five six seven eight nine ten eleven\n\nsecond");
	for (int cols = 20; cols < 120; cols += 10) {
		resize(&w, cols);
		say(&w, "and more comes");
		draw(&w);
		check_str("whatever comes", copied(&w),
			"three four five six seven eight nine ten eleven\n\nsecond");
	}
	transcript_unmark(w.t);
	transcript_select(w.t, w.fold, TRANSCRIPT_MINE, -1);
	check_str("the row itself", copied(&w),
		"one two three four five six seven eight nine ten eleven");
	transcript_mark(w.t, w.fold, TRANSCRIPT_ROWS);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, 1);
	check_str("two rows", copied(&w),
		"one two three four five six seven eight nine ten eleven\n\nsecond message");
	world_fini(&w);
}

static void test_moves_over_rows(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 60, 14);
	say(&w, "ab");
	say(&w, "cd");
	draw(&w);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	transcript_mark(w.t, w.fold, TRANSCRIPT_CHARS);
	transcript_move(w.t, w.fold, TRANSCRIPT_RIGHT);
	check_str("two", copied(&w), "ab");
	transcript_move(w.t, w.fold, TRANSCRIPT_DOWN);
	check_str("down", copied(&w), "ab\n\ncd");
	transcript_move(w.t, w.fold, TRANSCRIPT_LINE_START);
	check_str("start", copied(&w), "ab\n\nc");
	transcript_move(w.t, w.fold, TRANSCRIPT_LEFT);
	transcript_move(w.t, w.fold, TRANSCRIPT_LEFT);
	check_str("back over the row", copied(&w), "ab");
	transcript_move(w.t, w.fold, TRANSCRIPT_UP);
	check_str("no further", copied(&w), "ab");
	draw(&w);
	world_fini(&w);
}

static void test_links(void **state)
{
	struct world w;
	uint16_t link = 0;
	int cells = 0;

	(void)state;
	world_init(&w, 40, 14);
	feed(&w, "text-delta",
		"'message':'m','index':0,'text':'See [a link whose words are long enough for two "
		"rows]"
		"(https://example.org/a), and https://example.org/b too.\\n\\nEnd.\\n\\n'");
	draw(&w);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	check_vstr("first", transcript_link(w.t, w.fold, 0), VY_STR_LIT("https://example.org/a"));
	check_vstr("second", transcript_link(w.t, w.fold, 1), VY_STR_LIT("https://example.org/b"));
	check_int("no third", (long long)transcript_link(w.t, w.fold, 2).n, 0);
	for (int i = 0; i < w.grid.cols * w.grid.rows; i++) {
		uint16_t here = w.grid.cells[i].link;

		if (here && vy_str_is(cell_link_url(w.pool, here), "https://example.org/a")) {
			check_true("one id over its rows", link == 0 || link == here);
			link = here;
			cells++;
		}
	}
	check_true("over two rows", cells > 36);
	world_fini(&w);
}

/* "abc שלום (עולם) def": seen turned, copied as it was said. */
static void test_right_to_left(void **state)
{
	static const char said[] = "abc \u05e9\u05dc\u05d5\u05dd (\u05e2\u05d5\u05dc\u05dd) def";
	static const char seen[] = "abc (\u05dd\u05dc\u05d5\u05e2) \u05dd\u05d5\u05dc\u05e9 def";
	struct world w;

	(void)state;
	world_init(&w, 60, 8);
	say(&w, said);
	check_true("turned", sees(&w, seen));
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	check_str("its source", copied(&w), said);
	transcript_drag(w.t, w.fold, 4, 1, 40, 1);
	check_str("all of it", copied(&w), said);
	check_true("still turned", sees(&w, seen));
	/* at the first Hebrew letter, which is the last one seen of its word */
	transcript_drag(w.t, w.fold, 18, 1, 18, 1);
	check_str("what is pointed at", copied(&w), "\u05e9");
	w.how.is_straight = true;
	check_true("left to the terminal", sees(&w, said));
	transcript_unmark(w.t);
	world_fini(&w);
}

/* Any width, half a word or a wide glyph at the edge: the same glyphs, and whole ones. */
static void test_turned_whole(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 60, 12);
	say(&w, "\u05e9\u05dc\u05d5\u05dd 漢字 \u05e2\u05d5\u05dc\u05dd 👩‍👩‍👧 "
		"\u05de\u05d9\u05dc\u05d4 e\u0301 12.5 \u05d0");
	for (int cols = 8; cols < 70; cols++) {
		resize(&w, cols);
		golden_check_grid("turned", &w.grid, w.grid.rows);
	}
	world_fini(&w);
}

CHECK_MAIN(CHECK_TEST(test_a_long_session), CHECK_TEST(test_counts_hold),
	CHECK_TEST(test_steps_and_hidden), CHECK_TEST(test_selection_stays),
	CHECK_TEST(test_moves_over_rows), CHECK_TEST(test_links), CHECK_TEST(test_right_to_left),
	CHECK_TEST(test_turned_whole))
