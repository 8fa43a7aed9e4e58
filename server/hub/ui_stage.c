/* ui_stage.c -- see ui_stage.h.
 *
 * `list` is what is shown, in order: entry i is row `base + i` of the fold, then the queue. `told`
 * holds the numbers in order, each with its entry, or with none when that entry got a later one;
 * holes are taken out when they are most of it. An entry that is gone keeps its last number, so
 * that who knew it hears of it.
 *
 * Where a row stands is said by the nearest row before it that the viewer surely has where it
 * belongs: one whose newest number it has read, or one that was put there before the viewer was last
 * behind on nothing. Rows that are so are in the right order at the viewer's at any time; all others
 * have a number that it has yet to read, and are put right by it. In the end there are no others.
 */
#include "server/hub/ui_stage.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <uthash.h>

#include "server/hub/ui_draw.h"
#include "shared/base/arena.h"
#include "shared/base/hash.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define STAGE_MAGIC 0x75697374u
#define ROW_MAX     (16 * VY_MIB) /* one row, drawn: a MiB of text, all of it escaped, and blocks */
#define KIB_A_MS    1024
#define EPOCH_MAX   64

struct entry {
	char *key;
	uint64_t rev;               /* as it was looked at last */
	uint64_t seq, placed, born; /* numbers: told, put where it stands, first known */
	uint64_t old_at;            /* while the list is made anew */
	size_t at;                  /* in the list */
	char *drawn;                /* as told by `seq`; NULL: nobody asked yet */
	size_t drawn_n;             /* its length, or that of the one before */
	uint64_t drawn_rev;         /* 0: never drawn */
	int64_t told_ms, due_ms;
	bool is_gone, is_waiting;
	TAILQ_ENTRY(entry) link; /* of those that wait */
	UT_hash_handle hh;
};

struct told {
	uint64_t seq;
	struct entry *entry;
};

struct ui_stage {
	VY_MAGIC;
	struct vy_fold *fold;
	char epoch[EPOCH_MAX];
	uint64_t life, seq;
	struct entry *by_key;
	struct entry **list;
	size_t n, cap, base;
	struct told *told;
	size_t n_told, told_cap, n_entries;
	size_t fed;
	bool has_more; /* rows of the page lie before `base` */
	TAILQ_HEAD(, entry) waiting;
};

/* ---- entries ---- */

static const struct vy_row *row_at(const struct ui_stage *s, size_t i)
{
	size_t shown = vy_fold_len(s->fold);

	return s->base + i < shown ? vy_fold_row(s->fold, s->base + i)
				   : vy_fold_queued(s->fold, s->base + i - shown);
}

static size_t rows_now(const struct ui_stage *s)
{
	return vy_fold_len(s->fold) + vy_fold_state(s->fold)->queued - s->base;
}

static void forget_drawing(struct entry *en)
{
	free(en->drawn);
	en->drawn = NULL;
}

static void stop_waiting(struct ui_stage *s, struct entry *en)
{
	if (en->is_waiting) {
		TAILQ_REMOVE(&s->waiting, en, link);
		en->is_waiting = false;
	}
}

static void drop(struct ui_stage *s, struct entry *en)
{
	stop_waiting(s, en);
	HASH_DEL(s->by_key, en);
	s->n_entries--;
	forget_drawing(en);
	free(en->key);
	free(en);
}

static struct entry *entry_of(struct ui_stage *s, struct vy_str key)
{
	struct entry *en = NULL;

	if (s->by_key) {
		HASH_FIND(hh, s->by_key, key.p, key.n, en);
	}
	return en;
}

/* ---- numbers ---- */

/* The first that is later than `at`, as an index; n_told when there is none. */
static size_t later_than(const struct ui_stage *s, uint64_t at)
{
	size_t low = 0, high = s->n_told;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->told[middle].seq <= at) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	while (low < s->n_told && !s->told[low].entry) {
		low++;
	}
	return low;
}

static void close_holes(struct ui_stage *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_told; i++) {
		if (s->told[i].entry) {
			s->told[n++] = s->told[i];
		}
	}
	s->n_told = n;
}

/* From now on everybody is behind on it. */
static void tell(struct ui_stage *s, struct entry *en, int64_t now_ms)
{
	stop_waiting(s, en);
	forget_drawing(en);
	if (en->seq) {
		s->told[later_than(s, en->seq - 1)].entry = NULL;
	}
	if (s->n_told > 2 * s->n_entries + 64) {
		close_holes(s);
	}
	en->seq = ++s->seq;
	en->told_ms = now_ms;
	s->told = vy_grow(s->told, &s->told_cap, s->n_told + 1, sizeof(*s->told));
	s->told[s->n_told++] = (struct told){ en->seq, en };
}

static void place(struct ui_stage *s, struct entry *en, int64_t now_ms)
{
	tell(s, en, now_ms);
	en->placed = en->seq;
	en->born = en->born ? en->born : en->seq;
	en->is_gone = false;
}

static void changed(struct ui_stage *s, struct entry *en, const struct vy_row *r, int64_t now_ms)
{
	en->rev = r->rev;
	if (ui_is_final(r)) {
		tell(s, en, now_ms);
	} else if (!en->is_waiting) {
		en->is_waiting = true;
		en->due_ms = en->told_ms + UI_PAUSE_MS + (int64_t)(en->drawn_n / KIB_A_MS);
		TAILQ_INSERT_TAIL(&s->waiting, en, link);
	}
}

/* ---- the list ---- */

static struct entry *make_entry(struct ui_stage *s, const struct vy_row *r)
{
	struct entry *en = VY_NEW(struct entry);

	en->key = vy_memdup0(r->key.p, r->key.n);
	HASH_ADD_KEYPTR(hh, s->by_key, en->key, r->key.n, en);
	s->n_entries++;
	return en;
}

/* The entry of a row that was not in the list: new, or known and gone meanwhile. */
static struct entry *enter(struct ui_stage *s, const struct vy_row *r, int64_t now_ms)
{
	struct entry *en = entry_of(s, r->key);

	en = en ? en : make_entry(s, r);
	en->rev = r->rev;
	place(s, en, now_ms);
	return en;
}

static void insert(struct ui_stage *s, size_t at, struct entry *en)
{
	s->list = vy_grow(s->list, &s->cap, s->n + 1, sizeof(struct entry *));
	memmove(&s->list[at + 1], &s->list[at], (s->n - at) * sizeof(struct entry *));
	s->list[at] = en;
	s->n++;
	for (size_t i = at; i < s->n; i++) {
		s->list[i]->at = i;
	}
}

static void leave(struct ui_stage *s, struct entry *en, int64_t now_ms)
{
	en->is_gone = true;
	tell(s, en, now_ms);
}

/* From `from` on the list is what the fold shows now: who is in it already stays where it is told
 * as long as those that stay keep their order. */
static void make_anew(struct ui_stage *s, size_t from, int64_t now_ms)
{
	size_t n = rows_now(s), old_n = s->n;
	struct entry **old = vy_calloc(old_n + 1, sizeof(struct entry *));
	uint64_t last = 0;

	if (old_n) {
		memcpy(old, s->list, old_n * sizeof(struct entry *));
	}
	for (size_t i = from; i < old_n; i++) {
		old[i]->old_at = i + 1;
	}
	s->list = vy_grow(s->list, &s->cap, n + 1, sizeof(struct entry *));
	s->n = n;
	for (size_t i = from; i < n; i++) {
		const struct vy_row *r = row_at(s, i);
		struct entry *en = entry_of(s, r->key);
		bool stays = en && en->old_at > last;

		if (!stays) {
			en = enter(s, r, now_ms);
		} else if (r->rev != en->rev) {
			changed(s, en, r, now_ms);
		}
		last = stays ? en->old_at : last;
		en->old_at = 0;
		en->at = i;
		s->list[i] = en;
	}
	for (size_t i = from; i < old_n; i++) {
		if (old[i]->old_at) { /* nobody took it */
			old[i]->old_at = 0;
			leave(s, old[i], now_ms);
		}
	}
	free(old);
}

/* As it is told by its number, whoever asks; not before somebody does. */
static struct vy_str drawing(struct ui_stage *s, struct entry *en)
{
	if (!en->drawn) {
		VY_AUTO_BUF b = VY_BUF_INIT(ROW_MAX);
		const struct vy_row *r = row_at(s, en->at);

		ui_draw(r, &b);
		en->drawn = vy_buf_take(&b, &en->drawn_n);
		en->drawn_rev = r->rev;
	}
	return vy_str_n(en->drawn, en->drawn_n);
}

/* ---- life ---- */

static void clear(struct ui_stage *s)
{
	struct entry *en, *next;

	HASH_ITER (hh, s->by_key, en, next) {
		drop(s, en);
	}
	s->n = s->n_told = 0;
	vy_fold_free(s->fold);
	s->fold = NULL;
}

/* The first rows, as long as all that follow them are a reset which is too large. */
static size_t too_many(struct ui_stage *s)
{
	size_t i = s->n, bytes = 0;

	while (i > 0) {
		bytes += drawing(s, s->list[i - 1]).n;
		if (bytes > UI_RESET_MAX && i < s->n) {
			break;
		}
		i--;
	}
	return i;
}

/* Nobody has been told of them yet. */
static void leave_out(struct ui_stage *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->told[later_than(s, s->list[i]->seq - 1)].entry = NULL;
		drop(s, s->list[i]);
	}
	s->n -= n;
	s->base += n;
	memmove(s->list, s->list + n, s->n * sizeof(struct entry *));
	for (size_t i = 0; i < s->n; i++) {
		s->list[i]->at = i;
	}
}

static void begin(struct ui_stage *s, struct vy_fold *own_fold)
{
	size_t shown = vy_fold_len(own_fold), n;

	s->fold = own_fold;
	s->life++;
	s->fed = 0;
	s->base = shown > UI_ROWS_MAX / 2 ? shown - UI_ROWS_MAX / 2 : 0;
	make_anew(s, 0, 0);
	n = too_many(s);
	if (n) {
		leave_out(s, n);
	}
	s->has_more = s->base > 0;
}

struct ui_stage *ui_stage_new(struct vy_fold *own_fold, const char *epoch)
{
	struct ui_stage *s = VY_NEW(struct ui_stage);

	VY_MAGIC_SET(s, STAGE_MAGIC);
	TAILQ_INIT(&s->waiting);
	snprintf(s->epoch, sizeof(s->epoch), "%s", epoch);
	begin(s, own_fold);
	return s;
}

void ui_stage_renew(struct ui_stage *s, struct vy_fold *own_fold)
{
	VY_CHECK(s, STAGE_MAGIC);
	clear(s);
	begin(s, own_fold);
}

void ui_stage_free(struct ui_stage *s)
{
	if (s) {
		VY_CHECK(s, STAGE_MAGIC);
		clear(s);
		free(s->list);
		free(s->told);
		VY_MAGIC_CLEAR(s);
		free(s);
	}
}

/* ---- frames ---- */

/* One row changed, in the window or before it; or one came behind all of the transcript. */
static bool apply_simply(struct ui_stage *s, const struct vy_change *ch, int64_t now_ms)
{
	size_t at = ch->row - s->base;
	bool is_one = ch->rows && !ch->rest && !ch->state && !ch->removed;

	if (!is_one || ch->inserted > 1) {
		return !ch->rows && !ch->state;
	}
	if (ch->row < s->base) {
		return ch->inserted == 0; /* nobody was told of that row */
	}
	if (ch->inserted == 0) {
		changed(s, s->list[at], row_at(s, at), now_ms);
	} else {
		insert(s, at, enter(s, row_at(s, at), now_ms));
	}
	return true;
}

bool ui_stage_apply(struct ui_stage *s, const struct vy_frame *f, size_t bytes, int64_t now_ms)
{
	struct vy_change ch;
	size_t shown = vy_fold_len(s->fold);

	VY_CHECK(s, STAGE_MAGIC);
	vy_fold_apply(s->fold, f, &ch);
	s->fed += bytes;
	if (ch.stale || (ch.rows && ch.row < s->base && vy_fold_len(s->fold) != shown)) {
		return false;
	}
	if (!apply_simply(s, &ch, now_ms)) {
		size_t from = ch.rows ? ch.row : vy_fold_len(s->fold);

		make_anew(s, from < s->base ? 0 : from - s->base, now_ms);
	}
	return s->n_entries <= UI_ROWS_MAX && s->fed <= UI_FED_MAX;
}

int64_t ui_stage_tick(struct ui_stage *s, int64_t now_ms)
{
	struct entry *en, *next;
	int64_t due = UI_NEVER;

	VY_CHECK(s, STAGE_MAGIC);
	for (en = TAILQ_FIRST(&s->waiting); en; en = next) {
		next = TAILQ_NEXT(en, link);
		if (en->due_ms > now_ms) {
			due = en->due_ms < due ? en->due_ms : due;
		} else if (en->drawn && en->drawn_rev == en->rev) {
			stop_waiting(s, en); /* the last one was drawn late, and has it */
		} else {
			tell(s, en, now_ms);
		}
	}
	return due;
}

/* ---- what a viewer gets ---- */

static const char *begin_event(struct vy_jw *w, const char *type)
{
	vy_jw_obj(w);
	vy_jw_kstr(w, "type", vy_str_c(type));
	return type;
}

static const char *write_reset(struct ui_stage *s, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	const char *said = begin_event(&w, "ui.reset");

	vy_jw_kint(&w, "cur", (int64_t)ui_stage_cur(s));
	vy_jw_kstr(&w, "epoch", vy_str_c(s->epoch));
	if (vy_fold_older(s->fold)) {
		vy_jw_kint(&w, "before", (int64_t)vy_fold_older(s->fold));
	}
	if (s->has_more) {
		vy_jw_kbool(&w, "more", true);
	}
	vy_jw_key(&w, "rows");
	vy_jw_arr(&w);
	for (size_t i = 0; i < s->n; i++) {
		vy_jw_raw(&w, drawing(s, s->list[i]));
	}
	vy_jw_end_arr(&w);
	vy_jw_end_obj(&w);
	return said;
}

static bool is_in_place(const struct entry *en, const struct ui_place *p)
{
	return en->seq <= p->at || en->placed <= p->dry;
}

/* The key of the row it goes behind; "" for the front. */
static const char *neighbour(
	const struct ui_stage *s, const struct entry *en, const struct ui_place *p)
{
	for (size_t i = en->at; i > 0; i--) {
		if (is_in_place(s->list[i - 1], p)) {
			return s->list[i - 1]->key;
		}
	}
	return "";
}

static const char *write_upsert(
	struct ui_stage *s, struct entry *en, const struct ui_place *p, struct vy_buf *out)
{
	struct vy_str row = drawing(s, en);
	struct vy_jw w = VY_JW(out);
	bool is_new_at_end = en->at + 1 == s->n && en->born > p->at;

	const char *said = begin_event(&w, "ui.upsert");

	vy_jw_kstr(&w, "key", vy_str_c(en->key));
	vy_jw_kint(&w, "rev", (int64_t)en->drawn_rev);
	if (!is_in_place(en, p) && !is_new_at_end) {
		vy_jw_kstr(&w, "after", vy_str_c(neighbour(s, en, p)));
	}
	vy_jw_key(&w, "row");
	vy_jw_raw(&w, row);
	vy_jw_end_obj(&w);
	return said;
}

static const char *write_remove(const struct entry *en, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	const char *said = begin_event(&w, "ui.remove");

	vy_jw_kstr(&w, "key", vy_str_c(en->key));
	vy_jw_end_obj(&w);
	return said;
}

const char *ui_stage_next(struct ui_stage *s, struct ui_place *p, struct vy_buf *out)
{
	VY_CHECK(s, STAGE_MAGIC);
	if (p->life != s->life) {
		*p = (struct ui_place){ s->life, s->seq, s->seq };
		return write_reset(s, out);
	}
	for (size_t i = later_than(s, p->at); i < s->n_told; i = later_than(s, p->at)) {
		struct entry *en = s->told[i].entry;
		const char *said = NULL;

		if (!en->is_gone) {
			said = write_upsert(s, en, p, out);
		} else if (en->born <= p->at) { /* else it came and went meanwhile */
			said = write_remove(en, out);
		}
		p->at = en->seq;
		if (said) {
			return said;
		}
	}
	p->dry = p->at = s->seq;
	return NULL;
}

bool ui_stage_has(const struct ui_stage *s, const struct ui_place *p)
{
	return p->life != s->life || later_than(s, p->at) < s->n_told;
}

uint64_t ui_stage_cur(const struct ui_stage *s)
{
	return vy_fold_state(s->fold)->cur;
}
