/* hostile_test.c -- no byte from an agent, a tool, a file's name, a title, a branch or a person moves the
 * cursor, sets a title, rings, asks the terminal something, or colours outside of its cells.
 *
 * Each text of tests/corpus/hostile stands in each place where outside text reaches the screen, at a wide and a
 * narrow size. Held against it: the bytes the painter wrote (only its own sequences, no control byte, no bad
 * UTF-8), what the emulator was told beside cells (nothing), and every cell the emulator then shows (the grid's).
 * To try a new text put a file there; to try a new place add a row to `places`. */
#include "tests/check.h"

#include <dirent.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tests/screen/stage.h"
#include "tests/tui/golden.h"
#include "tui/cmd/out.h"
#include "tui/cmd/render.h"
#include "tui/ink/notice.h"
#include "tui/ink/screen_backend.h"
#include "shared/base/ban.h"

static const struct {
	int cols, rows;
} sizes[] = { { 90, 30 }, { 40, 12 } };

/* ---- the painter's bytes ---- */

/* The sequences paint.c writes; returns the bytes of one, 0 when it is none of them. */
static size_t own_sequence(struct vy_str s)
{
	static const char *const whole[] = { "\033[?2026h", "\033[?2026l", "\033[?25h", "\033[?25l",
		"\033[?7l", "\033[r", "\033[m", "\033[H", "\033[2J" };
	size_t n = 2;

	for (size_t i = 0; i < VY_COUNT(whole); i++) {
		if (vy_str_starts(s, whole[i])) {
			return strlen(whole[i]);
		}
	}
	if (vy_str_starts(s, "\033]8;")) { /* a link: printable up to its end */
		while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x7f) {
			n++;
		}
		return n + 1 < s.n && s.p[n] == '\033' && s.p[n + 1] == '\\' ? n + 2 : 0;
	}
	if (!vy_str_starts(s, "\033[")) {
		return 0;
	}
	while (n < s.n && ((s.p[n] >= '0' && s.p[n] <= '9') || s.p[n] == ';')) {
		n++;
	}
	if (n + 1 < s.n && s.p[n] == ' ' && s.p[n + 1] == 'q') {
		return n + 2;
	}
	return n < s.n && strchr("HKmrST", s.p[n]) ? n + 1 : 0;
}

static void check_bytes(const char *name, struct vy_str s)
{
	for (size_t at = 0; at < s.n;) {
		uint32_t cp;
		size_t n = s.p[at] == '\033' ? own_sequence(vy_str_from(s, at))
					     : vy_utf8_get_strict(s, at, &cp);
		bool is_fine = n > 0 && (s.p[at] == '\033' || (cp >= 0x20 && cp != 0x7f &&
								      (cp < 0x80 || cp >= 0xa0)));

		if (!is_fine) {
			check_print(name, vy_str_n(s.p + at, s.n - at < 40 ? s.n - at : 40), 0);
			fail_msg("%s: byte %zu of a frame is not the painter's", name, at);
		}
		at += n;
	}
}

/* ---- what the terminal shows ---- */

/* A glyph whose width all terminals agree upon. */
static bool is_agreed(struct vy_str text)
{
	uint32_t cp;

	return vy_utf8_get(text, 0, &cp) == text.n && cp < 0x1f000 &&
	       !(cp >= 0x2000 && vy_cp_is_pictograph(cp));
}

static void check_cells(const char *name, struct stage *st)
{
	const struct vy_grid *vg = vy_vt_grid(st->vt);

	for (int y = 0; y < st->grid.rows; y++) {
		for (int x = 0; x < st->grid.cols; x++) {
			const struct cell *c = cell_at(&st->grid, x, y);
			const struct vy_vt_cell *v = vy_grid_cell(vg, x, y);
			struct theme_pen pen =
				theme_pen_of(st->paint.theme, c->fg, c->bg, c->attrs);
			char text[VY_GRID_TEXT_MAX];

			if (c->width == 0 || !is_agreed(cell_text(&st->grid, c)) ||
				(v->width == 0 && c->text[0] == '\0')) {
				continue; /* the last: an older right half that was spilled over */
			}
			if (c->text[0]) {
				check_vstr(name, vy_str_n(text, vy_grid_text(vg, v, text)),
					cell_text(&st->grid, c));
				check_int(name, v->fg, pen.fg);
			}
			check_int(name, v->bg, pen.bg);
		}
	}
}

static void check_stage(const char *name, struct stage *st)
{
	struct vy_vt_modes m;
	int x, y;

	stage_paint(st);
	check_bytes(name, vy_buf_str(&st->bytes));
	golden_check_grid(name, &st->grid, st->grid.rows);
	check_cells(name, st);
	check_int(name, st->bells + st->titles + st->clips + st->oscs + st->answers, 0);
	m = vy_vt_modes(st->vt);
	check_true(name, !m.sync && !m.alt && !m.bracketed_paste && !m.focus && !m.reverse);
	check_int(name, m.mouse, VY_VT_MOUSE_NONE);
	check_int(name, m.cursor_visible, st->cursor.visible);
	vy_vt_cursor(st->vt, &x, &y);
	check_int(name, x, st->cursor.x);
	check_int(name, y, st->cursor.y);
}

/* ---- places ---- */

/* What JSON can carry of it. */
static struct vy_json *clean(struct vy_str text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_MIB);

	text.n = text.n > 60000 ? vy_utf8_cut(text, 60000) : text.n;
	vy_utf8_clean(text, &b);
	return vy_json_new_str(vy_buf_str(&b));
}

/* A frame from JSON with ' for " in which @ stands for the text. */
static void put(struct stage *st, const char *kind, const char *json, struct vy_str text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(16 * VY_MIB), t = VY_BUF_INIT(4 * VY_MIB);
	VY_AUTO_JSON *words = clean(text);
	struct vy_err e = { 0 };

	vy_json_dump_canonical(words, &t);
	for (const char *p = json; *p; p++) {
		if (*p == '@') {
			vy_buf_addstr(&b, vy_buf_str(&t));
		} else {
			vy_buf_addc(&b, *p == '\'' ? '"' : *p);
		}
	}
	VY_AUTO_JSON *data = vy_json_parse(vy_buf_str(&b), &e);
	VY_AUTO_JSON *extra = vy_json_parse(VY_STR_LIT("{\"author\":\"person:ana\"}"), &e);

	check_true(json, data != NULL);
	stage_frame_json(st, kind, data, extra);
}

/* A field of a frame as it is, bad UTF-8 too: a server may be broken. */
static void put_raw(struct stage *st, enum vy_kind kind, enum vy_fid field, struct vy_str text)
{
	struct vy_frame f;

	vy_frame_init(&f, kind);
	vy_frame_set_c(&f, VY_F_MESSAGE, "r");
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_c(&f, VY_F_ASK_ID, "a1");
	vy_frame_set_c(&f, VY_F_STATE, kind == VY_KIND_STATUS ? "waiting" : "sent");
	vy_frame_set_str(&f, field, vy_str_n(text.p, text.n > 60000 ? 60000 : text.n));
	f.author = VY_STR_LIT("person:ana");
	stage_frame(st, &f);
}

static void in_message(struct stage *st, struct vy_str t)
{
	put(st, "text-delta", "{'message':'m','index':0,'text':@}", t);
}

static void in_message_raw(struct stage *st, struct vy_str t)
{
	put_raw(st, VY_KIND_TEXT_DELTA, VY_F_TEXT, t);
}

static void in_user(struct stage *st, struct vy_str t)
{
	put_raw(st, VY_KIND_USER_MESSAGE, VY_F_TEXT, t);
}

static void in_thinking(struct stage *st, struct vy_str t)
{
	put(st, "text-delta", "{'message':'m','index':0,'reasoning':true,'text':@}", t);
	put(st, "text-done", "{'message':'m','index':0}", t);
	stage_key(st, "ctrl-o");
}

static void in_tool(struct stage *st, struct vy_str t)
{
	put(st, "tool-started", "{'tool_id':'t','tool':@,'kind':'other','summary':@}", t);
	put(st, "tool-progress", "{'tool_id':'t','text':@}", t);
	stage_paint(st);
	put(st, "tool-finished",
		"{'tool_id':'t','ok':false,'status':'failed','result':{'type':'text','text':@}}",
		t);
}

static void in_diff(struct stage *st, struct vy_str t)
{
	put(st, "tool-started", "{'tool_id':'t','tool':'Edit','kind':'edit','summary':@}", t);
	put(st, "tool-finished",
		"{'tool_id':'t','ok':true,'status':'completed','result':{'type':'diff','path':@,"
		"'added':1,'removed':1,'hunks':[{'old_start':1,'new_start':1,'lines':[@,'-x','+y']}"
		"]}}",
		t);
}

static void in_diff_lines(struct stage *st, struct vy_str t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	vy_buf_addf(&b, "+%.*s", VY_STR_ARG(t));
	put(st, "tool-started", "{'tool_id':'t','tool':'Edit','kind':'edit','summary':'f'}", t);
	put(st, "tool-finished",
		"{'tool_id':'t','ok':true,'status':'completed','result':{'type':'diff','path':'f.c'"
		","
		"'added':1,'removed':1,'hunks':[{'old_start':1,'new_start':1,'lines':['-x',@]}]}}",
		vy_buf_str(&b));
}

static void in_terminal(struct stage *st, struct vy_str t)
{
	put(st, "tool-started", "{'tool_id':'t','tool':'Bash','kind':'shell','summary':@}", t);
	put(st, "tool-finished",
		"{'tool_id':'t','ok':true,'status':'completed','result':{'type':'terminal',"
		"'command':@,'output':@,'exit':0}}",
		t);
	stage_paint(st);
	stage_key(st, "pgup"); /* opened, too */
	stage_key(st, "enter");
}

static void in_files(struct stage *st, struct vy_str t)
{
	put(st, "tool-started", "{'tool_id':'t','tool':'Read','kind':'read','summary':@}", t);
	put(st, "tool-finished",
		"{'tool_id':'t','ok':true,'status':'completed','result':{'type':'files','detail':@,"
		"'files':[{'path':@,'line':1,'text':@}]}}",
		t);
	put(st, "file-changed", "{'path':@,'op':'edit','added':1,'removed':2}", t);
}

static void in_ask(struct stage *st, struct vy_str t)
{
	put(st, "ask",
		"{'ask_id':'a1','kind':'permission','tool':@,'title':@,'summary':@,'detail':@,"
		"'blocked_path':@,'options':[{'id':'allow','label':@,'decision':'allow'},"
		"{'id':'always','label':@,'decision':'allow','rule':@,'scope':'project'},"
		"{'id':'deny','label':'No','decision':'deny'}]}",
		t);
}

static void in_question(struct stage *st, struct vy_str t)
{
	put(st, "ask",
		"{'ask_id':'q','kind':'question','title':@,'summary':@,'options':[],'questions':"
		"[{'id':'1','header':@,'question':@,'multi':false,'options':[{'id':'x','label':@,"
		"'description':@}]}]}",
		t);
	stage_key(st, "tab");
}

static void in_todo(struct stage *st, struct vy_str t)
{
	put(st, "tool-started", "{'tool_id':'t','tool':'TodoWrite','kind':'todo','summary':@}", t);
	put(st, "tool-finished",
		"{'tool_id':'t','ok':true,'status':'completed','result':{'type':'task','items':"
		"[{'text':@,'state':'running'}]}}",
		t);
}

static void in_notice(struct stage *st, struct vy_str t)
{
	put(st, "status", "{'state':'failed','note':@,'reason':@}", t);
	put(st, "participant-joined", "{'who':@,'role':@}", vy_str_n(t.p, vy_utf8_cut(t, 60)));
	put(st, "text-cut", "{'message':'m','index':0,'note':@}", t);
}

static void in_record(struct stage *st, struct vy_str t)
{
	VY_AUTO_JSON *r = vy_json_new_obj();
	static const char *const names[] = { "title", "provider", "model", "mode", "cwd", "auth" };

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		vy_json_take(r, names[i], clean(t));
	}
	app_record(&st->s, r);
}

static void in_branch(struct stage *st, struct vy_str t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	vy_buf_addstr(&b, t);
	app_record(&st->s, st->replies); /* a record, so that there is a folder */
	app_set_branch(&st->s, vy_buf_c(&b));
	app_set_line(&st->s, APP_REFUSED, 1, vy_buf_c(&b));
}

static void in_queue(struct stage *st, struct vy_str t)
{
	put(st, "user-message", "{'message':'u','state':'queued','text':@}", t);
	put(st, "status", "{'state':'waiting','held':true}", t);
}

static void in_unsent(struct stage *st, struct vy_str t)
{
	struct app_unsent *list = vy_calloc(1, sizeof(*list));

	*list = (struct app_unsent){ vy_strdup("u"), vy_memdup0(t.p, t.n), vy_memdup0(t.p, t.n) };
	app_set_unsent(&st->s, list, 1);
}

static void in_flash(struct stage *st, struct vy_str t)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	vy_buf_addstr(&b, t);
	app_flash(&st->s, vy_buf_c(&b));
	app_note(&st->s, vy_buf_c(&b));
}

static void in_composer(struct stage *st, struct vy_str t)
{
	stage_type(st, vy_str_n(t.p, vy_utf8_cut(t, 900)), true);
}

static void in_composer_typed(struct stage *st, struct vy_str t)
{
	stage_type(st, vy_str_n(t.p, vy_utf8_cut(t, 900)), false);
}

static void in_answered(struct stage *st, struct vy_str t)
{
	in_ask(st, t);
	put(st, "ask-answered", "{'ask_id':'a1','decision':@,'by':@}",
		vy_str_n(t.p, vy_utf8_cut(t, 200)));
}

static void in_switcher(struct stage *st, struct vy_str t)
{
	VY_AUTO_JSON *replies = vy_json_new_obj();
	struct vy_json *list = vy_json_new_obj(), *threads = vy_json_new_arr();
	struct vy_json *r = vy_json_new_obj();
	static const char *const names[] = { "title", "provider", "model", "cwd", "preview",
		"last" };
	const struct vy_json *was = st->replies;

	vy_json_set_c(r, "session", "00000000-0000-4000-8000-000000000002");
	vy_json_set_c(r, "state", "waiting");
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		vy_json_take(r, names[i], clean(t));
	}
	vy_json_add_take(threads, r);
	vy_json_take(list, "threads", threads);
	vy_json_take(replies, "threads.list", list);
	st->replies = replies;
	stage_key(st, "alt-s");
	stage_type(st, vy_str_n(t.p, vy_utf8_cut(t, 200)), true);
	stage_paint(st);
	stage_key(st, "ctrl-u");
	stage_paint(st);
	st->replies = was;
}

static const struct {
	const char *name;
	void (*put)(struct stage *st, struct vy_str text);
} places[] = { { "message", in_message }, { "message, as bytes", in_message_raw },
	{ "person's words", in_user }, { "thinking", in_thinking }, { "tool row", in_tool },
	{ "diff's path", in_diff }, { "diff's lines", in_diff_lines }, { "terminal", in_terminal },
	{ "file names", in_files }, { "ask", in_ask }, { "question", in_question },
	{ "todo", in_todo }, { "notice", in_notice }, { "title, model, folder", in_record },
	{ "branch, trouble", in_branch }, { "queue", in_queue }, { "unsent", in_unsent },
	{ "flash, note", in_flash }, { "composer", in_composer },
	{ "composer, typed", in_composer_typed }, { "answered", in_answered },
	{ "switcher", in_switcher } };

/* ---- all of it ---- */

static int is_text(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void each_text(void (*fn)(const char *name, struct vy_str text))
{
	const char *top = getenv("top_srcdir");
	VY_AUTO_BUF dir = VY_BUF_INIT(4096);
	struct dirent **list;
	int n;

	vy_buf_addf(&dir, "%s/tests/corpus/hostile", top ? top : ".");
	n = scandir(vy_buf_c(&dir), &list, is_text, alphasort);
	check_true("there are texts", n > 15);
	for (int i = 0; i < n; i++) {
		VY_AUTO_BUF path = VY_BUF_INIT(4096), text = VY_BUF_INIT(VY_MIB);
		static char piece[65536];
		size_t k;

		vy_buf_addf(&path, "%s/%s", vy_buf_c(&dir), list[i]->d_name);
		FILE *f = fopen(vy_buf_c(&path), "re");

		check_true(list[i]->d_name, f != NULL);
		while ((k = fread(piece, 1, sizeof(piece), f)) > 0) {
			vy_buf_add(&text, piece, k);
		}
		fclose(f);
		fn(list[i]->d_name, vy_buf_str(&text));
		free(list[i]);
	}
	free(list);
}

static void in_each_place(const char *name, struct vy_str text)
{
	for (size_t i = 0; i < VY_COUNT(places); i++) {
		for (size_t k = 0; k < VY_COUNT(sizes); k++) {
			struct theme t = { THEME_LOOK_DARK, THEME_DEPTH_RGB };
			VY_AUTO_BUF what = VY_BUF_INIT(256);
			struct stage st;

			vy_buf_addf(&what, "%s in %s, %dx%d", name, places[i].name, sizes[k].cols,
				sizes[k].rows);
			stage_open(&st, sizes[k].cols, sizes[k].rows, t, false);
			stage_paint(&st);
			places[i].put(&st, text);
			check_stage(vy_buf_c(&what), &st);
			put(&st, "user-message", "{'message':'z','state':'sent','text':@}",
				VY_STR_LIT("the next one")); /* and over it */
			check_stage(vy_buf_c(&what), &st);
			stage_close(&st);
		}
	}
}

static void the_screen_shows_and_does_not_obey(void **state)
{
	(void)state;
	each_text(in_each_place);
}

/* ---- the title and the notification ---- */

static struct vy_vt *outside;
static int outside_told; /* bells, clipboards, answers */
static struct vy_buf outside_osc;

static void to_outside(struct screen *s, struct vy_str bytes)
{
	(void)s;
	vy_vt_feed(outside, bytes);
}

static void on_told(void *ctx)
{
	(void)ctx;
	outside_told++;
}

static void on_answer(void *ctx, struct vy_str bytes)
{
	(void)ctx, (void)bytes;
	outside_told++;
}

static void on_clip(void *ctx, struct vy_str which, struct vy_str base64)
{
	(void)ctx, (void)which, (void)base64;
	outside_told++;
}

static void on_osc(void *ctx, struct vy_str body)
{
	(void)ctx;
	vy_buf_addf(&outside_osc, "%.*s\n", VY_STR_ARG(body));
}

static void as_title(const char *name, struct vy_str text)
{
	static const struct screen_ops ops = { .send = to_outside };
	struct vy_vt_events ev = {
		.output = on_answer, .bell = on_told, .clipboard = on_clip, .osc = on_osc
	};
	struct screen s = { &ops };
	struct stage st;
	char title[300];
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	outside = vy_vt_new(40, 10, 0, &ev);
	vy_buf_init(&outside_osc, VY_MIB);
	outside_told = 0;
	stage_open(&st, 80, 24, (struct theme){ 0 }, false);
	in_record(&st, text);
	app_title(&st.s, title, sizeof(title));
	screen_title(&s, vy_str_c(title));
	struct vy_str got = vy_vt_title(outside);

	check_true(
		name, got.n > 0 && vy_utf8_is_valid(got) && vy_utf8_is_visible(got, VY_UTF8_LINE));
	screen_title(&s, text); /* the door by itself */
	notice_add(NOTICE_OSC9, false, text, text, &b);
	vy_vt_feed(outside, vy_buf_str(&b));
	got = vy_buf_str(&outside_osc);
	check_true(
		name, vy_str_starts(got, "9;") && memchr(got.p, '\n', got.n) == got.p + got.n - 1);
	check_int(name, outside_told, 0);
	for (int y = 0; y < 10; y++) {
		for (int x = 0; x < 40; x++) {
			check_int(name, vy_grid_cell(vy_vt_grid(outside), x, y)->ch, 0);
		}
	}
	stage_close(&st);
	vy_buf_fini(&outside_osc);
	vy_vt_free(outside);
}

static void nothing_leaves_a_title_or_a_notification(void **state)
{
	(void)state;
	each_text(as_title);
}

/* ---- the words without a screen ---- */

static void check_printed(const char *name, struct vy_str s)
{
	check_true(name, vy_utf8_is_valid(s));
	check_true(name, vy_utf8_is_visible(s, VY_UTF8_KEEP_LF | VY_UTF8_KEEP_TAB));
}

static void printed(const char *name, struct vy_str text)
{
	struct out o = { .is_tty = true };
	struct vy_frame f;
	struct render r;
	VY_AUTO_BUF b = VY_BUF_INIT(16 * VY_MIB);
	static const enum vy_kind kinds[] = { VY_KIND_USER_MESSAGE, VY_KIND_TEXT_DELTA,
		VY_KIND_TOOL_STARTED, VY_KIND_TOOL_FINISHED, VY_KIND_ASK, VY_KIND_ASK_ANSWERED,
		VY_KIND_STATUS, VY_KIND_TEXT_DONE };
	static const enum vy_fid fields[] = { VY_F_TEXT, VY_F_TOOL, VY_F_SUMMARY, VY_F_TITLE,
		VY_F_NOTE, VY_F_REASON, VY_F_BY };

	vy_buf_init(&o.text, 16 * VY_MIB);
	out_add(&o, vy_str_n(text.p, text.n < 2000 ? text.n : 2000)); /* a longer one is printed */
	out_addf(&o, "%.*s", (int)(text.n < 2000 ? text.n : 2000), text.p);
	check_printed(name, vy_buf_str(&o.text));
	vy_buf_fini(&o.text);
	render_init(&r, false);
	r.is_spoken = text.n % 2 == 0;
	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		vy_frame_init(&f, kinds[i]);
		for (size_t k = 0; k < VY_COUNT(fields); k++) {
			vy_frame_set_str(&f, fields[k], text);
		}
		vy_frame_set_c(&f, VY_F_MESSAGE, "m");
		vy_frame_set_c(&f, VY_F_TOOL_ID, "t");
		vy_frame_set_c(&f, VY_F_ASK_ID, "a");
		vy_frame_set_c(&f, VY_F_STATE, kinds[i] == VY_KIND_STATUS ? "failed" : "sent");
		vy_frame_set_c(&f, VY_F_STATUS, "completed");
		f.author = text;
		render_frame(&r, &f, &b);
	}
	check_printed(name, vy_buf_str(&b));
	render_fini(&r);
}

static void a_terminal_without_a_screen(void **state)
{
	(void)state;
	each_text(printed);
}

CHECK_MAIN(CHECK_TEST(the_screen_shows_and_does_not_obey),
	CHECK_TEST(nothing_leaves_a_title_or_a_notification),
	CHECK_TEST(a_terminal_without_a_screen))
