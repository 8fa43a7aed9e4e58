/* pane_test.c -- a terminal in a pane: what it shows, what a person's keys become, looking back. */
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/ink/cell_rows.h"
#include "tui/view/pane.h"

#define COLS 12
#define ROWS 4

struct world {
	struct cell_pool *pool;
	struct cell_grid grid;
	struct pane *pane;
	struct screen_cursor cursor;
	struct vy_buf text;
	int64_t now;
};

static void world_init(struct world *w, int cols, int rows)
{
	*w = (struct world){ .pool = cell_pool_new((struct vy_width){ 0 }),
		.text = VY_BUF_INIT(1 << 20) };
	cell_grid_init(&w->grid, w->pool, cols, rows);
	cell_grid_watch(&w->grid);
	w->pane = pane_new(w->pool, cols, rows);
}

static void world_fini(struct world *w)
{
	pane_free(w->pane);
	cell_grid_fini(&w->grid);
	cell_pool_free(w->pool);
	vy_buf_fini(&w->text);
}

static void feed(struct world *w, const char *bytes)
{
	pane_feed(w->pane, vy_str_c(bytes));
}

/* The rows as shown, parted by "|", without the blanks at their ends. */
static const char *shown(struct world *w)
{
	cell_frame_begin(&w->grid);
	pane_draw(w->pane, cell_win_all(&w->grid), w->now, &w->cursor);
	cell_frame_end(&w->grid);
	vy_buf_clear(&w->text);
	for (int y = 0; y < w->grid.rows; y++) {
		size_t end = w->text.len;

		for (int x = 0; x < w->grid.cols; x++) {
			const struct cell *c = cell_at(&w->grid, x, y);

			if (c->width > 0) {
				vy_buf_addstr(&w->text, cell_text(&w->grid, c));
				end = cell_text(&w->grid, c).p[0] == ' ' ? end : w->text.len;
			}
		}
		vy_buf_truncate(&w->text, end);
		vy_buf_adds(&w->text, y + 1 < w->grid.rows ? "|" : "");
	}
	return vy_buf_c(&w->text);
}

static const char *copied(struct world *w)
{
	vy_buf_clear(&w->text);
	pane_copy(w->pane, &w->text);
	return vy_buf_c(&w->text);
}

static void lines(struct world *w, int from, int to)
{
	char line[32];

	for (int i = from; i <= to; i++) {
		snprintf(line, sizeof(line), "%sline %d", i > from ? "\r\n" : "", i);
		feed(w, line);
	}
}

/* ---- what is shown ---- */

static const struct {
	const char *name, *bytes, *shown;
} shows[] = {
	{ "nothing yet", "", "|||" },
	{ "text", "hello\r\nworld", "hello|world||" },
	{ "a line that wraps", "abcdefghijklmnop", "abcdefghijkl|mnop||" },
	{ "wide glyphs", "中文 a\r\n一", "中文 a|一||" },
	{ "a wide glyph does not fit", "abcdefghijk中", "abcdefghijk|中||" },
	{ "a mark on its base", "e\xCC\x81t", "e\xCC\x81t|||" },
	{ "a heart with a selector", "\xE2\x9D\xA4\xEF\xB8\x8Fx", "\xE2\x9D\xA4x|||" },
	{ "it scrolls", "1\r\n2\r\n3\r\n4\r\n5", "2|3|4|5" },
	{ "concealed", "a\033[8mbc\033[0md", "a  d|||" },
	{ "the alternate screen", "main\033[?1049h\033[Halt", "alt|||" },
	{ "and back", "main\033[?1049h\033[Halt\033[?1049l", "main|||" },
};

static void test_shows(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(shows); i++) {
		struct world w;

		world_init(&w, COLS, ROWS);
		feed(&w, shows[i].bytes);
		check_str(shows[i].name, shown(&w), shows[i].shown);
		check_str(shows[i].name, shown(&w), shows[i].shown); /* kept, not drawn again */
		world_fini(&w);
	}
}

/* Drawn after every byte or once: it looks the same. */
static void test_dirty(void **state)
{
	static const char bytes[] =
		"one\r\ntwo\r\nthree\r\nfour\033[1;1Hx\033[2J\033[3;3Hmid\033[?5h"
		"\r\n\r\nscroll\r\n\033[1;2r\033[2;1H\nregion\033[r\033[?5l";
	struct world a, b;

	(void)state;
	world_init(&a, COLS, ROWS);
	world_init(&b, COLS, ROWS);
	for (size_t i = 0; i + 1 < sizeof(bytes); i++) {
		pane_feed(a.pane, vy_str_n(bytes + i, 1));
		shown(&a);
	}
	feed(&b, bytes);
	check_str("in steps", shown(&a), shown(&b));
	for (int y = 0; y < ROWS; y++) {
		for (int x = 0; x < COLS; x++) {
			check_int("style", cell_at(&a.grid, x, y)->attrs,
				cell_at(&b.grid, x, y)->attrs);
		}
	}
	world_fini(&a);
	world_fini(&b);
}

static void test_styles(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	feed(&w, "\033[1;38;2;1;2;3;48;5;200ma\033[0m\033]8;;http://x.y/\033\\l\033]8;;\033\\");
	shown(&w);
	check_int("true colour", cell_at(&w.grid, 0, 0)->fg, CELL_RGB(0x010203));
	check_int("index", cell_at(&w.grid, 0, 0)->bg, CELL_INDEX(200));
	check_int("bold", cell_at(&w.grid, 0, 0)->attrs, CELL_BOLD);
	check_vstr("link", cell_link_url(w.pool, cell_at(&w.grid, 1, 0)->link),
		vy_str_c("http://x.y/"));
	check_vstr("link at", pane_link_at(w.pane, 1, 0), vy_str_c("http://x.y/"));
	feed(&w, "\033[?5h");
	shown(&w);
	check_int("reversed", cell_at(&w.grid, 5, 2)->attrs, CELL_REVERSE);
	world_fini(&w);
}

static void test_cursor(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	feed(&w, "ab\r\nc\033[5 q");
	shown(&w);
	check_int("x", w.cursor.x, 1);
	check_int("y", w.cursor.y, 1);
	check_int("shape", w.cursor.shape, SCREEN_CURSOR_BAR);
	check_true("visible", w.cursor.visible);
	feed(&w, "\033[?25l");
	shown(&w);
	check_true("hidden", !w.cursor.visible);
	world_fini(&w);
}

static void test_small_window(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	pane_resize(w.pane, COLS, 8);
	lines(&w, 1, 8);
	check_str("the rows at the cursor", shown(&w), "line 5|line 6|line 7|line 8");
	feed(&w, "\033[1;1H");
	check_str("it is above", shown(&w), "line 1|line 2|line 3|line 4");
	world_fini(&w);
}

static void test_sync(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	feed(&w, "old");
	shown(&w);
	feed(&w, "\033[?2026h\033[2J\033[Hhalf");
	check_str("hidden", shown(&w), "old|||");
	check_true("due", pane_next_ms(w.pane, w.now) > 0);
	feed(&w, " whole\033[?2026l");
	check_str("whole", shown(&w), "half whole|||");
	check_int("nothing due", pane_next_ms(w.pane, w.now), -1);
	feed(&w, "\033[?2026h\033[2J\033[Hstuck");
	shown(&w);
	w.now += PANE_SYNC_MS;
	check_str("not for ever", shown(&w), "stuck|||");
	world_fini(&w);
}

/* ---- keys ---- */

static const struct {
	const char *name, *modes, *key, *sent;
} keys[] = {
	{ "a letter", "", "a", "a" },
	{ "a capital", "", "A", "A" },
	{ "ctrl-c", "", "ctrl-c", "\003" },
	{ "ctrl-\\", "", "ctrl-\\", "\034" },
	{ "alt-b", "", "alt-b", "\033b" },
	{ "enter", "", "enter", "\r" },
	{ "shift-tab", "", "shift-tab", "\033[Z" },
	{ "backspace", "", "backspace", "\x7f" },
	{ "esc", "", "esc", "\033" },
	{ "up", "", "up", "\033[A" },
	{ "up of an application", "\033[?1h", "up", "\033OA" },
	{ "ctrl-right", "", "ctrl-right", "\033[1;5C" },
	{ "f1", "", "f1", "\033OP" },
	{ "f12", "", "f12", "\033[24~" },
	{ "delete", "", "delete", "\033[3~" },
};

static struct key_event press(const char *name)
{
	struct key_event ev = { .kind = KEY_EV_KEY };

	check_true(name, key_parse(vy_str_c(name), &ev.key));
	if (ev.key.mods == 0 && ev.key.code < 0x7f && ev.key.code >= ' ') {
		ev.text = vy_str_c(name);
	}
	return ev;
}

static void test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(keys); i++) {
		struct world w;
		struct key_event ev = press(keys[i].key);

		world_init(&w, COLS, ROWS);
		feed(&w, keys[i].modes);
		pane_key(w.pane, &ev);
		check_vstr(keys[i].name, vy_buf_str(pane_out(w.pane)), vy_str_c(keys[i].sent));
		world_fini(&w);
	}
}

static void test_paste(void **state)
{
	struct key_event ev = { .kind = KEY_EV_PASTE, .text = VY_STR_LIT("a\nb\033[201~") };
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	feed(&w, "\033[?2004h");
	pane_key(w.pane, &ev);
	check_vstr("no way out of the brackets", vy_buf_str(pane_out(w.pane)),
		vy_str_c("\033[200~a\rb[201~\033[201~"));
	world_fini(&w);
}

static void test_mouse(void **state)
{
	struct key_mouse m = { .kind = KEY_MOUSE_PRESS, .button = 1 },
			 up = { .kind = KEY_MOUSE_WHEEL_UP };
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	shown(&w);
	check_true("ours", !pane_mouse(w.pane, &m, 3, 1));
	feed(&w, "\033[?1000h\033[?1006h");
	check_true("the program's", pane_mouse(w.pane, &m, 3, 1));
	check_vstr("sent", vy_buf_str(pane_out(w.pane)), vy_str_c("\033[<0;4;2M"));
	m.mods = KEY_SHIFT;
	check_true("with shift ours", !pane_mouse(w.pane, &m, 3, 1));
	vy_buf_clear(pane_out(w.pane));
	feed(&w, "\033[?1000l\033[?1049h");
	check_true("a pager is scrolled", pane_mouse(w.pane, &up, 3, 1));
	check_vstr("by arrows", vy_buf_str(pane_out(w.pane)), vy_str_c("\033[A\033[A\033[A"));
	world_fini(&w);
}

/* History is shown, not answered; what is live is. */
static void test_muted(void **state)
{
	struct world w;
	VY_AUTO_BUF clip = VY_BUF_INIT(100);

	(void)state;
	world_init(&w, COLS, ROWS);
	pane_set_muted(w.pane, true);
	feed(&w, "\033[6n\a\033]52;c;aGVsbG8=\a");
	check_int("no answer", (long long)pane_out(w.pane)->len, 0);
	check_true("no bell", !pane_take_bell(w.pane));
	check_true("no clipboard", !pane_take_clip(w.pane, &clip));
	pane_set_muted(w.pane, false);
	feed(&w, "\033[6n\a\033]52;c;aGVsbG8=\a\033]52;c;?\a");
	check_vstr("an answer, none of the clipboard", vy_buf_str(pane_out(w.pane)),
		vy_str_c("\033[1;1R"));
	check_true("a bell", pane_take_bell(w.pane));
	check_true("once", !pane_take_bell(w.pane));
	check_true("clipboard", pane_take_clip(w.pane, &clip));
	check_vstr("its text", vy_buf_str(&clip), vy_str_c("hello"));
	world_fini(&w);
}

/* ---- looking back ---- */

static void test_scroll(void **state)
{
	struct world w;
	struct key_event ev = press("x");

	(void)state;
	world_init(&w, COLS, ROWS);
	lines(&w, 1, 20);
	shown(&w);
	pane_scroll(w.pane, -3);
	check_str("back", shown(&w), "line 14|line 15|line 16|line 17");
	check_int("behind", pane_behind(w.pane), 3);
	check_true("no cursor", !w.cursor.visible);
	feed(&w, "\r\nline 21\r\nline 22");
	check_str("it stays", shown(&w), "line 14|line 15|line 16|line 17");
	check_int("more behind", pane_behind(w.pane), 5);
	pane_page(w.pane, -100);
	check_str("the top", shown(&w), "line 1|line 2|line 3|line 4");
	pane_scroll(w.pane, 1000);
	check_str("the end", shown(&w), "line 19|line 20|line 21|line 22");
	pane_scroll(w.pane, -1);
	pane_key(w.pane, &ev);
	check_str("typing follows", shown(&w), "line 19|line 20|line 21|line 22");
	check_vstr("and is typed", vy_buf_str(pane_out(w.pane)), vy_str_c("x"));
	world_fini(&w);
}

/* A view that looks back at more than is kept is taken along. */
static void test_falls_out(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	lines(&w, 1, 20);
	shown(&w);
	pane_page(w.pane, -100);
	for (int i = 0; i < PANE_SCROLLBACK - 10; i++) {
		feed(&w, "\r\nnew");
	}
	check_str("the oldest there is", shown(&w), "line 7|line 8|line 9|line 10");
	world_fini(&w);
}

static void test_copy(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	feed(&w, "first line that is long\r\nsecond\r\n中文");
	shown(&w);
	pane_look(w.pane);
	pane_go(w.pane, PANE_TOP);
	check_str("a line is whole", copied(&w), "first line that is long");
	pane_select(w.pane, true);
	pane_go(w.pane, PANE_DOWN);
	pane_go(w.pane, PANE_DOWN);
	check_str("lines", copied(&w), "first line that is long\nsecond");
	pane_unselect(w.pane);
	pane_go(w.pane, PANE_TOP);
	pane_go(w.pane, PANE_WORD_RIGHT);
	pane_select(w.pane, false);
	pane_go(w.pane, PANE_RIGHT);
	pane_go(w.pane, PANE_RIGHT);
	check_str("characters", copied(&w), "lin");
	pane_unselect(w.pane);
	pane_drag(w.pane, 2, 0, 1, 3);
	check_str("by the mouse", copied(&w), "rst line that is long\nsecond\n中");
	world_fini(&w);
}

static void test_find(void **state)
{
	struct world w;
	size_t at;

	(void)state;
	world_init(&w, COLS, ROWS);
	lines(&w, 1, 30);
	feed(&w, "\r\na needle that wraps\r\nend");
	shown(&w);
	pane_look(w.pane);
	pane_find(w.pane, VY_STR_LIT("line 1"));
	check_int("matches", (long long)pane_found(w.pane, &at), 11);
	check_int("the newest first", (long long)at, 11);
	check_true("older", pane_find_step(w.pane, -1));
	pane_found(w.pane, &at);
	check_int("the one before", (long long)at, 10);
	check_str("it is in view", copied(&w), "line 18");
	pane_find_step(w.pane, 1);
	pane_find_step(w.pane, 1);
	pane_found(w.pane, &at);
	check_int("round", (long long)at, 1);
	pane_find(w.pane, VY_STR_LIT("that wraps"));
	check_int("over the edge of a row", (long long)pane_found(w.pane, &at), 1);
	feed(&w, "\r\nthat wraps");
	pane_find_step(w.pane, -1);
	check_int("what came meanwhile", (long long)pane_found(w.pane, &at), 2);
	pane_find(w.pane, VY_STR_LIT("no such"));
	check_int("none", (long long)pane_found(w.pane, &at), 0);
	check_true("no step", !pane_find_step(w.pane, 1));
	world_fini(&w);
}

static void test_sizes(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 1000, 1000 }, { 5000, 5000 }, { 40, 3 },
		{ 2, 50 } };
	struct world w;

	(void)state;
	world_init(&w, COLS, ROWS);
	lines(&w, 1, 100);
	pane_look(w.pane);
	pane_select(w.pane, false);
	for (size_t i = 0; i < VY_COUNT(sizes); i++) {
		pane_resize(w.pane, sizes[i][0], sizes[i][1]);
		shown(&w);
		pane_go(w.pane, PANE_TOP);
		pane_go(w.pane, PANE_WORD_LEFT);
		pane_go(w.pane, PANE_BOTTOM);
		pane_go(w.pane, PANE_LINE_END);
		pane_go(w.pane, PANE_WORD_RIGHT);
		shown(&w);
	}
	pane_reset(w.pane, COLS, ROWS);
	check_str("afresh", shown(&w), "|||");
	world_fini(&w);
}

CHECK_MAIN(CHECK_TEST(test_shows), CHECK_TEST(test_dirty), CHECK_TEST(test_styles),
	CHECK_TEST(test_cursor), CHECK_TEST(test_small_window), CHECK_TEST(test_sync),
	CHECK_TEST(test_keys), CHECK_TEST(test_paste), CHECK_TEST(test_mouse),
	CHECK_TEST(test_muted), CHECK_TEST(test_scroll), CHECK_TEST(test_falls_out),
	CHECK_TEST(test_copy), CHECK_TEST(test_find), CHECK_TEST(test_sizes))
