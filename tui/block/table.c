/* table.c -- see table.h.
 *
 * Columns get what their widest cell wants; if that is too much, the widest give first and their
 * cells wrap. Below MIN_COLUMN a column the table is stacked: "head  cell", a row after the other. */
#include "tui/block/table.h"

#include "shared/text/wrap.h"
#include "shared/base/ban.h"

#define MIN_COLUMN 6
#define GAP        3 /* between columns: " │ " without the line, as in the pictures */

static const struct vy_md_text *cell_of(const struct vy_md_block *b, size_t row, size_t col)
{
	return &b->cells[row * b->cols + col];
}

static int widest_line(struct vy_str s, struct vy_width width)
{
	int widest = 0;

	while (s.n) {
		const char *nl = memchr(s.p, '\n', s.n);
		size_t n = nl ? (size_t)(nl - s.p) : s.n;
		int cells = (int)vy_width_cells(vy_str_n(s.p, n), width);

		widest = cells > widest ? cells : widest;
		s = vy_str_from(s, n + (nl != NULL));
	}
	return widest;
}

/* Widths of the columns in `room` cells; false when they do not fit however they wrap. */
static bool fit(const struct vy_md_block *b, int room, struct vy_width width, int *cols)
{
	int sum = 0;

	for (size_t c = 0; c < b->cols; c++) {
		cols[c] = 1;
		for (size_t r = 0; r < b->rows; r++) {
			int w = widest_line(cell_of(b, r, c)->text, width);

			cols[c] = w > cols[c] ? w : cols[c];
		}
		sum += cols[c];
	}
	room -= (int)(b->cols - 1) * GAP + 2;
	while (sum > room) {
		size_t most = 0;

		for (size_t c = 1; c < b->cols; c++) {
			most = cols[c] > cols[most] ? c : most;
		}
		if (cols[most] <= MIN_COLUMN) {
			return false;
		}
		cols[most]--;
		sum--;
	}
	return true;
}

static int offset_of(enum vy_md_align align, int room, int cells)
{
	return align == VY_MD_RIGHT ? room - cells : align == VY_MD_CENTER ? (room - cells) / 2 : 0;
}

static void put_row(const struct vy_md_block *b, size_t r, const int *cols, struct cell_style base,
	int left, struct block_sheet *out)
{
	struct vy_wrap_row *rows[64];
	size_t n[64], most = 1;

	for (size_t c = 0; c < b->cols && c < 64; c++) {
		struct vy_wrap how = { .cells = (unsigned)cols[c],
			.width = cell_pool_width(out->grid.pool) };

		n[c] = vy_wrap_all(&how, cell_of(b, r, c)->text, &out->arena, &rows[c]);
		most = n[c] > most ? n[c] : most;
	}
	for (size_t y = 0; y < most; y++) {
		struct cell_win w = block_lines(out, 1, left);
		int x = 2;

		cell_puts(w, 0, 0, "│", theme_ink(THEME_LINE));
		for (size_t c = 0; c < b->cols && c < 64; c++) {
			if (y < n[c]) {
				const struct vy_wrap_row *row = &rows[c][y];

				shape_spans(w, x + offset_of(b->align[c], cols[c], (int)row->cells),
					cell_of(b, r, c), row->start, row->end, base);
			}
			x += cols[c] + GAP;
		}
	}
}

static void put_line(
	const struct vy_md_block *b, const int *cols, int left, struct block_sheet *out)
{
	struct cell_win w = block_lines(out, 1, left);
	struct cell_style s = theme_ink(THEME_LINE);
	int x = 1;

	cell_puts(w, 0, 0, "├", s);
	for (size_t c = 0; c < b->cols; c++) {
		int n = cols[c] + 2;

		cell_hline(w, x, 0, n, "─", s);
		x += n;
		if (c + 1 < b->cols) {
			cell_puts(w, x++, 0, "┼", s);
		}
	}
}

static void put_stacked(
	const struct vy_md_block *b, struct cell_style base, int left, struct block_sheet *out)
{
	for (size_t r = 1; r < b->rows; r++) {
		if (r > 1) {
			block_lines(out, 1, left);
		}
		for (size_t c = 0; c < b->cols; c++) {
			const struct vy_md_text *head = cell_of(b, 0, c), *cell = cell_of(b, r, c);
			struct vy_wrap how = { .cells = (unsigned)(out->grid.cols - left - 2),
				.width = cell_pool_width(out->grid.pool) };
			struct vy_wrap_row row = { 0 };

			shape_spans(block_lines(out, 1, left), 0, head, 0, head->text.n,
				theme_bold(THEME_DIM));
			while (cell->text.n && vy_wrap_next(&how, cell->text, &row)) {
				shape_spans(block_lines(out, 1, left + 2), 0, cell, row.start,
					row.end, base);
			}
		}
	}
}

void shape_table(
	const struct vy_md_block *b, struct cell_style base, int left, struct block_sheet *out)
{
	int *cols = vy_arena_calloc(&out->arena, b->cols + 1, sizeof(*cols));
	struct cell_style head = base;

	if (b->cols == 0 || b->cols > 64 || b->rows == 0) {
		return;
	}
	if (!fit(b, out->grid.cols - left, cell_pool_width(out->grid.pool), cols)) {
		put_stacked(b, base, left, out);
		return;
	}
	head.attrs |= CELL_BOLD;
	put_row(b, 0, cols, head, left, out);
	put_line(b, cols, left, out);
	for (size_t r = 1; r < b->rows; r++) {
		put_row(b, r, cols, base, left, out);
	}
}
