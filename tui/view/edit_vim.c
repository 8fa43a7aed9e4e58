/* edit_vim.c -- see edit_vim.h: keys are gathered to a command, a command is carried out.
 *
 * Nothing is done while a command is typed, so Esc has nothing to take back; "." carries the last
 * one that changed the text out again, with what was written in it. */
#include "tui/view/edit_vim.h"

#include "shared/text/utf8.h"
#include "tui/view/edit_vim_core.h"
#include "shared/base/ban.h"

#define COUNT_MAX 99999

enum { WAIT_NONE, WAIT_REG, WAIT_PAIR, WAIT_ARG };

void edit_vim_init(struct edit_vim *v)
{
	*v = (struct edit_vim){ .goal = SIZE_MAX, .times = 1, .cmd = { .reg = '"' } };
}

static void forget_typed(struct edit_vim *v)
{
	v->cmd = (struct edit_vim_cmd){ .reg = '"' };
	v->wait = WAIT_NONE;
	v->typed[0] = '\0';
}

static bool is_visual(const struct edit_vim *v)
{
	return v->mode == EDIT_VIM_VISUAL || v->mode == EDIT_VIM_LINES;
}

bool edit_vim_is_busy(const struct edit_vim *v)
{
	return v->typed[0] || is_visual(v);
}

bool edit_vim_selected(const struct edit_vim *v, const struct edit *e, size_t *from, size_t *to)
{
	size_t anchor = v->anchor <= e->text.len ? v->anchor : e->text.len;

	if (!is_visual(v)) {
		return false;
	}
	*from = anchor < e->at ? anchor : e->at;
	*to = anchor < e->at ? e->at : anchor;
	if (v->mode == EDIT_VIM_LINES) {
		*from = vim_line_start(e, *from);
		*to = vim_line_end(e, *to);
	} else {
		*to = edit_behind(e, *to);
	}
	return true;
}

/* ---- after a key ---- */

/* In normal mode the cursor stands on a character, not behind the last. */
static void stand(const struct edit_vim *v, struct edit *e)
{
	if (v->mode == EDIT_VIM_NORMAL && vim_is_end(e, e->at)) {
		size_t to = vim_last(e, e->at);

		if (to != e->at) {
			edit_go(e, to);
		}
	}
}

/* Moved while inserting, or changed from elsewhere: another insert begins here, and "." does what was
 * written before until something is written. */
static void insert_anew(struct edit_vim *v, struct edit *e)
{
	size_t end = e->text.len >= v->tail ? e->text.len - v->tail : 0;

	if (v->rev == e->rev && v->is_again && !v->has_moved && v->from <= end) {
		edit_set_reg(&e->regs[VIM_REG_DOT],
			vy_str_n(vy_buf_c(&e->text) + v->from, end - v->from), false);
	}
	v->has_moved = true;
	v->from = e->at;
	v->tail = e->text.len - e->at;
	v->times = 1;
	v->is_line = false;
	e->group = ++e->n_groups;
}

void edit_vim_settle(struct edit_vim *v, struct edit *e)
{
	bool is_whole = v->from <= e->at && e->text.len - e->at == v->tail;

	if (v->mode == EDIT_VIM_INSERT && !is_whole) {
		insert_anew(v, e);
	}
	if (is_visual(v) && (v->anchor > e->text.len || v->rev != e->rev)) {
		v->mode = EDIT_VIM_NORMAL;
	}
	v->rev = e->rev;
	v->goal = SIZE_MAX;
	v->at_ends = false;
	stand(v, e);
}

void edit_vim_restart(struct edit_vim *v, struct edit *e)
{
	forget_typed(v);
	v->mode = EDIT_VIM_INSERT;
	v->from = e->at;
	v->tail = e->text.len - e->at;
	v->times = 1;
	v->is_again = v->is_line = v->has_moved = false;
	v->rev = e->rev;
	e->group = ++e->n_groups;
}

/* ---- carrying out ---- */

static struct vim_run run_of(struct edit_vim *v, struct edit *e, const struct edit_vim_cmd *c)
{
	size_t a = c->op_count ? c->op_count : 1, b = c->count ? c->count : 1;

	return (struct vim_run){ .v = v,
		.e = e,
		.c = c,
		.n = a * b < COUNT_MAX ? a * b : COUNT_MAX,
		.has_n = c->op_count || c->count,
		.has_op = c->op != 0,
		.is_visual = is_visual(v) };
}

static enum vim_done move_cursor(struct vim_run *r, const struct vim_move *m)
{
	struct edit_vim *v = r->v;
	size_t goal = v->goal;
	bool is_area = m->is_object && r->is_visual && (m->is_lines || m->to > m->from);

	edit_go(r->e, is_area && !m->is_lines ? edit_before(r->e, m->to) : m->to);
	if (is_area) { /* an object says what it selects: characters, or lines */
		v->anchor = m->from;
		v->mode = m->is_lines ? EDIT_VIM_LINES : EDIT_VIM_VISUAL;
	}
	v->goal = goal;
	return VIM_MOVED;
}

static enum vim_done normal(struct vim_run *r)
{
	struct vim_move m;

	if (!r->has_op) {
		return vim_motion(r, &m) ? move_cursor(r, &m) : vim_command(r);
	}
	if (!vim_motion(r, &m) || !vim_operate(r, vim_span_of(r, &m))) {
		return VIM_FAILED;
	}
	return r->c->op == 'y' ? VIM_MOVED : r->c->op == 'c' ? VIM_INSERTS : VIM_CHANGED;
}

/* ---- visual ---- */

static enum vim_done visual(struct vim_run *r, struct edit_vim_cmd *done)
{
	struct edit_vim *v = r->v;
	uint32_t key = r->c->key;
	size_t at = r->e->at;
	struct vim_move m;

	if (key == 'v' || key == 'V') {
		enum edit_vim_mode want = key == 'v' ? EDIT_VIM_VISUAL : EDIT_VIM_LINES;

		v->mode = v->mode == want ? EDIT_VIM_NORMAL : want;
		return VIM_MOVED;
	}
	if (key == 'o') {
		edit_go(r->e, v->anchor);
		v->anchor = at;
		return VIM_MOVED;
	}
	return vim_motion(r, &m) ? move_cursor(r, &m) : vim_visual(r, done);
}

/* ---- one command ---- */

static enum vim_done carry_out(struct edit_vim *v, struct edit *e, const struct edit_vim_cmd *c)
{
	struct vim_run r = run_of(v, e, c);
	struct edit_vim_cmd done = *c;
	enum vim_done did;

	v->reg = c->reg;
	e->group = ++e->n_groups;
	did = r.is_visual ? visual(&r, &done) : normal(&r);
	if (did != VIM_INSERTS) {
		e->group = 0;
	}
	if (c->op || (c->key != 'j' && c->key != 'k' && c->key != '$')) {
		v->goal = SIZE_MAX;
		v->at_ends = false;
	}
	if (did == VIM_CHANGED || did == VIM_INSERTS) {
		v->again = done;
	}
	return did;
}

static enum vim_done again(struct edit_vim *v, struct edit *e, size_t count)
{
	struct edit_vim_cmd c = v->again;
	enum vim_done did;

	if (!c.key) {
		return VIM_FAILED;
	}
	if (count) {
		c.op_count = 0;
		c.count = count;
	}
	did = carry_out(v, e, &c);
	if (did == VIM_INSERTS) {
		v->is_again = false; /* the register is what it was */
		vim_write_again(v, e, v->times);
		vim_insert_end(v, e);
	}
	return did;
}

/* ---- gathering ---- */

static bool is_operator(uint32_t key)
{
	return key == 'd' || key == 'c' || key == 'y' || key == '<' || key == '>' ||
	       key == VIM_PAIR('g', '~') || key == VIM_PAIR('g', 'u') || key == VIM_PAIR('g', 'U');
}

/* "dd", "g~~", "g~g~". */
static bool is_same(uint32_t op, uint32_t key)
{
	return key == op || (op >> 21 && key == (op & ((1u << 21) - 1)));
}

static bool add_digit(struct edit_vim *v, uint32_t key)
{
	if (key < '0' || key > '9' || (key == '0' && v->cmd.count == 0)) {
		return false;
	}
	v->cmd.count = v->cmd.count * 10 + (key - '0');
	v->cmd.count = v->cmd.count < COUNT_MAX ? v->cmd.count : COUNT_MAX;
	return true;
}

/* A key that is whole; true: so is the command. */
static bool add_whole(struct edit_vim *v, uint32_t key)
{
	struct edit_vim_cmd *c = &v->cmd;

	if (c->op && is_same(c->op, key)) {
		c->key = VIM_LINE;
	} else if (!c->op && !is_visual(v) && is_operator(key)) {
		c->op = key;
		c->op_count = c->count;
		c->count = 0;
		return false;
	} else {
		c->key = key;
	}
	return true;
}

static bool add_key(struct edit_vim *v, uint32_t key, struct vy_str text)
{
	struct edit_vim_cmd *c = &v->cmd;
	int wait = v->wait;

	v->wait = WAIT_NONE;
	switch (wait) {
	case WAIT_REG: c->reg = key < 0x80 ? (char)key : '"'; return false;
	case WAIT_PAIR: return add_whole(v, VIM_PAIR(v->first, key));
	case WAIT_ARG:
		c->n_arg = text.n < sizeof(c->arg) ? text.n : 0;
		c->key = c->n_arg ? c->key : 0; /* an arrow is nothing to be found or put */
		if (c->n_arg) {
			memcpy(c->arg, text.p, c->n_arg);
		}
		return true;
	default: break;
	}
	if (add_digit(v, key)) {
		return false;
	}
	if (key == '"') {
		v->wait = WAIT_REG;
		return false;
	}
	if (key == 'g' || ((key == 'i' || key == 'a') && (c->op || is_visual(v)))) {
		v->wait = WAIT_PAIR;
		v->first = key;
		return false;
	}
	if (c->op &&
		(key == 'v' || key == 'V')) { /* as characters, as lines, whatever the motion */
		c->force = (char)key;
		return false;
	}
	if (key && strchr("fFtT", (int)(key & 0x7f)) && key < 0x80) {
		c->key = key;
		v->wait = WAIT_ARG;
		return false;
	}
	if (key == 'r' && !c->op) {
		c->key = key;
		v->wait = WAIT_ARG;
		return false;
	}
	return add_whole(v, key);
}

static void show_typed(struct edit_vim *v, struct vy_str text)
{
	size_t n = strlen(v->typed);

	if (text.n && n + text.n < sizeof(v->typed)) {
		memcpy(v->typed + n, text.p, text.n);
		v->typed[n + text.n] = '\0';
	}
}

/* ---- keys ---- */

/* The key as a command knows it; 0: not one of ours, whatever mode. */
static uint32_t key_of(const struct edit_vim *v, struct key k, struct vy_str *text)
{
	uint32_t cp = 0;

	if (key_eq(k, (struct key){ 'r', KEY_CTRL })) {
		return VIM_REDO;
	}
	if (v->wait == WAIT_ARG && k.code == KEY_ENTER && !k.mods) {
		*text = VY_STR_LIT("\n");
		return '\n';
	}
	if (k.mods & ~KEY_SHIFT) {
		return 0;
	}
	switch (k.code) {
	case KEY_LEFT: return 'h';
	case KEY_RIGHT: return 'l';
	case KEY_HOME: return '0';
	case KEY_END: return '$';
	case KEY_UP: return v->cmd.op || is_visual(v) ? 'k' : 0;
	case KEY_DOWN: return v->cmd.op || is_visual(v) ? 'j' : 0;
	case KEY_BACKSPACE:
	case KEY_DELETE:
	case KEY_INSERT: return k.code;
	default: break;
	}
	if (text->n) {
		vy_utf8_get(*text, 0, &cp);
	}
	return cp >= ' ' ? cp : 0;
}

static enum edit_vim_did on_esc(struct edit_vim *v, struct edit *e)
{
	if (v->mode == EDIT_VIM_INSERT) {
		vim_insert_end(v, e);
		v->goal = SIZE_MAX;
		v->at_ends = false;
	} else if (v->typed[0]) {
		forget_typed(v);
	} else if (is_visual(v)) {
		v->mode = EDIT_VIM_NORMAL;
	} else {
		return EDIT_VIM_NOT_MINE;
	}
	stand(v, e);
	v->rev = e->rev;
	return EDIT_VIM_DONE;
}

static bool starts_visual(struct edit_vim *v, const struct edit *e)
{
	if (is_visual(v) || v->cmd.op || (v->cmd.key != 'v' && v->cmd.key != 'V')) {
		return false;
	}
	v->mode = v->cmd.key == 'v' ? EDIT_VIM_VISUAL : EDIT_VIM_LINES;
	v->anchor = e->at;
	return true;
}

/* "j" in the last line: what the down key does there. */
static enum edit_vim_did beyond(const struct edit_vim *v, const struct edit_vim_cmd *c)
{
	if (v->mode != EDIT_VIM_NORMAL || c->op) {
		return EDIT_VIM_DONE;
	}
	switch (c->key) {
	case 'k':
	case VIM_PAIR('g', 'k'): return EDIT_VIM_UP;
	case 'j':
	case VIM_PAIR('g', 'j'): return EDIT_VIM_DOWN;
	default: return EDIT_VIM_DONE;
	}
}

enum edit_vim_did edit_vim_key(struct edit_vim *v, struct edit *e, struct key k, struct vy_str text)
{
	struct edit_vim_cmd c;
	enum vim_done did;
	uint32_t key;

	if ((k.code == KEY_ESC && !k.mods) || key_eq(k, (struct key){ '[', KEY_CTRL })) {
		return on_esc(v, e);
	}
	if (v->mode == EDIT_VIM_INSERT) {
		return EDIT_VIM_NOT_MINE;
	}
	if (v->rev != e->rev) {
		edit_vim_settle(v, e);
	}
	key = key_of(v, k, &text);
	if (!key) { /* enter is no answer to a command half typed, or to a selection: it would send */
		bool is_mine = text.n || v->typed[0] || (k.code == KEY_ENTER && is_visual(v));

		forget_typed(v);
		return is_mine ? EDIT_VIM_DONE : EDIT_VIM_NOT_MINE;
	}
	show_typed(v, text);
	if (!add_key(v, key, text)) {
		return EDIT_VIM_DONE;
	}
	c = v->cmd;
	if (starts_visual(v, e)) {
		forget_typed(v);
		return EDIT_VIM_DONE;
	}
	forget_typed(v);
	did = c.key == '.' && !c.op ? again(v, e, c.count) : carry_out(v, e, &c);
	v->rev = e->rev;
	stand(v, e);
	return did == VIM_FAILED ? beyond(v, &c) : EDIT_VIM_DONE;
}
