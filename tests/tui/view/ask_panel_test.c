/* ask_panel_test.c -- the keys of an ask, and how it looks (tests/golden/view/ask.json).
 *
 * A script is the names of keys; "say:words_with_underscores" are words typed for the choice that
 * wanted them. What comes of it is told in one line a key that has an outcome. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/tui/golden.h"
#include "tui/view/ask_hints.h"
#include "tui/view/ask_panel.h"

#define PERMISSION                                                                                 \
	"{'kind':'permission','tool':'Bash','title':'Run a command','summary':'git "               \
	"push','detail':"                                                                          \
	"'git push','options':[{'id':'allow','label':'Yes','decision':'allow'},{'id':'always',"    \
	"'label':'Always in this project','decision':'allow','rule':'Bash(git push:*)','scope':"   \
	"'project'},{'id':'deny','label':'No','decision':'deny'}]}"
#define SCOPED                                                                                     \
	"{'kind':'permission','tool':'Bash','title':'Run a command','summary':'git "               \
	"push','detail':"                                                                          \
	"'git push','options':[{'id':'allow','label':'Yes','decision':'allow'},{'id':'always',"    \
	"'label':'Always in this project','decision':'allow','rule':'Bash(git push:*)','scope':"   \
	"'project','scopes':['session','project','user']},{'id':'deny','label':'No','decision':"   \
	"'deny'}]}"
#define PLAN                                                                                       \
	"{'kind':'plan','tool':'ExitPlanMode','title':'A plan','summary':'p','detail':'# p',"      \
	"'options':[{'id':'accept-edits','label':'Yes, and accept "                                \
	"edits','decision':'allow','mode':"                                                        \
	"'acceptEdits'},{'id':'allow','label':'Yes, ask before edits','decision':'allow','mode':"  \
	"'default'},{'id':'deny','label':'No, keep planning','decision':'deny'}]}"
#define OTHERS                                                                                     \
	"{'kind':'permission','tool':'x','summary':'x','options':[{'id':'p1','label':'Go',"        \
	"'decision':'allow'},{'id':'p2','label':'Stop','decision':'deny'}]}"
#define NO_OPTIONS "{'kind':'permission','tool':'x','summary':'x'}"
#define COLOUR                                                                                     \
	"{'question':'Which colour?','header':'Colour','multi':false,'free':true,'options':["      \
	"{'label':'Red','description':'warm','preview':'ignored'},{'label':'Blue'}],'later':[1]}"
#define PARTS                                                                                      \
	"{'question':'Which parts?','header':'Parts','multi':true,'free':true,'options':["         \
	"{'label':'One'},{'label':'Two'},{'label':'Three'}]}"
#define LAST                                                                                       \
	"{'question':'Sure?','header':'Sure','free':false,'options':[{'label':'Yes'},{'label':'"   \
	"No'}]}"
#define QUESTION "{'kind':'question','summary':'q','options':[],'questions':[" COLOUR "]}"
#define FORM                                                                                       \
	"{'kind':'question','summary':'q','options':[],'questions':[" COLOUR "," PARTS "," LAST "]}"
#define SEVERAL "{'kind':'question','summary':'q','options':[],'questions':[" PARTS "]}"

struct world {
	struct vy_arena arena;
	struct keymap keymap;
	struct ask_panel panel;
	struct vy_row rows[3];
	size_t at;
	struct vy_buf told;
};

static void read_row(struct world *w, size_t i, const char *json)
{
	char *s = vy_arena_dup(&w->arena, json, strlen(json));
	struct vy_err e = { 0 };

	for (char *p = s; *p; p++) {
		*p = *p == '\'' ? '"' : *p;
	}
	VY_AUTO_JSON *v = vy_json_parse(vy_str_c(s), &e);

	if (!v) {
		fail_msg("%s: %s", s, e.text);
	}
	vy_json_set_c(v, "ask", vy_arena_printf(&w->arena, "a%zu", i));
	vy_json_set_c(v, "state", "open");
	if (vy_ask_decode(v, &w->arena, &w->rows[i].ask, &e) != 0) {
		fail_msg("%s: %s", s, e.text);
	}
}

static void look(struct world *w)
{
	size_t n = 0;

	while (n < VY_COUNT(w->rows) && w->rows[n].ask.id.n) {
		n++;
	}
	w->at %= n;
	ask_panel_sync(&w->panel, &w->rows[w->at], w->at, n, 1000);
}

static void world_init(struct world *w, const char *one, const char *two)
{
	*w = (struct world){ 0 };
	vy_arena_init(&w->arena);
	vy_buf_init(&w->told, 65536);
	keymap_init(&w->keymap);
	ask_panel_init(&w->panel, &w->keymap);
	read_row(w, 0, one);
	if (two) {
		read_row(w, 1, two);
	}
	look(w);
}

static void world_fini(struct world *w)
{
	ask_panel_fini(&w->panel);
	keymap_fini(&w->keymap);
	vy_buf_fini(&w->told);
	vy_arena_fini(&w->arena);
}

static void tell(struct world *w, enum ask_outcome o, struct ask_answer *a)
{
	switch (o) {
	case ASK_PANEL_NOTHING: vy_buf_adds(&w->told, "nothing\n"); break;
	case ASK_PANEL_DONE: break;
	case ASK_PANEL_SAY: vy_buf_adds(&w->told, "say\n"); break;
	case ASK_PANEL_LEAVE: vy_buf_adds(&w->told, "leave\n"); break;
	case ASK_PANEL_NEXT:
	case ASK_PANEL_PREV:
		w->at += o == ASK_PANEL_NEXT ? 1 : VY_COUNT(w->rows) * 2 - 1;
		vy_buf_adds(&w->told, o == ASK_PANEL_NEXT ? "next\n" : "prev\n");
		look(w);
		break;
	case ASK_PANEL_ANSWER:
		vy_buf_addf(&w->told, "%.*s", VY_STR_ARG(a->decision));
		if (a->scope.n) {
			vy_buf_addf(&w->told, " %.*s", VY_STR_ARG(a->scope));
		}
		if (a->answers) {
			vy_buf_addc(&w->told, ' ');
			vy_json_dump(a->answers, &w->told);
		}
		vy_buf_addc(&w->told, '\n');
		vy_json_free(a->answers);
		break;
	}
}

static void press(struct world *w, const char *name)
{
	struct ask_answer a = { 0 };
	struct key k;

	if (strncmp(name, "say:", 4) == 0) {
		char *words = vy_arena_dup(&w->arena, name + 4, strlen(name + 4));

		for (char *p = words; *p; p++) {
			*p = *p == '_' ? ' ' : *p;
		}
		tell(w, ask_panel_said(&w->panel, vy_str_c(words), &a), &a);
		return;
	}
	if (!key_parse(vy_str_c(name), &k)) {
		fail_msg("no key %s", name);
	}
	tell(w, ask_panel_action(&w->panel, keymap_find(&w->keymap, KEYMAP_ASK, k), k, &a), &a);
}

static void play(struct world *w, const char *script)
{
	char *s = vy_arena_dup(&w->arena, script, strlen(script)), *save = NULL;

	for (char *name = strtok_r(s, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		press(w, name);
	}
}

static const struct {
	const char *name, *ask, *other, *keys, *told;
} key_rows[] = {
	{ "one", PERMISSION, NULL, "1", "allow\n" },
	{ "two", PERMISSION, NULL, "2", "always\n" },
	{ "three wants words", PERMISSION, NULL, "3 say:use_another_branch", "say\ndeny\n" },
	{ "four is none", PERMISSION, NULL, "4 9", "" },
	{ "yes", PERMISSION, NULL, "y", "allow\n" },
	{ "always", PERMISSION, NULL, "a", "always\n" },
	{ "no", PERMISSION, NULL, "n say:no", "say\ndeny\n" },
	{ "always, where it says", SCOPED, NULL, "a", "always project\n" },
	{ "always, everywhere", SCOPED, NULL, "w a", "always user\n" },
	{ "always, in this session, by number", SCOPED, NULL, "w w 2", "always session\n" },
	{ "round to where it was", SCOPED, NULL, "w w w a", "always project\n" },
	{ "a yes has no place", SCOPED, NULL, "w y", "allow\n" },
	{ "no place to choose", PERMISSION, NULL, "w a", "always\n" },
	{ "no place in a plan", PLAN, NULL, "w 1", "accept-edits\n" },
	{ "nor in a form", QUESTION, NULL, "w 2", "allow {\"Which colour?\":\"Blue\"}\n" },
	{ "enter takes the one under the cursor", PERMISSION, NULL, "down enter", "always\n" },
	{ "round the end", PERMISSION, NULL, "up up enter", "always\n" },
	{ "skip", PERMISSION, NULL, "s", "skip\n" },
	{ "later and fold leave it", PERMISSION, NULL, "l esc", "leave\nleave\n" },
	{ "tab goes back", PERMISSION, NULL, "tab", "leave\n" },
	{ "other letters are nobody's", PERMISSION, NULL, "x", "nothing\n" },
	{ "space ticks nothing", PERMISSION, NULL, "space", "" },
	{ "yes to a plan does not accept edits", PLAN, NULL, "y", "allow\n" },
	{ "the first way of a plan", PLAN, NULL, "1", "accept-edits\n" },
	{ "no always in a plan", PLAN, NULL, "a", "" },
	{ "no to a plan", PLAN, NULL, "n say:shorter", "say\ndeny\n" },
	{ "another provider's names", OTHERS, NULL, "y", "p1\n" },
	{ "and its no", OTHERS, NULL, "n say:x", "say\np2\n" },
	{ "and nothing always", OTHERS, NULL, "a", "" },
	{ "no options: yes", NO_OPTIONS, NULL, "y", "allow\n" },
	{ "no options: no", NO_OPTIONS, NULL, "2 say:x", "say\ndeny\n" },

	{ "a label", QUESTION, NULL, "2", "allow {\"Which colour?\":\"Blue\"}\n" },
	{ "by the cursor", QUESTION, NULL, "down enter", "allow {\"Which colour?\":\"Blue\"}\n" },
	{ "other words", QUESTION, NULL, "3 say:light_green",
		"say\nallow {\"Which colour?\":\"light green\"}\n" },
	{ "letters of a permission answer no question", QUESTION, NULL, "y n a", "" },
	{ "a skipped question is a skipped ask", QUESTION, NULL, "s", "skip\n" },

	{ "digits tick where several may be", SEVERAL, NULL, "1 3 enter",
		"allow {\"Which parts?\":[\"One\",\"Three\"]}\n" },
	{ "and untick", SEVERAL, NULL, "1 3 1 enter", "allow {\"Which parts?\":[\"Three\"]}\n" },
	{ "space too", SEVERAL, NULL, "down space enter", "allow {\"Which parts?\":[\"Two\"]}\n" },
	{ "enter alone takes the one under the cursor", SEVERAL, NULL, "down enter",
		"allow {\"Which parts?\":[\"Two\"]}\n" },
	{ "ticks and words", SEVERAL, NULL, "2 4 say:four",
		"say\nallow {\"Which parts?\":[\"Two\",\"four\"]}\n" },

	{ "a form goes on", FORM, NULL, "1 2 enter 1",
		"allow {\"Which colour?\":\"Red\",\"Which parts?\":[\"Two\"],\"Sure?\":"
		"\"Yes\"}\n" },
	{ "what is skipped is left out", FORM, NULL, "s s 2", "allow {\"Sure?\":\"No\"}\n" },
	{ "all skipped", FORM, NULL, "s s s", "skip\n" },
	{ "back and another", FORM, NULL, "1 left 2 enter 2",
		"allow {\"Which colour?\":\"Blue\",\"Which parts?\":[\"One\"],\"Sure?\":"
		"\"No\"}\n" },
	{ "words, then a label instead", FORM, NULL, "3 say:green left 1 s 1",
		"say\nallow {\"Which colour?\":\"Red\",\"Sure?\":\"Yes\"}\n" },
	{ "forward no further than it was", FORM, NULL, "right 1 right left right s 1",
		"allow {\"Which colour?\":\"Red\",\"Sure?\":\"Yes\"}\n" },
	{ "folding keeps what was answered", FORM, NULL, "1 esc 1 enter 1",
		"leave\nallow {\"Which colour?\":\"Red\",\"Which "
		"parts?\":[\"One\"],\"Sure?\":"
		"\"Yes\"}\n" },

	{ "the next ask", PERMISSION, PLAN, "right 1", "next\naccept-edits\n" },
	{ "round to the first", PERMISSION, PLAN, "right right 2", "next\nnext\nalways\n" },
	{ "looking at another keeps a form", FORM, PERMISSION,
		"2 1 enter left left left right right right 2",
		"prev\nnext\nallow {\"Which colour?\":\"Blue\",\"Which parts?\":[\"One\"],"
		"\"Sure?\":\"No\"}\n" },
	{ "only one: nothing beside it", PERMISSION, NULL, "left right", "" },
};

static void test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(key_rows); i++) {
		struct world w;

		world_init(&w, key_rows[i].ask, key_rows[i].other);
		play(&w, key_rows[i].keys);
		check_str(key_rows[i].name, vy_buf_c(&w.told), key_rows[i].told);
		world_fini(&w);
	}
}

/* No stray key approves: a digit needs a still keyboard and a panel that was seen. */
static void test_digits_are_safe(void **state)
{
	static const struct {
		const char *name;
		int64_t shown, key, now;
		bool is_empty, is_folded, takes;
	} rows[] = {
		{ "seen, and no key for long", 1000, 0, 1400, true, false, true },
		{ "just shown", 1000, 0, 1399, true, false, false },
		{ "a key fell", 1000, 1500, 1899, true, false, false },
		{ "and some time ago", 1000, 1500, 1900, true, false, true },
		{ "something is written", 1000, 0, 9000, false, false, false },
		{ "folded", 1000, 0, 9000, true, true, false },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct world w;

		world_init(&w, PERMISSION, NULL);
		w.panel.shown_ms = rows[i].shown;
		w.panel.is_folded = rows[i].is_folded;
		if (rows[i].key) {
			ask_panel_touched(&w.panel, rows[i].key);
		}
		check_true(rows[i].name, ask_panel_takes_digit(&w.panel, rows[i].is_empty,
						 rows[i].now) == rows[i].takes);
		world_fini(&w);
	}
}

/* An ask that takes the place of another is a new sight; the same one again is not. */
static void test_sync(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, PERMISSION, PLAN);
	check_true("open", ask_panel_is_open(&w.panel));
	press(&w, "esc");
	check_true("folded", !ask_panel_is_open(&w.panel));
	ask_panel_sync(&w.panel, &w.rows[0], 0, 2, 5000);
	check_true("stays folded", !ask_panel_is_open(&w.panel));
	check_int("seen long ago", w.panel.shown_ms, 1000);
	ask_panel_sync(&w.panel, &w.rows[1], 0, 1, 6000);
	check_true("another one opens", ask_panel_is_open(&w.panel));
	check_int("seen now", w.panel.shown_ms, 6000);
	check_true("no digit yet", !ask_panel_takes_digit(&w.panel, true, 6100));
	ask_panel_sync(&w.panel, NULL, 0, 0, 7000);
	check_true("none", !ask_panel_is_open(&w.panel));
	press(&w, "y");
	check_str("no key is its own", vy_buf_c(&w.told), "leave\nnothing\n");
	world_fini(&w);
}

/* Another session is looked at, and this one again: no ask has the id of another session's. */
static void test_kept_form(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, FORM, NULL);
	press(&w, "2");
	check_true("chosen", ask_form_has(w.panel.form, 0));
	ask_panel_sync(&w.panel, NULL, 0, 0, 2000);
	check_true("gone", !w.panel.form);
	ask_panel_sync(&w.panel, &w.rows[0], 0, 1, 3000);
	check_true("still chosen", ask_form_has(w.panel.form, 0));
	check_int("the question behind it", (int64_t)w.panel.form->question, 1);
	world_fini(&w);
}

/* More asks than are kept: the forms of the others are still whole. */
static void test_many_forms(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, FORM, NULL);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 2 * ASK_PANEL_FORMS; i++) {
			struct vy_row row = w.rows[0];

			row.ask.id = vy_str_c(vy_arena_printf(&w.arena, "x%d", i));
			ask_panel_sync(&w.panel, &row, 0, 1, 1000);
			press(&w, "2");
			check_str("its form", w.panel.form->ask, w.panel.ask);
		}
	}
	world_fini(&w);
}

/* ---- the line at the foot ---- */

static const struct {
	const char *name, *ask, *other, *keys; /* pressed before */
	bool is_focused, is_reachable;
	int cells;
	const char *bind, *want;
} hint_rows[] = {
	{ "not there, and a way to it", PERMISSION, NULL, "", false, true, 80, NULL,
		"tab to answer" },
	{ "not there, and no way", PERMISSION, NULL, "", false, false, 80, NULL, "" },
	{ "a permission", PERMISSION, NULL, "", true, true, 80, NULL,
		"y yes   n no   a always   s skip   l later   esc fold" },
	{ "one whose rule can hold elsewhere", SCOPED, NULL, "", true, true, 80, NULL,
		"y yes   n no   a always   w where   s skip   l later   esc fold" },
	{ "nothing always", OTHERS, NULL, "", true, true, 80, NULL,
		"y yes   n no   s skip   l later   esc fold" },
	{ "one of two", PERMISSION, PLAN, "", true, true, 80, NULL,
		"y yes   n no   a always   s skip   l later   → next ask   esc fold" },
	{ "less room", SCOPED, NULL, "", true, true, 36, NULL,
		"y yes   n no   a always   esc fold" },
	{ "no room", SCOPED, NULL, "", true, true, 9, NULL, "esc fold" },
	{ "a question", QUESTION, NULL, "", true, true, 80, NULL,
		"enter choose   s skip   l later   esc fold" },
	{ "several may be", SEVERAL, NULL, "", true, true, 80, NULL,
		"space tick   enter go on   s skip   l later   esc fold" },
	{ "but words are not ticked", SEVERAL, NULL, "up", true, true, 80, NULL,
		"enter choose   s skip   l later   esc fold" },
	{ "back in a form, and forward again", FORM, NULL, "1 left", true, true, 80, NULL,
		"enter choose   s skip   l later   → next   esc fold" },
	{ "a person's own keys", PERMISSION, NULL, "", true, true, 80, "f5 = ask-yes",
		"f5 yes   n no   a always   s skip   l later   esc fold" },
	{ "one that has no key", PERMISSION, NULL, "", true, true, 80, "s = none",
		"y yes   n no   a always   l later   esc fold" },
};

static void test_hints(void **state)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });

	(void)state;
	for (size_t i = 0; i < VY_COUNT(hint_rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(1024);
		struct world w;

		world_init(&w, hint_rows[i].ask, hint_rows[i].other);
		if (hint_rows[i].bind) {
			assert_int_equal(
				keymap_line(&w.keymap, vy_str_c(hint_rows[i].bind), NULL), 0);
		}
		play(&w, hint_rows[i].keys);
		w.panel.is_focused = hint_rows[i].is_focused;
		w.panel.is_reachable = hint_rows[i].is_reachable;
		ask_hints(&w.panel, pool, hint_rows[i].cells, &out);
		check_str(hint_rows[i].name, vy_buf_c(&out), hint_rows[i].want);
		world_fini(&w);
	}
	cell_pool_free(pool);
}

/* ---- pictures ---- */

static void draw_case(const char *name, const struct vy_json *c, struct vy_buf *out)
{
	const struct vy_json *sizes = vy_json_get(c, "sizes");
	struct cell_pool *pool = cell_pool_new(
		(struct vy_width){ .ambiguous_wide = vy_json_bool(c, "wide", false) });
	struct world w;

	for (size_t i = 0; i < vy_json_len(sizes); i++) {
		int cols = (int)vy_json_intval(vy_json_at(vy_json_at(sizes, i), 0), 80);
		int max = (int)vy_json_intval(vy_json_at(vy_json_at(sizes, i), 1), 18);
		struct vy_json *ask = vy_json_get(c, "ask");
		struct vy_err e = { 0 };
		struct cell_grid g;
		char title[200];

		world_init(&w, NO_OPTIONS, NULL);
		vy_json_set_c(ask, "ask", "shown");
		if (vy_ask_decode(ask, &w.arena, &w.rows[0].ask, &e) != 0) {
			fail_msg("%s: %s", name, e.text);
		}
		ask_panel_sync(&w.panel, &w.rows[0], 0, (size_t)vy_json_int(c, "count", 1), 1000);
		w.panel.is_focused = vy_json_bool(c, "focus", false);
		w.panel.is_reachable = !vy_json_bool(c, "away", false);
		if (vy_json_cstr(c, "keys")) {
			play(&w, vy_json_cstr(c, "keys"));
		}
		int rows = ask_panel_rows(&w.panel, pool, cols, max);

		check_true(name, rows <= max);
		cell_grid_init(&g, pool, cols, rows);
		ask_panel_draw(&w.panel, cell_win_all(&g));
		snprintf(title, sizeof(title), "%s, %d columns of %d rows", name, cols, max);
		golden_add(out, title, &g, rows, NULL);
		for (int x = 1; x < 150; x += x < 30 ? 1 : 11) { /* nothing breaks it */
			for (int y = 1; y < 12; y += 2) {
				rows = ask_panel_rows(&w.panel, pool, x, y);
				check_true(name, rows <= y);
				cell_grid_resize(&g, x, rows);
				ask_panel_draw(&w.panel, cell_win_all(&g));
				golden_check_grid(name, &g, rows);
			}
		}
		cell_grid_fini(&g);
		world_fini(&w);
	}
	cell_pool_free(pool);
}

static void test_pictures(void **state)
{
	(void)state;
	golden_run("tests/golden/view", draw_case);
}

CHECK_MAIN(CHECK_TEST(test_keys), CHECK_TEST(test_digits_are_safe), CHECK_TEST(test_sync),
	CHECK_TEST(test_kept_form), CHECK_TEST(test_many_forms), CHECK_TEST(test_hints),
	CHECK_TEST(test_pictures))
