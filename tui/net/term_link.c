/* term_link.c -- see term_link.h. */
#include "tui/net/term_link.h"

#include <stdlib.h>

#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/backoff.h"
#include "shared/io/loop.h"
#include "tui/net/dial.h"
#include "tui/net/path.h"
#include "tui/net/rpc.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TERM_LINK_MAGIC 0x7465726du
#define CLOSE_NO_MORE   4403
#define CLOSE_NOT_FOUND 4404
#define KEYS_AT_ONCE    16384
#define KEYS_WAITING    (256 * 1024) /* that the line has not taken; more waits with its owner */

struct term_link {
	VY_MAGIC;
	struct term_link_conf conf; /* term is ours */
	struct term_link_events ev;
	void *ctx;
	struct rpc_call *call; /* term.attach */
	struct dial_ws *ws;
	struct vy_timer *again;
	struct vy_timer *quiet; /* set while it is open: to ask, and then to give it up */
	struct path *path;      /* of a local server */
	enum term_link_state state;
	bool is_asked;
	uint64_t live_at; /* the offset behind which nothing is history */
	int64_t down_since;
	unsigned tries; /* since it spoke last */
	struct vy_err why;
};

static void attach(void *ctx);

static void say_state(struct term_link *l, enum term_link_state s)
{
	if (s == l->state) {
		return;
	}
	l->state = s;
	if (s == TERM_LINK_DOWN) {
		l->down_since = vy_boot_ms(l->conf.clock);
	} else {
		l->down_since = -1;
	}
	l->ev.state(l->ctx, s, l->why.code == VY_OK ? NULL : &l->why);
}

static void drop(struct term_link *l)
{
	rpc_cancel(l->call);
	dial_ws_close(l->ws);
	l->call = NULL;
	l->ws = NULL;
	l->is_asked = false;
	vy_timer_set(l->quiet, -1);
}

static void come_again(struct term_link *l)
{
	uint32_t luck;

	drop(l);
	vy_random(&luck, sizeof(luck));
	vy_timer_set(l->again, vy_backoff_ms(VY_BACKOFF_FIRST_MS, ++l->tries, luck));
	say_state(l, TERM_LINK_DOWN);
}

static void end(struct term_link *l, enum term_link_state s)
{
	drop(l);
	vy_timer_set(l->again, -1);
	path_free(l->path);
	l->path = NULL;
	say_state(l, s);
}

/* ---- what comes ---- */

static void say(struct term_link *l, const struct vy_term_msg *m)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_TERM_SAY_MAX);

	vy_term_write(m, false, &b);
	dial_ws_send(l->ws, vy_buf_str(&b));
}

static void say_size(struct term_link *l)
{
	say(l, &(struct vy_term_msg){ .type = VY_TERM_RESIZE,
		       .cols = (unsigned)l->conf.cols,
		       .rows = (unsigned)l->conf.rows });
}

static void do_all(struct term_link *l, const struct vy_term_out *out)
{
	for (size_t i = 0; i < out->n && l->ws; i++) {
		const struct vy_term_effect *e = &out->e[i];

		if (e->what == VY_TERM_DO_AGAIN) {
			vy_fail(&l->why, VY_RETRY, "%s", e->text);
			come_again(l);
			return;
		}
		l->ev.effect(l->ctx, e);
		if (e->what == VY_TERM_DO_EXIT) {
			end(l, TERM_LINK_OVER);
			return;
		}
	}
}

/* The hello is behind us and what it announced has come. */
static void look_live(struct term_link *l)
{
	const struct vy_term_viewer *v = l->conf.viewer;

	if (l->ws && v->is_open && l->state != TERM_LINK_LIVE) {
		vy_err_clear(&l->why);
		say_state(l, !v->wants_prologue && v->at >= l->live_at ? TERM_LINK_LIVE
								       : TERM_LINK_REPLAY);
	}
}

static void on_text(void *ctx, struct vy_str text)
{
	struct term_link *l = ctx;
	struct vy_term_out out;
	bool was_open = l->conf.viewer->is_open, is_fresh = false;

	VY_CHECK(l, TERM_LINK_MAGIC);
	vy_term_text(l->conf.viewer, text, &out);
	for (size_t i = 0; i < out.n; i++) {
		is_fresh |= out.e[i].what == VY_TERM_DO_RESET;
	}
	if (l->conf.viewer->is_open && (!was_open || is_fresh)) { /* a hello */
		l->tries = 0;
		l->live_at = l->conf.viewer->end;
		if (l->state == TERM_LINK_LIVE && l->live_at > l->conf.viewer->at) {
			say_state(l, TERM_LINK_REPLAY); /* taken to where we can keep up */
		}
	}
	do_all(l, &out);
	look_live(l);
}

static void on_bytes(void *ctx, struct vy_str bytes)
{
	struct term_link *l = ctx;
	struct vy_term_out out;

	VY_CHECK(l, TERM_LINK_MAGIC);
	vy_term_bytes(l->conf.viewer, bytes, &out);
	do_all(l, &out);
	look_live(l);
}

static void on_heard(void *ctx)
{
	struct term_link *l = ctx;

	l->is_asked = false;
	vy_timer_set(l->quiet, VY_HEARTBEAT_MS);
}

static void on_quiet(void *ctx)
{
	struct term_link *l = ctx;

	VY_CHECK(l, TERM_LINK_MAGIC);
	if (!l->is_asked) {
		l->is_asked = true;
		dial_ws_ping(l->ws);
		vy_timer_set(l->quiet, VY_DEAD_MS - VY_HEARTBEAT_MS);
		return;
	}
	vy_fail(&l->why, VY_RETRY, _("the server has not answered for long"));
	come_again(l);
}

static void on_open(void *ctx)
{
	struct term_link *l = ctx;

	VY_CHECK(l, TERM_LINK_MAGIC);
	on_heard(l);
	say_size(l);
}

static void on_closed(void *ctx, int code, const char *why)
{
	struct term_link *l = ctx;

	VY_CHECK(l, TERM_LINK_MAGIC);
	l->ws = NULL;
	if (code == CLOSE_NO_MORE || code == CLOSE_NOT_FOUND || code == 403 || code == 404) {
		vy_fail(&l->why, VY_GONE, "%s",
			code == CLOSE_NOT_FOUND || code == 404 ? _("the terminal is gone")
							       : _("access has ended"));
		end(l, TERM_LINK_GONE);
		return;
	}
	vy_fail(&l->why, VY_RETRY, _("the stream was closed (%d%s%s)"), code, why[0] ? ": " : "",
		why);
	come_again(l);
}

/* ---- attaching ---- */

static bool is_final(enum vy_code code)
{
	return code == VY_NOT_FOUND || code == VY_GONE || code == VY_DENIED ||
	       code == VY_PERSON_ONLY || code == VY_BAD_INPUT || code == VY_UNSUPPORTED;
}

static void on_attached(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	static const struct dial_ws_events events = { on_open, on_text, on_closed, on_heard,
		on_bytes };
	struct term_link *l = ctx;
	const char *path = vy_json_cstr(result, "path");

	VY_CHECK(l, TERM_LINK_MAGIC);
	l->call = NULL;
	if (!path) {
		l->why = *e;
		if (is_final(e->code)) {
			end(l, TERM_LINK_GONE);
		} else {
			come_again(l);
		}
		return;
	}
	vy_term_opened(l->conf.viewer);
	l->ws = dial_ws_open(l->conf.dial, path, NULL, &events, l);
}

static void attach(void *ctx)
{
	struct term_link *l = ctx;
	struct vy_json *params;
	uint64_t from;

	VY_CHECK(l, TERM_LINK_MAGIC);
	if (l->call || l->ws || l->state == TERM_LINK_OVER || l->state == TERM_LINK_GONE) {
		return;
	}
	params = vy_json_new_obj();
	vy_json_set_c(params, "term", l->conf.term);
	if (vy_term_from(l->conf.viewer, &from)) {
		vy_json_set_int(params, "from", (int64_t)from);
		vy_json_set_bool(params, "keys", l->conf.viewer->has_keys);
	}
	if (l->conf.viewer->has_keys || (l->conf.claims_keys && !l->conf.viewer->has_at)) {
		vy_json_set_bool(params, "keys", true);
	}
	l->call = rpc_call(l->conf.rpc, "term.attach", params, NULL, 0, on_attached, l);
}

static void on_path(void *ctx)
{
	struct term_link *l = ctx;

	VY_CHECK(l, TERM_LINK_MAGIC);
	l->tries = 0; /* it may not listen yet */
	attach(l);
}

/* ---- the life of one ---- */

struct term_link *term_link_new(
	const struct term_link_conf *conf, const struct term_link_events *ev, void *ctx)
{
	struct term_link *l = VY_NEW(struct term_link);

	VY_MAGIC_SET(l, TERM_LINK_MAGIC);
	l->conf = *conf;
	l->conf.term = vy_strdup(conf->term);
	l->ev = *ev;
	l->ctx = ctx;
	l->again = vy_loop_timer(conf->loop, attach, l);
	l->quiet = vy_loop_timer(conf->loop, on_quiet, l);
	l->down_since = vy_boot_ms(conf->clock);
	if (dial_is_local(conf->dial)) {
		l->path = path_watch(conf->loop, dial_target(conf->dial), on_path, l);
	}
	attach(l);
	return l;
}

void term_link_free(struct term_link *l)
{
	if (!l) {
		return;
	}
	VY_CHECK(l, TERM_LINK_MAGIC);
	drop(l);
	path_free(l->path);
	vy_timer_del(l->again);
	vy_timer_del(l->quiet);
	free((char *)l->conf.term);
	VY_MAGIC_CLEAR(l);
	free(l);
}

void term_link_send(struct term_link *l, struct vy_buf *from)
{
	while (from->len && l->ws && l->conf.viewer->is_open &&
		dial_ws_waiting(l->ws) < KEYS_WAITING) {
		size_t n = from->len < KEYS_AT_ONCE ? from->len : KEYS_AT_ONCE;

		dial_ws_send_bytes(l->ws, vy_str_n(from->data, n));
		vy_buf_consume(from, n);
	}
}

void term_link_size(struct term_link *l, int cols, int rows)
{
	if (cols == l->conf.cols && rows == l->conf.rows) {
		return;
	}
	l->conf.cols = cols;
	l->conf.rows = rows;
	if (l->ws && l->conf.viewer->is_open) {
		say_size(l);
	}
}

void term_link_take(struct term_link *l)
{
	if (l->ws && l->conf.viewer->is_open) {
		say(l, &(struct vy_term_msg){ .type = VY_TERM_TAKE });
	}
}

void term_link_retry(struct term_link *l)
{
	l->tries = 0;
	attach(l);
}

enum term_link_state term_link_state(const struct term_link *l)
{
	return l->state;
}

int64_t term_link_down_since_ms(const struct term_link *l)
{
	return l->down_since;
}
