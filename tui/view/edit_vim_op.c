/* edit_vim_op.c -- what an operator does to a span of the text (edit_vim_core.h). */
#include "tui/view/edit_vim_core.h"

#include "shared/text/utf8.h"
#include "shared/base/ban.h"

bool vim_replace(struct edit *e, size_t cursor, size_t from, size_t to, struct vy_str text)
{
	e->at = cursor;
	return edit_replace(e, from, to - from, text, EDIT_OTHER);
}

/* ---- what it is done to ---- */

static struct vim_span lines_of(const struct edit *e, size_t from, size_t to)
{
	return (struct vim_span){ vim_line_start(e, from), vim_line_end(e, to), true, from };
}

/* A motion that ends at a line's start ends at the end of the line before, and if it began in the
 * indent it is one of lines (":help exclusive-linewise"). */
static struct vim_span exclusive(const struct edit *e, size_t from, size_t to)
{
	if (to > from && vim_line_start(e, to) == to && vim_line_start(e, from) != to) {
		to--;
		if (vim_is_indent(e, from)) {
			return lines_of(e, from, to);
		}
	}
	return (struct vim_span){ from, to, false, from };
}

/* Several lines, and nothing but blanks is left of them: "d" takes the lines. */
static struct vim_span whole_lines(const struct edit *e, struct vim_span s)
{
	size_t i = s.to;

	while (i < e->text.len && (e->text.data[i] == ' ' || e->text.data[i] == '\t')) {
		i++;
	}
	return vim_line_start(e, s.from) != vim_line_start(e, s.to) && vim_is_end(e, i) &&
			       vim_is_indent(e, s.from)
		       ? lines_of(e, s.from, s.to)
		       : s;
}

struct vim_span vim_span_of(const struct vim_run *r, const struct vim_move *m)
{
	const struct edit *e = r->e;
	size_t from = m->from < m->to ? m->from : m->to, to = m->from < m->to ? m->to : m->from;
	bool is_selected = r->is_visual || r->c->key == VIM_AREA;
	struct vim_span s;

	if (r->c->force == 'v' && (m->is_lines || m->is_inclusive)) {
		return (struct vim_span){ from, to, false, from };
	}
	if (r->c->force == 'v' && !vim_is_end(e, to)) {
		return (struct vim_span){ from, edit_behind(e, to), false, from };
	}
	if (m->is_lines || r->c->force == 'V') {
		return lines_of(e, from, to);
	}
	if (m->is_inclusive) {
		bool keeps_end = vim_is_end(e, to) && !is_selected;

		s = (struct vim_span){ from,
			keeps_end || to >= e->text.len ? to : edit_behind(e, to), false, from };
	} else if (m->is_exact) {
		s = (struct vim_span){ from, to, false, from };
	} else {
		s = exclusive(e, from, to);
	}
	return r->c->op == 'd' && !is_selected && !s.is_lines ? whole_lines(e, s) : s;
}

/* ---- registers ---- */

static void set_reg(const struct vim_run *r, size_t i, struct vy_str text, bool is_lines, bool adds)
{
	struct edit_kill *reg = &r->e->regs[i];
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX * 2);

	if (!adds || !reg->p) {
		edit_set_reg(reg, text, is_lines);
		return;
	}
	vy_buf_add(&b, reg->p, reg->n);
	if (is_lines && !reg->is_lines) {
		vy_buf_addc(&b, '\n');
	}
	vy_buf_addstr(&b, text);
	if (reg->is_lines && !is_lines) {
		vy_buf_addc(&b, '\n');
	}
	edit_set_reg(reg, vy_buf_str(&b), is_lines || reg->is_lines);
}

void vim_keep(const struct vim_run *r, struct vim_span s, bool is_yank)
{
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX + 1);
	char reg = r->c->reg;
	bool is_small = !is_yank && !s.is_lines && s.to > s.from &&
			edit_behind(r->e, s.from) == s.to && !edit_chip_at(r->e, s.from, NULL);

	if (reg == '_' || (!s.is_lines && s.to == s.from)) {
		return;
	}
	vy_buf_add(&b, vy_buf_c(&r->e->text) + s.from, s.to - s.from);
	if (s.is_lines) {
		vy_buf_addc(&b, '\n');
	}
	if (reg >= 'a' && reg <= 'z') {
		set_reg(r, (size_t)(reg - 'a'), vy_buf_str(&b), s.is_lines, false);
	} else if (reg >= 'A' && reg <= 'Z') {
		set_reg(r, (size_t)(reg - 'A'), vy_buf_str(&b), s.is_lines, true);
	} else if (is_yank) {
		set_reg(r, VIM_REG_YANK, vy_buf_str(&b), s.is_lines, false);
	}
	edit_keep_cut(r->e, vy_buf_str(&b), s.is_lines, is_small);
}

/* ---- delete, change, yank ---- */

static void delete_lines(struct edit *e, struct vim_span s)
{
	bool is_last = s.to == e->text.len;
	size_t from = is_last && s.from > 0 ? s.from - 1 : s.from, to = is_last ? s.to : s.to + 1;

	vim_replace(e, s.cursor, from, to, vy_str_n(NULL, 0));
	edit_go(e, vim_first_word(e, from < e->text.len ? s.from : e->text.len));
}

static bool delete (struct vim_run *r, struct vim_span s)
{
	if (!s.is_lines && s.from == s.to) {
		return false;
	}
	vim_keep(r, s, false);
	if (s.is_lines) {
		delete_lines(r->e, s);
	} else {
		vim_replace(r->e, s.from, s.from, s.to, vy_str_n(NULL, 0));
	}
	return true;
}

static bool change(struct vim_run *r, struct vim_span s)
{
	vim_keep(r, s, false);
	if (s.to > s.from) {
		vim_replace(r->e, s.cursor, s.from, s.to, vy_str_n(NULL, 0));
	}
	edit_go(r->e, s.from);
	vim_insert_from(r, 1, false);
	return true;
}

static bool yank(struct vim_run *r, struct vim_span s)
{
	vim_keep(r, s, true);
	edit_go(r->e, s.cursor);
	return true;
}

/* ---- shift ---- */

static void add_indent(struct vy_buf *out, size_t cells)
{
	while (cells--) {
		vy_buf_addc(out, ' ');
	}
}

static void shift_line(
	const struct edit *e, size_t line, size_t end, bool is_left, size_t n, struct vy_buf *out)
{
	size_t i = line, cells = 0;

	while (i < end && (e->text.data[i] == ' ' || e->text.data[i] == '\t')) {
		cells += e->text.data[i] == '\t' ? VIM_TAB - cells % VIM_TAB : 1;
		i++;
	}
	if (is_left) {
		cells -= cells < n * VIM_SHIFT ? cells : n * VIM_SHIFT;
	} else if (end > line) {
		cells += n * VIM_SHIFT;
	}
	add_indent(out, cells);
	vy_buf_add(out, e->text.data + i, end - i);
}

static bool shift(struct vim_run *r, struct vim_span s)
{
	struct edit *e = r->e;
	VY_AUTO_BUF out = VY_BUF_INIT(EDIT_MAX);
	size_t end = vim_line_end(e, s.to), n = r->is_visual || r->c->is_area ? r->n : 1;

	s.from = vim_line_start(e, s.from);
	for (size_t line = s.from; line <= end && !vy_buf_is_over(&out);) {
		size_t to = vim_line_end(e, line);

		shift_line(e, line, to, r->c->op == '<', n, &out);
		if (to < end) {
			vy_buf_addc(&out, '\n');
		}
		line = to + 1;
	}
	if (!vy_buf_is_over(&out)) {
		vim_replace(e, s.cursor, s.from, end, vy_buf_str(&out));
	}
	edit_go(e, vim_first_word(e, s.from));
	return true;
}

/* ---- case ---- */

static uint32_t cased(uint32_t cp, uint32_t op)
{
	bool is_lower = vy_cp_upper(cp) != cp;

	if (cp == 0xDF) { /* whose capital nobody writes */
		return cp;
	}
	if (op == VIM_PAIR('g', 'U') || (op == VIM_PAIR('g', '~') && is_lower)) {
		return vy_cp_upper(cp);
	}
	return vy_cp_fold(cp);
}

static bool set_case(struct vim_run *r, struct vim_span s)
{
	struct edit *e = r->e;
	VY_AUTO_BUF out = VY_BUF_INIT(EDIT_MAX);

	for (size_t i = s.from; i < s.to;) {
		size_t chip = edit_chip_at(e, i, NULL), n = chip;
		uint32_t cp;
		char one[4];

		if (chip) {
			vy_buf_add(&out, e->text.data + i, chip);
		} else {
			n = vy_utf8_get(edit_text(e), i, &cp);
			vy_buf_add(&out, one, vy_utf8_put(cased(cp, r->c->op), one));
		}
		i += n;
	}
	vim_replace(e, s.cursor, s.from, s.to, vy_buf_str(&out));
	edit_go(e, s.cursor);
	return true;
}

/* ---- all of them ---- */

bool vim_operate(struct vim_run *r, struct vim_span s)
{
	switch (r->c->op) {
	case 'd': return delete (r, s);
	case 'c': return change(r, s);
	case 'y': return yank(r, s);
	case '<':
	case '>': return shift(r, s);
	default: return set_case(r, s);
	}
}
