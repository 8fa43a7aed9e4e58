/* journal_verify.c -- the walk over a journal (journal.h). */
#include "server/log/journal.h"

#include "shared/base/ban.h"

#define RUN_ROWS   1000
#define RUN_BYTES  (2 * 1024 * 1024) /* some milliseconds of SHA-256 */
#define TYPE_SHOWN 32
#define ID_SHOWN   48

void journal_walk_run(struct journal_walk *w, struct store_row *like)
{
	*like = (struct store_row){ .kind = ROW_JOURNAL,
		.journal = { .seq = w->seq ? w->seq + 1 : INT64_MIN } };
	w->is_full = false;
	w->left = RUN_ROWS;
	w->left_bytes = RUN_BYTES;
}

static struct vy_str shown(struct vy_str s, size_t most)
{
	return vy_str_n(s.p, s.n < most ? s.n : most);
}

bool journal_look(void *ctx, const struct store_row *row)
{
	struct journal_walk *w = ctx;
	const struct row_journal *r = &row->journal;
	bool is_erased;
	const char *why = journal_misfit(r, w->seq, w->hash, &is_erased);

	if (why) {
		w->bad = r->seq;
		snprintf(w->why, sizeof(w->why), "%.*s of %.*s: %s",
			VY_STR_ARG(shown(r->type, TYPE_SHOWN)),
			VY_STR_ARG(shown(r->session, ID_SHOWN)), why);
		return false;
	}
	w->seq = r->seq;
	memcpy(w->hash, r->hash.p, sizeof(w->hash));
	w->rows++;
	w->erased += is_erased;
	w->left--;
	w->left_bytes -= (int64_t)r->data.n;
	w->is_full = w->left <= 0 || w->left_bytes <= 0;
	return !w->is_full;
}
