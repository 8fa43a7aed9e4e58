/* stage.c -- see stage.h. */
#include "tests/screen/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/base/ban.h"

#define BYTES_MAX (64 * 1024 * 1024)

/* Cannot happen in a case that is right. */
static void wrong(const char *what, const char *why)
{
	fprintf(stderr, "stage: %s: %s\n", what, why);
	abort();
}

/* ---- what the emulator tells ---- */

static void on_output(void *ctx, struct vy_str bytes)
{
	(void)bytes;
	((struct stage *)ctx)->answers++;
}

static void on_title(void *ctx, struct vy_str title)
{
	(void)title;
	((struct stage *)ctx)->titles++;
}

static void on_bell(void *ctx)
{
	((struct stage *)ctx)->bells++;
}

static void on_clipboard(void *ctx, struct vy_str which, struct vy_str base64)
{
	(void)which, (void)base64;
	((struct stage *)ctx)->clips++;
}

static void on_osc(void *ctx, struct vy_str body)
{
	(void)body;
	((struct stage *)ctx)->oscs++;
}

/* ---- life ---- */

void stage_open(struct stage *st, int cols, int rows, struct theme t, bool is_ascii)
{
	struct vy_vt_events ev = { on_output, on_title, on_bell, on_clipboard, on_osc, st };

	setenv("TZ", "UTC0", 1); /* times of the day are the same everywhere */
	*st = (struct stage){ 0 };
	vy_arena_init(&st->arena);
	vy_buf_init(&st->bytes, BYTES_MAX);
	app_state_init(&st->s, (struct vy_width){ 0 });
	st->s.home = "/home/ana";
	st->s.is_ascii = is_ascii;
	app_state_open(&st->s, "00000000-0000-4000-8000-000000000001");
	app_time(&st->s, 1000000, STAGE_NOW);
	app_set_line(&st->s, APP_LIVE, -1, NULL);
	cell_grid_init(&st->grid, st->s.pool, cols, rows);
	paint_init(&st->paint, (struct paint_caps){ .ascii = is_ascii });
	st->paint.theme = t;
	st->vt = vy_vt_new(cols, rows, 0, &ev);
}

void stage_close(struct stage *st)
{
	vy_vt_free(st->vt);
	paint_fini(&st->paint);
	cell_grid_fini(&st->grid);
	app_state_fini(&st->s);
	vy_buf_fini(&st->bytes);
	vy_arena_fini(&st->arena);
}

/* ---- events ---- */

static void answer_queries(struct stage *st, struct app_effects *fx)
{
	struct app_effects more = { 0 };

	for (size_t i = 0; i < fx->n; i++) {
		const struct app_effect *e = &fx->v[i];
		const struct vy_json *result =
			e->kind == APP_QUERY ? vy_json_get(st->replies, e->word) : NULL;
		struct vy_err ok = { 0 };

		if (result) {
			app_reply(&st->s, e->tag, result, &ok, &more);
		}
	}
	app_effects_fini(&more);
	app_effects_fini(fx);
}

void stage_frame(struct stage *st, struct vy_frame *f)
{
	struct app_effects fx = { 0 };

	f->cur = ++st->cur;
	f->time = f->time ? f->time : STAGE_NOW - 60000;
	app_frame(&st->s, f, &fx);
	answer_queries(st, &fx);
}

void stage_frame_json(
	struct stage *st, const char *kind, const struct vy_json *data, const struct vy_json *extra)
{
	VY_AUTO_JSON *o = vy_json_new_obj();
	VY_AUTO_BUF type = VY_BUF_INIT(256);
	VY_AUTO_BUF text = VY_BUF_INIT(BYTES_MAX);
	struct vy_frame f;
	struct vy_err e = { 0 };

	vy_buf_addf(&type, "session.%s", kind);
	vy_json_set_int(o, "v", 1);
	vy_json_set_c(o, "id", "e");
	vy_json_set_int(o, "cur", (int64_t)st->cur + 1);
	vy_json_set_c(o, "session", "S");
	vy_json_set_c(o, "turn", vy_json_get(extra, "turn") ? vy_json_cstr(extra, "turn") : "S:1");
	vy_json_set_c(o, "type", vy_buf_c(&type));
	vy_json_set_int(o, "time", STAGE_NOW - vy_json_int(extra, "ago", 60) * 1000);
	vy_json_take(o, "data", vy_json_copy(data));
	if (vy_json_get(extra, "author")) {
		vy_json_set_c(o, "author", vy_json_cstr(extra, "author"));
	}
	vy_json_dump_canonical(o, &text);
	if (vy_frame_decode(vy_arena_str(&st->arena, vy_buf_str(&text)), &st->arena, &f, &e) < 0) {
		wrong(kind, e.text);
	}
	stage_frame(st, &f);
}

static void event(struct stage *st, const struct key_event *ev)
{
	struct app_effects fx = { 0 };

	app_time(&st->s, st->s.now_ms + 1000, STAGE_NOW);
	app_key(&st->s, ev, &fx);
	answer_queries(st, &fx);
}

void stage_key(struct stage *st, const char *name)
{
	struct key_event ev = { .kind = KEY_EV_KEY };

	if (!key_parse(vy_str_c(name), &ev.key)) {
		wrong(name, "there is no such key");
	}
	if (strlen(name) == 1) {
		ev.text = vy_str_c(name);
	}
	event(st, &ev);
}

void stage_type(struct stage *st, struct vy_str text, bool is_paste)
{
	event(st,
		&(struct key_event){ .kind = is_paste ? KEY_EV_PASTE : KEY_EV_TEXT, .text = text });
}

void stage_paint(struct stage *st)
{
	struct app_effects fx = { 0 };

	app_time(&st->s, st->s.now_ms, STAGE_NOW);
	st->s.spin = 3;
	app_paint(&st->s, &st->grid, &st->cursor);
	column_ask(&st->s, &fx);
	if (fx.n) { /* what the painting wanted is here at once */
		answer_queries(st, &fx);
		app_paint(&st->s, &st->grid, &st->cursor);
	}
	vy_buf_clear(&st->bytes);
	paint_frame(&st->paint, &st->grid, st->cursor, &st->bytes);
	vy_vt_feed(st->vt, vy_buf_str(&st->bytes));
}

/* ---- cases ---- */

static void unsent(struct stage *st, const char *words)
{
	struct app_unsent *list = vy_calloc(1, sizeof(*list));

	*list = (struct app_unsent){ vy_strdup("u"), vy_strdup(words), NULL };
	app_set_unsent(&st->s, list, 1);
}

static void set_line(struct stage *st, const char *how)
{
	static const struct {
		const char *how;
		enum app_line line;
		int64_t for_ms;
		const char *why;
	} lines[] = {
		{ "down", APP_DOWN, 5000, NULL },
		{ "down long", APP_DOWN, 200000, NULL },
		{ "ended", APP_ENDED, 5000, NULL },
		{ "catching up", APP_CATCHING_UP, 5000, NULL },
		{ "refused", APP_REFUSED, 5000, "the session is gone" },
	};

	for (size_t i = 0; i < VY_COUNT(lines); i++) {
		if (strcmp(lines[i].how, how) == 0) {
			app_set_line(&st->s, lines[i].line, st->s.now_ms - lines[i].for_ms,
				lines[i].why);
			return;
		}
	}
	wrong(how, "is no state of the line");
}

/* What the server of the terminal in front does. Its window is as the pane was painted last. */
static void term(struct stage *st, const char *what)
{
	const char *rest = strchr(what, ' ');
	struct vy_str verb = vy_str_n(what, rest ? (size_t)(rest - what) : strlen(what));
	struct vy_term_effect e = { .what = VY_TERM_DO_RESET };
	VY_AUTO_JSON *place = vy_json_new_obj();
	struct term_tab *tab;
	int cols, rows;

	rest = rest ? rest + 1 : "";
	if (st->s.terms.wants_list) {
		term_listed(&st->s, NULL);
	}
	tab = terms_now(&st->s.terms);
	if (!tab) {
		wrong(what, "there is no terminal");
	}
	if (vy_str_is(verb, "opens")) {
		vy_json_set_c(place, "term", "t");
		term_opened(&st->s, tab->serial, place, &(struct vy_err){ 0 });
		term_room(&st->s, &cols, &rows);
		e.cols = (unsigned)cols;
		e.rows = (unsigned)rows;
		tab->viewer.is_open = tab->viewer.has_keys = true;
		term_effect(tab, &e);
		term_line(&st->s, tab, TERM_LINK_LIVE, -1, NULL);
	} else if (vy_str_is(verb, "says")) {
		e.what = VY_TERM_DO_FEED;
		e.bytes = vy_str_c(rest);
		term_effect(tab, &e);
	} else if (vy_str_is(verb, "watched")) {
		tab->viewer.has_keys = false;
	} else if (vy_str_is(verb, "ends")) {
		tab->viewer.has_ended = tab->viewer.exit.has_status = true;
		tab->viewer.exit.status = rest[0] - '0';
		term_line(&st->s, tab, TERM_LINK_OVER, -1, NULL);
	} else if (vy_str_is(verb, "down")) {
		term_line(&st->s, tab, TERM_LINK_DOWN, st->s.now_ms - 5000, NULL);
	} else {
		wrong(what, "is nothing a terminal does");
	}
}

static void do_line(struct stage *st, const char *line)
{
	const char *rest = strchr(line, ' ');
	size_t n = rest ? (size_t)(rest - line) : strlen(line);
	struct vy_str verb = vy_str_n(line, n);

	rest = rest ? rest + 1 : "";
	if (vy_str_is(verb, "key")) {
		stage_key(st, rest);
	} else if (vy_str_is(verb, "type")) {
		stage_type(st, vy_str_c(rest), false);
	} else if (vy_str_is(verb, "term")) {
		term(st, rest);
	} else if (vy_str_is(verb, "line")) {
		set_line(st, rest);
	} else if (vy_str_is(verb, "unsent")) {
		unsent(st, rest);
	} else if (vy_str_is(verb, "flash")) {
		app_flash(&st->s, rest);
	} else if (vy_str_is(verb, "lines")) {
		st->s.is_unwrapped = true;
	} else if (vy_str_is(verb, "details")) {
		st->s.with_details = true;
	} else {
		wrong(line, "is no line of a case");
	}
}

void stage_play(struct stage *st, const struct vy_json *c)
{
	const struct vy_json *frames = vy_json_get(c, "frames"), *lines = vy_json_get(c, "do");

	st->replies = vy_json_get(c, "replies");
	app_record(&st->s, vy_json_get(c, "record"));
	app_set_branch(&st->s, vy_json_cstr(c, "branch"));
	for (size_t i = 0; i < vy_json_len(frames); i++) {
		const struct vy_json *f = vy_json_at(frames, i);

		stage_frame_json(st, vy_json_cstr(f, "kind"), vy_json_get(f, "data"), f);
	}
	stage_paint(st);
	for (size_t i = 0; i < vy_json_len(lines); i++) {
		VY_AUTO_BUF line = VY_BUF_INIT(65536);

		vy_buf_addstr(&line, vy_json_strval(vy_json_at(lines, i)));
		do_line(st, vy_buf_c(&line));
		stage_paint(st); /* keys act on what is seen */
	}
}
