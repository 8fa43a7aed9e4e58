/* holder.c -- the child's life, its tree, and what is due when; see holder.h.
 *
 * A rule of time is a line in holder_do_due(): when, worked out anew from the state, and what then. */
#include "server/holder/holder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/holder/brand.h"
#include "server/holder/tree.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

enum {
	KILL_FIRST_MS = 10,       /* between two passes of a tree kill, doubled each time */
	KILL_SLOW_MS = 1000,      /* up to this */
	KILL_PATIENCE_MS = 10000, /* a process that does not die holds EXIT back no longer */
};

#define NEVER INT64_MAX

static const struct vy_sm_state phases[] = {
	[HOLDER_EMPTY] = { "empty",
		VY_BIT(HOLDER_STARTING) | VY_BIT(HOLDER_REFUSED) | VY_BIT(HOLDER_LEAVING) },
	[HOLDER_STARTING] = { "starting", VY_BIT(HOLDER_RUNNING) | VY_BIT(HOLDER_REFUSED) },
	[HOLDER_REFUSED] = { "refused", VY_BIT(HOLDER_LEAVING) },
	[HOLDER_RUNNING] = { "running", VY_BIT(HOLDER_EXITED) },
	[HOLDER_EXITED] = { "exited", VY_BIT(HOLDER_LEAVING) },
	[HOLDER_LEAVING] = { "leaving", 0 },
};

void holder_limits_init(struct holder_limits *l)
{
	*l = (struct holder_limits){
		.spool_mem = VY_SPOOL_MEM,
		.spool_max = VY_SPOOL_MAX,
		.alone_ms = 60 * 1000,
		.attach_ms = 10 * 1000,
		.drain_ms = 2 * 1000,
		.linger_ms = 24 * 3600 * 1000LL,
		.quiet_ms = 3600 * 1000,
		.term_ms = 5 * 1000,
	};
}

int64_t holder_now(const struct holder *h)
{
	return vy_boot_ms(h->conf.clock);
}

bool holder_is_in(const struct holder *h, enum holder_phase phase)
{
	return h->phase.now == (unsigned)phase;
}

static void enter(struct holder *h, enum holder_phase phase)
{
	int moved = vy_sm_move(&h->phase, phase, NULL);

	vy_assert(moved == 0);
}

struct peer *holder_vyred(struct holder *h)
{
	for (int i = 0; i < HOLDER_PEERS; i++) {
		if (h->peers[i].fd >= 0 && h->peers[i].is_attached) {
			return &h->peers[i];
		}
	}
	return NULL;
}

/* ---- the child's start and end ---- */

void holder_close_out(struct holder *h, int which)
{
	child_close_out(&h->child, which);
	h->out_ended[which] = true;
	h->out_end[which] = spool_end(h->spool);
}

static void refused(struct holder *h, const char *why)
{
	snprintf(h->refusal, sizeof(h->refusal), "%s", why);
	child_fini(&h->child);
	h->child.pid = 0;
	enter(h, HOLDER_REFUSED);
	serve_started(h);
}

void holder_start(struct holder *h, struct msg *m)
{
	char cwd[4 * VY_KIB + 1], user[MSG_USER_MAX + 1];
	struct child_spec spec = { .is_pty = m->start.kind == MSG_PTY,
		.argv = m->start.argv,
		.env = m->start.env,
		.cwd = cwd,
		.cols = m->start.cols,
		.rows = m->start.rows,
		.umask = m->start.umask,
		.secret = m->start.secret,
		.hid = h->conf.hid,
		.user = user,
		.brand = m->start.is_agent ? brand_of_ours() : 0,
		.core = h->conf.core };
	struct vy_err e;

	if (holder_is_in(h, HOLDER_EMPTY)) {
		snprintf(cwd, sizeof(cwd), "%.*s", VY_STR_ARG(m->start.cwd));
		snprintf(user, sizeof(user), "%.*s", VY_STR_ARG(m->start.user));
		h->orphan_s = m->start.orphan_s;
		h->wrote_at = holder_now(h);
		VY_CRASH(HOLDER_START);
		if (child_start(&h->child, &spec, &e) < 0) {
			refused(h, e.text);
		} else {
			VY_CRASH(HOLDER_FORKED);
			enter(h, HOLDER_STARTING);
		}
	} else {
		serve_started(h);
	}
	vy_wipe((char *)m->start.secret.p, m->start.secret.n); /* in the peer's buffer */
}

void holder_read_report(struct holder *h)
{
	struct vy_err e;
	int told = child_report(&h->child, &e);

	if (told > 0) {
		enter(h, HOLDER_RUNNING);
		h->out_ended[CHILD_ERR] = h->child.is_pty; /* it never had one */
		serve_started(h);
	} else if (told < 0) {
		refused(h, e.text);
	}
}

static void child_ended(struct holder *h, int status)
{
	if (holder_is_in(h, HOLDER_STARTING)) {
		holder_read_report(h); /* written before it ended */
	}
	if (!holder_is_in(h, HOLDER_RUNNING)) {
		return;
	}
	enter(h, HOLDER_EXITED);
	h->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	h->signo = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	h->over_at = holder_now(h);
	input_close(&h->input);
	child_close_in(&h->child);
}

void holder_reap(struct holder *h)
{
	int status;
	pid_t pid;

	while ((pid = tree_reap(&status)) > 0) {
		if (pid == h->child.pid) {
			VY_CRASH(HOLDER_REAPED);
			child_ended(h, status);
		}
	}
	if (pid < 0) {
		h->kill_at = -1; /* not one process is left */
		h->is_over = holder_is_in(h, HOLDER_LEAVING);
	}
}

/* ---- signals to the tree ---- */

static void kill_pass(struct holder *h)
{
	tree_signal(SIGKILL);
	h->kill_at = holder_now(h) + h->kill_wait;
	h->kill_wait = h->kill_wait * 2 < KILL_SLOW_MS ? h->kill_wait * 2 : KILL_SLOW_MS;
	holder_reap(h);
}

static void kill_tree(struct holder *h)
{
	if (h->kill_at < 0 || h->kill_since > holder_now(h)) {
		h->kill_since = holder_now(h);
	}
	h->kill_wait = KILL_FIRST_MS;
	kill_pass(h);
}

/* TERM now, and KILL for those who are still there after a while. */
void holder_end_tree(struct holder *h)
{
	tree_signal(SIGTERM);
	if (h->kill_at < 0) {
		h->kill_since = h->kill_at = holder_now(h) + h->conf.limits.term_ms;
		h->kill_wait = KILL_FIRST_MS;
	}
}

void holder_signal(struct holder *h, int sig, bool tree)
{
	bool is_child_there = holder_is_in(h, HOLDER_RUNNING) || holder_is_in(h, HOLDER_STARTING);

	if (tree && sig == SIGKILL) {
		kill_tree(h);
	} else if (tree) {
		tree_signal(sig);
	} else if (is_child_there && sig > 0 && sig < NSIG) {
		kill(h->child.pid, sig);
	}
}

bool holder_is_told(const struct holder *h)
{
	bool is_dying = h->kill_at >= 0 && holder_now(h) >= h->kill_since &&
			holder_now(h) < h->kill_since + KILL_PATIENCE_MS;

	return holder_is_in(h, HOLDER_EXITED) && h->out_ended[CHILD_OUT] &&
	       h->out_ended[CHILD_ERR] && !is_dying;
}
void holder_has_room(struct holder *h)
{
	if (!spool_is_stuck(h->spool)) {
		h->retry_at = -1;
	}
}

/* ---- time ---- */

static void leave(struct holder *h)
{
	for (int i = 0; i < HOLDER_PEERS; i++) {
		peer_close(&h->peers[i]);
	}
	close(h->conf.listen_fd);
	h->conf.listen_fd = -1;
	vy_sock_remove(h->conf.sock);
	child_fini(&h->child);
	h->retry_at = h->deaf_at = -1;
	enter(h, HOLDER_LEAVING);
	holder_reap(h);
}

/* After the child's end: what a stream that is still open has now is its last. */
static void drain(struct holder *h)
{
	for (int i = 0; i < CHILD_OUTS; i++) {
		if (h->out_ended[i]) {
			continue;
		}
		if (h->out_left[i] < 0 && ioctl(h->child.outs[i], FIONREAD, &h->out_left[i]) < 0) {
			h->out_left[i] = 0;
		}
		if (h->out_left[i] == 0) {
			holder_close_out(h, i);
		}
	}
}

static bool is_draining(const struct holder *h)
{
	bool counted = (h->out_ended[CHILD_OUT] || h->out_left[CHILD_OUT] > 0) &&
		       (h->out_ended[CHILD_ERR] || h->out_left[CHILD_ERR] > 0);

	return holder_is_in(h, HOLDER_EXITED) && !counted;
}

static bool is_childless(const struct holder *h)
{
	return holder_is_in(h, HOLDER_EMPTY) || holder_is_in(h, HOLDER_REFUSED);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t orphan_due(const struct holder *h)
{
	if (h->alone_since < 0 || !h->orphan_s || h->is_ending ||
		!holder_is_in(h, HOLDER_RUNNING)) {
		return NEVER;
	}
	return later(h->alone_since + (int64_t)h->orphan_s * 1000,
		h->wrote_at + h->conf.limits.quiet_ms);
}

/* A vyred that is still here hears of the end first. */
static bool is_awaited(struct holder *h)
{
	const struct peer *p = holder_vyred(h);

	return p && !(p->exit_sent && peer_unsent(p) == 0);
}

static int64_t leave_due(struct holder *h)
{
	const struct holder_limits *l = &h->conf.limits;

	if (h->let_go && (is_childless(h) || (holder_is_in(h, HOLDER_EXITED) && !is_awaited(h)))) {
		return 0;
	}
	if (holder_is_in(h, HOLDER_EXITED)) {
		return h->over_at + l->linger_ms;
	}
	return is_childless(h) && h->alone_since >= 0 ? h->alone_since + l->alone_ms : NEVER;
}

static void end_orphan(struct holder *h)
{
	h->is_ending = true;
	holder_end_tree(h);
}

static void retry_spool(struct holder *h)
{
	h->retry_at = spool_retry(h->spool) ? -1 : holder_now(h) + HOLDER_RETRY_MS;
}

static void listen_again(struct holder *h)
{
	h->deaf_at = -1;
}

/* Connections that never said who they are; the time the next of them has. */
static int64_t strangers_due(struct holder *h, int64_t now)
{
	int64_t next = NEVER;

	for (int i = 0; i < HOLDER_PEERS; i++) {
		struct peer *p = &h->peers[i];
		int64_t due = p->since_ms + h->conf.limits.attach_ms;

		if (p->fd < 0 || p->is_attached) {
			continue;
		}
		if (due <= now) {
			peer_close(p);
		} else {
			next = due < next ? due : next;
		}
	}
	return next;
}

/* Does what is due; milliseconds until the next thing will be, -1 for never. */
int holder_do_due(struct holder *h)
{
	const struct {
		int64_t due;
		void (*fn)(struct holder *h);
	} rules[] = {
		{ h->kill_at >= 0 ? h->kill_at : NEVER, kill_pass },
		{ is_draining(h) ? h->over_at + h->conf.limits.drain_ms : NEVER, drain },
		{ h->retry_at >= 0 ? h->retry_at : NEVER, retry_spool },
		{ h->deaf_at >= 0 ? h->deaf_at : NEVER, listen_again },
		{ orphan_due(h), end_orphan },
		{ leave_due(h), leave },
	};
	int64_t now = holder_now(h), next = strangers_due(h, now);

	if (holder_is_in(h, HOLDER_LEAVING)) {
		next = NEVER; /* only a kill still runs */
	}
	for (size_t i = 0; i < VY_COUNT(rules); i++) {
		if (rules[i].due <= now) {
			rules[i].fn(h);
			return 0; /* look again: it changed what is due */
		}
		next = rules[i].due < next ? rules[i].due : next;
	}
	return next == NEVER ? -1 : next - now > 3600000 ? 3600000 : (int)(next - now);
}

/* ---- life ---- */

static int open_signals(struct holder *h, struct vy_err *e)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* the spool waits then, as on a full disk */
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	h->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return h->signal_fd < 0 ? vy_fail_errno(e, errno, "cannot watch for signals") : 0;
}

int holder_open(struct holder *h, struct vy_err *e)
{
	h->phase = (struct vy_sm){ phases, VY_COUNT(phases), HOLDER_EMPTY };
	h->spool = spool_new(
		h->conf.dir, (size_t)h->conf.limits.spool_mem, (uint64_t)h->conf.limits.spool_max);
	child_init(&h->child);
	input_init(&h->input);
	for (int i = 0; i < HOLDER_PEERS; i++) {
		peer_init(&h->peers[i]);
	}
	h->out_left[CHILD_OUT] = h->out_left[CHILD_ERR] = -1;
	h->kill_at = h->retry_at = h->deaf_at = -1;
	h->alone_since = holder_now(h);
	h->signal_fd = -1;
	return tree_own(e) < 0 ? -1 : open_signals(h, e);
}

void holder_close(struct holder *h)
{
	if (h->signal_fd >= 0) {
		close(h->signal_fd);
	}
	input_fini(&h->input);
	spool_free(h->spool);
}
