/* wait.c -- see wait.h.
 *
 * The link begins at the head of the log before the message is sent, so that no frame of its turn
 * is missed and none of the past is read. The message is sent once the link stands, and again with
 * the same key each time the link comes back before there was an answer. */
#include "tui/cmd/wait.h"

#include <string.h>

#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "tui/cmd/flow.h"
#include "tui/cmd/outcome.h"
#include "tui/cmd/verb.h"
#include "tui/net/link.h"
#include "tui/words/said.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define AGAIN_MS 500

struct waiting {
	struct cmd *c;
	const char *session;
	struct vy_str text;
	char key[VY_UUID_LEN + 1];
	struct link *link;
	struct rpc_call *call; /* of the message */
	struct vy_timer *again;
	struct spawn *spawn;
	bool is_sent; /* the server has it */
	struct outcome outcome;
	struct vy_err err;
	/* what is on stdout */
	struct flow flow;
	char message[VY_ID_MAX + 1]; /* whose text runs on; "": none yet */
	int64_t index;
	bool has_text;
	char last; /* the last character */
};

static void over(struct waiting *w)
{
	vy_loop_stop(w->c->net.loop);
}

/* ---- sending ---- */

static void send_message(struct waiting *w);

static void on_sent(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct waiting *w = ctx;
	struct vy_str reason = vy_json_str(result, "reason");

	w->call = NULL;
	if (e->code == VY_RETRY) {
		vy_timer_set(w->again, AGAIN_MS);
		return;
	}
	if (!result) {
		w->err = *e;
		over(w);
		return;
	}
	w->is_sent = true;
	bool goes_on = vy_str_starts(reason, "live-cap:") || vy_str_starts(reason, "slots:") ||
		       vy_str_starts(reason, "elsewhere:");

	if (goes_on) {
		struct vy_str why = words_said(reason);

		out_progress(&w->c->out, "(%.*s)", VY_STR_ARG(why));
	} else if (reason.n) { /* queued, and not to be taken before a person says so */
		vy_fail(&w->err, VY_BUSY, "%.*s", VY_STR_ARG(reason));
		over(w);
	} else if (vy_str_is(vy_json_str(result, "state"), "queued")) {
		out_progress(&w->c->out, "%s", _("(the agent is busy: this steers it, or waits)"));
	}
}

static void send_message(struct waiting *w)
{
	struct vy_json *params = cmd_params(w->session);

	vy_timer_set(w->again, -1);
	vy_json_set_str(params, "text", w->text);
	w->call = rpc_call(w->c->net.rpc, "threads.send", params, w->key, 0, on_sent, w);
}

static void on_again(void *ctx)
{
	struct waiting *w = ctx;

	if (!w->is_sent && !w->call) {
		send_message(w);
	}
}

/* ---- showing ---- */

static void put(struct waiting *w, struct vy_str text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);

	flow_add(&w->flow, text, &b);
	if (text.n) {
		w->last = text.p[text.n - 1];
		w->has_text = true;
	}
	out_raw(&w->c->out, vy_buf_str(&b));
}

static void put_rest(struct waiting *w)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);

	flow_end(&w->flow, &b);
	out_raw(&w->c->out, vy_buf_str(&b));
}

/* The text that ran on is over: the line is, too. */
static void end_line(struct waiting *w)
{
	put_rest(w);
	if (w->has_text && w->last != '\n') {
		out_raw(&w->c->out, VY_STR_LIT("\n"));
		w->last = '\n';
	}
}

static void text_delta(struct waiting *w, const struct vy_frame *f)
{
	struct vy_str message = vy_frame_str(f, VY_F_MESSAGE);
	int64_t index = vy_frame_int(f, VY_F_INDEX, 0);

	if (vy_frame_bool(f, VY_F_REASONING) || vy_frame_has(f, VY_F_PARENT)) {
		return;
	}
	if (w->has_text && (!vy_str_is(message, w->message) || index != w->index)) {
		end_line(w); /* another block, another paragraph */
		out_raw(&w->c->out, VY_STR_LIT("\n"));
	}
	snprintf(w->message, sizeof(w->message), "%.*s", VY_STR_ARG(message));
	w->index = index;
	put(w, vy_frame_str(f, VY_F_TEXT));
}

/* A line for the person who looks on; on a terminal it must not stand in the middle of one. */
static void break_line(struct waiting *w)
{
	if (w->c->out.is_tty) {
		end_line(w);
		out_flush(&w->c->out);
	}
}

static void tool_started(struct waiting *w, const struct vy_frame *f)
{
	if (!w->c->out.is_err_tty) {
		return;
	}
	break_line(w);
	out_progress(&w->c->out, "[%.*s] %.*s", VY_STR_ARG(vy_frame_str(f, VY_F_TOOL)),
		VY_STR_ARG(vy_frame_str(f, VY_F_SUMMARY)));
}

static void ask(struct waiting *w, const struct vy_frame *f)
{
	struct vy_str id = vy_frame_str(f, VY_F_ASK_ID);

	break_line(w);
	out_say(&w->c->out,
		_("vyre-tui: a person must answer: %.*s %.*s (vyre-tui answer %.*s allow, "
		  "or deny)"),
		VY_STR_ARG(vy_frame_str(f, VY_F_TOOL)), VY_STR_ARG(vy_frame_str(f, VY_F_SUMMARY)),
		VY_STR_ARG(id));
}

static void show(struct waiting *w, const struct vy_frame *f)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_MAX + 1024);

	if (w->c->o->is_json) {
		if (w->outcome.state != OUTCOME_UNSEEN && vy_frame_encode(f, &b)) {
			out_json_line(&w->c->out, vy_buf_str(&b));
		}
		return;
	}
	if (!outcome_is_of(&w->outcome, f)) {
		return;
	}
	switch ((int)f->kind) {
	case VY_KIND_TEXT_DELTA: text_delta(w, f); break;
	case VY_KIND_TEXT_DONE: put_rest(w); break;
	case VY_KIND_TOOL_STARTED: tool_started(w, f); break;
	case VY_KIND_ASK: ask(w, f); break;
	default: break;
	}
}

/* ---- the link ---- */

static void on_frame(void *ctx, const struct vy_frame *f)
{
	struct waiting *w = ctx;

	if (outcome_is_over(&w->outcome)) {
		return;
	}
	outcome_step(&w->outcome, f);
	show(w, f);
	if (outcome_is_over(&w->outcome)) {
		over(w);
	}
}

static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	struct waiting *w = ctx;

	(void)snapshot;
	vy_fail(&w->err, VY_GONE, "%s",
		_("the log does not hold the whole turn any more: vyre-tui tail shows what is "
		  "left"));
	over(w);
}

static void on_state(void *ctx, enum link_state s, const struct vy_err *why)
{
	struct waiting *w = ctx;

	if (s == LINK_REFUSED || s == LINK_ENDED) {
		w->err = why ? *why : (struct vy_err){ .code = VY_GONE };
		over(w);
	} else if (s == LINK_LIVE) {
		on_again(w);
	}
}

static void on_spawned(void *ctx, const struct vy_err *e)
{
	struct waiting *w = ctx;

	spawn_free(w->spawn);
	w->spawn = NULL;
	if (e->code == VY_OK) {
		link_retry(w->link);
	} else {
		vy_fail(&w->err, VY_RETRY, "%s", e->text);
		over(w);
	}
}

/* Whoever waits for an answer brings the server back. */
static void on_no_server(void *ctx)
{
	struct waiting *w = ctx;

	if (!w->spawn && w->c->net.may_start) {
		w->spawn = spawn_start(w->c->net.loop, &w->c->net.place, on_spawned, w);
	}
}

static void on_turn_end(void *ctx)
{
	struct waiting *w = ctx;

	if (out_flush(&w->c->out) != 0) {
		over(w); /* nobody reads; the turn goes on without us */
	}
}

/* ---- all of it ---- */

static void run(struct waiting *w, const struct vy_json *opened)
{
	static const struct link_events events = {
		.frame = on_frame,
		.snapshot = on_snapshot,
		.state = on_state,
		.no_server = on_no_server,
	};
	struct link_conf conf = { .loop = w->c->net.loop,
		.dial = w->c->net.dial,
		.rpc = w->c->net.rpc,
		.clock = &vy_clock_real,
		.session = w->session,
		.from = vy_json_int(opened, "head", 0),
		.epoch = vy_json_cstr(opened, "epoch") };

	flow_init(&w->flow, !w->c->out.is_tty);
	w->again = vy_loop_timer(conf.loop, on_again, w);
	vy_loop_at_end(conf.loop, on_turn_end, w);
	w->link = link_new(&conf, &events, w);
	vy_loop_run(conf.loop);
	link_free(w->link);
	spawn_free(w->spawn);
	rpc_cancel(w->call);
	vy_loop_forget(conf.loop, on_turn_end, w);
	vy_timer_del(w->again);
	if (!w->c->o->is_json) {
		end_line(w);
	}
	flow_fini(&w->flow);
}

int wait_for_answer(struct cmd *c, const char *session, struct vy_str text, struct vy_err *e)
{
	struct waiting w = { .c = c, .session = session, .text = text, .last = '\n' };
	VY_AUTO_JSON *opened = cmd_read(c, "stream.open", cmd_params(session), e);

	if (!opened) {
		return -1;
	}
	vy_uuid(w.key);
	outcome_init(&w.outcome, w.key);
	run(&w, opened);
	if (w.outcome.state == OUTCOME_OK) {
		return EXIT_OK;
	}
	if (w.outcome.state == OUTCOME_FAILED) {
		return vy_fail(e, VY_BUSY, "%s", w.outcome.why);
	}
	*e = w.err;
	return w.err.code == VY_OK ? EXIT_FAILED : -1;
}
