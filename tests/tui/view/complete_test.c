/* complete_test.c -- the word under the cursor ("|") that could become more, and what it becomes. */
#include "tests/check.h"
#include "tui/view/complete.h"

static const struct {
	const char *name, *text;
	enum complete_kind kind;
	const char *query, *choice, *becomes;
	bool goes_on;
} rows[] = {
	{ "a slash", "/|", COMPLETE_COMMAND, "", "new", "/new |", false },
	{ "part of a command", "/re|", COMPLETE_COMMAND, "re", "rename", "/rename |", false },
	{ "inside of it", "/r|e", COMPLETE_COMMAND, "r", "rename", "/rename |", false },
	{ "before its words", "/re| old name", COMPLETE_COMMAND, "re", "rename",
		"/rename |old name", false },
	{ "behind the command", "/rename |", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "before the slash", "|/re", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "a path is no command", "/usr/b|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "not at the start", "see /re|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "not in another line", "a\n/re|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "an at sign", "@|", COMPLETE_FILE, "", "src/a.c", "@src/a.c |", false },
	{ "part of a path", "look at @src/|", COMPLETE_FILE, "src/", "src/a.c",
		"look at @src/a.c |", false },
	{ "inside of one", "@sr|c and more", COMPLETE_FILE, "sr", "src/a.c", "@src/a.c |and more",
		false },
	{ "in brackets", "(@a|", COMPLETE_FILE, "a", "a.c", "(@a.c |", false },
	{ "an address is no file", "ana@exa|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "a folder goes on", "@s|", COMPLETE_FILE, "s", "src/", "@src/|", true },
	{ "a path with blanks is quoted", "@my|", COMPLETE_FILE, "my", "my file.c",
		"@\"my file.c\" |", false },
	{ "and found in quotes", "@\"my fi|", COMPLETE_FILE, "my fi", "my file.c",
		"@\"my file.c\" |", false },
	{ "a folder with blanks goes on in quotes", "@my|", COMPLETE_FILE, "my", "my dir/",
		"@\"my dir/|", true },
	{ "behind the quotes", "@\"my file.c\" |", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "at the closing quote", "@\"my f|\" x", COMPLETE_FILE, "my f", "my file.c",
		"@\"my file.c\" |x", false },
	{ "a range is settled", "@a.c:1|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "its colon too", "@a.c:|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "and both its ends", "@a.c:10-2|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
	{ "a name in Chinese", "看 @文|", COMPLETE_FILE, "文", "文档.md", "看 @文档.md |", false },
	{ "in the second line", "one\n@t|", COMPLETE_FILE, "t", "two", "one\n@two |", false },
	{ "a command's word may be a file", "/review @a|", COMPLETE_FILE, "a", "a.c",
		"/review @a.c |", false },
	{ "behind a shell's sign", "!cat @a|", COMPLETE_FILE, "a", "a.c", "!cat @a.c |", false },
	{ "nothing", "|", COMPLETE_NOTHING, NULL, NULL, NULL, false },
};

static void fill(struct edit *e, const char *text)
{
	const char *cursor = strchr(text, '|');

	edit_insert(e, vy_str_n(text, (size_t)(cursor - text)));
	edit_insert(e, vy_str_c(cursor + 1));
	edit_move_to(e, (size_t)(cursor - text));
}

static void words(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct edit e;
		struct complete_word w;
		struct vy_buf out = VY_BUF_INIT(4096);
		char *before;

		edit_init(&e);
		fill(&e, rows[i].text);
		before = strdup(vy_buf_c(&e.text));
		w = complete_at(&e);
		check_int(rows[i].name, w.kind, rows[i].kind);
		if (w.kind != COMPLETE_NOTHING) {
			check_vstr(rows[i].name, w.query, vy_str_c(rows[i].query));
			complete_put(&e, &w, vy_str_c(rows[i].choice), rows[i].goes_on);
			vy_buf_add(&out, e.text.data, e.at);
			vy_buf_addc(&out, '|');
			vy_buf_adds(&out, e.text.data + e.at);
			check_str(rows[i].name, vy_buf_c(&out), rows[i].becomes);
			edit_undo(&e);
			check_str("one edit", vy_buf_c(&e.text), before);
		}
		free(before);
		vy_buf_fini(&out);
		edit_fini(&e);
	}
}

/* A chip is no part of a word. */
static void not_with_a_chip(void **state)
{
	struct edit e;

	(void)state;
	edit_init(&e);
	edit_insert(&e, VY_STR_LIT("@a"));
	edit_paste_chip(&e, VY_STR_LIT("x"));
	check_int("kind", complete_at(&e).kind, COMPLETE_NOTHING);
	edit_fini(&e);
}

CHECK_MAIN(CHECK_TEST(words), CHECK_TEST(not_with_a_chip))
