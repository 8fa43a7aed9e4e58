/* md_fuzz.c -- whatever the bytes: blocks lie in order and in bounds, spans tile their text, and all
 * of it is safe for a screen. */
#include <stdint.h>

#include "shared/base/limits.h"
#include "shared/text/md.h"
#include "shared/text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void text_is_sound(const struct vy_md_text *t, struct vy_str src)
{
	size_t at = 0;

	vy_assert(vy_utf8_is_visible(t->text, VY_UTF8_PROSE));
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct vy_md_span *s = &t->spans[i];

		vy_assert(s->start == at && s->end > s->start);
		vy_assert(s->src <= s->src_end && s->src_end <= src.n);
		vy_assert((s->link_id != 0) == ((s->style & (VY_MD_LINK | VY_MD_IMAGE)) != 0));
		vy_assert(vy_utf8_is_visible(s->link, VY_UTF8_LINE));
		at = s->end;
	}
	vy_assert(at == t->text.n);
}

static void boxes_are_sound(const struct vy_md_block *b, size_t index)
{
	unsigned depth = 0;

	for (const struct vy_md_box *box = b->box; box; box = box->up) {
		vy_assert(box->first <= index && ++depth <= VY_MD_DEPTH);
		vy_assert(box->kind != VY_MD_ITEM || box->number <= box->last_number);
	}
}

static void parse(struct vy_str src, unsigned flags)
{
	struct vy_arena a;
	struct vy_md_doc doc;
	size_t at = 0;

	vy_arena_init(&a);
	vy_md_parse(src, flags, &a, &doc);
	for (size_t i = 0; i < doc.n; i++) {
		const struct vy_md_block *b = &doc.blocks[i];

		vy_assert(b->src >= at && b->src_end >= b->src && b->src_end <= src.n);
		at = b->src_end;
		boxes_are_sound(b, i);
		text_is_sound(&b->text, src);
		vy_assert(vy_utf8_is_visible(b->lang, VY_UTF8_LINE));
		vy_assert((b->kind == VY_MD_TABLE) == (b->cols > 0));
		for (size_t c = 0; c < b->rows * b->cols; c++) {
			text_is_sound(&b->cells[c], src);
		}
	}
	vy_arena_fini(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str src = vy_str_n((const char *)data, n);

	parse(src, 0);
	parse(src, VY_MD_BREAKS);
	return 0;
}
