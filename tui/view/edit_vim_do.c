/* edit_vim_do.c -- the commands of normal mode that are no motions, and inserting (edit_vim_core.h). */
#include "tui/view/edit_vim_core.h"

#include "shared/base/ban.h"

/* ---- inserting ---- */

void vim_insert_from(struct vim_run *r, size_t times, bool is_line)
{
	struct edit_vim *v = r->v;

	v->mode = EDIT_VIM_INSERT;
	v->from = r->e->at;
	v->tail = r->e->text.len - r->e->at;
	v->times = times;
	v->is_line = is_line;
	v->is_again = true;
	v->has_moved = false;
}

void vim_write_again(const struct edit_vim *v, struct edit *e, size_t times)
{
	const struct edit_kill *reg = &e->regs[VIM_REG_DOT];
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX);

	for (size_t i = 0; i < times && !vy_buf_is_over(&b); i++) {
		if (v->is_line && (i > 0 || v->is_again)) {
			vy_buf_addc(&b, '\n');
		}
		vy_buf_add(&b, reg->p, reg->n);
	}
	if (b.len && !vy_buf_is_over(&b)) {
		edit_replace(e, e->at, 0, vy_buf_str(&b), EDIT_OTHER);
	}
}

void vim_insert_end(struct edit_vim *v, struct edit *e)
{
	bool is_whole = v->from <= e->at && e->text.len - e->at == v->tail;
	size_t n = is_whole ? e->at - v->from : 0;

	v->mode = EDIT_VIM_NORMAL;
	if (v->has_moved && n) {
		v->again = (struct edit_vim_cmd){ .key = 'i', .reg = '"' };
		v->is_again = true;
	}
	if (v->is_again && (n || !v->has_moved)) {
		edit_set_reg(&e->regs[VIM_REG_DOT],
			vy_str_n(vy_buf_c(&e->text) + (n ? v->from : 0), n), false);
		vim_write_again(v, e, v->times - 1);
	}
	v->times = 1;
	e->group = 0;
	if (vim_line_start(e, e->at) < e->at) {
		edit_go(e, edit_before(e, e->at));
	}
}

static enum vim_done insert_at(struct vim_run *r, size_t at)
{
	edit_go(r->e, at);
	vim_insert_from(r, r->n, false);
	return VIM_INSERTS;
}

static enum vim_done insert(struct vim_run *r)
{
	struct edit *e = r->e;
	size_t line = vim_line_start(e, e->at), at = line;

	switch (r->c->key) {
	case 'a': return insert_at(r, vim_is_end(e, e->at) ? e->at : edit_behind(e, e->at));
	case 'A': return insert_at(r, vim_line_end(e, e->at));
	case 'I':
		while (at < e->text.len && (e->text.data[at] == ' ' || e->text.data[at] == '\t')) {
			at++;
		}
		return insert_at(r, at);
	default: return insert_at(r, e->at);
	}
}

static enum vim_done open_line(struct vim_run *r)
{
	struct edit *e = r->e;
	bool is_below = r->c->key == 'o';
	size_t at = is_below ? vim_line_end(e, e->at) : vim_line_start(e, e->at);

	if (!vim_replace(e, e->at, at, at, VY_STR_LIT("\n"))) {
		return VIM_FAILED;
	}
	edit_go(e, is_below ? at + 1 : at);
	vim_insert_from(r, r->n, true);
	return VIM_INSERTS;
}

/* ---- short for an operator with a motion ---- */

static enum vim_done as(struct vim_run *r, uint32_t op, uint32_t key)
{
	struct edit_vim_cmd c = *r->c;
	struct vim_run longer = *r;
	struct vim_move m;

	c.op = op;
	c.key = key;
	longer.c = &c;
	longer.has_op = true;
	if (!vim_motion(&longer, &m) || !vim_operate(&longer, vim_span_of(&longer, &m))) {
		return VIM_FAILED;
	}
	return op == 'c' ? VIM_INSERTS : op == 'y' ? VIM_MOVED : VIM_CHANGED;
}

static enum vim_done shorthand(struct vim_run *r)
{
	switch (r->c->key) {
	case 'x':
	case KEY_DELETE: return as(r, 'd', 'l');
	case 'X': return as(r, 'd', 'h');
	case 's': return as(r, 'c', 'l');
	case 'S': return as(r, 'c', VIM_LINE);
	case 'D': return as(r, 'd', '$');
	case 'C': return as(r, 'c', '$');
	default: return as(r, 'y', VIM_LINE);
	}
}

/* ---- characters ---- */

static enum vim_done replace_chars(struct vim_run *r)
{
	struct edit *e = r->e;
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX);
	size_t to = e->at, from = e->at;
	bool is_break = r->c->arg[0] == '\n';

	for (size_t i = 0; i < r->n; i++) {
		if (vim_is_end(e, to)) {
			return VIM_FAILED;
		}
		to = edit_behind(e, to);
		if (!is_break || i == 0) {
			vy_buf_add(&b, r->c->arg, r->c->n_arg);
		}
	}
	if (!vim_replace(e, from, from, to, vy_buf_str(&b))) {
		return VIM_FAILED;
	}
	edit_go(e, is_break ? vim_first_word(e, e->at) : edit_before(e, e->at));
	return VIM_CHANGED;
}

static enum vim_done swap_case(struct vim_run *r)
{
	struct edit *e = r->e;
	struct edit_vim_cmd c = *r->c;
	struct vim_run op = *r;
	size_t from = e->at, to = from;

	for (size_t i = 0; i < r->n && !vim_is_end(e, to); i++) {
		to = edit_behind(e, to);
	}
	if (to == from) {
		return VIM_FAILED;
	}
	size_t behind = e->text.len - to;

	c.op = VIM_PAIR('g', '~');
	op.c = &c;
	vim_operate(&op, (struct vim_span){ from, to, false, from });
	edit_go(e, e->text.len - behind);
	return VIM_CHANGED;
}

/* ---- lines ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Adds a line to those that are joined; returns where they meet. */
static size_t join_one(
	const struct edit *e, size_t line, size_t end, bool is_plain, struct vy_buf *out)
{
	const char *p = e->text.data;
	size_t meet = out->len;

	while (!is_plain && line < end && is_blank(p[line])) {
		line++;
	}
	if (!is_plain && line < end && p[line] != ')' && out->len &&
		!is_blank(out->data[out->len - 1])) {
		vy_buf_addc(out, ' ');
	}
	vy_buf_add(out, p + line, end - line);
	return meet;
}

static enum vim_done join(struct vim_run *r)
{
	struct edit *e = r->e;
	VY_AUTO_BUF out = VY_BUF_INIT(EDIT_MAX);
	size_t n = r->n > 1 ? r->n - 1 : 1, meet = 0;
	size_t from = vim_line_start(e, e->at), end = vim_line_end(e, from), line;

	if (end == e->text.len) {
		return VIM_FAILED;
	}
	vy_buf_add(&out, e->text.data + from, end - from);
	for (size_t i = 0; i < n && (line = vim_line_behind(e, end)) != SIZE_MAX; i++) {
		end = vim_line_end(e, line);
		meet = join_one(e, line, end, r->c->key == VIM_PAIR('g', 'J'), &out);
	}
	if (vy_buf_is_over(&out) || !vim_replace(e, e->at, from, end, vy_buf_str(&out))) {
		return VIM_FAILED;
	}
	edit_move_to(e, from + meet);
	return VIM_CHANGED;
}

/* ---- put ---- */

struct edit_kill vim_reg(const struct vim_run *r)
{
	const struct edit *e = r->e;
	char c = r->c->reg;

	if (c >= 'a' && c <= 'z') {
		return e->regs[c - 'a'];
	}
	if (c >= 'A' && c <= 'Z') {
		return e->regs[c - 'A'];
	}
	if (c == '0') {
		return e->regs[VIM_REG_YANK];
	}
	return c != '_' && e->n_kills ? e->kills[e->kill_at] : (struct edit_kill){ 0 };
}

static bool put_lines(struct vim_run *r, struct vy_str one, bool is_before)
{
	struct edit *e = r->e;
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX);
	size_t at = is_before ? vim_line_start(e, e->at) : vim_line_end(e, e->at);

	for (size_t i = 0; i < r->n && !vy_buf_is_over(&b); i++) {
		vy_buf_adds(&b, is_before ? "" : "\n");
		vy_buf_add(&b, one.p, one.n - 1);
		vy_buf_adds(&b, is_before ? "\n" : "");
	}
	if (vy_buf_is_over(&b) || !vim_replace(e, e->at, at, at, vy_buf_str(&b))) {
		return false;
	}
	edit_go(e, vim_first_word(e, is_before ? at : at + 1));
	return true;
}

static bool put_chars(struct vim_run *r, struct vy_str one, bool is_before)
{
	struct edit *e = r->e;
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX);
	size_t at = is_before || vim_is_end(e, e->at) ? e->at : edit_behind(e, e->at);

	for (size_t i = 0; i < r->n && !vy_buf_is_over(&b); i++) {
		vy_buf_addstr(&b, one);
	}
	if (vy_buf_is_over(&b) || !vim_replace(e, e->at, at, at, vy_buf_str(&b))) {
		return false;
	}
	edit_go(e, memchr(one.p, '\n', one.n) ? at : edit_before(e, at + b.len));
	return true;
}

static enum vim_done put(struct vim_run *r)
{
	struct edit_kill reg = vim_reg(r);
	struct vy_str text = vy_str_n(reg.p, reg.n);
	bool is_before = r->c->key == 'P';

	if (!text.n) {
		return VIM_FAILED;
	}
	return (reg.is_lines ? put_lines : put_chars)(r, text, is_before) ? VIM_CHANGED
									  : VIM_FAILED;
}

/* ---- the way back ---- */

static enum vim_done undo(struct vim_run *r)
{
	bool is_undo = r->c->key == 'u';
	size_t i = 0;

	while (i < r->n && (is_undo ? edit_undo_group : edit_redo_group)(r->e)) {
		i++;
	}
	if (!is_undo && i > 0) { /* to where the change was made */
		const struct edit_change *c = r->e->undo;
		unsigned group = c->group;

		while (group && c->next && c->next->group == group) {
			c = c->next;
		}
		edit_move_to(r->e, c->cursor);
	}
	return i ? VIM_MOVED : VIM_FAILED;
}

/* ---- all of them ---- */

enum vim_done vim_command(struct vim_run *r)
{
	switch (r->c->key) {
	case 'i':
	case 'a':
	case 'I':
	case 'A':
	case KEY_INSERT: return insert(r);
	case 'o':
	case 'O': return open_line(r);
	case 'x':
	case KEY_DELETE:
	case 'X':
	case 's':
	case 'S':
	case 'D':
	case 'C':
	case 'Y': return shorthand(r);
	case 'r': return replace_chars(r);
	case '~': return swap_case(r);
	case 'J':
	case VIM_PAIR('g', 'J'): return join(r);
	case 'p':
	case 'P': return put(r);
	case 'u':
	case VIM_REDO: return undo(r);
	default: return VIM_FAILED;
	}
}
