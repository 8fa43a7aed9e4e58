/* pack_make.c -- how a run is made (pack.h).
 *
 * A line is cut at the five places where deltas of one block differ. Its text and time are looked for in
 * the settlements: where the last frame's piece ended, else from the place where it must lie at the
 * latest, downwards. Any piece of that text and time is as good as another; whether all came out right
 * is seen by reading it back. */
#include <stdlib.h>
#include <string.h>

#include "server/log/pack_in.h"
#include "server/log/zip.h"
#include "shared/base/arena.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/base/ban.h"

#define HEAD       "{\"v\":1,\"id\":\""
#define TO_CUR     "\",\"cur\":"
#define DELTA      "\"type\":\"session.text-delta\",\"time\":"
#define TO_TEXT    ",\"text\":\""
#define TO_MESSAGE "\"data\":{\"message\":\""
#define TO_PARENT  ",\"parent\":\""
#define SHELL      "\"type\":\"session.term-chunk\",\"time\":"
#define HEX_MAX    15
#define SEQS_MOST  512

/* ---- a line, taken apart ---- */

static struct vy_str between(const char *from, const char *to)
{
	return vy_str_n(from, (size_t)(to - from));
}

/* Where `key` begins, at or behind `at`; NULL: nowhere. It has a bare quote, so never inside a text. */
static const char *find(const char *at, const char *end, const char *key)
{
	return memmem(at, (size_t)(end - at), key, strlen(key));
}

static const char *read_digits(const char *p, const char *end, int64_t *n)
{
	const char *begin = p;

	for (*n = 0; p < end && *p >= '0' && *p <= '9' && p - begin < 18; p++) {
		*n = *n * 10 + (*p - '0');
	}
	return p > begin && (*begin != '0' || p - begin == 1) ? p : NULL;
}

static bool read_hex(struct vy_str s, int64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
			return false;
		}
		*n = *n * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return s.n > 0 && s.n <= HEX_MAX && s.p[0] != '0';
}

/* The quote that ends a text, or the first bracket outside of texts. */
static const char *find_end(const char *p, const char *end, char what)
{
	bool is_text = what == '"';

	for (; p < end; p++) {
		if (*p == '\\') {
			p++;
		} else if (*p == what && (what == '"' || !is_text)) {
			return p;
		} else if (*p == '"') {
			is_text = !is_text;
		}
	}
	return NULL;
}

bool pack_cut_line(struct vy_str line, int64_t cur, struct pack_cut *out)
{
	const char *end = line.p + line.n, *id = line.p + sizeof(HEAD) - 1, *at, *quote;
	struct vy_str *parts = out->shape.parts;
	int64_t n;

	if (!vy_str_starts(line, HEAD) || !(at = find(id, end, TO_CUR)) ||
		at - id <= PACK_ID_PREFIX || memchr(id, '\\', (size_t)(at - id)) ||
		!read_hex(between(id + PACK_ID_PREFIX, at), &out->id)) {
		return false;
	}
	parts[SHAPE_ID] = between(line.p, id + PACK_ID_PREFIX);
	parts[SHAPE_CUR] = vy_str_n(at, sizeof(TO_CUR) - 1);
	if (!(id = read_digits(at + sizeof(TO_CUR) - 1, end, &n)) || n != cur ||
		!(at = find(id, end, DELTA))) {
		return false;
	}
	parts[SHAPE_TIME] = between(id, at + sizeof(DELTA) - 1);
	if (!(id = read_digits(at + sizeof(DELTA) - 1, end, &out->time))) {
		return false;
	}
	at = find(id, end, TO_TEXT);
	out->shape.is_expired = at == NULL;
	at = at ? at + sizeof(TO_TEXT) - 1 : find(id, end, "\"expired\":true}");
	quote = at && !out->shape.is_expired ? find_end(at, end, '"') : at;
	if (!quote) {
		return false;
	}
	parts[SHAPE_TEXT] = between(id, at);
	out->text = between(at, quote);
	at = find_end(quote + !out->shape.is_expired, end, '}');
	if (!at) {
		return false;
	}
	parts[SHAPE_DATA] = between(quote, at);
	parts[SHAPE_REST] = between(at, end);
	return !find(quote, at, ",\"parts\":") && !find(at, end, ",\"span\":");
}

bool pack_same_shape(const struct pack_shape *a, const struct pack_shape *b)
{
	for (int i = SHAPE_PARTS - 1; i >= 0; i--) {
		if (!vy_str_eq(a->parts[i], b->parts[i])) {
			return false;
		}
	}
	return a->is_expired == b->is_expired;
}

void pack_escape(struct vy_str text, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);
	size_t before = out->len;

	vy_jw_str(&w, text);
	if (!vy_buf_is_over(out) && out->len >= before + 2) { /* without its quotes */
		memmove(out->data + before, out->data + before + 1, out->len - before - 2);
		vy_buf_truncate(out, out->len - 2);
	}
}

/* ---- the run under way ---- */

struct known {
	struct pack_shape shape;
	const struct pieces *words; /* in which the message's deltas stand; NULL: none */
	size_t shown;               /* its expired twin's place + 1 */
};

struct segment {
	size_t shape, seq, first, n, shown;
	int64_t off;
};

struct making {
	const struct pack_source *src;
	struct vy_buf entries, escaped;
	struct vy_arena mem;
	struct known shapes[PACK_SHAPES];
	size_t n_shapes;
	int64_t seqs[SEQS_MOST];
	size_t n_seqs, n_entries;
	struct segment open;     /* n: 0: none */
	const struct pieces *at; /* whose next piece is at_piece */
	size_t at_piece;
	int64_t expires;
};

static void end_segment(struct making *m)
{
	struct segment *g = &m->open;

	if (g->n) {
		number_add(&m->entries, g->shape + 1);
		number_add(&m->entries, g->seq);
		number_add(&m->entries, g->first);
		number_add(&m->entries, g->n);
		number_add_signed(&m->entries, g->off);
		number_add(&m->entries, g->shown);
		m->n_entries++;
		g->n = 0;
	}
}

static void add_literal(struct making *m, struct vy_str line)
{
	end_segment(m);
	number_add(&m->entries, 0);
	number_add_str(&m->entries, line);
	m->n_entries++;
}

/* ---- what expires ---- */

/* The frame without its words; empty: it cannot be made, or only looks like one whose words expire (what a
 * private message holds may look like anything). */
static struct vy_str expired_line(struct making *m, struct vy_str line, struct vy_buf *out)
{
	struct vy_frame f;

	if (vy_frame_decode(line, &m->mem, &f, NULL) < 0 ||
		(f.kind != VY_KIND_TEXT_DELTA && f.kind != VY_KIND_TERM_CHUNK)) {
		return vy_str_n(NULL, 0);
	}
	vy_frame_del(&f, VY_F_TEXT);
	vy_frame_del(&f, VY_F_B64);
	vy_frame_del(&f, VY_F_PARTS);
	vy_frame_set_bool(&f, VY_F_EXPIRED, true);
	return vy_frame_encode(&f, out) ? vy_buf_str(out) : vy_str_n(NULL, 0);
}

static bool is_expired(const struct making *m, int64_t time)
{
	return time < m->src->expire_before;
}

static void note_expiry(struct making *m, int64_t time)
{
	m->expires = time > m->expires ? time : m->expires;
}

/* A frame that is kept as it is, unless its words expire. */
static void add_other(struct making *m, const struct store_frame *f)
{
	VY_AUTO_BUF line = VY_BUF_INIT(VY_FRAME_MAX);
	const char *end = f->bytes.p + f->bytes.n, *at = find(f->bytes.p, end, SHELL);
	struct vy_str as = f->bytes;
	int64_t time;

	at = at ? at : find(f->bytes.p, end, DELTA);
	at = at ? find(at, end, "\"time\":") : NULL;
	if (at && !find(at, end, "\"expired\":true") &&
		read_digits(at + sizeof("\"time\":") - 1, end, &time)) {
		if (!is_expired(m, time)) {
			note_expiry(m, time);
		} else if ((as = expired_line(m, f->bytes, &line)).n == 0) {
			as = f->bytes;
		}
	}
	add_literal(m, as);
}

/* ---- what its settlement says ---- */

static bool is_piece(struct making *m, const struct pieces *w, size_t i, const struct pack_cut *c)
{
	if (i >= w->n || w->v[i].time != c->time) {
		return false;
	}
	if (vy_str_eq(w->v[i].text, c->text)) {
		return !c->text.n || !memchr(c->text.p, '\\', c->text.n);
	}
	vy_buf_clear(&m->escaped);
	pack_escape(w->v[i].text, &m->escaped);
	return vy_str_eq(vy_buf_str(&m->escaped), c->text);
}

/* The piece's place, or SIZE_MAX. */
static size_t find_piece(
	struct making *m, const struct pieces *w, int64_t cur, const struct pack_cut *c)
{
	int64_t latest = cur - w->from;

	if (m->at == w && is_piece(m, w, m->at_piece, c)) {
		return m->at_piece;
	}
	latest = latest < (int64_t)w->n ? latest : (int64_t)w->n - 1;
	for (; latest >= 0; latest--) {
		if (is_piece(m, w, (size_t)latest, c)) {
			return (size_t)latest;
		}
	}
	return SIZE_MAX;
}

/* As a text of the frame says it; what is escaped is not taken. */
static struct vy_str raw_text(struct vy_str in, const char *key)
{
	const char *end = in.p + in.n, *at = in.n ? find(in.p, end, key) : NULL, *quote;

	at = at ? at + strlen(key) : NULL;
	quote = at ? memchr(at, '"', (size_t)(end - at)) : NULL;
	return quote ? between(at, quote) : vy_str_n(NULL, 0);
}

static const struct pieces *words_of(struct making *m, const struct pack_shape *s, int64_t cur)
{
	struct vy_str message = raw_text(s->parts[SHAPE_TEXT], TO_MESSAGE);
	struct vy_str parent = raw_text(s->parts[SHAPE_DATA], TO_PARENT);

	for (size_t i = 0; i < m->src->n_settled; i++) {
		const struct pieces *w = m->src->settled[i];

		if (cur >= w->from && cur < w->to && vy_str_eq(w->message, message) &&
			vy_str_eq(w->parent, parent)) {
			return w;
		}
	}
	return NULL;
}

/* The place of that shape, made when it is new; SIZE_MAX: there are too many. */
static size_t shape_of(struct making *m, const struct pack_shape *s)
{
	for (size_t i = m->n_shapes; i-- > 0;) {
		if (pack_same_shape(&m->shapes[i].shape, s)) {
			return i;
		}
	}
	if (m->n_shapes == PACK_SHAPES) {
		return SIZE_MAX;
	}
	m->shapes[m->n_shapes] = (struct known){ .shape = *s };
	return m->n_shapes++;
}

static size_t seq_of(struct making *m, int64_t seq)
{
	for (size_t i = m->n_seqs; i-- > 0;) {
		if (m->seqs[i] == seq) {
			return i;
		}
	}
	if (m->n_seqs == SEQS_MOST) {
		return SIZE_MAX;
	}
	m->seqs[m->n_seqs] = seq;
	return m->n_seqs++;
}

/* The expired twin of a shape: its place + 1; 0: it has none. */
static size_t twin_of(struct making *m, size_t shape, const struct store_frame *f)
{
	VY_AUTO_BUF line = VY_BUF_INIT(VY_FRAME_MAX);
	struct pack_cut c;
	struct vy_str as;

	if (m->shapes[shape].shown) {
		return m->shapes[shape].shown;
	}
	as = expired_line(m, f->bytes, &line);
	if (as.n && pack_cut_line(vy_arena_str(&m->mem, as), f->cur, &c) && c.shape.is_expired) {
		size_t place = shape_of(m, &c.shape);

		m->shapes[shape].shown = place == SIZE_MAX ? 0 : place + 1;
	}
	return m->shapes[shape].shown;
}

static bool add_piece(struct making *m, const struct store_frame *f)
{
	struct segment *g = &m->open, want;
	struct pack_cut c;
	const struct pieces *w;
	size_t piece;

	if (!pack_cut_line(f->bytes, f->cur, &c) || c.shape.is_expired ||
		(want.shape = shape_of(m, &c.shape)) == SIZE_MAX) {
		return false;
	}
	w = m->shapes[want.shape].words;
	if (!w || f->cur < w->from || f->cur >= w->to) {
		w = m->shapes[want.shape].words = words_of(m, &c.shape, f->cur);
	}
	if (!w || (want.seq = seq_of(m, w->seq)) == SIZE_MAX ||
		(piece = find_piece(m, w, f->cur, &c)) == SIZE_MAX) {
		return false;
	}
	want.shown = is_expired(m, c.time) ? twin_of(m, want.shape, f) : 0;
	if (want.shown == 0) {
		if (is_expired(m, c.time)) {
			return false;
		}
		note_expiry(m, c.time);
	}
	want.off = c.id - f->cur;
	if (!g->n || g->shape != want.shape || g->seq != want.seq || g->first + g->n != piece ||
		g->off != want.off || g->shown != want.shown) {
		end_segment(m);
		*g = want;
		g->first = piece;
		g->n = 0;
	}
	g->n++;
	m->at = w;
	m->at_piece = piece + 1;
	return true;
}

/* ---- the whole ---- */

static void write_all(const struct making *m, struct vy_buf *out)
{
	number_add(out, m->n_shapes);
	for (size_t i = 0; i < m->n_shapes; i++) {
		for (int k = 0; k < SHAPE_PARTS; k++) {
			number_add_str(out, m->shapes[i].shape.parts[k]);
		}
		number_add(out, m->shapes[i].shape.is_expired);
	}
	number_add(out, m->n_seqs);
	for (size_t i = 0; i < m->n_seqs; i++) {
		number_add(out, (uint64_t)m->seqs[i]);
	}
	number_add(out, m->n_entries);
	vy_buf_addstr(out, vy_buf_str(&m->entries));
}

struct back {
	const struct pack_source *src;
	size_t n;
	bool is_same;
};

/* A literal that expired is another line than it was: its words are gone. */
static bool compare(void *ctx, const struct store_frame *f)
{
	struct back *b = ctx;
	const struct store_frame *was = &b->src->frames[b->n++];

	b->is_same = f->cur == was->cur &&
		     (vy_str_eq(f->bytes, was->bytes) ||
			     (b->src->expire_before &&
				     memmem(f->bytes.p, f->bytes.n, "\"expired\":true", 14)));
	return b->is_same;
}

static struct pieces *give_words(void *ctx, int64_t seq, struct vy_err *e)
{
	const struct pack_source *src = ctx;

	for (size_t i = 0; i < src->n_settled; i++) {
		if (src->settled[i]->seq == seq) {
			return src->settled[i];
		}
	}
	vy_fail(e, VY_CORRUPT, "no event %lld", (long long)seq);
	return NULL;
}

static bool reads_back(const struct pack_source *src, struct vy_str row)
{
	const struct store_reading how = { .is_whole = true };
	struct back b = { src, 0, true };
	struct pack *p = pack_open(row, src->frames[0].cur, NULL);
	bool is_read = p && pack_read(p, src->frames[0].cur, &how, give_words, compare, &b,
				    (void *)(uintptr_t)src, NULL) == 0;

	pack_free(p);
	return is_read && b.is_same && b.n == src->n;
}

static bool make(const struct pack_source *src, int level, struct vy_buf *out, int64_t *expires)
{
	struct making *m = VY_NEW(struct making);
	struct vy_buf all = VY_BUF_INIT(PACK_UNZIPPED);
	size_t before = out->len;
	bool is_good;

	m->src = src;
	m->entries = m->escaped = VY_BUF_INIT(PACK_UNZIPPED);
	vy_arena_init(&m->mem);
	for (size_t i = 0; i < src->n; i++) {
		if (!add_piece(m, &src->frames[i])) {
			add_other(m, &src->frames[i]);
		}
	}
	end_segment(m);
	write_all(m, &all);
	*expires = m->expires;
	vy_buf_addc(out, PACK_MARK);
	is_good = !vy_buf_is_over(&m->entries) && !vy_buf_is_over(&all) &&
		  zip(vy_buf_str(&all), level, out) &&
		  reads_back(src, vy_str_from(vy_buf_str(out), before));
	vy_buf_fini(&all);
	vy_buf_fini(&m->entries);
	vy_buf_fini(&m->escaped);
	vy_arena_fini(&m->mem);
	free(m);
	if (!is_good) {
		vy_buf_truncate(out, before);
	}
	return is_good;
}

bool pack_make(const struct pack_source *src, int level, struct vy_buf *out, int64_t *expires)
{
	struct pack_source plain = *src;

	vy_assert(src->n > 0 && src->n <= PACK_FRAMES);
	plain.n_settled = 0;
	return make(src, level, out, expires) || make(&plain, level, out, expires);
}
