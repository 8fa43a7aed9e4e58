/* merge.c -- see merge.h.
 *
 * The run is a copy of its first frame (in an arena) whose text, or decoded bytes, and lengths
 * grow in two buffers; what the last frame says (id, corr, time, cursor) replaces what was there.
 * The frame is put together only when it is taken. */
#include "shared/frame/merge.h"

#include "shared/base/hash.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/frame/parts.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* The encoded frame holds the text (up to six bytes for one), the parts and the rest. */
#define RUN_MAX (VY_FRAME_MAX - 32 * VY_KIB)

void vy_merge_init(struct vy_merge *m)
{
	*m = (struct vy_merge){
		.text = VY_BUF_INIT(VY_FRAME_TEXT_MAX),
		.b64 = VY_BUF_INIT(VY_FRAME_B64_MAX),
		.parts = VY_BUF_INIT(RUN_MAX),
	};
	vy_arena_init(&m->keep);
}

void vy_merge_fini(struct vy_merge *m)
{
	vy_buf_fini(&m->text);
	vy_buf_fini(&m->b64);
	vy_buf_fini(&m->parts);
	vy_arena_fini(&m->keep);
	m->any = false;
}

static bool can_merge(const struct vy_frame *f)
{
	return (f->kind == VY_KIND_TEXT_DELTA || f->kind == VY_KIND_TERM_CHUNK) &&
	       f->cur >= f->span && f->span >= 1 && !vy_frame_is_expired(f);
}

static bool same_str(const struct vy_frame *a, const struct vy_frame *b, enum vy_fid id)
{
	return vy_str_eq(vy_frame_str(a, id), vy_frame_str(b, id));
}

static bool continues(const struct vy_merge *m, const struct vy_frame *f)
{
	const struct vy_frame *run = &m->run;

	if (f->kind != run->kind || vy_frame_first(f) != run->cur + 1 ||
		!vy_str_eq(f->session, run->session) || !vy_str_eq(f->turn, run->turn) ||
		!vy_str_eq(f->author, run->author) || !vy_str_eq(f->acts_for, run->acts_for) ||
		!vy_str_eq(f->message, run->message)) {
		return false;
	}
	if (f->kind == VY_KIND_TERM_CHUNK) {
		return same_str(f, run, VY_F_TERM) &&
		       vy_frame_int(f, VY_F_OFFSET, -1) ==
			       vy_frame_int(run, VY_F_OFFSET, 0) + (int64_t)m->text.len;
	}
	return same_str(f, run, VY_F_MESSAGE) && same_str(f, run, VY_F_PARENT) &&
	       vy_frame_int(f, VY_F_INDEX, -1) == vy_frame_int(run, VY_F_INDEX, -1) &&
	       vy_frame_bool(f, VY_F_REASONING) == vy_frame_bool(run, VY_F_REASONING);
}

/* What the text grows to when it is written as JSON; terminal bytes are base64. */
static size_t escapes(const struct vy_frame *f, struct vy_str s)
{
	size_t n = 0;

	if (f->kind == VY_KIND_TERM_CHUNK) {
		return s.n / 3 + 4;
	}
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		n += c < 0x20 ? 5 : c == '"' || c == '\\';
	}
	return n;
}

/* The lengths of the frame's own pieces, behind those already there. */
static bool add_parts(struct vy_merge *m, const struct vy_frame *f, struct vy_str piece)
{
	struct vy_str own = vy_frame_str(f, VY_F_PARTS);
	struct vy_jw w = { .b = &m->parts, .comma = m->parts.len > 0 };
	struct vy_parts p;
	size_t len;

	if (own.n == 0) {
		len = f->kind == VY_KIND_TERM_CHUNK ? piece.n : vy_utf16_len(piece);
		vy_jw_int(&w, (int64_t)len);
		return !vy_buf_is_over(&m->parts);
	}
	vy_parts_init(&p, own);
	while (vy_parts_next(&p, &len)) {
		vy_jw_int(&w, (int64_t)len);
	}
	return p.ok && !vy_buf_is_over(&m->parts);
}

/* Adds the frame's text and lengths; leaves both as they were when it would be too much. */
static bool grow(struct vy_merge *m, const struct vy_frame *f, struct vy_str piece)
{
	size_t text = m->text.len, parts = m->parts.len, cost = m->escapes + escapes(f, piece);

	if (add_parts(m, f, piece) && vy_buf_addstr(&m->text, piece) &&
		m->text.len + m->parts.len + cost <= RUN_MAX) {
		m->escapes = cost;
		return true;
	}
	vy_buf_truncate(&m->text, text);
	vy_buf_truncate(&m->parts, parts);
	m->text.over = m->parts.over = false;
	return false;
}

static void begin(struct vy_merge *m, const struct vy_frame *f)
{
	vy_arena_reset(&m->keep);
	vy_buf_clear(&m->text);
	vy_buf_clear(&m->parts);
	m->escapes = 0;
	vy_frame_dup(f, &m->keep, &m->run);
	m->any = true;
}

/* The last frame's id, corr, time and cursor. The ids are short, and a run is at most 64 KiB. */
static void follow(struct vy_merge *m, const struct vy_frame *f)
{
	m->run.cur = f->cur;
	m->run.span += f->span;
	m->run.time = f->time;
	m->run.id = vy_arena_str(&m->keep, f->id);
	m->run.corr = f->corr.n ? vy_arena_str(&m->keep, f->corr) : f->corr;
}

static bool add(struct vy_merge *m, const struct vy_frame *f, struct vy_str piece)
{
	if (!m->any) {
		begin(m, f);
		m->any = grow(m, f, piece);
		return m->any;
	}
	if (!continues(m, f) || !grow(m, f, piece)) {
		return false;
	}
	follow(m, f);
	return true;
}

bool vy_merge_add(struct vy_merge *m, const struct vy_frame *f)
{
	if (!can_merge(f)) {
		return false;
	}
	if (f->kind == VY_KIND_TEXT_DELTA) {
		return add(m, f, vy_frame_str(f, VY_F_TEXT));
	}
	char bytes[VY_FRAME_B64_MAX];
	long n = vy_base64_decode(vy_frame_str(f, VY_F_B64), bytes, sizeof(bytes));

	return n >= 0 && add(m, f, vy_str_n(bytes, (size_t)n));
}

const struct vy_frame *vy_merge_take(struct vy_merge *m)
{
	if (!m->any) {
		return NULL;
	}
	m->any = false;
	if (m->run.span == 1) {
		return &m->run; /* as it came */
	}
	char *parts = vy_arena_printf(&m->keep, "[%s]", vy_buf_c(&m->parts));

	vy_frame_set_json(&m->run, VY_F_PARTS, vy_str_c(parts));
	if (m->run.kind == VY_KIND_TEXT_DELTA) {
		vy_frame_set_str(&m->run, VY_F_TEXT, vy_buf_str(&m->text));
		return &m->run;
	}
	vy_buf_clear(&m->b64);
	bool fits = vy_buf_reserve(&m->b64, (m->text.len + 2) / 3 * 4 + 1);

	vy_assert(fits);
	m->b64.len = vy_base64(m->text.data, m->text.len, m->b64.data);
	vy_frame_set_str(&m->run, VY_F_B64, vy_buf_str(&m->b64));
	return &m->run;
}

/* ---- trim ---- */

/* Units in the first k pieces, and the lengths of the others as text. */
static int split(
	const struct vy_frame *f, uint64_t k, struct vy_buf *rest, size_t *units, struct vy_err *e)
{
	struct vy_parts p;
	size_t len;
	uint64_t i = 0;

	*units = 0;
	vy_buf_addc(rest, '[');
	vy_parts_init(&p, vy_frame_str(f, VY_F_PARTS));
	for (; vy_parts_next(&p, &len); i++) {
		if (i < k) {
			*units += len;
		} else {
			vy_buf_addf(rest, i == k ? "%zu" : ",%zu", len);
		}
	}
	vy_buf_addc(rest, ']');
	return p.ok && i == f->span ? 0 : vy_fail(e, VY_BAD_INPUT, "the parts do not fit the span");
}

static int trim_text(struct vy_frame *f, size_t units, struct vy_err *e)
{
	struct vy_str text = vy_frame_str(f, VY_F_TEXT);
	size_t at = vy_utf16_at(text, units);

	if (vy_utf16_len(vy_str_n(text.p, at)) != units) {
		return vy_fail(e, VY_BAD_INPUT, "the parts do not fit the text");
	}
	vy_frame_set_str(f, VY_F_TEXT, vy_str_from(text, at));
	return 0;
}

static int trim_bytes(struct vy_frame *f, size_t drop, struct vy_arena *a, struct vy_err *e)
{
	struct vy_str b64 = vy_frame_str(f, VY_F_B64);
	char *bytes = vy_arena_alloc(a, b64.n + 1);
	long n = vy_base64_decode(b64, bytes, b64.n);

	if (n < 0 || (size_t)n < drop) {
		return vy_fail(e, VY_BAD_INPUT, "the parts do not fit the bytes");
	}
	size_t left = (size_t)n - drop;
	char *out = vy_arena_alloc(a, (left + 2) / 3 * 4 + 1);

	vy_frame_set_str(f, VY_F_B64, vy_str_n(out, vy_base64(bytes + drop, left, out)));
	vy_frame_set_int(f, VY_F_OFFSET, vy_frame_int(f, VY_F_OFFSET, 0) + (int64_t)drop);
	return 0;
}

int vy_frame_trim(struct vy_frame *f, uint64_t last, struct vy_arena *a, struct vy_err *e)
{
	uint64_t first = vy_frame_first(f), k = last - first + 1;
	VY_AUTO_BUF rest = VY_BUF_INIT(VY_FRAME_MAX);
	size_t units;

	if (last < first) {
		return 0;
	}
	vy_assert(last < f->cur);
	if (f->kind == VY_KIND_HIDDEN || vy_frame_is_expired(f)) { /* nothing in it to cut */
		f->span -= k;
		return 0;
	}
	if (split(f, k, &rest, &units, e) < 0) {
		return -1;
	}
	if (f->kind == VY_KIND_TERM_CHUNK ? trim_bytes(f, units, a, e) < 0
					  : trim_text(f, units, e) < 0) {
		return -1;
	}
	f->span -= k;
	if (f->span == 1) {
		vy_frame_del(f, VY_F_PARTS);
	} else {
		vy_frame_set_json(f, VY_F_PARTS, vy_arena_str(a, vy_buf_str(&rest)));
	}
	return 0;
}
