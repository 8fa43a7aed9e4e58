/* diff_sides.c -- a change in two columns: what was on the left, what is on the right (diff.h).
 * A removed line stands beside the one that took its place. */
#include "tui/block/diff.h"

#include "shared/base/ban.h"

#define NONE SIZE_MAX

/* One line of both columns: indexes into the hunk, NONE for a blank side. */
struct pair {
	size_t old_i, new_i;
	size_t old_no, new_no;
};

int diff_half(const struct diff_pen *p)
{
	return (p->out->grid.cols - p->left - 1) / 2;
}

static void put_side(struct diff_pen *p, struct cell_win line, int x, int cells,
	const struct diff_line *l, size_t k)
{
	struct cell_win half = cell_win_sub(line, (struct cell_rect){ x, 0, cells, 1 });

	if (l->kind != ' ' && k < l->n_rows) {
		enum theme_role ground = l->kind == '+' ? THEME_DIFF_ADD : THEME_DIFF_DEL;

		cell_fill(half, (struct cell_rect){ 0, 0, cells, 1 }, theme_on(ground, ground));
	}
	diff_put(p, l, k, half);
}

/* Of the two, what is there now is what one copies; the old where nothing came. */
static void say_side(struct diff_pen *p, int half, const struct diff_line *l, size_t k)
{
	int code = p->left + diff_code(p) + (l->kind == '-' ? 0 : half + 1);

	block_says(p->out, code, code + (int)l->rows[k].cells,
		k ? shape_join(&l->rows[k - 1]) : BLOCK_NEW);
}

static void put_pair(struct diff_pen *p, const struct vy_diff_hunk *h, struct pair at)
{
	int half = diff_half(p);
	struct diff_line was = { .kind = ' ' }, is = { .kind = ' ' };

	if (at.old_i != NONE) {
		diff_ready(p, h, at.old_i, at.old_no, half, &was);
	}
	if (at.new_i == at.old_i) { /* context: the same line, colours worked out once */
		is = was;
		is.number = at.new_no;
	} else if (at.new_i != NONE) {
		diff_ready(p, h, at.new_i, at.new_no, half, &is);
	}
	size_t rows = was.n_rows > is.n_rows ? was.n_rows : is.n_rows;

	for (size_t k = 0; k < rows; k++) {
		struct cell_win line = block_lines(p->out, 1, p->left);

		put_side(p, line, 0, half, &was, k);
		put_side(p, line, half + 1, half, &is, k);
		say_side(p, half, k < is.n_rows ? &is : &was, k);
	}
}

static size_t count(const struct vy_diff_hunk *h, size_t from, char kind)
{
	size_t n = 0;

	while (from + n < h->n && h->lines[from + n].kind == kind) {
		n++;
	}
	return n;
}

/* Pairs of the run that begins at i: a line of context, or what went beside what came. Returns the
 * lines it has. */
static size_t put_run(struct diff_pen *p, const struct vy_diff_hunk *h, size_t i, struct pair at)
{
	size_t went = count(h, i, '-'), came = count(h, i + went, '+');

	if (went + came == 0) {
		at.old_i = at.new_i = i;
		put_pair(p, h, at);
		return 1;
	}
	for (size_t k = 0; k < went || k < came; k++) {
		if (diff_is_full(p)) {
			p->skipped += (k < went ? went - k : 0) + (k < came ? came - k : 0);
			break;
		}
		at.old_i = k < went ? i + k : NONE;
		at.new_i = k < came ? i + went + k : NONE;
		put_pair(p, h, at);
		at.old_no++;
		at.new_no++;
	}
	return went + came;
}

void diff_hunk_sides(struct diff_pen *p, const struct vy_diff_hunk *h)
{
	struct pair at = { .old_no = h->old_start, .new_no = h->new_start };

	for (size_t i = 0; i < h->n;) {
		if (diff_is_full(p)) {
			p->skipped += h->n - i;
			return;
		}
		size_t n = put_run(p, h, i, at);

		for (size_t k = i; k < i + n; k++) {
			at.old_no += h->lines[k].kind != '+';
			at.new_no += h->lines[k].kind != '-';
			p->out->at += h->lines[k].text.n + 1;
		}
		i += n;
	}
}
