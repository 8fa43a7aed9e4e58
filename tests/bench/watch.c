/* watch.c -- see watch.h. */
#include "tests/bench/watch.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

/* ---- what stands there ---- */

static void row_text(const struct vy_grid *g, int y, struct vy_buf *out)
{
	int cols, rows;

	vy_buf_clear(out);
	vy_grid_size(g, &cols, &rows);
	for (int x = 0; x < cols; x++) {
		const struct vy_vt_cell *c = vy_grid_cell(g, x, y);
		char text[VY_GRID_TEXT_MAX];

		if (c->width > 0) {
			vy_buf_add(out, text, vy_grid_text(g, c, text));
		}
	}
	vy_buf_addc(out, '\0');
}

static void see(struct watch *t, int64_t mark, int64_t now_us)
{
	for (size_t i = t->n; i-- > 0;) {
		if (t->marks[i] == mark) {
			return;
		}
	}
	if (t->n < WATCH_MARKS && mark > t->begun_us) {
		t->late_ms[t->n] = (double)(now_us - mark) / 1e3;
		t->marks[t->n++] = mark;
	}
}

static void see_row(struct watch *t, const char *at, int64_t now_us)
{
	while ((at = strstr(at, "mk")) != NULL) {
		char *end;
		long long mark = isdigit((unsigned char)at[2]) ? strtoll(at + 2, &end, 10) : 0;

		if (mark > 0 && *end == 'z') {
			see(t, mark, now_us);
		}
		at += 2;
	}
}

static void see_screen(struct watch *t, int64_t now_us)
{
	const struct vy_grid *g = vy_vt_grid(t->term.vt);
	VY_AUTO_BUF text = VY_BUF_INIT(65536);
	int cols, rows;

	if (vy_vt_modes(t->term.vt).sync) {
		return;
	}
	vy_grid_size(g, &cols, &rows);
	for (int y = 0; y < rows; y++) {
		const struct vy_vt_row *row = vy_grid_row(g, y);

		if (row && row->dirty) {
			row_text(g, y, &text);
			see_row(t, text.data, now_us);
		}
	}
	vy_vt_clean(t->term.vt);
}

bool watch_has(const struct watch *t, const char *text)
{
	VY_AUTO_BUF all = VY_BUF_INIT(1 << 20);

	if (vy_vt_modes(t->term.vt).sync) {
		return false;
	}
	term_text(&t->term, &all);
	return strstr(vy_buf_c(&all), text) != NULL;
}

/* ---- time ---- */

void watch_pump(struct watch *t, int ms)
{
	int64_t before = t->term.bytes;

	term_pump(&t->term, ms);
	if (t->term.bytes != before) {
		see_screen(t, world_now_us());
	}
}

void watch_sleep(struct watch *t, int ms)
{
	int64_t until = term_now() + ms, left;

	while ((left = until - term_now()) > 0) {
		watch_pump(t, (int)left);
	}
}

bool watch_wait(struct watch *t, const char *text, int ms)
{
	int64_t until = term_now() + ms, seen = -1;

	while (term_now() < until && !t->term.has_ended) {
		if (t->term.bytes != seen && watch_has(t, text)) {
			return true;
		}
		seen = t->term.bytes;
		watch_pump(t, 20);
	}
	return watch_has(t, text);
}

bool watch_quiet(struct watch *t, int ms, int most_ms)
{
	int64_t until = term_now() + most_ms;

	while (term_now() < until && term_now() - t->term.last_ms < ms) {
		watch_pump(t, 20);
	}
	return term_now() < until;
}

bool watch_marks(struct watch *t, size_t n, int ms)
{
	int64_t until = term_now() + ms;

	while (t->n < n && term_now() < until && !t->term.has_ended) {
		watch_pump(t, 50);
	}
	return t->n >= n;
}

/* ---- the program ---- */

void watch_start(struct watch *t, struct world *w, const char *command, int cols, int rows)
{
	*t = (struct watch){ 0 };
	term_init(&t->term, cols, rows, 0x16181a);
	t->begun_us = world_now_us();
	term_start(&t->term, command, w->env);
}

void watch_end(struct watch *t)
{
	kill(t->term.pid, SIGTERM);
	for (int i = 0; i < 100 && !t->term.has_ended; i++) {
		term_pump(&t->term, 10);
	}
	term_fini(&t->term);
}

void watch_type(struct watch *t, const char *text)
{
	term_write(&t->term, vy_str_c(text));
}

bool watch_peer(struct watch *t, struct world *w, enum world_who who, int cols, int rows)
{
	static const char *const ready[] = { "the floor", "type here", "❯", "fake-model",
		"Ask anything" };

	watch_start(t, w, world_command(w, who), cols, rows);
	if (watch_wait(t, ready[who], 30000) && watch_quiet(t, 500, 10000)) {
		return true;
	}
	VY_AUTO_BUF screen = VY_BUF_INIT(1 << 20);

	term_text(&t->term, &screen);
	fprintf(stderr, "bench: %s does not start:\n%s\n", world_name(who), vy_buf_c(&screen));
	return false;
}

void watch_prompt(struct watch *t, const char *text)
{
	for (const char *at = text; *at; at++) {
		char key[2] = { *at, '\0' };

		watch_type(t, key); /* one by one: many at once are a paste */
		watch_sleep(t, 15);
	}
	watch_wait(t, text, 5000);
	watch_sleep(t, 300);
	watch_type(t, "\r");
}
