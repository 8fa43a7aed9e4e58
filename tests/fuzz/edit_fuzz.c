/* edit_fuzz.c -- whatever is typed, pasted, cut and undone: the cursor stands between clusters and
 * never in a chip, every way back is exact, a draft comes back as it was, and every window is drawn.
 * A byte below 0x20 is a verb; what stands between them is text, typed or (behind 0x1E) pasted. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/json.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "tui/view/complete.h"
#include "tui/view/composer.h"
#include "tui/view/draft.h"
#include "shared/base/ban.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define COLS 24

static const struct edit_image dot = { "image/png", { "\x89PNG", 4 }, 1, 1 };

static void check_cursor(const struct edit *e)
{
	struct vy_str s = edit_text(e);

	vy_assert(e->at <= s.n);
	vy_assert(vy_cluster_is_border(s, e->at) || edit_chip_at(e, e->at, NULL) ||
		  (e->at >= 7 && edit_chip_at(e, e->at - 7, NULL)));
	for (size_t i = e->at > 6 ? e->at - 6 : 0; i < e->at; i++) {
		vy_assert(!edit_chip_at(e, i, NULL) || i + 7 <= e->at);
	}
}

static void check_draft(const struct composer *c)
{
	VY_AUTO_JSON *doc = draft_pack(c);
	VY_AUTO_BUF ours = VY_BUF_INIT(EDIT_MAX), theirs = VY_BUF_INIT(EDIT_MAX);
	struct composer other;

	if (!doc) {
		return;
	}
	composer_init(&other);
	vy_assert(draft_unpack(&other, doc));
	edit_open(&c->edit, composer_draft(c), &ours);
	edit_whole(&other.edit, &theirs);
	vy_assert(vy_str_eq(vy_buf_str(&ours), vy_buf_str(&theirs)));
	composer_fini(&other);
}

static void check_window(struct composer *c, struct cell_pool *pool)
{
	struct cell_grid g;
	int x, y, rows = composer_rows(c, COLS, cell_pool_width(pool), 4);

	vy_assert(rows >= 1 && rows <= 4);
	cell_grid_init(&g, pool, COLS, rows);
	composer_draw(c, cell_win_all(&g), "hint", composer_kind(c), &x, &y);
	vy_assert(x >= 0 && x < COLS && y >= 0 && y < rows);
	cell_grid_fini(&g);
}

static void choose(struct edit *e)
{
	struct complete_word w = complete_at(e);

	if (w.kind != COMPLETE_NOTHING) {
		complete_put(e, &w, VY_STR_LIT("a b/c.d"), e->at % 2);
	}
}

static void verb(struct composer *c, uint8_t v, struct vy_width width)
{
	static void (*const verbs[])(struct edit *) = { edit_left, edit_right, edit_word_left,
		edit_word_right, edit_line_start, edit_line_end, edit_text_start, edit_text_end,
		edit_delete_back, edit_delete, edit_kill_word_back, edit_kill_word, edit_kill_line,
		edit_kill_start, edit_yank, edit_yank_pop, edit_clear, choose };
	struct edit *e = &c->edit;

	switch (v) {
	case 0x12: edit_undo(e); break;
	case 0x13: edit_redo(e); break;
	case 0x14: edit_open_chip(e); break;
	case 0x15: edit_add_image(e, &dot); break;
	case 0x16: composer_up(c, COLS, width); break;
	case 0x17: composer_down(c, COLS, width); break;
	case 0x18: free(composer_take(c, NULL)); break;
	case 0x19: composer_drop(c); break;
	case 0x1A: edit_insert(e, VY_STR_LIT("\n")); break;
	default:
		if (v < VY_COUNT(verbs)) {
			verbs[v](e);
		}
	}
}

static void play(struct composer *c, struct cell_pool *pool, struct vy_str s)
{
	for (size_t i = 0; i < s.n;) {
		uint8_t v = (uint8_t)s.p[i];
		size_t end = i + 1;
		bool is_paste = v == 0x1E || v == 0x1F;

		while ((is_paste || v >= 0x20) && end < s.n && (uint8_t)s.p[end] >= 0x20) {
			end++;
		}
		if (is_paste || v >= 0x20) {
			VY_AUTO_BUF text = VY_BUF_INIT(EDIT_MAX);

			vy_utf8_clean(vy_str_n(s.p + i + is_paste, end - i - is_paste), &text);
			if (v == 0x1F) {
				edit_paste_chip(&c->edit, vy_buf_str(&text));
			} else {
				(is_paste ? edit_paste : edit_insert)(&c->edit, vy_buf_str(&text));
			}
		} else {
			verb(c, v, cell_pool_width(pool));
		}
		i = end;
		check_cursor(&c->edit);
		check_window(c, pool);
	}
}

static void check_way_back(struct edit *e)
{
	VY_AUTO_BUF last = VY_BUF_INIT(EDIT_MAX);

	edit_whole(e, &last);
	while (edit_redo(e)) {
	}
	VY_AUTO_BUF newest = VY_BUF_INIT(EDIT_MAX), again = VY_BUF_INIT(EDIT_MAX);

	edit_whole(e, &newest);
	while (edit_undo(e)) {
	}
	vy_assert(e->n_undo == 0 && e->undo_bytes == 0 && edit_is_empty(e));
	while (edit_redo(e)) {
	}
	edit_whole(e, &again);
	vy_assert(vy_str_eq(vy_buf_str(&newest), vy_buf_str(&again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct cell_pool *pool = cell_pool_new((struct vy_width){ 0 });
	struct composer c;

	if (n > 4096) {
		n = 4096;
	}
	composer_init(&c);
	play(&c, pool, vy_str_n((const char *)data, n));
	check_draft(&c);
	if (c.edit.n_undo < EDIT_UNDOS) {
		check_way_back(&c.edit);
	}
	composer_fini(&c);
	cell_pool_free(pool);
	return 0;
}
