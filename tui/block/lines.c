/* lines.c -- plain text as rows, and what every shape needs of it (shape.h).
 *
 * A text is made safe and wrapped line by line, so what is folded away costs nothing but the search
 * for its newlines. */
#include "tui/block/shape.h"

#include <stdio.h>

#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/text/wrap.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MEASURE    100 /* cells of prose */
#define CELL_BYTES 16  /* a line of more than these for each cell is not looked at whole */

int shape_measure(const struct block_sheet *out, int left)
{
	int room = out->grid.cols - left - 1;

	return room < 1 ? 1 : room > MEASURE ? MEASURE : room;
}

struct vy_str shape_safe(struct block_sheet *out, struct vy_str text, unsigned keep)
{
	VY_AUTO_BUF b = VY_BUF_INIT(16 * VY_MIB);

	if (vy_utf8_is_visible(text, keep)) {
		return text;
	}
	vy_utf8_visible(text, keep, &b);
	return vy_arena_str(&out->arena, vy_buf_str(&b));
}

void shape_more(struct block_sheet *out, int left, size_t lines)
{
	char text[120];

	snprintf(text, sizeof(text), words_count("… %zu more line", "… %zu more lines", lines),
		lines);
	cell_puts(block_lines(out, 1, left), 0, 0, text, theme_ink(THEME_DIM));
	block_says_nothing(out);
}

enum block_join shape_join(const struct vy_wrap_row *before)
{
	if (before->next == 0 || before->is_hard) {
		return BLOCK_NEW;
	}
	return before->end < before->next ? BLOCK_BLANK : BLOCK_INSIDE;
}

/* ---- one line ---- */

typedef void ellipsis_fn(struct vy_str s, size_t cells, struct vy_width w, struct vy_buf *out);

static int put_cut(struct cell_win w, int x, struct vy_str text, int room, struct cell_style s,
	struct block_sheet *out, ellipsis_fn *cut)
{
	VY_AUTO_BUF b = VY_BUF_INIT(64 * VY_KIB);

	if (room <= 0) {
		return x;
	}
	cut(shape_safe(out, text, VY_UTF8_LINE), (size_t)room, cell_pool_width(w.grid->pool), &b);
	return x + cell_put(w, x, 0, vy_buf_str(&b), s);
}

int shape_put(struct cell_win w, int x, struct vy_str text, int room, struct cell_style s,
	struct block_sheet *out)
{
	size_t most = (size_t)(room > 0 ? room + 1 : 0) * VY_CLUSTER_MAX;

	text.n = vy_utf8_cut(text, most); /* the "…" stands before that end */
	return put_cut(w, x, text, room, s, out, vy_width_ellipsis);
}

int shape_put_path(struct cell_win w, int x, struct vy_str path, int room, struct cell_style s,
	struct block_sheet *out)
{
	return put_cut(w, x, path, room, s, out, vy_width_ellipsis_tail);
}

/* ---- many lines ---- */

/* A walk over the rows of a text, source line by source line. */
struct walk {
	struct vy_str rest;  /* source lines not begun */
	size_t rest_at;      /* where in the text they begin */
	struct vy_str line;  /* safe */
	size_t line_at;      /* where in the text it begins */
	bool is_cut;         /* the line was too long to be taken whole */
	bool is_in, is_last; /* in a line; behind the last one */
	size_t longest;
	struct vy_wrap how;
	struct vy_wrap_row row;
	enum block_join join; /* of the row */
};

static void next_line(struct walk *k, struct block_sheet *out)
{
	const char *nl = k->rest.n ? memchr(k->rest.p, '\n', k->rest.n) : NULL;
	size_t n = nl ? (size_t)(nl - k->rest.p) : k->rest.n;
	struct vy_str line = vy_str_n(k->rest.p, n);

	if (n && line.p[n - 1] == '\r') {
		line.n--;
	}
	k->is_cut = line.n > k->longest;
	line.n = vy_utf8_cut(line, k->longest);
	k->line = shape_safe(out, line, VY_UTF8_KEEP_TAB);
	k->line_at = k->rest_at;
	k->rest = vy_str_from(k->rest, n + (nl != NULL));
	k->rest_at += n + (nl != NULL);
	k->is_last = nl == NULL;
	k->is_in = true;
	k->row = (struct vy_wrap_row){ 0 };
}

static bool next_row(struct walk *k, struct block_sheet *out)
{
	k->join = shape_join(&k->row);
	while (!k->is_in || !vy_wrap_next(&k->how, k->line, &k->row)) {
		if (k->is_last) {
			return false;
		}
		next_line(k, out);
		k->join = BLOCK_NEW;
	}
	return true;
}

static void put_row(
	struct walk *k, const struct shape_lines *how, struct block_sheet *out, size_t base)
{
	const struct vy_wrap_row *r = &k->row;

	out->at = base + k->line_at + r->start;

	struct cell_win w = block_lines(out, 1, how->left);
	size_t from = r->start;
	int x = 0;

	block_says(out, how->left, how->left + (int)r->cells, k->join);

	for (size_t i = r->start; i < r->end; i++) {
		if (k->line.p[i] == '\t') {
			size_t next;

			x += cell_put(w, x, 0, vy_str_n(k->line.p + from, i - from), how->style);
			int cells = (int)vy_wrap_cells(&k->how, k->line, i, (unsigned)x, &next);

			cell_put_tab(w, x, 0, cells, (struct cell_style){ .bg = how->style.bg });
			x += cells;
			from = i + 1;
		}
	}
	cell_put(w, x, 0, vy_str_n(k->line.p + from, r->end - from), how->style);
}

static size_t newlines(struct vy_str s)
{
	size_t n = 0;

	for (const char *nl; s.n && (nl = memchr(s.p, '\n', s.n)); n++) {
		s = vy_str_from(s, (size_t)(nl - s.p) + 1);
	}
	return n;
}

/* Lines not shown whole, the one the walk stands in first. */
static size_t lines_left(const struct walk *k)
{
	return k->is_last ? 1 : 2 + newlines(k->rest);
}

void shape_lines(struct vy_str text, struct shape_lines *how, struct block_sheet *out)
{
	int limit = how->limit ? how->limit : SHAPE_LINES_MAX;
	int room = how->is_verbatim ? out->grid.cols - how->left : shape_measure(out, how->left);
	struct walk k = { .longest = (size_t)limit * (size_t)out->grid.cols * CELL_BYTES };
	size_t base = out->at;

	while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r')) {
		text.n--;
	}
	how->drawn = 0;
	if (text.n == 0) {
		return;
	}
	k.rest = text;
	k.how = (struct vy_wrap){ .cells = (unsigned)(room > 1 ? room : 1),
		.width = cell_pool_width(out->grid.pool),
		.verbatim = how->is_verbatim };
	while (next_row(&k, out)) {
		bool is_end = k.is_last && k.row.is_last && !k.is_cut;

		if (how->drawn >= limit && !is_end) {
			shape_more(out, how->left, lines_left(&k));
			break;
		}
		put_row(&k, how, out, base);
		how->drawn++;
		if (k.is_cut && k.row.is_last) {
			shape_more(out, how->left, lines_left(&k));
			break;
		}
	}
	out->at = base + text.n + 1;
}

void shape_words(
	struct vy_str text, enum theme_role role, int left, int limit, struct block_sheet *out)
{
	struct shape_lines how = { .style = theme_ink(role), .left = left, .limit = limit };

	shape_lines(text, &how, out);
}

void shape_line(struct vy_str text, struct cell_style s, int left, struct block_sheet *out)
{
	shape_put(block_lines(out, 1, left), 0, text, out->grid.cols - left - 1, s, out);
}

void shape_note(const struct vy_block *b, int left, struct block_sheet *out)
{
	shape_words(b->note, THEME_DIM, left, 2, out);
}

int shape_limit(const struct block_how *how)
{
	return how->is_open ? 0 : SHAPE_FOLDED;
}
