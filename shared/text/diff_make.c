/* diff_make.c -- hunks from two texts: vy_diff_make of diff.h.
 *
 * Lines become numbers, myers.c says which changed, groups of changed lines slide to where a reader
 * expects them (a block begins behind a blank line, not with the brace of the one before), and
 * hunks are cut with context around. */
#include "shared/text/diff.h"

#include <string.h>

#include "shared/base/mem.h"
#include "shared/text/myers.h"
#include "shared/base/ban.h"

#define SLIDE_MOST 200 /* lines a group may move */
#define BLANK_MOST 20  /* looked past for the next line with text */

/* One text in lines; a last line without newline differs from one with it. */
struct side {
	struct vy_str *lines; /* without newline */
	uint32_t *ids;
	bool *changed;
	size_t n;
	bool no_newline;
};

static void split(struct vy_str text, struct side *side)
{
	size_t cap = 0;

	*side = (struct side){ 0 };
	side->lines = vy_grow(NULL, &cap, 1, sizeof(*side->lines));
	for (size_t at = 0; at < text.n;) {
		const char *nl = memchr(text.p + at, '\n', text.n - at);
		size_t end = nl ? (size_t)(nl - text.p) : text.n;

		side->lines = vy_grow(side->lines, &cap, side->n + 1, sizeof(*side->lines));
		side->lines[side->n++] = vy_str_n(text.p + at, end - at);
		side->no_newline = nl == NULL;
		at = end + 1;
	}
	side->ids = vy_calloc(side->n, sizeof(*side->ids));
	side->changed =
		vy_calloc(side->n + 1, sizeof(*side->changed)); /* the last one stays false */
}

static void side_fini(struct side *side)
{
	free(side->lines);
	free(side->ids);
	free(side->changed);
}

static void compare(struct side *a, struct side *b)
{
	vy_myers_number(a->lines, a->n, a->ids, b->lines, b->n, b->ids);
	uint32_t fresh = (uint32_t)(a->n + b->n);

	if (a->no_newline !=
		b->no_newline) { /* the last lines are not the same even if they look so */
		if (a->no_newline && a->n) {
			a->ids[a->n - 1] = fresh;
		}
		if (b->no_newline && b->n) {
			b->ids[b->n - 1] = fresh;
		}
	} else if (a->no_newline) {
		bool same = a->ids[a->n - 1] == b->ids[b->n - 1];

		a->ids[a->n - 1] = fresh;
		b->ids[b->n - 1] = fresh + !same;
	}
	struct vy_myers_side ma = { a->ids, a->n, a->changed }, mb = { b->ids, b->n, b->changed };

	vy_myers(&ma, &mb);
}

/* ---- sliding ---- */

static size_t indent_of(struct vy_str line)
{
	size_t cols = 0;

	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] != ' ' && line.p[i] != '\t') {
			return 2 * cols + (memchr("}])", line.p[i], 3) ? 1 : 0);
		}
		cols += line.p[i] == '\t' ? 8 : 1;
	}
	return SIZE_MAX; /* blank */
}

/* How unlikely it is that a reader would see a border before line i: the deeper the line (or the one
 * below blank lines) stands, the less likely; a closing bracket belongs to what is above. */
static size_t unlikely(const struct side *s, size_t i)
{
	for (size_t blank = 0; i < s->n && blank < BLANK_MOST; i++, blank++) {
		size_t indent = indent_of(s->lines[i]);

		if (indent != SIZE_MAX) {
			return indent + (blank ? 0 : 1);
		}
	}
	return 0;
}

/* A group of changed lines [from, to) of one side. */
struct group {
	struct side *s;
	size_t from, to;
};

/* Moves it by one line when the lines are equal that it leaves and takes. */
static bool slide(struct group *g, bool down)
{
	size_t out = down ? g->from : g->to - 1, in = down ? g->to : g->from - 1;

	if (g->s->ids[out] != g->s->ids[in]) {
		return false;
	}
	g->s->changed[out] = false;
	g->s->changed[in] = true;
	g->from += down ? 1 : (size_t)-1;
	g->to += down ? 1 : (size_t)-1;
	return true;
}

/* Tries every place up to so many lines above and below and leaves it at the best. */
static void settle(struct group *g, size_t above, size_t below)
{
	size_t ups = 0, best, best_at = 0, downs = 0;

	while (ups < above && slide(g, false)) {
		ups++;
	}
	best = unlikely(g->s, g->from) + unlikely(g->s, g->to);
	while (downs < ups + below && slide(g, true)) {
		size_t cost = unlikely(g->s, g->from) + unlikely(g->s, g->to);

		downs++;
		if (cost <= best) {
			best = cost;
			best_at = downs;
		}
	}
	for (; downs > best_at; downs--) {
		slide(g, false);
	}
}

/* Common lines at a's x and b's y; one is left between the group and the next. */
static size_t common_below(const struct side *a, size_t x, const struct side *b, size_t y)
{
	size_t n = 0;

	while (n < SLIDE_MOST && x + n < a->n && y + n < b->n && !a->changed[x + n] &&
		!b->changed[y + n]) {
		n++;
	}
	return x + n < a->n && n > 0 ? n - 1 : n;
}

static void settle_all(struct side *a, struct side *b)
{
	size_t x = 0, y = 0, common = 0; /* lines since the group before */

	while (x < a->n || y < b->n) {
		size_t x_end = x, y_end = y;

		while (a->changed[x_end]) {
			x_end++;
		}
		while (b->changed[y_end]) {
			y_end++;
		}
		if (x_end == x && y_end == y) {
			common += common < SLIDE_MOST;
			x++;
			y++;
			continue;
		}
		if ((x_end > x) != (y_end > y)) { /* not a replacement: it may stand elsewhere */
			struct group g = x_end > x ? (struct group){ a, x, x_end }
						   : (struct group){ b, y, y_end };
			size_t to = g.to;

			settle(&g, common, common_below(a, x_end, b, y_end));
			x_end += g.to - to;
			y_end += g.to - to;
		}
		x = x_end;
		y = y_end;
		common = 0;
	}
}

/* ---- hunks ---- */

struct make {
	const struct side *a, *b;
	struct vy_arena *arena;
	struct vy_diff_hunk *hunks;
	size_t n, cap;
	struct vy_diff_file *out;
};

static void put(struct vy_diff_line *line, char kind, const struct side *s, size_t i)
{
	*line = (struct vy_diff_line){
		.kind = kind, .text = s->lines[i], .no_newline = s->no_newline && i + 1 == s->n
	};
}

/* The hunk of the lines [x, x_end) and [y, y_end). */
static void add_hunk(struct make *m, size_t x, size_t x_end, size_t y, size_t y_end)
{
	struct vy_diff_line *lines =
		vy_arena_calloc(m->arena, x_end - x + y_end - y, sizeof(*lines));
	struct vy_diff_hunk h = { .old_start = x + (x_end > x),
		.new_start = y + (y_end > y),
		.old_count = x_end - x,
		.new_count = y_end - y,
		.lines = lines };

	while (x < x_end || y < y_end) {
		if (x < x_end && m->a->changed[x]) {
			put(&lines[h.n++], '-', m->a, x++);
			m->out->removed++;
		} else if (y < y_end && m->b->changed[y]) {
			put(&lines[h.n++], '+', m->b, y++);
			m->out->added++;
		} else {
			put(&lines[h.n++], ' ', m->a, x++);
			y++;
		}
	}
	m->hunks = vy_grow(m->hunks, &m->cap, m->n + 1, sizeof(*m->hunks));
	m->hunks[m->n++] = h;
}

static void cut_hunks(struct make *m, size_t context)
{
	size_t x = 0, y = 0;

	for (;;) {
		while (x < m->a->n && y < m->b->n && !m->a->changed[x] && !m->b->changed[y]) {
			x++;
			y++;
		}
		if (x >= m->a->n && y >= m->b->n) {
			return;
		}
		size_t before = x < context ? x : context;
		size_t x0 = x - before, y0 = y - before, same = 0;

		while ((x < m->a->n || y < m->b->n) && same <= 2 * context) {
			if (m->a->changed[x] || m->b->changed[y]) {
				x += m->a->changed[x];
				y += m->b->changed[y];
				same = 0;
			} else {
				x++;
				y++;
				same++;
			}
		}
		size_t over = same > context ? same - context : 0;

		add_hunk(m, x0, x - over, y0, y - over);
		x -= over;
		y -= over;
	}
}

void vy_diff_make(struct vy_str old_text, struct vy_str new_text, size_t context,
	struct vy_arena *arena, struct vy_diff_file *out)
{
	struct side a, b;
	struct make m = { .a = &a, .b = &b, .arena = arena, .out = out };

	*out = (struct vy_diff_file){ 0 };
	split(old_text, &a);
	split(new_text, &b);
	compare(&a, &b);
	settle_all(&a, &b);
	cut_hunks(&m, context < SIZE_MAX / 4 ? context : SIZE_MAX / 4);
	struct vy_diff_hunk *hunks = vy_arena_calloc(arena, m.n + 1, sizeof(*hunks));

	if (m.n) {
		memcpy(hunks, m.hunks, m.n * sizeof(*hunks));
	}
	out->hunks = hunks;
	out->n = m.n;
	free(m.hunks);
	side_fini(&a);
	side_fini(&b);
}
