/* settle_check.h -- frames of a session go in; every delta of theirs must come back out of exactly one
 * settlement, with its text, borders, order and time.
 *
 *	struct settle_check c;
 *
 *	settle_check_init(&c, "its name in a failure");
 *	settle_check_frame(&c, &f);   each, with rising cursors
 *	settle_check_end(&c);         all that was opened is settled
 *
 * `said` is a line a settlement: its message, parent, reason and texts. */
#ifndef TESTS_SETTLE_CHECK_H
#define TESTS_SETTLE_CHECK_H

#include "tests/check.h"

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/model/settle.h"

struct settle_check {
	const char *name;
	struct vy_settle *settle;
	struct vy_arena mem;
	struct vy_frame *deltas; /* as they came */
	bool *is_taken;
	size_t n, cap, cap_taken, n_taken;
	size_t opened, settled;
	size_t at; /* the delta that a settlement's next must be */
	struct vy_buf said;
	const struct vy_settlement *now;
};

static inline void settle_check_init(struct settle_check *c, const char *name)
{
	*c = (struct settle_check){ .name = name, .settle = vy_settle_new() };
	vy_arena_init(&c->mem);
	vy_buf_init(&c->said, 64 * VY_MIB);
}

static inline void settle_check_fini(struct settle_check *c)
{
	vy_settle_free(c->settle);
	vy_arena_fini(&c->mem);
	vy_buf_fini(&c->said);
	free(c->deltas);
	free(c->is_taken);
}

static inline bool settle_check_is_next(const struct settle_check *c, size_t i)
{
	const struct vy_frame *d = &c->deltas[i];

	return !c->is_taken[i] && (int64_t)d->cur >= c->now->from &&
	       vy_str_eq(vy_frame_str(d, VY_F_MESSAGE), c->now->message) &&
	       vy_str_eq(vy_frame_str(d, VY_F_PARENT), c->now->parent);
}

static inline void settle_check_delta(void *ctx, const struct vy_frame *got)
{
	struct settle_check *c = ctx;

	while (c->at < c->n && !settle_check_is_next(c, c->at)) {
		c->at++;
	}
	if (c->at == c->n) {
		fail_msg("%s: a delta that nobody said: %.*s", c->name,
			VY_STR_ARG(vy_frame_str(got, VY_F_TEXT)));
	}
	struct vy_frame want = c->deltas[c->at];

	c->is_taken[c->at++] = true;
	c->n_taken++;
	want.cur = 0;
	want.id = want.session = vy_str_n(NULL, 0);
	if (!vy_frame_equal(got, &want)) {
		check_vstr(c->name, vy_frame_str(got, VY_F_TEXT), vy_frame_str(&want, VY_F_TEXT));
		check_int(c->name, got->time, want.time);
		fail_msg("%s: a delta differs", c->name);
	}
}

static inline void settle_check_settled(void *ctx, const struct vy_settlement *s)
{
	struct settle_check *c = ctx;
	VY_AUTO_BUF data = VY_BUF_INIT(VY_LINE_MAX), again = VY_BUF_INIT(VY_LINE_MAX);
	struct vy_arena mem;
	struct vy_settlement back;
	struct vy_err e = { 0 };

	vy_arena_init(&mem);
	vy_settlement_encode(s, &data);
	VY_AUTO_JSON *v = vy_json_parse(vy_buf_str(&data), &e);

	check_true(e.text, v != NULL);
	vy_json_dump_canonical(v, &again);
	check_vstr(c->name, vy_buf_str(&data), vy_buf_str(&again));
	if (vy_settlement_decode(vy_buf_str(&data), &mem, &back, &e) < 0) {
		fail_msg("%s: %s", c->name, e.text);
	}
	back.turn = s->turn;
	back.author = s->author;
	back.acts_for = s->acts_for;
	c->settled++;
	c->now = s;
	c->at = 0;
	vy_settlement_deltas(&back, settle_check_delta, c);
	vy_buf_addf(&c->said, "%.*s<%.*s>%.*s", VY_STR_ARG(back.message), VY_STR_ARG(back.parent),
		VY_STR_ARG(back.reason));
	for (size_t i = 0; i < back.n_blocks; i++) {
		vy_buf_addf(&c->said, " %lld%s:%.*s", (long long)back.blocks[i].index,
			back.blocks[i].is_reasoning ? "r" : "", VY_STR_ARG(back.blocks[i].text));
	}
	vy_buf_addc(&c->said, '\n');
	vy_arena_fini(&mem);
}

static inline void settle_check_opened(void *ctx, const struct vy_frame *first)
{
	struct settle_check *c = ctx;

	check_true(c->name, first->kind == VY_KIND_TEXT_DELTA);
	c->opened++;
}

static inline void settle_check_frame(struct settle_check *c, const struct vy_frame *f)
{
	const struct vy_settle_out out = { settle_check_opened, settle_check_settled, c };

	if (f->kind == VY_KIND_TEXT_DELTA) {
		c->deltas = vy_grow(c->deltas, &c->cap, c->n + 1, sizeof(*c->deltas));
		c->is_taken = vy_grow(c->is_taken, &c->cap_taken, c->n + 1, sizeof(*c->is_taken));
		vy_frame_dup(f, &c->mem, &c->deltas[c->n]);
		c->is_taken[c->n++] = false;
	}
	vy_settle_step(c->settle, f, 0, &out);
}

static inline void settle_check_end(struct settle_check *c)
{
	int64_t from, step;

	check_int(c->name, vy_settle_open(c->settle, 0, &from, &step), 0);
	check_int(c->name, (long long)c->n_taken, (long long)c->n);
	check_int(c->name, (long long)c->settled, (long long)c->opened);
}

#endif
