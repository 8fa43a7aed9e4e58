/* edit_vim_visual.c -- what is done to a selection (edit_vim_core.h). */
#include "tui/view/edit_vim_core.h"

#include "shared/base/ban.h"

static size_t clusters(const struct edit *e, size_t from, size_t to)
{
	size_t n = 0;

	while (from < to) {
		from = edit_behind(e, from);
		n++;
	}
	return n;
}

/* How much it was, for ".". */
static void note_area(const struct edit *e, struct vim_span s, struct edit_vim_cmd *c)
{
	size_t line = vim_line_start(e, s.from), last = s.to > s.from ? edit_before(e, s.to) : s.to;
	size_t last_line = vim_line_start(e, last);

	c->key = VIM_AREA;
	c->is_area = true;
	c->is_lines = s.is_lines;
	c->area_rows = 0;
	while (line != last_line) {
		line = vim_line_behind(e, line);
		c->area_rows++;
	}
	c->area_chars = s.is_lines ? 1 : clusters(e, c->area_rows ? last_line : s.from, s.to);
}

/* The operator a key is there; `lines`: it takes whole lines. 0: none. */
static uint32_t operator_of(uint32_t key, bool *lines)
{
	static const struct {
		uint32_t key, op;
		bool lines;
	} ops[] = { { 'd', 'd', false }, { 'x', 'd', false }, { KEY_DELETE, 'd', false },
		{ 'D', 'd', true }, { 'X', 'd', true }, { 'c', 'c', false }, { 's', 'c', false },
		{ 'C', 'c', true }, { 'S', 'c', true }, { 'R', 'c', true }, { 'y', 'y', false },
		{ 'Y', 'y', true }, { '<', '<', true }, { '>', '>', true },
		{ 'u', VIM_PAIR('g', 'u'), false }, { 'U', VIM_PAIR('g', 'U'), false },
		{ '~', VIM_PAIR('g', '~'), false },
		{ VIM_PAIR('g', 'u'), VIM_PAIR('g', 'u'), false },
		{ VIM_PAIR('g', 'U'), VIM_PAIR('g', 'U'), false },
		{ VIM_PAIR('g', '~'), VIM_PAIR('g', '~'), false } };

	for (size_t i = 0; i < VY_COUNT(ops); i++) {
		if (ops[i].key == key) {
			*lines |= ops[i].lines;
			return ops[i].op;
		}
	}
	return 0;
}

static struct vim_span span_selected(const struct vim_run *r, bool is_lines)
{
	struct vim_span s = { 0 };

	edit_vim_selected(r->v, r->e, &s.from, &s.to);
	s.is_lines = is_lines;
	size_t anchor =
		r->v->mode == EDIT_VIM_LINES ? vim_line_start(r->e, r->v->anchor) : r->v->anchor;

	s.cursor = anchor < r->e->at ? anchor : r->e->at;
	if (is_lines) {
		size_t last = s.to > s.from && r->v->mode != EDIT_VIM_LINES
				      ? edit_before(r->e, s.to)
				      : s.to;

		s.from = vim_line_start(r->e, s.from);
		s.to = vim_line_end(r->e, last);
	}
	return s;
}

/* p: the register takes the place of what is selected, which is cut. Lines among characters stand
 * alone, and so do characters among lines. */
static enum vim_done put_over(struct vim_run *r, struct vim_span s)
{
	struct edit_kill reg = vim_reg(r);
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX);
	struct edit_vim_cmd cut = { .op = 'd', .key = VIM_AREA, .reg = '"' };
	struct vim_run keep = *r;
	bool is_alone = reg.is_lines || s.is_lines;

	if (reg.is_lines && !s.is_lines) {
		vy_buf_addc(&b, '\n');
	}
	for (size_t i = 0; i < r->n; i++) {
		vy_buf_add(&b, reg.p, reg.n);
		if (s.is_lines && !reg.is_lines) {
			vy_buf_addc(&b, '\n');
		}
	}
	if (s.is_lines && b.len) {
		vy_buf_truncate(&b, b.len - 1);
	}
	bool has_break = b.len && memchr(b.data, '\n', b.len);

	keep.c = &cut;
	vim_keep(&keep, s, false);
	if (vy_buf_is_over(&b) || !vim_replace(r->e, s.from, s.from, s.to, vy_buf_str(&b))) {
		return VIM_FAILED;
	}
	if (is_alone) {
		edit_go(r->e, vim_first_word(r->e, s.is_lines ? s.from : s.from + 1));
	} else {
		edit_go(r->e, has_break || !b.len ? s.from : edit_before(r->e, s.from + b.len));
	}
	return VIM_CHANGED;
}

enum vim_done vim_visual(struct vim_run *r, struct edit_vim_cmd *done)
{
	struct edit_vim *v = r->v;
	struct edit *e = r->e;
	bool lines = v->mode == EDIT_VIM_LINES;
	uint32_t op = operator_of(r->c->key, &lines);
	struct vim_span s = span_selected(r, lines);
	struct edit_vim_cmd c = *r->c;
	enum vim_done did = VIM_CHANGED;
	struct vim_run now = *r;

	now.c = &c;
	if (op) {
		c.op = op;
		note_area(e, s, &c);
		*done = c;
		did = op == 'y' ? VIM_MOVED : op == 'c' ? VIM_INSERTS : VIM_CHANGED;
		edit_go(e, s.is_lines && op == '>' ? e->at : s.from);
		vim_operate(&now, s);
	} else if (c.key == 'p' || c.key == 'P') {
		did = put_over(r, s);
	} else if (c.key == 'J' || c.key == VIM_PAIR('g', 'J')) {
		note_area(e, span_selected(r, true), &c);
		edit_go(e, s.from);
		now.n = c.area_rows + 1;
		c = *r->c;
		did = vim_command(&now);
	} else if (c.key == 'I' || c.key == 'A') { /* at the start of the lines, or their end */
		edit_go(e, c.key == 'I' ? vim_line_start(e, s.from)
					: vim_line_end(e, span_selected(r, true).to));
		vim_insert_from(&now, r->n, false);
		did = VIM_INSERTS;
	} else if (c.key == 'r') {
		did = VIM_CHANGED;
		VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX);

		for (size_t i = s.from; i < s.to; i = edit_behind(e, i)) {
			bool is_end = vim_is_end(e, i);

			vy_buf_add(&b, is_end ? "\n" : c.arg, is_end ? 1 : c.n_arg);
		}
		vim_replace(e, s.from, s.from, s.to, vy_buf_str(&b));
		edit_go(e, s.from);
	} else {
		return VIM_FAILED;
	}
	if (v->mode != EDIT_VIM_INSERT) {
		v->mode = EDIT_VIM_NORMAL;
	}
	return did;
}
