/* picker.c -- see picker.h: the list and the keys; picker_draw.c shows it. */
#include "tui/view/picker.h"

#include <stdlib.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/view/edit_key.h"
#include "tui/view/fuzzy.h"
#include "tui/view/picker_core.h"
#include "shared/base/ban.h"

#define DETAIL_PENALTY 20000 /* found by its detail: behind all found by their label */
#define FIRST_PAGE     8

/* ---- life ---- */

void picker_init(struct picker *p)
{
	*p = (struct picker){ .page = FIRST_PAGE, .borrowed = VY_BUF_INIT(4096) };
	edit_init(&p->filter);
}

static void free_entries(struct picker *p)
{
	for (size_t i = 0; p->entries && i < p->n; i++) {
		free(p->entries[i].memory);
	}
	p->n = p->n_shown = 0;
	p->is_stale = true;
}

void picker_fini(struct picker *p)
{
	free_entries(p);
	free(p->entries);
	free(p->shown);
	free(p->sought);
	free(p->kept);
	free(p->title);
	free(p->empty);
	free(p->trouble);
	edit_fini(&p->filter);
	vy_buf_fini(&p->borrowed);
	*p = (struct picker){ 0 };
}

void picker_begin(struct picker *p, const char *title, const char *empty)
{
	picker_fini(p);
	picker_init(p);
	p->title = vy_strdup(title);
	p->empty = vy_strdup(empty);
}

/* ---- what is shown ---- */

struct rank {
	int score;
	uint32_t entry;
};

static int by_score(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->score != y->score) {
		return x->score > y->score ? -1 : 1;
	}
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* How well an item fits; false: it does not. */
static bool fits(const struct picker_item *it, struct vy_str sought, int *score)
{
	struct fuzzy_match m;
	VY_AUTO_BUF both = VY_BUF_INIT(64 * 1024);

	if (fuzzy_match(sought, vy_str_c(it->label), &m)) {
		*score = m.score;
		return true;
	}
	if (!it->detail) {
		return false;
	}
	vy_buf_addf(&both, "%s %s", it->label ? it->label : "", it->detail);
	*score = 0;
	if (!fuzzy_match(sought, vy_buf_str(&both), &m)) {
		return false;
	}
	*score = m.score - DETAIL_PENALTY;
	return true;
}

struct vy_str picker_sought(const struct picker *p)
{
	return p->is_borrowed ? vy_buf_str(&p->borrowed) : edit_text(&p->filter);
}

static void show_all(struct picker *p)
{
	for (size_t i = 0; i < p->n; i++) {
		p->shown[p->n_shown++] = (uint32_t)i;
	}
}

static void show_found(struct picker *p, struct vy_str sought)
{
	struct rank *ranks = vy_calloc(p->n + 1, sizeof(*ranks));
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (fits(&p->entries[i].item, sought, &ranks[n].score)) {
			ranks[n++].entry = (uint32_t)i;
		}
	}
	qsort(ranks, n, sizeof(*ranks), by_score);
	for (size_t i = 0; i < n; i++) {
		p->shown[p->n_shown++] = ranks[i].entry;
	}
	free(ranks);
}

static void forget_kept(struct picker *p)
{
	free(p->kept);
	p->kept = NULL;
}

/* The line of an item; n_shown when it is not shown. */
static size_t line_of(const struct picker *p, const char *id)
{
	size_t i = 0;

	while (i < p->n_shown) {
		const char *it = p->entries[p->shown[i]].item.id;

		if (it && strcmp(it, id) == 0) {
			break;
		}
		i++;
	}
	return i;
}

static void find_kept(struct picker *p)
{
	size_t line = p->kept ? line_of(p, p->kept) : p->n_shown;

	if (line < p->n_shown) {
		p->sel = line;
		forget_kept(p);
	}
}

void picker_update(struct picker *p)
{
	struct vy_str sought = picker_sought(p);
	bool is_other = !vy_str_eq(sought, vy_str_n(p->sought, p->n_sought));

	if (!p->is_stale && !is_other) {
		return;
	}
	p->shown = vy_grow(p->shown, &p->cap_shown, p->n + 1, sizeof(*p->shown));
	p->n_shown = 0;
	sought.n ? show_found(p, sought) : show_all(p);
	if (is_other) {
		free(p->sought);
		p->sought = vy_memdup0(sought.p, sought.n);
		p->n_sought = sought.n;
		p->sel = p->top = 0;
		forget_kept(p);
	}
	find_kept(p);
	if (p->sel >= p->n_shown) {
		p->sel = p->n_shown ? p->n_shown - 1 : 0;
	}
	p->is_stale = false;
}

/* ---- the items ---- */

void picker_clear(struct picker *p)
{
	const struct picker_item *it = picker_chosen(p);

	/* the best match of what is typed was nobody's choice: a better one may come */
	if (it && it->id && (p->sel || !picker_sought(p).n)) {
		free(p->kept);
		p->kept = vy_strdup(it->id);
	}
	free_entries(p);
	free(p->trouble);
	p->trouble = NULL;
	p->is_waiting = false;
}

void picker_fail(struct picker *p, const char *sentence)
{
	free(p->trouble);
	p->trouble = vy_strdup(sentence);
	p->is_waiting = false;
}

/* A string of an item, as it may be shown, into the memory of all; its place there + 1, 0: none. */
static size_t keep(struct vy_buf *memory, const char *text, bool is_shown)
{
	struct vy_str s = vy_str_c(text);
	size_t at = memory->len;

	if (!text) {
		return 0;
	}
	s.n = vy_utf8_cut(s, PICKER_TEXT);
	if (!is_shown || vy_utf8_is_visible(s, VY_UTF8_LINE)) {
		vy_buf_addstr(memory, s);
	} else {
		vy_utf8_visible(s, VY_UTF8_LINE, memory);
	}
	vy_buf_addc(memory, '\0');
	return at + 1;
}

void picker_add(struct picker *p, const struct picker_item *item)
{
	struct vy_buf memory = VY_BUF_INIT(32 * PICKER_TEXT);

	if (p->n >= PICKER_MOST) {
		return;
	}
	p->entries = vy_grow(p->entries, &p->cap, p->n + 1, sizeof(*p->entries));
	struct picker_entry *e = &p->entries[p->n++];

	*e = (struct picker_entry){ .item = *item };
	const char **const all[] = { &e->item.id, &e->item.key, &e->item.mark, &e->item.label,
		&e->item.detail, &e->item.aside, &e->item.preview };
	size_t places[VY_COUNT(all)];

	for (size_t i = 0; i < VY_COUNT(all); i++) {
		places[i] = keep(&memory, *all[i], i > 0);
	}
	e->memory = vy_buf_take(&memory, NULL);
	for (size_t i = 0; i < VY_COUNT(all); i++) {
		*all[i] = places[i] ? e->memory + places[i] - 1 : NULL;
	}
	p->is_stale = true;
}

const struct picker_item *picker_at(const struct picker *p, size_t i)
{
	return i < p->n ? &p->entries[i].item : NULL;
}

void picker_choose(struct picker *p, const char *id)
{
	picker_update(p);
	size_t line = line_of(p, id);

	p->sel = line < p->n_shown ? line : p->sel;
}

const struct picker_item *picker_chosen(struct picker *p)
{
	picker_update(p);
	return p->sel < p->n_shown ? &p->entries[p->shown[p->sel]].item : NULL;
}

/* ---- keys ---- */

void picker_seek(struct picker *p, struct vy_str word)
{
	p->is_borrowed = true;
	vy_buf_clear(&p->borrowed);
	vy_buf_addstr(&p->borrowed, vy_str_n(word.p, word.n < 4096 ? word.n : 4096));
}

/* The line is one line: what a paste brings of others ends it. */
void picker_type(struct picker *p, struct vy_str text)
{
	const char *nl = text.n ? memchr(text.p, '\n', text.n) : NULL;

	edit_insert(&p->filter, vy_str_n(text.p, nl ? (size_t)(nl - text.p) : text.n));
}

static void move(struct picker *p, long by, bool wraps)
{
	long n = (long)p->n_shown, to = (long)p->sel + by;

	forget_kept(p);
	if (n == 0) {
		return;
	}
	if (wraps) {
		to = (to + n) % n;
	}
	p->sel = (size_t)(to < 0 ? 0 : to >= n ? n - 1 : to);
}

bool picker_action(struct picker *p, enum keymap_action a)
{
	picker_update(p);
	switch ((int)a) {
	case ACTION_MENU_UP: move(p, -1, true); return true;
	case ACTION_MENU_DOWN: move(p, 1, true); return true;
	case ACTION_MENU_PAGE_UP: move(p, -p->page, false); return true;
	case ACTION_MENU_PAGE_DOWN: move(p, p->page, false); return true;
	default: return !p->is_borrowed && edit_key(&p->filter, a);
	}
}
