/* md.c -- see md.h. The only file that sees md4c.
 *
 * md4c calls back while it parses; `struct build` turns that into a flat list of blocks. Quotes and
 * list items become boxes that blocks point at. In tight lists md4c sends text without a
 * paragraph around it: the paragraph is opened when the first text comes. Which source lines a
 * block came from follows from where its text lay (mdsrc.c). */
#include "shared/text/md.h"

#include <md4c.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/text/entity.h"
#include "shared/text/mdline.h"
#include "shared/text/mdpatch.h"
#include "shared/text/mdspan.h"
#include "shared/text/mdsrc.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define CELLS_MAX (64 * 1024) /* of one table; md4c fills up short rows */
#define ROUNDS    4           /* parses of one text, at most */

/* A list item while its list is open: the box it becomes, and the item before it. */
struct item {
	struct vy_md_box box;
	struct item *before;
};

struct list {
	bool is_ordered, is_tight;
	char mark;
	unsigned next;
	struct item *last;
};

struct build {
	struct vy_arena *a;

	struct vy_md_block *blocks;
	size_t n, cap;

	struct vy_md_box *box;   /* innermost */
	unsigned boxes, skipped; /* how many; how many past VY_MD_DEPTH were left out */
	struct list lists[VY_MD_DEPTH];
	unsigned n_lists, skipped_lists;

	struct vy_mdspan text; /* grows: of the newest block, or of a cell */
	bool is_open;          /* it takes text */
	size_t blanks;         /* of a code line's indent, not put yet */

	struct vy_md_text *cells; /* of the open table */
	enum vy_md_align *align;
	size_t n_cells, cap_cells, in_row;
};

/* ---- text ---- */

static struct vy_md_block *new_block(struct build *b, enum vy_md_kind kind);

/* In a tight list the paragraph begins with its text. */
static struct vy_mdspan *text_of(struct build *b)
{
	if (!b->is_open) {
		new_block(b, VY_MD_PARA);
	}
	return &b->text;
}

/* The blanks before p in its line that are `cells` wide: md4c gives an indent as spaces, but code
 * keeps the tabs it was written with. Empty: not so in the source. */
static struct vy_str indent_before(struct vy_str src, size_t p, size_t cells)
{
	size_t from = vy_mdline_start(src, p), at = 0, end = 0, start = p;

	for (size_t i = from; i < p; i++) {
		end = src.p[i] == '\t' ? end + 4 - end % 4 : end + 1;
	}
	for (size_t i = from; i < p; i++) {
		bool is_blank = src.p[i] == ' ' || src.p[i] == '\t';

		if (!is_blank) {
			start = p;
		} else if (start == p && end - at == cells) {
			start = i;
		}
		at = src.p[i] == '\t' ? at + 4 - at % 4 : at + 1;
	}
	return vy_str_n(src.p + start, p - start);
}

static bool is_in(struct vy_str src, const char *p)
{
	return p >= src.p && p < src.p + src.n;
}

static void put_code(struct build *b, struct vy_mdspan *text, struct vy_str s)
{
	struct vy_str src = text->src, indent = { NULL, 0 };
	bool is_block = b->blocks[b->n - 1].kind == VY_MD_CODE;

	if (is_block && s.n && s.p[0] == ' ' && !is_in(src, s.p)) {
		b->blanks += s.n;
		return;
	}
	if (b->blanks && is_in(src, s.p)) {
		indent = indent_before(src, (size_t)(s.p - src.p), b->blanks);
	}
	if (indent.n) {
		vy_mdspan_put(text, indent, indent, 0);
	}
	for (; b->blanks && indent.n == 0; b->blanks--) {
		vy_mdspan_put(text, VY_STR_LIT(" "), indent, 0);
	}
	b->blanks = 0;
	vy_mdspan_put(text, s, s, 0);
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *p, MD_SIZE n, void *ctx)
{
	static const struct vy_str made_up = { NULL, 0 };
	struct build *b = ctx;
	struct vy_str s = vy_str_n(p, n);
	struct vy_mdspan *text = text_of(b);

	switch (type) {
	case MD_TEXT_BR: vy_mdspan_put(text, VY_STR_LIT("\n"), made_up, 0); break;
	case MD_TEXT_SOFTBR: text->soft_break = true; break;
	case MD_TEXT_ENTITY: vy_mdspan_put_entity(text, s); break;
	case MD_TEXT_HTML: vy_mdspan_put_html(text, s); break;
	case MD_TEXT_CODE: put_code(b, text, s); break;
	case MD_TEXT_NULLCHAR: /* there is none: mdpatch.c */
	case MD_TEXT_NORMAL:
	case MD_TEXT_LATEXMATH:
	default: vy_mdspan_put(text, s, s, 0); break;
	}
	return vy_buf_is_over(&text->text) ? -1 : 0;
}

/* A target or a language: entities resolved, safe for a screen, in the arena. */
static struct vy_str attribute(struct build *b, const MD_ATTRIBUTE *at)
{
	VY_AUTO_BUF raw = VY_BUF_INIT((size_t)16 * VY_MD_MAX);
	VY_AUTO_BUF shown = VY_BUF_INIT((size_t)16 * VY_MD_MAX);

	for (size_t i = 0; at->text && at->substr_offsets[i] < at->size; i++) {
		MD_OFFSET from = at->substr_offsets[i];
		struct vy_str s = vy_str_n(at->text + from, at->substr_offsets[i + 1] - from);
		uint32_t cp = at->substr_types[i] == MD_TEXT_ENTITY ? vy_entity(s) : 0;
		char u[4];

		vy_buf_addstr(&raw, cp ? vy_str_n(u, vy_utf8_put(cp, u)) : s);
	}
	vy_utf8_visible(vy_buf_str(&raw), VY_UTF8_LINE, &shown);
	return vy_arena_str(b->a, vy_buf_str(&shown));
}

/* ---- blocks and boxes ---- */

/* Ends the text of the newest block. */
static void close_block(struct build *b)
{
	if (!b->is_open) {
		return;
	}
	b->is_open = false;
	b->blanks = 0;
	struct vy_md_block *block = &b->blocks[b->n - 1];

	if (block->kind == VY_MD_CODE) {
		vy_mdspan_drop_newline(&b->text); /* the one before the fence */
	}
	block->text = vy_mdspan_take(&b->text);
}

static struct vy_md_block *new_block(struct build *b, enum vy_md_kind kind)
{
	close_block(b);
	b->blocks = vy_grow(b->blocks, &b->cap, b->n + 1, sizeof(*b->blocks));
	struct vy_md_block *block = &b->blocks[b->n];

	*block = (struct vy_md_block){ .kind = kind, .box = b->box };
	for (struct vy_md_box *box = b->box; box && box->first == SIZE_MAX;
		box = (struct vy_md_box *)(uintptr_t)box->up) {
		box->first = b->n;
	}
	b->n++;
	b->is_open = kind != VY_MD_RULE && kind != VY_MD_TABLE;
	return block;
}

static unsigned depth_of(const struct vy_md_box *box, enum vy_md_box_kind kind)
{
	for (; box; box = box->up) {
		if (box->kind == kind) {
			return box->depth;
		}
	}
	return 0;
}

static bool push_box(struct build *b, struct vy_md_box *box, enum vy_md_box_kind kind)
{
	if (b->boxes == VY_MD_DEPTH) {
		b->skipped++;
		return false;
	}
	box->kind = kind;
	box->up = b->box;
	box->first = SIZE_MAX;
	box->depth = depth_of(b->box, kind) + 1;
	b->box = box;
	b->boxes++;
	return true;
}

static void pop_box(struct build *b)
{
	close_block(b);
	if (b->skipped) {
		b->skipped--;
		return;
	}
	if (b->box->first == SIZE_MAX) { /* an empty item still has its mark */
		new_block(b, VY_MD_PARA);
		close_block(b);
	}
	b->box = (struct vy_md_box *)(uintptr_t)b->box->up;
	b->boxes--;
}

static void open_list(struct build *b, const struct list *list)
{
	close_block(b);
	if (b->n_lists == VY_MD_DEPTH) {
		b->skipped_lists++;
	} else {
		b->lists[b->n_lists++] = *list;
	}
}

static void close_list(struct build *b)
{
	if (b->skipped_lists) {
		b->skipped_lists--;
		return;
	}
	struct list *list = &b->lists[--b->n_lists];

	for (struct item *i = list->last; i; i = i->before) {
		i->box.last_number = list->next - 1;
	}
}

static void open_item(struct build *b, const MD_BLOCK_LI_DETAIL *d)
{
	struct list *list = &b->lists[b->n_lists - 1];
	struct item *item = VY_ARENA_NEW(b->a, struct item);

	close_block(b);
	if (!push_box(b, &item->box, VY_MD_ITEM)) {
		return;
	}
	item->box.is_ordered = list->is_ordered;
	item->box.is_tight = list->is_tight;
	item->box.mark = list->mark;
	item->box.number = list->next++;
	item->box.task = !d->is_task           ? VY_MD_NO_TASK
			 : d->task_mark == ' ' ? VY_MD_TASK_OPEN
					       : VY_MD_TASK_DONE;
	item->before = list->last;
	list->last = item;
}

/* ---- tables ---- */

static int open_table(struct build *b, const MD_BLOCK_TABLE_DETAIL *d)
{
	size_t rows = (size_t)d->head_row_count + d->body_row_count;

	if (d->col_count == 0 || rows > CELLS_MAX / d->col_count) {
		return -1;
	}
	struct vy_md_block *block = new_block(b, VY_MD_TABLE);

	block->cols = d->col_count;
	b->align = vy_arena_calloc(b->a, d->col_count, sizeof(*b->align));
	block->align = b->align;
	b->n_cells = 0;
	return 0;
}

static void add_cell(struct build *b, struct vy_md_text text)
{
	b->cells = vy_grow(b->cells, &b->cap_cells, b->n_cells + 1, sizeof(*b->cells));
	b->cells[b->n_cells++] = text;
	b->in_row++;
}

static void open_cell(struct build *b, const MD_BLOCK_TD_DETAIL *d)
{
	static const enum vy_md_align of[] = { [MD_ALIGN_DEFAULT] = VY_MD_ALIGN_NONE,
		[MD_ALIGN_LEFT] = VY_MD_LEFT,
		[MD_ALIGN_CENTER] = VY_MD_CENTER,
		[MD_ALIGN_RIGHT] = VY_MD_RIGHT };
	struct vy_md_block *table = &b->blocks[b->n - 1];

	b->is_open = true;
	if (table->rows == 0 && b->in_row < table->cols) {
		b->align[b->in_row] = of[d->align];
	}
}

static void close_cell(struct build *b)
{
	struct vy_md_text text = vy_mdspan_take(&b->text);

	b->is_open = false;
	if (b->in_row < b->blocks[b->n - 1].cols) {
		add_cell(b, text);
	}
}

static void close_row(struct build *b)
{
	struct vy_md_block *table = &b->blocks[b->n - 1];

	while (b->in_row < table->cols) {
		add_cell(b, (struct vy_md_text){ 0 });
	}
	b->in_row = 0;
	table->rows++;
}

static void close_table(struct build *b)
{
	struct vy_md_block *table = &b->blocks[b->n - 1];
	struct vy_md_text *cells = vy_arena_calloc(b->a, b->n_cells + 1, sizeof(*cells));

	if (b->n_cells) {
		memcpy(cells, b->cells, b->n_cells * sizeof(*cells));
	}
	table->cells = cells;
	b->is_open = false;
}

/* ---- md4c's callbacks ---- */

static void open_code(struct build *b, const MD_BLOCK_CODE_DETAIL *d)
{
	struct vy_str lang = attribute(b, &d->lang);
	struct vy_md_block *block = new_block(b, VY_MD_CODE);

	block->is_fenced = d->fence_char != 0;
	block->lang = lang;
}

static int on_enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct build *b = ctx;
	const MD_BLOCK_OL_DETAIL *ol = detail;
	const MD_BLOCK_UL_DETAIL *ul = detail;

	switch (type) {
	case MD_BLOCK_QUOTE:
		close_block(b);
		push_box(b, VY_ARENA_NEW(b->a, struct vy_md_box), VY_MD_QUOTE);
		break;
	case MD_BLOCK_UL:
		open_list(
			b, &(struct list){ .is_tight = ul->is_tight, .mark = ul->mark, .next = 1 });
		break;
	case MD_BLOCK_OL:
		open_list(b, &(struct list){ .is_ordered = true,
				     .is_tight = ol->is_tight,
				     .mark = ol->mark_delimiter,
				     .next = ol->start });
		break;
	case MD_BLOCK_LI: open_item(b, detail); break;
	case MD_BLOCK_HR: new_block(b, VY_MD_RULE); break;
	case MD_BLOCK_H:
		new_block(b, VY_MD_HEADING)->level = ((const MD_BLOCK_H_DETAIL *)detail)->level;
		break;
	case MD_BLOCK_CODE: open_code(b, detail); break;
	case MD_BLOCK_P: new_block(b, VY_MD_PARA); break;
	case MD_BLOCK_TABLE: return open_table(b, detail);
	case MD_BLOCK_TH:
	case MD_BLOCK_TD: open_cell(b, detail); break;
	case MD_BLOCK_DOC:
	case MD_BLOCK_HTML:
	case MD_BLOCK_THEAD:
	case MD_BLOCK_TBODY:
	case MD_BLOCK_TR:
	default: break;
	}
	return 0;
}

static int on_leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct build *b = ctx;

	(void)detail;
	switch (type) {
	case MD_BLOCK_QUOTE:
	case MD_BLOCK_LI: pop_box(b); break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL: close_list(b); break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD: close_cell(b); break;
	case MD_BLOCK_TR: close_row(b); break;
	case MD_BLOCK_TABLE: close_table(b); break;
	case MD_BLOCK_H:
	case MD_BLOCK_CODE:
	case MD_BLOCK_P: close_block(b); break;
	case MD_BLOCK_DOC:
	case MD_BLOCK_HR:
	case MD_BLOCK_HTML:
	case MD_BLOCK_THEAD:
	case MD_BLOCK_TBODY:
	default: break;
	}
	return 0;
}

static int on_enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct build *b = ctx;

	switch (type) {
	case MD_SPAN_EM: b->text.em++; break;
	case MD_SPAN_STRONG: b->text.strong++; break;
	case MD_SPAN_DEL: b->text.strike++; break;
	case MD_SPAN_CODE: b->text.code++; break;
	case MD_SPAN_A:
		vy_mdspan_open_link(
			&b->text, attribute(b, &((MD_SPAN_A_DETAIL *)detail)->href), false);
		break;
	case MD_SPAN_IMG:
		vy_mdspan_open_link(
			&b->text, attribute(b, &((MD_SPAN_IMG_DETAIL *)detail)->src), true);
		break;
	case MD_SPAN_LATEXMATH:
	case MD_SPAN_LATEXMATH_DISPLAY:
	case MD_SPAN_WIKILINK:
	case MD_SPAN_U:
	default: break;
	}
	return 0;
}

static int on_leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct build *b = ctx;

	(void)detail;
	switch (type) {
	case MD_SPAN_EM: b->text.em -= b->text.em > 0; break;
	case MD_SPAN_STRONG: b->text.strong -= b->text.strong > 0; break;
	case MD_SPAN_DEL: b->text.strike -= b->text.strike > 0; break;
	case MD_SPAN_CODE: b->text.code -= b->text.code > 0; break;
	case MD_SPAN_A:
	case MD_SPAN_IMG: vy_mdspan_close_link(&b->text); break;
	case MD_SPAN_LATEXMATH:
	case MD_SPAN_LATEXMATH_DISPLAY:
	case MD_SPAN_WIKILINK:
	case MD_SPAN_U:
	default: break;
	}
	return 0;
}

/* ---- the whole ---- */

/* A paragraph of source shown as it is: what md4c refused, or what is too long to parse. */
static void add_plain(struct build *b, struct vy_str s)
{
	if (s.n) {
		b->box = NULL;
		new_block(b, VY_MD_PARA);
		vy_mdspan_put(&b->text, s, s, 0);
		close_block(b);
	}
}

static void build_init(struct build *b, struct vy_str src, unsigned flags, struct vy_arena *a)
{
	*b = (struct build){ .a = a };
	vy_mdspan_init(&b->text, src, flags, a);
}

static void build_fini(struct build *b)
{
	vy_mdspan_fini(&b->text);
	free(b->blocks);
	free(b->cells);
}

static void spans_back(const struct vy_mdpatch *p, const struct vy_md_text *t)
{
	struct vy_md_span *spans = (struct vy_md_span *)(uintptr_t)t->spans;

	for (size_t i = 0; i < t->n_spans; i++) {
		spans[i].src = (uint32_t)vy_mdpatch_back(p, spans[i].src);
		spans[i].src_end = (uint32_t)vy_mdpatch_back(p, spans[i].src_end);
	}
}

/* Every offset into the patched text becomes one into the source. */
static void offsets_back(const struct vy_mdpatch *p, struct vy_md_block *blocks, size_t n)
{
	for (size_t i = 0; p->n > 0 && i < n; i++) {
		blocks[i].src = vy_mdpatch_back(p, blocks[i].src);
		blocks[i].src_end = vy_mdpatch_back(p, blocks[i].src_end);
		spans_back(p, &blocks[i].text);
		for (size_t k = 0; k < blocks[i].rows * blocks[i].cols; k++) {
			spans_back(p, &blocks[i].cells[k]);
		}
	}
}

static void parse(struct vy_str text, const struct vy_mdpatch_lines *lines, unsigned flags,
	struct vy_arena *a, struct vy_md_doc *out)
{
	static const MD_PARSER parser = { .flags = MD_DIALECT_GITHUB | MD_FLAG_NOHTMLBLOCKS,
		.enter_block = on_enter_block,
		.leave_block = on_leave_block,
		.enter_span = on_enter_span,
		.leave_span = on_leave_span,
		.text = on_text };
	struct vy_mdpatch src;
	struct build b;

	vy_mdpatch_make(text, lines, a, &src);
	size_t parsed = vy_utf8_cut(src.text, VY_MD_MAX);

	build_init(&b, src.text, flags, a);
	if (md_parse(src.text.p, (MD_SIZE)parsed, &parser, &b) != 0) {
		build_fini(&b);
		build_init(&b, src.text, flags, a);
		add_plain(&b, vy_str_n(src.text.p, parsed));
	}
	close_block(&b);
	add_plain(&b, vy_str_from(src.text, parsed));
	struct vy_md_block *blocks = vy_arena_calloc(a, b.n + 1, sizeof(*blocks));

	if (b.n) {
		memcpy(blocks, b.blocks, b.n * sizeof(*blocks));
	}
	vy_mdsrc_find(src.text, blocks, b.n);
	offsets_back(&src, blocks, b.n);
	*out = (struct vy_md_doc){ .blocks = blocks, .n = b.n };
	build_fini(&b);
}

void vy_md_parse(struct vy_str src, unsigned flags, struct vy_arena *a, struct vy_md_doc *out)
{
	struct vy_mdpatch_lines lines = { 0 };
	unsigned rounds = 0;

	/* again only for delimiters that md4c does not take, for what they had hidden, and without
	 * those that helped nothing */
	do {
		parse(src, &lines, flags, a, out);
	} while (++rounds < ROUNDS && vy_mdpatch_find(src, out, &lines));
	for (rounds = 0; vy_mdpatch_drop(src, out, &lines); rounds++) {
		lines.n = rounds < ROUNDS ? lines.n : 0;
		parse(src, &lines, flags, a, out);
	}
	vy_mdpatch_lines_fini(&lines);
}

unsigned vy_md_depth(const struct vy_md_block *b, enum vy_md_box_kind kind)
{
	return depth_of(b->box, kind);
}
