/* snapshot.c -- the rows of a session as a client takes them: whole, or a page of its end.
 *
 * A page is folded from a border between turns on, found by reading some way back from its end. What
 * began before the border and goes on behind it would be missing, so then, and when the page says
 * less than the session knows to be open, it is read from further back; in the end all of it. */
#include "server/auth/authority.h"
#include "server/log/log.h"
#include "server/rpc/handler.h"
#include "server/session/table.h"
#include "shared/base/arena.h"
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

static bool take(void *ctx, struct frame_ref *ref)
{
	struct folding *f = ctx;
	struct vy_frame frame;

	vy_arena_reset(&f->arena);
	if (vy_frame_decode(frame_ref_str(ref), &f->arena, &frame, NULL) != 0) {
		return true;
	}
	if (ref->cur > f->to) {
		return take_behind(f, &frame);
	}
	if (f->has_begun) {
		if (!f->is_from_start && vy_fold_crosses(f->fold, &frame)) {
			f->crosses = true;
			return false;
		}
		vy_fold_apply(f->fold, &frame, NULL);
	}
	if (vy_fold_may_begin(&frame)) {
		add_border(f, ref->cur);
		f->has_begun = true;
	}
	return true;
}

/* Does the page hold all that the session knows to be waiting or open? */
static bool is_whole(const struct vy_fold *fold, const struct record *rec)
{
	const struct vy_fold_state *s = vy_fold_state(fold);

	return (int64_t)s->queued == rec->queued && (int64_t)s->asks == rec->asks &&
	       s->held == rec->held && s->running >= vy_json_len(rec->tasks);
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

static int fold_from(struct folding *f, const struct rpc_conf *house, const char *session,
	int64_t after, bool is_from_start, struct vy_err *e)
{
	vy_fold_clear(f->fold);
	f->n = 0;
	f->crosses = false;
	f->has_begun = f->is_from_start = is_from_start;
	return log_read(house->log, session, after, take, f, e);
}

/* Folds the page into f; `before` is the cursor it begins behind, 0 when nothing is older. */
static int fold_page(struct folding *f, const struct rpc_conf *house, const struct record *rec,
	const struct rpc_snapshot_ask *ask, int64_t *before, struct vy_err *e)
{
	int64_t head = log_head(house->log, ask->session);
	int64_t start = log_floor(house->log, ask->session) - 1;

	f->to = ask->to && ask->to < head ? ask->to : head;
	for (int64_t frames = ask->rows ? FIRST_FRAMES : INT64_MAX;; frames *= 4) {
		bool is_from_start = frames >= f->to - start;
		int64_t after = is_from_start ? start : f->to - frames;
		size_t few = ask->rows < FEW_ROWS ? (size_t)ask->rows : FEW_ROWS;

		if (fold_from(f, house, ask->session, after, is_from_start, e) != 0) {
			return -1;
		}
		*before = cut_of(f, ask->rows, is_from_start);
		if (is_from_start || (!f->crosses && vy_fold_len(f->fold) >= few &&
					     (f->to < head || is_whole(f->fold, rec)))) {
			return 0;
		}
	}
}

static void encode(const struct folding *f, struct session *s, const struct rpc_conf *house,
	int64_t before, struct vy_buf *out)
{
	VY_AUTO_JSON *record = session_json(s);
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_BODY_MAX);
	struct vy_jw w = VY_JW(out);

	vy_json_dump(record, &text);
	vy_jw_obj(&w);
	vy_jw_key(&w, "record");
	vy_jw_raw(&w, vy_buf_str(&text));
	if (before) {
		vy_jw_kint(&w, "before", before);
	}
	vy_fold_encode_after(f->fold, (uint64_t)before, &w);
	vy_jw_kstr(&w, "epoch", vy_str_c(log_epoch(house->log)));
	vy_jw_end_obj(&w);
}

static int may_read(const struct caller *who, const struct record *rec, struct vy_err *e)
{
	struct authority_session as = { rec->session, rec->person, rec->started_by };

	return authority_judge(who, VY_REACH_ANYONE, false, true, &as) == AUTHORITY_ALLOWED
		       ? 0
		       : vy_fail(e, VY_NOT_FOUND, "there is no such session");
}

int rpc_snapshot_of(const struct rpc_conf *house, const struct caller *who,
	const struct rpc_snapshot_ask *ask, struct vy_buf *out, struct vy_err *e)
{
	struct session *s = table_find(house->table, vy_str_c(ask->session), e);
	struct folding f = { 0 };
	int64_t before = 0;

	if (!s || may_read(who, session_record(s), e) != 0) {
		return -1;
	}
	f.fold = vy_fold_new();
	vy_arena_init(&f.arena);
	int rc = fold_page(&f, house, session_record(s), ask, &before, e);

	if (rc == 0) {
		encode(&f, s, house, before, out);
		if (vy_buf_is_over(out)) {
			rc = vy_fail(e, VY_FULL, "this session is too long for one snapshot");
		}
	}
	vy_fold_free(f.fold);
	vy_arena_fini(&f.arena);
	free(f.borders);
	return rc;
}
