/* mddump.h -- a parsed markdown text as lines a table can hold.
 *
 * One line a block: its boxes from the outside in (">", the mark of an item at its first block and
 * "_" at the others), its kind, its text. Styles stand as "<bi>…</>", a link as "<a=target>…</>". */
#ifndef TESTS_MDDUMP_H
#define TESTS_MDDUMP_H

#include "shared/base/buf.h"
#include "shared/text/md.h"

static inline void mddump_text(const struct vy_md_text *t, struct vy_buf *out)
{
	static const char letters[] = "bicsaLh"; /* one for each bit of vy_md_style */

	for (size_t i = 0; i < t->n_spans; i++) {
		const struct vy_md_span *s = &t->spans[i];

		if (s->style) {
			vy_buf_adds(out, "<");
			for (unsigned bit = 0; letters[bit]; bit++) {
				if (s->style & 1u << bit) {
					vy_buf_addc(out, letters[bit]);
				}
			}
			vy_buf_addf(out, s->link_id ? "=%.*s>" : ">", VY_STR_ARG(s->link));
		}
		for (size_t k = s->start; k < s->end; k++) {
			char c = t->text.p[k];

			vy_buf_add(out, c == '\n' ? "\\n" : &c, c == '\n' ? 2 : 1);
		}
		vy_buf_adds(out, s->style ? "</>" : "");
	}
}

static inline void mddump_boxes(const struct vy_md_box *box, size_t block, struct vy_buf *out)
{
	static const char *const tasks[] = { "", "[ ]", "[x]" };

	if (!box) {
		return;
	}
	mddump_boxes(box->up, block, out);
	if (box->kind == VY_MD_QUOTE) {
		vy_buf_adds(out, "> ");
	} else if (box->first != block) {
		vy_buf_adds(out, "_ ");
	} else if (box->is_ordered) {
		vy_buf_addf(out, "%u%c%s/%u%s ", box->number, box->mark, tasks[box->task],
			box->last_number, box->is_tight ? "" : "~");
	} else {
		vy_buf_addf(out, "%c%s%s ", box->mark, tasks[box->task], box->is_tight ? "" : "~");
	}
}

static inline void mddump_block(const struct vy_md_block *b, size_t index, struct vy_buf *out)
{
	mddump_boxes(b->box, index, out);
	switch (b->kind) {
	case VY_MD_PARA: vy_buf_adds(out, "p: "); break;
	case VY_MD_HEADING: vy_buf_addf(out, "h%u: ", b->level); break;
	case VY_MD_CODE:
		vy_buf_addf(out, "code%s(%.*s): ", b->is_fenced ? "" : "4", VY_STR_ARG(b->lang));
		break;
	case VY_MD_RULE: vy_buf_adds(out, "rule"); break;
	case VY_MD_TABLE: vy_buf_adds(out, "table "); break;
	}
	mddump_text(&b->text, out);
	for (size_t c = 0; c < b->cols; c++) {
		vy_buf_addc(out, ".<^>"[b->align[c]]);
	}
	for (size_t i = 0; i < b->rows * b->cols; i++) {
		vy_buf_adds(out, i % b->cols ? "|" : "\n  ");
		mddump_text(&b->cells[i], out);
	}
	vy_buf_adds(out, "\n");
}

static inline void mddump(struct vy_str src, unsigned flags, struct vy_buf *out)
{
	struct vy_arena a;
	struct vy_md_doc doc;

	vy_arena_init(&a);
	vy_md_parse(src, flags, &a, &doc);
	for (size_t i = 0; i < doc.n; i++) {
		mddump_block(&doc.blocks[i], i, out);
	}
	vy_arena_fini(&a);
}

#endif
