/* picker_draw.c -- how the list of picker.h looks: a title on a line, what is typed, the items in
 * columns, and one line about the chosen one. */
#include <stdio.h>

#include "tui/view/picker_core.h"

#include "tui/ink/theme.h"
#include "tui/view/fuzzy.h"
#include "tui/view/turn.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define MARK_AT  2 /* the digit is two cells before it */
#define LABEL_AT 4
#define BETWEEN  2  /* cells between columns */
#define NARROW   50 /* below it details are left out */

static bool has_line(const struct picker *p)
{
	return !p->is_borrowed;
}

static bool has_preview(const struct picker *p)
{
	for (size_t i = 0; i < p->n; i++) {
		if (p->entries[i].item.preview) {
			return true;
		}
	}
	return false;
}

int picker_rows(struct picker *p, int most)
{
	picker_update(p);
	size_t body = p->n_shown ? p->n_shown : 1;
	int frame = 1 + has_line(p) + has_preview(p);
	int want = body > 1000 ? 1000 : (int)body;

	most = most < 3 ? 3 : most;
	return want + frame < most ? want + frame : most;
}

/* ---- one text with the letters that were found ---- */

/* Where to begin so that the rest fits: for paths, whose end says most. */
static size_t begin_of(struct vy_str text, int cells, struct vy_width width)
{
	size_t at = 0;
	int all = (int)vy_width_cells(text, width);

	while (at < text.n && all > cells - 1) {
		size_t next = vy_cluster_next(text, at);

		all -= (int)vy_width_cluster(vy_str_n(text.p + at, next - at), width);
		at = next;
	}
	return at;
}

/* `base` is what stands in front of text[0] in what the match was made for. */
static int put_found(struct cell_win w, int x, int y, struct vy_str text, int cells, bool keeps_end,
	const struct fuzzy_match *m, size_t base, struct cell_style plain)
{
	struct vy_width width = cell_pool_width(w.grid->pool);
	bool fits = (int)vy_width_cells(text, width) <= cells;
	struct cell_style found = plain;
	size_t at = !fits && keeps_end ? begin_of(text, cells, width) : 0;
	int used = 0, room = fits || keeps_end ? cells : cells - 1;

	found.fg = CELL_ROLE(THEME_ACCENT);
	found.attrs |= CELL_BOLD;
	if (cells <= 0) {
		return 0;
	}
	if (at > 0) {
		used += cell_puts(w, x, y, "…", plain);
	}
	while (at < text.n) {
		size_t end = vy_cluster_next(text, at);
		struct vy_str one = vy_str_n(text.p + at, end - at);
		int wide = (int)vy_width_cells(one, width);

		if (used + wide > room) {
			break;
		}
		bool is_found = m && fuzzy_is_mark(m, base + at, base + end);

		cell_put(w, x + used, y, one, is_found ? found : plain);
		used += wide;
		at = end;
	}
	turn_piece(w, y, x, x + used);
	if (!fits && !keeps_end) {
		used += cell_puts(w, x + used, y, "…", plain);
	}
	return used;
}

/* ---- parts ---- */

static void draw_title(const struct picker *p, struct cell_win w)
{
	char count[64] = "";
	int x = MARK_AT, right = w.w;

	cell_hline(w, 0, 0, w.w, "─", theme_ink(THEME_LINE));
	if (p->title) {
		cell_puts(w, x - 1, 0, " ", theme_ink(THEME_TEXT));
		x += cell_puts(w, x, 0, p->title, theme_bold(THEME_TITLE));
		cell_puts(w, x, 0, " ", theme_ink(THEME_TEXT));
	}
	if (p->n && picker_sought(p).n) {
		snprintf(count, sizeof(count), _(" %zu of %zu "), p->n_shown, p->n);
	} else if (p->n) {
		snprintf(count, sizeof(count), " %zu ", p->n);
	}
	if (x + 12 < right) {
		cell_puts_right(w, w.w - 1, 0, count, theme_ink(THEME_DIM));
	}
}

static void draw_line(struct picker *p, struct cell_win w, struct screen_cursor *cursor)
{
	struct vy_str text = edit_text(&p->filter);
	struct cell_win field =
		cell_win_sub(w, (struct cell_rect){ LABEL_AT, 0, w.w - LABEL_AT - 1, 1 });
	int at = 0;

	cell_puts(w, MARK_AT, 0, "›", theme_ink(THEME_ACCENT));
	if (text.n) {
		at = turn_field(field, text, p->filter.at, theme_ink(THEME_TEXT));
	} else {
		cell_puts(field, 1, 0, _("type to find"), theme_ink(THEME_DIM));
	}
	*cursor = (struct screen_cursor){
		.x = w.x + LABEL_AT + at, .y = w.y, .visible = true, .shape = SCREEN_CURSOR_BAR
	};
}

/* The columns of all lines in sight. */
struct columns {
	int label, detail, aside;
};

static int cells_of(const char *text, struct vy_width width)
{
	return text ? (int)vy_width_cells(vy_str_c(text), width) : 0;
}

static struct columns columns_of(const struct picker *p, int cols, int rows, struct vy_width width)
{
	struct columns c = { 0 };
	int room = cols - LABEL_AT - 1, details = 0, longest = 0;

	for (size_t i = p->top; i < p->n_shown && i < p->top + (size_t)rows; i++) {
		const struct picker_item *it = &p->entries[p->shown[i]].item;
		int label = cells_of(it->label, width), aside = cells_of(it->aside, width);

		c.label = label > c.label ? label : c.label;
		c.aside = aside > c.aside ? aside : c.aside;
		details += it->detail != NULL;
		longest = cells_of(it->detail, width) > longest ? cells_of(it->detail, width)
								: longest;
	}
	c.aside = c.aside > room / 2 ? room / 2 : c.aside;
	room -= c.aside ? c.aside + BETWEEN : 0;
	if (details == 0 || cols < NARROW) {
		c.label = room;
		return c;
	}
	/* The one has what the other does not need. */
	int most = room - BETWEEN - longest > room / 2 ? room - BETWEEN - longest : room / 2;

	c.label = c.label > most ? most : c.label;
	c.detail = room - c.label - BETWEEN;
	return c;
}

static void draw_item(struct picker *p, struct cell_win w, const struct picker_item *it,
	const struct columns *c, bool is_chosen)
{
	struct vy_str sought = picker_sought(p), label = vy_str_c(it->label);
	struct cell_style ink = it->is_off || it->is_done ? theme_ink(THEME_DIM)
				: it->is_here             ? theme_bold(THEME_TEXT)
							  : theme_ink(THEME_TEXT);
	VY_AUTO_BUF both = VY_BUF_INIT(3 * PICKER_TEXT);
	struct fuzzy_match m;
	bool in_label = fuzzy_match(sought, label, &m), in_both = false;

	if (is_chosen) {
		cell_fill(w, (struct cell_rect){ 1, 0, w.w - 2, 1 },
			(struct cell_style){ .bg = CELL_ROLE(THEME_SELECT) });
	}
	if (!in_label && it->detail) {
		vy_buf_addf(&both, "%s %s", it->label ? it->label : "", it->detail);
		in_both = fuzzy_match(sought, vy_buf_str(&both), &m);
	}
	const struct fuzzy_match *found = in_label || in_both ? &m : NULL;

	cell_puts(w, MARK_AT - 2, 0, it->key ? it->key : "", theme_ink(THEME_DIM));
	cell_puts(w, MARK_AT, 0, it->mark ? it->mark : "", theme_ink(it->mark_role));
	put_found(w, LABEL_AT, 0, label, c->label, p->keeps_end, found, 0, ink);
	if (it->detail && c->detail > 0) {
		put_found(w, LABEL_AT + c->label + BETWEEN, 0, vy_str_c(it->detail), c->detail,
			false, in_both ? &m : NULL, label.n + 1, theme_ink(THEME_DIM));
	}
	if (it->aside && c->aside > 0) {
		int wide = cells_of(it->aside, cell_pool_width(w.grid->pool));

		put_found(w, w.w - 2 - (wide < c->aside ? wide : c->aside), 0, vy_str_c(it->aside),
			c->aside, false, NULL, 0, theme_ink(it->aside_role));
	}
}

static void draw_items(struct picker *p, struct cell_win w)
{
	struct vy_width width = cell_pool_width(w.grid->pool);
	size_t rows = w.h > 0 ? (size_t)w.h : 1;

	p->page = (int)rows;
	if (p->sel < p->top) {
		p->top = p->sel;
	} else if (p->sel >= p->top + rows) {
		p->top = p->sel - rows + 1;
	}
	if (p->top + rows > p->n_shown) {
		p->top = p->n_shown > rows ? p->n_shown - rows : 0;
	}
	struct columns c = columns_of(p, w.w, w.h, width);

	for (int y = 0; y < w.h && p->top + (size_t)y < p->n_shown; y++) {
		size_t i = p->top + (size_t)y;

		draw_item(p, cell_win_sub(w, (struct cell_rect){ 0, y, w.w, 1 }),
			&p->entries[p->shown[i]].item, &c, i == p->sel);
	}
}

static void draw_nothing(const struct picker *p, struct cell_win w)
{
	const char *says = p->trouble      ? p->trouble
			   : p->is_waiting ? _("…")
			   : p->n          ? _("nothing is called so")
			   : p->empty      ? p->empty
					   : _("nothing here");

	put_found(w, LABEL_AT, 0, vy_str_c(says), w.w - LABEL_AT - 2, false, NULL, 0,
		theme_ink(p->trouble ? THEME_ERROR : THEME_DIM));
}

void picker_draw(struct picker *p, struct cell_win w, struct screen_cursor *cursor)
{
	int y = 1, bottom = w.h;

	picker_update(p);
	draw_title(p, cell_win_sub(w, (struct cell_rect){ 0, 0, w.w, 1 }));
	if (has_line(p)) {
		draw_line(p, cell_win_sub(w, (struct cell_rect){ 0, y, w.w, 1 }), cursor);
		y++;
	}
	if (has_preview(p) && bottom - y > 1) {
		const struct picker_item *it = picker_chosen(p);

		bottom--;
		put_found(w, LABEL_AT, bottom, vy_str_c(it ? it->preview : NULL),
			w.w - LABEL_AT - 2, false, NULL, 0, theme_ink(THEME_DIM));
	}
	struct cell_win body = cell_win_sub(w, (struct cell_rect){ 0, y, w.w, bottom - y });

	if (p->n_shown) {
		draw_items(p, body);
	} else {
		draw_nothing(p, body);
	}
}
