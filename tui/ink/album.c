/* album.c -- see album.h.
 *
 * An entry is a picture as a file, found by its ref; its prints are that picture in one size, made
 * for one look. Both go when there is too much: bytes and prints each by themselves, those first
 * that were not in sight for the longest time. An entry itself is small and stays. */
#include "tui/ink/album.h"

#include <stdlib.h>
#include <uthash.h>

#include "shared/base/mem.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define ENTRIES_MAX 2000
#define PRINTS      3 /* of one picture: rows that show it in other sizes */
#define BYTES_MAX   (8 * 1024 * 1024)
#define PRINTS_MAX  (32 * 1024 * 1024) /* what a terminal keeps for us counts too */
#define ROWS_MIN    3
#define FIRST_IMAGE 0x560000 /* of 24 bits: not what another program begins with */

struct print {
	struct fit_size size;
	struct picture_cell *cells;
	uint8_t *rgba; /* until it was sent */
	int w, h;
	uint32_t image; /* 0: of cells */
	bool is_sent;
	uint64_t seen;
};

struct entry {
	char *ref;
	uint32_t id;
	int64_t w, h; /* 0: not known */
	bool is_sure; /* the decoder says so */
	char *bytes;  /* NULL: not here */
	size_t n;
	char *why;     /* it will not come */
	uint64_t seen; /* the last turn it was in sight */
	bool wants;    /* … in a size that there is no print of */
	struct fit_size want;
	struct print prints[PRINTS]; /* size.cols 0: free */
	UT_hash_handle hh;
};

struct album {
	struct album_conf conf;
	struct entry *by_ref;
	struct entry **v; /* by id - 1 */
	size_t n, cap;
	uint64_t turn, rev;
	size_t bytes, weight;
	uint32_t images; /* numbers given so far */
	uint32_t *dead;  /* images that the terminal may forget */
	size_t n_dead, cap_dead;
};

/* ---- life ---- */

struct album *album_new(void)
{
	struct album *a = VY_NEW(struct album);

	a->rev = 1;
	a->images = FIRST_IMAGE;
	return a;
}

static void bury(struct album *a, uint32_t image)
{
	if (a->n_dead == a->cap_dead) {
		a->dead = vy_grow(a->dead, &a->cap_dead, a->n_dead + 1, sizeof(*a->dead));
	}
	a->dead[a->n_dead++] = image;
}

static size_t weight_of(const struct print *p)
{
	return p->image ? (size_t)p->w * (size_t)p->h * 4
			: (size_t)p->size.cols * (size_t)p->size.rows * sizeof(*p->cells);
}

static void drop_print(struct album *a, struct print *p)
{
	if (p->size.cols == 0) {
		return;
	}
	if (p->is_sent) {
		bury(a, p->image);
	}
	a->weight -= weight_of(p);
	free(p->cells);
	free(p->rgba);
	*p = (struct print){ 0 };
}

static void drop_prints(struct album *a)
{
	for (size_t i = 0; i < a->n; i++) {
		for (int k = 0; k < PRINTS; k++) {
			drop_print(a, &a->v[i]->prints[k]);
		}
	}
	a->rev++;
}

static void drop_bytes(struct album *a, struct entry *e)
{
	a->bytes -= e->n;
	free(e->bytes);
	e->bytes = NULL;
	e->n = 0;
}

void album_clear(struct album *a)
{
	drop_prints(a);
	HASH_CLEAR(hh, a->by_ref);
	for (size_t i = 0; i < a->n; i++) {
		drop_bytes(a, a->v[i]);
		free(a->v[i]->ref);
		free(a->v[i]->why);
		free(a->v[i]);
	}
	a->n = 0;
}

void album_free(struct album *a)
{
	if (a) {
		album_clear(a);
		free(a->v);
		free(a->dead);
		free(a);
	}
}

void album_set(struct album *a, const struct album_conf *conf)
{
	const struct album_conf *c = &a->conf;
	bool is_other = c->look != conf->look || c->is_256 != conf->is_256 ||
			c->ground != conf->ground || c->cell_w != conf->cell_w ||
			c->cell_h != conf->cell_h;

	if (is_other) {
		drop_prints(a);
	} else if (c->rows != conf->rows) {
		a->rev++;
	}
	a->conf = *conf;
}

uint64_t album_rev(const struct album *a)
{
	return a->rev;
}

/* ---- entries and prints ---- */

static struct entry *entry_of(struct album *a, struct vy_str ref)
{
	struct entry *e = NULL;

	HASH_FIND(hh, a->by_ref, ref.p, ref.n, e);
	if (e || a->n == ENTRIES_MAX || ref.n == 0) {
		return e;
	}
	e = VY_NEW(struct entry);
	e->ref = vy_memdup0(ref.p, ref.n);
	HASH_ADD_KEYPTR(hh, a->by_ref, e->ref, ref.n, e);
	if (a->n == a->cap) {
		a->v = vy_grow(a->v, &a->cap, a->n + 1, sizeof(struct entry *));
	}
	a->v[a->n++] = e;
	e->id = (uint32_t)a->n;
	return e;
}

static struct entry *by_id(const struct album *a, uint32_t id)
{
	return id > 0 && id <= a->n ? a->v[id - 1] : NULL;
}

static enum develop_kind kind_of(const struct album *a)
{
	return a->conf.look == ALBUM_PIXELS ? DEVELOP_PIXELS
	       : a->conf.is_256             ? DEVELOP_CELLS_256
					    : DEVELOP_CELLS_RGB;
}

static struct print *print_of(struct entry *e, struct fit_size size)
{
	for (int k = 0; k < PRINTS; k++) {
		struct print *p = &e->prints[k];

		if (p->size.cols == size.cols && p->size.rows == size.rows && size.cols > 0) {
			return p;
		}
	}
	return NULL;
}

/* ---- drawing ---- */

void album_get(struct album *a, const struct album_ask *ask, struct album_view *out)
{
	struct entry *e = a->conf.look == ALBUM_CAPTIONS ? NULL : entry_of(a, ask->ref);
	struct fit_room room = { .cols = ask->cols,
		.rows = ask->is_open     ? a->conf.rows * 2
			: ask->share > 1 ? a->conf.rows / ask->share
					 : a->conf.rows,
		.cell_w = a->conf.cell_w,
		.cell_h = a->conf.cell_h };

	*out = (struct album_view){ 0 };
	if (!e) {
		return;
	}
	out->why = e->why;
	if (e->why) {
		return;
	}
	room.rows = room.rows < ROWS_MIN ? ROWS_MIN : room.rows;
	out->id = e->id;
	out->size = e->w ? fit_into(e->w, e->h, room) : fit_into(ask->w, ask->h, room);
	const struct print *p = print_of(e, out->size);

	if (p) {
		out->cells = p->cells;
		out->image = p->is_sent ? p->image : 0;
	}
}

void album_turn(struct album *a)
{
	a->turn++;
}

void album_see(struct album *a, uint32_t id, struct fit_size size)
{
	struct entry *e = by_id(a, id);
	struct print *p;

	if (!e) {
		a->rev++; /* of what was cleared meanwhile: it is drawn anew */
		return;
	}
	if (size.cols == 0 && e->w > 0) {
		return; /* there is no room for it */
	}
	p = print_of(e, size);
	e->wants = p == NULL || (e->seen == a->turn && e->wants);
	e->want = p ? e->want : size;
	e->seen = a->turn;
	if (p) {
		p->seen = a->turn;
	}
}

/* ---- too much ---- */

static void trim_bytes(struct album *a)
{
	while (a->bytes > BYTES_MAX) {
		struct entry *oldest = NULL;

		for (size_t i = 0; i < a->n; i++) {
			struct entry *e = a->v[i];

			if (e->bytes && e->seen < a->turn && (!oldest || e->seen < oldest->seen)) {
				oldest = e;
			}
		}
		if (!oldest) {
			return; /* all of them are in sight */
		}
		drop_bytes(a, oldest);
	}
}

static void trim_prints(struct album *a)
{
	while (a->weight > PRINTS_MAX) {
		struct print *oldest = NULL;

		for (size_t i = 0; i < a->n * PRINTS; i++) {
			struct print *p = &a->v[i / PRINTS]->prints[i % PRINTS];

			if (p->size.cols && p->seen < a->turn &&
				(!oldest || p->seen < oldest->seen)) {
				oldest = p;
			}
		}
		if (!oldest) {
			return;
		}
		drop_print(a, oldest);
		a->rev++;
	}
}

/* ---- jobs ---- */

static void describe_develop(const struct album *a, const struct entry *e, struct album_job *out)
{
	/* Where nothing says how large it is the decoder does, whatever it is asked for. */
	bool is_sized = e->want.cols > 0;

	out->bytes = vy_str_n(e->bytes, e->n);
	out->want = (struct develop_want){ .kind = kind_of(a),
		.size = is_sized ? e->want : (struct fit_size){ 1, 1 },
		.cell_w = a->conf.cell_w,
		.cell_h = a->conf.cell_h,
		.ground = a->conf.ground };
}

static bool is_job(
	const struct album *a, struct entry *e, enum album_task task, struct album_job *out)
{
	if (e->seen != a->turn || e->why) {
		return false;
	}
	out->id = e->id;
	out->ref = e->ref;
	for (int k = 0; k < PRINTS && task == ALBUM_SEND; k++) {
		const struct print *p = &e->prints[k];

		if (p->rgba && p->seen == a->turn) {
			out->image = p->image;
			out->rgba = p->rgba;
			out->w = p->w;
			out->h = p->h;
			out->want.size = p->size;
			return true;
		}
	}
	if (task == ALBUM_DEVELOP && e->wants && e->bytes && (e->want.cols > 0 || e->w == 0)) {
		describe_develop(a, e, out);
		return true;
	}
	return task == ALBUM_FETCH && e->wants && !e->bytes;
}

bool album_next(struct album *a, enum album_task task, struct album_job *out)
{
	*out = (struct album_job){ .task = task };
	if (task == ALBUM_UNSEND) {
		out->image = a->n_dead ? a->dead[0] : 0;
		return a->n_dead > 0;
	}
	for (size_t i = 0; i < a->n && a->conf.look != ALBUM_CAPTIONS; i++) {
		if (is_job(a, a->v[i], task, out)) {
			return true;
		}
	}
	return false;
}

void album_fetched(struct album *a, uint32_t id, struct vy_str bytes, int64_t w, int64_t h)
{
	struct entry *e = by_id(a, id);

	if (!e) {
		return;
	}
	drop_bytes(a, e);
	e->bytes = vy_memdup0(bytes.p, bytes.n);
	e->n = bytes.n;
	a->bytes += e->n;
	if (!e->is_sure && w > 0 && h > 0) {
		e->w = w;
		e->h = h;
	}
	a->rev++;
	trim_bytes(a);
}

void album_missed(struct album *a, uint32_t id, const char *why)
{
	struct entry *e = by_id(a, id);

	if (e) {
		drop_bytes(a, e);
		free(e->why);
		e->why = vy_strdup(why);
		a->rev++;
	}
}

static const char *sentence(enum decode_end end)
{
	switch (end) {
	case DECODE_UNKNOWN: return _("it is no PNG, JPEG, GIF or WebP");
	case DECODE_TOO_LARGE: return _("it is too large to be shown");
	case DECODE_OK:
	case DECODE_BROKEN:
	case DECODE_ENDS:
	default: return _("it is broken");
	}
}

static struct print *free_print(struct album *a, struct entry *e)
{
	struct print *oldest = &e->prints[0];

	for (int k = 0; k < PRINTS; k++) {
		if (e->prints[k].size.cols == 0) {
			return &e->prints[k];
		}
		oldest = e->prints[k].seen < oldest->seen ? &e->prints[k] : oldest;
	}
	drop_print(a, oldest);
	return oldest;
}

static void keep_print(
	struct album *a, struct entry *e, const struct develop_want *want, struct developed *d)
{
	struct print *p = free_print(a, e);

	*p = (struct print){ .size = want->size,
		.cells = d->cells,
		.rgba = d->rgba,
		.w = d->w,
		.h = d->h,
		.image = want->kind == DEVELOP_PIXELS ? ++a->images : 0,
		.seen = a->turn };
	d->cells = NULL;
	d->rgba = NULL;
	a->weight += weight_of(p);
}

void album_developed(struct album *a, const struct album_job *job, struct developed *d)
{
	struct entry *e = by_id(a, job->id);

	if (e && d->end != DECODE_OK) {
		album_missed(a, job->id, sentence(d->end));
	} else if (e) {
		bool is_as_said = e->w == d->own_w && e->h == d->own_h;

		e->is_sure = true;
		e->w = d->own_w;
		e->h = d->own_h;
		e->wants = false;
		if (is_as_said && job->want.kind == kind_of(a)) {
			keep_print(a, e, &job->want, d);
		}
		a->rev++;
		trim_prints(a);
	}
	developed_fini(d);
}

/* ---- images in the terminal ---- */

void album_sent(struct album *a, uint32_t image)
{
	for (size_t i = 0; i < a->n * PRINTS; i++) {
		struct print *p = &a->v[i / PRINTS]->prints[i % PRINTS];

		if (p->image == image && p->rgba) {
			free(p->rgba);
			p->rgba = NULL;
			p->is_sent = true;
			a->rev++;
			return;
		}
	}
	bury(a, image); /* it is not wanted any more */
}

void album_unsent(struct album *a, uint32_t image)
{
	for (size_t i = 0; i < a->n_dead; i++) {
		if (a->dead[i] == image) {
			a->dead[i] = a->dead[--a->n_dead];
			return;
		}
	}
}

void album_again(struct album *a)
{
	drop_prints(a);
}
