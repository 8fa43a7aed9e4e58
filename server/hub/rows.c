/* rows.c -- see rows.h. */
#include "server/hub/rows.h"

#include <stdlib.h>

#include "server/hub/seal.h"
#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/model/fold.h"
#include "shared/base/ban.h"

#define FIRST_FRAMES 4096 /* read back at first; then four times as many, and so on */
#define FEW_ROWS     64   /* enough for a screen, when more would be long to find */

/* A border, and the rows there were. */
struct border {
	int64_t cur;
	size_t rows;
};

struct folding {
	struct vy_fold *fold;
	struct vy_arena arena;
	int64_t to; /* the page's last frame */
	bool has_begun, is_from_start, crosses;
	bool is_agent; /* it reads what agents may */
	struct border *borders;
	size_t n, cap;
};

static void add_border(struct folding *f, int64_t cur)
{
	f->borders = vy_grow(f->borders, &f->cap, f->n + 1, sizeof(*f->borders));
	f->borders[f->n++] = (struct border){ cur, vy_fold_len(f->fold) };
}

/* Behind the page: only what ends something in it. */
static bool take_behind(struct folding *f, const struct vy_frame *frame)
{
	const struct vy_fold_state *s = vy_fold_state(f->fold);

	if (s->running + s->asks == 0) {
		return false;
	}
	if (vy_fold_ends(f->fold, frame)) {
		vy_fold_apply(f->fold, frame, NULL);
	}
	return true;
}

static bool take_frame(struct folding *f, const struct vy_frame *frame)
{
	if ((int64_t)frame->cur > f->to) {
		return take_behind(f, frame);
	}
	if (f->has_begun) {
		if (!f->is_from_start && vy_fold_crosses(f->fold, frame)) {
			f->crosses = true;
			return false;
		}
		vy_fold_apply(f->fold, frame, NULL);
	}
	if (vy_fold_may_begin(frame)) {
		add_border(f, (int64_t)frame->cur);
		f->has_begun = true;
	}
	return true;
}

static bool take(void *ctx, struct frame_ref *ref)
{
	struct folding *f = ctx;
	struct frame_ref *seen = f->is_agent ? seal_for_agent(ref) : frame_ref(ref);
	struct vy_frame frame;
	bool goes_on = true;

	vy_arena_reset(&f->arena);
	if (vy_frame_decode(frame_ref_str(seen), &f->arena, &frame, NULL) == 0) {
		goes_on = take_frame(f, &frame);
	}
	frame_unref(seen);
	return goes_on;
}

/* The border that leaves about as many rows behind it as were asked for; 0: all rows go. */
static int64_t cut_of(const struct folding *f, int64_t rows, bool is_from_start)
{
	size_t len = vy_fold_len(f->fold);

	for (size_t i = f->n; rows > 0 && i-- > 0;) {
		if (len - f->borders[i].rows >= (size_t)rows) {
			return f->borders[i].cur;
		}
	}
	return is_from_start || f->n == 0 ? 0 : f->borders[0].cur;
}

static int fold_from(struct folding *f, struct log *log, const char *session, int64_t after,
	bool is_from_start, struct vy_err *e)
{
	vy_fold_clear(f->fold);
	f->n = 0;
	f->crosses = false;
	f->has_begun = f->is_from_start = is_from_start;
	return log_read_as(
		log, session, after, &(struct store_reading){ .is_whole = true }, take, f, e);
}

static bool is_whole(const struct folding *f, const struct rows_ask *ask, int64_t head)
{
	return f->to < head || !ask->is_whole || ask->is_whole(ask->ctx, ask->session, f->fold);
}

static int fold_page(struct folding *f, struct log *log, const struct rows_ask *ask,
	int64_t *before, struct vy_err *e)
{
	int64_t head = log_head(log, ask->session);
	int64_t start = log_floor(log, ask->session) - 1;

	f->to = ask->to && ask->to < head ? ask->to : head;
	for (int64_t frames = ask->rows ? FIRST_FRAMES : INT64_MAX;; frames *= 4) {
		bool is_from_start = frames >= f->to - start;
		int64_t after = is_from_start ? start : f->to - frames;
		size_t few = ask->rows < FEW_ROWS ? (size_t)ask->rows : FEW_ROWS;

		if (fold_from(f, log, ask->session, after, is_from_start, e) != 0) {
			return -1;
		}
		*before = cut_of(f, ask->rows, is_from_start);
		if (is_from_start ||
			(!f->crosses && vy_fold_len(f->fold) >= few && is_whole(f, ask, head))) {
			return 0;
		}
	}
}

int rows_read(struct log *log, const struct rows_ask *ask, struct vy_fold *fold, int64_t *before,
	struct vy_err *e)
{
	struct folding f = { .fold = fold, .is_agent = ask->is_agent };

	vy_arena_init(&f.arena);
	*before = 0;
	int rc = fold_page(&f, log, ask, before, e);

	vy_arena_fini(&f.arena);
	free(f.borders);
	return rc;
}

void rows_write(struct log *log, const struct vy_fold *fold, int64_t before, bool is_folded,
	struct vy_jw *w)
{
	if (before) {
		vy_jw_kint(w, "before", before);
	}
	vy_fold_encode_after(fold, (uint64_t)before, is_folded, w);
	vy_jw_kstr(w, "epoch", vy_str_c(log_epoch(log)));
}

/* Through its text, as a client does: what lies before the border is gone then, and what continues it
 * is known to. */
static int reload(struct log *log, struct vy_fold *fold, int64_t before, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_jw w = VY_JW(&text);

	vy_jw_obj(&w);
	rows_write(log, fold, before, false, &w);
	vy_jw_end_obj(&w);
	if (vy_buf_is_over(&text)) {
		return vy_fail(e, VY_FULL, "this session is too long for one snapshot");
	}
	VY_AUTO_JSON *page = vy_json_parse(vy_buf_str(&text), e);

	return page ? vy_fold_load(fold, page, e) : -1;
}

struct vy_fold *rows_load(struct log *log, const struct rows_ask *ask, struct vy_err *e)
{
	struct vy_fold *fold = vy_fold_new();
	int64_t before;

	if (rows_read(log, ask, fold, &before, e) < 0 ||
		(before && reload(log, fold, before, e) < 0)) {
		vy_fold_free(fold);
		return NULL;
	}
	return fold;
}
