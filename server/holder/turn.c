/* turn.c -- the holder's loop: what it waits for, and one bounded thing for each that is ready.
 *
 * The set of fds is built anew each turn from the state, so nothing has to be kept in step with it; a
 * child whose spool is full, or whose stdin has nothing to get, is simply not in it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "server/holder/holder.h"
#include "shared/base/crash.h"
#include "shared/base/ban.h"

enum { FDS_MAX = 8 + HOLDER_PEERS };

/* ---- what to do when one is ready ---- */

static void on_out(struct holder *h, int which)
{
	static char piece[SPOOL_PIECE];
	size_t room = spool_room(h->spool, MSG_STDOUT + which);
	ssize_t n;

	if (h->out_left[which] >= 0 && (size_t)h->out_left[which] < room) {
		room = (size_t)h->out_left[which];
	}
	if (room == 0 || h->child.outs[which] < 0) {
		return;
	}
	n = read(h->child.outs[which], piece, room);
	if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (n <= 0) { /* a PTY says EIO when its last user is gone */
		holder_close_out(h, which);
		return;
	}
	VY_CRASH(HOLDER_READ);
	spool_add(h->spool, MSG_STDOUT + which, piece, (size_t)n);
	h->wrote_at = holder_now(h);
	if (spool_is_stuck(h->spool)) {
		h->retry_at = h->wrote_at + HOLDER_RETRY_MS;
	}
	if (h->out_left[which] >= 0) {
		h->out_left[which] -= (int)n;
	}
}

static void on_in(struct holder *h, int arg)
{
	struct vy_str bytes;
	bool is_end;

	(void)arg;
	while (h->child.in >= 0 && input_peek(&h->input, &bytes, &is_end)) {
		ssize_t n = is_end ? 0 : write(h->child.in, bytes.p, bytes.n);

		if (is_end) {
			input_wrote(&h->input, 0);
			if (!h->child.is_pty) {
				child_close_in(&h->child);
			}
		} else if (n >= 0) {
			input_wrote(&h->input, (size_t)n);
		} else if (errno == EAGAIN) {
			return;
		} else if (errno != EINTR) {
			input_close(&h->input); /* nobody reads it any more */
			child_close_in(&h->child);
		}
	}
}

static void on_report(struct holder *h, int arg)
{
	(void)arg;
	if (h->child.report >= 0) {
		holder_read_report(h);
	}
}

static void on_signal(struct holder *h, int arg)
{
	struct signalfd_siginfo info;

	(void)arg;
	while (read(h->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGTERM) {
			h->let_go = true;
			holder_end_tree(h);
		}
	}
	holder_reap(h);
}

static void on_message(void *ctx, struct peer *p, struct vy_str body)
{
	serve_message(ctx, p, body);
}

static void on_peer(struct holder *h, int at)
{
	if (h->peers[at].fd >= 0) {
		peer_read(&h->peers[at], on_message, h);
	}
}

/* A place for a newcomer: a free one, else that of the stranger who has waited longest. */
static void on_listen(struct holder *h, int arg)
{
	struct peer *place = NULL;

	(void)arg;
	for (int i = 0; i < HOLDER_PEERS; i++) {
		struct peer *p = &h->peers[i];

		if (p->fd < 0) {
			place = p;
			break;
		}
		if (!p->is_attached && (!place || p->since_ms < place->since_ms)) {
			place = p;
		}
	}
	peer_close(place);
	if (!peer_accept(place, h->conf.listen_fd, holder_now(h))) {
		h->deaf_at = holder_now(h) +
			     HOLDER_RETRY_MS; /* he waits; trying on and on would be no help */
	}
}

/* ---- the turn ---- */

typedef void ready_fn(struct holder *h, int arg);

struct fd_set_of_turn {
	struct pollfd fds[FDS_MAX];
	ready_fn *fn[FDS_MAX];
	int arg[FDS_MAX];
	nfds_t n;
};

static void watch(struct fd_set_of_turn *set, int fd, short events, ready_fn *fn, int arg)
{
	if (fd < 0 || events == 0) {
		return;
	}
	vy_assert(set->n < FDS_MAX);
	set->fds[set->n] = (struct pollfd){ .fd = fd, .events = events };
	set->fn[set->n] = fn;
	set->arg[set->n++] = arg;
}

static void watch_all(struct holder *h, struct fd_set_of_turn *set)
{
	bool is_running = holder_is_in(h, HOLDER_RUNNING);
	bool is_reading = is_running || holder_is_in(h, HOLDER_EXITED);
	struct vy_str bytes;
	bool is_end;

	set->n = 0;
	watch(set, h->signal_fd, POLLIN, on_signal, 0);
	watch(set, h->child.report, POLLIN, on_report, 0);
	for (int i = 0; is_reading && i < CHILD_OUTS; i++) {
		if (spool_room(h->spool, MSG_STDOUT + i) && h->out_left[i] != 0) {
			watch(set, h->child.outs[i], POLLIN, on_out, i);
		}
	}
	if (is_running && input_peek(&h->input, &bytes, &is_end)) {
		watch(set, h->child.in, POLLOUT, on_in, 0);
	}
	watch(set, h->conf.listen_fd, h->deaf_at < 0 ? POLLIN : 0, on_listen, 0);
	for (int i = 0; i < HOLDER_PEERS; i++) {
		struct peer *p = &h->peers[i];

		watch(set, p->fd, serve_wants(h, p) ? POLLIN | POLLOUT : POLLIN, on_peer, i);
	}
}

static void turn(struct holder *h)
{
	struct fd_set_of_turn set;
	struct peer *vyred;
	int wait;

	serve_pump(h);
	for (int i = 0; i < HOLDER_PEERS; i++) {
		peer_flush(&h->peers[i]);
	}
	vyred = holder_vyred(h);
	if (!vyred && h->alone_since < 0) {
		h->alone_since = holder_now(h);
	}
	wait = holder_do_due(h);
	if (h->is_over) {
		return;
	}
	watch_all(h, &set);
	if (poll(set.fds, set.n, wait) <= 0) {
		return;
	}
	for (nfds_t i = 0; i < set.n; i++) {
		if (set.fds[i].revents) {
			set.fn[i](h, set.arg[i]);
		}
	}
}

void holder_run(struct holder *h)
{
	while (!h->is_over) {
		turn(h);
	}
}
