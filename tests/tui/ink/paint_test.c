/* paint_test.c -- the bytes of a frame. That they bring a real terminal there is tested with the
 * emulator, in tests/screen/paint_vt_test.c. */
#include "tests/check.h"

#include "tui/ink/cell_rows.h"
#include "tui/ink/paint.h"
#include "shared/base/ban.h"

#define BEGIN "\033[?2026h"
#define END   "\033[?2026l"

struct stage {
	struct cell_pool *pool;
	struct cell_grid g;
	struct paint p;
	struct vy_buf out;
	struct screen_cursor cursor;
};

static void stage_init(struct stage *s, int cols, int rows, struct paint_caps caps)
{
	s->pool = cell_pool_new((struct vy_width){ 0 });
	cell_grid_init(&s->g, s->pool, cols, rows);
	paint_init(&s->p, caps);
	s->p.theme = (struct theme){ THEME_LOOK_DARK, THEME_DEPTH_RGB };
	vy_buf_init(&s->out, 1 << 20);
	s->cursor = (struct screen_cursor){ .visible = true };
}

static void stage_fini(struct stage *s)
{
	vy_buf_fini(&s->out);
	paint_fini(&s->p);
	cell_grid_fini(&s->g);
	cell_pool_free(s->pool);
}

static const char *frame(struct stage *s)
{
	vy_buf_clear(&s->out);
	paint_frame(&s->p, &s->g, s->cursor, &s->out);
	return vy_buf_c(&s->out);
}

static void first_and_next(void **state)
{
	(void)state;
	struct stage s;

	stage_init(&s, 20, 2, (struct paint_caps){ 0 });
	cell_puts(cell_win_all(&s.g), 0, 0, "hello", (struct cell_style){ 0 });
	check_str("the first frame is whole", frame(&s),
		BEGIN "\033[?25l\033[?7l\033[r\033[m\033[H\033[2J\033[1;1Hhello\033[K\033[2;1H\033["
		      "K\033[2 q"
		      "\033[1;1H\033[?25h" END);
	check_str("the same again is nothing", frame(&s), "");
	s.cursor.x = 5;
	check_str("only the cursor", frame(&s), BEGIN "\033[1;6H" END);
	cell_puts(cell_win_all(&s.g), 5, 0, "!", (struct cell_style){ 0 });
	s.cursor.x = 6;
	check_str("one letter is one letter", frame(&s), BEGIN "!" END);
	cell_puts(cell_win_all(&s.g), 0, 1, "x", theme_on(THEME_DIFF_ADD, THEME_DIFF_ADD));
	check_str("colours", frame(&s),
		BEGIN "\033[2;1H\033[38;2;126;231;135;48;2;18;38;30mx\033[39;49m\033[1;7H" END);
	s.cursor.visible = false;
	check_str("hidden", frame(&s), BEGIN "\033[?25l" END);
	check_str("stays hidden", frame(&s), "");
	paint_forget(&s.p);
	check_true("forgotten: whole",
		strstr(frame(&s), "\033[2Jhello") || strstr(vy_buf_c(&s.out), "hello!"));
	stage_fini(&s);
}

static void jumps_and_tails(void **state)
{
	(void)state;
	struct stage s;
	struct cell_win w;

	stage_init(&s, 40, 1, (struct paint_caps){ 0 });
	w = cell_win_all(&s.g);
	cell_puts(w, 0, 0, "0123456789012345678901234567890123456789", (struct cell_style){ 0 });
	frame(&s);
	cell_puts(w, 2, 0, "A", (struct cell_style){ 0 });
	cell_puts(w, 5, 0, "B", (struct cell_style){ 0 });
	cell_puts(w, 20, 0, "C", (struct cell_style){ 0 });
	check_str("near is written, far is jumped to", frame(&s),
		BEGIN "\033[1;3HA34B\033[1;21HC\033[1;1H" END);
	cell_fill(w, (struct cell_rect){ 3, 0, 37, 1 }, (struct cell_style){ 0 });
	check_str("a blank tail is erased", frame(&s), BEGIN "\033[1;4H\033[K\033[1;1H" END);
	cell_fill(w, (struct cell_rect){ 0, 0, 40, 1 }, theme_on(THEME_TEXT, THEME_STATUS));
	check_str("in its ground", frame(&s), BEGIN "\033[48;2;32;36;43m\033[K\033[49m" END);
	stage_fini(&s);

	stage_init(&s, 8, 1, (struct paint_caps){ .no_bce = true });
	cell_fill(cell_win_all(&s.g), (struct cell_rect){ 0, 0, 8, 1 },
		theme_on(THEME_TEXT, THEME_STATUS));
	check_true("or written where erasing has none", strstr(frame(&s), "43m        \033[49m"));
	stage_fini(&s);
}

static void attributes_and_links(void **state)
{
	(void)state;
	struct stage s;
	struct cell_win w;

	stage_init(&s, 20, 1, (struct paint_caps){ 0 });
	w = cell_win_all(&s.g);
	frame(&s);
	cell_puts(w, 0, 0, "a", (struct cell_style){ .attrs = CELL_BOLD | CELL_STRIKE });
	cell_puts(w, 1, 0, "b",
		(struct cell_style){
			.attrs = CELL_BOLD, .fg = CELL_INDEX(9), .bg = CELL_INDEX(200) });
	check_str("one off means all anew", frame(&s),
		BEGIN "\033[1;9ma\033[0;1;91;48;5;200mb\033[m\033[1;1H" END);
	uint16_t link = cell_link(s.pool, VY_STR_LIT("https://x.example/"), NULL);

	cell_puts(w, 4, 0, "xy", (struct cell_style){ .link = link });
	check_str("a link opens and closes", frame(&s),
		BEGIN
		"\033[1;5H\033]8;id=v1;https://x.example/\033\\xy\033]8;;\033\\\033[1;1H" END);
	stage_fini(&s);

	stage_init(&s, 8, 1,
		(struct paint_caps){ .eight = true, .no_strings = true, .no_attrs = CELL_ITALIC });
	s.p.theme.depth = THEME_DEPTH_16;
	frame(&s);
	cell_puts(cell_win_all(&s.g), 0, 0, "e",
		(struct cell_style){ .fg = CELL_INDEX(9), .attrs = CELL_ITALIC, .link = 1 });
	check_str(
		"eight colours: bright is bold", frame(&s), BEGIN "\033[1;31me\033[m\033[1;1H" END);
	cell_puts(cell_win_all(&s.g), 0, 0, "d", (struct cell_style){ .fg = CELL_INDEX(8) });
	check_str(
		"but grey is dim, and never black", frame(&s), BEGIN "\033[2md\033[m\033[1;1H" END);
	stage_fini(&s);
}

static void disputed_widths(void **state)
{
	(void)state;
	struct stage s;
	struct cell_win w;

	stage_init(&s, 12, 1, (struct paint_caps){ 0 });
	w = cell_win_all(&s.g);
	cell_puts(w, 0, 0, "abcdefgh", (struct cell_style){ 0 });
	frame(&s);
	cell_puts(w, 0, 0, "👩‍💻", (struct cell_style){ 0 });
	check_str("blanked, drawn, and the spill repaired", frame(&s),
		BEGIN "  \033[1;1H👩‍💻\033[1;3Hcd\033[1;1H" END);
	cell_puts(w, 4, 0, "e\u0301", (struct cell_style){ 0 });
	check_str("a mark", frame(&s), BEGIN "\033[1;5He\u0301\033[1;1H" END);
	cell_puts(
		w, 9, 0, "\U0010EEEE\u0305\u0305\U0010EEEE\u0305\u030D", (struct cell_style){ 0 });
	check_str("the cells of a picture are agreed upon", frame(&s),
		BEGIN "\033[1;10H\U0010EEEE\u0305\u0305\U0010EEEE\u0305\u030D\033[1;1H" END);
	cell_puts(w, 6, 0, "中文", (struct cell_style){ 0 });
	check_str("ideographs are agreed upon", frame(&s), BEGIN "\033[1;7H中文\033[1;1H" END);
	stage_fini(&s);

	stage_init(&s, 12, 1, (struct paint_caps){ .ascii = true });
	frame(&s);
	cell_puts(cell_win_all(&s.g), 0, 0, "╭─● 中⏳é", (struct cell_style){ 0 });
	check_str("ASCII", frame(&s), BEGIN "+-* ??~ ?\033[1;1H" END);
	stage_fini(&s);
}

static void fill_rows(struct stage *s, int first)
{
	cell_grid_clear(&s->g);
	cell_puts(cell_win_all(&s->g), 0, 0, "status", (struct cell_style){ 0 });
	for (int y = 1; y < 9; y++) {
		char t[32];

		snprintf(t, sizeof(t), "line number %d", first + y);
		cell_puts(cell_win_all(&s->g), 0, y, t, (struct cell_style){ 0 });
	}
	cell_puts(cell_win_all(&s->g), 0, 9, "prompt", (struct cell_style){ 0 });
}

static void scrolls(void **state)
{
	(void)state;
	struct stage s;

	stage_init(&s, 40, 10, (struct paint_caps){ 0 });
	fill_rows(&s, 0);
	frame(&s);
	fill_rows(&s, 2);
	check_str("a block that moved up is scrolled", frame(&s),
		BEGIN "\033[2;9r\033[2S\033[r\033[8;1Hline number 9\033[9;1Hline number "
		      "10\033[1;1H" END);
	fill_rows(&s, 1);
	check_str("and down", frame(&s),
		BEGIN "\033[2;9r\033[1T\033[r\033[2;1Hline number 2\033[1;1H" END);
	stage_fini(&s);

	stage_init(&s, 40, 10, (struct paint_caps){ .no_scroll = true });
	fill_rows(&s, 0);
	frame(&s);
	fill_rows(&s, 2);
	check_true("not where it cannot", !strstr(frame(&s), "r\033["));
	stage_fini(&s);
}

/* The last line of a text got a word that had no room, and the text moved up by a line: of the one
 * that was the last only its end is written. */
static void scrolls_what_grew(void **state)
{
	static const char *const texts[] = { "one and two and three", "four and five and six",
		"seven and eight and nine", "ten and eleven and some", "twelve and so on and",
		"some others, too", "the end of it all" };
	struct stage s;

	(void)state;
	stage_init(&s, 40, 7, (struct paint_caps){ 0 });
	for (int y = 0; y < 7; y++) {
		cell_puts(cell_win_all(&s.g), 0, y, texts[y], (struct cell_style){ 0 });
	}
	frame(&s);
	cell_grid_clear(&s.g);
	for (int y = 0; y < 6; y++) {
		cell_puts(cell_win_all(&s.g), 0, y, texts[y + 1], (struct cell_style){ 0 });
	}
	cell_puts(cell_win_all(&s.g), 17, 5, "words", (struct cell_style){ 0 });
	cell_puts(cell_win_all(&s.g), 0, 6, "more", (struct cell_style){ 0 });
	check_str("up", frame(&s),
		BEGIN "\033[1;7r\033[1S\033[r\033[6;18Hwords\033[7;1Hmore\033[1;1H" END);
	cell_grid_clear(&s.g);
	for (int y = 0; y < 7; y++) {
		cell_puts(cell_win_all(&s.g), 0, y, y ? texts[y] : "a new line",
			(struct cell_style){ 0 });
	}
	cell_puts(cell_win_all(&s.g), 22, 1, "and", (struct cell_style){ 0 });
	check_str("down, where what was above is looked at", frame(&s),
		BEGIN
		"\033[1;6r\033[1T\033[r\033[1;1Ha new line\033[2;23Hand\033[7;1Hthe end of it "
		"all\033[1;1H" END);
	stage_fini(&s);
}

/* Lines beside a column of so many cells, which has a word in its first rows. */
static void fill_beside(struct stage *s, int first, int column, int words)
{
	struct cell_win all = cell_win_all(&s->g);

	cell_grid_clear(&s->g);
	cell_grid_split(&s->g, column);
	for (int y = 0; y < s->g.rows; y++) {
		char t[32];

		if (y < words) {
			snprintf(t, sizeof(t), "name %d", y);
			cell_puts(all, 0, y, t, (struct cell_style){ 0 });
		}
		snprintf(t, sizeof(t), "line %d", first + y);
		cell_puts(all, column, y, t, (struct cell_style){ 0 });
	}
}

static void scrolls_beside(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int column, words;
		const char *want; /* NULL: nothing is scrolled */
	} rows[] = {
		{ "a column with one word is scrolled too, and put right", 10, 1,
			BEGIN
			"\033[1;10r\033[1S\033[r\033[1;1Hname 0\033[10;11Hline 10\033[1;1H" END },
		{ "one that is full would cost more than it saves", 30, 10, NULL },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct stage s;

		stage_init(&s, 40, 10, (struct paint_caps){ 0 });
		fill_beside(&s, 0, rows[i].column, rows[i].words);
		frame(&s);
		fill_beside(&s, 1, rows[i].column, rows[i].words);
		const char *bytes = frame(&s);

		if (rows[i].want) {
			check_str(rows[i].name, bytes, rows[i].want);
		} else {
			check_true(rows[i].name, bytes[0] && !strstr(bytes, "S\033[r"));
		}
		stage_fini(&s);
	}
}

CHECK_MAIN(CHECK_TEST(scrolls_beside), CHECK_TEST(first_and_next), CHECK_TEST(jumps_and_tails),
	CHECK_TEST(attributes_and_links), CHECK_TEST(disputed_widths),
	CHECK_TEST(scrolls_what_grew), CHECK_TEST(scrolls))
