/* seed_check.h -- frames of a session go in, and the log is emptied: what comes back is they, but for what the
 * journal by design does not hold.
 *
 *	seed_check("its name in a failure", lines);     encoded frames with their times, one a line
 *
 * Each frame is found again at its cursor, with the same kind and fields, but for those of the table
 * below; each settled delta in the order of its message, with text, block and time. Rows that a fold makes of
 * both are the same, but for what is expired. */
#ifndef TESTS_SEED_CHECK_H
#define TESTS_SEED_CHECK_H

#include "tests/check.h"

#include "server/log/log.h"
#include "server/log/seed.h"
#include "shared/base/clock.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/model/fold.h"

#define SEED_S "00000000-0000-4000-8000-000000000000"

/* What the journal does not hold of a frame. Kinds without an entry come back whole. */
static const struct seed_lost {
	enum vy_kind kind;
	enum vy_fid fields[9]; /* 0 ends */
	bool is_all;           /* a hidden frame stands there, or the end of a block's words */
} seed_lost[] = {
	{ VY_KIND_TOOL_PROGRESS, { 0 }, true },
	{ VY_KIND_TERM_CHUNK, { 0 }, true },
	{ VY_KIND_TEXT_CUT, { 0 }, true }, /* the words it takes back stay */
	{ VY_KIND_TEXT_DONE, { 0 },
		true }, /* it is made again behind what is whole: message, index */
	/* when it began to wait; and of one that was edited since, or taken back, what it was before */
	{ VY_KIND_USER_MESSAGE,
		{ VY_F_QUEUED_AT, VY_F_QUOTE, VY_F_POSITION, VY_F_MODE, VY_F_VIA, VY_F_REASON,
			VY_F_TEXT, VY_F_IMAGES },
		false },
	{ VY_KIND_TOOL_FINISHED, { VY_F_RESULT }, false },
	{ VY_KIND_TERM_COMMAND, { VY_F_COMMAND }, false },
	/* kept as the ask's own row, where there is one */
	{ VY_KIND_ASK,
		{ VY_F_TITLE, VY_F_DETAIL, VY_F_MORE, VY_F_BLOCKED_PATH, VY_F_OPTIONS,
			VY_F_QUESTIONS },
		false },
	/* tasks; a second fact beside the first; what stands beside the begin and the end of a turn */
	{ VY_KIND_STATUS,
		{ VY_F_TASKS, VY_F_NOTE, VY_F_MODEL, VY_F_MODE, VY_F_TITLE, VY_F_THINKING,
			VY_F_REASON, VY_F_ORIGIN, VY_F_TURN },
		false },
	{ VY_KIND_FANOUT, { VY_F_MEMBERS }, false },
};

struct seed_frames {
	struct vy_arena mem;
	struct vy_frame *v;
	size_t n, cap;
};

struct seed_stats {
	size_t frames, deltas, exact, hidden, ends;
};

static inline const struct seed_lost *seed_lost_of(enum vy_kind k)
{
	for (size_t i = 0; i < VY_COUNT(seed_lost); i++) {
		if (seed_lost[i].kind == k) {
			return &seed_lost[i];
		}
	}
	return NULL;
}

static inline bool seed_may_lose(enum vy_kind k, enum vy_fid f)
{
	const struct seed_lost *l = seed_lost_of(k);

	for (size_t i = 0; l && i < VY_COUNT(l->fields) && l->fields[i]; i++) {
		if (l->fields[i] == f) {
			return true;
		}
	}
	return false;
}

static inline bool seed_keep(void *ctx, struct frame_ref *ref)
{
	struct seed_frames *fs = ctx;
	struct vy_str line = vy_arena_str(&fs->mem, frame_ref_str(ref));
	struct vy_err e = { 0 };

	fs->v = vy_grow(fs->v, &fs->cap, fs->n + 1, sizeof(*fs->v));
	if (vy_frame_decode(line, &fs->mem, &fs->v[fs->n], &e) < 0 ||
		vy_frame_check(&fs->v[fs->n], &e) < 0) {
		fail_msg("%s: %.*s", e.text, VY_STR_ARG(line));
	}
	fs->n++;
	return true;
}

static inline void seed_read(struct log *l, struct seed_frames *fs)
{
	struct vy_err e = { 0 };

	*fs = (struct seed_frames){ .n = 0 };
	vy_arena_init(&fs->mem);
	if (log_read(l, SEED_S, log_floor(l, SEED_S) - 1, seed_keep, fs, &e) < 0) {
		fail_msg("%s", e.text);
	}
}

static inline void seed_free(struct seed_frames *fs)
{
	vy_arena_fini(&fs->mem);
	free(fs->v);
}

static inline struct log *seed_open(struct log_store *store)
{
	struct log_conf conf = { .store = store, .clock = &vy_clock_real, .boot_id = "boot" };
	struct vy_err e = { 0 };
	struct log *l = log_new(&conf, &e);

	if (!l) {
		fail_msg("%s", e.text);
	}
	return l;
}

/* As the bounds, or a restore, leave it: no frame, and a head. */
static inline void seed_empty(struct log_store *store)
{
	struct store_bounds b;
	struct vy_err e = { 0 };

	if (store->ops->bounds(store, vy_str_c(SEED_S), &b, &e) < 0 ||
		store->ops->begin(store, &e) < 0 ||
		store->ops->trim(store, vy_str_c(SEED_S), b.head + 1, &e) < 0 ||
		store->ops->commit(store, &e) < 0) {
		fail_msg("%s", e.text);
	}
}

static inline void seed_append(struct log *l, struct vy_str lines)
{
	struct vy_arena mem;
	struct vy_frame f;
	struct vy_err e = { 0 };

	vy_arena_init(&mem);
	for (size_t from = 0, i = 0; i < lines.n; i++) {
		if (lines.p[i] != '\n') {
			continue;
		}
		if (vy_frame_decode(vy_str_n(lines.p + from, i - from), &mem, &f, &e) < 0) {
			fail_msg("%s: %.*s", e.text, (int)(i - from), lines.p + from);
		}
		f.id = vy_str_n(NULL, 0);
		if (log_append(l, SEED_S, &f, &e) < 0) {
			fail_msg("%s: %.*s", e.text, (int)(i - from), lines.p + from);
		}
		vy_arena_reset(&mem);
		from = i + 1;
	}
	vy_arena_fini(&mem);
	log_flush(l);
}

/* ---- one frame and what became of it ---- */

static inline bool seed_same_value(
	const struct vy_frame *a, const struct vy_frame *b, enum vy_fid id)
{
	struct vy_str x = vy_frame_str(a, id), y = vy_frame_str(b, id);

	switch (vy_field_type(id)) {
	case VY_TYPE_STR:
		/* a summary, a title, a path of over 512 bytes is cut there */
		return vy_str_eq(x, y) || (y.n > 500 && y.n <= 512 && vy_str_starts(x, "") &&
						  x.n > y.n && memcmp(x.p, y.p, y.n) == 0);
	case VY_TYPE_INT: return vy_frame_int(a, id, -1) == vy_frame_int(b, id, -1);
	case VY_TYPE_BOOL: return vy_frame_bool(a, id) == vy_frame_bool(b, id);
	case VY_TYPE_JSON: break;
	}
	VY_AUTO_JSON *v = vy_json_parse(x, NULL);
	VY_AUTO_JSON *w = vy_json_parse(y, NULL);

	return vy_json_equal(v, w);
}

static inline void seed_same_frame(
	const char *name, const struct vy_frame *was, const struct vy_frame *is)
{
	bool is_user = was->kind == VY_KIND_USER_MESSAGE, is_status = was->kind == VY_KIND_STATUS;
	bool is_end = vy_frame_has(was, VY_F_USAGE) &&
		      vy_str_is(vy_frame_str(was, VY_F_STATE), "waiting");

	if (was->kind != is->kind || was->time != is->time || !vy_str_eq(was->turn, is->turn) ||
		!vy_str_eq(was->author, is->author) || !vy_str_eq(was->id, is->id)) {
		fail_msg("%s: frame %llu (%s) is not what it was", name,
			(unsigned long long)was->cur, vy_kind_word(was->kind));
	}
	for (size_t i = 0; i < is->n; i++) {
		enum vy_fid id = is->f[i].id;

		if (id == VY_F_EXPIRED || (is_user && (id == VY_F_TEXT || id == VY_F_EDITED)) ||
			(is_status && id == VY_F_STATE && !is_end) ||
			seed_same_value(was, is, id)) {
			continue; /* words are those of now; a fact's state is followed */
		}
		fail_msg("%s: frame %llu (%s): %s is not what it was", name,
			(unsigned long long)was->cur, vy_kind_word(was->kind), vy_field_word(id));
	}
	for (size_t i = 0; i < was->n; i++) {
		enum vy_fid id = was->f[i].id;

		if (!vy_frame_has(is, id) && !seed_may_lose(was->kind, id)) {
			fail_msg("%s: frame %llu (%s): %s is missing", name,
				(unsigned long long)was->cur, vy_kind_word(was->kind),
				vy_field_word(id));
		}
	}
}

/* ---- deltas: in the order of their message ---- */

static inline bool seed_is_delta_of(const struct vy_frame *d, const struct vy_frame *of)
{
	return d->kind == VY_KIND_TEXT_DELTA &&
	       vy_str_eq(vy_frame_str(d, VY_F_MESSAGE), vy_frame_str(of, VY_F_MESSAGE)) &&
	       vy_str_eq(vy_frame_str(d, VY_F_PARENT), vy_frame_str(of, VY_F_PARENT));
}

static inline const struct vy_frame *seed_next(
	const struct seed_frames *fs, size_t *at, const struct vy_frame *of)
{
	while (*at < fs->n && !seed_is_delta_of(&fs->v[*at], of)) {
		++*at;
	}
	return *at < fs->n ? &fs->v[(*at)++] : NULL;
}

/* Those of one message; what was never settled (the end of the recording) is in no settlement. */
static inline void seed_same_deltas(const char *name, const struct seed_frames *was,
	const struct seed_frames *is, const struct vy_frame *of, struct seed_stats *st)
{
	const struct vy_frame *a, *b;
	size_t i = 0, k = 0;

	while ((b = seed_next(is, &k, of))) {
		a = seed_next(was, &i, of);
		if (!a || a->time != b->time || !vy_str_eq(a->author, b->author) ||
			!vy_str_eq(a->turn, b->turn) || vy_frame_has(b, VY_F_EXPIRED) ||
			!seed_same_value(a, b, VY_F_TEXT) || !seed_same_value(a, b, VY_F_INDEX) ||
			!seed_same_value(a, b, VY_F_REASONING)) {
			fail_msg("%s: a delta of %.*s at %llu is not what it was", name,
				VY_STR_ARG(vy_frame_str(of, VY_F_MESSAGE)),
				(unsigned long long)b->cur);
		}
		st->deltas++;
		st->exact += a->cur == b->cur;
	}
}

static inline bool seed_is_first(const struct seed_frames *fs, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (seed_is_delta_of(&fs->v[k], &fs->v[i])) {
			return false;
		}
	}
	return true;
}

static inline void seed_compare(const char *name, const struct seed_frames *was,
	const struct seed_frames *is, struct seed_stats *st)
{
	assert_int_equal(was->n, is->n);
	st->frames += was->n;
	for (size_t i = 0; i < was->n; i++) {
		const struct vy_frame *a = &was->v[i], *b = &is->v[i];
		const struct seed_lost *lost = seed_lost_of(a->kind);

		assert_int_equal(a->cur, b->cur);
		st->hidden += b->kind == VY_KIND_HIDDEN;
		st->ends += b->kind == VY_KIND_TEXT_DONE;
		if (a->kind == VY_KIND_TEXT_DELTA) {
			if (seed_is_first(was, i)) {
				seed_same_deltas(name, was, is, a, st);
			}
		} else if (!lost || !lost->is_all) {
			seed_same_frame(name, a, b);
		} else if (b->kind != VY_KIND_HIDDEN && b->kind != VY_KIND_TEXT_DONE &&
			   b->kind != VY_KIND_TEXT_DELTA) {
			fail_msg("%s: in the place of %s at %llu stands %s", name,
				vy_kind_word(a->kind), (unsigned long long)a->cur,
				vy_kind_word(b->kind));
		}
	}
}

/* ---- what people see ---- */

static inline struct vy_fold *seed_fold(const struct seed_frames *fs)
{
	struct vy_fold *f = vy_fold_new();

	for (size_t i = 0; i < fs->n; i++) {
		vy_fold_apply(f, &fs->v[i], NULL);
	}
	return f;
}

static inline struct vy_str seed_text(const struct vy_row *r)
{
	return r->kind == VY_ROW_MESSAGE    ? r->message.text
	       : r->kind == VY_ROW_THINKING ? r->thinking.text
					    : vy_str_n(NULL, 0);
}

/* Each row of words, call, ask … is there, with its words where it has any. */
static inline void seed_same_rows(
	const char *name, const struct seed_frames *was, const struct seed_frames *is)
{
	struct vy_fold *f = seed_fold(was), *g = seed_fold(is);

	for (size_t i = 0; i < vy_fold_len(f); i++) {
		const struct vy_row *a = vy_fold_row(f, i), *b = vy_fold_find(g, a->key);

		if (a->kind == VY_ROW_TODO || a->kind == VY_ROW_TASK || a->kind == VY_ROW_NOTICE ||
			a->kind == VY_ROW_TERM_COMMAND) {
			continue; /* of a call's result, of tasks, of the second fact of a status */
		}
		if (!b || a->kind != b->kind) {
			fail_msg("%s: the row %.*s is not there", name, VY_STR_ARG(a->key));
		}
		struct vy_str x = seed_text(a), y = seed_text(b);

		if (a->kind == VY_ROW_MESSAGE && a->message.cut && y.n > x.n) {
			y.n = x.n;
		}

		if (!b->expired && !vy_str_eq(x, y)) {
			fail_msg("%s: the row %.*s says \"%.*s\" (%zu), not \"%.*s\" (%zu)", name,
				VY_STR_ARG(a->key), (int)(y.n < 80 ? y.n : 80), y.p, y.n,
				(int)(x.n < 80 ? x.n : 80), x.p, x.n);
		}
	}
	vy_fold_free(f);
	vy_fold_free(g);
}

static inline void seed_check_in(
	struct log_store *store, const char *name, struct vy_str lines, struct seed_stats *st)
{
	struct seed_frames was, is, again;
	struct log *l = seed_open(store);

	seed_append(l, lines);
	seed_read(l, &was);
	log_free(l);
	seed_empty(store);
	l = seed_open(store);
	assert_int_equal(log_floor(l, SEED_S), 1);
	assert_int_equal(log_head(l, SEED_S), was.n);
	assert_int_equal(log_exact(l, SEED_S), was.n + 1);
	seed_read(l, &is);
	seed_compare(name, &was, &is, st);
	seed_same_rows(name, &was, &is);
	log_free(l);
	l = seed_open(store); /* it stays what it is */
	seed_read(l, &again);
	assert_int_equal(again.n, is.n);
	for (size_t i = 0; i < is.n; i++) {
		assert_true(vy_frame_equal(&is.v[i], &again.v[i]));
	}
	log_free(l);
	seed_free(&was);
	seed_free(&is);
	seed_free(&again);
}

static inline void seed_check(const char *name, struct vy_str lines, struct seed_stats *st)
{
	struct log_store *store = store_mem_new();

	seed_check_in(store, name, lines, st);
	store->ops->close(store);
}

#endif
