/* pack.c -- a run, read (pack.h): which frames it has, and what each looks like.
 *
 * Opening it finds where its entries are; a frame is put together only when it is asked for. */
#include "server/log/pack.h"

#include <stdlib.h>

#include "server/log/pack_in.h"
#include "server/log/zip.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define MERGED_FRAMES 512 /* of a merged frame, and bytes of its text before it is written */
#define MERGED_BYTES  (32 * 1024)

struct entry {
	int64_t cur, n;     /* the first; how many */
	struct vy_str line; /* of a literal */
	size_t shape, shown, seq, first;
	int64_t off;
};

struct pack {
	struct vy_buf bytes;
	struct pack_shape *shapes;
	size_t n_shapes;
	int64_t *seqs;
	size_t n_seqs;
	struct entry *entries;
	size_t n_entries;
	int64_t last;
	struct vy_buf line;
};

/* ---- opening ---- */

static void read_shapes(struct pack *p, struct numbers *r)
{
	p->n_shapes = (size_t)number_read(r);
	if (p->n_shapes > PACK_SHAPES) {
		r->is_bad = true;
		p->n_shapes = 0;
	}
	p->shapes = vy_calloc(p->n_shapes + 1, sizeof(*p->shapes));
	for (size_t i = 0; i < p->n_shapes; i++) {
		for (int k = 0; k < SHAPE_PARTS; k++) {
			p->shapes[i].parts[k] = number_read_str(r);
		}
		p->shapes[i].is_expired = number_read(r) != 0;
	}
}

static void read_seqs(struct pack *p, struct numbers *r)
{
	p->n_seqs = (size_t)number_read(r);
	if (p->n_seqs > r->left.n) {
		r->is_bad = true;
		p->n_seqs = 0;
	}
	p->seqs = vy_calloc(p->n_seqs + 1, sizeof(*p->seqs));
	for (size_t i = 0; i < p->n_seqs; i++) {
		p->seqs[i] = (int64_t)number_read(r);
	}
}

static void read_entry(const struct pack *p, struct numbers *r, struct entry *en)
{
	en->shape = (size_t)number_read(r);
	if (en->shape == 0) {
		en->line = number_read_str(r);
		en->n = 1;
		r->is_bad |= en->line.n == 0;
		return;
	}
	en->shape--;
	en->seq = (size_t)number_read(r);
	en->first = (size_t)number_read(r);
	en->n = (int64_t)number_read(r);
	en->off = number_read_signed(r);
	en->shown = (size_t)number_read(r);
	r->is_bad |= en->shape >= p->n_shapes || en->shown > p->n_shapes || en->seq >= p->n_seqs ||
		     en->n < 1 || en->n > PACK_FRAMES || en->first > INT32_MAX;
}

static void read_entries(struct pack *p, struct numbers *r, int64_t first)
{
	p->n_entries = (size_t)number_read(r);
	if (p->n_entries > r->left.n) {
		r->is_bad = true;
		p->n_entries = 0;
	}
	p->entries = vy_calloc(p->n_entries + 1, sizeof(*p->entries));
	for (size_t i = 0; i < p->n_entries && !r->is_bad; i++) {
		p->entries[i].cur = first;
		read_entry(p, r, &p->entries[i]);
		first += p->entries[i].n;
	}
	p->last = first - 1;
}

struct pack *pack_open(struct vy_str row, int64_t first, struct vy_err *e)
{
	struct pack *p = VY_NEW(struct pack);
	struct numbers r = { .is_bad = row.n == 0 || row.p[0] != PACK_MARK };

	p->bytes = VY_BUF_INIT(PACK_UNZIPPED);
	p->line = VY_BUF_INIT(2 * VY_FRAME_MAX);
	if (!r.is_bad && unzip(vy_str_from(row, 1), &p->bytes, e) < 0) {
		pack_free(p);
		return NULL;
	}
	r.left = vy_buf_str(&p->bytes);
	read_shapes(p, &r);
	read_seqs(p, &r);
	read_entries(p, &r, first);
	if (r.is_bad || p->n_entries == 0) {
		pack_free(p);
		vy_fail(e, VY_CORRUPT, "a packed run is damaged");
		return NULL;
	}
	return p;
}

void pack_free(struct pack *p)
{
	if (p) {
		vy_buf_fini(&p->bytes);
		vy_buf_fini(&p->line);
		free(p->shapes);
		free(p->seqs);
		free(p->entries);
		free(p);
	}
}

int64_t pack_last(const struct pack *p)
{
	return p->last;
}

int64_t pack_seq(const struct pack *p, size_t i)
{
	return i < p->n_seqs ? p->seqs[i] : 0;
}

/* ---- a frame ---- */

static char *put_number(char *end, uint64_t n, unsigned base)
{
	do {
		*--end = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	return end;
}

static void add_number(struct vy_buf *b, int64_t n, unsigned base)
{
	char digits[24], *end = digits + sizeof(digits);
	char *begin = put_number(end, (uint64_t)n, base);

	vy_buf_add(b, begin, (size_t)(end - begin));
}

/* Up to the text. */
static void begin_line(
	struct pack *p, const struct pack_shape *s, int64_t cur, int64_t off, int64_t time)
{
	vy_buf_clear(&p->line);
	vy_buf_addstr(&p->line, s->parts[SHAPE_ID]);
	add_number(&p->line, cur + off, 16);
	vy_buf_addstr(&p->line, s->parts[SHAPE_CUR]);
	add_number(&p->line, cur, 10);
	vy_buf_addstr(&p->line, s->parts[SHAPE_TIME]);
	add_number(&p->line, time, 10);
	vy_buf_addstr(&p->line, s->parts[SHAPE_TEXT]);
}

/* Pieces [at, at + n) as one frame; their texts are one slice. */
static void write_merged(struct pack *p, const struct pack_shape *s, const struct piece *v,
	int64_t n, int64_t cur, int64_t off)
{
	const struct piece *end = &v[n - 1];
	struct vy_str text = vy_str_n(v->text.p, (size_t)(end->text.p + end->text.n - v->text.p));

	begin_line(p, s, cur, off, end->time);
	pack_escape(text, &p->line);
	vy_buf_addstr(&p->line, s->parts[SHAPE_DATA]);
	vy_buf_adds(&p->line, ",\"parts\":[");
	for (int64_t i = 0; i < n; i++) {
		vy_buf_adds(&p->line, i ? "," : NULL);
		add_number(&p->line, (int64_t)vy_utf16_len(v[i].text), 10);
	}
	vy_buf_adds(&p->line, "]},\"span\":");
	add_number(&p->line, n, 10);
	vy_buf_addstr(&p->line, vy_str_from(s->parts[SHAPE_REST], 1));
}

static void write_one(
	struct pack *p, const struct pack_shape *s, const struct piece *v, int64_t cur, int64_t off)
{
	begin_line(p, s, cur, off, v->time);
	if (!s->is_expired) {
		pack_escape(v->text, &p->line);
	}
	vy_buf_addstr(&p->line, s->parts[SHAPE_DATA]);
	vy_buf_addstr(&p->line, s->parts[SHAPE_REST]);
}

/* How many pieces from v on, of `most`, go into one frame. */
static int64_t joins(const struct piece *v, int64_t most)
{
	size_t bytes = v->text.n;
	int64_t n = 1;

	most = most < MERGED_FRAMES ? most : MERGED_FRAMES;
	while (n < most && v[n].text.p == v[n - 1].text.p + v[n - 1].text.n &&
		bytes + v[n].text.n <= MERGED_BYTES) {
		bytes += v[n++].text.n;
	}
	return n;
}

/* ---- reading ---- */

static int give(
	struct pack *p, int64_t cur, int64_t span, store_frame_fn *fn, void *ctx, struct vy_err *e)
{
	struct store_frame f = { cur, vy_buf_str(&p->line), span };

	if (vy_buf_is_over(&p->line)) {
		return vy_fail(e, VY_CORRUPT, "a packed frame is too large");
	}
	return !fn(ctx, &f);
}

static int read_pieces(struct pack *p, const struct entry *en, const struct pieces *w, int64_t from,
	const struct store_reading *how, store_frame_fn *fn, void *ctx, struct vy_err *e)
{
	bool is_shown = en->shown && !how->is_whole;
	const struct pack_shape *s = &p->shapes[is_shown ? en->shown - 1 : en->shape];
	int rc = 0;

	for (int64_t i = from > en->cur ? from - en->cur : 0; i < en->n && rc == 0;) {
		const struct piece *v = &w->v[en->first + (size_t)i];
		int64_t most = how->merge_to - (en->cur + i) + 1, n = 1;

		most = most < en->n - i ? most : en->n - i;
		n = most > 1 && !s->is_expired ? joins(v, most) : 1;
		i += n;
		if (n > 1) {
			write_merged(p, s, v, n, en->cur + i - 1, en->off);
		} else {
			write_one(p, s, v, en->cur + i - 1, en->off);
		}
		rc = give(p, en->cur + i - 1, n, fn, ctx, e);
	}
	return rc;
}

int pack_read(struct pack *p, int64_t from, const struct store_reading *how, pack_words_fn *words,
	store_frame_fn *fn, void *ctx, void *words_ctx, struct vy_err *e)
{
	static const struct store_reading plain;
	int rc = 0;

	for (size_t i = 0; i < p->n_entries && rc == 0; i++) {
		const struct entry *en = &p->entries[i];
		struct pieces *w;

		if (en->cur + en->n <= from) {
			continue;
		}
		if (en->line.n) {
			rc = !fn(ctx, &(struct store_frame){ en->cur, en->line, 1 });
			continue;
		}
		w = words(words_ctx, p->seqs[en->seq], e);
		if (!w) {
			return -1;
		}
		if (en->first + (size_t)en->n > w->n) {
			return vy_fail(e, VY_CORRUPT, "event %lld has fewer words than its frames",
				(long long)p->seqs[en->seq]);
		}
		rc = read_pieces(p, en, w, from, how ? how : &plain, fn, ctx, e);
	}
	return rc;
}
