/* table.c -- see table.h.
 *
 * Columns get what their widest cell wants; if that is too much, the widest give first and their
 * cells wrap. Where a column would be narrower than MIN_COLUMN the table is stacked: each row is a
 * list of "head  cell". */
#include "tui/block/table.h"

#include "tui/block/mark.h"
#include "shared/base/ban.h"

#define MIN_COLUMN 6
#define MAX_COLS   64 /* more never fit */
#define GAP        3  /* between columns: " │ " without the line, as in the pictures */
#define MIN_CELL   16 /* beside its head in a stacked table, else below it */

static const struct vy_md_text *cell_of(const struct vy_md_block *b, size_t row, size_t col)
{
	return &b->cells[row * b->cols + col];
}

static int widest_line(struct vy_str s, struct vy_width width, int most)
{
	int widest = 0;

	while (s.n && widest < most) {
		const char *nl = memchr(s.p, '\n', s.n);
		size_t n = nl ? (size_t)(nl - s.p) : s.n;
		int cells = (int)vy_width_cells(vy_str_n(s.p, n), width);

		widest = cells > widest ? cells : widest;
		s = vy_str_from(s, n + (nl != NULL));
	}
	return widest < most ? widest : most;
}

/* ---- aligned ---- */

/* Widths of the columns in `room` cells; false when they do not fit however they wrap. */
static bool fit(const struct vy_md_block *b, int room, struct vy_width width, int *cols)
{
	int sum = 0;

	room -= (int)(b->cols - 1) * GAP + 2;
	for (size_t c = 0; c < b->cols; c++) {
		cols[c] = 1;
		for (size_t r = 0; r < b->rows; r++) {
			int w = widest_line(cell_of(b, r, c)->text, width, room);

			cols[c] = w > cols[c] ? w : cols[c];
		}
		sum += cols[c];
	}
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
	struct vy_wrap_row *rows[MAX_COLS];
	size_t n[MAX_COLS], most = 1;

	for (size_t c = 0; c < b->cols; c++) {
		struct vy_wrap how = { .cells = (unsigned)cols[c],
			.width = cell_pool_width(out->grid.pool) };

		n[c] = vy_wrap_all(&how, cell_of(b, r, c)->text, &out->arena, &rows[c]);
		most = n[c] > most ? n[c] : most;
	}
	for (size_t y = 0; y < most; y++) {
		struct cell_win w = block_lines(out, 1, left);
		int x = 2;

		block_says(out, left + 2, 0, BLOCK_NEW);
		cell_puts(w, 0, 0, mark_of(out, MARK_COLUMN), theme_ink(THEME_LINE));
		for (size_t c = 0; c < b->cols; c++) {
			struct cell_win cell =
				cell_win_sub(w, (struct cell_rect){ x, 0, cols[c], 1 });

			if (y < n[c]) {
				const struct vy_wrap_row *row = &rows[c][y];

				shape_spans(cell, offset_of(b->align[c], cols[c], (int)row->cells),
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

	block_says(out, left + 2, 0, BLOCK_NEW);
	block_says_nothing(out);
	cell_puts(w, 0, 0, mark_of(out, MARK_TEE), s);
	for (size_t c = 0; c < b->cols; c++) {
		int n = cols[c] + 2;

		cell_hline(w, x, 0, n, mark_of(out, MARK_RULE), s);
		x += n;
		if (c + 1 < b->cols) {
			cell_puts(w, x++, 0, mark_of(out, MARK_CROSS), s);
		}
	}
}

/* ---- stacked ---- */

/* A cell from line y on, on lines that may be there already. */
static void put_cell(
	const struct vy_md_text *t, struct cell_style s, int left, int y, struct block_sheet *out)
{
	int room = out->grid.cols - left - 1;
	struct vy_wrap how = { .cells = (unsigned)(room > 1 ? room : 1),
		.width = cell_pool_width(out->grid.pool) };
	struct vy_wrap_row row = { 0 };

	for (; t->text.n && vy_wrap_next(&how, t->text, &row); y++) {
		if (y == out->lines) {
			block_lines(out, 1, 0);
		}
		struct cell_win w = block_line(out, y);

		shape_spans(cell_win_sub(w, (struct cell_rect){ left, 0, w.w - left, 1 }), 0, t,
			row.start, row.end, s);
	}
}

static void put_stacked(
	const struct vy_md_block *b, struct cell_style base, int left, struct block_sheet *out)
{
	struct vy_width width = cell_pool_width(out->grid.pool);
	int room = out->grid.cols - left, head = 0;

	for (size_t c = 0; c < b->cols; c++) {
		int cells = widest_line(cell_of(b, 0, c)->text, width, room);

		head = cells > head ? cells : head;
	}
	bool is_beside = head + 2 + MIN_CELL <= room;

	for (size_t r = b->rows > 1 ? 1 : 0; r < b->rows; r++) {
		if (r > 1) {
			block_lines(out, 1, left);
		}
		out->at++;
		for (size_t c = 0; c < b->cols; c++) {
			int from = out->lines;

			put_cell(cell_of(b, 0, c), theme_ink(THEME_DIM), left, from, out);
			if (r > 0) {
				put_cell(cell_of(b, r, c), base, left + (is_beside ? head + 2 : 2),
					is_beside ? from : out->lines, out);
			}
		}
	}
}

/* ---- either ---- */

void shape_table(
	const struct vy_md_block *b, struct cell_style base, int left, struct block_sheet *out)
{
	struct cell_style head = base;
	int cols[MAX_COLS];

	if (b->cols == 0 || b->rows == 0) {
		return;
	}
	if (b->cols > MAX_COLS ||
		!fit(b, out->grid.cols - left - 1, cell_pool_width(out->grid.pool), cols)) {
		put_stacked(b, base, left, out);
		return;
	}
	head.attrs |= CELL_BOLD;
	put_row(b, 0, cols, head, left, out);
	put_line(b, cols, left, out);
	for (size_t r = 1; r < b->rows; r++) {
		out->at++;
		put_row(b, r, cols, base, left, out);
	}
}
