/* journal.c -- see journal.h. Walking a database is journal_verify.c. */
#include "server/log/journal.h"

#include "shared/base/buf.h"
#include "shared/base/ban.h"

#define HASHED_MAX 65536 /* all columns of a row but its data; ids are at most 256 bytes */

/* ---- the hash ---- */

static void add_number(struct vy_buf *b, uint64_t n)
{
	uint8_t bytes[8];

	for (int i = 7; i >= 0; i--, n >>= 8) {
		bytes[i] = (uint8_t)n;
	}
	vy_buf_add(b, bytes, sizeof(bytes));
}

/* With its length before it, so no two rows can be the same bytes. */
static void add(struct vy_buf *b, struct vy_str s)
{
	add_number(b, s.n);
	vy_buf_addstr(b, s);
}

static void hash_of(const struct row_journal *r, uint8_t out[VY_SHA256_LEN])
{
	const struct vy_str texts[] = { r->session, r->id, r->type, r->actor, r->chain, r->subject,
		r->turn, r->data_hash };
	VY_AUTO_BUF b = VY_BUF_INIT(HASHED_MAX);

	add(&b, r->prev);
	add_number(&b, (uint64_t)r->seq);
	add_number(&b, (uint64_t)r->time);
	add_number(&b, (uint64_t)r->step);
	for (size_t i = 0; i < VY_COUNT(texts); i++) {
		add(&b, texts[i]);
	}
	vy_sha256(b.data, vy_buf_is_over(&b) ? 0 : b.len, out);
}

static struct vy_str bytes(const uint8_t hash[VY_SHA256_LEN])
{
	return vy_str_n((const char *)hash, VY_SHA256_LEN);
}

/* ---- writing ---- */

void journal_seal(struct journal *j, struct row_journal *r)
{
	memcpy(j->prev, j->head, sizeof(j->prev));
	vy_sha256(r->data.p, r->data.n, j->data_hash);
	r->seq = ++j->seq;
	r->prev = bytes(j->prev);
	r->data_hash = bytes(j->data_hash);
	hash_of(r, j->head);
	r->hash = bytes(j->head);
}

struct end {
	struct journal *j;
	bool is_bad;
};

static bool note_end(void *ctx, const struct store_row *row)
{
	struct end *end = ctx;

	end->is_bad = row->journal.hash.n != VY_SHA256_LEN;
	if (!end->is_bad) {
		end->j->seq = row->journal.seq;
		memcpy(end->j->head, row->journal.hash.p, VY_SHA256_LEN);
	}
	return true;
}

int journal_open(struct log_store *s, struct journal *j, struct vy_err *e)
{
	struct store_row like = { .kind = ROW_JOURNAL, .journal = { .seq = -1 } };
	struct end end = { j, false };

	*j = (struct journal){ 0 };
	if (s->ops->each(s, &like, note_end, &end, e) < 0) {
		return -1;
	}
	return end.is_bad ? vy_fail(e, VY_CORRUPT, "the journal's last row has no hash") : 0;
}

/* ---- reading ---- */

const char *journal_misfit(const struct row_journal *r, int64_t seq_before,
	const uint8_t hash_before[VY_SHA256_LEN], bool *is_erased)
{
	uint8_t want[VY_SHA256_LEN];

	*is_erased = r->data.n == 0;
	if (r->seq != seq_before + 1) {
		return "a row is missing before it";
	}
	if (!vy_str_eq(r->prev, bytes(hash_before))) {
		return "it does not follow the row before it";
	}
	if (!*is_erased) {
		vy_sha256(r->data.p, r->data.n, want);
		if (!vy_str_eq(r->data_hash, bytes(want))) {
			return "its data was altered";
		}
	}
	hash_of(r, want);
	return vy_str_eq(r->hash, bytes(want)) ? NULL : "it was altered";
}
