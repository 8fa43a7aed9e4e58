/* watch.c -- words that look on: tail, and the --wait of new and send. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "tui/cmd/inside.h"
#include "tui/cmd/print.h"
#include "tui/net/link.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

struct watch {
	struct cmd *cmd;
	struct print print;
	struct link *link;
	struct spawn *spawn;
	/* of --wait */
	char message[VY_UUID_LEN + 1];
	struct vy_json *params; /* of the send; NULL once it was made */
	bool is_taken;          /* the agent has it */
	bool is_over;
	int code;
	struct vy_err err;
};

static void over(struct watch *w, int code)
{
	w->is_over = true;
	w->code = code;
	vy_loop_stop(w->cmd->loop);
}

/* ---- the turn of one message ---- */

/* The outcome of our turn, which ends with `status waiting`. */
static void its_status(struct watch *w, const struct vy_frame *f)
{
	struct vy_str note = vy_frame_str(f, VY_F_NOTE);
	bool is_stopped = vy_frame_is(f, VY_F_STATE, "stopped");

	if (vy_frame_is(f, VY_F_STATE, "failed") || is_stopped ||
		vy_frame_is(f, VY_F_NOTE, "interrupted")) {
		const char *words = is_stopped ? _("it was stopped") : _("it failed");

		vy_fail(&w->err, VY_BUG, "%.*s", note.n ? (int)note.n : (int)strlen(words),
			note.n ? note.p : words);
	}
	if (is_stopped || vy_frame_is(f, VY_F_STATE, "waiting") ||
		vy_frame_is(f, VY_F_STATE, "finished")) {
		over(w, w->err.code == VY_OK ? CMD_OK : CMD_FAILED);
	}
}

static void on_answer_frame(void *ctx, const struct vy_frame *f)
{
	struct watch *w = ctx;

	if (w->is_over) {
		return;
	}
	if (f->kind == VY_KIND_USER_MESSAGE && vy_frame_is(f, VY_F_MESSAGE, w->message)) {
		if (vy_frame_is(f, VY_F_STATE, "cancelled")) {
			vy_fail(&w->err, VY_BUG, "%s", _("the message was taken back"));
			over(w, CMD_FAILED);
		}
		w->is_taken |= vy_frame_is(f, VY_F_STATE, "sent") ||
			       vy_frame_is(f, VY_F_STATE, "picked-up");
	}
	if (w->is_taken || w->print.is_json) {
		print_frame(&w->print, f);
	}
	if (w->is_taken && f->kind == VY_KIND_STATUS) {
		its_status(w, f);
	}
}

static void on_sent(void *ctx, const struct vy_json *result, const struct vy_err *e);

static void send_it(struct watch *w)
{
	if (w->params) {
		rpc_call(w->cmd->rpc, "threads.send", vy_json_copy(w->params), w->message, 0,
			on_sent, w);
	}
}

static void on_sent(void *ctx, const struct vy_json *result, const struct vy_err *e)
{
	struct watch *w = ctx;

	if (result) {
		vy_json_free(w->params);
		w->params = NULL;
	} else if (e->code != VY_RETRY && e->code != VY_BUSY) {
		w->err = *e;
		over(w, cmd_exit_of(e));
	} /* else again, with the same key, when the link is up once more */
}

/* ---- the link ---- */

static void on_tail_frame(void *ctx, const struct vy_frame *f)
{
	struct watch *w = ctx;

	print_frame(&w->print, f);
	if (ferror(stdout)) {
		over(w, CMD_FAILED);
	}
}

static void on_snapshot(void *ctx, const struct vy_json *snapshot)
{
	struct watch *w = ctx;

	(void)snapshot;
	if (w->print.side) {
		print_end(&w->print);
		fprintf(w->print.side, "-- %s\n", _("what came before is not kept any more"));
	}
}

static void on_state(void *ctx, enum link_state s, const struct vy_err *why)
{
	struct watch *w = ctx;

	if (s == LINK_REFUSED || s == LINK_ENDED) {
		if (why) {
			w->err = *why;
		}
		over(w, why ? cmd_exit_of(why) : CMD_FAILED);
	} else if (s == LINK_LIVE) {
		send_it(w);
	}
}

static void on_spawned(void *ctx, const struct vy_err *e)
{
	struct watch *w = ctx;

	spawn_free(w->spawn);
	w->spawn = NULL;
	if (e->code == VY_OK) {
		link_retry(w->link);
	} else {
		w->err = *e;
		over(w, CMD_NO_SERVER);
	}
}

/* Whoever waits for an answer brings the server back; a tail just waits. */
static void on_no_server(void *ctx)
{
	struct watch *w = ctx;

	if (!w->spawn && w->message[0]) {
		w->spawn = spawn_start(w->cmd->loop, &w->cmd->place, on_spawned, w);
	}
}

static int run(struct watch *w, const struct link_conf *conf, struct vy_err *e,
	void (*on_frame)(void *ctx, const struct vy_frame *f))
{
	struct link_events events = { on_frame, on_snapshot, on_state, on_no_server };

	w->link = link_new(conf, &events, w);
	if (!w->is_over) {
		vy_loop_run(w->cmd->loop);
	}
	link_free(w->link);
	spawn_free(w->spawn);
	vy_json_free(w->params);
	print_end(&w->print);
	if (w->err.code != VY_OK) {
		*e = w->err;
	}
	return w->code;
}

/* ---- the words ---- */

static struct link_conf link_of(struct cmd *c)
{
	return (struct link_conf){
		.loop = c->loop,
		.dial = c->dial,
		.rpc = c->rpc,
		.clock = &vy_clock_real,
		.session = c->session,
		.from = -1,
		.is_from_start = true,
	};
}

int cmd_tail(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_JSON *record = cmd_session(c, c->o->n_args > 0 ? c->o->args[0] : NULL, e);
	struct watch w = { .cmd = c,
		.print = { .text = stdout, .side = stdout, .is_json = c->o->is_json } };
	struct link_conf conf;

	if (!record) {
		return cmd_exit_of(e);
	}
	conf = link_of(c);
	return run(&w, &conf, e, on_tail_frame);
}

/* From the end of the log on: what was said before is not asked for. */
static int from_here(struct cmd *c, struct link_conf *conf, char epoch[64], struct vy_err *e)
{
	struct vy_json *params = vy_json_new_obj();

	vy_json_set_c(params, "session", c->session);
	VY_AUTO_JSON *opened = cmd_call(c, "stream.open", params, NULL, e);

	if (!opened) {
		return -1;
	}
	snprintf(epoch, 64, "%.*s", VY_STR_ARG(vy_json_str(opened, "epoch")));
	conf->from = vy_json_int(opened, "head", 0);
	conf->epoch = epoch;
	return 0;
}

int cmd_say_and_watch(struct cmd *c, struct vy_str text, struct vy_err *e)
{
	struct watch w = { .cmd = c,
		.print = { .text = stdout,
			.side = isatty(STDERR_FILENO) ? stderr : NULL,
			.is_json = c->o->is_json } };
	struct link_conf conf = link_of(c);
	char epoch[64];

	if (from_here(c, &conf, epoch, e) != 0) {
		return cmd_exit_of(e);
	}
	vy_uuid(w.message);
	w.params = vy_json_new_obj();
	vy_json_set_c(w.params, "session", c->session);
	vy_json_set_str(w.params, "text", text);
	return run(&w, &conf, e, on_answer_frame);
}
