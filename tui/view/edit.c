/* edit.c -- see edit.h: the text, its one change, the way back.
 *
 * There is one way to change the text, edit_replace(): it notes what was there, so undo is the same
 * call turned round. A chip's mark is U+FFFC followed by a private character that carries its
 * number; both count as one cluster here. */
#include "tui/view/edit.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/width.h"
#include "tui/view/edit_core.h"
#include "shared/base/ban.h"

#define RUN_TYPED   200 /* bytes that are one step of undo */
#define RUN_DELETED 64

void edit_init(struct edit *e)
{
	*e = (struct edit){ .goal = SIZE_MAX };
	vy_buf_init(&e->text, EDIT_MAX);
}

static void free_changes(struct edit_change **list)
{
	while (*list) {
		struct edit_change *c = *list;

		*list = c->next;
		free(c->removed);
		free(c->added);
		free(c);
	}
}

void edit_fini(struct edit *e)
{
	vy_buf_fini(&e->text);
	free_changes(&e->undo);
	free_changes(&e->redo);
	for (size_t i = 0; i < EDIT_KILLS; i++) {
		free(e->kills[i].p);
	}
	for (size_t i = 0; i < EDIT_REGS; i++) {
		free(e->regs[i].p);
	}
	edit_chips_fini(e);
	edit_init(e);
}

/* ---- the text ---- */

bool edit_is_empty(const struct edit *e)
{
	return e->text.len == 0;
}

struct vy_str edit_text(const struct edit *e)
{
	return vy_str_n(vy_buf_c(&e->text), e->text.len);
}

bool edit_is_full(const struct edit *e)
{
	return vy_buf_is_over(&e->text);
}

struct vy_str edit_clean(struct vy_str text, bool is_chip, struct vy_buf *own)
{
	if (text.n == 0 || (!memchr(text.p, '\0', text.n) &&
				   (is_chip || !memmem(text.p, text.n, "\xEF\xBF\xBC", 3)))) {
		return text;
	}
	for (size_t i = 0; i < text.n; i++) {
		if (!is_chip && i + 3 <= text.n && memcmp(text.p + i, "\xEF\xBF\xBC", 3) == 0) {
			vy_buf_adds(own, "\xEF\xBF\xBD");
			i += 2;
		} else if (text.p[i] != '\0') {
			vy_buf_addc(own, text.p[i]);
		}
	}
	return vy_buf_str(own);
}

/* ---- the one change ---- */

static void put(struct edit *e, size_t at, size_t n_old, const char *text, size_t n)
{
	struct vy_buf *b = &e->text;

	vy_assert(n <= n_old || vy_buf_reserve(b, n - n_old)); /* the caller has looked */
	memmove(b->data + at + n, b->data + at + n_old, b->len - at - n_old);
	if (n) {
		memcpy(b->data + at, text, n);
	}
	b->len = b->len - n_old + n;
	b->data[b->len] = '\0';
	e->rev++;
	e->goal = SIZE_MAX;
	e->yank_from = e->yank_to = 0;
	if (e->n_chips) {
		edit_renumber(e);
	}
}

/* What was put in, or taken out, may have made one cluster of two. */
static void stand_at(struct edit *e, size_t at)
{
	while (!edit_is_border(e, at)) {
		at++;
	}
	e->at = at;
}

static size_t bytes_of(const struct edit_change *c)
{
	return sizeof(*c) + c->n_removed + c->n_added;
}

static void forget_oldest(struct edit *e)
{
	struct edit_change **p = &e->undo;

	while (*p && (*p)->next) {
		p = &(*p)->next;
	}
	e->undo_bytes -= bytes_of(*p);
	free_changes(p);
	e->n_undo--;
}

void edit_forget(struct edit *e)
{
	free_changes(&e->undo);
	free_changes(&e->redo);
	e->n_undo = e->undo_bytes = 0;
	e->last = EDIT_OTHER;
}

/* Typing goes on where the last typing ended, deleting where the last deleting did: one step. */
static bool joins(const struct edit *e, unsigned kind, size_t at, size_t n_old)
{
	const struct edit_change *c = e->undo;

	if (!c || e->last != kind || c->group != e->group) {
		return false;
	}
	if (kind == EDIT_TYPED) {
		return n_old == 0 && c->n_removed == 0 && at == c->at + c->n_added &&
		       c->n_added < RUN_TYPED;
	}
	return kind == EDIT_DELETED && c->n_added == 0 && c->n_removed < RUN_DELETED &&
	       (at == c->at || at + n_old == c->at);
}

static void join(struct edit *e, size_t at, size_t n_old, struct vy_str text)
{
	struct edit_change *c = e->undo;

	c->added = vy_realloc(c->added, c->n_added + text.n + 1);
	if (text.n) {
		memcpy(c->added + c->n_added, text.p, text.n);
	}
	c->n_added += text.n;
	c->removed = vy_realloc(c->removed, c->n_removed + n_old + 1);
	if (n_old && at < c->at) { /* backwards: it stood before the rest */
		memmove(c->removed + n_old, c->removed, c->n_removed);
		memcpy(c->removed, e->text.data + at, n_old);
		c->at = at;
	} else if (n_old) {
		memcpy(c->removed + c->n_removed, e->text.data + at, n_old);
	}
	c->n_removed += n_old;
	e->undo_bytes += text.n + n_old;
}

static void note(struct edit *e, size_t at, size_t n_old, struct vy_str text)
{
	struct edit_change *c = VY_NEW(struct edit_change);

	c->at = at;
	c->cursor = e->at;
	c->group = e->group;
	c->removed = vy_memdup0(vy_buf_c(&e->text) + at, n_old);
	c->n_removed = n_old;
	c->added = vy_memdup0(text.p, text.n);
	c->n_added = text.n;
	c->next = e->undo;
	e->undo = c;
	e->n_undo++;
	e->undo_bytes += bytes_of(c);
}

/* Chips count with what they hold. The sum of all that were ever there is a cheap upper bound. */
static bool fits(const struct edit *e, size_t n_old, struct vy_str text)
{
	if (e->text.len + e->chip_bytes + text.n <= EDIT_MAX) {
		return true;
	}
	return e->text.len - n_old + text.n <= EDIT_MAX &&
	       (text.n <= n_old ||
		       edit_whole_size(e, edit_text(e)) + edit_whole_size(e, text) - n_old <=
			       EDIT_MAX);
}

bool edit_replace(struct edit *e, size_t at, size_t n_old, struct vy_str text, unsigned kind)
{
	if (text.n > n_old &&
		(!fits(e, n_old, text) || !vy_buf_reserve(&e->text, text.n - n_old))) {
		e->text.over = true;
		return false; /* nothing changes; edit_is_full() says why */
	}
	vy_assert(vy_buf_reserve(&e->text, 0));
	if (joins(e, kind, at, n_old)) {
		join(e, at, n_old, text);
	} else {
		note(e, at, n_old, text);
	}
	while (e->n_undo > EDIT_UNDOS || (e->n_undo > 1 && e->undo_bytes > EDIT_KEEP)) {
		forget_oldest(e);
	}
	free_changes(&e->redo);
	put(e, at, n_old, text.p, text.n);
	e->text.over = false;
	stand_at(e, at + text.n);
	e->last = kind;
	return true;
}

void edit_make_text(struct vy_str text, struct vy_buf *own)
{
	VY_AUTO_BUF copy = VY_BUF_INIT(EDIT_MAX);

	vy_buf_addstr(own, edit_clean(text, false, &copy));
}

void edit_set(struct edit *e, struct vy_str text)
{
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX);

	edit_set_own(e, edit_clean(text, false, &own));
}

void edit_set_own(struct edit *e, struct vy_str text)
{
	unsigned group = e->group;

	e->group = 0; /* another text: a step of its own, whatever was being typed */
	if (text.n || e->text.len) {
		edit_replace(e, 0, e->text.len, text, EDIT_OTHER);
	}
	e->group = group;
}

void edit_clear(struct edit *e)
{
	edit_set_own(e, vy_str_n(NULL, 0));
}

/* ---- the way back ---- */

bool edit_undo(struct edit *e)
{
	struct edit_change *c = e->undo;

	if (!c) {
		return false;
	}
	put(e, c->at, c->n_added, c->removed, c->n_removed);
	stand_at(e, c->cursor <= e->text.len ? c->cursor : c->at + c->n_removed);
	e->undo = c->next;
	e->n_undo--;
	e->undo_bytes -= bytes_of(c);
	c->next = e->redo;
	e->redo = c;
	e->last = EDIT_OTHER;
	return true;
}

bool edit_redo(struct edit *e)
{
	struct edit_change *c = e->redo;

	if (!c) {
		return false;
	}
	put(e, c->at, c->n_removed, c->added, c->n_added);
	stand_at(e, c->at + c->n_added);
	e->redo = c->next;
	c->next = e->undo;
	e->undo = c;
	e->n_undo++;
	e->undo_bytes += bytes_of(c);
	e->last = EDIT_OTHER;
	return true;
}

/* All of one command of vim's, which may be several changes. */
bool edit_undo_group(struct edit *e)
{
	unsigned group = e->undo ? e->undo->group : 0;
	bool did = edit_undo(e);

	while (group && e->undo && e->undo->group == group) {
		edit_undo(e);
	}
	return did;
}

bool edit_redo_group(struct edit *e)
{
	unsigned group = e->redo ? e->redo->group : 0;
	bool did = edit_redo(e);

	while (group && e->redo && e->redo->group == group) {
		edit_redo(e);
	}
	return did;
}

/* ---- writing ---- */

void edit_insert(struct edit *e, struct vy_str text)
{
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX);
	struct vy_str clean = edit_clean(text, false, &own);

	if (clean.n) {
		edit_replace(e, e->at, 0, clean, EDIT_TYPED);
	}
}

void edit_put_in(struct edit *e, size_t from, size_t to, struct vy_str text)
{
	VY_AUTO_BUF own = VY_BUF_INIT(EDIT_MAX);

	edit_replace(e, from, to - from, edit_clean(text, false, &own), EDIT_OTHER);
}

void edit_take_back(struct edit *e, size_t n)
{
	if (n && n <= e->at) {
		edit_replace(e, e->at - n, n, vy_str_n(NULL, 0), EDIT_OTHER);
	}
}
