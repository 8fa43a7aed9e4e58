/* edit_test.c -- verbs of the text field: a script of letters in, the text with its cursor out.
 *
 * l r left right, L R by word, a e line, < > text, h d delete, W D kill word, k kill line, u kill
 * start, y yank, p yank-pop, z undo, Z redo, x clear, o open a chip, i a picture (another each time), I the same one, c the paste "X"
 * as a chip; "text" types, (text) pastes. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/view/edit.h"

static void verb(struct edit *e, char c)
{
	static void (*const moves[128])(struct edit *) = {
		['l'] = edit_left,
		['r'] = edit_right,
		['L'] = edit_word_left,
		['R'] = edit_word_right,
		['a'] = edit_line_start,
		['e'] = edit_line_end,
		['<'] = edit_text_start,
		['>'] = edit_text_end,
		['h'] = edit_delete_back,
		['d'] = edit_delete,
		['W'] = edit_kill_word_back,
		['D'] = edit_kill_word,
		['k'] = edit_kill_line,
		['u'] = edit_kill_start,
		['y'] = edit_yank,
		['p'] = edit_yank_pop,
		['x'] = edit_clear,
	};

	if (c == 'z') {
		edit_undo(e);
	} else if (c == 'Z') {
		edit_redo(e);
	} else if (c == 'o') {
		edit_open_chip(e);
	} else if (c == 'i' || c == 'I') {
		static uint32_t n = 7;
		char bytes[5] = "1";

		n += c == 'i';
		memcpy(bytes + 1, &n, sizeof(n));
		edit_add_image(e, &(struct edit_image){ "image/png", { bytes, 5 }, 4, 3 });
	} else if (c == 'c') {
		edit_paste_chip(e, VY_STR_LIT("X"));
	} else if (moves[(unsigned char)c]) {
		moves[(unsigned char)c](e);
	} else {
		fail_msg("no verb %c", c);
	}
}

static void play(struct edit *e, const char *script)
{
	while (*script) {
		if (*script == '"' || *script == '(') {
			const char *end = strchr(script + 1, *script == '"' ? '"' : ')');
			struct vy_str s = vy_str_n(script + 1, (size_t)(end - script - 1));

			if (*script == '"') {
				edit_insert(e, s);
			} else {
				edit_paste(e, s);
			}
			script = end + 1;
		} else {
			verb(e, *script++);
		}
	}
}

static char *shown(const struct edit *e)
{
	struct vy_buf b = VY_BUF_INIT(4096);
	struct vy_str s = edit_text(e), label;

	for (size_t i = 0; i <= s.n; i++) {
		if (i == e->at) {
			vy_buf_addc(&b, '|');
		}
		size_t chip = edit_chip_at(e, i, &label);

		if (chip) {
			vy_buf_addstr(&b, label);
			i += chip - 1;
		} else if (i < s.n) {
			vy_buf_addc(&b, s.p[i]);
		}
	}
	return vy_buf_take(&b, NULL);
}

static const struct {
	const char *name, *script, *out;
} rows[] = {
	{ "type", "\"ab\"", "ab|" },
	{ "left and type between", "\"ab\"l\"x\"", "ax|b" },
	{ "one step over a flag", "\"a🇩🇪b\"ll", "a|🇩🇪b" },
	{ "delete a family as one", "\"a👩‍👩‍👧b\"lh", "a|b" },
	{ "combining mark goes with its letter", "\"xe\xCC\x81\"h", "x|" },
	{ "wide letters by one", "\"中文\"l", "中|文" },
	{ "words", "\"one two\"L", "one |two" },
	{ "words twice", "\"one two\"LL", "|one two" },
	{ "word right", "\"one two\"<R", "one| two" },
	{ "line ends", "\"ab\ncd\"a", "ab\n|cd" },
	{ "line end", "\"ab\ncd\"<e", "ab|\ncd" },
	{ "kill line, then the newline", "\"ab\ncd\"<kk", "|cd" },
	{ "two kills are one cut", "\"ab\ncd\"<kk>y", "cdab\n|" },
	{ "kill word back and yank", "\"one two\"Wy", "one two|" },
	{ "kills in front join in order", "\"one two\"WWy", "one two|" },
	{ "yank an older cut", "\"one\"W\"two\"lrWyp", "one|" },
	{ "kill start", "\"ab\ncd\"u", "ab\n|" },
	{ "undo takes a run of typing", "\"ab\"\"cd\"z", "|" },
	{ "a move parts the runs", "\"ab\"lr\"cd\"z", "ab|" },
	{ "undo and redo", "\"ab\"lr\"cd\"zzZ", "ab|" },
	{ "undo brings back what clear took", "\"precious\"xz", "precious|" },
	{ "typing after undo drops redo", "\"ab\"z\"c\"Z", "c|" },
	{ "a short paste is text", "(a\nb)", "a\nb|" },
	{ "a paste is one edit", "(abc)(def)z", "abc|" },
	{ "a long paste is a chip", "\"see \"(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)\"!\"",
		"see [pasted 11 lines]!|" },
	{ "a chip is one step", "(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)l", "|[pasted 11 lines]" },
	{ "a chip is one delete", "\"a\"(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)h", "a|" },
	{ "a chip opens", "(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)o",
		"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11|" },
	{ "a chip taken out comes back with a yank", "\"a\"chy", "a[pasted 1 character]|" },
	{ "and with undo", "\"a\"chz", "a[pasted 1 character]|" },
	{ "a chip is a word", "\"a \"c\" b\"LL\"|\"", "a ||[pasted 1 character] b" },
	{ "and one to the right", "\"a \"c\" b\"<RR", "a [pasted 1 character]| b" },
	{ "a word ends at a chip", "c\"ab\"L", "[pasted 1 character]|ab" },
	{ "a word begins behind a chip", "\"ab\"c<R", "ab|[pasted 1 character]" },
	{ "a chip goes with its line", "\"a\"c\"b\"<kyy",
		"a[pasted 1 character]ba[pasted 1 character]b|" },
	{ "a run of deleting is one step", "\"abcdef\"hhhz", "abcdef|" },
	{ "forwards too", "\"abcdef\"<dddz", "|abcdef" },
	{ "deleting here and there is two", "\"abcdef\"h<dz", "|abcde" },
	{ "a picture", "\"see \"i", "see [image 1 · 4×3 · 1 kB]|" },
	{ "pictures count in their order", "i<i", "[image 1 · 4×3 · 1 kB]|[image 2 · 4×3 · 1 kB]" },
	{ "one gone, the other is the first", "i<ih", "|[image 1 · 4×3 · 1 kB]" },
	{ "and back", "i<ihz", "[image 1 · 4×3 · 1 kB]|[image 2 · 4×3 · 1 kB]" },
	{ "the same picture is the same", "iI", "[image 1 · 4×3 · 1 kB][image 1 · 4×3 · 1 kB]|" },
	{ "a picture does not open", "io", "[image 1 · 4×3 · 1 kB]|" },
	{ "a combining mark behind a chip is a step of its own", "c\"\xCC\x81\"hh", "|" },
	{ "what looks like a chip is none", "c>\"\xEF\xBF\xBC\xF3\xB0\x80\x80\"",
		"[pasted 1 character]\xEF\xBF\xBD\xF3\xB0\x80\x80|" },
	{ "nor in two pieces", "c(\xEF\xBF\xBC)\"\xF3\xB0\x80\x80\"",
		"[pasted 1 character]\xEF\xBF\xBD\xF3\xB0\x80\x80|" },
	{ "a sign with its presentation is one", "\"\u263A\uFE0F\u2601\uFE0F\"lh",
		"|\u2601\uFE0F" },
	{ "a base and its mark are one", "\"\u30DB\u309A\"h", "|" },
	{ "at the ends nothing happens", "lrhd\"a\">r<l", "|a" },
};

static void verbs(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct edit e;

		edit_init(&e);
		play(&e, rows[i].script);
		char *out = shown(&e);

		check_str(rows[i].name, out, rows[i].out);
		free(out);
		edit_fini(&e);
	}
}

static void a_chip_is_sent_whole(void **state)
{
	struct edit e;
	struct vy_buf out = VY_BUF_INIT(4096);

	(void)state;
	edit_init(&e);
	play(&e, "\"<\"(1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11)\">\"");
	assert_true(edit_whole(&e, &out));
	check_str("whole", vy_buf_c(&out), "<1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11>");
	vy_buf_fini(&out);
	edit_fini(&e);
}

static void too_much_is_refused_and_nothing_lost(void **state)
{
	struct edit e;
	char *big = vy_alloc(EDIT_MAX + 2);

	(void)state;
	memset(big, 'x', EDIT_MAX + 1);
	edit_init(&e);
	edit_insert(&e, VY_STR_LIT("keep"));
	edit_paste(&e, vy_str_n(big, EDIT_MAX + 1));
	assert_true(edit_is_full(&e));
	check_str("kept", vy_buf_c(&e.text), "keep");
	edit_insert(&e, VY_STR_LIT("!"));
	assert_false(edit_is_full(&e));
	free(big);
	edit_fini(&e);
}

/* A text of the greatest length gives way to another, and comes back. */
static void the_longest_text_is_replaced(void **state)
{
	struct edit e;
	char *big = vy_alloc(EDIT_MAX + 1);

	(void)state;
	edit_init(&e);
	memset(big, 'x', EDIT_MAX);
	edit_set(&e, vy_str_n(big, EDIT_MAX));
	memset(big, 'y', EDIT_MAX);
	edit_set(&e, vy_str_n(big, EDIT_MAX - 1));
	assert_false(edit_is_full(&e));
	assert_int_equal(e.text.data[0], 'y');
	edit_undo(&e);
	assert_int_equal(e.text.len, EDIT_MAX);
	assert_int_equal(e.text.data[0], 'x');
	edit_redo(&e);
	assert_int_equal(e.text.len, EDIT_MAX - 1);
	edit_insert(&e, VY_STR_LIT("z"));
	edit_insert(&e, VY_STR_LIT("z"));
	assert_true(edit_is_full(&e));
	free(big);
	edit_fini(&e);
}

/* A day of pasting and sending: memory stays bounded, and no paste is refused for the ones before. */
static void pastes_do_not_add_up(void **state)
{
	struct edit e;
	struct vy_buf out = VY_BUF_INIT(EDIT_MAX);
	char *big = vy_alloc(EDIT_MAX);

	(void)state;
	edit_init(&e);
	for (int i = 0; i < 30; i++) {
		memset(big, 'a' + i % 26, EDIT_MAX / 2);
		edit_paste(&e, vy_str_n(big, EDIT_MAX / 2));
		assert_false(edit_is_full(&e));
		assert_true(e.chip_bytes <= EDIT_KEEP);
		vy_buf_clear(&out);
		assert_true(edit_whole(&e, &out));
		assert_int_equal(out.len, EDIT_MAX / 2);
		assert_int_equal(out.data[0], 'a' + i % 26);
		edit_open_chip(&e);
		assert_int_equal(e.text.len, EDIT_MAX / 2);
		assert_true(e.undo_bytes <= EDIT_KEEP);
		edit_clear(&e);
	}
	assert_true(edit_undo(&e));
	assert_int_equal(e.text.len, EDIT_MAX / 2);
	/* twice as much in one message does not fit, and says so */
	edit_paste(&e, vy_str_n(big, EDIT_MAX / 2));
	assert_false(edit_is_full(&e));
	edit_paste(&e, VY_STR_LIT("x"));
	assert_true(edit_is_full(&e));
	vy_buf_fini(&out);
	free(big);
	edit_fini(&e);
}

static void pictures_go_with_the_text(void **state)
{
	struct edit e;
	struct edit_image im;
	struct vy_buf out = VY_BUF_INIT(4096);

	(void)state;
	edit_init(&e);
	play(&e, "i\" and \"");
	edit_add_image(&e, &(struct edit_image){ "image/gif", VY_STR_LIT("\0g"), 0, 0 });
	assert_true(edit_whole(&e, &out));
	check_str("whole", vy_buf_c(&out), "[image 1] and [image 2]");
	assert_true(edit_image(&e, 1, &im));
	check_str("mime", im.mime, "image/gif");
	check_vstr("bytes", im.data, VY_STR_LIT("\0g"));
	assert_false(edit_image(&e, 2, &im));
	for (int i = 2; i < EDIT_IMAGES; i++) {
		verb(&e, 'i');
	}
	assert_false(edit_add_image(&e, &im));
	assert_true(edit_image(&e, EDIT_IMAGES - 1, &im));
	vy_buf_fini(&out);
	edit_fini(&e);
}

static void an_editor_gives_the_pictures_back(void **state)
{
	struct edit e;

	(void)state;
	edit_init(&e);
	play(&e, "i\" and \"i");
	edit_rewrite(&e, VY_STR_LIT("first [image 2], [image 7] [image x] [image 1"));
	char *out = shown(&e);

	check_str("rewritten", out, "first [image 1 · 4×3 · 1 kB], [image 7] [image x] [image 1|");
	free(out);
	edit_undo(&e);
	out = shown(&e);
	check_str("one edit", out, "[image 1 · 4×3 · 1 kB] and [image 2 · 4×3 · 1 kB]|");
	free(out);
	edit_fini(&e);
}

static void kills_can_be_kept(void **state)
{
	struct edit e, next;
	struct vy_buf out = VY_BUF_INIT(4096);

	(void)state;
	edit_init(&e);
	edit_init(&next);
	play(&e, "\"one\"W\"t \"cak");
	assert_true(edit_kill(&e, 1, &out));
	check_str("the older", vy_buf_c(&out), "one");
	edit_remember_kill(&next, vy_buf_str(&out));
	vy_buf_clear(&out);
	assert_true(edit_kill(&e, 0, &out));
	check_str("the newest, its chip opened", vy_buf_c(&out), "t X");
	edit_remember_kill(&next, vy_buf_str(&out));
	assert_false(edit_kill(&e, 2, &out));
	play(&next, "yp");
	check_str("yanked", vy_buf_c(&next.text), "one");
	vy_buf_fini(&out);
	edit_fini(&e);
	edit_fini(&next);
}

/* Undo all the way is the empty text, redo all the way the last one, whatever was done. */
static void undo_is_exact(void **state)
{
	static const char verbs_used[] = "lrLRae<>hdWDkuypxcio";
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct edit e;

		edit_init(&e);
		for (int i = 0; i < 60; i++) {
			seed = seed * 1103515245u + 12345u;
			if ((seed >> 16) % 3 == 0) {
				edit_insert(&e, VY_STR_LIT("a 中👩‍👧\n"));
			} else {
				verb(&e, verbs_used[(seed >> 16) % (sizeof(verbs_used) - 1)]);
			}
		}
		char *last = vy_strdup(vy_buf_c(&e.text));

		while (edit_undo(&e)) {
		}
		assert_int_equal(e.text.len, 0);
		while (edit_redo(&e)) {
		}
		check_str("redone", vy_buf_c(&e.text), last);
		free(last);
		edit_fini(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verbs),
		cmocka_unit_test(a_chip_is_sent_whole),
		cmocka_unit_test(too_much_is_refused_and_nothing_lost),
		cmocka_unit_test(the_longest_text_is_replaced),
		cmocka_unit_test(pastes_do_not_add_up),
		cmocka_unit_test(pictures_go_with_the_text),
		cmocka_unit_test(kills_can_be_kept),
		cmocka_unit_test(an_editor_gives_the_pictures_back),
		cmocka_unit_test(undo_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
