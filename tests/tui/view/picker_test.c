/* picker_test.c -- the list by keys, and how it looks (tests/golden/view/picker.json).
 *
 * A script: words are typed, <name> is an action of the keymap. Out comes what is chosen. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/tui/golden.h"
#include "tui/ink/theme.h"
#include "tui/view/picker.h"

static void run(struct picker *p, const char *script)
{
	while (*script) {
		const char *end =
			*script == '<' ? strchr(script, '>') : script + strcspn(script, "<");

		if (*script == '<') {
			enum keymap_action a =
				keymap_action_of(vy_str_n(script + 1, (size_t)(end - script) - 1));

			assert_int_not_equal(a, ACTION_NONE);
			picker_action(p, a);
			end++;
		} else {
			picker_type(p, vy_str_n(script, (size_t)(end - script)));
		}
		script = end;
	}
}

static void fill(struct picker *p, const char *const *labels)
{
	for (; *labels; labels++) {
		picker_add(p, &(struct picker_item){ .id = *labels,
				      .label = *labels,
				      .detail = strcmp(*labels, "docs") ? NULL : "guides" });
	}
}

static const char *const some[] = { "fix-login", "docs", "bench", "flaky", NULL };

static const struct {
	const char *name, *script, *chosen; /* NULL: nothing */
} rows[] = {
	{ "the first at first", "", "fix-login" },
	{ "down", "<menu-down>", "docs" },
	{ "up from the first is the last", "<menu-up>", "flaky" },
	{ "down from the last is the first", "<menu-up><menu-down>", "fix-login" },
	{ "a page stops at the end", "<menu-page-down><menu-page-down>", "flaky" },
	{ "a page up at the first", "<menu-down><menu-page-up>", "fix-login" },
	{ "what is typed", "ben", "bench" },
	{ "the best one first", "fl", "flaky" },
	{ "what is typed more begins at the top", "<menu-down>f", "flaky" },
	{ "found by its detail", "guide", "docs" },
	{ "nothing is called so", "xyz", NULL },
	{ "and back", "xyz<kill-start>", "fix-login" },
	{ "the line is edited", "xbench<line-start><delete>", "bench" },
	{ "only the first line of a paste", "ben\nch", "bench" },
};

static void test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct picker p;

		picker_init(&p);
		picker_begin(&p, "Sessions", NULL);
		fill(&p, some);
		run(&p, rows[i].script);
		const struct picker_item *it = picker_chosen(&p);

		check_str(rows[i].name, it ? it->label : "", rows[i].chosen ? rows[i].chosen : "");
		picker_fini(&p);
	}
}

/* Filled anew: the choice stays on its item, wherever that stands now. */
static void test_kept(void **state)
{
	static const char *const other[] = { "new", "bench", "docs", NULL };
	static const char *const without[] = { "new", "docs", NULL };
	struct picker p;

	(void)state;
	picker_init(&p);
	fill(&p, some);
	run(&p, "<menu-down><menu-down>");
	picker_clear(&p);
	assert_null(picker_chosen(&p));
	fill(&p, other);
	assert_string_equal(picker_chosen(&p)->id, "bench");
	picker_clear(&p);
	fill(&p, without);
	assert_non_null(picker_chosen(&p));
	picker_fini(&p);
}

static void test_borrowed(void **state)
{
	struct picker p;

	(void)state;
	picker_init(&p);
	fill(&p, some);
	picker_seek(&p, VY_STR_LIT("be"));
	assert_string_equal(picker_chosen(&p)->id, "bench");
	assert_false(picker_action(&p, ACTION_LEFT)); /* the other field's */
	assert_true(picker_action(&p, ACTION_MENU_DOWN));
	picker_seek(&p, VY_STR_LIT(""));
	assert_string_equal(picker_chosen(&p)->id, "fix-login");
	picker_fini(&p);
}

/* Tens of thousands of files: a letter costs little, and the list is bounded. */
static void test_many(void **state)
{
	struct picker p;
	char name[64];

	(void)state;
	picker_init(&p);
	for (int i = 0; i < PICKER_MOST + 10; i++) {
		snprintf(name, sizeof(name), "src/room%d/file%d.c", i % 97, i);
		picker_add(&p, &(struct picker_item){ .id = name, .label = name });
	}
	assert_null(picker_at(&p, PICKER_MOST));
	picker_type(&p, VY_STR_LIT("file49999"));
	assert_string_equal(picker_chosen(&p)->label, "src/room44/file49999.c");
	picker_fini(&p);
}

/* ---- the look ---- */

static int role_of(struct vy_str name)
{
	for (int r = 0; r < THEME_ROLE_COUNT; r++) {
		if (vy_str_is(name, theme_role_name(r))) {
			return r;
		}
	}
	return THEME_TEXT;
}

static void add(struct picker *p, const struct vy_json *j)
{
	picker_add(p, &(struct picker_item){ .id = vy_json_cstr(j, "id"),
			      .key = vy_json_cstr(j, "key"),
			      .mark = vy_json_cstr(j, "mark"),
			      .mark_role = role_of(vy_json_str(j, "mark_role")),
			      .label = vy_json_cstr(j, "label"),
			      .detail = vy_json_cstr(j, "detail"),
			      .aside = vy_json_cstr(j, "aside"),
			      .aside_role = role_of(vy_json_str(j, "aside_role")),
			      .preview = vy_json_cstr(j, "preview"),
			      .is_here = vy_json_bool(j, "is_here", false),
			      .is_off = vy_json_bool(j, "is_off", false) });
}

static void draw_case(const char *name, const struct vy_json *c, struct vy_buf *out)
{
	static const struct {
		int cols, most;
	} sizes[] = { { 100, 12 }, { 60, 7 }, { 40, 6 } };

	for (size_t i = 0; i < VY_COUNT(sizes); i++) {
		struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
		struct screen_cursor cursor = { 0 };
		struct cell_grid g;
		struct picker p;
		char title[200];

		picker_init(&p);
		picker_begin(&p, vy_json_cstr(c, "title"), vy_json_cstr(c, "empty"));
		const struct vy_json *items = vy_json_get(c, "items");

		for (size_t k = 0; k < vy_json_len(items); k++) {
			add(&p, vy_json_at(items, k));
		}
		p.is_waiting = vy_json_bool(c, "waiting", false);
		p.keeps_end = vy_json_bool(c, "keeps_end", false);
		if (vy_json_str(c, "trouble").n) {
			picker_fail(&p, vy_json_cstr(c, "trouble"));
		}
		if (vy_json_get(c, "borrowed")) {
			picker_seek(&p, vy_json_str(c, "borrowed"));
		}
		run(&p, vy_json_cstr(c, "script") ? vy_json_cstr(c, "script") : "");
		int lines = picker_rows(&p, sizes[i].most);

		cell_grid_init(&g, pool, sizes[i].cols, lines);
		picker_draw(&p, cell_win_all(&g), &cursor);
		snprintf(title, sizeof(title), "%s, %dx%d", name, sizes[i].cols, lines);
		golden_add(out, title, &g, lines, &cursor);
		cell_grid_fini(&g);
		picker_fini(&p);
		cell_pool_free(pool);
	}
}

static void test_look(void **state)
{
	(void)state;
	golden_run("tests/golden/picker", draw_case);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_borrowed),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
