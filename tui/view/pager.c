/* pager.c -- see pager.h. */
#include "tui/view/pager.h"

#include <stdio.h>

#include "shared/model/block.h"
#include "shared/text/utf8.h"
#include "shared/vt/vt.h"
#include "tui/ink/theme.h"
#include "tui/view/source.h"
#include "tui/view/turn.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define WIDE 1000 /* columns of the terminal that reads an output: longer lines go on */
#define TAB  8

struct pager_line {
	struct vy_str text; /* safe, tabs as blanks */
	const struct vy_vt_run *runs;
	size_t n_runs;
	int cells;
	enum theme_role role; /* where it has no runs */
};

/* ---- life ---- */

void pager_init(struct pager *p)
{
	*p = (struct pager){ .text = VY_BUF_INIT(SOURCE_MAX) };
	vy_arena_init(&p->arena);
	vy_arena_init(&p->seen);
	find_init(&p->find);
}

void pager_fini(struct pager *p)
{
	vy_arena_fini(&p->arena);
	vy_arena_fini(&p->seen);
	vy_buf_fini(&p->text);
	find_fini(&p->find);
}

bool pager_is_open(const struct pager *p)
{
	return p->lines != NULL;
}

void pager_close(struct pager *p)
{
	pager_fini(p);
	pager_init(p);
}

/* ---- reading ---- */

static struct pager_line *add_lines(struct pager *p, size_t n)
{
	p->lines = vy_arena_calloc(&p->arena, n + 1, sizeof(*p->lines));
	return p->lines;
}

static size_t newlines(struct vy_str s)
{
	size_t n = 0;

	for (const char *nl; s.n && (nl = memchr(s.p, '\n', s.n)); n++) {
		s = vy_str_from(s, (size_t)(nl - s.p) + 1);
	}
	return n;
}

/* Safe for a screen, tabs as the blanks they stand for. */
static struct vy_str shown(struct pager *p, struct vy_str line, struct vy_width width)
{
	VY_AUTO_BUF safe = VY_BUF_INIT(SOURCE_MAX);
	VY_AUTO_BUF out = VY_BUF_INIT(SOURCE_MAX);
	size_t cells = 0;

	vy_utf8_visible(line, VY_UTF8_KEEP_TAB, &safe);
	struct vy_str rest = vy_buf_str(&safe);

	for (const char *tab; rest.n && (tab = memchr(rest.p, '\t', rest.n));) {
		struct vy_str piece = vy_str_n(rest.p, (size_t)(tab - rest.p));

		vy_buf_addstr(&out, piece);
		cells += vy_width_cells(piece, width);
		do {
			vy_buf_addc(&out, ' ');
		} while (++cells % TAB);
		rest = vy_str_from(rest, piece.n + 1);
	}
	vy_buf_addstr(&out, rest);
	return vy_arena_str(&p->arena, vy_buf_str(&out));
}

static enum theme_role role_of(struct vy_str line, bool is_diff)
{
	if (!is_diff || line.n == 0) {
		return THEME_TEXT;
	}
	if (vy_str_starts(line, "@@") || vy_str_starts(line, "---") || vy_str_starts(line, "+++")) {
		return THEME_DIFF_HUNK;
	}
	return line.p[0] == '+' ? THEME_DIFF_ADD : line.p[0] == '-' ? THEME_DIFF_DEL : THEME_TEXT;
}

static void measure(struct pager *p, struct pager_line *l, struct vy_width width)
{
	l->cells = (int)vy_width_cells(l->text, width);
	p->widest = l->cells > p->widest ? l->cells : p->widest;
}

static void read_plain(struct pager *p, bool is_diff, struct vy_width width)
{
	struct vy_str text = vy_buf_str(&p->text);
	struct pager_line *l = add_lines(p, newlines(text) + 1);

	do {
		const char *nl = text.n ? memchr(text.p, '\n', text.n) : NULL;
		size_t n = nl ? (size_t)(nl - text.p) : text.n;

		*l = (struct pager_line){ .text = shown(p, vy_str_n(text.p, n), width),
			.role = role_of(vy_str_n(text.p, n), is_diff) };
		measure(p, l++, width);
		p->n++;
		text = vy_str_from(text, n + (nl != NULL));
	} while (text.n);
}

/* Lines of the emulator from i on that are one line of the output; returns how many. */
static size_t read_line(
	struct pager *p, const struct vy_vt_lines *v, size_t i, struct vy_width width)
{
	struct pager_line *l = &p->lines[p->n++];
	VY_AUTO_BUF text = VY_BUF_INIT(SOURCE_MAX);
	size_t lines = 1, runs = v->lines[i].n, k = 0;

	while (i + lines < v->n && v->lines[i + lines].continues) {
		runs += v->lines[i + lines++].n;
	}
	struct vy_vt_run *all = vy_arena_calloc(&p->arena, runs + 1, sizeof(*all));

	for (size_t y = i; y < i + lines; y++) {
		for (size_t r = 0; r < v->lines[y].n; r++) {
			all[k] = v->lines[y].runs[r];
			all[k].text = shown(p, all[k].text, width);
			vy_buf_addstr(&text, all[k++].text);
		}
	}
	*l = (struct pager_line){ .text = vy_arena_str(&p->arena, vy_buf_str(&text)),
		.runs = all,
		.n_runs = runs,
		.role = THEME_CODE_TEXT };
	measure(p, l, width);
	return lines;
}

static void read_output(struct pager *p, struct vy_str output, struct vy_width width)
{
	struct vy_vt_lines v = vy_vt_plain(output, WIDE, SIZE_MAX, &p->arena);

	add_lines(p, v.n);
	for (size_t i = 0; i < v.n;) {
		i += read_line(p, &v, i, width);
	}
}

void pager_open(struct pager *p, const struct vy_row *row, bool reveal, struct vy_width width)
{
	bool is_tool = row->kind == VY_ROW_TOOL || row->kind == VY_ROW_TASK;
	struct vy_block b = { .kind = VY_BLOCK_TEXT };

	pager_close(p);
	p->title = vy_str_c(reveal ? _("control bytes, by name") : _("the whole row"));
	(reveal ? source_reveal : source_row)(row, &p->text);
	if (is_tool) {
		vy_block_parse(row->tool.result, &p->arena, &b);
	}
	if (is_tool && !reveal) {
		p->title = vy_arena_str(&p->arena,
			vy_str_c(vy_arena_printf(&p->arena, "%.*s  %.*s",
				VY_STR_ARG(row->tool.name), VY_STR_ARG(row->tool.summary))));
	} else if (row->kind == VY_ROW_TERM_COMMAND && !reveal) {
		p->title = vy_arena_str(&p->arena, row->term.command);
	}
	if (!reveal && row->kind == VY_ROW_TERM_COMMAND) {
		read_output(p, row->term.output, width);
	} else if (!reveal && b.kind == VY_BLOCK_TERMINAL) {
		read_output(p, b.terminal.output, width);
	} else {
		read_plain(p, b.kind == VY_BLOCK_DIFF, width);
	}
}

/* ---- moving ---- */

static size_t last_top(const struct pager *p)
{
	return p->n > (size_t)p->rows ? p->n - (size_t)p->rows : 0;
}

void pager_scroll(struct pager *p, int lines)
{
	size_t by = (size_t)(lines < 0 ? -lines : lines), most = last_top(p);

	if (lines < 0) {
		p->top = p->top > by ? p->top - by : 0;
	} else {
		p->top = p->top + by < most ? p->top + by : most;
	}
}

void pager_page(struct pager *p, int pages)
{
	pager_scroll(p, pages * (p->rows > 2 ? p->rows - 1 : 1));
}

void pager_top(struct pager *p)
{
	p->top = 0;
	p->left = 0;
}

void pager_bottom(struct pager *p)
{
	p->top = last_top(p);
}

void pager_sideways(struct pager *p, int direction)
{
	pager_slide(p, direction * (p->cols > 3 ? p->cols / 2 : 1));
}

void pager_slide(struct pager *p, int cells)
{
	int most = p->widest > p->cols ? p->widest - p->cols : 0;

	p->left += cells;
	p->left = p->left > most ? most : p->left;
	p->left = p->left < 0 ? 0 : p->left;
}

/* ---- places in a line ---- */

/* A line's glyphs from the left as they are seen, until the next call for another. */
static size_t seen_of(struct pager *p, size_t line, struct turn_text *t, struct turn_glyph **out)
{
	vy_arena_reset(&p->seen);
	turn_text(t, p->lines[line].text, p->is_straight, &p->seen);
	return t->n ? turn_row(t, 0, t->text.n, &p->seen, out) : 0;
}

/* The column of byte `at`, where it is seen. */
static int column_of(struct pager *p, size_t line, size_t at, struct vy_width width)
{
	struct turn_glyph *g;
	struct turn_text t;
	size_t n = seen_of(p, line, &t, &g);
	int x = 0;

	for (size_t i = 0; i < n && g[i].at != at; i++) {
		x += (int)vy_width_cluster(vy_str_n(t.text.p + g[i].at, g[i].end - g[i].at), width);
	}
	return n ? x : (int)vy_width_cells(vy_str_n(p->lines[line].text.p, at), width);
}

/* ---- searching ---- */

static void count(struct pager *p)
{
	size_t n;

	p->find.total = 0;
	for (size_t i = 0; p->find.query.len && i < p->n; i++) {
		for (size_t at = 0; (at = find_in(&p->find, p->lines[i].text, at, &n)) != FIND_NONE;
			at += n) {
			p->find.total++;
		}
	}
}

static void go_to(struct pager *p, size_t line, size_t at, struct vy_width width)
{
	size_t most = last_top(p);
	int x = column_of(p, line, at, width);

	p->found_line = line;
	p->found_at = at;
	if (line < p->top || line >= p->top + (size_t)p->rows) {
		p->top = line > (size_t)p->rows / 3 ? line - (size_t)p->rows / 3 : 0;
		p->top = p->top < most ? p->top : most;
	}
	if (x < p->left || x >= p->left + p->cols - 4) {
		p->left = x > p->cols / 2 ? x - p->cols / 2 : 0;
	}
}

/* The n-th match, from 1. */
static bool go_to_nth(struct pager *p, size_t nth)
{
	size_t seen = 0, n;

	for (size_t i = 0; i < p->n; i++) {
		for (size_t at = 0; (at = find_in(&p->find, p->lines[i].text, at, &n)) != FIND_NONE;
			at += n) {
			if (++seen == nth) {
				p->found = nth;
				go_to(p, i, at, (struct vy_width){ 0 });
				return true;
			}
		}
	}
	return false;
}

bool pager_find_step(struct pager *p, int direction)
{
	size_t total = p->find.total;

	if (total == 0) {
		return false;
	}
	if (direction > 0) {
		return go_to_nth(p, p->found < total ? p->found + 1 : 1);
	}
	return go_to_nth(p, p->found > 1 ? p->found - 1 : total);
}

void pager_find(struct pager *p, struct vy_str query)
{
	size_t before = 0, n;

	find_for(&p->find, query);
	count(p);
	p->found = 0;
	for (size_t i = 0; p->find.total && i < p->top; i++) {
		for (size_t at = 0; (at = find_in(&p->find, p->lines[i].text, at, &n)) != FIND_NONE;
			at += n) {
			before++;
		}
	}
	if (p->find.total) {
		go_to_nth(p, before < p->find.total ? before + 1 : before);
	}
}

/* ---- drawing ---- */

static void tint_matches(struct pager *p, struct cell_win w, size_t i, int y)
{
	const struct pager_line *l = &p->lines[i];
	struct vy_width width = cell_pool_width(w.grid->pool);
	size_t n;

	for (size_t at = 0; (at = find_in(&p->find, l->text, at, &n)) != FIND_NONE; at += n) {
		bool is_now = p->found && i == p->found_line && at == p->found_at;
		enum theme_role role = is_now ? THEME_MATCH_NOW : THEME_MATCH;
		int x0 = (int)vy_width_cells(vy_str_n(l->text.p, at), width) - p->left;
		int x1 = (int)vy_width_cells(vy_str_n(l->text.p, at + n), width) - p->left;

		cell_tint(w, (struct cell_rect){ x0, y, x1 - x0, 1 }, theme_on(role, role));
	}
}

/* How the byte looks: by its run, by the line. */
static struct cell_style style_at(const struct pager_line *l, size_t at)
{
	bool is_change = l->role == THEME_DIFF_ADD || l->role == THEME_DIFF_DEL;
	size_t k = 0;

	while (k < l->n_runs && at >= l->runs[k].text.n) {
		at -= l->runs[k++].text.n;
	}
	if (k >= l->n_runs) {
		return is_change ? theme_on(l->role, l->role) : theme_ink(l->role);
	}
	return (struct cell_style){ .fg = l->runs[k].fg ? l->runs[k].fg : CELL_ROLE(l->role),
		.bg = l->runs[k].bg,
		.attrs = (uint8_t)(l->runs[k].attrs & CELL_LOOKS) };
}

/* Is the byte in a match? In *is_now: in the one at hand. */
static bool is_match(struct pager *p, size_t i, size_t byte, bool *is_now)
{
	const struct pager_line *l = &p->lines[i];
	size_t n;

	for (size_t at = 0; (at = find_in(&p->find, l->text, at, &n)) != FIND_NONE; at += n) {
		if (byte >= at && byte < at + n) {
			*is_now = p->found && i == p->found_line && at == p->found_at;
			return true;
		}
	}
	return false;
}

/* A line of which some runs from right to left: glyph by glyph. */
static bool draw_turned(struct pager *p, struct cell_win w, size_t i, int y)
{
	struct turn_glyph *g;
	struct turn_text t;
	size_t n = seen_of(p, i, &t, &g);
	int x = -p->left;

	for (size_t k = 0; k < n; k++) {
		bool is_now = false;
		char own[4];
		int cells = cell_put(
			w, x, y, turn_shown(&t, &g[k], own), style_at(&p->lines[i], g[k].at));

		if (p->find.query.len && is_match(p, i, g[k].at, &is_now)) {
			enum theme_role role = is_now ? THEME_MATCH_NOW : THEME_MATCH;

			cell_tint(w, (struct cell_rect){ x, y, cells, 1 }, theme_on(role, role));
		}
		x += cells;
	}
	return n > 0;
}

static void draw_straight(struct pager *p, struct cell_win w, size_t i, int y)
{
	const struct pager_line *l = &p->lines[i];
	int x = -p->left;

	if (!l->runs) {
		bool is_change = l->role == THEME_DIFF_ADD || l->role == THEME_DIFF_DEL;

		cell_put(w, x, y, l->text,
			is_change ? theme_on(l->role, l->role) : theme_ink(l->role));
	}
	for (size_t k = 0; l->runs && k < l->n_runs; k++) {
		const struct vy_vt_run *r = &l->runs[k];
		struct cell_style s = { .fg = r->fg ? r->fg : CELL_ROLE(l->role),
			.bg = r->bg,
			.attrs = (uint8_t)(r->attrs & CELL_LOOKS) };

		x += cell_put(w, x, y, r->text, s);
	}
	tint_matches(p, w, i, y);
}

static void draw_line(struct pager *p, struct cell_win w, size_t i, int y)
{
	const struct pager_line *l = &p->lines[i];

	if (!draw_turned(p, w, i, y)) {
		draw_straight(p, w, i, y);
	}
	if (l->cells - p->left > w.w) {
		cell_puts(w, w.w - 1, y, "…", theme_ink(THEME_DIM));
	}
	if (p->left && l->cells) {
		cell_puts(w, 0, y, "…", theme_ink(THEME_DIM));
	}
}

static void draw_foot(struct pager *p, struct cell_win w)
{
	size_t last = p->top + (size_t)p->rows;
	char where[120];
	struct cell_rect all = { 0, 0, w.w, 1 };

	cell_fill(w, all, (struct cell_style){ .bg = CELL_ROLE(THEME_STATUS) });
	snprintf(where, sizeof(where), _("lines %zu to %zu of %zu"), p->n ? p->top + 1 : 0,
		last < p->n ? last : p->n, p->n);
	int x = cell_puts_right(w, w.w - 1, 0, where, theme_ink(THEME_STATUS));

	if (p->find.query.len) {
		snprintf(where, sizeof(where), _("match %zu of %zu"), p->found, p->find.total);
		x = cell_puts_right(w, x - 3, 0, where, theme_ink(THEME_STATUS));
	}
	VY_AUTO_BUF safe = VY_BUF_INIT(SOURCE_MAX), cut = VY_BUF_INIT(65536);
	struct vy_str title = vy_str_n(p->title.p, vy_utf8_cut(p->title, 4096));

	vy_utf8_visible(title, VY_UTF8_LINE, &safe);
	vy_width_ellipsis(vy_buf_str(&safe), (size_t)(x > 4 ? x - 4 : 1),
		cell_pool_width(w.grid->pool), &cut);
	turn_piece(w, 0, 1, 1 + cell_put(w, 1, 0, vy_buf_str(&cut), theme_bold(THEME_STATUS)));
}

void pager_draw(struct pager *p, struct cell_win w)
{
	struct cell_win page = cell_win_sub(w, (struct cell_rect){ 1, 0, w.w - 1, w.h });

	p->is_straight = cell_pool_is_straight(w.grid->pool);
	p->cols = page.w;
	p->rows = w.h > 1 ? w.h - 1 : 1;
	p->top = p->top < last_top(p) ? p->top : last_top(p);
	for (int y = 0; y < p->rows && p->top + (size_t)y < p->n; y++) {
		draw_line(p, page, p->top + (size_t)y, y);
	}
	draw_foot(p, cell_win_sub(w, (struct cell_rect){ 0, w.h - 1, w.w, 1 }));
}
