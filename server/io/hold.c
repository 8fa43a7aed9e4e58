/* hold.c -- see hold.h.
 *
 * Messages for the holder are encoded at once: into the stream when there is one, else into `early`,
 * which goes out behind ATTACH. Input is the exception: it waits in `window`. */
#include "server/io/hold.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "server/holder/msg.h"
#include "server/io/hold_dial.h"
#include "server/io/hold_window.h"
#include "server/io/launch.h"
#include "shared/base/buf.h"
#include "shared/base/crash.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/io/stream.h"
#include "shared/base/ban.h"

#define HOLD 0x401D0001u

enum {
	UNSENT_MAX = VY_HOLD_IN_WINDOW + 2 * VY_HOLD_MSG_MAX,
	DIAL_TRIES = 25, /* a holder that an earlier vyred started just before it died */
	DIAL_WAIT_MS = 20,
};

struct hold {
	VY_MAGIC;
	struct vy_loop *loop;
	const struct hold_ops *ops;
	void *ctx;

	char *dir, *hid;
	uint8_t token[HOLD_TOKEN_LEN];
	uint64_t epoch;
	uint64_t got;    /* output up to here was given */
	uint64_t acked;  /* the holder may forget what is before it */
	uint64_t credit; /* the holder was told that it may send up to here */

	struct launch *launch;
	struct vy_timer *dial_timer;
	int dial_tries;
	struct vy_stream *stream;
	struct vy_buf early;
	struct vy_buf msg; /* the one being encoded */
	pid_t holder;

	struct hold_window window; /* input */

	bool is_said_hello, is_paused, is_let_go;
	bool is_again; /* it was connected once */
	bool is_lost;  /* on_lost was told, or is about to be */
	bool is_freed;
	struct vy_err why;
};

static bool is_silent(const struct hold *h)
{
	return h->is_lost || h->is_freed;
}

/* ---- the end ---- */

static void tell_lost(void *ctx)
{
	struct hold *h = ctx;

	if (!h->is_freed) {
		h->ops->on_lost(h->ctx, &h->why);
	}
}

static void lost(struct hold *h)
{
	if (is_silent(h)) {
		return;
	}
	h->is_lost = true;
	vy_timer_set(h->dial_timer, -1);
	vy_stream_free(h->stream);
	h->stream = NULL;
	vy_loop_defer(h->loop, tell_lost, h);
}

static void lose(struct hold *h, enum vy_code code, const char *text)
{
	if (!is_silent(h)) {
		vy_fail(&h->why, code, "%s", text);
		lost(h);
	}
}

/* ---- to the holder ---- */

static void post_bytes(struct hold *h, struct vy_str bytes, bool is_secret)
{
	bool ok;

	if (is_silent(h)) {
		return;
	}
	if (!h->stream) {
		ok = vy_buf_addstr(&h->early, bytes);
	} else if (is_secret) {
		ok = vy_stream_send_secret(h->stream, bytes);
	} else {
		ok = vy_stream_send(h->stream, bytes);
	}
	if (!ok) {
		lose(h, VY_FULL, "the holder does not read what it is sent");
	}
}

static bool post(struct hold *h, const struct msg *m, bool is_secret)
{
	vy_buf_clear(&h->msg);
	if (!msg_encode(m, &h->msg)) {
		return false;
	}
	post_bytes(h, vy_buf_str(&h->msg), is_secret);
	if (is_secret) {
		vy_wipe(h->msg.data, h->msg.len);
	}
	if (h->msg.cap > VY_MIB) {
		vy_buf_fini(&h->msg);
	}
	return true;
}

static void grant(struct hold *h)
{
	struct msg m = { .type = MSG_CREDIT };

	if (h->is_paused || !h->is_said_hello || h->credit > h->got + VY_HOLD_WINDOW / 2) {
		return;
	}
	m.credit.off = h->credit = h->got + VY_HOLD_WINDOW;
	post(h, &m, false);
}

static int add_list(struct vy_buf *to, const char *const *list, const char *what, struct vy_err *e)
{
	for (; list && *list; list++) {
		if (!vy_buf_add(to, *list, strlen(*list) + 1)) {
			return vy_fail(e, VY_FULL, "%s over %zu KiB", what, to->max / VY_KIB);
		}
	}
	return 0;
}

int hold_start(struct hold *h, const struct hold_start *s, struct vy_err *e)
{
	VY_AUTO_BUF argv = VY_BUF_INIT(VY_ARGV_MAX);
	VY_AUTO_BUF env = VY_BUF_INIT(VY_ENV_MAX);
	struct msg m = { .type = MSG_START };

	VY_CHECK(h, HOLD);
	if (add_list(&argv, s->argv, "the program's arguments are", e) < 0 ||
		add_list(&env, s->env, "the program's environment is", e) < 0) {
		return -1;
	}
	m.start.kind = s->kind == HOLD_PTY ? MSG_PTY : MSG_PIPE;
	m.start.argv = vy_buf_str(&argv);
	m.start.env = vy_buf_str(&env);
	m.start.cwd = vy_str_c(s->cwd);
	m.start.cols = (uint16_t)s->cols;
	m.start.rows = (uint16_t)s->rows;
	m.start.orphan_s = s->orphan_s;
	m.start.secret = s->secret;
	m.start.umask = s->umask;
	m.start.is_agent = s->is_agent;
	m.start.user = vy_str_c(s->user);
	/* at once in its full size: growing would leave a copy of the secret behind */
	vy_buf_reserve(&h->msg,
		argv.len + env.len + s->secret.n + m.start.cwd.n + m.start.user.n + VY_KIB);
	if (!h->stream) {
		vy_buf_reserve(&h->early, h->msg.cap);
	}
	return post(h, &m, true) ? 0 : vy_fail(e, VY_FULL, "the folder or the secret is too long");
}

void hold_ack(struct hold *h, uint64_t off)
{
	struct msg m = { .type = MSG_ACK };

	VY_CHECK(h, HOLD);
	h->acked = off;
	m.ack.off = off;
	post(h, &m, false);
}

void hold_pause(struct hold *h, bool paused)
{
	VY_CHECK(h, HOLD);
	h->is_paused = paused;
	grant(h);
}

void hold_signal(struct hold *h, int signo, bool tree)
{
	struct msg m = { .type = MSG_SIGNAL };

	VY_CHECK(h, HOLD);
	m.signal.sig = (uint8_t)signo;
	m.signal.tree = tree;
	post(h, &m, false);
}

void hold_resize(struct hold *h, unsigned cols, unsigned rows)
{
	struct msg m = { .type = MSG_RESIZE };

	VY_CHECK(h, HOLD);
	m.resize.cols = (uint16_t)cols;
	m.resize.rows = (uint16_t)rows;
	post(h, &m, false);
}

void hold_bye(struct hold *h)
{
	VY_CHECK(h, HOLD);
	h->is_let_go = true;
	post(h, &(struct msg){ .type = MSG_BYE }, false);
}

/* ---- input ---- */

static void send_inputs(struct hold *h)
{
	struct msg m = { .type = MSG_IN };

	while (hold_window_next(&h->window, &m.in.seq, &m.in.bytes)) {
		post(h, &m, false);
	}
}

int hold_in(struct hold *h, uint64_t seq, struct vy_str bytes, struct vy_err *e)
{
	VY_CHECK(h, HOLD);
	if (!hold_window_add(&h->window, seq, bytes)) {
		return vy_fail(e, VY_FULL, "the agent does not read what it is sent");
	}
	send_inputs(h);
	return 0;
}

/* The holder has all input below `next`. */
static void inputs_arrived(struct hold *h, uint64_t next)
{
	hold_window_arrived(&h->window, next);
	send_inputs(h);
}

/* ---- from the holder ---- */

static void on_hello(struct hold *h, const struct msg *m)
{
	struct hold_hello hello = { .state = (enum hold_state)m->hello.state,
		.holder = h->holder,
		.pid = (pid_t)m->hello.pid,
		.pgid = (pid_t)m->hello.pgid,
		.sid = (pid_t)m->hello.sid,
		.floor = m->hello.floor,
		.end = m->hello.end,
		.in_next = m->hello.in_next,
		.status = m->hello.status,
		.signal = m->hello.signal };

	if (!vy_str_is(m->hello.hid, h->hid) || m->hello.proto != MSG_PROTO) {
		lose(h, VY_UNSUPPORTED, "the holder is not one this vyred can speak with");
		return;
	}
	if (h->got < hello.floor || h->got > hello.end) {
		lose(h, VY_CORRUPT, "the holder does not have the output that is to come next");
		return;
	}
	h->is_said_hello = true;
	h->credit = h->got;
	hold_ack(h, h->acked); /* not what we have: of that, nothing may be committed yet */
	grant(h);
	inputs_arrived(h, hello.in_next);
	if (!is_silent(h)) {
		h->ops->on_hello(h->ctx, &hello);
	}
}

static void on_out(struct hold *h, const struct msg *m)
{
	if (m->out.off != h->got || (m->out.stream != MSG_STDOUT && m->out.stream != MSG_STDERR)) {
		lose(h, VY_CORRUPT, "the holder skipped a part of the output");
		return;
	}
	h->got += m->out.bytes.n;
	h->ops->on_out(h->ctx, m->out.off, m->out.stream, m->out.bytes);
	if (!is_silent(h)) {
		grant(h);
	}
}

static void on_refused(struct hold *h, const struct msg *m)
{
	struct vy_err e;

	vy_fail(&e, VY_DENIED, "%.*s", VY_STR_ARG(m->refused.text));
	if (m->refused.is_end) {
		lose(h, VY_DENIED, e.text);
	} else {
		h->ops->on_refused(h->ctx, e.text);
	}
}

static void dispatch(struct hold *h, const struct msg *m)
{
	switch (m->type) {
	case MSG_HELLO: on_hello(h, m); return;
	case MSG_STARTED:
		h->ops->on_started(h->ctx, (pid_t)m->started.pid, (pid_t)m->started.pgid,
			(pid_t)m->started.sid);
		return;
	case MSG_REFUSED: on_refused(h, m); return;
	case MSG_OUT: on_out(h, m); return;
	case MSG_INACK:
		inputs_arrived(h, m->inack.seq + 1);
		if (!is_silent(h)) {
			h->ops->on_inack(h->ctx, m->inack.seq);
		}
		return;
	case MSG_EXIT: h->ops->on_exit(h->ctx, m->exit.status, m->exit.signal); return;
	default: return; /* of a later release */
	}
}

static void on_piece(void *ctx, struct vy_str piece)
{
	struct hold *h = ctx;
	struct msg m;
	struct vy_err e;

	if (is_silent(h)) {
		return;
	}
	if (msg_decode(piece, &m, &e) < 0) {
		lose(h, VY_CORRUPT, e.text);
	} else if (!h->is_said_hello && m.type != MSG_HELLO && m.type != MSG_REFUSED) {
		lose(h, VY_CORRUPT, "the holder did not begin with HELLO");
	} else {
		dispatch(h, &m);
	}
}

static void on_too_long(void *ctx, struct vy_str head)
{
	(void)head;
	lose(ctx, VY_CORRUPT, "the holder sent a message over the limit");
}

static void attach(struct hold *h, int fd);

/* The connection ended. When that was not the holder's doing, BYE may have been lost on it, and a
 * holder without a child would wait for a vyred for a minute: it is told at once what it needs. */
static void bye_again(struct hold *h)
{
	int fd;

	if (is_silent(h)) {
		return;
	}
	vy_stream_free(h->stream);
	h->stream = NULL;
	fd = hold_dial(h->dir, h->hid, &h->holder, NULL);
	if (fd >= 0) {
		attach(h, fd);
		post(h, &(struct msg){ .type = MSG_BYE }, false);
	}
}

static bool is_hung_up(const struct vy_stream *s)
{
	struct pollfd p = { .fd = vy_stream_fd(s), .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

/* The connection broke, which tells nothing of the holder yet: if one answers, it goes on where we
 * stand. What was on its way is given out again; what it has, it drops. */
static void dial_again(struct hold *h)
{
	vy_stream_free(h->stream);
	h->stream = NULL;
	h->is_said_hello = false;
	h->is_again = true;
	hold_window_rewind(&h->window);
	vy_timer_set(h->dial_timer, h->dial_tries ? DIAL_WAIT_MS : 0);
}

static void on_end(void *ctx, const struct vy_err *why)
{
	struct hold *h = ctx;

	(void)why; /* a broken pipe says no more than the end itself */
	h->dial_tries = h->is_said_hello ? 0 : h->dial_tries + 1;
	if (h->is_let_go) {
		bye_again(h);
		lose(h, VY_GONE, "the holder was let go");
	} else if (!is_silent(h) && h->dial_tries < DIAL_TRIES) {
		dial_again(h);
	} else {
		lose(h, VY_GONE, "the holder is gone");
	}
}

static const struct vy_stream_ops stream_ops = {
	.on_piece = on_piece, .on_too_long = on_too_long, .on_end = on_end
};

/* ---- dialling ---- */

static void attach(struct hold *h, int fd)
{
	struct vy_stream_conf conf = { .kind = VY_STREAM_U32,
		.in_fd = fd,
		.out_fd = fd,
		.piece_max = VY_HOLD_MSG_MAX,
		.queue_max = UNSENT_MAX };
	struct msg m = { .type = MSG_ATTACH };

	h->stream = vy_stream_new(h->loop, &conf, &stream_ops, h);
	m.attach.proto = MSG_PROTO;
	memcpy(m.attach.token, h->token, sizeof(h->token));
	m.attach.epoch = h->epoch;
	m.attach.from = h->got;
	post(h, &m, true);
	if (h->early.len) {
		post_bytes(h, vy_buf_str(&h->early), true);
		vy_wipe(h->early.data, h->early.len);
	}
	vy_buf_fini(&h->early);
}

static void dial(void *ctx)
{
	struct hold *h = ctx;
	int fd;

	if (is_silent(h)) {
		return;
	}
	fd = hold_dial(h->dir, h->hid, &h->holder, &h->why);
	if (fd >= 0) {
		VY_CRASH(HOLD_DIALLED);
		attach(h, fd);
		VY_CRASH(HOLD_ATTACHED);
	} else if (h->is_again) {
		lose(h, VY_GONE, "the holder is gone");
	} else if (h->dial_tries++ < DIAL_TRIES) {
		vy_timer_set(h->dial_timer, DIAL_WAIT_MS);
	} else {
		lost(h);
	}
}

static void on_launched(void *ctx, const struct vy_err *why)
{
	struct hold *h = ctx;

	launch_free(h->launch);
	h->launch = NULL;
	if (why) {
		lose(h, why->code, why->text);
	} else {
		VY_CRASH(HOLD_LISTENS);
		dial(h);
	}
}

/* ---- life ---- */

static struct hold *hold_new(
	struct vy_loop *l, const struct hold_at *at, const struct hold_ops *ops, void *ctx)
{
	struct hold *h = VY_NEW(struct hold);

	VY_MAGIC_SET(h, HOLD);
	h->loop = l;
	h->ops = ops;
	h->ctx = ctx;
	h->dir = vy_strdup(at->dir);
	h->hid = vy_strdup(at->hid);
	memcpy(h->token, at->token, sizeof(h->token));
	h->epoch = at->epoch;
	h->dial_timer = vy_loop_timer(l, dial, h);
	vy_buf_init(&h->early, UNSENT_MAX);
	vy_buf_init(&h->msg, VY_HOLD_MSG_MAX + VY_KIB);
	hold_window_init(&h->window);
	return h;
}

struct hold *hold_spawn(
	struct vy_loop *l, const struct hold_at *at, const struct hold_ops *ops, void *ctx)
{
	struct hold *h = hold_new(l, at, ops, ctx);

	h->launch = launch_new(l, at->program, at->dir, at->hid, at->token, on_launched, h);
	return h;
}

struct hold *hold_attach(struct vy_loop *l, const struct hold_at *at, uint64_t from,
	const struct hold_ops *ops, void *ctx)
{
	struct hold *h = hold_new(l, at, ops, ctx);

	h->got = h->acked = from;
	vy_loop_defer(l, dial, h);
	return h;
}

static void free_now(void *ctx)
{
	struct hold *h = ctx;

	hold_window_fini(&h->window);
	vy_timer_del(h->dial_timer);
	vy_buf_fini(&h->early);
	vy_buf_fini(&h->msg);
	vy_wipe(h->token, sizeof(h->token));
	free(h->dir);
	free(h->hid);
	free(h);
}

void hold_free(struct hold *h)
{
	if (!h) {
		return;
	}
	VY_CHECK(h, HOLD);
	if (h->is_let_go && (!h->stream || is_hung_up(h->stream))) {
		bye_again(h);
	}
	VY_MAGIC_CLEAR(h);
	h->is_freed = true;
	vy_timer_set(h->dial_timer, -1);
	launch_free(h->launch);
	vy_stream_free(h->stream);
	h->stream = NULL;
	vy_loop_defer(h->loop, free_now, h);
}

/* ---- names ---- */

void hold_new_id(char hid[HOLD_HID_LEN + 1], uint8_t token[HOLD_TOKEN_LEN])
{
	uint8_t id[HOLD_HID_LEN / 2];

	vy_random(id, sizeof(id));
	vy_hex(id, sizeof(id), hid);
	vy_random(token, HOLD_TOKEN_LEN);
}
