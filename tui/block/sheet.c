/* sheet.c -- the paper of a block: lines of cells that grow, each with its mark (draw.h). */
#include "tui/block/slide.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tui/ink/cell_rows.h"
#include "shared/base/ban.h"

#define FIRST_ROWS 8
#define KEPT_ROWS  64 /* more are given back when the sheet is drawn anew */

void block_sheet_init(struct block_sheet *s, struct cell_pool *pool)
{
	*s = (struct block_sheet){ 0 };
	cell_grid_init(&s->grid, pool, 1, 1);
	s->marks = vy_calloc(1, sizeof(*s->marks));
	s->words = vy_calloc(1, sizeof(*s->words));
	s->numbers = vy_calloc(1, sizeof(*s->numbers));
	vy_arena_init(&s->arena);
}

void block_sheet_fini(struct block_sheet *s)
{
	slide_cut(s, 0);
	cell_grid_fini(&s->grid);
	free(s->marks);
	free(s->words);
	free(s->pictures);
	free(s->slides);
	free(s->longs);
	free(s->numbers);
	vy_arena_fini(&s->arena);
}

static void keep_marks(struct block_sheet *s)
{
	s->marks = vy_realloc(s->marks, (size_t)s->grid.rows * sizeof(*s->marks));
	s->words = vy_realloc(s->words, (size_t)s->grid.rows * sizeof(*s->words));
	s->numbers = vy_realloc(s->numbers, (size_t)s->grid.rows * sizeof(*s->numbers));
}

void block_sheet_reset(struct block_sheet *s, int cols)
{
	cols = cols > 1 ? cols : 1;
	slide_cut(s, 0);
	if (s->grid.cols != cols || s->grid.rows > KEPT_ROWS) {
		cell_grid_resize(&s->grid, cols, FIRST_ROWS);
		keep_marks(s);
	} else {
		cell_grid_clear(&s->grid);
	}
	s->lines = 0;
	s->n_pictures = 0;
	s->at = 0;
	s->settled = (struct block_settled){ 0 };
	vy_arena_reset(&s->arena);
}

void block_sheet_fold(struct block_sheet *s, int lines)
{
	struct cell_rect rest = { 0, lines, s->grid.cols, s->lines - lines };

	vy_assert(lines <= s->lines);
	cell_fill(cell_win_all(&s->grid), rest, (struct cell_style){ .bg = CELL_BARE });
	s->lines = lines;
	slide_cut(s, lines);
	while (s->n_pictures && s->pictures[s->n_pictures - 1].line >= lines) {
		s->n_pictures--;
	}
}

void block_sheet_cut(struct block_sheet *s, int lines)
{
	block_sheet_fold(s, lines);
	s->at = lines ? s->marks[lines - 1] : 0;
	vy_arena_reset(&s->arena);
}

/* More rows, the drawn ones kept. */
static void grow(struct block_sheet *s, int rows)
{
	struct cell_grid bigger;
	struct cell_rect all = { 0, 0, s->grid.cols, s->lines };
	int cap = s->grid.rows;

	while (cap < rows) {
		cap *= 2;
	}
	cell_grid_init(&bigger, s->grid.pool, s->grid.cols, cap);
	cell_blit(cell_win_all(&bigger), 0, 0, &s->grid, all);
	cell_grid_fini(&s->grid);
	s->grid = bigger;
	keep_marks(s);
}

struct cell_win block_lines(struct block_sheet *s, int n, int left)
{
	if (s->lines + n > s->grid.rows) {
		grow(s, s->lines + n);
	}
	if (s->lines && s->at < s->marks[s->lines - 1]) {
		s->at = s->marks[s->lines - 1];
	}
	for (int i = 0; i < n; i++) {
		s->marks[s->lines + i] = s->at;
		s->words[s->lines + i] = (struct block_words){ .from = (uint16_t)left };
		s->numbers[s->lines + i] = cell_number(s->grid.pool);
	}
	struct cell_rect r = { left, s->lines, s->grid.cols - left, n };

	s->lines += n;
	return cell_win_sub(cell_win_all(&s->grid), r);
}

void block_says(struct block_sheet *s, int from, int end, enum block_join join)
{
	vy_assert(s->lines > 0);
	s->words[s->lines - 1] = (struct block_words){
		.from = (uint16_t)from, .end = (uint16_t)end, .join = (uint8_t)join
	};
}

void block_says_nothing(struct block_sheet *s)
{
	vy_assert(s->lines > 0);
	s->words[s->lines - 1].none = true;
}

void block_add_picture(struct block_sheet *s, uint32_t id, struct fit_size size)
{
	int line = s->lines - (size.rows > 0 ? size.rows : 1);

	if (s->n_pictures == s->cap_pictures) {
		s->pictures = vy_grow(
			s->pictures, &s->cap_pictures, s->n_pictures + 1, sizeof(*s->pictures));
	}
	s->pictures[s->n_pictures++] = (struct block_picture){ id, size, line > 0 ? line : 0 };
}

struct cell_win block_line(struct block_sheet *s, int line)
{
	vy_assert(line < s->lines);
	s->numbers[line] = cell_number(s->grid.pool);
	s->words[line].turns = 0;
	return cell_win_sub(cell_win_all(&s->grid), (struct cell_rect){ 0, line, s->grid.cols, 1 });
}

/* How many lines begin before `mark`, or at it too. */
static int count_to(const struct block_sheet *s, size_t mark, bool with_equal)
{
	int lo = 0, hi = s->lines;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (s->marks[mid] < mark || (with_equal && s->marks[mid] == mark)) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo;
}

int block_line_of(const struct block_sheet *s, size_t mark, int nth)
{
	int first = count_to(s, mark, false), end = count_to(s, mark, true);

	if (first == end) { /* in the middle of a line, at this width */
		return first > 0 ? first - 1 : 0;
	}
	return first + nth < end ? first + nth : end - 1;
}

/* ---- lines that are drawn again ---- */

#define WAS_BYTES (64 * VY_KIB) /* of cells: a paragraph of a wide screen */

struct block_was {
	int from, n, cols;
	struct {
		uint64_t number;
		struct block_words words;
	} line[];
	/* behind them: n * cols cells */
};

static struct cell *cells_of(struct block_was *w)
{
	return (struct cell *)&w->line[w->n];
}

static const struct cell *row_of(const struct block_sheet *s, int line)
{
	return &s->grid.cells[(size_t)line * (size_t)s->grid.cols];
}

struct block_was *block_sheet_was(const struct block_sheet *s, int from)
{
	size_t row = (size_t)s->grid.cols * sizeof(struct cell);
	int n = s->lines - from, most = (int)(WAS_BYTES / row);

	n = n < most ? n : most;
	if (n <= 0) {
		return NULL;
	}
	struct block_was *w =
		vy_realloc(NULL, sizeof(*w) + (size_t)n * sizeof(w->line[0]) + (size_t)n * row);

	*w = (struct block_was){ .from = from, .n = n, .cols = s->grid.cols };
	for (int i = 0; i < n; i++) {
		w->line[i].number = s->numbers[from + i];
		w->line[i].words = s->words[from + i];
	}
	memcpy(cells_of(w), row_of(s, from), (size_t)n * row);
	return w;
}

static bool is_again(const struct block_sheet *s, struct block_was *w, int i)
{
	size_t cols = (size_t)w->cols;
	const struct block_words *a = &s->words[w->from + i], *b = &w->line[i].words;

	return a->from == b->from && a->end == b->end && a->join == b->join && a->none == b->none &&
	       memcmp(row_of(s, w->from + i), cells_of(w) + (size_t)i * cols,
		       cols * sizeof(struct cell)) == 0;
}

void block_sheet_is(struct block_sheet *s, struct block_was *own)
{
	for (int i = 0; own && own->cols == s->grid.cols && i < own->n; i++) {
		if (own->from + i < s->lines && is_again(s, own, i)) {
			s->numbers[own->from + i] = own->line[i].number;
			s->words[own->from + i] = own->line[i].words; /* and what was found out */
		}
	}
	free(own);
}
