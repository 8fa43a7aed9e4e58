/* transcript_test.c -- the window over the rows: it follows, it keeps the reader's line, it finds
 * each line once, and what it costs is what is seen. Costs are counted in rows laid out. */
#include "shared/base/mem.h"
#include "tests/shared/frame/frames.h"
#include "tests/tui/golden.h"
#include "tui/view/transcript.h"
#include "tui/view/transcript_text.h"

struct world {
	struct vy_arena arena;
	struct cell_pool *pool;
	struct vy_fold *fold;
	struct transcript *t;
	struct cell_grid grid;
	struct transcript_how how;
	uint64_t cur;
	int draws; /* > 0: one in so many frames is drawn at once */
};

static void world_init(struct world *w, int cols, int rows)
{
	*w = (struct world){ .pool = cell_pool_new((struct vy_width){ 0 }), .fold = vy_fold_new() };
	vy_arena_init(&w->arena);
	w->t = transcript_new(w->pool);
	cell_grid_init(&w->grid, w->pool, cols, rows);
}

static void world_fini(struct world *w)
{
	cell_grid_fini(&w->grid);
	transcript_free(w->t);
	vy_fold_free(w->fold);
	cell_pool_free(w->pool);
	vy_arena_fini(&w->arena);
}

static void apply(struct world *w, const struct vy_frame *f)
{
	struct vy_change ch = { 0 };

	vy_fold_apply(w->fold, f, &ch);
	transcript_changed(w->t, w->fold, &ch);
	if (w->draws && f->cur % (unsigned)w->draws == 0) {
		cell_grid_clear(&w->grid);
		transcript_draw(w->t, w->fold, cell_win_all(&w->grid), &w->how);
	}
}

static void feed(struct world *w, const char *kind, const char *data)
{
	struct vy_frame f = frame_of(&w->arena, ++w->cur, kind, data);

	apply(w, &f);
}

static void say(struct world *w, const char *text)
{
	feed(w, "user-message",
		vy_arena_printf(&w->arena, "'message':'u%llu','state':'sent','text':'%s'",
			(unsigned long long)w->cur, text));
}

/* A piece of the assistant's message `id`; text may hold newlines. */
static void tell(struct world *w, const char *id, struct vy_str text)
{
	struct vy_frame f = frame_of(&w->arena, ++w->cur, "text-delta",
		vy_arena_printf(&w->arena, "'message':'%s','index':0,'text':''", id));

	vy_frame_set_str(&f, VY_F_TEXT, text);
	apply(w, &f);
}

static void draw(struct world *w)
{
	cell_grid_clear(&w->grid);
	transcript_draw(w->t, w->fold, cell_win_all(&w->grid), &w->how);
	golden_check_grid("window", &w->grid, w->grid.rows);
}

static void resize(struct world *w, int cols, int rows)
{
	cell_grid_resize(&w->grid, cols, rows);
	draw(w);
}

/* A line of the window without its blanks at both ends. */
static const char *line(struct world *w, int y)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8192);
	struct vy_str s;

	for (int x = 0; x < w->grid.cols; x++) {
		const struct cell *c = cell_at(&w->grid, x, y);

		if (c->width) {
			vy_buf_addstr(&b, cell_text(&w->grid, c));
		}
	}
	s = vy_buf_str(&b);
	while (s.n && s.p[s.n - 1] == ' ') {
		s.n--;
	}
	while (s.n && s.p[0] == ' ') {
		s = vy_str_from(s, 1);
	}
	return vy_arena_dup(&w->arena, s.p ? s.p : "", s.n);
}

static const char *last_line(struct world *w)
{
	return line(w, w->grid.rows - 1);
}

static const char *screen(struct world *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(1 << 20);

	for (int y = 0; y < w->grid.rows; y++) {
		vy_buf_adds(&b, line(w, y));
		vy_buf_addc(&b, '\n');
	}
	return vy_arena_dup(&w->arena, b.data, b.len);
}

/* Every line of the whole transcript, from the top. */
static const char *read_all(struct world *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4 << 20);

	transcript_top(w->t, w->fold);
	draw(w);
	while (!transcript_is_following(w->t)) {
		vy_buf_adds(&b, line(w, 0));
		vy_buf_addc(&b, '\n');
		transcript_scroll(w->t, w->fold, 1);
		draw(w);
	}
	vy_buf_adds(&b, screen(w));
	return vy_arena_dup(&w->arena, b.data, b.len);
}

static int times(const char *text, const char *word)
{
	int n = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		n++;
	}
	return n;
}

/* Eighty unique lines in messages, tools, code and a table; one paragraph is long. */
static void fill(struct world *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);
	int n = 0;

	for (int i = 0; i < 8; i++) {
		say(w, vy_arena_printf(&w->arena, "asked <%02d>", n++));
		vy_buf_clear(&b);
		for (int k = 0; k < 4; k++) {
			vy_buf_addf(&b,
				"line <%02d> of some words, of which there are a few more\n\n",
				n++);
		}
		vy_buf_addf(
			&b, "```c\nint x; /* <%02d> */\nreturn x; /* <%02d> */\n```\n\n", n, n + 1);
		vy_buf_addf(&b, "| <%02d> | a |\n|---|---|\n| <%02d> | b |\n\n", n + 2, n + 3);
		n += 4;
		vy_buf_adds(&b, "A long paragraph: ");
		for (int k = 0; k < 60; k++) {
			vy_buf_addf(&b, "w%d.%d ", i, k);
		}
		tell(w, vy_arena_printf(&w->arena, "m%d", i),
			vy_arena_str(&w->arena, vy_buf_str(&b)));
		feed(w, "text-done", vy_arena_printf(&w->arena, "'message':'m%d','index':0", i));
		feed(w, "tool-started",
			vy_arena_printf(&w->arena,
				"'tool_id':'t%d','tool':'Bash','kind':'shell','summary':'run "
				"<%02d>'",
				i, n++));
		feed(w, "tool-finished",
			vy_arena_printf(&w->arena,
				"'tool_id':'t%d','ok':true,'status':'completed','result':{'type':"
				"'terminal','command':'x','output':'done','exit':0}",
				i));
		feed(w, "file-changed", vy_arena_printf(&w->arena, "'path':'f%d','op':'edit'", i));
	}
	check_int("lines", n, 80);
}

static const struct {
	int cols, rows;
} sizes[] = { { 134, 40 }, { 118, 30 }, { 108, 24 }, { 90, 50 }, { 128, 40 }, { 40, 12 },
	{ 134, 40 } };

/* ---- following ---- */

static void test_follows(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 60, 6);
	draw(&w);
	check_true("an empty one follows", transcript_is_following(w.t));
	say(&w, "one");
	draw(&w);
	check_str("short: from the top", line(&w, 1), "› one");
	for (int i = 0; i < 9; i++) {
		say(&w, vy_arena_printf(&w.arena, "word %d", i));
		draw(&w);
	}
	check_str("the newest is the last", last_line(&w), "› word 8");
	transcript_scroll(w.t, w.fold, -4);
	draw(&w);
	check_str("scrolled", last_line(&w), "› word 6");
	const char *before = screen(&w);

	say(&w, "ten");
	feed(&w, "file-changed", "'path':'f','op':'edit'");
	tell(&w, "m", VY_STR_LIT("an answer\n\nand more"));
	tell(&w, "m", VY_STR_LIT(" that goes on\n\n- and on"));
	draw(&w);
	check_str("nothing moves", screen(&w), before);
	check_int("two with something to show", (long long)transcript_below(w.t), 2);
	transcript_scroll(w.t, w.fold, 1000);
	draw(&w);
	check_true("at the end it follows", transcript_is_following(w.t));
	check_int("nothing below", (long long)transcript_below(w.t), 0);
	check_str("the end", last_line(&w), "• and on");
	tell(&w, "m", VY_STR_LIT("\n- on"));
	draw(&w);
	check_str("it goes along", last_line(&w), "• on");
	world_fini(&w);
}

static void test_reads_above(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 100, 20);
	fill(&w);
	draw(&w);
	transcript_scroll(w.t, w.fold, -30);
	draw(&w);
	const char *before = screen(&w);

	/* a row above grows and one below too: the reader sees neither */
	feed(&w, "tool-progress", "'tool_id':'t0','text':'late'");
	tell(&w, "m7", VY_STR_LIT("\n\nmore"));
	draw(&w);
	check_str("keeps its place", screen(&w), before);
	world_fini(&w);
}

/* ---- sizes ---- */

static void test_each_line_once(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 80, 24);
	fill(&w);
	for (size_t i = 0; i < VY_COUNT(sizes); i++) {
		resize(&w, sizes[i].cols, sizes[i].rows);
		const char *all = read_all(&w);

		for (int n = 0; n < 80; n++) {
			char word[16];

			snprintf(word, sizeof(word), "<%02d>", n);
			if (times(all, word) != 1) {
				fail_msg("%d columns: %s stands there %d times", sizes[i].cols,
					word, times(all, word));
			}
		}
		for (int n = 0; n < 60; n++) {
			char word[16];

			snprintf(word, sizeof(word), "w3.%d ", n);
			check_true(word, times(all, word) <= 1);
		}
	}
	world_fini(&w);
}

/* What the line at the top is known by: its first word, or two when it is no word of its own. */
static const char *top_words(struct world *w)
{
	const char *s = line(w, 0);
	size_t n = strcspn(s, " ");

	if (s[n] && !memchr(s, '.', n)) {
		n += 1 + strcspn(s + n + 1, " ");
	}
	return vy_arena_dup(&w->arena, s, n);
}

static void test_resize_keeps_the_line(void **state)
{
	struct world w;
	int kept = 0;

	(void)state;
	world_init(&w, 134, 40);
	fill(&w);
	for (int up = 45; up < 160; up += 3) {
		resize(&w, 134, 40);
		transcript_follow(w.t);
		draw(&w);
		transcript_scroll(w.t, w.fold, -up);
		draw(&w);
		const char *first = screen(&w), *words = top_words(&w);

		for (size_t i = 1; i < VY_COUNT(sizes); i++) {
			resize(&w, sizes[i].cols, sizes[i].rows);
			if (words[0] && !transcript_is_following(w.t) &&
				!strstr(line(&w, 0), words)) {
				fail_msg("%d up, %d columns: \"%s\" is not in \"%s\"", up,
					sizes[i].cols, words, line(&w, 0));
			}
			kept += words[0] != '\0';
		}
		check_str("back at the first size", screen(&w), first);
	}
	check_true("most were seen", kept > 100);
	world_fini(&w);
}

/* A window that grew to hold the end gives the place back, unless something came meanwhile. */
static void test_grows_to_the_end_and_back(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 60, 6);
	for (int i = 0; i < 20; i++) {
		say(&w, vy_arena_printf(&w.arena, "word %d", i));
	}
	draw(&w);
	transcript_scroll(w.t, w.fold, -6);
	draw(&w);
	const char *before = screen(&w);

	resize(&w, 60, 40);
	check_true("all is in sight", transcript_is_following(w.t));
	resize(&w, 60, 6);
	check_str("the place is back", screen(&w), before);
	resize(&w, 60, 20);
	say(&w, "new");
	draw(&w);
	check_str("now it follows", last_line(&w), "› new");
	resize(&w, 60, 6);
	check_str("and goes on to", last_line(&w), "› new");
	world_fini(&w);
}

/* ---- moving ---- */

static void test_up_and_down_are_inverse(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 72, 17);
	fill(&w);
	transcript_follow(w.t);
	draw(&w);
	for (int from = 3; from < 120; from += 13) {
		for (int by = 1; by < 40; by = by * 2 + 1) {
			transcript_follow(w.t);
			draw(&w);
			transcript_scroll(w.t, w.fold, -from);
			draw(&w);
			const char *before = screen(&w);

			transcript_scroll(w.t, w.fold, -by);
			draw(&w);
			check_true("it moved", strcmp(screen(&w), before) != 0);
			transcript_scroll(w.t, w.fold, by);
			draw(&w);
			check_str("there and back", screen(&w), before);
		}
	}
	transcript_top(w.t, w.fold);
	draw(&w);
	check_str("the top", line(&w, 1), "› asked <00>");
	transcript_scroll(w.t, w.fold, -5);
	draw(&w);
	check_str("nothing above", line(&w, 1), "› asked <00>");
	world_fini(&w);
}

/* ---- costs ---- */

#define MANY 100000

static size_t cost(struct world *w, void (*act)(struct world *w))
{
	size_t before = transcript_layouts(w->t);

	act(w);
	draw(w);
	return transcript_layouts(w->t) - before;
}

static void nothing(struct world *w)
{
	(void)w;
}

static void page_up(struct world *w)
{
	transcript_page(w->t, w->fold, -1);
}

static void to_top(struct world *w)
{
	transcript_top(w->t, w->fold);
}

static void to_end(struct world *w)
{
	transcript_follow(w->t);
}

static void one_more(struct world *w)
{
	say(w, "one more");
}

static void test_cost_is_the_screen(void **state)
{
	struct world w;
	size_t rows = 36;

	(void)state;
	world_init(&w, 100, (int)rows);
	for (int i = 0; i < MANY; i++) {
		struct vy_frame f;

		vy_frame_init(&f, VY_KIND_USER_MESSAGE);
		char id[24];

		snprintf(id, sizeof(id), "u%d", i);
		f.cur = ++w.cur;
		vy_frame_set_str(&f, VY_F_MESSAGE, vy_str_c(id));
		vy_frame_set_str(&f, VY_F_STATE, VY_STR_LIT("sent"));
		vy_frame_set_str(&f, VY_F_TEXT, VY_STR_LIT("some words"));
		apply(&w, &f);
	}
	check_int("rows", (long long)vy_fold_len(w.fold), MANY);
	check_true("opening", cost(&w, nothing) <= rows);
	check_int("again", (long long)cost(&w, nothing), 0);
	check_true("a new row", cost(&w, one_more) <= 2);
	check_true("the top", cost(&w, to_top) <= 2 * rows);
	check_true("the end", cost(&w, to_end) <= 2 * rows);
	for (int i = 0; i < 50; i++) {
		check_true("a page", cost(&w, page_up) <= 2 * rows);
	}
	check_true("far up, a new row below", cost(&w, one_more) <= 2);
	transcript_scroll(w.t, w.fold, -1);
	check_true("a line", cost(&w, nothing) <= 2);
	world_fini(&w);
}

static void test_a_delta_is_one_layout(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 100, 30);
	fill(&w);
	draw(&w);
	for (int i = 0; i < 20; i++) {
		size_t before = transcript_layouts(w.t);

		tell(&w, "new", VY_STR_LIT("words "));
		draw(&w);
		check_int("layouts", (long long)(transcript_layouts(w.t) - before), 1);
	}
	world_fini(&w);
}

/* ---- browsing ---- */

static const char *chosen(struct world *w)
{
	for (int y = 0; y < w->grid.rows; y++) {
		const char *s = line(w, y);

		if (strncmp(s, "▌", strlen("▌")) == 0) {
			return s + strlen("▌");
		}
	}
	return "(none)";
}

static void test_selects(void **state)
{
	struct world w;
	const char *found;

	(void)state;
	world_init(&w, 80, 12);
	fill(&w);
	w.how.is_browsing = true;
	draw(&w);
	check_str("nothing yet", chosen(&w), "(none)");
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	draw(&w);
	found = chosen(&w);
	check_true("the last with something to show", strstr(found, "run <79>") != NULL);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	draw(&w);
	check_int("the message above", (long long)transcript_selected(w.t, w.fold)->kind,
		VY_ROW_MESSAGE);
	check_true("a tall one from its beginning", strstr(chosen(&w), "line <71>") != NULL);
	transcript_select(w.t, w.fold, TRANSCRIPT_MINE, -1);
	draw(&w);
	check_true("mine", strstr(chosen(&w), "asked <70>") != NULL);
	transcript_select(w.t, w.fold, TRANSCRIPT_MINE, -1);
	transcript_select(w.t, w.fold, TRANSCRIPT_MINE, -1);
	draw(&w);
	check_true("and mine", strstr(chosen(&w), "asked <50>") != NULL);
	check_true("not following", !transcript_is_following(w.t));
	transcript_select(w.t, w.fold, TRANSCRIPT_MESSAGE, 1);
	draw(&w);
	check_true("the answer", strstr(chosen(&w), "line <51>") != NULL);
	for (int i = 0; i < 40; i++) {
		transcript_select(w.t, w.fold, TRANSCRIPT_ROW, 1);
	}
	draw(&w);
	check_true("the end", strstr(chosen(&w), "run <79>") != NULL);
	transcript_unselect(w.t);
	draw(&w);
	check_str("no more", chosen(&w), "(none)");
	world_fini(&w);
}

static void add_output(struct world *w, const char *id, int lines)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	for (int i = 0; i < lines; i++) {
		vy_buf_addf(&b, "%s.%d\\n", id, i);
	}
	feed(w, "tool-started",
		vy_arena_printf(&w->arena,
			"'tool_id':'%s','tool':'Bash','kind':'shell','summary':'%s'", id, id));
	feed(w, "tool-finished",
		vy_arena_printf(&w->arena,
			"'tool_id':'%s','ok':true,'status':'completed','result':{'type':'terminal',"
			"'command':'x','output':'%s','exit':0}",
			id, vy_buf_c(&b)));
}

static int y_of(struct world *w, const char *word)
{
	for (int y = 0; y < w->grid.rows; y++) {
		if (strstr(line(w, y), word)) {
			return y;
		}
	}
	return -1;
}

static void test_opens_in_place(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 80, 20);
	for (int i = 0; i < 12; i++) {
		add_output(&w, vy_arena_printf(&w.arena, "out%d", i), 30);
	}
	w.how.is_browsing = true;
	draw(&w);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	draw(&w);
	const char *before = screen(&w);
	int y = y_of(&w, "out9");

	check_true("opens", transcript_toggle(w.t, w.fold));
	draw(&w);
	check_int("its line stays", y_of(&w, "out9"), y);
	check_true("all of it from there on", strstr(line(&w, y + 1), "out9.0") != NULL);
	check_true("there is more below", !transcript_is_following(w.t));
	check_int("that is not new", (long long)transcript_below(w.t), 0);
	check_true("folds", transcript_toggle(w.t, w.fold));
	draw(&w);
	check_str("as it was", screen(&w), before);
	check_true("the end again", transcript_is_following(w.t));
	transcript_unselect(w.t);
	check_true("nothing to open", !transcript_toggle(w.t, w.fold));
	world_fini(&w);
}

/* What was opened in a session is open in no other, and still open when it is shown again. */
static void test_stays_open(void **state)
{
	static const struct {
		const char *name, *session;
		bool opens, is_open; /* a person opens it; it is open then */
	} rows[] = {
		{ "the first session", "a", false, false },
		{ "opened", "a", true, true },
		{ "the same again", "a", false, true },
		{ "another, with a row of the same key", "b", false, false },
		{ "and the first", "a", false, true },
		{ "folded", "a", true, false },
		{ "stays so", "a", false, false },
	};
	struct world w;

	(void)state;
	world_init(&w, 80, 60);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		transcript_clear(w.t, rows[i].session);
		vy_fold_clear(w.fold);
		w.cur = 0;
		add_output(&w, "out", 30);
		w.how.is_browsing = true;
		draw(&w);
		if (rows[i].opens) {
			transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
			check_true("opens or folds", transcript_toggle(w.t, w.fold));
			draw(&w);
		}
		check_true(rows[i].name, (y_of(&w, "out.3") >= 0) == rows[i].is_open);
	}
	world_fini(&w);
}

/* ---- what else happens ---- */

static void test_place_survives(void **state)
{
	struct world w;
	struct vy_change all = { .rows = true, .rest = true };

	(void)state;
	world_init(&w, 90, 20);
	fill(&w);
	draw(&w);
	transcript_scroll(w.t, w.fold, -40);
	draw(&w);
	const char *before = screen(&w);

	transcript_redraw(w.t, w.fold);
	draw(&w);
	check_str("a snapshot", screen(&w), before);
	transcript_changed(w.t, w.fold, &all);
	draw(&w);
	check_str("a change of all", screen(&w), before);
	feed(&w, "status", "'state':'waiting','rewound':{'message':'u0','to':2}");
	draw(&w);
	check_true("a rewind past the place", vy_fold_len(w.fold) < 4);
	check_true("shows the end of what is left", y_of(&w, "w0.59") >= 0);
	transcript_clear(w.t, NULL);
	vy_fold_clear(w.fold);
	draw(&w);
	check_str("another session", line(&w, 1), "");
	check_true("follows", transcript_is_following(w.t));
	world_fini(&w);
}

/* Another session stood here, and now this one again: its rows come anew, in one piece or in many,
 * and to a window of another size. */
static void test_comes_back(void **state)
{
	static const struct {
		const char *name;
		int up, cols, rows; /* of the window when it comes back */
		int drawn, more;    /* so often while rows come; rows that are new to the reader */
	} rows[] = {
		{ "at the end", 0, 90, 20, 1, 3 },
		{ "far up", 120, 90, 20, 1, 0 },
		{ "far up, new ones below", 120, 90, 20, 1, 3 },
		{ "drawn while they come", 60, 90, 20, 9, 2 },
		{ "to a wider window", 61, 134, 20, 2, 1 },
		{ "to a narrow one", 63, 44, 20, 1, 1 },
		{ "near the end", 22, 90, 20, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct transcript_place at, again;
		struct world w;

		world_init(&w, 90, 20);
		fill(&w);
		draw(&w);
		transcript_scroll(w.t, w.fold, -rows[i].up);
		draw(&w);
		const char *words = top_words(&w), *before = screen(&w);

		transcript_place_get(w.t, w.fold, &at);
		check_true(rows[i].name, !at.key == !rows[i].up);
		transcript_clear(w.t, NULL);
		vy_fold_clear(w.fold);
		w.cur = 0;
		transcript_place_set(w.t, &at);
		resize(&w, rows[i].cols, rows[i].rows);
		check_true("nothing is here yet: the end", transcript_is_following(w.t));
		transcript_place_get(w.t, w.fold, &again);
		check_str("left before it came", again.key ? again.key : "", at.key ? at.key : "");
		check_int("what was seen", (long long)again.seen, (long long)at.seen);
		check_true("and wanted", transcript_wants_older(w.t));
		w.draws = rows[i].drawn;
		fill(&w);
		w.draws = 0;
		for (int k = 0; k < rows[i].more; k++) {
			say(&w, "new");
		}
		draw(&w);
		if (rows[i].up) {
			check_true(rows[i].name, strstr(line(&w, 0), words) != NULL);
			check_int(rows[i].name, (long long)transcript_below(w.t), rows[i].more);
		} else {
			check_str(rows[i].name, last_line(&w), "› new");
		}
		if (rows[i].cols == 90 && rows[i].up) {
			check_str(rows[i].name, screen(&w), before);
		}
		transcript_place_fini(&at);
		transcript_place_fini(&again);
		world_fini(&w);
	}
}

/* Its row was taken back for good: the end is shown, and a move begins there. */
static void test_comes_back_to_nothing(void **state)
{
	char key[] = "u:gone";
	struct transcript_place at = { .key = key, .seen = 5, .fresh = 2 };
	struct world w;

	(void)state;
	world_init(&w, 60, 6);
	transcript_place_set(w.t, &at);
	for (int i = 0; i < 20; i++) {
		say(&w, vy_arena_printf(&w.arena, "word %d", i));
		draw(&w);
	}
	check_str("the end", last_line(&w), "› word 19");
	transcript_scroll(w.t, w.fold, -2);
	draw(&w);
	check_str("a move from there", last_line(&w), "› word 18");
	say(&w, "new");
	draw(&w);
	check_str("and it stays", last_line(&w), "› word 18");
	check_int("one is new", (long long)transcript_below(w.t), 1);
	world_fini(&w);
}

static void test_moves(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 60, 8);
	say(&w, "go");
	draw(&w);
	check_true("still", !transcript_moves(w.t));
	feed(&w, "tool-started", "'tool_id':'t','tool':'Bash','kind':'shell','summary':'sleep'");
	draw(&w);
	check_true("a running call moves", transcript_moves(w.t));
	size_t before = transcript_layouts(w.t);

	w.how.spin = 1;
	draw(&w);
	check_int("alone", (long long)(transcript_layouts(w.t) - before), 1);
	for (int i = 0; i < 9; i++) {
		say(&w, "more");
	}
	draw(&w);
	check_true("out of sight it does not", !transcript_moves(w.t));
	world_fini(&w);
}

static void test_strange_windows(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 1, 1);
	fill(&w);
	for (int cols = 1; cols < 30; cols++) {
		for (int rows = 1; rows < 4; rows++) {
			resize(&w, cols, rows);
			transcript_scroll(w.t, w.fold, -3);
			draw(&w);
			transcript_page(w.t, w.fold, 1);
			draw(&w);
		}
	}
	world_fini(&w);
}

/* Code that is cut, in lines that run from right to left in part: they are turned whole, and what is
 * seen of them is cut out of that. */
static void slides_turned(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 30, 8);
	w.how.is_unwrapped = true;
	tell(&w, "m", VY_STR_LIT("```\nab שלום עולם cd 0123456789 0123456789 end\n```\n"));
	draw(&w);
	check_str("cut", line(&w, 1), "▏ ab םלוע םולש cd 0123456›");
	transcript_select(w.t, w.fold, TRANSCRIPT_ROW, -1);
	check_true("a little", transcript_slide_at(w.t, w.fold, 1, 4));
	draw(&w);
	check_str("in the turned words", line(&w, 1), "▏ ‹וע םולש cd 0123456789 ›");
	check_true("and back", transcript_slide_at(w.t, w.fold, 1, -4));
	check_true("it slides", transcript_slide(w.t, w.fold, 1));
	draw(&w);
	check_str("slid by half", line(&w, 1), "▏ ‹cd 0123456789 01234567›");
	check_true("to its end", transcript_slide(w.t, w.fold, 1));
	draw(&w);
	check_str("the end", line(&w, 1), "▏ ‹3456789 0123456789 end");
	w.how.is_browsing = true; /* with its marks over it, the same */
	draw(&w);
	check_str("browsing", line(&w, 1), "▌   ▏ ‹3456789 0123456789 end");
	w.how.is_straight = true; /* the terminal turns it */
	w.how.is_browsing = false;
	check_true("back", transcript_slide(w.t, w.fold, -1) && transcript_slide(w.t, w.fold, -1));
	draw(&w);
	check_str("as it is", line(&w, 1), "▏ ab שלום עולם cd 0123456›");
	resize(&w, 60, 8);
	check_str("with room", line(&w, 1), "▏ ab שלום עולם cd 0123456789 0123456789 end");
	check_true("nothing to slide", !transcript_slide(w.t, w.fold, 1));
	world_fini(&w);
}

CHECK_MAIN(CHECK_TEST(slides_turned), CHECK_TEST(test_follows), CHECK_TEST(test_reads_above),
	CHECK_TEST(test_each_line_once), CHECK_TEST(test_resize_keeps_the_line),
	CHECK_TEST(test_grows_to_the_end_and_back), CHECK_TEST(test_up_and_down_are_inverse),
	CHECK_TEST(test_cost_is_the_screen), CHECK_TEST(test_a_delta_is_one_layout),
	CHECK_TEST(test_selects), CHECK_TEST(test_opens_in_place), CHECK_TEST(test_stays_open),
	CHECK_TEST(test_place_survives), CHECK_TEST(test_comes_back),
	CHECK_TEST(test_comes_back_to_nothing), CHECK_TEST(test_moves),
	CHECK_TEST(test_strange_windows))
