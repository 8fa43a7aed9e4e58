/* grow_bench.c -- what a text delta costs on its way to the screen while its message grows.
 *
 * usage: grow_bench    prints one JSON object
 * A delta is applied to the fold and the transcript drawn, at several lengths of the message. What
 * must be seen: the cost at 200 KB is that at 1 KB. The last figures are texts without a border (one
 * fence, one list): their tail is the whole. Nothing is asserted. */
#include <stdio.h>
#include <time.h>

#include "shared/base/buf.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/frame/frame.h"
#include "tui/view/transcript.h"
#include "shared/base/ban.h"

#define DELTA  12
#define DELTAS 200 /* measured at each length */

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void apply(struct vy_fold *f, struct transcript *t, enum vy_kind kind, struct vy_str text)
{
	struct vy_frame frame;
	struct vy_change ch = { 0 };

	vy_frame_init(&frame, kind);
	frame.cur = vy_fold_state(f)->cur + 1;
	vy_frame_set_str(&frame, VY_F_MESSAGE, VY_STR_LIT("m1"));
	vy_frame_set_int(&frame, VY_F_INDEX, 0);
	vy_frame_set_str(&frame, VY_F_TEXT, text);
	vy_fold_apply(f, &frame, &ch);
	transcript_changed(t, f, &ch);
}

/* The text that the pieces make, over and over: byte i of it. */
struct words {
	const char *head, *body;
};

static void add(struct vy_buf *b, const struct words *w, size_t n)
{
	if (b->len == 0) {
		vy_buf_adds(b, w->head);
	}
	while (b->len < n) {
		vy_buf_adds(b, w->body);
	}
}

static int64_t measure(const struct words *w, size_t length)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct vy_fold *f = vy_fold_new();
	struct transcript *t = transcript_new(pool);
	struct transcript_how how = { .now_ms = 0 };
	struct cell_grid g;
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);

	cell_grid_init(&g, pool, 100, 36);
	add(&text, w, length + DELTA * (DELTAS + 1));
	for (size_t at = 0; at < length; at += 16384) {
		apply(f, t, VY_KIND_TEXT_DELTA,
			vy_str_n(text.data + at, length - at < 16384 ? length - at : 16384));
	}
	transcript_draw(t, f, cell_win_all(&g), &how);

	int64_t start = now_ns();

	for (size_t i = 0; i < DELTAS; i++) {
		apply(f, t, VY_KIND_TEXT_DELTA, vy_str_n(text.data + length + i * DELTA, DELTA));
		cell_grid_clear(&g);
		transcript_draw(t, f, cell_win_all(&g), &how);
	}
	int64_t took = (now_ns() - start) / DELTAS;

	cell_grid_fini(&g);
	transcript_free(t);
	vy_fold_free(f);
	cell_pool_free(pool);
	return took;
}

int main(void)
{
	static const struct {
		const char *name;
		struct words words;
	} texts[] = {
		{ "prose",
			{ "", "A paragraph of the usual length, with `code` and **weight**, as it\n"
			      "stands in an answer.\n\n- a list of\n- two\n\n"
			      "```c\nint x = 1; /* and code */\nreturn x;\n```\n\n" } },
		{ "one fence",
			{ "```c\n", "\tif (!is_local(next)) return redirect(r, \"/\");\n" } },
		{ "one list", { "", "- an item of a list that does not end\n" } },
	};
	static const size_t lengths[] = { 1000, 20000, 200000 };
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	struct vy_jw out = VY_JW(&text);

	vy_jw_obj(&out);
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		vy_jw_key(&out, texts[i].name);
		vy_jw_obj(&out);
		for (size_t k = 0; k < VY_COUNT(lengths); k++) {
			char key[40];

			snprintf(key, sizeof(key), "ns_at_%zu", lengths[k]);
			vy_jw_kint(&out, key, measure(&texts[i].words, lengths[k]));
		}
		vy_jw_end_obj(&out);
	}
	vy_jw_end_obj(&out);
	puts(text.data);
	return 0;
}
