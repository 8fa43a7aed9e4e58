/* vt_test.c -- what a program writes, and what a person then sees; whole and cut into bytes. */
#include "tests/check.h"

#include "shared/base/buf.h"
#include "shared/vt/vt.h"
#include "shared/vt/vt_prologue.h"
#include "shared/base/ban.h"

#define S(lit) VY_STR_LIT(lit)

struct seen {
	struct vy_buf out; /* what went back to the program, and events as words */
};

static void on_output(void *ctx, struct vy_str bytes)
{
	vy_buf_addstr(ctx, bytes);
}

static void on_title(void *ctx, struct vy_str title)
{
	vy_buf_addf(ctx, "<title %.*s>", VY_STR_ARG(title));
}

static void on_bell(void *ctx)
{
	vy_buf_adds(ctx, "<bell>");
}

static void on_clipboard(void *ctx, struct vy_str which, struct vy_str base64)
{
	vy_buf_addf(ctx, "<clip %.*s %.*s>", VY_STR_ARG(which), VY_STR_ARG(base64));
}

static void on_osc(void *ctx, struct vy_str body)
{
	vy_buf_addf(ctx, "<osc %.*s>", VY_STR_ARG(body));
}

static struct vy_vt *new_vt(int cols, int rows, int scrollback, struct vy_buf *out)
{
	struct vy_vt_events ev = { on_output, on_title, on_bell, on_clipboard, on_osc, out };

	return vy_vt_new(cols, rows, scrollback, &ev);
}

/* Rows from `first` on, "/" between them (or "~" where the next continues), without trailing blanks
 * and empty last rows. */
static const char *text_of(const struct vy_vt *v, int first)
{
	static struct vy_buf b = { .max = 1 << 20 };
	const struct vy_grid *g = vy_vt_grid(v);
	int cols, rows;
	size_t end = 0;

	vy_buf_clear(&b);
	vy_grid_size(g, &cols, &rows);
	for (int y = first; y < rows; y++) {
		const struct vy_vt_row *r = vy_grid_row(g, y);
		size_t row_end;

		if (y > first) {
			vy_buf_addc(&b, r->continues ? '~' : '/');
		}
		row_end = b.len;
		for (int x = 0; x < cols; x++) {
			const struct vy_vt_cell *c = vy_grid_cell(g, x, y);
			char t[VY_GRID_TEXT_MAX];

			if (c->width > 0) {
				vy_buf_add(&b, t, vy_grid_text(g, c, t));
			}
			if (c->ch != 0) {
				row_end = b.len;
			}
		}
		vy_buf_truncate(&b, row_end);
		if (row_end > 0 && b.data[row_end - 1] != '/') {
			end = row_end;
		}
	}
	vy_buf_truncate(&b, end);
	return vy_buf_c(&b);
}

static void check_whole(const char *name, const struct vy_grid *g)
{
	int cols, rows;

	vy_grid_size(g, &cols, &rows);
	for (int y = -vy_grid_scrollback(g); y < rows; y++) {
		const struct vy_vt_row *r = vy_grid_row(g, y);

		check_true(name, r->n <= cols);
		for (int x = 0; x < r->n; x++) {
			bool next_half = x + 1 < r->n && r->cells[x + 1].width == 0;

			check_int(name, next_half, r->cells[x].width == 2);
			check_true(name, x > 0 || r->cells[x].width != 0);
		}
	}
}

static const struct {
	const char *name;
	int cols, rows;
	struct vy_str in;
	const char *text;
	int x, y;
} rows[] = {
	{ "plain", 10, 3, S("hi\r\nyou"), "hi/you", 3, 1 },
	{ "wraps", 4, 3, S("abcdef"), "abcd~ef", 2, 1 },
	{ "full row, then a line end", 4, 3, S("abcd\r\nef"), "abcd/ef", 2, 1 },
	{ "full row, colour, goes on", 4, 3, S("abcd\033[1mef"), "abcd~ef", 2, 1 },
	{ "full row, moved, goes on", 4, 3, S("abcd\033[2;1Hef"), "abcd/ef", 2, 1 },
	{ "scrolls", 4, 2, S("a\r\nb\r\nc"), "b/c", 1, 1 },
	{ "wraps while scrolling", 4, 2, S("a\r\nbcdefg"), "bcde~fg", 2, 1 },
	{ "wide", 6, 2, S("中文x"), "中文x", 5, 0 },
	{ "wide at the edge", 5, 2, S("abcd中"), "abcd~中", 2, 1 },
	{ "over the left half", 6, 1 + 1, S("中文\rx"), "x 文", 1, 0 },
	{ "over the right half", 6, 2, S("中文\033[2Gx"), " x文", 2, 0 },
	{ "combining", 6, 2, S("e\u0301x"), "e\u0301x", 2, 0 },
	{ "a mark behind the last column", 4, 2, S("abce\u0301\u0302x"), "abce\u0301\u0302~x", 1,
		1 },
	{ "and a colour before it", 4, 2, S("abce\033[1m\u0301"), "abce\u0301", 3, 0 },
	{ "combining at column 0 is no wrap", 6, 2, S("ab\r\ne\u0301"), "ab/e\u0301", 1, 1 },
	/* a run of ASCII goes another way than the rest (vt_text.c): its ends are what matters */
	{ "a run, and a mark on its last", 9, 2, S("abcdefe\u0301x"), "abcdefe\u0301x", 8, 0 },
	{ "a run to the last column", 8, 2, S("abcdefgh"), "abcdefgh", 7, 0 },
	{ "and a mark there", 8, 2, S("abcdefgh\u0301"), "abcdefgh\u0301", 7, 0 },
	{ "a run over three rows", 6, 3, S("abcdefghijklmnop"), "abcdef~ghijkl~mnop", 4, 2 },
	{ "a run that scrolls", 6, 2, S("abcdefghijklmnop"), "ghijkl~mnop", 4, 1 },
	{ "a run that is inserted", 10, 2, S("xyz\r\033[4habcdef"), "abcdefxyz", 6, 0 },
	{ "a run that does not wrap", 6, 2, S("\033[?7labcdefghij"), "abcdej", 5, 0 },
	{ "a run over wide glyphs", 12, 2, S("中文中文\033[2Gabcd"), " abcd 文", 5, 0 },
	{ "a run of line drawing", 12, 2, S("\033(0qqqqqq\033(B."), "──────.", 7, 0 },
	{ "a run is repeated by its last", 12, 2, S("abcdef\033[3b"), "abcdeffff", 9, 0 },
	{ "cut UTF-8 is U+FFFD", 6, 2, S("\xE4\xBD\033[mx"), "\uFFFDx", 2, 0 },
	{ "bad UTF-8 too", 6, 2, S("a\xFFz"), "a\uFFFDz", 3, 0 },
	{ "a C1 in UTF-8 is no control", 6, 2,
		S("a\xC2\x9B"
		  "2Jz"),
		"a\uFFFD2Jz", 5, 0 },
	{ "no CSI behind an intermediate", 6, 2, S("ab\033'[2bz"), "ab2bz", 5, 0 },
	{ "DEL is nothing", 6, 2, S("a\x7F\x7Fz"), "az", 2, 0 },
	{ "erase to the end", 6, 2, S("abcdef\033[3G\033[K"), "ab", 2, 0 },
	{ "erase a half", 6, 2, S("中文x\033[2G\033[1K"), "  文x", 1, 0 },
	{ "insert and delete", 8, 2, S("abcdef\033[2G\033[2@\033[5G\033[P"), "a  bdef", 4, 0 },
	{ "insert before wide", 5, 2, S("中文\033[1G\033[@"), " 中文", 0, 0 },
	{ "insert cuts wide", 4, 2, S("中文\033[1G\033[@"), " 中", 0, 0 },
	{ "insert and delete lines", 4, 4, S("a\r\nb\r\nc\r\nd\033[2;1H\033[L\033[4;1H\033[M"),
		"a//b", 0, 3 },
	{ "region", 4, 4, S("a\r\nb\r\nc\r\nd\033[2;3r\033[3;1H\n"), "a/c//d", 0, 2 },
	{ "region backwards", 4, 4, S("a\r\nb\r\nc\r\nd\033[2;3r\033[2;1H\033M"), "a//b/d", 0, 1 },
	{ "bad margins are ignored", 4, 4, S("a\r\nb\033[10;9r\033[S"), "b", 1, 1 },
	{ "saved in the corner", 2, 2, S("O\0337\033[2;2Hx\0338K"), "OK/ x", 2 - 1, 0 },
	{ "CSI s and u", 6, 2, S("ab\033[s\033[2;5Hx\033[uc"), "abc/    x", 3, 0 },
	{ "no left and right margins", 6, 2, S("\033[?69h\033[2;3s\033[?6hxxxxxxxx"), "xxxxxx~xx",
		2, 1 },
	{ "repeat", 8, 2, S("a\033[4b|"), "aaaaa|", 6, 0 },
	{ "repeat wide, over the edge", 5, 2, S("中\033[2b|"), "中中~中|", 3, 1 },
	{ "repeat nothing", 8, 2, S("\033[99999999999b\033[4:5b|"), "|", 1, 0 },
	{ "numbers without an end", 8, 2, S("a\033[99999999999999999999Cz\033[1:2;3Hy"),
		"a      z~y", 1, 1 },
	{ "tabs", 20, 2, S("a\tb\tc"), "a       b       c", 17, 0 },
	{ "line drawing", 6, 2, S("\033(0lqk\033(Bx"), "┌─┐x", 4, 0 },
	{ "controls inside of a sequence", 6, 2, S("a\033[\r2\x43z"), "a z", 3, 0 },
	{ "a sequence that is taken back", 6, 2, S("a\033[12\x18z"), "az", 2, 0 },
	{ "a sequence without an end", 6, 2, S("a\033[12\033[Cz"), "a z", 3, 0 },
	{ "strings show nothing", 20, 2,
		S("a\033Pq#0;2;0;0;0\033\\b\033_Gx\033\\c\033^p\033\\d\033kt\033\\e"), "abcde", 5,
		0 },
	{ "a string without an end", 9, 2, S("a\033]0;t\033[Cz"), "a z", 3, 0 },
	{ "alternate screen", 6, 2, S("ab\033[?1049hxy\033[?1049lc"), "abc", 3, 0 },
	{ "on it", 6, 2, S("ab\033[?1049hxy"), "  xy", 4, 0 },
	{ "reset leaves it", 6, 2, S("ab\033[?1049hxy\033cz"), "z", 1, 0 },
	{ "aligned E", 3, 2, S("\033#8"), "EEE/EEE", 0, 0 },
	{ "no autowrap", 4, 2, S("\033[?7labcdef"), "abcf", 3, 0 },
	{ "erase all", 4, 2, S("ab\r\ncd\033[2J"), "", 2, 1 },
};

static void table(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(65536);
		int x, y;

		for (int way = 0; way < 2; way++) {
			struct vy_vt *v = new_vt(rows[i].cols, rows[i].rows, 100, &out);

			if (way == 0) {
				vy_vt_feed(v, rows[i].in);
			} else {
				for (size_t k = 0; k < rows[i].in.n; k++) {
					vy_vt_feed(v, vy_str_n(rows[i].in.p + k, 1));
				}
			}
			check_str(rows[i].name, text_of(v, 0), rows[i].text);
			vy_vt_cursor(v, &x, &y);
			check_int(rows[i].name, x, rows[i].x);
			check_int(rows[i].name, y, rows[i].y);
			check_whole(rows[i].name, vy_vt_grid(v));
			vy_vt_free(v);
		}
	}
}

static void looks(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in; /* then an "x" is looked at */
		uint32_t fg, bg;
		uint8_t attrs;
	} table_of[] = {
		{ "plain", S(""), 0, 0, 0 },
		{ "16", S("\033[31;42m"), VY_VT_INDEX(1), VY_VT_INDEX(2), 0 },
		{ "bright", S("\033[91;102m"), VY_VT_INDEX(9), VY_VT_INDEX(10), 0 },
		{ "256", S("\033[38;5;200;48;5;16m"), VY_VT_INDEX(200), VY_VT_INDEX(16), 0 },
		{ "RGB", S("\033[38;2;1;2;3;48;2;255;0;9m"), VY_VT_RGB(0x010203),
			VY_VT_RGB(0xff0009), 0 },
		{ "RGB with colons", S("\033[38:2:1:2:3m"), VY_VT_RGB(0x010203), 0, 0 },
		{ "and a colour space", S("\033[38:2::1:2:3;48:5:7m"), VY_VT_RGB(0x010203),
			VY_VT_INDEX(7), 0 },
		{ "attributes", S("\033[1;2;3;4;7;9;5;8m"), 0, 0, 255 },
		{ "bold off takes dim off", S("\033[1;2;22m"), 0, 0, 0 },
		{ "off, one by one", S("\033[1;2;3;4;5;7;8;9m\033[22;23;24;25;27;28;29m"), 0, 0,
			0 },
		{ "all off", S("\033[1;2;31m\033[m"), 0, 0, 0 },
		{ "0 in the middle", S("\033[2;0;4m"), 0, 0, VY_VT_UNDERLINE },
		{ "curly is underlined", S("\033[4:3m"), 0, 0, VY_VT_UNDERLINE },
		{ "4:0 is not", S("\033[4m\033[4:0m"), 0, 0, 0 },
		{ "an underline's colour is no blinking", S("\033[58;5;1m\033[58:2::1:2:3m"), 0, 0,
			0 },
		{ "many at once", S("\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;38;2;1;2;3;4m"),
			VY_VT_RGB(0x010203), 0, VY_VT_BOLD | VY_VT_UNDERLINE },
		{ "default colours", S("\033[31;41m\033[39;49m"), 0, 0, 0 },
		{ "half a colour", S("\033[38;2;1m\033[38m\033[38;5m"), 0, 0, 0 },
		{ "saved and restored", S("\033[2;31m\0337\033[m\0338"), VY_VT_INDEX(1), 0,
			VY_VT_DIM },
	};
	for (size_t i = 0; i < VY_COUNT(table_of); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(65536);
		struct vy_vt *v = new_vt(10, 2, 0, &out);

		vy_vt_feed(v, table_of[i].in);
		vy_vt_feed(v, S("x"));
		const struct vy_vt_cell *c = vy_grid_cell(vy_vt_grid(v), 0, 0);

		check_int(table_of[i].name, c->fg, table_of[i].fg);
		check_int(table_of[i].name, c->bg, table_of[i].bg);
		check_int(table_of[i].name, c->attrs, table_of[i].attrs);
		vy_vt_free(v);
	}
}

static void answers(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct vy_str in;
		const char *out;
	} table_of[] = {
		{ "title", S("\033]2;a title\a\033]0;b\033\\"), "<title a title><title b>" },
		{ "bell", S("\a"), "<bell>" },
		{ "clipboard", S("\033]52;c;aGk=\a"), "<clip c aGk=>" },
		{ "is never read", S("\033]52;c;?\a"), "" },
		{ "other strings", S("\033]133;A\a\033]7;file://h/tmp\033\\"),
			"<osc 133;A><osc 7;file://h/tmp>" },
		{ "cursor's place", S("ab\033[6n"), "\033[1;3R" },
		{ "status", S("\033[5n"), "\033[0n" },
		{ "colours unknown", S("\033]11;?\a"), "" },
		{ "size", S("\033[18t"), "\033[8;3;10t" },
		{ "name", S("\033[>q"), "\033P>|vyre\033\\" },
		{ "mode 2026", S("\033[?2026$p\033[?2026h\033[?2026$p"),
			"\033[?2026;2$y\033[?2026;1$y" },
		{ "mode 69 is not known", S("\033[?69h\033[?69$p"), "\033[?69;0$y" },
		{ "mode 25", S("\033[?25$p\033[?25l\033[?25$p"), "\033[?25;1$y\033[?25;2$y" },
		{ "kitty keyboard: no answer", S("\033[?u\033[>1u\033[<u"), "" },
		{ "the pen", S("\033[1;2;38;2;1;2;3;44m\033P$qm\033\\"),
			"\033P1$r0;1;2;38:2::1:2:3;44m\033\\" },
		{ "the cursor's shape", S("\033[5 q\033P$q q\033\\"), "\033P1$r5 q\033\\" },
		{ "what is not told", S("\033P$q2m\033\\\033P$qs\033\\"),
			"\033P0$r\033\\\033P0$r\033\\" },
	};
	for (size_t i = 0; i < VY_COUNT(table_of); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(65536);
		struct vy_vt *v = new_vt(10, 3, 0, &out);

		for (size_t k = 0; k < table_of[i].in.n; k++) {
			vy_vt_feed(v, vy_str_n(table_of[i].in.p + k, 1));
		}
		check_str(table_of[i].name, vy_buf_c(&out), table_of[i].out);
		vy_vt_free(v);
	}
	VY_AUTO_BUF out = VY_BUF_INIT(1 << 20);
	struct vy_vt *v = new_vt(10, 3, 0, &out);

	vy_vt_set_colors(v, 0xd4d6d4, 0x16181a);
	vy_vt_feed(v, S("\033]11;?\a\033]10;?\033\\"));
	check_str("colours", vy_buf_c(&out),
		"\033]11;rgb:1616/1818/1a1a\033\\\033]10;rgb:d4d4/d6d6/d4d4\033\\");
	vy_buf_clear(&out);
	vy_vt_feed(v, S("\033]2;"));
	for (int i = 0; i < VY_VT_OSC_MAX / 8 + 1; i++) {
		vy_vt_feed(v, S("12345678"));
	}
	vy_vt_feed(v, S("\aok"));
	check_str("too long", vy_buf_c(&out), "");
	check_str("and goes on", text_of(v, 0), "ok");
	vy_vt_free(v);
}

static void modes(void **state)
{
	(void)state;
	VY_AUTO_BUF out = VY_BUF_INIT(65536);
	struct vy_vt *v = new_vt(10, 3, 0, &out);
	struct vy_vt_modes m;

	check_true("cursor at first", vy_vt_modes(v).cursor_visible);
	vy_vt_feed(v, S("\033[?1;25;1002;1006;1004;2004;2026h\033[?25l\033=\033[6 q\033[?1049h"));
	m = vy_vt_modes(v);
	check_true("all on", m.app_cursor && m.app_keypad && m.bracketed_paste && m.focus &&
				     m.mouse_sgr && m.sync && m.alt);
	check_true("cursor", !m.cursor_visible && m.shape == VY_VT_BAR && !m.cursor_blink);
	check_int("mouse", m.mouse, VY_VT_MOUSE_DRAG);
	vy_vt_feed(v, S("\033c"));
	m = vy_vt_modes(v);
	check_true("all off", !m.app_cursor && !m.app_keypad && !m.bracketed_paste && !m.focus &&
				      !m.mouse_sgr && !m.sync && !m.alt && m.cursor_visible);
	vy_vt_free(v);
}

static void keys(void **state)
{
	(void)state;
	VY_AUTO_BUF out = VY_BUF_INIT(65536);
	struct vy_vt *v = new_vt(10, 3, 0, &out);

	vy_vt_send_char(v, 0x4e2d, 0);
	vy_vt_send_char(v, 'a', VY_VT_CTRL);
	vy_vt_send_char(v, 'x', VY_VT_ALT);
	vy_vt_send_char(v, ' ', VY_VT_CTRL);
	check_vstr("characters", vy_buf_str(&out), S("中\x01\033x\0"));
	vy_buf_clear(&out);
	vy_vt_send_key(v, VY_VT_KEY_ENTER, 0);
	vy_vt_send_key(v, VY_VT_KEY_ENTER, VY_VT_ALT);
	vy_vt_send_key(v, VY_VT_KEY_TAB, VY_VT_SHIFT);
	vy_vt_send_key(v, VY_VT_KEY_UP, 0);
	vy_vt_send_key(v, VY_VT_KEY_UP, VY_VT_CTRL);
	vy_vt_send_key(v, VY_VT_KEY_F1, 0);
	vy_vt_send_key(v, VY_VT_KEY_F12, VY_VT_SHIFT);
	vy_vt_send_key(v, VY_VT_KEY_DELETE, 0);
	vy_vt_send_key(v, 999, 0);
	check_str("keys", vy_buf_c(&out), "\r\033\r\033[Z\033[A\033[1;5A\033OP\033[24;2~\033[3~");
	vy_buf_clear(&out);
	vy_vt_send_mouse(v, 1, 1, 1, VY_VT_PRESS, 0);
	vy_vt_send_focus(v, true);
	vy_vt_send_paste(v, S("a\nb\033[201~"));
	check_str("unasked", vy_buf_c(&out), "a\rb\033[201~");
	vy_vt_feed(v, S("\033[?1;1002;1006;1004;2004h"));
	vy_buf_clear(&out);
	vy_vt_send_key(v, VY_VT_KEY_UP, 0);
	vy_vt_send_focus(v, false);
	vy_vt_send_paste(v, S("a\nb\033[201~c\x03"));
	vy_vt_send_mouse(v, 1, 2, 1, VY_VT_PRESS, 0);
	vy_vt_send_mouse(v, 1, 3, 1, VY_VT_MOTION, 0);
	vy_vt_send_mouse(v, 1, 3, 0, VY_VT_MOTION, 0);
	vy_vt_send_mouse(v, 1, 3, 1, VY_VT_RELEASE, 0);
	vy_vt_send_mouse(v, 1, 3, 4, VY_VT_PRESS, VY_VT_CTRL);
	check_str("asked for", vy_buf_c(&out),
		"\033OA\033[O\033[200~a\rb[201~c\033[201~\033[<0;2;3M\033[<32;2;4M\033[<0;2;4m\033["
		"<80;2;4M");
	vy_vt_free(v);
}

static void links_and_late_marks(void **state)
{
	(void)state;
	VY_AUTO_BUF out = VY_BUF_INIT(65536);
	struct vy_vt *v = new_vt(10, 3, 0, &out);
	const struct vy_grid *g = vy_vt_grid(v);

	vy_vt_feed(v, S("\033]8;id=7;http://x\033\\ab\033[1mc\033]8;;\033\\d"));
	check_vstr("link", vy_grid_link_url(g, vy_grid_cell(g, 1, 0)->link), S("http://x"));
	check_int("over colours", vy_grid_cell(g, 2, 0)->link, vy_grid_cell(g, 0, 0)->link);
	check_int("ended", vy_grid_cell(g, 3, 0)->link, 0);
	vy_vt_feed(v, S("\r\ne"));
	vy_vt_feed(v, S("\u0301"));
	check_str("a mark that came late", text_of(v, 0), "abcd/e\u0301");
	vy_vt_free(v);
}

/* ---- floods ---- */

static void pour(struct vy_vt *v, const char *piece, size_t total)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 21);

	while (b.len < 1 << 20) {
		vy_buf_adds(&b, piece);
	}
	for (size_t n = 0; n < total; n += b.len) {
		vy_vt_feed(v, vy_buf_str(&b));
	}
}

static void floods(void **state)
{
	(void)state;
	static const struct {
		const char *name, *begin, *piece;
	} table_of[] = {
		{ "a line without an end", "", "xxxxxxxx" },
		{ "of wide characters", "", "中文" },
		{ "of marks", "e", "\u0301" },
		{ "escapes", "", "\033" },
		{ "begins of sequences", "", "\033[" },
		{ "a sequence without an end", "\033[", "1;" },
		{ "a string without an end", "\033]2;", "abcd" },
		{ "a picture without an end", "\033Pq", "abcd" },
		{ "strings", "", "\033]0;t\a\033_G\033\\" },
		{ "links", "", "\033]8;;http://x\a.\033]8;;\a" },
		{ "repeats", "x", "\033[9999b" },
		{ "saving and restoring", "", "\0337\033[5;5H\0338" },
		{ "both screens", "", "\033[?1049h\033[?1049l" },
		{ "scrolling", "", "\033[99S\033[99T\033M\033D" },
		{ "broken UTF-8", "", "\xF0\x80\xC3\xFF" },
		{ "NUL", "", "\001" },
		{ "resets", "", "\033c" },
	};
	for (size_t i = 0; i < VY_COUNT(table_of); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(1 << 22);
		VY_AUTO_BUF p = VY_BUF_INIT(1 << 20);
		struct vy_vt *v = new_vt(80, 24, 100, &out);
		size_t total = strcmp(table_of[i].name, "repeats") == 0 ? 1 : 1 << 20;

		vy_vt_feed(v, vy_str_c(table_of[i].begin));
		if (total == 1) {
			for (int k = 0; k < 20; k++) {
				vy_vt_feed(v, vy_str_c(table_of[i].piece));
			}
		} else {
			pour(v, table_of[i].piece, total);
		}
		check_whole(table_of[i].name, vy_vt_grid(v));
		vy_vt_prologue(v, &p);
		check_true(table_of[i].name, p.len < 512 * 1024);
		vy_vt_feed(v, S("\030\033\\\033cok"));
		check_str(table_of[i].name, text_of(v, 0), "ok");
		vy_vt_free(v);
	}
}

static void sizes(void **state)
{
	(void)state;
	static const int to[][2] = { { 1, 1 }, { 1000, 1000 }, { 1, 1000 }, { 1000, 1 },
		{ 80, 24 } };
	VY_AUTO_BUF out = VY_BUF_INIT(65536);
	struct vy_vt *v = new_vt(80, 24, 1000, &out);
	int cols, height;

	vy_vt_feed(v,
		S("one two three 中文 four five six seven\r\nnext\033[?1049halternate\033[5;9H"));
	for (size_t i = 0; i < VY_COUNT(to); i++) {
		vy_vt_resize(v, to[i][0], to[i][1]);
		check_whole("whole", vy_vt_grid(v));
		vy_grid_size(vy_vt_grid(v), &cols, &height);
		check_true("at least two", cols == (to[i][0] < 2 ? 2 : to[i][0]) &&
						   height == (to[i][1] < 2 ? 2 : to[i][1]));
	}
	vy_vt_feed(v, S("\033[?1049l"));
	check_str("nothing is lost", text_of(v, -vy_grid_scrollback(vy_vt_grid(v))),
		"one two three 中文 four five six seven/next");
	vy_vt_free(v);
}

CHECK_MAIN(CHECK_TEST(table), CHECK_TEST(looks), CHECK_TEST(answers), CHECK_TEST(modes),
	CHECK_TEST(keys), CHECK_TEST(links_and_late_marks), CHECK_TEST(floods), CHECK_TEST(sizes))
