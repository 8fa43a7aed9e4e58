/* md.h -- markdown as blocks and spans of ours; md4c is seen by md.c alone.
 *
 * CommonMark with tables, task lists, strikethrough and bare links. Raw HTML is text (nothing a
 * reader cannot see), but <br> is a line break. Takes any bytes; every text it gives is safe for a
 * screen (entities too: they pass vy_utf8_visible). All of the result lives in the arena and
 * borrows nothing from the source. Never fails: what md4c refuses becomes plain paragraphs. */
#ifndef VY_MD_H
#define VY_MD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/str.h"

enum vy_md_style {
	VY_MD_STRONG = 1,
	VY_MD_EM = 2,
	VY_MD_CODE_SPAN = 4,
	VY_MD_STRIKE = 8,
	VY_MD_LINK = 16,
	VY_MD_IMAGE = 32, /* the text is its description */
	VY_MD_HTML = 64,  /* a raw tag, shown as it is */
};

struct vy_md_span {
	uint32_t start, end;   /* bytes of the text it is in; spans tile it */
	uint32_t src, src_end; /* where it came from, without its marks; 0,0: made up */
	unsigned style;        /* bits of vy_md_style */
	uint32_t link_id;      /* the same for all spans of one link, 0: none */
	struct vy_str link;    /* target of LINK or IMAGE */
};

struct vy_md_text {
	struct vy_str text; /* "\n" is a hard break (in code: a line) */
	const struct vy_md_span *spans;
	size_t n_spans;
};

/* What blocks stand in: a quote or a list item. A block's box and its `up`s, outermost last. */
enum vy_md_box_kind { VY_MD_QUOTE, VY_MD_ITEM };
enum vy_md_task { VY_MD_NO_TASK, VY_MD_TASK_OPEN, VY_MD_TASK_DONE };

struct vy_md_box {
	const struct vy_md_box *up;
	enum vy_md_box_kind kind;
	size_t first;   /* index of the block that draws this box's mark */
	unsigned depth; /* boxes of its kind up to and with it: 1, 2, … */
	bool is_ordered;
	bool is_tight; /* no empty row between the items */
	char mark;     /* '-' '+' '*', or '.' ')' behind the number */
	unsigned number;
	unsigned last_number; /* of its list: the width that aligns the numbers */
	enum vy_md_task task;
};

enum vy_md_kind { VY_MD_PARA, VY_MD_HEADING, VY_MD_CODE, VY_MD_TABLE, VY_MD_RULE };
enum vy_md_align { VY_MD_ALIGN_NONE, VY_MD_LEFT, VY_MD_CENTER, VY_MD_RIGHT };

struct vy_md_block {
	enum vy_md_kind kind;
	unsigned level;              /* HEADING: 1..6 */
	const struct vy_md_box *box; /* NULL: stands free */
	size_t src, src_end;         /* whole lines of the source, fences and marks included */
	struct vy_md_text text;      /* PARA, HEADING, CODE */
	bool is_fenced;              /* CODE */
	struct vy_str lang;          /* CODE: first word behind the fence, "" if none */
	size_t cols, rows;           /* TABLE: row 0 is the head */
	const enum vy_md_align *align;
	const struct vy_md_text *cells; /* [row * cols + col] */
};

struct vy_md_doc {
	const struct vy_md_block *blocks;
	size_t n;
};

enum vy_md_flag {
	VY_MD_BREAKS = 1, /* "\n" inside a paragraph stays a break (people's own messages) */
};

#define VY_MD_MAX   (1024 * 1024) /* bytes parsed; the rest is shown as it is */
#define VY_MD_DEPTH 24            /* boxes in boxes; deeper ones fall together */

void vy_md_parse(struct vy_str src, unsigned flags, struct vy_arena *a, struct vy_md_doc *out);

/* Boxes of `kind` around the block. */
unsigned vy_md_depth(const struct vy_md_block *b, enum vy_md_box_kind kind);

#endif
