/* term_test.c -- the terminals in the client's state: who gets a key, tabs, layouts, what the server brings. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/app/state.h"
#include "tui/ink/cell_rows.h"

struct world {
	struct app_state s;
	struct cell_grid grid;
	struct screen_cursor cursor;
	struct app_effects fx;
	int64_t now;
};

static void paint(struct world *w)
{
	app_stale(&w->s);
	app_time(&w->s, w->now, w->now);
	app_paint(&w->s, &w->grid, &w->cursor);
}

static void world_init(struct world *w, int cols, int rows)
{
	*w = (struct world){ .now = 1000000 };
	app_state_init(&w->s, (struct vy_width){ 0 });
	app_state_open(&w->s, "00000000-0000-4000-8000-000000000001");
	app_set_line(&w->s, APP_LIVE, -1, NULL);
	cell_grid_init(&w->grid, w->s.pool, cols, rows);
	cell_grid_watch(&w->grid);
	paint(w);
}

static void world_fini(struct world *w)
{
	app_effects_fini(&w->fx);
	cell_grid_fini(&w->grid);
	app_state_fini(&w->s);
}

static void key(struct world *w, const char *name)
{
	struct key_event ev = { .kind = KEY_EV_KEY };

	check_true(name, key_parse(vy_str_c(name), &ev.key));
	if (strlen(name) == 1) {
		ev.text = vy_str_c(name);
	}
	w->now += 500;
	app_time(&w->s, w->now, w->now);
	app_key(&w->s, &ev, &w->fx);
	paint(w);
}

static void keys(struct world *w, const char *names)
{
	char all[200], *rest = all, *name;

	snprintf(all, sizeof(all), "%s", names);
	while ((name = strsep(&rest, " "))) {
		key(w, name);
	}
}

static struct term_tab *now(const struct world *w)
{
	return terms_now(&w->s.terms);
}

static void feed(struct world *w, const char *bytes)
{
	term_effect(now(w),
		&(struct vy_term_effect){ .what = VY_TERM_DO_FEED, .bytes = vy_str_c(bytes) });
	paint(w);
}

/* The server opens the tab in front. */
static void opens(struct world *w)
{
	struct vy_term_effect e = { .what = VY_TERM_DO_RESET };
	VY_AUTO_JSON *place = vy_json_new_obj();
	int cols, rows;

	if (w->s.terms.wants_list) {
		term_listed(&w->s, NULL);
	}
	term_room(&w->s, &cols, &rows);
	e.cols = (unsigned)cols;
	e.rows = (unsigned)rows;
	vy_json_set_c(place, "term", "t");
	term_opened(&w->s, now(w)->serial, place, &(struct vy_err){ 0 });
	now(w)->viewer.is_open = now(w)->viewer.has_keys = true;
	term_effect(now(w), &e);
	term_line(&w->s, now(w), TERM_LINK_LIVE, -1, NULL);
	paint(w);
}

static const char *sent(struct world *w)
{
	return now(w) ? vy_buf_c(pane_out(now(w)->pane)) : "(none)";
}

static void test_keys(void **state)
{
	static const struct {
		const char *name, *keys, *sent;
		enum app_focus focus;
	} rows[] = {
		{ "words go to the program", "h i enter", "hi\r", APP_TERM },
		{ "esc is the program's", "esc", "\033", APP_TERM },
		{ "ctrl-c too", "ctrl-c", "\003", APP_TERM },
		{ "digits answer no ask", "1 y", "1y", APP_TERM },
		{ "a key we keep", "ctrl-t", "", APP_COMPOSER },
		{ "the same behind the prefix", "ctrl-] ctrl-t", "\024", APP_TERM },
		{ "the prefix itself", "ctrl-] ctrl-]", "\035", APP_TERM },
		{ "esc behind the prefix", "ctrl-] esc", "\033", APP_TERM },
		{ "ctrl-\\ behind it", "ctrl-] ctrl-\\", "\034", APP_TERM },
		{ "leaving, by the prefix", "ctrl-] d", "", APP_COMPOSER },
		{ "another pane's turn", "alt-w x", "", APP_COMPOSER },
		{ "and back", "alt-w alt-w x", "x", APP_TERM },
		{ "the layout is no key of the program", "ctrl-\\ x", "x", APP_TERM },
		{ "f1 is the program's", "f1", "\033OP", APP_TERM },
		{ "looking back takes keys", "ctrl-] [ k k v", "", APP_TERM },
		{ "and gives them back", "ctrl-] [ k esc x", "x", APP_TERM },
		{ "a key that means nothing there returns to the program", "ctrl-] [ z", "z",
			APP_TERM },
		{ "help, and back", "ctrl-] ? esc x", "x", APP_TERM },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct world w;

		world_init(&w, 80, 24);
		key(&w, "ctrl-t");
		opens(&w);
		feed(&w, "one\r\ntwo\r\nthree");
		keys(&w, rows[i].keys);
		check_str(rows[i].name, sent(&w), rows[i].sent);
		check_int(rows[i].name, w.s.focus, rows[i].focus);
		world_fini(&w);
	}
}

static void test_tabs(void **state)
{
	struct terms *t;
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	t = &w.s.terms;
	key(&w, "ctrl-t");
	check_true("asks which there are", t->wants_list);
	opens(&w);
	keys(&w, "ctrl-] c");
	opens(&w);
	keys(&w, "ctrl-] c");
	opens(&w);
	check_int("three", (long long)t->n, 3);
	check_int("the newest", (long long)t->at, 2);
	keys(&w, "ctrl-] n");
	check_int("round", (long long)t->at, 0);
	keys(&w, "ctrl-] p");
	check_int("and back", (long long)t->at, 2);
	keys(&w, "ctrl-] 2");
	check_int("by number", (long long)t->at, 1);
	keys(&w, "ctrl-] x");
	check_true("asked first", !now(&w)->wants_close && w.s.flash);
	keys(&w, "ctrl-] x");
	check_true("then closed", now(&w)->wants_close);
	term_line(&w.s, now(&w), TERM_LINK_OVER, -1, NULL);
	check_int("it goes with its end", (long long)t->n, 2);
	check_int("kept for the edge", (long long)t->n_gone, 1);
	terms_sweep(t);
	keys(&w, "ctrl-t");
	check_true("away", !t->is_shown);
	keys(&w, "ctrl-t");
	check_true("there, nothing is asked", t->is_shown && !t->wants_list);
	for (int i = 0; i < TERM_MAX + 3; i++) {
		keys(&w, "ctrl-] c");
	}
	check_int("no more than that", (long long)t->n, TERM_MAX);
	app_state_open(&w.s, "00000000-0000-4000-8000-000000000002");
	check_int("another session has its own", (long long)t->n, 0);
	world_fini(&w);
}

/* A shell that ended by itself stays to be read; enter opens another, leaving takes it away. */
static void test_end(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	key(&w, "ctrl-t");
	opens(&w);
	now(&w)->viewer.has_ended = true;
	term_line(&w.s, now(&w), TERM_LINK_OVER, -1, NULL);
	check_int("it is there", (long long)w.s.terms.n, 1);
	keys(&w, "x");
	check_str("nobody to type to", sent(&w), "");
	uint32_t was = now(&w)->serial;

	keys(&w, "enter");
	check_int("one", (long long)w.s.terms.n, 1);
	check_true("another", now(&w)->serial != was && !now(&w)->id);
	opens(&w);
	term_line(&w.s, now(&w), TERM_LINK_OVER, -1, NULL);
	keys(&w, "ctrl-t");
	check_int("gone with the pane", (long long)w.s.terms.n, 0);
	world_fini(&w);
}

static void test_refused(void **state)
{
	struct vy_err e = { 0 };
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	key(&w, "ctrl-t");
	term_listed(&w.s, NULL);
	(void)!vy_fail(&e, VY_FULL, "no PTY is left");
	term_opened(&w.s, now(&w)->serial, NULL, &e);
	check_str("why", now(&w)->why, "no PTY is left");
	keys(&w, "ctrl-] x");
	check_int("closed at once", (long long)w.s.terms.n, 0);
	check_true("and away", !w.s.terms.is_shown && w.s.focus == APP_COMPOSER);
	world_fini(&w);
}

static void test_listed(void **state)
{
	VY_AUTO_JSON *list = vy_json_parse(vy_str_c("{\"terms\":[{\"term\":\"a\"},{\"term\":\"b\","
						    "\"ended\":5},{\"term\":\"c\"}]}"),
		NULL);
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	key(&w, "ctrl-t");
	term_listed(&w.s, list);
	check_int("those that go on", (long long)w.s.terms.n, 2);
	check_str("the first", w.s.terms.tabs[0]->id, "a");
	check_str("the second", w.s.terms.tabs[1]->id, "c");
	world_fini(&w);
}

static void test_not_ours(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	key(&w, "ctrl-t");
	opens(&w);
	now(&w)->viewer.has_keys = false;
	keys(&w, "x");
	check_str("not sent", sent(&w), "");
	check_true("said", w.s.flash != NULL);
	keys(&w, "ctrl-] k");
	check_true("taken", now(&w)->wants_take);
	world_fini(&w);
}

/* What a file's editor needs is typed once it is there. */
static void test_edit(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	check_true("no pane", !term_edit(&w.s, "/a", 1));
	key(&w, "ctrl-t");
	opens(&w);
	check_true("on another machine", !term_edit(&w.s, "/a", 1));
	w.s.terms.is_here = true;
	check_true("in a tab of its own", term_edit(&w.s, "/tmp/it's", 7));
	check_int("two", (long long)w.s.terms.n, 2);
	check_str("not yet", sent(&w), "");
	opens(&w);
	check_str("typed", sent(&w), "exec ${VISUAL:-${EDITOR:-vi}} +7 '/tmp/it'\\''s'\r");
	term_line(&w.s, now(&w), TERM_LINK_OVER, -1, NULL);
	check_int("gone with the editor", (long long)w.s.terms.n, 1);
	check_true("no line end in a name", !term_edit(&w.s, "/tmp/a\rrm", 0));
	world_fini(&w);
}

static void test_split(void **state)
{
	static const struct {
		const char *name;
		int layout, cols, rows, chat_w, chat_h, pane_w, pane_h;
	} rows[] = {
		{ "below", TERM_BELOW, 80, 22, 80, 13, 80, 9 },
		{ "beside", TERM_BESIDE, 80, 22, 40, 22, 40, 22 },
		{ "full", TERM_FULL, 80, 22, 0, 0, 80, 22 },
		{ "no room beside: below", TERM_BESIDE, 60, 22, 60, 13, 60, 9 },
		{ "no room below: full", TERM_BELOW, 40, 10, 0, 0, 40, 10 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct term_split split;
		struct world w;

		world_init(&w, 80, 24);
		key(&w, "ctrl-t");
		w.s.terms.layout = rows[i].layout;
		split = term_split(&w.s, rows[i].cols, rows[i].rows);
		check_int(rows[i].name, split.chat.w, rows[i].chat_w);
		check_int(rows[i].name, split.chat.h, rows[i].chat_h);
		check_int(rows[i].name, split.pane.w, rows[i].pane_w);
		check_int(rows[i].name, split.pane.h, rows[i].pane_h);
		world_fini(&w);
	}
}

/* Any size, any layout, in every state: nothing is drawn outside, nothing falls over. */
static void test_sizes(void **state)
{
	static const int sizes[][2] = { { 80, 24 }, { 1, 1 }, { 40, 12 }, { 300, 100 }, { 39, 11 },
		{ 70, 3 }, { 100, 30 } };
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	key(&w, "ctrl-t");
	opens(&w);
	feed(&w, "some words\r\n中文 and more");
	for (size_t i = 0; i < VY_COUNT(sizes) * TERM_LAYOUTS; i++) {
		cell_grid_resize(
			&w.grid, sizes[i % VY_COUNT(sizes)][0], sizes[i % VY_COUNT(sizes)][1]);
		w.s.terms.layout = (int)(i / VY_COUNT(sizes));
		paint(&w);
		keys(&w, "ctrl-] [ k V ctrl-] / q esc esc alt-w alt-w ctrl-] + ctrl-] - esc");
	}
	world_fini(&w);
}

static void mouse(struct world *w, enum key_mouse_kind kind, int x, int y)
{
	struct key_event ev = { .kind = KEY_EV_MOUSE,
		.mouse = { .kind = kind, .button = 1, .x = x, .y = y } };

	app_key(&w->s, &ev, &w->fx);
	paint(w);
}

static void test_mouse(void **state)
{
	struct cell_rect body;
	struct world w;
	int was;

	(void)state;
	world_init(&w, 80, 24);
	key(&w, "ctrl-t");
	opens(&w);
	feed(&w, "first words\r\nsecond");
	body = w.s.terms.body;
	mouse(&w, KEY_MOUSE_PRESS, 5, 3);
	mouse(&w, KEY_MOUSE_RELEASE, 5, 3);
	check_int("a click on the chat", w.s.focus, APP_COMPOSER);
	mouse(&w, KEY_MOUSE_PRESS, body.x + 2, body.y);
	mouse(&w, KEY_MOUSE_DRAG, body.x + 4, body.y);
	mouse(&w, KEY_MOUSE_RELEASE, body.x + 4, body.y);
	check_int("on the pane", w.s.focus, APP_TERM);
	keys(&w, "y");
	check_int("copied", w.fx.v[w.fx.n - 1].kind, APP_COPY);
	check_str("what was dragged over", w.fx.v[w.fx.n - 1].text, "rst");
	check_true("and back at the end", !pane_is_looking(now(&w)->pane));
	was = w.s.terms.below;
	mouse(&w, KEY_MOUSE_PRESS, 60, w.s.terms.pane.y);
	mouse(&w, KEY_MOUSE_DRAG, 60, w.s.terms.pane.y - 3);
	mouse(&w, KEY_MOUSE_RELEASE, 60, w.s.terms.pane.y - 3);
	check_true("the edge is dragged", w.s.terms.below > was);
	feed(&w, "\033[?1000h\033[?1006h");
	body = w.s.terms.body;
	mouse(&w, KEY_MOUSE_PRESS, body.x + 1, body.y + 1);
	check_str("the program's", sent(&w), "\033[<0;2;2M");
	mouse(&w, KEY_MOUSE_RELEASE, 0, 0);
	check_str("to its end", sent(&w), "\033[<0;2;2M\033[<0;1;1m");
	world_fini(&w);
}

static void test_colors(void **state)
{
	struct key_event ev = {
		.kind = KEY_EV_COLOR, .value = 11, .text = VY_STR_LIT("rgb:1616/1818/1a1a")
	};
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	app_key(&w.s, &ev, &w.fx);
	key(&w, "ctrl-t");
	opens(&w);
	feed(&w, "\033]11;?\033\\");
	check_str("its ground is ours", sent(&w), "\033]11;rgb:1616/1818/1a1a\033\\");
	world_fini(&w);
}

static void test_alone(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	term_alone(&w.s);
	paint(&w);
	opens(&w);
	int cols, rows;

	term_room(&w.s, &cols, &rows);
	check_int("all columns", cols, 80);
	check_int("all rows", rows, 24);
	keys(&w, "ctrl-t ctrl-\\ alt-w esc");
	check_str("all keys", sent(&w), "\024\034\033w\033");
	keys(&w, "ctrl-] d");
	check_true("but one", w.s.terms.wants_quit);
	w.s.terms.wants_quit = false;
	term_line(&w.s, now(&w), TERM_LINK_OVER, -1, NULL);
	check_true("it ends with the shell", w.s.terms.wants_quit);
	world_fini(&w);
}

CHECK_MAIN(CHECK_TEST(test_keys), CHECK_TEST(test_tabs), CHECK_TEST(test_end),
	CHECK_TEST(test_refused), CHECK_TEST(test_listed), CHECK_TEST(test_not_ours),
	CHECK_TEST(test_edit), CHECK_TEST(test_split), CHECK_TEST(test_sizes),
	CHECK_TEST(test_mouse), CHECK_TEST(test_colors), CHECK_TEST(test_alone))
