/* edit_kill.c -- what is cut, and how it comes back (edit_core.h). */
#include "tui/view/edit_core.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

static void add_kill(struct edit *e, struct vy_buf *own)
{
	struct edit_kill *k = &e->kills[e->kill_at];

	free(k->p);
	*k = (struct edit_kill){ 0 };
	k->p = vy_buf_take(own, &k->n);
	e->kill_rev++;
}

static void next_kill(struct edit *e)
{
	e->kill_at = (e->kill_at + 1) % EDIT_KILLS;
	e->n_kills += e->n_kills < EDIT_KILLS;
}

static void keep_kill(struct edit *e, struct vy_str text, bool in_front)
{
	struct vy_str newest = vy_str_n(e->kills[e->kill_at].p, e->kills[e->kill_at].n);
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX * 2);

	if (e->last == EDIT_KILLED && newest.n) { /* one kill after another is one cut */
		vy_buf_addstr(&b, in_front ? text : newest);
		vy_buf_addstr(&b, in_front ? newest : text);
	} else {
		next_kill(e);
		vy_buf_addstr(&b, text);
	}
	add_kill(e, &b);
}

void edit_set_reg(struct edit_kill *reg, struct vy_str text, bool is_lines)
{
	char *p = vy_memdup0(text.p, text.n); /* may be of this very one */

	free(reg->p);
	*reg = (struct edit_kill){ .p = p, .n = text.n, .is_lines = is_lines };
}

void edit_keep_cut(struct edit *e, struct vy_str text, bool is_lines, bool is_small)
{
	if (!is_small || e->n_kills == 0 || !e->kills[e->kill_at].is_small) {
		next_kill(e);
	}
	edit_set_reg(&e->kills[e->kill_at], text, is_lines);
	e->kills[e->kill_at].is_small = is_small;
	e->kill_rev++;
	e->last = EDIT_OTHER;
}

static void kill_range(struct edit *e, size_t from, size_t to)
{
	if (from == to) {
		return;
	}
	keep_kill(e, vy_str_n(e->text.data + from, to - from), to == e->at && from != e->at);
	edit_replace(e, from, to - from, vy_str_n(NULL, 0), EDIT_KILLED);
}

/* A chip is more than a few characters. */
static void remove_one(struct edit *e, size_t from, size_t to)
{
	if (edit_chip(e, from)) {
		kill_range(e, from, to);
	} else if (from < to) {
		edit_replace(e, from, to - from, vy_str_n(NULL, 0), EDIT_DELETED);
	}
}

void edit_delete_back(struct edit *e)
{
	remove_one(e, edit_before(e, e->at), e->at);
}

void edit_delete(struct edit *e)
{
	remove_one(e, e->at, edit_behind(e, e->at));
}

void edit_kill_word_back(struct edit *e)
{
	kill_range(e, edit_word_start(e), e->at);
}

void edit_kill_word(struct edit *e)
{
	kill_range(e, e->at, edit_word_end(e));
}

void edit_kill_line(struct edit *e)
{
	size_t to = edit_row_end(e);

	if (to == e->at && to < e->text.len) {
		to++;
	}
	kill_range(e, e->at, to);
}

void edit_kill_start(struct edit *e)
{
	kill_range(e, edit_row_start(e), e->at);
}

bool edit_kill(const struct edit *e, size_t i, struct vy_buf *out)
{
	const struct edit_kill *k = &e->kills[(e->kill_at + EDIT_KILLS - i) % EDIT_KILLS];

	if (i >= e->n_kills || !k->p) {
		return false;
	}
	edit_open(e, vy_str_n(k->p, k->n), out);
	return true;
}

void edit_remember_kill(struct edit *e, struct vy_str text)
{
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX), b = VY_BUF_INIT(EDIT_MAX);

	vy_buf_addstr(&b, edit_clean(text, false, &own));
	next_kill(e);
	add_kill(e, &b);
	e->last = EDIT_OTHER;
}

/* ---- yanking ---- */

static struct vy_str kill_now(const struct edit *e)
{
	return vy_str_n(e->kills[e->kill_at].p, e->kills[e->kill_at].n);
}

void edit_yank(struct edit *e)
{
	struct vy_str s = e->n_kills ? kill_now(e) : vy_str_n(NULL, 0);
	size_t from = e->at;

	if (s.n && edit_replace(e, from, 0, s, EDIT_OTHER)) {
		e->yank_from = from;
		e->yank_to = e->at;
	}
}

void edit_yank_pop(struct edit *e)
{
	size_t from = e->yank_from, n = e->yank_to - e->yank_from;

	if (n == 0 || e->n_kills < 2) {
		return;
	}
	do {
		e->kill_at = (e->kill_at + EDIT_KILLS - 1) % EDIT_KILLS;
	} while (!e->kills[e->kill_at].p);
	if (edit_replace(e, from, n, kill_now(e), EDIT_OTHER)) {
		e->yank_from = from;
		e->yank_to = e->at;
	}
}
