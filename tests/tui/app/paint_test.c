/* paint_test.c -- a screen that is drawn only where it changed is the screen drawn whole.
 *
 * Random frames, keys, sizes and passing time; after each step the state is painted into the watched
 * grid, which has all that was painted before, and into an empty one. Both must have the same
 * cells, and the painter must believe that the terminal shows them (that it does is
 * tests/screen/paint_vt_test.c). A failure names its seed: VYRE_SEED=N plays that one alone. */
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/app/state.h"
#include "tui/ink/cell_rows.h"
#include "tui/ink/paint.h"
#include "shared/base/ban.h"

#define SEEDS 100
#define STEPS 250

struct world {
	struct app_state s;
	struct cell_grid grid; /* watched */
	struct paint paint;
	struct vy_buf out;
	unsigned dice;
	int64_t now;
	uint64_t cur;
	int message, tool, ask; /* the newest of each */
	bool is_reader;
	size_t drawn, kept; /* rows of the watched grid, by their numbers */
};

static int dice(struct world *w, int n)
{
	w->dice = w->dice * 1103515245u + 12345u;
	return (int)(w->dice >> 16 & 0x7fff) % n;
}

/* ---- what the server tells ---- */

static void frame(struct world *w, struct vy_frame *f)
{
	struct app_effects fx = { 0 };

	f->cur = ++w->cur;
	f->time = 1000 + w->now;
	app_frame(&w->s, f, &fx);
	app_effects_fini(&fx);
}

static const char *name(char out[16], char kind, int n)
{
	snprintf(out, 16, "%c%d", kind, n);
	return out;
}

static void words(struct world *w, bool is_thought)
{
	static const char *const pieces[] = { "alpha ", "bravo ", "charlie delta ", "**weight** ",
		"`code` ", "\n\n", "\n\n- item ", "\n- item ", "\n\n> quoted ", "\n> more ",
		"\n\n```c\nint x = 1;\n",
		"\tif (a_line_of_code(that, is, long) && to_be_cut(\"中文字\")) /* שלום */\n",
		"\n```\n\n", "\nreturn x;", "\n\n## Head\n\n",
		"\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "中文字 ", "שלום עולם ", "مرحبا 12 ",
		"[a link](https://x.example/) ", "**open ", "👩‍💻 ", "\n\n1. one\n",
		"a-very-long-word-that-has-no-place-to-break-and-goes-on-and-on-for-a-while " };
	struct vy_frame f;
	char id[16];

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	vy_frame_set_c(&f, VY_F_MESSAGE, name(id, is_thought ? 'r' : 'm', w->message));
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_TEXT, pieces[dice(w, VY_COUNT(pieces))]);
	if (is_thought) {
		vy_frame_set_bool(&f, VY_F_REASONING, true);
	}
	frame(w, &f);
}

static void words_done(struct world *w)
{
	struct vy_frame f;
	char id[16];

	vy_frame_init(&f, VY_KIND_TEXT_DONE);
	vy_frame_set_c(&f, VY_F_MESSAGE, name(id, 'm', w->message++));
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	frame(w, &f);
}

static void person(struct world *w)
{
	static const char *const states[] = { "sent", "queued", "picked-up", "cancelled" };
	struct vy_frame f;
	char id[16];

	vy_frame_init(&f, VY_KIND_USER_MESSAGE);
	vy_frame_set_c(&f, VY_F_MESSAGE, name(id, 'u', w->message + dice(w, 3)));
	vy_frame_set_c(&f, VY_F_STATE, states[dice(w, 4)]);
	vy_frame_set_c(&f, VY_F_TEXT, dice(w, 2) ? "please look\nat this" : "go on");
	f.author = VY_STR_LIT("person:ana");
	frame(w, &f);
}

static void tool(struct world *w)
{
	static const char result[] = "{\"type\":\"terminal\",\"data\":{\"text\":\"one\\ntwo\\n"
				     "three\\nfour\\nfive\\nsix\\nseven\\neight\\n\"}}";
	struct vy_frame f;
	char id[16];

	switch (dice(w, 3)) {
	case 0:
		vy_frame_init(&f, VY_KIND_TOOL_STARTED);
		vy_frame_set_c(&f, VY_F_TOOL_ID, name(id, 't', ++w->tool));
		vy_frame_set_c(&f, VY_F_TOOL, "Bash");
		vy_frame_set_c(&f, VY_F_KIND, "shell");
		vy_frame_set_c(&f, VY_F_SUMMARY, "make check");
		break;
	case 1:
		vy_frame_init(&f, VY_KIND_TOOL_PROGRESS);
		vy_frame_set_c(&f, VY_F_TOOL_ID, name(id, 't', w->tool));
		vy_frame_set_c(&f, VY_F_TEXT, "compiling\nlinking\n");
		break;
	default:
		vy_frame_init(&f, VY_KIND_TOOL_FINISHED);
		vy_frame_set_c(&f, VY_F_TOOL_ID, name(id, 't', w->tool));
		vy_frame_set_bool(&f, VY_F_OK, true);
		vy_frame_set_c(&f, VY_F_STATUS, "completed");
		vy_frame_set_json(&f, VY_F_RESULT, vy_str_c(result));
		break;
	}
	frame(w, &f);
}

static void ask(struct world *w)
{
	struct vy_frame f;
	char id[16];

	if (dice(w, 4)) {
		vy_frame_init(&f, VY_KIND_ASK_ANSWERED);
		vy_frame_set_c(&f, VY_F_ASK_ID, name(id, 'a', w->ask));
		vy_frame_set_c(&f, VY_F_DECISION, "allow");
		vy_frame_set_c(&f, VY_F_BY, "person:li");
	} else {
		vy_frame_init(&f, VY_KIND_ASK);
		vy_frame_set_c(&f, VY_F_ASK_ID, name(id, 'a', ++w->ask));
		vy_frame_set_c(&f, VY_F_KIND, "permission");
		vy_frame_set_c(&f, VY_F_TOOL, "Bash");
		vy_frame_set_c(&f, VY_F_TITLE, "Bash wants to run");
		vy_frame_set_c(&f, VY_F_SUMMARY, "rm x");
		vy_frame_set_json(&f, VY_F_OPTIONS,
			VY_STR_LIT("[{\"id\":\"allow\",\"label\":\"Yes\",\"decision\":\"allow\"},"
				   "{\"id\":\"deny\",\"label\":\"No\",\"decision\":\"deny\"}]"));
	}
	frame(w, &f);
}

static void status(struct world *w)
{
	static const char *const states[] = { "working", "waiting", "asking", "finished",
		"failed" };
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, states[dice(w, 5)]);
	if (dice(w, 3) == 0) {
		vy_frame_set_c(&f, VY_F_TITLE, dice(w, 2) ? "fix login" : "a title");
		vy_frame_set_c(&f, VY_F_MODE, dice(w, 2) ? "plan" : "acceptEdits");
	}
	if (dice(w, 6) == 0) {
		vy_frame_set_c(&f, VY_F_NOTE, "the limit is near");
	}
	frame(w, &f);
}

/* ---- what the person does ---- */

static void key(struct world *w)
{
	static const char *const names[] = { "a", "b", "x", "space", "?", "f1", "esc", "esc", "esc",
		"esc", "enter", "tab", "pgup", "pgup", "pgdn", "up", "down", "home", "end",
		"ctrl-o", "shift-tab", "alt-enter", "ctrl-u", "ctrl-w", "ctrl-up", "ctrl-down", "v",
		"right", "left", "/", "alt-/", "n", "alt-t", "alt-g", "alt-s", "ctrl-r", "alt-q",
		"y", "@", "!", "s", "l", "alt-l", "alt-l", "w", "w", "right", "[" };
	struct app_effects fx = { 0 };
	struct key_event ev = { .kind = KEY_EV_KEY };
	const char *pressed = names[dice(w, VY_COUNT(names))];

	if (dice(w, 12) == 0) { /* over whatever is there, sideways */
		ev.kind = KEY_EV_MOUSE;
		ev.mouse = (struct key_mouse){ .kind = KEY_MOUSE_WHEEL_LEFT +
						       (enum key_mouse_kind)(dice(w, 3) > 0),
			.x = dice(w, w->grid.cols),
			.y = dice(w, w->grid.rows) };
	} else if (dice(w, 30) == 0) {
		ev.kind = KEY_EV_PASTE;
		ev.text = VY_STR_LIT("pasted\nlines\nof 中文\n\tand more\n");
	} else {
		assert_true(key_parse(vy_str_c(pressed), &ev.key));
		ev.text = vy_str_c(strlen(pressed) == 1 ? pressed : "");
	}
	app_key(&w->s, &ev, &fx);
	app_effects_fini(&fx);
}

static void resize(struct world *w)
{
	static const int sizes[][2] = { { 80, 24 }, { 100, 30 }, { 41, 13 }, { 160, 20 }, { 30, 8 },
		{ 130, 30 } };
	const int *size = sizes[dice(w, VY_COUNT(sizes))];

	cell_grid_resize(&w->grid, size[0], size[1]);
}

/* The list of sessions comes; sometimes of many. */
static void list(struct world *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);
	int n = dice(w, 4) ? dice(w, 6) : 40;

	vy_buf_adds(&b, "{\"threads\":[");
	for (int i = 0; i < n; i++) {
		vy_buf_addf(&b,
			"%s{\"session\":\"s%d\",\"title\":\"%s %d\",\"state\":\"%s\",\"asks\":%d,"
			"\"messages\":%d,\"updated\":%d}",
			i ? "," : "", i, dice(w, 2) ? "a title" : "会话", dice(w, 9),
			dice(w, 2) ? "running" : "idle", !dice(w, 5), dice(w, 3), dice(w, 9000));
	}
	vy_buf_adds(&b, "]}");
	VY_AUTO_JSON *answer = vy_json_parse(vy_buf_str(&b), NULL);

	column_reply(&w->s, w->s.column.serial, answer);
}

static void line(struct world *w)
{
	bool is_live = dice(w, 2);

	app_set_line(&w->s, is_live ? APP_LIVE : APP_DOWN, is_live ? -1 : w->now, NULL);
}

static void step(struct world *w)
{
	/* Half of the plays are of a person who reads: words come, and now and then something else. */
	int n = w->is_reader && dice(w, 8) ? dice(w, 50) : dice(w, 100);

	n = w->is_reader && n > 90 ? 65 : n;
	bool is_frame = n < 72; /* app_frame() knows what it changed */

	w->now += dice(w, 20) ? dice(w, 40) : dice(w, 5000);
	app_time(&w->s, w->now, 1000 + w->now);
	if (n < 50) {
		words(w, n < 5);
	} else if (n < 53) {
		words_done(w);
	} else if (n < 57) {
		person(w);
	} else if (n < 65) {
		tool(w);
	} else if (n < 67) {
		ask(w);
	} else if (n < 72) {
		status(w);
	} else if (n < 95) {
		key(w);
	} else if (n < 96) {
		line(w);
	} else if (n < 97) {
		w->s.is_straight = !w->s.is_straight;
	} else if (n < 98) {
		resize(w);
	} else if (n < 99) {
		list(w);
	}
	if (!is_frame && n < 99) { /* behind 99 only time passes */
		app_stale(&w->s);
	}
}

/* ---- both ways ---- */

static void count(struct world *w, const uint64_t *before)
{
	for (int y = 0; y < w->grid.rows; y++) {
		bool is_kept = cell_row_number(&w->grid, y) == before[y];

		w->kept += is_kept;
		w->drawn += !is_kept;
	}
}

static void check_rows(const char *what, const struct cell_grid *got, const struct cell_grid *want,
	unsigned seed, int at)
{
	char text[80];

	for (int y = 0; y < want->rows; y++) {
		int x0, x1;

		if (cell_diff_row(got, want, y, &x0, &x1)) {
			VY_AUTO_BUF b = VY_BUF_INIT(1 << 20);

			screen_dump_grid(got, NULL, &b);
			vy_buf_adds(&b, "\nwanted\n");
			screen_dump_grid(want, NULL, &b);
			fputs(vy_buf_c(&b), stderr);
			snprintf(text, sizeof(text),
				"VYRE_SEED=%u: step %d, row %d, cells %d to %d", seed, at, y, x0,
				x1);
			fail_msg("%s: %s", what, text);
		}
	}
}

static void paint_both(struct world *w, unsigned seed, int at)
{
	struct screen_cursor cursor = { 0 }, whole_cursor = { 0 };
	uint64_t before[64];
	struct cell_grid whole;

	for (int y = 0; y < w->grid.rows; y++) {
		before[y] = cell_row_number(&w->grid, y);
	}
	app_paint(&w->s, &w->grid, &cursor);
	count(w, before);
	cell_grid_init(&whole, w->s.pool, w->grid.cols, w->grid.rows);
	app_paint(&w->s, &whole, &whole_cursor);
	check_rows("a frame", &w->grid, &whole, seed, at);
	check_true("cursor", cursor.x == whole_cursor.x && cursor.y == whole_cursor.y &&
				     cursor.visible == whole_cursor.visible);
	if (dice(w, 4)) { /* a slow terminal leaves frames out */
		vy_buf_clear(&w->out);
		paint_frame(&w->paint, &w->grid, cursor, &w->out);
		check_rows("what the terminal has", &w->paint.shown, &whole, seed, at);
	}
	cell_grid_fini(&whole);
}

static void play(unsigned seed, size_t *drawn, size_t *kept)
{
	struct world w = {
		.dice = seed * 2654435761u + 1, .now = 10000, .message = 1, .is_reader = seed % 2
	};

	vy_buf_init(&w.out, 1 << 24);
	app_state_init(&w.s, (struct vy_width){ .ambiguous_wide = seed % 7 == 0 });
	app_state_open(&w.s, "s1");
	app_set_line(&w.s, APP_LIVE, -1, NULL);
	cell_grid_init(&w.grid, w.s.pool, 90, 24);
	cell_grid_watch(&w.grid);
	paint_init(&w.paint, (struct paint_caps){ .no_scroll = seed % 5 == 0 });
	for (int i = 0; i < STEPS; i++) {
		step(&w);
		paint_both(&w, seed, i);
	}
	*drawn += w.drawn;
	*kept += w.kept;
	paint_fini(&w.paint);
	cell_grid_fini(&w.grid);
	app_state_fini(&w.s);
	vy_buf_fini(&w.out);
}

static void any_events(void **state)
{
	(void)state;
	const char *only = getenv("VYRE_SEED");
	size_t drawn = 0, kept = 0;

	if (only) {
		play((unsigned)strtoul(only, NULL, 10), &drawn, &kept);
		return;
	}
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		play(seed, &drawn, &kept);
	}
	/* Else the test would not be about anything. */
	check_true("many rows are left as they are", kept > drawn / 2);
}

/* A word at the end of a long reply: its row is drawn, and those that always are. */
static void a_word_draws_its_row(void **state)
{
	(void)state;
	struct world w = { .dice = 1, .now = 10000, .message = 1 };
	struct screen_cursor cursor = { 0 };
	struct vy_frame f;

	app_state_init(&w.s, (struct vy_width){ 0 });
	app_state_open(&w.s, "s1");
	app_set_line(&w.s, APP_LIVE, -1, NULL);
	cell_grid_init(&w.grid, w.s.pool, 100, 50);
	cell_grid_watch(&w.grid);
	for (int i = 0; i < 400; i++) {
		uint64_t before[50];

		vy_frame_init(&f, VY_KIND_TEXT_DELTA);
		vy_frame_set_c(&f, VY_F_MESSAGE, "m1");
		vy_frame_set_int(&f, VY_F_INDEX, 0);
		vy_frame_set_c(&f, VY_F_TEXT, i % 40 == 39 ? "end.\n\n" : "word ");
		frame(&w, &f);
		for (int y = 0; y < w.grid.rows; y++) {
			before[y] = cell_row_number(&w.grid, y);
		}
		w.drawn = 0;
		app_paint(&w.s, &w.grid, &cursor);
		count(&w, before);
		/* the bars, the composer and its air; when a line begins, all above it move */
		check_true("few rows", i == 0 || w.drawn <= 8 || i % 40 == 0 || w.drawn >= 40);
	}
	cell_grid_fini(&w.grid);
	app_state_fini(&w.s);
}

CHECK_MAIN(CHECK_TEST(any_events), CHECK_TEST(a_word_draws_its_row))
