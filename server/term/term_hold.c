/* term_hold.c -- what a terminal's holder says: a shell that starts, its bytes, its end (term_in.h).
 *
 * A terminal that is forgotten may still hear its holder until that is let go; it does nothing then. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "server/io/hold_sweep.h"
#include "server/log/log.h"
#include "server/term/term_in.h"
#include "shared/base/arena.h"
#include "shared/base/crash.h"
#include "shared/base/json.h"
#include "shared/base/log.h"
#include "shared/base/ban.h"

static struct hold_at holder_of(const struct term *t)
{
	struct hold_at at = {
		.dir = t->terms->conf.state_dir,
		.hid = t->facts.hid,
		.epoch = (uint64_t)log_starts(t->terms->conf.log),
	};

	memcpy(at.token, t->token, sizeof(at.token));
	return at;
}

void term_start(struct term *t)
{
	struct hold_at at = holder_of(t);

	t->hold = hold_spawn(t->terms->conf.loop, &at, &term_hold_ops, t);
	VY_CRASH(TERM_FORKED);
}

void term_attach(struct term *t)
{
	struct hold_at at = holder_of(t);

	t->hold = hold_attach(t->terms->conf.loop, &at, t->kept, &term_hold_ops, t);
}

static void start_shell(struct term *t)
{
	const struct terms_conf *c = &t->terms->conf;
	VY_AUTO_JSON *start = t->start;
	struct size size = sizes_last(&t->sizes);
	struct vy_arena a;
	struct vy_err e = { 0 };

	t->start = NULL;
	vy_arena_init(&a);
	struct hold_start hs = {
		.kind = HOLD_PTY,
		.argv = vy_json_strings(vy_json_get(start, "argv"), &a),
		.env = vy_json_strings(vy_json_get(start, "env"), &a),
		.cwd = vy_json_cstr(start, "cwd"),
		.cols = size.cols,
		.rows = size.rows,
		.umask = 022,
		.orphan_s = c->orphan_s(c->ctx),
	};
	int rc = hold_start(t->hold, &hs, &e);

	vy_arena_fini(&a);
	if (rc != 0) {
		term_ended(t, e.text);
	}
}

static void runs(struct term *t)
{
	const struct terms_conf *c = &t->terms->conf;
	terms_opened_fn *fn = t->opened;

	if (t->state != TERM_OPENING) {
		return;
	}
	t->state = TERM_RUNS;
	t->opened = NULL;
	term_put(t);
	VY_CRASH(TERM_RAN);
	term_rest(t);
	vy_log(VY_LOG_INFO, "term.opened", "term=%s session=%s hid=%s pid=%d", t->facts.id,
		t->facts.session, t->facts.hid, (int)t->facts.pid);
	if (c->ops->opened) {
		c->ops->opened(c->ctx, term_facts_now(t));
	}
	if (fn && t->terms) {
		fn(t->opened_ctx, term_facts_now(t), NULL);
	}
}

static void on_hello(void *ctx, const struct hold_hello *h)
{
	struct term *t = ctx;

	if (!t->terms) {
		return;
	}
	t->facts.holder = h->holder;
	if (!t->is_met) {
		t->next_seq = h->in_next > t->next_seq ? h->in_next : t->next_seq;
	}
	t->is_met = true;
	if (h->state == HOLD_EMPTY) {
		if (t->start) {
			start_shell(t);
		} else {
			term_ended(t, "its shell was not started yet when the server ended");
		}
		return;
	}
	t->facts.pid = h->pid;
	t->facts.pgid = h->pgid;
	t->facts.sid = h->sid;
	t->caught = h->end > t->caught ? h->end : t->caught;
	runs(t);
	if (t->terms && t->facts.is_closing && h->state == HOLD_RUNNING) {
		term_close(t);
	}
	if (t->terms) {
		term_wake(t);
	}
}

static void on_started(void *ctx, pid_t pid, pid_t pgid, pid_t sid)
{
	struct term *t = ctx;

	if (t->terms) {
		t->facts.pid = pid;
		t->facts.pgid = pgid;
		t->facts.sid = sid;
		runs(t);
	}
}

static void on_refused(void *ctx, const char *why)
{
	struct term *t = ctx;

	if (t->terms) {
		term_ended(t, why);
	}
}

static void on_out(void *ctx, uint64_t off, int stream, struct vy_str bytes)
{
	struct term *t = ctx;

	(void)stream; /* a PTY has one */
	if (t->terms && bytes.n && !log_is_read_only(t->terms->conf.log)) {
		term_heard(t, off, bytes);
	}
}

/* Keys are written once: what had not arrived when vyred died is lost, as the person sees. */
static void on_inack(void *ctx, uint64_t seq)
{
	(void)ctx;
	(void)seq;
}

static void on_exit_(void *ctx, int status, int signo)
{
	struct term *t = ctx;

	if (t->terms) {
		t->facts.has_code = true;
		t->facts.status = status;
		t->facts.signal = signo;
		t->caught = t->ring.end; /* there is no more */
		term_ended(t, "");
	}
}

static void on_lost(void *ctx, const struct vy_err *why)
{
	struct term *t = ctx;
	bool is_taken = why->code == VY_DENIED; /* by a newer vyred: it looks after it now */

	hold_free(t->hold);
	t->hold = NULL;
	if (!t->terms) {
		return;
	}
	int left = is_taken ? 0 : hold_sweep(t->facts.hid, SIGKILL);

	if (!is_taken) {
		hold_unlink(t->terms->conf.state_dir, t->facts.hid);
	}
	vy_log(VY_LOG_WARN, "term.lost", "term=%s hid=%s left=%d why=%s", t->facts.id, t->facts.hid,
		left, vy_log_q(why->text));
	t->is_unheld = true;
	t->caught = t->ring.end;
	term_put(t);
	term_ended(t, t->state == TERM_OPENING
			      ? why->text
			      : "The process that held the terminal is gone; what it had not "
				"told yet is lost.");
}

const struct hold_ops term_hold_ops = {
	.on_hello = on_hello,
	.on_started = on_started,
	.on_refused = on_refused,
	.on_out = on_out,
	.on_inack = on_inack,
	.on_exit = on_exit_,
	.on_lost = on_lost,
};
