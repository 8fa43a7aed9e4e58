/* link.c -- see link.h. The machine decides (shared/frame/resume); here its effects are done and
 * what comes of them is fed back: stream.open's answer, the WebSocket's frames, time, the path. */
#include "tui/net/link.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/frame/resume.h"
#include "tui/net/dial.h"
#include "tui/net/path.h"
#include "tui/net/rpc.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define LINK_MAGIC       0x6c696e6bu
#define CLOSE_NO_MORE    4403
#define CLOSE_RESTARTING 1012

struct link {
	VY_MAGIC;
	struct link_conf conf; /* session is ours */
	struct link_events ev;
	void *ctx;
	struct vy_resume machine;
	struct vy_arena arena; /* of one event */
	struct rpc_call *call; /* stream.open, or a snapshot */
	struct rpc_call *page; /* an older one */
	struct dial_ws *ws;
	struct vy_timer *timer;
	struct path *path;
	enum link_state state;
	bool is_caught_up; /* since the present connection */
	bool has_ended;    /* by 4403 */
	bool was_ended;    /* by 1012 */
	int64_t down_since;
	uint32_t luck;     /* the newest random number */
	struct vy_err why; /* of the last trouble */
};

static int64_t now(const struct link *l)
{
	return vy_boot_ms(l->conf.clock);
}

static void feed(struct link *l, struct vy_resume_event ev);
static void open_stream(struct link *l);
static void read_snapshot(struct link *l);

/* ---- what a screen may claim ---- */

static enum link_state state_of(const struct link *l)
{
	switch (l->machine.state) {
	case VY_RESUME_LIVE: return !l->ws ? LINK_DOWN : l->is_caught_up ? LINK_LIVE : LINK_REPLAY;
	case VY_RESUME_LOST: return l->has_ended ? LINK_ENDED : LINK_REFUSED;
	case VY_RESUME_IDLE:
	case VY_RESUME_OPENING:
	case VY_RESUME_WAITING:
	case VY_RESUME_SNAPSHOT: break;
	}
	return LINK_DOWN;
}

static void say_state(struct link *l)
{
	enum link_state s = state_of(l);

	if (s == l->state) {
		return;
	}
	if (s != LINK_REPLAY && s != LINK_LIVE) {
		l->down_since = l->down_since < 0 ? now(l) : l->down_since;
	} else {
		l->down_since = -1;
		l->was_ended = false;
		vy_err_clear(&l->why);
	}
	l->state = s;
	l->ev.state(l->ctx, s, l->why.code == VY_OK ? NULL : &l->why);
}

/* ---- effects ---- */

static void drop_connection(struct link *l)
{
	rpc_cancel(l->call);
	dial_ws_close(l->ws);
	l->call = NULL;
	l->ws = NULL;
	l->is_caught_up = false;
}

static void on_path(void *ctx)
{
	struct link *l = ctx;

	VY_CHECK(l, LINK_MAGIC);
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_PATH });
}

static void watch_path(struct link *l)
{
	if (!l->path && dial_is_local(l->conf.dial)) {
		l->path = path_watch(l->conf.loop, dial_target(l->conf.dial), on_path, l);
	}
}

static void deliver(struct link *l, const struct vy_frame *f)
{
	if (f->kind == VY_KIND_HEARTBEAT) {
		l->is_caught_up = true;
	} else if (vy_kind_class(f->kind) != VY_CLASS_CONTROL) {
		l->ev.frame(l->ctx, f);
	}
}

static void act(struct link *l, const struct vy_resume_effect *e)
{
	switch (e->type) {
	case VY_RESUME_DO_DELIVER: deliver(l, &e->frame); break;
	case VY_RESUME_DO_OPEN: open_stream(l); break;
	case VY_RESUME_DO_CLOSE: drop_connection(l); break;
	case VY_RESUME_DO_SNAPSHOT: read_snapshot(l); break;
	case VY_RESUME_DO_WAIT: watch_path(l); break;
	case VY_RESUME_DO_GIVE_UP:
		drop_connection(l);
		if (l->why.code == VY_OK || l->has_ended) {
			vy_fail(&l->why, VY_GONE, "%s", e->text);
		}
		break;
	}
}

static void set_timer(struct link *l)
{
	int64_t due = vy_resume_due(&l->machine), left = due - now(l);

	vy_timer_set(l->timer, due == INT64_MAX ? -1 : left > 0 ? left : 0);
}

static void feed(struct link *l, struct vy_resume_event ev)
{
	struct vy_resume_out out;

	ev.now_ms = now(l);
	if (ev.type != VY_RESUME_FRAME) { /* a system call a word adds up */
		vy_random(&l->luck, sizeof(l->luck));
	}
	ev.random = l->luck;
	vy_resume_step(&l->machine, &ev, &l->arena, &out);
	for (size_t i = 0; i < out.n; i++) {
		act(l, &out.e[i]);
	}
	if (l->machine.state == VY_RESUME_LIVE) {
		path_free(l->path);
		l->path = NULL;
	}
	set_timer(l);
	say_state(l);
}

static void on_timer(void *ctx)
{
	struct link *l = ctx;

	VY_CHECK(l, LINK_MAGIC);
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_TICK });
}

/* ---- troubles ---- */

/* Is this an answer that no later try will change? */
static bool is_final(enum vy_code code)
{
	return code == VY_NOT_FOUND || code == VY_GONE || code == VY_DENIED ||
	       code == VY_PERSON_ONLY || code == VY_BAD_INPUT || code == VY_UNSUPPORTED;
}

static void call_failed(struct link *l, const struct vy_err *e)
{
	l->why = *e;
	if (is_final(e->code)) {
		feed(l, (struct vy_resume_event){
				.type = VY_RESUME_REFUSED, .text = vy_str_c(l->why.text) });
		return;
	}
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_CLOSED });
	if (e->code == VY_RETRY && dial_is_local(l->conf.dial) && l->ev.no_server) {
		l->ev.no_server(l->ctx);
	}
}

/* ---- the WebSocket ---- */

static void one_frame(struct link *l, struct vy_str line)
{
	struct vy_frame f;

	vy_arena_reset(&l->arena);
	if (vy_frame_decode(line, &l->arena, &f, &l->why) != 0 ||
		vy_frame_check(&f, &l->why) != 0) {
		/* not ours to guess at: ask for it again, and again more slowly */
		drop_connection(l);
		feed(l, (struct vy_resume_event){ .type = VY_RESUME_CLOSED });
		return;
	}
	if (l->conf.wants_words && f.kind == VY_KIND_TEXT_DELTA && vy_frame_is_expired(&f)) {
		vy_frame_init(&f, VY_KIND_RESET); /* as good as: what follows has lost its words */
	}
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_FRAME, .frame = &f });
}

static void on_message(void *ctx, struct vy_str text)
{
	struct link *l = ctx;
	const struct dial_ws *ws = l->ws;

	VY_CHECK(l, LINK_MAGIC);
	while (text.n && l->ws == ws) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;

		if (n) {
			one_frame(l, vy_str_n(text.p, n));
		}
		text = vy_str_from(text, n + 1);
	}
}

static void on_open(void *ctx)
{
	struct link *l = ctx;

	VY_CHECK(l, LINK_MAGIC);
	if (!l->machine.has_last) { /* so that nobody waits for us to say it */
		dial_ws_send(l->ws, VY_STR_LIT("{\"t\":\"subscribe\"}"));
	}
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_BYTES });
}

static void on_closed(void *ctx, int code, const char *why)
{
	struct link *l = ctx;

	VY_CHECK(l, LINK_MAGIC);
	l->ws = NULL;
	l->is_caught_up = false;
	l->has_ended = code == CLOSE_NO_MORE;
	l->was_ended = code == CLOSE_RESTARTING;
	vy_fail(&l->why, VY_RETRY, _("the stream was closed (%d%s%s)"), code, why[0] ? ": " : "",
		why);
	feed(l, (struct vy_resume_event){
			.type = VY_RESUME_CLOSED, .code = code == 1006 || code < 1000 ? 0 : code });
}

/* ---- stream.open and the snapshot ---- */

static void on_opened(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	static const struct dial_ws_events events = { on_open, on_message, on_closed };
	struct link *l = ctx;
	const char *path = vy_json_cstr(result, "path");

	VY_CHECK(l, LINK_MAGIC);
	l->call = NULL;
	if (!result) {
		call_failed(l, e);
		return;
	}
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_OPENED,
			.head = (uint64_t)vy_json_int(result, "head", 0),
			.floor = (uint64_t)vy_json_int(result, "floor", 0),
			.epoch = vy_json_str(result, "epoch") });
	if (l->machine.state == VY_RESUME_LIVE && path) {
		l->ws = dial_ws_open(l->conf.dial, path, "vyre.lines", &events, l);
		say_state(l);
	}
}

static void open_stream(struct link *l)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "session", l->conf.session);
	if (l->machine.has_last) {
		vy_json_set_int(params, "from", (int64_t)l->machine.last);
		if (l->machine.epoch[0]) {
			vy_json_set_c(params, "epoch", l->machine.epoch);
		}
	}
	l->call = rpc_call(l->conf.rpc, "stream.open", params, NULL, 0, on_opened, l);
}

static void drop_page(struct link *l)
{
	if (l->page) {
		rpc_cancel(l->page);
		l->page = NULL;
		l->ev.older(l->ctx, NULL);
	}
}

static void on_page(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct link *l = ctx;

	VY_CHECK(l, LINK_MAGIC);
	(void)e;
	l->page = NULL;
	l->ev.older(l->ctx, result);
}

void link_older(struct link *l, int64_t to)
{
	VY_AUTO_BUF path = VY_BUF_INIT(512);

	if (!l->page) {
		vy_buf_addf(&path, "/v1/sessions/%s/snapshot?rows=%lld&to=%lld", l->conf.session,
			(long long)l->conf.rows, (long long)to);
		l->page = rpc_get(l->conf.rpc, vy_buf_c(&path), on_page, l);
	}
}

static void on_snapshot(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct link *l = ctx;

	VY_CHECK(l, LINK_MAGIC);
	l->call = NULL;
	if (!result) {
		call_failed(l, e);
		return;
	}
	drop_page(l); /* of what is void now */
	l->ev.snapshot(l->ctx, result);
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_TAKEN,
			.head = (uint64_t)vy_json_int(result, "cur", 0),
			.epoch = vy_json_str(result, "epoch") });
}

static void read_snapshot(struct link *l)
{
	VY_AUTO_BUF path = VY_BUF_INIT(512);

	vy_buf_addf(&path, "/v1/sessions/%s/snapshot", l->conf.session);
	if (l->conf.rows) {
		vy_buf_addf(&path, "?rows=%lld", (long long)l->conf.rows);
	}
	l->call = rpc_get(l->conf.rpc, vy_buf_c(&path), on_snapshot, l);
}

/* ---- the life of one ---- */

struct link *link_new(const struct link_conf *conf, const struct link_events *ev, void *ctx)
{
	struct link *l = VY_NEW(struct link);

	VY_MAGIC_SET(l, LINK_MAGIC);
	l->conf = *conf;
	l->conf.session = vy_strdup(conf->session);
	l->ev = *ev;
	l->ctx = ctx;
	vy_arena_init(&l->arena);
	l->timer = vy_loop_timer(conf->loop, on_timer, l);
	l->state = LINK_DOWN;
	l->down_since = now(l);
	if (conf->from >= 0) {
		vy_resume_init_from(&l->machine, (uint64_t)conf->from, vy_str_c(conf->epoch));
	} else {
		vy_resume_init(&l->machine);
		l->machine.wants_snapshot = !conf->is_from_start;
	}
	feed(l, (struct vy_resume_event){ .type = VY_RESUME_START });
	return l;
}

void link_free(struct link *l)
{
	if (!l) {
		return;
	}
	VY_CHECK(l, LINK_MAGIC);
	drop_connection(l);
	rpc_cancel(l->page);
	path_free(l->path);
	vy_timer_del(l->timer);
	vy_arena_fini(&l->arena);
	free((char *)l->conf.session);
	VY_MAGIC_CLEAR(l);
	free(l);
}

void link_retry(struct link *l)
{
	feed(l, (struct vy_resume_event){ .type = l->machine.state == VY_RESUME_LOST
							  ? VY_RESUME_START
							  : VY_RESUME_PATH });
}

enum link_state link_state(const struct link *l)
{
	return l->state;
}

bool link_was_ended(const struct link *l)
{
	return l->was_ended;
}

int64_t link_last(const struct link *l)
{
	return l->machine.has_last ? (int64_t)l->machine.last : -1;
}

int64_t link_heard_ms(const struct link *l)
{
	return l->machine.heard_ms;
}

int64_t link_down_since_ms(const struct link *l)
{
	return l->down_since;
}
