/* fold_back.c -- see fold.h: what the newest rewind folded away, and a redo would bring back. */
#include "shared/model/fold_own.h"

#include "shared/base/ban.h"

/* The newest that is in force: a redo makes the rewinds behind where it goes back to undone. Going
 * back leads to what is seen; only a redo leads to what is not. */
static const struct fold_rewind *in_force(const struct vy_fold *f)
{
	uint64_t as_of = UINT64_MAX;

	for (size_t i = f->nrewinds; i-- > 0;) {
		const struct fold_rewind *w = &f->rewinds[i];

		if (w->at > as_of) {
			continue;
		}
		if (w->to == 0 || fold_is_visible(f, w->to, w->at - 1)) {
			return w;
		}
		as_of = w->to;
	}
	return NULL;
}

static bool is_said(const struct fold_row *r)
{
	return r->row.kind == VY_ROW_MESSAGE && !r->row.withheld;
}

/* A person's is one; the blocks of one of the assistant's count once. */
static bool is_other(const struct fold_row *r, const struct fold_row *before)
{
	return !before || !vy_str_eq(r->row.message.message, before->row.message.message);
}

bool vy_fold_back(const struct vy_fold *f, struct vy_fold_back *out)
{
	const struct fold_rewind *w = in_force(f);
	const struct fold_row *before = NULL;

	*out = (struct vy_fold_back){ 0 };
	if (!w) {
		return false;
	}
	/* From the end: where the session went on, the first look says so. */
	for (size_t i = f->all.n; i-- > 0;) {
		const struct fold_row *r = f->all.v[i];

		if (!is_said(r) || r->row.first <= w->to) {
			continue;
		}
		if (r->row.first > w->at) {
			return false;
		}
		if (fold_is_visible(f, r->row.first, w->at - 1)) {
			out->messages += is_other(r, before);
			before = r;
		}
	}
	return f->queued.n == 0;
}
