/* fake_hold.c -- see fake_hold.h. */
#include "tests/server/session/fake_hold.h"

#include <sys/queue.h>

#include "shared/base/mem.h"
#include "tests/check.h"

struct hold {
	const struct hold_ops *ops;
	void *ctx;
	uint64_t off;
	bool is_freed;
	TAILQ_ENTRY(hold) link;
};

struct vy_buf fake_hold_said = VY_BUF_INIT(16 << 20), fake_hold_argv = VY_BUF_INIT(1 << 16);
static struct vy_buf spool = VY_BUF_INIT(64 << 20); /* all the newest child printed */
static uint64_t got_next;
static TAILQ_HEAD(hold_list, hold) holds = TAILQ_HEAD_INITIALIZER(holds);
static size_t made;

void fake_hold_begin(void)
{
	made = 0;
	got_next = 1;
	vy_buf_clear(&fake_hold_said);
}

void fake_hold_end(void)
{
	struct hold *h;

	while ((h = TAILQ_FIRST(&holds))) {
		TAILQ_REMOVE(&holds, h, link);
		free(h);
	}
	vy_buf_fini(&fake_hold_said);
	vy_buf_fini(&fake_hold_argv);
	vy_buf_fini(&spool);
}

struct hold *fake_hold_newest(void)
{
	struct hold *h = TAILQ_LAST(&holds, hold_list);

	return h && !h->is_freed ? h : NULL;
}

uint64_t fake_hold_in_next(void)
{
	return got_next;
}

/* ---- hold.h ---- */

void hold_new_id(char hid[HOLD_HID_LEN + 1], uint8_t token[HOLD_TOKEN_LEN])
{
	snprintf(hid, HOLD_HID_LEN + 1, "%016zx", made + 1);
	memset(token, 7, HOLD_TOKEN_LEN);
}

static struct hold *make(uint64_t from, const struct hold_ops *ops, void *ctx)
{
	struct hold *h = VY_NEW(struct hold);

	h->ops = ops;
	h->ctx = ctx;
	h->off = from;
	TAILQ_INSERT_TAIL(&holds, h, link);
	made++;
	return h;
}

struct hold *hold_spawn(
	struct vy_loop *l, const struct hold_at *at, const struct hold_ops *ops, void *ctx)
{
	(void)l;
	(void)at;
	vy_buf_adds(&fake_hold_said, "spawn\n");
	vy_buf_clear(&spool);
	got_next = 1;
	return make(0, ops, ctx);
}

struct hold *hold_attach(struct vy_loop *l, const struct hold_at *at, uint64_t from,
	const struct hold_ops *ops, void *ctx)
{
	(void)l;
	(void)at;
	vy_buf_addf(&fake_hold_said, "attach %d\n", (int)from);
	return make(from, ops, ctx);
}

void hold_free(struct hold *h)
{
	if (h) {
		assert_false(h->is_freed);
		h->is_freed = true;
	}
}

int hold_start(struct hold *h, const struct hold_start *s, struct vy_err *e)
{
	(void)e;
	assert_false(h->is_freed);
	vy_buf_clear(&fake_hold_argv);
	for (const char *const *word = s->argv; *word; word++) {
		vy_buf_addf(&fake_hold_argv, "%s%s", word == s->argv ? "" : " ", *word);
	}
	vy_buf_addf(&fake_hold_said, "start %s secret=%.*s\n", s->argv[0], VY_STR_ARG(s->secret));
	return 0;
}

void hold_ack(struct hold *h, uint64_t off)
{
	(void)h;
	(void)off;
}

void hold_pause(struct hold *h, bool paused)
{
	(void)h;
	if (paused) {
		vy_buf_adds(&fake_hold_said, "pause\n");
	}
}

int hold_in(struct hold *h, uint64_t seq, struct vy_str bytes, struct vy_err *e)
{
	(void)e;
	assert_false(h->is_freed);
	if (seq < got_next) {
		return 0; /* it has that one */
	}
	got_next = seq + 1;
	vy_buf_addf(&fake_hold_said, "in %d %.*s%s", (int)seq, VY_STR_ARG(bytes),
		bytes.n ? "" : "end of input\n");
	return 0;
}

void hold_signal(struct hold *h, int signo, bool tree)
{
	(void)h;
	vy_buf_addf(&fake_hold_said, "signal %d%s\n", signo, tree ? " tree" : "");
}

void hold_resize(struct hold *h, unsigned cols, unsigned rows)
{
	(void)h;
	(void)cols;
	(void)rows;
}

void hold_bye(struct hold *h)
{
	assert_false(h->is_freed);
	vy_buf_adds(&fake_hold_said, "bye\n");
}

/* ---- what a holder says ---- */

void fake_hold_hello(struct hold *h, enum hold_state state, uint64_t in_next)
{
	struct hold_hello hello = { .state = state, .holder = 100, .in_next = in_next };

	got_next = in_next;
	if (state != HOLD_EMPTY) {
		hello.pid = hello.pgid = hello.sid = 101;
	}
	h->ops->on_hello(h->ctx, &hello);
}

void fake_hold_started(struct hold *h)
{
	h->ops->on_started(h->ctx, 101, 101, 101);
}

void fake_hold_refused(struct hold *h, const char *why)
{
	h->ops->on_refused(h->ctx, why);
}

void fake_hold_print(struct hold *h, const char *line)
{
	(void)h;
	vy_buf_addf(&spool, "%s\n", line);
}

void fake_hold_catch_up(struct hold *h)
{
	struct vy_str rest = vy_str_from(vy_buf_str(&spool), (size_t)h->off);
	VY_AUTO_BUF copy = VY_BUF_INIT(spool.max);
	uint64_t off = h->off;

	vy_buf_addstr(&copy, rest);
	h->off += rest.n;
	if (rest.n) {
		h->ops->on_out(h->ctx, off, HOLD_STDOUT, vy_buf_str(&copy));
	}
}

void fake_hold_line(struct hold *h, const char *line)
{
	fake_hold_print(h, line);
	fake_hold_catch_up(h);
}

void fake_hold_inack(struct hold *h, uint64_t seq)
{
	h->ops->on_inack(h->ctx, seq);
}

void fake_hold_exit(struct hold *h, int status)
{
	h->ops->on_exit(h->ctx, status, 0);
}

void fake_hold_lost(struct hold *h, enum vy_code code, const char *why)
{
	struct vy_err e = { 0 };

	vy_fail(&e, code, "%s", why);
	h->ops->on_lost(h->ctx, &e);
}
