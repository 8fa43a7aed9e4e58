/* fold_page.c -- a session in pages, the newest first: what a page may begin behind, and older pages
 * put in front; see fold.h. */
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/fold_own.h"
#include "shared/base/ban.h"

/* ---- where a page begins ---- */

bool vy_fold_may_begin(const struct vy_frame *frame)
{
	enum vy_state state;

	return frame->kind == VY_KIND_STATUS && !vy_frame_has(frame, VY_F_REWOUND) &&
	       vy_state_parse(vy_frame_str(frame, VY_F_STATE), &state) && state == VY_STATE_WAITING;
}

static bool lacks(const struct vy_fold *f, const char *what, struct vy_str id)
{
	FOLD_KEY(b);

	return id.n > 0 && !fold_find(f, fold_key(&b, what, id));
}

static bool knows_term(const struct vy_fold *f, struct vy_str term)
{
	for (size_t i = 0; i < f->nterms; i++) {
		if (vy_str_eq(f->terms[i].term, term)) {
			return true;
		}
	}
	return false;
}

bool vy_fold_crosses(const struct vy_fold *f, const struct vy_frame *frame)
{
	struct vy_str parent = vy_frame_str(frame, VY_F_PARENT);

	switch (frame->kind) {
	case VY_KIND_TOOL_PROGRESS:
	case VY_KIND_TOOL_FINISHED: return lacks(f, "tool", vy_frame_str(frame, VY_F_TOOL_ID));
	case VY_KIND_TOOL_STARTED: return lacks(f, "tool", vy_frame_str(frame, VY_F_PARENT_TOOL));
	case VY_KIND_ASK: return lacks(f, "tool", vy_frame_str(frame, VY_F_TOOL_ID));
	case VY_KIND_ASK_ANSWERED: return lacks(f, "ask", vy_frame_str(frame, VY_F_ASK_ID));
	case VY_KIND_TEXT_DELTA: return lacks(f, "tool", parent);
	case VY_KIND_TERM_CHUNK: return !knows_term(f, vy_frame_str(frame, VY_F_TERM));
	default: return false;
	}
}

bool vy_fold_ends(const struct vy_fold *f, const struct vy_frame *frame)
{
	return (frame->kind == VY_KIND_TOOL_PROGRESS || frame->kind == VY_KIND_TOOL_FINISHED ||
		       frame->kind == VY_KIND_ASK_ANSWERED) &&
	       !vy_fold_crosses(f, frame);
}

/* ---- older pages ---- */

uint64_t vy_fold_older(const struct vy_fold *f)
{
	return f->older;
}

/* Rewinds of an older page are older than all there are. */
static void put_rewinds_in_front(struct vy_fold *f, const struct vy_fold *page)
{
	uint64_t first = f->nrewinds ? f->rewinds[0].at : UINT64_MAX;
	size_t n = 0;

	while (n < page->nrewinds && page->rewinds[n].at < first) {
		n++;
	}
	if (n == 0) {
		return;
	}
	f->rewinds = vy_grow(f->rewinds, &f->rewinds_cap, f->nrewinds + n, sizeof(f->rewinds[0]));
	memmove(f->rewinds + n, f->rewinds, f->nrewinds * sizeof(f->rewinds[0]));
	memcpy(f->rewinds, page->rewinds, n * sizeof(f->rewinds[0]));
	f->nrewinds += n;
}

/* The new rows stand at the end of `all`; `n` are older than the others. */
static void turn_round(struct fold_list *all, size_t n)
{
	struct fold_row **old = vy_calloc(all->n + 1, sizeof(struct fold_row *));

	memcpy(old, all->v, all->n * sizeof(*old));
	memcpy(all->v, old + (all->n - n), n * sizeof(*old));
	memcpy(all->v + n, old, (all->n - n) * sizeof(*old));
	free(old);
}

int vy_fold_load_older(struct vy_fold *f, const struct vy_json *snapshot, struct vy_err *e)
{
	const struct vy_json *rows = vy_json_get(snapshot, "rows");
	uint64_t before = (uint64_t)vy_json_int(snapshot, "before", 0);
	struct vy_fold rewinds = { 0 };
	size_t had = f->all.n;

	if (vy_json_type(rows) != VY_JSON_ARR || !f->older || before >= f->older) {
		return vy_fail(e, VY_BAD_INPUT, "this is no older page");
	}
	for (size_t i = 0; i < vy_json_len(rows); i++) {
		if (fold_load_old_row(f, vy_json_at(rows, i), e) < 0) {
			vy_wrap(e, "an older page");
			break; /* what came stays: it is in order */
		}
	}
	turn_round(&f->all, f->all.n - had);
	fold_load_rewinds(&rewinds, vy_json_path(snapshot, "fold.rewinds"));
	put_rewinds_in_front(f, &rewinds);
	free(rewinds.rewinds);
	f->older = before;
	f->state.asks = f->asks.n;
	fold_reshow(f);
	return 0;
}
