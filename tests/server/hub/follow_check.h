/* follow_check.h -- frames of a session go in; who follows it live must have each delta, once, in order,
 * with its text and time, and its settlement must have the same.
 *
 *	struct follow_check c;
 *
 *	follow_check_init(&c, "its name in a failure");
 *	follow_check_frame(&c, &f);   each; the frame is not changed
 *	follow_check_end(&c);         all that was opened is settled
 *
 * Through the real log and view, and the client's machine. */
#ifndef TESTS_FOLLOW_CHECK_H
#define TESTS_FOLLOW_CHECK_H

#include "server/hub/follow.h"
#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/io/loop.h"
#include "shared/model/follow.h"
#include "tests/check.h"

struct follow_check {
	const char *name;
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct follow *follow;
	struct follow_sub *sub;
	struct vy_follow *machine;
	/* message and parent → deltas: as they came, as they were heard, as they were settled */
	struct vy_json *said, *heard, *settled;
	size_t chunks;
};

static inline void follow_check_ready(void *ctx)
{
	(void)ctx;
}

static inline void follow_check_init(struct follow_check *c, const char *name)
{
	struct follow_open o = { .session = "S", .attempts = true, .ready = follow_check_ready };
	struct log_conf conf = { .clock = &vy_clock_real, .boot_id = "boot" };

	*c = (struct follow_check){ .name = name,
		.loop = vy_loop_new(),
		.store = store_mem_new(),
		.machine = vy_follow_new(),
		.said = vy_json_new_obj(),
		.heard = vy_json_new_obj(),
		.settled = vy_json_new_obj() };
	conf.store = c->store;
	c->log = log_new(&conf, NULL);
	c->follow = follow_new(c->log, c->loop);
	log_flush(c->log);
	c->sub = follow_subscribe(c->follow, &o, NULL);
	assert_non_null(c->sub);
}

static inline void follow_check_add(struct vy_json *to, const struct vy_frame *d)
{
	VY_AUTO_BUF key = VY_BUF_INIT(4096), text = VY_BUF_INIT(64 * VY_MIB);
	struct vy_str message = vy_frame_str(d, VY_F_MESSAGE);

	vy_buf_addf(
		&key, "%.*s<%.*s>", VY_STR_ARG(message), VY_STR_ARG(vy_frame_str(d, VY_F_PARENT)));
	vy_buf_addstr(&text, vy_json_str(to, vy_buf_c(&key)));
	vy_buf_addf(&text, "%lld%s:%.*s@%lld|", (long long)vy_frame_int(d, VY_F_INDEX, 0),
		vy_frame_bool(d, VY_F_REASONING) ? "r" : "", VY_STR_ARG(vy_frame_str(d, VY_F_TEXT)),
		(long long)d->time);
	vy_json_set_str(to, vy_buf_c(&key), vy_buf_str(&text));
}

static inline void follow_check_delta(void *ctx, const struct vy_frame *d)
{
	follow_check_add(ctx, d);
}

static inline void follow_check_said(void *ctx, const struct vy_follow_said *s)
{
	struct follow_check *c = ctx;

	c->chunks += s->what == VY_FOLLOW_GROWN;
	if (s->what == VY_FOLLOW_ENDED) {
		vy_settlement_deltas(s->attempt, follow_check_delta, c->heard);
	} else if (s->what == VY_FOLLOW_EVENT) {
		VY_AUTO_JSON *v = vy_json_parse(s->item, NULL);
		VY_AUTO_BUF data = VY_BUF_INIT(64 * VY_MIB);
		struct vy_settlement st;
		struct vy_arena mem;

		if (!vy_str_starts(vy_json_str(v, "type"), "assistant.")) {
			return;
		}
		vy_arena_init(&mem);
		vy_json_dump(vy_json_get(v, "data"), &data);
		check_int(c->name, vy_settlement_decode(vy_buf_str(&data), &mem, &st, NULL), 0);
		vy_settlement_deltas(&st, follow_check_delta, c->settled);
		vy_arena_fini(&mem);
	}
}

static inline void follow_check_frame(struct follow_check *c, const struct vy_frame *frame)
{
	struct vy_frame f = *frame;
	struct vy_err e = { 0 };

	if (f.kind == VY_KIND_TEXT_DELTA) {
		follow_check_add(c->said, frame);
	}
	f.cur = 0;
	f.id = (struct vy_str){ 0 }; /* the log's own: an attempt has its name of it */
	if (log_append(c->log, "S", &f, &e) < 0) {
		fail_msg("%s: %s", c->name, e.text);
	}
	log_flush(c->log);
	for (;;) {
		VY_AUTO_BUF item = VY_BUF_INIT(64 * VY_MIB);

		if (follow_next(c->sub, &item) != VIEW_ITEM) {
			return;
		}
		if (vy_follow_take(c->machine, vy_buf_str(&item), follow_check_said, c) !=
			VY_FOLLOW_OK) {
			fail_msg("%s: %s: %.*s", c->name, vy_follow_why(c->machine),
				VY_STR_ARG(vy_buf_str(&item)));
		}
	}
}

static inline void follow_check_same(
	const struct follow_check *c, struct vy_json *got, const struct vy_json *want)
{
	struct vy_json *value;
	const char *key;

	VY_JSON_EACH (want, key, value) {
		check_vstr(c->name, vy_json_str(got, key), vy_json_strval(value));
	}
	check_int(c->name, (long long)vy_json_len(got), (long long)vy_json_len(want));
}

static inline void follow_check_end(struct follow_check *c)
{
	struct vy_settlement st;
	struct vy_arena mem;

	vy_arena_init(&mem);
	check_true(c->name, !vy_follow_attempt(c->machine, 0, &mem, &st));
	follow_check_same(c, c->heard, c->said);
	follow_check_same(c, c->settled, c->said);
	vy_arena_fini(&mem);
	follow_unsubscribe(c->sub);
	vy_follow_free(c->machine);
	follow_free(c->follow);
	log_free(c->log);
	c->store->ops->close(c->store);
	vy_loop_free(c->loop);
	vy_json_free(c->said);
	vy_json_free(c->heard);
	vy_json_free(c->settled);
}

#endif
