/* paste_bench.c -- what a paste of 100,000 lines costs, from the terminal's bytes to the message.
 *
 * usage: paste_bench    prints one JSON object
 * Every figure is also a multiple of the yardstick, which copies the same bytes once and counts
 * their lines: a machine's speed falls out of it. "chip" is the paste as it stands in the composer;
 * "open" is it opened, "key" one letter typed into its middle with the screen drawn, "undo" the way
 * back, "whole" what is sent, "draft" what goes to disk. Nothing is asserted. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/input/key.h"
#include "tui/view/composer.h"
#include "tui/view/draft.h"
#include "shared/base/ban.h"

#define LINES 100000
#define KEYS  50

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int64_t yardstick(struct vy_str text)
{
	int64_t start = now_ns(), best = INT64_MAX;
	volatile size_t lines = 0;

	for (int i = 0; i < 5; i++) {
		start = now_ns();
		char *copy = vy_memdup0(text.p, text.n);

		for (char *p = copy; (p = memchr(p, '\n', (size_t)(copy + text.n - p))); p++) {
			lines++;
		}
		free(copy);
		best = now_ns() - start < best ? now_ns() - start : best;
	}
	return best;
}

static void on_key(void *ctx, const struct key_event *ev)
{
	struct composer *c = ctx;

	if (ev->kind == KEY_EV_PASTE) {
		edit_paste(&c->edit, ev->text);
	}
}

static void paint(struct composer *c, struct cell_grid *g)
{
	int x, y;

	cell_grid_clear(g);
	composer_rows(c, g->cols, cell_pool_width(g->pool), g->rows);
	composer_draw(c, cell_win_all(g), NULL, COMPOSER_MESSAGE, &x, &y);
}

static void type_in_the_middle(struct composer *c, struct cell_grid *g)
{
	edit_move_to(&c->edit, c->edit.text.len / 2);
	for (int i = 0; i < KEYS; i++) {
		edit_insert(&c->edit, VY_STR_LIT("x"));
		paint(c, g);
	}
}

struct figures {
	struct vy_jw w;
	int64_t yard, start;
};

static void begin(struct figures *f)
{
	f->start = now_ns();
}

static void end(struct figures *f, const char *name, int times)
{
	int64_t ns = (now_ns() - f->start) / times;
	char key[64];

	snprintf(key, sizeof(key), "%s_us", name);
	vy_jw_kint(&f->w, key, ns / 1000);
	snprintf(key, sizeof(key), "%s_by_yard_x10", name);
	vy_jw_kint(&f->w, key, ns * 10 / f->yard);
}

static void measure(struct figures *f, struct vy_str text)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct key_parser keys;
	struct composer c;
	struct cell_grid g;
	VY_AUTO_BUF whole = VY_BUF_INIT(EDIT_MAX);

	key_init(&keys);
	composer_init(&c);
	cell_grid_init(&g, pool, 100, 12);
	begin(f);
	key_step(&keys, VY_STR_LIT("\033[200~"), on_key, &c);
	for (size_t at = 0; at < text.n; at += 65536) { /* as a terminal gives it */
		key_step(&keys, vy_str_n(text.p + at, text.n - at < 65536 ? text.n - at : 65536),
			on_key, &c);
	}
	key_step(&keys, VY_STR_LIT("\033[201~"), on_key, &c);
	paint(&c, &g);
	end(f, "chip", 1);
	begin(f);
	edit_whole(&c.edit, &whole);
	end(f, "whole", 1);
	begin(f);
	VY_AUTO_JSON *doc = draft_pack(&c);
	VY_AUTO_BUF json = VY_BUF_INIT(64 * VY_MIB);

	vy_json_dump(doc, &json);
	end(f, "draft", 1);
	begin(f);
	edit_open_chip(&c.edit);
	paint(&c, &g);
	end(f, "open", 1);
	begin(f);
	type_in_the_middle(&c, &g);
	end(f, "key", KEYS);
	begin(f);
	edit_undo(&c.edit);
	edit_undo(&c.edit);
	paint(&c, &g);
	end(f, "undo", 1);
	cell_grid_fini(&g);
	composer_fini(&c);
	key_fini(&keys);
	cell_pool_free(pool);
}

int main(void)
{
	VY_AUTO_BUF text = VY_BUF_INIT(EDIT_MAX), out = VY_BUF_INIT(65536);

	for (int i = 0; i < LINES; i++) {
		vy_buf_addf(&text, "%6d  a line of 漢字 and plain words, as logs are\n", i);
	}
	struct figures f = { .w = VY_JW(&out), .yard = yardstick(vy_buf_str(&text)) };

	vy_jw_obj(&f.w);
	vy_jw_kstr(&f.w, "bench", VY_STR_LIT("paste"));
	vy_jw_kint(&f.w, "lines", LINES);
	vy_jw_kint(&f.w, "bytes", (int64_t)text.len);
	vy_jw_kint(&f.w, "yard_us", f.yard / 1000);
	measure(&f, vy_buf_str(&text));
	vy_jw_end_obj(&f.w);
	puts(vy_buf_c(&out));
	return 0;
}
