/* tail_planes.c -- the planes that are standing streams of events, and the control plane. */
#include "shared/base/clock.h"
#include "shared/base/json.h"
#include "shared/io/loop.h"
#include "shared/model/follow.h"
#include "shared/model/watch.h"
#include "tui/cmd/tail.h"
#include "tui/net/events.h"
#include "tui/net/plane.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define TARGET_MAX 256

/* ---- any stream of events: its items as they come ---- */

static void print_item(void *ctx, const struct events_item *it)
{
	struct tail *t = ctx;

	out_json(&t->c->out, it->json);
}

static void events_changed(struct tail *t, enum events_state s, const struct vy_err *why)
{
	switch (s) {
	case EVENTS_DOWN: tail_down(t); break;
	case EVENTS_LIVE: tail_up(t); break;
	case EVENTS_OVER:
	case EVENTS_LOST: tail_over(t, why); break;
	}
}

static void on_state(void *ctx, enum events_state s, const struct vy_err *why)
{
	events_changed(ctx, s, why);
}

/* Its format is that of a row of the table. */
static void fill(char path[TARGET_MAX], const char *format, const char *session, const char *place)
{
	const char *with[] = { session, place };
	size_t n = 0, k = 0;

	for (; *format && n < TARGET_MAX - 1; format++) {
		if (format[0] == '%' && k < VY_COUNT(with)) {
			int len = snprintf(path + n, TARGET_MAX - n, "%s", with[k++]);

			n += len > 0 ? (size_t)len : 0;
			format++;
		} else {
			path[n++] = *format;
		}
	}
	path[n < TARGET_MAX ? n : TARGET_MAX - 1] = '\0';
}

void tail_events(struct tail *t, const struct tail_plane *p, const char *session)
{
	struct events_ops ops = { p->judge, print_item, on_state };
	char path[TARGET_MAX];
	struct events_conf conf = { .loop = t->c->net.loop,
		.dial = t->c->net.dial,
		.clock = &vy_clock_real,
		.path = path };
	struct events *ev;

	fill(path, p->path, session, "");
	ev = events_new(&conf, &ops, t);
	tail_run(t);
	events_free(ev);
}

/* ---- follow: through the machine that knows what is missing ---- */

struct following {
	struct tail *tail;
	const struct tail_plane *plane;
	const char *session;
	struct vy_follow *machine;
	struct events *events;
};

static void print_said(void *ctx, const struct vy_follow_said *s)
{
	struct following *f = ctx;

	if (s->what != VY_FOLLOW_VOID && s->what != VY_FOLLOW_LIVE) {
		out_json_line(&f->tail->c->out, s->item);
	}
}

static void follow_from_here(struct following *f);

/* Another history: what was printed is not of it. */
static void start_over(void *ctx)
{
	struct following *f = ctx;

	events_free(f->events);
	follow_from_here(f);
}

static void print_reset(struct following *f)
{
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_c(o, "type", "follow.reset");
	vy_json_set_c(o, "epoch", vy_follow_epoch(f->machine));
	out_json(&f->tail->c->out, o);
}

static enum events_fit judge(void *ctx, const struct events_item *it)
{
	struct following *f = ctx;

	switch (vy_follow_take(f->machine, it->text, print_said, f)) {
	case VY_FOLLOW_OK: return EVENTS_FITS;
	case VY_FOLLOW_RESET:
		print_reset(f);
		vy_loop_defer(f->tail->c->net.loop, start_over, f);
		return EVENTS_FITS;
	case VY_FOLLOW_AGAIN:
	default: return EVENTS_MISFIT; /* it comes back behind the last event */
	}
}

static void on_item(void *ctx, const struct events_item *it)
{
	(void)ctx;
	(void)it; /* the machine has it */
}

static void on_follow_state(void *ctx, enum events_state s, const struct vy_err *why)
{
	struct following *f = ctx;

	if (s != EVENTS_LIVE) {
		vy_follow_lost(f->machine, print_said, f);
	}
	events_changed(f->tail, s, why);
}

static void follow_from_here(struct following *f)
{
	static const struct events_ops ops = { judge, on_item, on_follow_state };
	char path[TARGET_MAX], from[24];
	struct events_conf conf = { .loop = f->tail->c->net.loop,
		.dial = f->tail->c->net.dial,
		.clock = &vy_clock_real,
		.path = path };

	snprintf(from, sizeof(from), "%lld", (long long)vy_follow_last(f->machine));
	fill(path, f->plane->path, f->session, from);
	f->events = events_new(&conf, &ops, f);
}

void tail_follow(struct tail *t, const struct tail_plane *p, const char *session)
{
	struct following f = { t, p, session, vy_follow_new(), NULL };

	follow_from_here(&f);
	tail_run(t);
	vy_loop_forget(t->c->net.loop, start_over, &f);
	events_free(f.events);
	vy_follow_free(f.machine);
}

/* ---- control ---- */

struct controlled {
	struct tail *tail;
	struct plane *plane;
	struct vy_watch watch; /* only where it goes on */
};

static void on_begins(void *ctx, int64_t head)
{
	struct controlled *k = ctx;

	vy_watch_head(&k->watch, head);
	tail_up(k->tail);
}

static void on_event(void *ctx, const struct vy_json *event)
{
	struct controlled *k = ctx;
	VY_AUTO_JSON *item = vy_json_copy(event);

	k->watch.since = vy_json_int(event, "seq", k->watch.since);
	vy_json_del(item, "subscription");
	out_json(&k->tail->c->out, item);
}

static void on_ends(void *ctx)
{
	struct controlled *k = ctx;
	struct vy_err e = { 0 };

	if (plane_is_there(k->plane)) {
		tail_down(k->tail);
		return;
	}
	vy_fail(&e, VY_DENIED, "%s", _("the server does not tell this program what happens"));
	tail_over(k->tail, &e);
}

void tail_control(struct tail *t, const struct tail_plane *p, const char *session)
{
	static const struct plane_events events = { on_begins, on_event, on_ends };
	struct controlled k = { .tail = t };
	VY_AUTO_BUF filter = VY_BUF_INIT(TARGET_MAX);

	(void)p;
	if (session[0]) {
		vy_buf_addf(&filter, "{\"session\":\"%s\"}", session);
	} else {
		vy_buf_adds(&filter, "{}");
	}
	vy_watch_init(&k.watch);
	k.plane = plane_new(t->c->net.loop, t->c->net.dial, &k.watch, &events, &k);
	plane_filter(k.plane, vy_buf_c(&filter));
	plane_want(k.plane, true);
	tail_run(t);
	plane_free(k.plane);
	vy_watch_fini(&k.watch);
}
