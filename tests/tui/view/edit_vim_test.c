/* edit_vim_test.c -- vi's keys: each row of edit_vim.rows is a text with its cursor ("|"), keys, and
 * what vim itself made of them (tests/vim_test.sh asks it again). Rows with "!" in front are ours:
 * what vim has not, or where it counts other characters than a person sees. */
#include <stdio.h>
#include <stdlib.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/text/width.h"
#include "tests/check.h"
#include "tui/view/edit_vim.h"

#define ROW_MAX 4096

static const char *const key_names[] = { "<Esc>", "<C-r>", "<CR>", "<BS>", "<Del>", "<Left>",
	"<Up>", "<Down>" };
static const struct key keys[] = { { KEY_ESC, 0 }, { 'r', KEY_CTRL }, { KEY_ENTER, 0 },
	{ KEY_BACKSPACE, 0 }, { KEY_DELETE, 0 }, { KEY_LEFT, 0 }, { KEY_UP, 0 }, { KEY_DOWN, 0 } };

/* What the composer does with a key that is given back. */
static void without_vim(struct edit *e, struct key k, struct vy_str text)
{
	if (k.code == KEY_ENTER) {
		edit_insert(e, VY_STR_LIT("\n"));
	} else if (k.code == KEY_LEFT) {
		edit_left(e);
	} else if (k.code == KEY_BACKSPACE) {
		edit_delete_back(e);
	} else {
		edit_insert(e, text);
	}
}

static enum edit_vim_did press(struct edit_vim *v, struct edit *e, struct key k, struct vy_str text)
{
	enum edit_vim_did did = edit_vim_key(v, e, k, text);

	if (did == EDIT_VIM_NOT_MINE && !(k.code == KEY_ESC)) {
		without_vim(e, k, text);
		edit_vim_settle(v, e); /* as the client does */
	}
	return did;
}

static enum edit_vim_did play(struct edit_vim *v, struct edit *e, struct vy_str script)
{
	enum edit_vim_did did = EDIT_VIM_DONE;

	while (script.n) {
		size_t i = 0, n;

		while (i < VY_COUNT(keys) && !vy_str_starts(script, key_names[i])) {
			i++;
		}
		if (i < VY_COUNT(keys)) {
			did = press(v, e, keys[i], vy_str_n(NULL, 0));
			n = strlen(key_names[i]);
		} else {
			n = vy_cluster_next(script, 0);
			did = press(v, e, (struct key){ n == 1 ? (uint32_t)script.p[0] : 0, 0 },
				vy_str_n(script.p, n));
		}
		script = vy_str_from(script, n);
	}
	return did;
}

/* "\n" and "\t" as they are written in the file. */
static void unescape(struct vy_str s, struct vy_buf *out)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && (s.p[i + 1] == 'n' || s.p[i + 1] == 't')) {
			vy_buf_addc(out, s.p[++i] == 'n' ? '\n' : '\t');
		} else {
			vy_buf_addc(out, s.p[i]);
		}
	}
}

static void start(struct edit_vim *v, struct edit *e, struct vy_str text)
{
	const char *bar = memchr(text.p, '|', text.n);
	size_t at = (size_t)(bar - text.p);
	VY_AUTO_BUF b = VY_BUF_INIT(ROW_MAX);

	vy_buf_add(&b, text.p, at);
	vy_buf_addstr(&b, vy_str_from(text, at + 1));
	edit_init(e);
	edit_vim_init(v);
	edit_set(e, vy_buf_str(&b));
	edit_forget(e);
	edit_text_start(e);
	edit_vim_restart(v, e);
	edit_vim_key(v, e, (struct key){ KEY_ESC, 0 }, vy_str_n(NULL, 0));
	edit_move_to(e, at);
	edit_vim_settle(v, e);
}

static void show(const struct edit *e, struct vy_buf *out)
{
	struct vy_str s = edit_text(e);

	vy_buf_add(out, s.p, e->at);
	vy_buf_addc(out, '|');
	vy_buf_addstr(out, vy_str_from(s, e->at));
}

static size_t fields(char *line, struct vy_str f[4])
{
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *p = line; n < 4; n++) {
		size_t len = strcspn(p, "\t");

		f[n] = vy_str_n(p, len);
		if (!p[len]) {
			return n + 1;
		}
		p += len + 1;
	}
	return n;
}

static bool run_row(const char *name, const struct vy_str f[4])
{
	VY_AUTO_BUF text = VY_BUF_INIT(ROW_MAX), want = VY_BUF_INIT(ROW_MAX);
	VY_AUTO_BUF got = VY_BUF_INIT(ROW_MAX), script = VY_BUF_INIT(ROW_MAX);
	struct edit_vim v;
	struct edit e;

	unescape(f[1], &text);
	unescape(f[3], &want);
	vy_buf_addstr(&script, f[2]);
	vy_buf_adds(&script, "<Esc>");
	start(&v, &e, vy_buf_str(&text));
	play(&v, &e, vy_buf_str(&script));
	show(&e, &got);
	edit_fini(&e);
	if (!vy_str_eq(vy_buf_str(&got), vy_buf_str(&want))) {
		fprintf(stderr, "%s: keys %.*s\n", name, VY_STR_ARG(f[2]));
		check_print("text", vy_buf_str(&text), SIZE_MAX);
		check_print("got ", vy_buf_str(&got), SIZE_MAX);
		check_print("want", vy_buf_str(&want), SIZE_MAX);
		return false;
	}
	return true;
}

static void test_rows(void **state)
{
	VY_AUTO_BUF path = VY_BUF_INIT(ROW_MAX);
	char line[ROW_MAX];
	size_t n = 0, bad = 0;

	(void)state;
	vy_buf_addf(&path, "%s/tests/tui/view/edit_vim.rows", getenv("top_srcdir"));
	FILE *f = fopen(vy_buf_c(&path), "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct vy_str row[4];

		if (line[0] == '#' || line[0] == '\n') {
			continue;
		}
		assert_int_equal(fields(line + (line[0] == '!'), row), 4);
		VY_AUTO_BUF name = VY_BUF_INIT(ROW_MAX);

		vy_buf_addstr(&name, row[0]);
		bad += !run_row(vy_buf_c(&name), row);
		n++;
	}
	fclose(f);
	assert_true(n >= 150);
	assert_int_equal(bad, 0);
}

/* ---- what is ours ---- */

static enum edit_vim_did keys_in(struct edit_vim *v, struct edit *e, const char *script)
{
	return play(v, e, vy_str_c(script));
}

static void check_text(const char *name, const struct edit *e, const char *want)
{
	VY_AUTO_BUF got = VY_BUF_INIT(ROW_MAX);

	show(e, &got);
	check_vstr(name, vy_buf_str(&got), vy_str_c(want));
}

/* Beyond the first and the last line is what the caller's own up and down do. */
static void test_beyond(void **state)
{
	static const struct {
		const char *text, *keys;
		enum edit_vim_did did;
	} rows[] = {
		{ "a|b", "k", EDIT_VIM_UP },
		{ "a|b", "j", EDIT_VIM_DOWN },
		{ "a\n|b", "k", EDIT_VIM_DONE },
		{ "a\n|b", "kk", EDIT_VIM_UP },
		{ "a\n|b", "3k", EDIT_VIM_DONE },
		{ "|a\nb", "jj", EDIT_VIM_DOWN },
		{ "|", "j", EDIT_VIM_DOWN },
		{ "|a", "dj", EDIT_VIM_DONE },
		{ "|a", "vj", EDIT_VIM_DONE },
		{ "|a\nb", "gj", EDIT_VIM_DOWN },
		{ "a\n|b", "gk", EDIT_VIM_UP },
		{ "|a", "<Up>", EDIT_VIM_NOT_MINE },
		{ "a\n|b", "d<Up>", EDIT_VIM_DONE },
		{ "|a", "<CR>", EDIT_VIM_NOT_MINE },
		{ "|a", "<Esc>", EDIT_VIM_NOT_MINE },
		{ "|a", "2<Esc>", EDIT_VIM_DONE },
		{ "|a", "v<Esc>", EDIT_VIM_DONE },
		{ "|a", "i<Esc>", EDIT_VIM_DONE },
		{ "|a", "Q", EDIT_VIM_DONE },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct edit_vim v;
		struct edit e;
		enum edit_vim_did did;

		start(&v, &e, vy_str_c(rows[i].text));
		did = keys_in(&v, &e, rows[i].keys);
		if (did != rows[i].did) {
			fail_msg("%s in \"%s\": %d, want %d", rows[i].keys, rows[i].text, did,
				rows[i].did);
		}
		edit_fini(&e);
	}
}

/* A chip is one character and one word; cut and put it is the same chip. */
static void test_chip(void **state)
{
	static const char *const rows[][2] = { { "0x", "a b" }, { "0dw", "a b" }, { "$xhx", "X " },
		{ "0xp", "aX b" }, { "0xwP", "a Xb" }, { "0ylP", "XXa b" }, { "0rc", "ca b" },
		{ "0wdb", "a b" }, { "0ed0", "a b" }, { "0~", "Xa b" }, { "0yiwP", "XXa b" },
		{ "0daw", "a b" }, { "0vd", "a b" }, { "0xu", "Xa b" }, { "0xx.u2u", "Xa b" },
		{ "0\"ax\"ap", "aX b" } };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF whole = VY_BUF_INIT(ROW_MAX);
		struct edit_vim v;
		struct edit e;

		start(&v, &e, VY_STR_LIT("|a b"));
		edit_paste_chip(&e, VY_STR_LIT("X"));
		edit_vim_settle(&v, &e);
		edit_forget(&e);
		keys_in(&v, &e, rows[i][0]);
		edit_whole(&e, &whole);
		check_vstr(rows[i][0], vy_buf_str(&whole), vy_str_c(rows[i][1]));
		edit_fini(&e);
	}
}

/* What vim cuts ctrl-y pastes, and what ctrl-w cut p puts. */
static void test_one_ring(void **state)
{
	struct edit_vim v;
	struct edit e;

	(void)state;
	start(&v, &e, VY_STR_LIT("|foo bar"));
	keys_in(&v, &e, "dw");
	edit_yank(&e);
	edit_vim_settle(&v, &e);
	check_text("dw, then a yank", &e, "foo |bar");
	edit_text_end(&e);
	edit_kill_word_back(&e);
	edit_vim_settle(&v, &e);
	keys_in(&v, &e, "0P");
	check_text("a cut word, then P", &e, "ba|rfoo ");
	edit_fini(&e);
}

/* Another text while something is typed or selected: no command of the old one hits it. */
static void test_other_text(void **state)
{
	struct edit_vim v;
	struct edit e;
	size_t from, to;

	(void)state;
	start(&v, &e, VY_STR_LIT("abc d|ef"));
	keys_in(&v, &e, "v0");
	assert_true(edit_vim_selected(&v, &e, &from, &to));
	assert_int_equal(from, 0);
	assert_int_equal(to, 6);
	assert_true(edit_vim_is_busy(&v));
	edit_set(&e, VY_STR_LIT("x"));
	assert_true(edit_vim_selected(&v, &e, &from, &to));
	assert_true(to <= 1);
	edit_vim_settle(&v, &e);
	assert_false(edit_vim_is_busy(&v));
	check_text("the cursor stands on a character", &e, "|x");
	keys_in(&v, &e, "2d");
	assert_string_equal(v.typed, "2d");
	edit_vim_restart(&v, &e);
	assert_int_equal(v.mode, EDIT_VIM_INSERT);
	assert_false(edit_vim_is_busy(&v));
	edit_fini(&e);
}

/* Any keys at any text: nothing breaks, the cursor stands on a border. */
static void test_any_keys(void **state)
{
	static const char *const words[] = { "d", "c", "y", "w", "b", "e", "2", "j", "k", "i", "a",
		"\"", "(", "p", "P", "x", "u", "<C-r>", "<Esc>", ".", "v", "V", "o", "J", "~", "r",
		"f", "文", ";", ",", "%", "{", "}", "g", "G", "$", "0", "^", ">", "<", "👍", "O",
		"é", "<CR>", "<BS>", "h", "l", "U", "D", "C", "s", "S", "X", "W", "ם", "<Left>" };
	uint32_t seed = 1;

	(void)state;
	for (int run = 0; run < 300; run++) {
		struct edit_vim v;
		struct edit e;

		start(&v, &e,
			VY_STR_LIT("ab (c|文) \"x\"\n\n  שלום 👨‍👩‍👧\n{\n y }"));
		edit_paste_chip(&e, VY_STR_LIT("pasted"));
		edit_vim_settle(&v, &e);
		for (int i = 0; i < 60 && e.text.len < 2000; i++) {
			seed = seed * 1664525 + 1013904223;
			keys_in(&v, &e, words[(seed >> 16) % VY_COUNT(words)]);
			size_t at = e.at;

			assert_true(at <= e.text.len);
			edit_move_to(&e, at);
			assert_int_equal(e.at, at); /* on a border */
		}
		edit_fini(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_chip),
		cmocka_unit_test(test_one_ring),
		cmocka_unit_test(test_other_text),
		cmocka_unit_test(test_any_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
