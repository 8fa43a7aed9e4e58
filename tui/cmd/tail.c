/* tail.c -- what happens in a session, from the start of what its log holds, for as long as
 * somebody reads. A server that goes away is waited for: nothing is shown twice or left out. */
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "tui/cmd/render.h"
#include "tui/cmd/verb.h"
#include "tui/net/link.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define PATIENCE_MS 2000 /* a blip is nobody's business */

struct tail {
	struct cmd *c;
	struct render render;
	struct link *link;
	struct vy_timer *down; /* set while the line is down and nobody was told */
	bool is_down_told;
	struct vy_err err;
};

static void on_frame(void *ctx, const struct vy_frame *f)
{
	struct tail *t = ctx;
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);

	if (!t->c->o->is_json) {
		render_frame(&t->render, f, &b);
		out_raw(&t->c->out, vy_buf_str(&b));
	} else if (vy_frame_encode(f, &b)) {
		out_json_line(&t->c->out, vy_buf_str(&b));
	}
}

/* The log does not reach back to where we were: {"snapshot": …} stands for what is missing. */
static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	struct tail *t = ctx;
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_MAX);

	if (t->c->o->is_json) {
		VY_AUTO_JSON *o = vy_json_new_obj();

		vy_json_take(o, "snapshot", vy_json_copy(snapshot));
		out_json(&t->c->out, o);
	} else {
		render_note(
			&t->render, _("something is missing here: the log does not hold it"), &b);
		out_raw(&t->c->out, vy_buf_str(&b));
	}
}

static void on_state(void *ctx, enum link_state s, const struct vy_err *why)
{
	struct tail *t = ctx;

	switch (s) {
	case LINK_REFUSED:
	case LINK_ENDED:
		t->err = why ? *why : (struct vy_err){ .code = VY_GONE };
		vy_loop_stop(t->c->net.loop);
		break;
	case LINK_DOWN:
		if (!t->is_down_told && !vy_timer_is_set(t->down)) {
			vy_timer_set(t->down, PATIENCE_MS);
		}
		break;
	case LINK_REPLAY:
	case LINK_LIVE:
		vy_timer_set(t->down, -1);
		if (t->is_down_told) {
			out_progress(&t->c->out, "%s", _("vyre-tui: connected again"));
		}
		t->is_down_told = false;
		break;
	}
}

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

static int follow(struct tail *t, const char *session, struct vy_err *e)
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

	t->down = vy_loop_timer(conf.loop, on_down, t);
	vy_loop_at_end(conf.loop, on_turn_end, t);
	t->link = link_new(&conf, &events, t);
	if (t->err.code == VY_OK) {
		vy_loop_run(conf.loop);
	}
	link_free(t->link);
	vy_loop_forget(conf.loop, on_turn_end, t);
	vy_timer_del(t->down);
	*e = t->err;
	return t->err.code == VY_OK ? EXIT_FAILED : -1; /* else nobody reads any more */
}

int verb_tail(struct cmd *c, struct vy_err *e)
{
	struct tail t = { .c = c };
	char id[VY_UUID_LEN + 1];
	int code;

	if (cmd_session(c, c->o->n_words ? c->o->words[0] : NULL, id, e) != 0) {
		return -1;
	}
	render_init(&t.render, c->out.is_ascii);
	code = follow(&t, id, e);
	render_fini(&t.render);
	return code;
}
