/* compact.c -- see compact.h.
 *
 *	mark, level, then four columns, each as length and zipped bytes:
 *	head     attempt, message, parent, reason, usage; started, from, to; blocks (index, is reasoning,
 *	         pieces, bytes of text, guess); runs, none when the blocks came one after another
 *	lengths  of all pieces but the last of each block, less what was guessed
 *	times    of all pieces
 *	texts    one behind the other */
#include "server/log/compact.h"

#include "server/log/numbers.h"
#include "server/log/zip.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define MARK        ((char)0xC5) /* never the first byte of JSON, nor of UTF-8 text of ours */
#define COLUMN_MAX  (16 * VY_MIB)
#define DATA_MAX    (64 * VY_MIB)
#define HEAD_LEN    2
#define BLOCKS_MOST (256 * 1024)

enum column { HEAD, LENGTHS, TIMES, TEXTS, COLUMNS };

int compact_level(struct vy_str data)
{
	return data.n > HEAD_LEN && data.p[0] == MARK ? data.p[1] : 0;
}

/* ---- where a piece ends, guessed ---- */

/* Words come with the blank before them, or with the one behind. */
enum guess { GUESS_NONE, GUESS_BEFORE, GUESS_BEHIND, GUESSES };

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* A longer word is no word: without a bound, megabytes that have no blank are read once for each piece. */
#define WORD_MOST 256

/* The length of the piece that begins here, in UTF-16 units. */
static int64_t guess_length(struct vy_str text, enum guess how)
{
	size_t n = 0;

	if (how == GUESS_NONE) {
		return 0;
	}
	if (text.n > WORD_MOST) { /* and at the end of a character */
		n = WORD_MOST;
		while (n < text.n && ((unsigned char)text.p[n] & 0xC0) == 0x80) {
			n++;
		}
		text.n = n;
		n = 0;
	}
	while (how == GUESS_BEFORE && n < text.n && is_blank(text.p[n])) {
		n++;
	}
	while (n < text.n && !is_blank(text.p[n])) {
		n++;
	}
	while (how == GUESS_BEHIND && n < text.n && is_blank(text.p[n])) {
		n++;
	}
	return (int64_t)vy_utf16_len(vy_str_n(text.p, n));
}

/* The lengths of a block by one guess: how many bytes that are not 0. */
static size_t write_lengths(const struct vy_settled_block *b, enum guess how, struct vy_buf *out)
{
	struct vy_str rest = b->text;
	size_t misses = 0;

	for (size_t i = 0; i + 1 < b->n; i++) {
		int64_t len = b->pieces[i + 1].at - b->pieces[i].at;
		int64_t off = len - guess_length(rest, how);

		misses += off != 0;
		number_add_signed(out, off);
		rest = vy_str_from(rest, vy_utf16_at(rest, (size_t)len));
	}
	return misses;
}

static enum guess best_guess(const struct vy_settled_block *b)
{
	enum guess best = GUESS_NONE;
	size_t least = b->n;

	for (int how = GUESS_BEFORE; how < GUESSES; how++) {
		VY_AUTO_BUF lengths = VY_BUF_INIT(COLUMN_MAX);
		size_t misses = write_lengths(b, (enum guess)how, &lengths);

		if (misses < least) {
			least = misses;
			best = (enum guess)how;
		}
	}
	return best;
}

/* ---- writing ---- */

static bool is_in_order(const struct vy_settlement *s)
{
	for (size_t i = 0; i < s->n_runs; i++) {
		if (s->runs[i].block != i) {
			return false;
		}
	}
	return s->n_runs == s->n_blocks;
}

static void write_columns(const struct vy_settlement *s, struct vy_buf c[COLUMNS])
{
	const struct vy_str texts[] = { s->attempt, s->message, s->parent, s->reason, s->usage };
	size_t runs = is_in_order(s) ? 0 : s->n_runs;

	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		number_add_str(&c[HEAD], texts[i]);
	}
	number_add_signed(&c[HEAD], s->started);
	number_add_signed(&c[HEAD], s->from);
	number_add_signed(&c[HEAD], s->to);
	number_add(&c[HEAD], s->n_blocks);
	for (size_t i = 0; i < s->n_blocks; i++) {
		const struct vy_settled_block *b = &s->blocks[i];
		enum guess how = best_guess(b);

		number_add_signed(&c[HEAD], b->index);
		number_add(&c[HEAD], b->is_reasoning);
		number_add(&c[HEAD], b->n);
		number_add(&c[HEAD], b->text.n);
		number_add(&c[HEAD], how);
		write_lengths(b, how, &c[LENGTHS]);
		for (size_t k = 0; k < b->n; k++) {
			number_add_signed(&c[TIMES], b->pieces[k].dt);
		}
		vy_buf_addstr(&c[TEXTS], b->text);
	}
	number_add(&c[HEAD], runs);
	for (size_t i = 0; i < runs; i++) {
		number_add(&c[HEAD], s->runs[i].block);
		number_add(&c[HEAD], s->runs[i].n);
	}
}

static bool write_zipped(const struct vy_settlement *s, int level, struct vy_buf *out)
{
	struct vy_buf c[COLUMNS], small = VY_BUF_INIT(COLUMN_MAX + VY_MIB);
	bool is_whole = true;

	for (int i = 0; i < COLUMNS; i++) {
		c[i] = VY_BUF_INIT(COLUMN_MAX);
	}
	write_columns(s, c);
	vy_buf_addc(out, MARK);
	vy_buf_addc(out, (char)level);
	for (int i = 0; i < COLUMNS; i++) {
		vy_buf_clear(&small);
		is_whole &= !vy_buf_is_over(&c[i]) && zip(vy_buf_str(&c[i]), level, &small);
		number_add_str(out, vy_buf_str(&small));
		vy_buf_fini(&c[i]);
	}
	vy_buf_fini(&small);
	return is_whole && !vy_buf_is_over(out);
}

bool compact_make(struct vy_str json, int level, struct vy_buf *out)
{
	VY_AUTO_BUF back = VY_BUF_INIT(DATA_MAX);
	size_t before = out->len;
	struct vy_settlement s;
	struct vy_arena mem;
	bool is_same;

	vy_arena_init(&mem);
	is_same = vy_settlement_decode(json, &mem, &s, NULL) == 0 && write_zipped(&s, level, out) &&
		  compact_json(vy_str_from(vy_buf_str(out), before), &back, NULL) == 0 &&
		  vy_str_eq(vy_buf_str(&back), json);
	vy_arena_fini(&mem);
	if (!is_same) {
		vy_buf_truncate(out, before);
	}
	return is_same;
}

/* ---- reading ---- */

struct reading {
	struct numbers head, lengths, times, texts;
	struct vy_arena *mem;
};

static struct vy_str keep(struct reading *r, struct vy_str s)
{
	return s.n ? vy_arena_str(r->mem, s) : vy_str_n(NULL, 0);
}

static struct vy_str take(struct numbers *r, uint64_t n)
{
	struct vy_str s = vy_str_n(r->left.p, r->left.n < n ? r->left.n : (size_t)n);

	r->is_bad |= s.n < n;
	r->left = vy_str_from(r->left, s.n);
	return s;
}

static void read_block(struct reading *r, struct vy_settled_block *b)
{
	struct vy_piece *p;
	struct vy_str rest;
	enum guess how;

	b->index = number_read_signed(&r->head);
	b->is_reasoning = number_read(&r->head) != 0;
	b->n = (size_t)number_read(&r->head);
	b->text = rest = keep(r, take(&r->texts, number_read(&r->head)));
	how = (enum guess)number_read(&r->head);
	if (r->head.is_bad || b->n == 0 || b->n > r->times.left.n || how >= GUESSES) {
		r->head.is_bad = true;
		b->n = 0;
		return;
	}
	b->pieces = p = vy_arena_calloc(r->mem, b->n, sizeof(*p));
	for (size_t i = 0; i < b->n; i++) {
		p[i].dt = number_read_signed(&r->times);
		if (i + 1 < b->n) {
			int64_t len = guess_length(rest, how) + number_read_signed(&r->lengths);

			r->head.is_bad |= len < 0 || (size_t)len > rest.n;
			len = r->head.is_bad ? 0 : len;
			p[i + 1].at = p[i].at + len;
			rest = vy_str_from(rest, vy_utf16_at(rest, (size_t)len));
		}
	}
}

/* Every piece of every block comes once. */
static void read_runs(struct reading *r, struct vy_settlement *s)
{
	size_t n = (size_t)number_read(&r->head), *left;
	struct vy_piece_run *runs;

	if (n > r->head.left.n) {
		r->head.is_bad = true;
		return;
	}
	s->n_runs = n ? n : s->n_blocks;
	s->runs = runs = vy_arena_calloc(r->mem, s->n_runs + 1, sizeof(*runs));
	left = vy_arena_calloc(r->mem, s->n_blocks + 1, sizeof(*left));
	for (size_t i = 0; i < s->n_blocks; i++) {
		left[i] = s->blocks[i].n;
	}
	for (size_t i = 0; i < s->n_runs && !r->head.is_bad; i++) {
		size_t block = n ? (size_t)number_read(&r->head) : i;
		size_t pieces = n ? (size_t)number_read(&r->head) : s->blocks[i].n;

		r->head.is_bad |= block >= s->n_blocks || pieces == 0 || pieces > left[block];
		if (!r->head.is_bad) {
			runs[i] = (struct vy_piece_run){ block, pieces };
			left[block] -= pieces;
		}
	}
	for (size_t i = 0; i < s->n_blocks; i++) {
		r->head.is_bad |= left[i] != 0;
	}
}

static void read_settlement(struct reading *r, struct vy_settlement *s)
{
	struct vy_str *const texts[] = { &s->attempt, &s->message, &s->parent, &s->reason,
		&s->usage };
	struct vy_settled_block *b;

	*s = (struct vy_settlement){ 0 };
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		*texts[i] = keep(r, number_read_str(&r->head));
	}
	s->started = number_read_signed(&r->head);
	s->from = number_read_signed(&r->head);
	s->to = number_read_signed(&r->head);
	s->n_blocks = (size_t)number_read(&r->head);
	if (r->head.is_bad || s->n_blocks > BLOCKS_MOST || s->n_blocks > r->head.left.n) {
		r->head.is_bad = true;
		return;
	}
	s->blocks = b = vy_arena_calloc(r->mem, s->n_blocks + 1, sizeof(*b));
	for (size_t i = 0; i < s->n_blocks && !r->head.is_bad; i++) {
		read_block(r, &b[i]);
	}
	if (!r->head.is_bad) {
		read_runs(r, s);
	}
}

static int read_compact(
	struct vy_str data, struct vy_arena *mem, struct vy_settlement *out, struct vy_err *e)
{
	struct numbers all = { .left = vy_str_from(data, HEAD_LEN) };
	struct vy_buf c[COLUMNS];
	int rc = 0;

	for (int i = 0; i < COLUMNS; i++) {
		c[i] = VY_BUF_INIT(COLUMN_MAX);
		rc = rc < 0 ? rc : unzip(number_read_str(&all), &c[i], e);
	}
	if (rc == 0) {
		struct reading r = { { vy_buf_str(&c[HEAD]), false },
			{ vy_buf_str(&c[LENGTHS]), false }, { vy_buf_str(&c[TIMES]), false },
			{ vy_buf_str(&c[TEXTS]), false }, mem };

		read_settlement(&r, out);
		if (r.head.is_bad || r.lengths.is_bad || r.times.is_bad || r.texts.is_bad) {
			rc = vy_fail(e, VY_CORRUPT, "a packed settlement is damaged");
		}
	}
	for (int i = 0; i < COLUMNS; i++) {
		vy_buf_fini(&c[i]);
	}
	return rc;
}

int compact_read(
	struct vy_str data, struct vy_arena *mem, struct vy_settlement *out, struct vy_err *e)
{
	return compact_level(data) ? read_compact(data, mem, out, e)
				   : vy_settlement_decode(data, mem, out, e);
}

int compact_json(struct vy_str data, struct vy_buf *out, struct vy_err *e)
{
	struct vy_settlement s;
	struct vy_arena mem;
	int rc;

	vy_arena_init(&mem);
	rc = read_compact(data, &mem, &s, e);
	if (rc == 0) {
		vy_settlement_encode(&s, out);
		if (vy_buf_is_over(out)) {
			rc = vy_fail(e, VY_CORRUPT, "a packed settlement is too large");
		}
	}
	vy_arena_fini(&mem);
	return rc;
}
