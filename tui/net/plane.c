/* plane.c -- see plane.h. */
#include "tui/net/plane.h"

#include <stdlib.h>

#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/backoff.h"
#include "shared/io/loop.h"
#include "shared/model/watch.h"
#include "tui/net/dial.h"
#include "tui/net/path.h"
#include "shared/base/ban.h"

#define PLANE_PATH "/v1/stream"
/* The records say it all of a session: whose turn it is, what is asked, what is queued. Beside them
 * what the lists of places and defaults show. */
#define RECORDS                                                                                    \
	"{\"types\":[\"session.created\",\"session.updated\",\"session.archived\","                \
	"\"session.deleted\",\"slot.taken\",\"slot.released\",\"slot.queued\","                    \
	"\"defaults.changed\"]}"

struct plane {
	struct dial *dial;
	struct dial_ws *ws;
	struct vy_timer *again;
	struct vy_timer *quiet;   /* set while it is open: to ask, and then to give it up */
	int64_t beat_ms, dead_ms; /* of plane_pace() */
	bool is_asked;
	struct path *path; /* of a local server */
	const struct vy_watch *watch;
	const struct plane_events *ev;
	void *ctx;
	const char *filter;
	unsigned tries; /* since it spoke last */
	bool is_wanted, is_none;
};

static void open_it(void *ctx);

static void on_heard(void *ctx)
{
	struct plane *p = ctx;

	p->is_asked = false;
	vy_timer_set(p->quiet, p->beat_ms);
}

static void on_open(void *ctx)
{
	struct plane *p = ctx;
	VY_AUTO_BUF b = VY_BUF_INIT(1024);

	on_heard(p);
	vy_buf_adds(
		&b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"control.subscribe\",\"params\":{");
	if (p->watch->since >= 0) {
		vy_buf_addf(&b, "\"since\":%lld,", (long long)p->watch->since);
	}
	vy_buf_addf(&b, "\"filter\":%s}}", p->filter);
	dial_ws_send(p->ws, vy_buf_str(&b));
}

static void on_message(void *ctx, struct vy_str text)
{
	struct plane *p = ctx;
	VY_AUTO_JSON *m = vy_json_parse(text, NULL);
	const struct vy_json *params = vy_json_get(m, "params"), *got = vy_json_get(m, "result");

	p->tries = 0;
	if (vy_json_get(m, "error")) {
		p->is_none = true; /* it speaks, and has no such method, or not for us */
		p->ev->ends(p->ctx);
	} else if (got) {
		p->ev->begins(p->ctx, vy_json_int(got, "head", -1));
	} else if (vy_str_is(vy_json_str(m, "method"), "control.event")) {
		p->ev->event(p->ctx, params);
	}
}

static void on_closed(void *ctx, int code, const char *why)
{
	struct plane *p = ctx;

	(void)why;
	p->ws = NULL;
	vy_timer_set(p->quiet, -1);
	p->is_none |= code == 400 || code == 403 || code == 404 || code == 426;
	p->ev->ends(p->ctx);
	if (p->is_wanted && !p->is_none) {
		uint32_t luck;

		vy_random(&luck, sizeof(luck));
		vy_timer_set(p->again, vy_backoff_ms(VY_BACKOFF_FIRST_MS, ++p->tries, luck));
	}
}

static void on_quiet(void *ctx)
{
	struct plane *p = ctx;

	if (!p->is_asked) {
		p->is_asked = true;
		dial_ws_ping(p->ws);
		vy_timer_set(p->quiet, p->dead_ms - p->beat_ms);
		return;
	}
	dial_ws_close(p->ws); /* half open: it would never say so */
	on_closed(p, 0, "");
}

static void open_it(void *ctx)
{
	static const struct dial_ws_events events = { on_open, on_message, on_closed, on_heard };
	struct plane *p = ctx;

	if (p->is_wanted && !p->is_none && !p->ws) {
		p->ws = dial_ws_open(p->dial, PLANE_PATH, NULL, &events, p);
	}
}

static void on_path(void *ctx)
{
	struct plane *p = ctx;

	p->tries = 0; /* it may not listen yet */
	open_it(p);
}

struct plane *plane_new(struct vy_loop *loop, struct dial *d, const struct vy_watch *watch,
	const struct plane_events *ev, void *ctx)
{
	struct plane *p = VY_NEW(struct plane);

	p->dial = d;
	p->watch = watch;
	p->ev = ev;
	p->ctx = ctx;
	p->filter = RECORDS;
	p->again = vy_loop_timer(loop, open_it, p);
	p->quiet = vy_loop_timer(loop, on_quiet, p);
	plane_pace(p, VY_HEARTBEAT_MS, VY_DEAD_MS);
	if (dial_is_local(d)) {
		p->path = path_watch(loop, dial_target(d), on_path, p);
	}
	return p;
}

void plane_free(struct plane *p)
{
	if (p) {
		path_free(p->path);
		vy_timer_del(p->again);
		vy_timer_del(p->quiet);
		dial_ws_close(p->ws);
		free(p);
	}
}

void plane_filter(struct plane *p, const char *filter)
{
	p->filter = filter;
}

void plane_pace(struct plane *p, int64_t beat_ms, int64_t dead_ms)
{
	p->beat_ms = beat_ms;
	p->dead_ms = dead_ms;
}

void plane_want(struct plane *p, bool is_wanted)
{
	p->is_wanted = is_wanted;
	if (is_wanted) {
		p->tries = 0;
		open_it(p);
	} else {
		vy_timer_set(p->again, -1);
	}
}

bool plane_is_there(const struct plane *p)
{
	return !p->is_none;
}
