/* journal.h -- the chain of events of the whole database (wire 7): what happened, in one order, with
 * proof that nobody changed it since.
 *
 * A row's hash is SHA-256 over every column but the data, of which it takes the digest, and over the
 * hash of the row before (`prev`). So a row can lose its data, when its session is deleted, and the
 * chain still fits; any other change is found by whoever walks it: at the row itself, or, had
 * somebody reckoned that one anew, at the next. What it cannot show is that its newest rows are
 * missing altogether. Events are made by derive.h alone.
 *
 * The head is a value in memory that runs ahead of the store as rows are staged: a commit that fails
 * leaves them staged, and they are written later as they are. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "server/log/store.h"
#include "shared/base/err.h"
#include "shared/base/hash.h"

struct journal {
	int64_t seq; /* of the newest row; 0: there is none */
	uint8_t head[VY_SHA256_LEN];
	uint8_t prev[VY_SHA256_LEN], data_hash[VY_SHA256_LEN]; /* what a sealed row points to */
};

/* Where the store's journal ends. */
VY_MUST_USE int journal_open(struct log_store *s, struct journal *j, struct vy_err *e);

/* Gives the event its number and its place in the chain. Its hashes are lent until the next one. */
void journal_seal(struct journal *j, struct row_journal *r);

/* ---- reading it with suspicion ---- */

/* Why the row does not follow the row before it (seq and hash; 0 and zeroes before the first), or
 * NULL: it does. *is_erased: it has lost its data. */
const char *journal_misfit(const struct row_journal *r, int64_t seq_before,
	const uint8_t hash_before[VY_SHA256_LEN], bool *is_erased);

/* A walk, a run of rows at a time: nothing is held for long, and the journal may grow meanwhile.
 *
 *	struct journal_walk w = { 0 };
 *	do {
 *		journal_walk_run(&w, &like);
 *		each(…, &like, journal_look, &w, e);
 *	} while (w.is_full); */
struct journal_walk {
	int64_t seq; /* where it stands, and the hash there */
	uint8_t hash[VY_SHA256_LEN];
	int64_t rows, erased; /* that fit; of them without their data */
	int64_t bad;          /* the first row that does not fit; 0: none yet */
	char why[160];        /* its type, its session and what is wrong */
	bool is_full;         /* this run ended and there may be more */
	int left;             /* of this run: rows, and bytes of data */
	int64_t left_bytes;
};

void journal_walk_run(struct journal_walk *w, struct store_row *like);
bool journal_look(void *ctx, const struct store_row *row); /* a store_row_fn; ctx: the walk */

#endif
