/* edit.c -- see edit.h.
 *
 * There is one way to change the text, replace(): it notes what was there, so undo is the same
 * call turned round. A chip's mark is U+FFFC followed by a private character that carries its
 * number; both count as one cluster here. */
#include "tui/view/edit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/text/width.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define CHIP_OBJECT   0xFFFCu
#define CHIP_FIRST    0xF0000u /* a private plane: nobody types these */
#define CHIPS_MAX     4096
#define CHIP_MARK_LEN 7 /* 3 + 4 bytes of UTF-8 */

enum { EDIT_OTHER, EDIT_TYPED, EDIT_DELETED, EDIT_KILLED };

struct edit_change {
	size_t at;
	char *removed, *added;
	size_t n_removed, n_added;
	size_t cursor; /* where it was before */
	struct edit_change *next;
};

struct edit_chip {
	char *text;
	size_t n;
	char label[64];
};

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
		free(e->kills[i]);
	}
	for (size_t i = 0; i < e->n_chips; i++) {
		free(e->chips[i].text);
	}
	free(e->chips);
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

static const struct edit_chip *chip_at(const struct edit *e, size_t at)
{
	struct vy_str s = edit_text(e);
	uint32_t cp = 0;

	if (at + CHIP_MARK_LEN > s.n || memcmp(s.p + at, "\xEF\xBF\xBC", 3) != 0) {
		return NULL;
	}
	vy_utf8_get(s, at + 3, &cp);
	return cp >= CHIP_FIRST && cp - CHIP_FIRST < e->n_chips ? &e->chips[cp - CHIP_FIRST] : NULL;
}

size_t edit_chip_at(const struct edit *e, size_t at, struct vy_str *label)
{
	const struct edit_chip *c = chip_at(e, at);

	if (c && label) {
		*label = vy_str_c(c->label);
	}
	return c ? CHIP_MARK_LEN : 0;
}

bool edit_whole(const struct edit *e, struct vy_buf *out)
{
	struct vy_str s = edit_text(e);
	size_t from = 0;

	for (size_t i = 0; i < s.n; i++) {
		const struct edit_chip *c = (unsigned char)s.p[i] == 0xEF ? chip_at(e, i) : NULL;

		if (c) {
			vy_buf_add(out, s.p + from, i - from);
			vy_buf_add(out, c->text, c->n);
			from = i + CHIP_MARK_LEN;
			i = from - 1;
		}
	}
	vy_buf_add(out, s.p + from, s.n - from);
	return !vy_buf_is_over(out);
}

/* ---- the one change ---- */

static void put(struct edit *e, size_t at, size_t n_old, const char *text, size_t n)
{
	struct vy_buf *b = &e->text;

	vy_assert(vy_buf_reserve(b, n)); /* the caller has looked */
	memmove(b->data + at + n, b->data + at + n_old, b->len - at - n_old);
	if (n) {
		memcpy(b->data + at, text, n);
	}
	b->len = b->len - n_old + n;
	b->data[b->len] = '\0';
}

static void forget_oldest(struct edit *e)
{
	struct edit_change **p = &e->undo;

	while (*p && (*p)->next) {
		p = &(*p)->next;
	}
	free_changes(p);
	e->n_undo--;
}

/* Typing goes on where the last typing ended: the same step of undo. */
static bool joins(const struct edit *e, unsigned kind, size_t at, size_t n_old)
{
	const struct edit_change *c = e->undo;

	return c && kind == EDIT_TYPED && e->last == EDIT_TYPED && n_old == 0 &&
	       c->n_removed == 0 && at == c->at + c->n_added && c->n_added < 200;
}

static bool replace(struct edit *e, size_t at, size_t n_old, struct vy_str text, unsigned kind)
{
	if (text.n > n_old && !vy_buf_reserve(&e->text, text.n)) {
		return false; /* nothing changes; edit_is_full() says why */
	}
	if (joins(e, kind, at, n_old)) {
		struct edit_change *c = e->undo;

		c->added = vy_realloc(c->added, c->n_added + text.n + 1);
		memcpy(c->added + c->n_added, text.p, text.n);
		c->n_added += text.n;
	} else {
		struct edit_change *c = VY_NEW(struct edit_change);

		c->at = at;
		c->cursor = e->at;
		c->removed = vy_memdup0(vy_buf_c(&e->text) + at, n_old);
		c->n_removed = n_old;
		c->added = vy_memdup0(text.p, text.n);
		c->n_added = text.n;
		c->next = e->undo;
		e->undo = c;
		if (++e->n_undo > EDIT_UNDOS) {
			forget_oldest(e);
		}
	}
	free_changes(&e->redo);
	put(e, at, n_old, text.p, text.n);
	e->text.over = false;
	e->at = at + text.n;
	e->goal = SIZE_MAX;
	e->last = kind;
	e->yank_from = e->yank_to = 0;
	return true;
}

void edit_set(struct edit *e, struct vy_str text)
{
	replace(e, 0, e->text.len, text, EDIT_OTHER);
}

void edit_clear(struct edit *e)
{
	if (e->text.len) {
		replace(e, 0, e->text.len, vy_str_n(NULL, 0), EDIT_OTHER);
	}
}

bool edit_undo(struct edit *e)
{
	struct edit_change *c = e->undo;

	if (!c) {
		return false;
	}
	put(e, c->at, c->n_added, c->removed, c->n_removed);
	e->at = c->cursor <= e->text.len ? c->cursor : c->at + c->n_removed;
	e->undo = c->next;
	e->n_undo--;
	c->next = e->redo;
	e->redo = c;
	e->last = EDIT_OTHER;
	e->goal = SIZE_MAX;
	return true;
}

bool edit_redo(struct edit *e)
{
	struct edit_change *c = e->redo;

	if (!c) {
		return false;
	}
	put(e, c->at, c->n_removed, c->added, c->n_added);
	e->at = c->at + c->n_added;
	e->redo = c->next;
	c->next = e->undo;
	e->undo = c;
	e->n_undo++;
	e->last = EDIT_OTHER;
	e->goal = SIZE_MAX;
	return true;
}

/* ---- writing ---- */

void edit_insert(struct edit *e, struct vy_str text)
{
	if (text.n) {
		replace(e, e->at, 0, text, EDIT_TYPED);
	}
}

/* A newline at the end begins no line. */
static size_t lines_of(struct vy_str s)
{
	size_t n = s.n && s.p[s.n - 1] != '\n';

	for (const char *p = s.p; (p = memchr(p, '\n', (size_t)(s.p + s.n - p))); p++) {
		n++;
	}
	return n;
}

static void insert_chip(struct edit *e, struct vy_str text, size_t lines)
{
	char mark[CHIP_MARK_LEN];

	e->chips = vy_realloc(e->chips, (e->n_chips + 1) * sizeof(*e->chips));
	struct edit_chip *c = &e->chips[e->n_chips];

	c->text = vy_memdup0(text.p, text.n);
	c->n = text.n;
	if (lines > 1) {
		snprintf(c->label, sizeof(c->label),
			words_count("[pasted %zu line]", "[pasted %zu lines]", lines), lines);
	} else {
		size_t n = vy_utf16_len(text);

		snprintf(c->label, sizeof(c->label),
			words_count("[pasted %zu character]", "[pasted %zu characters]", n), n);
	}
	memcpy(mark, "\xEF\xBF\xBC", 3);
	vy_utf8_put(CHIP_FIRST + (uint32_t)e->n_chips, mark + 3);
	e->n_chips++;
	replace(e, e->at, 0, vy_str_n(mark, sizeof(mark)), EDIT_OTHER);
}

/* What all chips and the text come to: more than a message may hold is refused as a whole. */
static size_t whole_size(const struct edit *e)
{
	size_t n = e->text.len;

	for (size_t i = 0; i < e->n_chips; i++) {
		n += e->chips[i].n;
	}
	return n;
}

void edit_paste(struct edit *e, struct vy_str text)
{
	size_t lines = lines_of(text);

	if (whole_size(e) + text.n > EDIT_MAX) {
		e->text.over = true;
		return;
	}
	if ((lines > EDIT_CHIP_LINES || text.n > EDIT_CHIP_CHARS * 4 ||
		    vy_utf16_len(text) > EDIT_CHIP_CHARS) &&
		e->n_chips < CHIPS_MAX) {
		insert_chip(e, text, lines);
	} else if (text.n) {
		replace(e, e->at, 0, text, EDIT_OTHER);
	}
}

bool edit_open_chip(struct edit *e)
{
	size_t at = e->at;
	const struct edit_chip *c = chip_at(e, at);

	if (!c && at >= CHIP_MARK_LEN) {
		at -= CHIP_MARK_LEN;
		c = chip_at(e, at);
	}
	return c && replace(e, at, CHIP_MARK_LEN, vy_str_n(c->text, c->n), EDIT_OTHER);
}

/* ---- moving ---- */

static size_t before(const struct edit *e, size_t at)
{
	if (at >= CHIP_MARK_LEN && chip_at(e, at - CHIP_MARK_LEN)) {
		return at - CHIP_MARK_LEN;
	}
	return vy_cluster_prev(edit_text(e), at);
}

static size_t behind(const struct edit *e, size_t at)
{
	size_t chip = edit_chip_at(e, at, NULL);

	return chip ? at + chip : vy_cluster_next(edit_text(e), at);
}

static void go(struct edit *e, size_t at)
{
	e->at = at;
	e->goal = SIZE_MAX;
	e->last = EDIT_OTHER;
	e->yank_from = e->yank_to = 0;
}

void edit_left(struct edit *e)
{
	go(e, before(e, e->at));
}

void edit_right(struct edit *e)
{
	go(e, behind(e, e->at));
}

static size_t word_before(const struct edit *e)
{
	size_t one = before(e, e->at);

	return chip_at(e, one) ? one : vy_word_prev(edit_text(e), e->at);
}

static size_t word_behind(const struct edit *e)
{
	size_t chip = edit_chip_at(e, e->at, NULL);

	return chip ? e->at + chip : vy_word_next(edit_text(e), e->at);
}

void edit_word_left(struct edit *e)
{
	go(e, word_before(e));
}

void edit_word_right(struct edit *e)
{
	go(e, word_behind(e));
}

static size_t line_start(const struct edit *e)
{
	size_t at = e->at;

	while (at > 0 && e->text.data[at - 1] != '\n') {
		at--;
	}
	return at;
}

static size_t line_end(const struct edit *e)
{
	const char *nl =
		e->text.len ? memchr(e->text.data + e->at, '\n', e->text.len - e->at) : NULL;

	return nl ? (size_t)(nl - e->text.data) : e->text.len;
}

void edit_line_start(struct edit *e)
{
	go(e, line_start(e));
}

void edit_line_end(struct edit *e)
{
	go(e, line_end(e));
}

void edit_text_start(struct edit *e)
{
	go(e, 0);
}

void edit_text_end(struct edit *e)
{
	go(e, e->text.len);
}

void edit_move_to(struct edit *e, size_t at)
{
	size_t goal = e->goal;
	struct vy_str s = edit_text(e);

	at = at > s.n ? s.n : at;
	for (size_t i = at > CHIP_MARK_LEN ? at - CHIP_MARK_LEN + 1 : 0; i < at; i++) {
		if (chip_at(e, i)) {
			at = i; /* never inside a chip */
		}
	}
	while (!vy_cluster_is_border(s, at)) {
		at--;
	}
	go(e, at);
	e->goal = goal; /* up and down keep the column they want */
}

/* ---- removing ---- */

static void keep_kill(struct edit *e, struct vy_str text, bool in_front)
{
	char **newest = &e->kills[e->kill_at];
	VY_AUTO_BUF b = VY_BUF_INIT(EDIT_MAX * 2);

	if (e->last == EDIT_KILLED && *newest) { /* one kill after another is one cut */
		vy_buf_addstr(&b, in_front ? text : vy_str_c(*newest));
		vy_buf_addstr(&b, in_front ? vy_str_c(*newest) : text);
	} else {
		e->kill_at = (e->kill_at + 1) % EDIT_KILLS;
		e->n_kills += e->n_kills < EDIT_KILLS;
		newest = &e->kills[e->kill_at];
		vy_buf_addstr(&b, text);
	}
	free(*newest);
	*newest = vy_buf_take(&b, NULL);
}

static void kill_range(struct edit *e, size_t from, size_t to)
{
	if (from == to) {
		return;
	}
	keep_kill(e, vy_str_n(e->text.data + from, to - from), to == e->at && from != e->at);
	replace(e, from, to - from, vy_str_n(NULL, 0), EDIT_KILLED);
}

void edit_delete_back(struct edit *e)
{
	size_t from = before(e, e->at);

	if (from < e->at) {
		replace(e, from, e->at - from, vy_str_n(NULL, 0), EDIT_DELETED);
	}
}

void edit_delete(struct edit *e)
{
	size_t to = behind(e, e->at);

	if (to > e->at) {
		replace(e, e->at, to - e->at, vy_str_n(NULL, 0), EDIT_DELETED);
	}
}

void edit_kill_word_back(struct edit *e)
{
	kill_range(e, word_before(e), e->at);
}

void edit_kill_word(struct edit *e)
{
	kill_range(e, e->at, word_behind(e));
}

void edit_kill_line(struct edit *e)
{
	size_t to = line_end(e);

	if (to == e->at && to < e->text.len) {
		to++;
	}
	kill_range(e, e->at, to);
}

void edit_kill_start(struct edit *e)
{
	kill_range(e, line_start(e), e->at);
}

/* ---- yanking ---- */

void edit_yank(struct edit *e)
{
	struct vy_str s = vy_str_c(e->n_kills ? e->kills[e->kill_at] : NULL);
	size_t from = e->at;

	if (s.n && replace(e, from, 0, s, EDIT_OTHER)) {
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
	} while (!e->kills[e->kill_at]);
	if (replace(e, from, n, vy_str_c(e->kills[e->kill_at]), EDIT_OTHER)) {
		e->yank_from = from;
		e->yank_to = e->at;
	}
}
