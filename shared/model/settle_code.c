/* settle_code.c -- a settlement as JSON, back, and as the deltas it was made of (settle.h).
 *
 *	{"attempt", "blocks": [{"index", "kind": "text"|"reasoning", "stream": [[at, dt], …],
 *	"text"}], "from", "message", "order"?: [[block, pieces], …], "parent"?, "reason"?,
 *	"started", "to", "usage"?}
 *
 * Keys are written sorted: that is the canonical form. `order` is there only when the blocks did not
 * come one after another. */
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/model/settle.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

/* ---- writing ---- */

static void write_pair(int64_t a, int64_t b, struct vy_jw *w)
{
	vy_jw_arr(w);
	vy_jw_int(w, a);
	vy_jw_int(w, b);
	vy_jw_end_arr(w);
}

static void write_block(const struct vy_settled_block *b, const char *stream, struct vy_jw *w)
{
	vy_jw_obj(w);
	vy_jw_kint(w, "index", b->index);
	vy_jw_kstr(w, "kind", vy_str_c(b->is_reasoning ? "reasoning" : "text"));
	vy_jw_key(w, stream);
	vy_jw_arr(w);
	for (size_t i = 0; i < b->n; i++) {
		write_pair(b->pieces[i].at, b->pieces[i].dt, w);
	}
	vy_jw_end_arr(w);
	vy_jw_kstr(w, "text", b->text);
	vy_jw_end_obj(w);
}

static bool is_in_order(const struct vy_settlement *s)
{
	for (size_t i = 0; i < s->n_runs; i++) {
		if (s->runs[i].block != i) {
			return false;
		}
	}
	return true;
}

static void write_usage(struct vy_str usage, struct vy_jw *w)
{
	VY_AUTO_JSON *v = vy_json_parse(usage, NULL);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_FRAME_MAX);

	if (v && vy_json_dump_canonical(v, &text)) {
		vy_jw_key(w, "usage");
		vy_jw_raw(w, vy_buf_str(&text));
	}
}

static void write_if(const char *key, struct vy_str s, struct vy_jw *w)
{
	if (s.n) {
		vy_jw_kstr(w, key, s);
	}
}

static void write_blocks(const struct vy_settlement *s, const char *stream, struct vy_jw *w)
{
	vy_jw_key(w, "blocks");
	vy_jw_arr(w);
	for (size_t i = 0; i < s->n_blocks; i++) {
		write_block(&s->blocks[i], stream, w);
	}
	vy_jw_end_arr(w);
}

static void write_order(const struct vy_settlement *s, struct vy_jw *w)
{
	if (is_in_order(s)) {
		return;
	}
	vy_jw_key(w, "order");
	vy_jw_arr(w);
	for (size_t i = 0; i < s->n_runs; i++) {
		write_pair((int64_t)s->runs[i].block, (int64_t)s->runs[i].n, w);
	}
	vy_jw_end_arr(w);
}

void vy_settlement_write_blocks(const struct vy_settlement *s, const char *stream, struct vy_jw *w)
{
	write_blocks(s, stream, w);
	write_order(s, w);
}

void vy_settlement_encode(const struct vy_settlement *s, struct vy_buf *out)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "attempt", s->attempt);
	write_blocks(s, "stream", &w);
	vy_jw_kint(&w, "from", s->from);
	vy_jw_kstr(&w, "message", s->message);
	write_order(s, &w);
	write_if("parent", s->parent, &w);
	write_if("reason", s->reason, &w);
	vy_jw_kint(&w, "started", s->started);
	vy_jw_kint(&w, "to", s->to);
	if (s->usage.n) {
		write_usage(s->usage, &w);
	}
	vy_jw_end_obj(&w);
}

/* ---- reading ---- */

static int bad(struct vy_err *e, const char *what)
{
	return vy_fail(e, VY_CORRUPT, "a settlement's %s is not one", what);
}

static int64_t item(const struct vy_json *pair, size_t i)
{
	return vy_json_intval(vy_json_at(pair, i), -1);
}

/* Pieces begin at 0 and never go back or past the end. */
static int read_block(const struct vy_json *v, const char *name, struct vy_arena *mem,
	struct vy_settled_block *b, struct vy_err *e)
{
	const struct vy_json *stream = vy_json_get(v, name);
	int64_t units, before = 0;
	struct vy_piece *p;

	*b = (struct vy_settled_block){
		.index = vy_json_int(v, "index", -1),
		.is_reasoning = vy_str_is(vy_json_str(v, "kind"), "reasoning"),
		.text = vy_arena_str(mem, vy_json_str(v, "text")),
		.n = vy_json_len(stream),
	};
	units = (int64_t)vy_utf16_len(b->text);
	b->pieces = p = vy_arena_calloc(mem, b->n + 1, sizeof(*p));
	for (size_t i = 0; i < b->n; i++) {
		const struct vy_json *pair = vy_json_at(stream, i);

		p[i] = (struct vy_piece){ item(pair, 0), item(pair, 1) };
		if (vy_json_len(pair) != 2 || p[i].at < before || p[i].at > units ||
			(i == 0 && p[i].at != 0) || p[i].dt < -VY_PIECE_DT_MAX ||
			p[i].dt > VY_PIECE_DT_MAX) {
			return bad(e, "stream");
		}
		before = p[i].at;
	}
	return b->index < 0 || b->n == 0 ? bad(e, "block") : 0;
}

/* Every piece of every block comes once. */
static int read_order(
	const struct vy_json *v, struct vy_arena *mem, struct vy_settlement *s, struct vy_err *e)
{
	const struct vy_json *order = vy_json_get(v, "order");
	size_t *seen = vy_arena_calloc(mem, s->n_blocks + 1, sizeof(*seen));
	struct vy_piece_run *runs;

	s->n_runs = order ? vy_json_len(order) : s->n_blocks;
	s->runs = runs = vy_arena_calloc(mem, s->n_runs + 1, sizeof(*runs));
	for (size_t i = 0; i < s->n_runs; i++) {
		const struct vy_json *pair = vy_json_at(order, i);
		int64_t block = order ? item(pair, 0) : (int64_t)i;
		int64_t n = order ? item(pair, 1) : (int64_t)s->blocks[i].n;

		if (block < 0 || (size_t)block >= s->n_blocks || n < 1 ||
			(size_t)n > s->blocks[block].n - seen[block]) {
			return bad(e, "order");
		}
		runs[i] = (struct vy_piece_run){ (size_t)block, (size_t)n };
		seen[block] += (size_t)n;
	}
	for (size_t i = 0; i < s->n_blocks; i++) {
		if (seen[i] != s->blocks[i].n) {
			return bad(e, "order");
		}
	}
	return 0;
}

int vy_settlement_read_blocks(const struct vy_json *v, const char *stream, struct vy_arena *mem,
	struct vy_settlement *out, struct vy_err *e)
{
	const struct vy_json *blocks = vy_json_get(v, "blocks");
	struct vy_settled_block *b;

	out->n_blocks = vy_json_len(blocks);
	out->blocks = b = vy_arena_calloc(mem, out->n_blocks + 1, sizeof(*b));
	for (size_t i = 0; i < out->n_blocks; i++) {
		if (read_block(vy_json_at(blocks, i), stream, mem, &b[i], e) < 0) {
			return -1;
		}
	}
	return read_order(v, mem, out, e);
}

static struct vy_str usage_of(const struct vy_json *v, struct vy_arena *mem)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_FRAME_MAX);

	if (!vy_json_get(v, "usage") || !vy_json_dump_canonical(vy_json_get(v, "usage"), &text)) {
		return vy_str_n(NULL, 0);
	}
	return vy_arena_str(mem, vy_buf_str(&text));
}

int vy_settlement_decode(
	struct vy_str data, struct vy_arena *mem, struct vy_settlement *out, struct vy_err *e)
{
	VY_AUTO_JSON *v = vy_json_parse(data, e);

	if (!v) {
		return -1;
	}
	*out = (struct vy_settlement){
		.attempt = vy_arena_str(mem, vy_json_str(v, "attempt")),
		.message = vy_arena_str(mem, vy_json_str(v, "message")),
		.parent = vy_arena_str(mem, vy_json_str(v, "parent")),
		.reason = vy_arena_str(mem, vy_json_str(v, "reason")),
		.usage = usage_of(v, mem),
		.started = vy_json_int(v, "started", 0),
		.from = vy_json_int(v, "from", 0),
		.to = vy_json_int(v, "to", 0),
	};
	if (out->message.n == 0 || out->attempt.n == 0) {
		return bad(e, "name");
	}
	return vy_settlement_read_blocks(v, "stream", mem, out, e);
}

/* ---- the deltas again ---- */

/* Where a block's next piece is. */
struct place {
	size_t piece, byte;
};

static struct vy_str next_text(const struct vy_settled_block *b, struct place *at)
{
	struct vy_str rest = vy_str_from(b->text, at->byte);

	at->piece++;
	if (at->piece < b->n) {
		rest.n = vy_utf16_at(
			rest, (size_t)(b->pieces[at->piece].at - b->pieces[at->piece - 1].at));
	}
	at->byte += rest.n;
	return rest;
}

void vy_settlement_deltas(const struct vy_settlement *s, vy_settlement_fn *fn, void *ctx)
{
	struct vy_arena mem;
	struct place *places;
	int64_t time = s->started;

	vy_arena_init(&mem);
	places = vy_arena_calloc(&mem, s->n_blocks + 1, sizeof(*places));
	for (size_t i = 0; i < s->n_runs; i++) {
		const struct vy_settled_block *b = &s->blocks[s->runs[i].block];
		struct place *at = &places[s->runs[i].block];

		for (size_t k = 0; k < s->runs[i].n; k++) {
			struct vy_frame f;

			time += b->pieces[at->piece].dt;
			vy_frame_init(&f, VY_KIND_TEXT_DELTA);
			f.time = time;
			f.turn = s->turn;
			f.author = s->author;
			f.acts_for = s->acts_for;
			vy_frame_set_str(&f, VY_F_MESSAGE, s->message);
			vy_frame_set_int(&f, VY_F_INDEX, b->index);
			vy_frame_set_str(&f, VY_F_TEXT, next_text(b, at));
			if (b->is_reasoning) {
				vy_frame_set_bool(&f, VY_F_REASONING, true);
			}
			if (s->parent.n) {
				vy_frame_set_str(&f, VY_F_PARENT, s->parent);
			}
			fn(ctx, &f);
		}
	}
	vy_arena_fini(&mem);
}
