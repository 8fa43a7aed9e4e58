/* tail.c -- see tail.h: the table of planes, what is the same for all, and the session's frames. */
#include "tui/cmd/tail.h"

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "tui/cmd/render.h"
#include "tui/net/link.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define PATIENCE_MS 2000 /* a blip is nobody's business */

/* ---- what is the same for all ---- */

static void on_down(void *ctx)
{
	struct tail *t = ctx;

	t->is_down_told = true;
	out_progress(&t->c->out, "%s", _("vyre-tui: reconnecting"));
}

static void on_turn_end(void *ctx)
{
	struct tail *t = ctx;

	if (out_flush(&t->c->out) != 0) {
		vy_loop_stop(t->c->net.loop);
	}
}

void tail_down(struct tail *t)
{
	if (!t->is_down_told && !vy_timer_is_set(t->down)) {
		vy_timer_set(t->down, PATIENCE_MS);
	}
}

void tail_up(struct tail *t)
{
	vy_timer_set(t->down, -1);
	if (t->is_down_told) {
		out_progress(&t->c->out, "%s", _("vyre-tui: connected again"));
	}
	t->is_down_told = false;
}

void tail_over(struct tail *t, const struct vy_err *why)
{
	t->err = why ? *why : (struct vy_err){ .code = VY_GONE };
	vy_loop_stop(t->c->net.loop);
}

void tail_run(struct tail *t)
{
	if (t->err.code == VY_OK) {
		vy_loop_run(t->c->net.loop);
	}
}

/* ---- a session's frames ---- */

struct frames {
	struct tail *tail;
	struct render render;
};

static void on_frame(void *ctx, const struct vy_frame *f)
{
	struct frames *fr = ctx;
	struct tail *t = fr->tail;
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);

	if (!t->c->o->is_json) {
		render_frame(&fr->render, f, &b);
		out_raw(&t->c->out, vy_buf_str(&b));
	} else if (vy_frame_encode(f, &b)) {
		out_json_line(&t->c->out, vy_buf_str(&b));
	}
}

/* The log does not reach back to where we were: {"snapshot": …} stands for what is missing. */
static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	struct frames *fr = ctx;
	struct tail *t = fr->tail;
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_MAX);

	if (t->c->o->is_json) {
		VY_AUTO_JSON *o = vy_json_new_obj();

		vy_json_take(o, "snapshot", vy_json_copy(snapshot));
		out_json(&t->c->out, o);
	} else {
		render_note(
			&fr->render, _("something is missing here: the log does not hold it"), &b);
		out_raw(&t->c->out, vy_buf_str(&b));
	}
}

static void on_state(void *ctx, enum link_state s, const struct vy_err *why)
{
	struct tail *t = ((struct frames *)ctx)->tail;

	switch (s) {
	case LINK_REFUSED:
	case LINK_ENDED: tail_over(t, why); break;
	case LINK_DOWN: tail_down(t); break;
	case LINK_REPLAY:
	case LINK_LIVE: tail_up(t); break;
	}
}

static void tail_session(struct tail *t, const struct tail_plane *p, const char *session)
{
	static const struct link_events events = {
		.frame = on_frame, .snapshot = on_snapshot, .state = on_state
	};
	struct link_conf conf = { .loop = t->c->net.loop,
		.dial = t->c->net.dial,
		.rpc = t->c->net.rpc,
		.clock = &vy_clock_real,
		.session = session,
		.from = -1,
		.is_from_start = true };
	struct frames fr = { .tail = t };
	struct link *link;

	(void)p;
	render_init(&fr.render, t->c->out.is_ascii);
	link = link_new(&conf, &events, &fr);
	tail_run(t);
	link_free(link);
	render_fini(&fr.render);
}

/* ---- the table ---- */

static const struct tail_plane planes[] = {
	{ "session", tail_session, true, NULL, NULL },
	{ "control", tail_control, false, NULL, NULL },
	{ "ui", tail_events, true, "/v1/sessions/%s/ui-stream", events_judge_ui },
	{ "follow", tail_follow, true, "/v1/sessions/%s/follow?attempts=1&from=%s", NULL },
	{ "raw", tail_events, true, "/v1/sessions/%s/observe", events_judge_observe },
};

static const struct tail_plane *find(const char *name, struct vy_err *e)
{
	for (size_t i = 0; i < VY_COUNT(planes); i++) {
		if (strcmp(planes[i].name, name) == 0) {
			return &planes[i];
		}
	}
	vy_fail(e, VY_BAD_INPUT,
		_("there is no plane %s; there are session, control, ui, follow and raw"), name);
	return NULL;
}

int verb_tail(struct cmd *c, struct vy_err *e)
{
	const struct tail_plane *p = find(c->o->plane ? c->o->plane : "session", e);
	const char *name = c->o->n_words ? c->o->words[0] : NULL;
	struct tail t = { .c = c };
	char id[VY_UUID_LEN + 1] = "";

	if (!p || ((name || p->needs_session) && cmd_session(c, name, id, e) != 0)) {
		return -1;
	}
	t.down = vy_loop_timer(c->net.loop, on_down, &t);
	vy_loop_at_end(c->net.loop, on_turn_end, &t);
	p->run(&t, p, id);
	vy_loop_forget(c->net.loop, on_turn_end, &t);
	vy_timer_del(t.down);
	*e = t.err;
	return t.err.code == VY_OK ? EXIT_FAILED : -1; /* else nobody reads any more */
}
