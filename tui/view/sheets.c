/* sheets.c -- see sheets.h. Found by the row's key, which never changes. */
#include "tui/view/sheets.h"

#include <stdlib.h>
#include <uthash.h>

#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define KEPT_SHEETS 256
#define KEPT_LINES  20000
#define HIDDEN_MAX  64 /* rows without lines that are looked past */
#define OPEN_MAX    1024
#define NAME_MOST   4096 /* bytes of a session and a key */

struct sheets_entry {
	char *key;
	uint64_t rev;
	struct block_how how;
	struct block_sheet sheet;
	size_t same;   /* bytes of its text that are as they were at its last layout */
	uint64_t used; /* the turn that last needed it */
	UT_hash_handle hh;
};

struct sheets_open {
	char *key; /* "SESSION KEY": a key is one session's */
	UT_hash_handle hh;
};

void sheets_init(struct sheets *s, struct cell_pool *pool)
{
	*s = (struct sheets){ .pool = pool };
}

static void drop_entry(struct sheets *s, struct sheets_entry *e)
{
	HASH_DEL(s->entries, e);
	block_sheet_fini(&e->sheet);
	free(e->key);
	free(e);
}

static void drop_open(struct sheets *s, struct sheets_open *o)
{
	HASH_DEL(s->open, o);
	free(o->key);
	free(o);
}

void sheets_drop(struct sheets *s)
{
	struct sheets_entry *e, *tmp;

	HASH_ITER (hh, s->entries, e, tmp) {
		drop_entry(s, e);
	}
}

void sheets_fini(struct sheets *s)
{
	struct sheets_open *o, *tmp;

	sheets_drop(s);
	HASH_ITER (hh, s->open, o, tmp) {
		drop_open(s, o);
	}
	free(s->session);
	s->session = NULL;
}

void sheets_switch(struct sheets *s, const char *session)
{
	sheets_drop(s);
	free(s->session);
	s->session = session ? vy_strdup(session) : NULL;
}

/* ---- what came ---- */

static struct sheets_entry *entry_of(const struct sheets *s, struct vy_str key)
{
	struct sheets_entry *e = NULL;

	HASH_FIND(hh, s->entries, key.p, key.n, e);
	return e;
}

void sheets_changed(struct sheets *s, const struct vy_fold *f, const struct vy_change *ch)
{
	struct sheets_entry *e, *tmp;

	if (ch->rest) {
		HASH_ITER (hh, s->entries, e, tmp) {
			e->same = 0;
		}
	} else if (ch->rows && ch->row < vy_fold_len(f)) {
		size_t same = ch->grew ? ch->from : 0;

		e = entry_of(s, vy_fold_row(f, ch->row)->key);
		if (e && same < e->same) {
			e->same = same;
		}
	}
}

/* ---- laying out ---- */

static struct sheets_open *open_of(const struct sheets *s, struct vy_str key, struct vy_buf *name)
{
	struct sheets_open *o = NULL;

	vy_buf_addf(name, "%s ", s->session ? s->session : "");
	vy_buf_addstr(name, key);
	HASH_FIND(hh, s->open, vy_buf_c(name), name->len, o);
	return o;
}

static bool is_open(const struct sheets *s, struct vy_str key)
{
	VY_AUTO_BUF name = VY_BUF_INIT(NAME_MOST);

	return s->open && open_of(s, key, &name);
}

void sheets_flip(struct sheets *s, struct vy_str key)
{
	VY_AUTO_BUF name = VY_BUF_INIT(NAME_MOST);
	struct sheets_open *o = open_of(s, key, &name);

	if (o) {
		drop_open(s, o);
		return;
	}
	if (HASH_COUNT(s->open) == OPEN_MAX) {
		drop_open(s, s->open); /* the one that was opened first */
	}
	o = VY_NEW(struct sheets_open);
	o->key = vy_memdup0(name.data, name.len);
	HASH_ADD_KEYPTR(hh, s->open, o->key, name.len, o);
}

static struct block_how how_of(
	const struct sheets *s, const struct vy_fold *f, const struct vy_row *row)
{
	struct block_how how = s->how;

	how.depth = vy_fold_depth(f, row);
	how.is_open = is_open(s, row->key);
	if (!block_moves(row)) {
		how.spin = 0;
		how.now_ms = 0;
	}
	return how;
}

static struct sheets_entry *new_entry(struct sheets *s, struct vy_str key)
{
	struct sheets_entry *e = VY_NEW(struct sheets_entry);

	e->key = vy_memdup0(key.p, key.n);
	block_sheet_init(&e->sheet, s->pool);
	HASH_ADD_KEYPTR(hh, s->entries, e->key, key.n, e);
	return e;
}

struct block_sheet *sheets_get(struct sheets *s, const struct vy_fold *f, size_t i)
{
	const struct vy_row *row = vy_fold_row(f, i);
	struct block_how how = how_of(s, f, row);
	struct sheets_entry *e = entry_of(s, row->key);

	if (!e) {
		e = new_entry(s, row->key);
	}
	how.pictures = e->sheet.n_pictures ? how.pictures : 0;
	bool is_same_how = block_how_is(&e->how, &how);

	if (e->rev != row->rev || !is_same_how) {
		e->sheet.same = is_same_how ? e->same : 0;
		e->rev = row->rev;
		e->how = how;
		e->same = SIZE_MAX;
		s->layouts++;
		block_draw(row, &how, &e->sheet);
		e->how.pictures = e->sheet.n_pictures ? s->how.pictures : 0;
	}
	e->used = s->turn;
	return &e->sheet;
}

void sheets_begin(struct sheets *s, const struct block_how *how)
{
	struct sheets_entry *e, *tmp;
	int lines = 0;

	s->how = *how;
	s->turn++;
	HASH_ITER (hh, s->entries, e, tmp) {
		lines += e->sheet.grid.rows;
	}
	if (HASH_COUNT(s->entries) <= KEPT_SHEETS && lines <= KEPT_LINES) {
		return;
	}
	HASH_ITER (hh, s->entries, e, tmp) {
		if (e->used + 2 < s->turn) {
			drop_entry(s, e);
		}
	}
}

/* ---- heights ---- */

enum company { TALK, WORK, NOTE }; /* rows of one stand close, but for talk */

static enum company company_of(const struct vy_row *r)
{
	switch (r->kind) {
	case VY_ROW_TOOL:
	case VY_ROW_TASK:
	case VY_ROW_ASK:
	case VY_ROW_FILE: return WORK;
	case VY_ROW_NOTICE:
	case VY_ROW_PARTICIPANT: return NOTE;
	case VY_ROW_MESSAGE:
	case VY_ROW_THINKING:
	case VY_ROW_TODO:
	case VY_ROW_TERM_COMMAND:
	case VY_ROW_EXTENSION:
	case VY_ROW_COUNT: break;
	}
	return r->parent.n ? WORK : TALK; /* what a subagent says stands with its tools */
}

int sheets_gap(const struct vy_fold *f, size_t i)
{
	enum company here = company_of(vy_fold_row(f, i));

	for (size_t k = i; here != TALK && k > 0 && i - k < HIDDEN_MAX; k--) {
		if (block_shows(vy_fold_row(f, k - 1))) {
			return company_of(vy_fold_row(f, k - 1)) == here ? 0 : 1;
		}
	}
	return 1;
}

int sheets_height(struct sheets *s, const struct vy_fold *f, size_t i)
{
	int lines = sheets_get(s, f, i)->lines;

	return lines ? lines + sheets_gap(f, i) : 0;
}
