/* terminal.c -- what a command printed, with its colours, drawn through the emulator into cells so
 * that nothing of it reaches the terminal (shape.h). Folded: a few lines of its beginning and more
 * of its end, which is what was waited for; of what went well the last line alone. */
#include <stdio.h>

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/vt/vt.h"
#include "tui/block/shape.h"
#include "tui/block/slide.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define OPEN_LINES  5000
#define FOLD_BYTES  (64 * VY_KIB) /* of the end that a folded drawing looks at */
#define SHORT_LINES 3             /* are shown as they are */
#define UNWRAPPED   1000          /* columns of the terminal where lines are not wrapped */

/* The emulator has eaten what moves a cursor; what turns text round or hides in it is left. */
static void put_line(struct cell_win w, int x, const struct vy_vt_line *l, struct block_sheet *out)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct vy_vt_run *r = &l->runs[i];
		struct cell_style s = { .fg = r->fg ? r->fg : CELL_ROLE(THEME_CODE_TEXT),
			.bg = r->bg,
			.attrs = (uint8_t)(r->attrs & 0x3f) };

		x += cell_put(w, x, 0, shape_safe(out, r->text, VY_UTF8_LINE), s);
	}
}

/* With the blanks before a wrap, which are words too; but not with the one that only makes room for
 * a wide glyph. */
static int cells_of(const struct vy_vt_lines *l, size_t i, int cols, struct vy_width width)
{
	const struct vy_vt_line *line = &l->lines[i], *next = line + 1;
	unsigned first;

	if (i + 1 == l->n || !next->continues || next->n == 0 || line->cells >= cols) {
		return line->cells;
	}
	vy_width_piece(next->runs[0].text, 0, width, &first);
	return first == 2 && line->cells == cols - 1 ? line->cells : cols;
}

/* ---- lines at the sheet's width, or as they were printed ---- */

struct output {
	struct vy_vt_lines l;
	int cols; /* of the terminal that read it; 0: lines are joined */
};

/* A piece and the blanks behind it that are words, as runs; returns how many. */
static size_t add_piece(const struct output *o, size_t i, struct vy_width width,
	struct vy_vt_run *all, struct vy_arena *a)
{
	const struct vy_vt_line *piece = &o->l.lines[i];
	int blanks = cells_of(&o->l, i, o->cols, width) - piece->cells;

	memcpy(all, piece->runs, piece->n * sizeof(*all));
	if (blanks <= 0) {
		return piece->n;
	}
	all[piece->n] = (struct vy_vt_run){ .text = vy_str_c(vy_arena_printf(a, "%*s", blanks, "")),
		.cells = blanks };
	return piece->n + 1;
}

/* Line i and those that go on from it as one, as far as a line goes. Returns how many. */
static size_t join_line(const struct output *o, size_t i, struct vy_width width,
	struct vy_vt_line *out, struct vy_arena *a)
{
	const struct vy_vt_line *l = &o->l.lines[i];
	size_t n = 1, runs = l->n + 1, k = 0;

	while (i + n < o->l.n && l[n].continues && ((int)n + 1) * o->cols <= SLIDE_LINE_MAX) {
		runs += l[n++].n + 1;
	}
	struct vy_vt_run *all = vy_arena_calloc(a, runs, sizeof(*all));

	*out = (struct vy_vt_line){ .runs = all, .continues = l->continues };
	for (size_t y = i; y < i + n; y++) {
		k += add_piece(o, y, width, all + k, a);
	}
	out->n = k;
	while (k-- > 0) {
		out->cells += all[k].cells;
	}
	return n;
}

static struct output read_output(struct vy_str text, int left, struct block_sheet *out)
{
	int room = out->grid.cols - left > 1 ? out->grid.cols - left : 1;
	struct output o = { .cols = out->is_unwrapped ? UNWRAPPED : room };
	struct vy_vt_line *joined;
	size_t n = 0;

	o.l = vy_vt_plain(text, o.cols, OPEN_LINES, &out->arena);
	if (!out->is_unwrapped || o.l.n == 0) {
		return o;
	}
	joined = vy_arena_calloc(&out->arena, o.l.n, sizeof(*joined));
	for (size_t i = 0; i < o.l.n; n++) {
		i += join_line(&o, i, cell_pool_width(out->grid.pool), &joined[n], &out->arena);
	}
	o.l.lines = joined;
	o.l.n = n;
	o.cols = 0; /* their blanks are in them */
	return o;
}

/* ---- drawing them ---- */

/* The end of a long output, from the start of a line; *before counts the lines left out. */
static struct vy_str end_of(struct vy_str s, size_t *before)
{
	size_t from = s.n > FOLD_BYTES ? s.n - FOLD_BYTES : 0;

	*before = 0;
	while (from > 0 && from < s.n && s.p[from - 1] != '\n') {
		from++;
	}
	for (size_t i = 0; i < from; i++) {
		*before += s.p[i] == '\n';
	}
	return vy_str_from(s, from);
}

static bool is_blank(const struct vy_vt_line *l)
{
	for (size_t i = 0; i < l->n; i++) {
		for (size_t k = 0; k < l->runs[i].text.n; k++) {
			if (l->runs[i].text.p[k] != ' ') {
				return false;
			}
		}
	}
	return true;
}

/* "… 12 lines  ·  " and where the last one may begin. */
static int put_count(struct cell_win w, size_t lines, const struct block_sheet *out)
{
	char text[80];

	snprintf(text, sizeof(text), words_count("… %zu line", "… %zu lines", lines), lines);

	int x = cell_puts(w, 0, 0, text, theme_ink(THEME_DIM));

	return x + 2 + cell_puts(w, x + 2, 0, mark_of(out, MARK_NOTE), theme_ink(THEME_DIM)) + 2;
}

static void put_above(size_t lines, int left, struct block_sheet *out)
{
	char text[80];

	snprintf(text, sizeof(text), words_count("… %zu line above", "… %zu lines above", lines),
		lines);
	cell_puts(block_lines(out, 1, left), 0, 0, text, theme_ink(THEME_DIM));
	block_says_nothing(out);
}

/* Line i of them, at x of a new line of the sheet. */
static void put_row(const struct output *o, size_t i, bool goes_on, struct cell_win w, int x,
	struct block_sheet *out)
{
	int cells = cells_of(&o->l, i, o->cols, cell_pool_width(out->grid.pool));

	put_line(slide_line(out, w, x, cells), 0, &o->l.lines[i], out);
	block_says(out, w.x + x, w.x + x + cells, goes_on ? BLOCK_INSIDE : BLOCK_NEW);
}

/* Lines [first, end). */
static void put_rows(
	const struct output *o, size_t first, size_t end, int left, struct block_sheet *out)
{
	size_t base = out->at;

	for (size_t i = first; i < end; i++) {
		out->at = base + i;
		put_row(o, i, i > first && o->l.lines[i].continues, block_lines(out, 1, left), 0,
			out);
	}
}

static void begin(int x, struct block_sheet *out)
{
	slide_begin(out, (struct slide_zone){ x, out->grid.cols - x }, (struct slide_zone){ 0, 0 },
		false);
}

static void put_lines(
	const struct output *o, size_t shown, size_t before, int left, struct block_sheet *out)
{
	size_t first = o->l.n - shown, above = before + o->l.dropped + first;

	if (above && shown == 1) {
		struct cell_win w = block_lines(out, 1, left);
		int x = put_count(w, above + 1, out);

		slide_move(out, left + x);
		put_row(o, first, false, w, x, out);
		return;
	}
	if (above) {
		put_above(above, left, out);
	}
	put_rows(o, first, o->l.n, left, out);
}

/* The first lines of a long output: what a command said it would do. Returns how many. */
static size_t put_beginning(struct vy_str text, size_t most, int left, struct block_sheet *out)
{
	size_t end = 0, n = 0;

	for (; end < text.n && end < FOLD_BYTES && n < most; end++) {
		n += text.p[end] == '\n';
	}
	struct output o = read_output(vy_str_n(text.p, end), left, out);

	n = o.l.n < most ? o.l.n : most;
	for (size_t i = 0; i < n; i++) {
		put_row(&o, i, i && o.l.lines[i].continues, block_lines(out, 1, left), 0, out);
	}
	return n;
}

/* Head and tail, and how much is left out between them. */
static void put_ends(const struct vy_block *b, const struct output *o, size_t before, size_t shown,
	int left, struct block_sheet *out)
{
	size_t head = put_beginning(b->terminal.output, shown / 3, left, out);
	size_t first = o->l.n - (shown - head);

	shape_more(out, left, before + o->l.dropped + first - head);
	put_rows(o, first, o->l.n, left, out);
}

static void put_note(const struct vy_block *b, int left, struct block_sheet *out)
{
	struct vy_str note = b->note.n ? b->note : vy_str_c(_("cut: what it printed is longer"));

	if (b->note.n || b->terminal.truncated) {
		shape_put(block_lines(out, 1, left), 0, note, out->grid.cols - left - 1,
			theme_ink(THEME_DIM), out);
	}
}

void shape_output(const struct vy_block *b, const struct block_how *how, int left, size_t tail,
	struct block_sheet *out)
{
	struct vy_str text = b->terminal.output;
	size_t before = 0;

	if (!how->is_open) {
		text = end_of(text, &before);
	}
	struct output o = read_output(text, left, out);
	struct vy_vt_lines *l = &o.l;

	begin(left, out);
	while (l->n && is_blank(&l->lines[l->n - 1])) {
		l->n--;
	}
	if (l->n) {
		bool is_short =
			before + l->dropped == 0 && (l->n <= SHORT_LINES || l->n <= tail + 1);

		if (!how->is_open && !is_short && tail >= 3 && l->n > tail) {
			put_ends(b, &o, before, tail, left, out);
		} else {
			put_lines(&o, how->is_open || is_short || l->n < tail ? l->n : tail, before,
				left, out);
		}
	}
	slide_end(out);
	put_note(b, left, out);
}

void shape_terminal(
	const struct vy_block *b, const struct block_how *how, int left, struct block_sheet *out)
{
	bool went_well = b->terminal.has_exit && b->terminal.exit == 0;

	shape_output(b, how, left, went_well ? 1 : SHAPE_FOLDED, out);
}
