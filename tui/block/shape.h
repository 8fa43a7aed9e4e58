/* shape.h -- the renderers of tui/block, one a file, as kinds.c lists them.
 *
 * Each appends lines to the sheet, `left` cells in. `limit` is the most lines a folded drawing may
 * take (0: all); what is left out is said in a last line. */
#ifndef BLOCK_SHAPE_H
#define BLOCK_SHAPE_H

#include "shared/text/md.h"
#include "shared/text/wrap.h"
#include "tui/block/draw.h"

typedef void block_shape_fn(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out);

block_shape_fn shape_text, shape_terminal, shape_diff, shape_files, shape_task, shape_record,
	shape_answer, shape_flow, shape_screen, shape_field;

/* How a block is told in one line beside its tool's name ("12 lines", "+3 −1"); "" for nothing. */
void shape_gist(const struct vy_block *b, char *out, size_t room);

/* markdown.c: text of a message. While it grows (not done) nothing half-typed is shown. */
void shape_markdown(struct vy_str text, bool is_done, struct cell_style base, int left,
	struct block_sheet *out);

/* code.c: lines of code, highlighted; `lang` as behind a fence. */
void shape_code(struct vy_str code, struct vy_str lang, int left, struct block_sheet *out);

/* lines.c: plain text wrapped, already safe; at most `limit` rows (0: all), the rest counted. */
void shape_lines(
	struct vy_str text, struct cell_style s, int left, int limit, struct block_sheet *out);
/* The same for text of a tool: made visible first, in the sheet's arena. */
struct vy_str shape_safe(struct block_sheet *out, struct vy_str text, unsigned keep);
void shape_more(struct block_sheet *out, int left, int lines, const char *how);

#define SHAPE_FOLDED 6 /* lines of a folded output */

#endif
