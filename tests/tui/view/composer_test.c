/* composer_test.c -- the text field in rows: a script of letters in, the window with its cursor out.
 *
 * "text" types, (text) pastes, u d up and down, l r left and right, < > text, a e line, s sends,
 * z undoes, o opens a chip, n breaks the line. Rows are parted by "/", the cursor is "^". */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/tui/golden.h"
#include "tui/view/composer.h"

struct world {
	struct cell_pool *pool;
	struct composer c;
	int cols, rows;
	struct vy_buf told;
};

static void world_init(struct world *w, int cols, int rows)
{
	*w = (struct world){
		.pool = cell_pool_new((struct vy_width){ 0 }), .cols = cols, .rows = rows
	};
	composer_init(&w->c);
	vy_buf_init(&w->told, 1 << 20);
}

static void world_fini(struct world *w)
{
	vy_buf_fini(&w->told);
	composer_fini(&w->c);
	cell_pool_free(w->pool);
}

static void send(struct world *w)
{
	char *text = composer_take(&w->c, NULL);

	vy_buf_addf(&w->told, "[%s]", text ? text : "nothing");
	free(text);
}

static void verb(struct world *w, char v)
{
	static void (*const moves[128])(struct edit *) = { ['l'] = edit_left,
		['r'] = edit_right,
		['<'] = edit_text_start,
		['>'] = edit_text_end,
		['a'] = edit_line_start,
		['e'] = edit_line_end };
	struct vy_width width = cell_pool_width(w->pool);

	switch (v) {
	case 'u': composer_up(&w->c, w->cols, width); break;
	case 'd': composer_down(&w->c, w->cols, width); break;
	case 's': send(w); break;
	case 'z': edit_undo(&w->c.edit); break;
	case 'o': edit_open_chip(&w->c.edit); break;
	case 'n': edit_insert(&w->c.edit, VY_STR_LIT("\n")); break;
	default:
		if (!moves[(unsigned char)v]) {
			fail_msg("no verb %c", v);
		}
		moves[(unsigned char)v](&w->c.edit);
	}
}

/* Between two keys the screen is painted. */
static void paint(struct world *w)
{
	int rows = composer_rows(&w->c, w->cols, cell_pool_width(w->pool), w->rows), x, y;
	struct cell_grid g;

	cell_grid_init(&g, w->pool, w->cols, rows < w->rows ? rows : w->rows);
	composer_draw(&w->c, cell_win_all(&g), "hint", composer_kind(&w->c), &x, &y);
	cell_grid_fini(&g);
}

static void play(struct world *w, const char *script)
{
	while (*script) {
		if (*script == '"' || *script == '(') {
			const char *end = strchr(script + 1, *script == '"' ? '"' : ')');
			struct vy_str s = vy_str_n(script + 1, (size_t)(end - script - 1));

			(*script == '"' ? edit_insert : edit_paste)(&w->c.edit, s);
			script = end + 1;
		} else {
			verb(w, *script++);
		}
		paint(w);
	}
}

/* The window as one line, and what was sent before it. */
static void tell(struct world *w)
{
	int rows = composer_rows(&w->c, w->cols, cell_pool_width(w->pool), w->rows), x, y;
	struct cell_grid g;

	rows = rows < w->rows ? rows : w->rows;
	cell_grid_init(&g, w->pool, w->cols, rows);
	composer_draw(&w->c, cell_win_all(&g), "hint", composer_kind(&w->c), &x, &y);
	golden_check_grid("composer", &g, rows);
	check_true("the cursor is in the window", x >= 0 && x < w->cols && y >= 0 && y < rows);
	for (int r = 0; r < rows; r++) {
		int end = w->cols;

		while (end > 0 && vy_str_is(cell_text(&g, cell_at(&g, end - 1, r)), " ") &&
			!(r == y && end - 1 < x)) {
			end--;
		}
		vy_buf_adds(&w->told, r ? "/" : "");
		for (int k = 0; k < end || (r == y && k <= x); k++) {
			if (r == y && k == x) {
				vy_buf_addc(&w->told, '^');
			}
			if (k < end && cell_at(&g, k, r)->width) {
				vy_buf_addstr(&w->told, cell_text(&g, cell_at(&g, k, r)));
			}
		}
	}
	cell_grid_fini(&g);
}

static void test_layout(void **state)
{
	static const struct {
		const char *name;
		int cols, rows;
		const char *script, *told;
	} rows[] = {
		{ "empty", 12, 3, "", "> ^hint" },
		{ "a word", 12, 3, "\"abc\"", "> abc^" },
		{ "a line break", 12, 3, "\"ab\"n\"c\"", "> ab/  c^" },
		{ "a break at the end", 12, 3, "\"ab\"n", "> ab/  ^" },
		{ "words wrap", 12, 3, "\"one two three\"", "> one two/  three^" },
		{ "a full row keeps a place for the cursor", 12, 3, "\"123456789\"",
			"> 123456789^" },
		{ "one more wraps", 12, 3, "\"1234567890\"", "> 123456789/  0^" },
		{ "wide ones wrap whole", 10, 3, "\"漢字漢字漢\"", "> 漢字漢/  字漢^" },
		{ "a tab", 14, 3, "\"a\tb\"", "> a       b^" },
		{ "a control byte is seen", 14, 3, "\"a\x1b[b\"", "> a␛[b^" },
		{ "left over one cluster", 14, 3, "\"a👩🏽‍💻b\"ll",
			"> a^👩🏽‍💻b" },
		{ "left over a flag", 14, 3, "\"🇩🇪🇫🇷\"l", "> 🇩🇪^🇫🇷" },
		{ "scrolls with the cursor", 12, 2, "\"1\"n\"2\"n\"3\"n\"4\"", "⋮ 3/  4^" },
		{ "and back", 12, 2, "\"1\"n\"2\"n\"3\"n\"4\"uuu", "> 1^/  2" },
		{ "the middle", 12, 2, "\"1\"n\"2\"n\"3\"n\"4\"uu", "⋮ 2^/  3" },
		{ "a chip", 40, 3, "\"see \"(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n)\" ok\"",
			"> see [pasted 12 lines] ok^" },
		{ "a chip is one step", 40, 3, "\"see \"(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n)l",
			"> see ^[pasted 12 lines]" },
		{ "a chip opened", 40, 3, "(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12)o",
			"⋮ 10/  11/  12^" },
		{ "a short paste is text", 12, 3, "(a\nb)", "> a/  b^" },
		{ "a chip is sent whole", 12, 3, "(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)s",
			"[1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11]> ^hint" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct world w;

		world_init(&w, rows[i].cols, rows[i].rows);
		play(&w, rows[i].script);
		tell(&w);
		check_str(rows[i].name, vy_buf_c(&w.told), rows[i].told);
		world_fini(&w);
	}
}

static void test_up_and_down(void **state)
{
	static const struct {
		const char *name;
		int cols;
		const char *script, *told;
	} rows[] = {
		{ "up a line", 20, "\"abcd\"n\"efgh\"u", "> abcd^/  efgh" },
		{ "up to a shorter one", 20, "\"ab\"n\"efgh\"u", "> ab^/  efgh" },
		{ "and down again to the column", 20, "\"ab\"n\"efgh\"ud", "> ab/  efgh^" },
		{ "over wrapped rows", 12, "\"one two three four\"u", "> one two/  thre^e/  four" },
		{ "the column is the eye's", 12, "\"漢字漢字\"n\"abcd\"u", "> 漢字^漢字/  abcd" },
		{ "not into a wide one", 12, "\"漢字漢字\"n\"abc\"u", "> 漢^字漢字/  abc" },
		{ "down from the last: nothing", 12, "\"ab\"d", "> ab^" },
		{ "up from the first: nothing", 12, "\"ab\"u", "> ab^" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct world w;

		world_init(&w, rows[i].cols, 9);
		play(&w, rows[i].script);
		tell(&w);
		check_str(rows[i].name, vy_buf_c(&w.told), rows[i].told);
		world_fini(&w);
	}
}

static void test_history(void **state)
{
	static const struct {
		const char *name, *script, *told;
	} rows[] = {
		{ "white space is not sent", "\"  \"n\"\t\"s", "[nothing]>/          ^" },
		{ "the last one", "\"one\"s\"two\"su", "[one][two]> two^" },
		{ "the one before", "\"one\"s\"two\"suu", "[one][two]> one^" },
		{ "no further", "\"one\"suuu", "[one]> one^" },
		{ "the draft comes back", "\"one\"s\"dra\"ud", "[one]> dra^" },
		{ "and stays when nothing is below", "\"one\"s\"dra\"udd", "[one]> dra^" },
		{ "the same twice is once", "\"one\"s\"one\"suu", "[one][one]> one^" },
		{ "undo of a recall", "\"one\"s\"dra\"uz", "[one]> dra^" },
		{ "undo of a sending", "\"one\"sz", "[one]> one^" },
		{ "rows first, then history", "\"one\"s\"a\"n\"b\"uu", "[one]> one^" },
		{ "a chip in the draft", "\"one\"s(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)ud",
			"[one]> [pasted 11 lines]^" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct world w;

		world_init(&w, 30, 5);
		play(&w, rows[i].script);
		tell(&w);
		check_str(rows[i].name, vy_buf_c(&w.told), rows[i].told);
		world_fini(&w);
	}
}

/* Many and large ones: the oldest go, the newest is there whatever its size. */
static void test_history_is_bounded(void **state)
{
	VY_AUTO_BUF big = VY_BUF_INIT(EDIT_MAX);
	struct world w;

	(void)state;
	world_init(&w, 30, 5);
	for (int i = 0; i < COMPOSER_HISTORY + 20; i++) {
		char word[24];

		snprintf(word, sizeof(word), "word %d", i);
		composer_remember(&w.c, vy_str_c(word));
	}
	check_int("so many", (long long)w.c.n_history, COMPOSER_HISTORY);
	check_str("the oldest", w.c.history[0], "word 20");
	while (big.len < COMPOSER_HISTORY_BYTES / 2) {
		vy_buf_adds(&big, "0123456789");
	}
	for (int i = 0; i < 6; i++) {
		vy_buf_addc(&big, 'x');
		composer_remember(&w.c, vy_buf_str(&big));
		check_true("bounded", w.c.history_bytes <= COMPOSER_HISTORY_BYTES);
		check_int("the newest", (long long)strlen(w.c.history[w.c.n_history - 1]),
			(long long)big.len);
	}
	while (big.len < COMPOSER_HISTORY_BYTES + 5) {
		vy_buf_adds(&big, "0123456789");
	}
	composer_remember(&w.c, vy_buf_str(&big));
	check_int("a giant stands alone", (long long)w.c.n_history, 1);
	world_fini(&w);
}

static void test_any_size(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 30, 5);
	play(&w, "\"one two 漢字 👩🏽‍💻 "
		 "three\"n\"a\tb\"(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)\"x\"");
	for (w.cols = 1; w.cols < 60; w.cols++) {
		for (w.rows = 1; w.rows < 6; w.rows++) {
			tell(&w);
			play(&w, "u");
			tell(&w);
			play(&w, "d");
		}
	}
	world_fini(&w);
}

/* Capitals stand for Hebrew letters, so that a reader sees the order. */
static void hebrew(const char *text, struct vy_buf *out)
{
	for (; *text; text++) {
		if (*text >= 'A' && *text <= 'Z') {
			vy_buf_addc(out, '\xd7');
			vy_buf_addc(out, (char)(0x90 + (*text - 'A')));
		} else {
			vy_buf_addc(out, *text);
		}
	}
}

static void test_right_to_left(void **state)
{
	static const struct {
		const char *name;
		int cols;
		const char *script, *told;
	} rows[] = {
		{ "a word", 20, "\"ABC\"", "> ^CBA" },
		{ "its start is at the right", 20, "\"ABC\"<", "> CBA^" },
		{ "in it", 20, "\"ABC\"l", "> C^BA" },
		{ "behind a latin one", 20, "\"say ABC\"", "> say CBA^" },
		{ "in one among latin ones", 20, "\"say ABC now\"lllll", "> say C^BA now" },
		{ "before it", 20, "\"say ABC now\"lllllll", "> say CBA^ now" },
		{ "a latin one behind it", 20, "\"ABC foo\"", "> ^foo CBA" },
		{ "in that", 20, "\"ABC foo\"l", "> fo^o CBA" },
		{ "its point", 20, "\"ABC.\"", "> ^.CBA" },
		{ "numbers", 20, "\"ABC 12\"", "> ^12 CBA" },
		{ "brackets are mirrored", 20, "\"A[BC]\"", "> ^[CB]A" },
		{ "wrapped", 12, "\"ABCD EFGH IJ\"", "> HGFE DCBA/  ^JI" },
		{ "a row in latin is still of it", 12, "\"ABCD EFGH foo.\"",
			"> HGFE DCBA/  ^.foo" },
		{ "no letter in the first row", 12, "\"....... .. ABC.\"", "> ......./  ^.CBA .." },
		{ "a row in Hebrew of a latin one", 12, "\"say so ABC DE.\"",
			"> say so/  ED CBA.^" },
		{ "paragraphs by themselves", 20, "\"ABC\"n\"foo.\"n\"D.\"", "> CBA/  foo./  ^.D" },
		{ "wide ones among them", 20, "\"A漢B字C\"", "> ^C字B漢A" },
		{ "up to the column", 20, "\"abcd\"n\"ABCD\"u", "> ^abcd/  DCBA" },
		{ "and down from one", 20, "\"ABCD\"n\"ab\"ld", "> DCBA/  a^b" },
		{ "up into it", 20, "\"ABCD\"n\"ab\"lu", "> D^CBA/  ab" },
		{ "a chip", 40, "\"AB \"(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)",
			"> ^[pasted 11 lines] BA" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF script = VY_BUF_INIT(4096), told = VY_BUF_INIT(4096);
		struct world w;

		hebrew(rows[i].script, &script);
		hebrew(rows[i].told, &told);
		world_init(&w, rows[i].cols, 5);
		play(&w, vy_buf_c(&script));
		tell(&w);
		check_str(rows[i].name, vy_buf_c(&w.told), vy_buf_c(&told));
		world_fini(&w);
	}
}

/* The terminal does it itself; and vi's cursor lies on its character. */
static void test_left_to_the_terminal(void **state)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4096), want = VY_BUF_INIT(4096);
	struct world w;

	(void)state;
	hebrew("ABC", &text);
	world_init(&w, 20, 5);
	cell_pool_set_straight(w.pool, true);
	edit_insert(&w.c.edit, vy_buf_str(&text));
	tell(&w);
	hebrew("> ABC^", &want);
	check_str("as it is", vy_buf_c(&w.told), vy_buf_c(&want));
	world_fini(&w);

	world_init(&w, 20, 5);
	composer_set_vim(&w.c, true);
	edit_insert(&w.c.edit, vy_buf_str(&text));
	edit_vim_key(&w.c.vim, &w.c.edit, (struct key){ KEY_ESC, 0 }, vy_str_n(NULL, 0));
	tell(&w);
	vy_buf_clear(&want);
	hebrew("> ^CBA", &want);
	check_str("on the last letter", vy_buf_c(&w.told), vy_buf_c(&want));
	edit_vim_key(&w.c.vim, &w.c.edit, (struct key){ '0', 0 }, VY_STR_LIT("0"));
	vy_buf_clear(&w.told);
	tell(&w);
	vy_buf_clear(&want);
	hebrew("> CB^A", &want);
	check_str("on the first letter", vy_buf_c(&w.told), vy_buf_c(&want));
	world_fini(&w);
}

CHECK_MAIN(CHECK_TEST(test_layout), CHECK_TEST(test_up_and_down), CHECK_TEST(test_history),
	CHECK_TEST(test_history_is_bounded), CHECK_TEST(test_any_size),
	CHECK_TEST(test_right_to_left), CHECK_TEST(test_left_to_the_terminal))
