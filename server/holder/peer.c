/* peer.c -- see peer.h. */
#include "server/holder/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/holder/brand.h"
#include "server/holder/procfs.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum {
	OUT_MAX = VY_MIB,       /* more than the holder ever queues for one that reads */
	READ_MAX = 64 * VY_KIB, /* one turn's share */
};

void peer_init(struct peer *p)
{
	*p = (struct peer){ .fd = -1 };
}

void peer_close(struct peer *p)
{
	if (p->fd < 0) {
		return;
	}
	close(p->fd);
	vy_cut_fini(&p->cut);
	vy_buf_fini(&p->out);
	peer_init(p);
}

/* Its token is still to come; this keeps out who should not even try: what is below this child, or
 * below the agent of any other holder. */
static bool is_welcome(int fd)
{
	struct ucred who;
	struct procfs_stat st;
	socklen_t n = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 && who.uid == geteuid() &&
	       procfs_stat(who.pid, &st) == 0 && procfs_descends(who.pid, getpid()) != 1 &&
	       brand_is_on(who.pid, brand_of_ours()) == 0;
}

bool peer_accept(struct peer *p, int listen_fd, int64_t now_ms)
{
	int spare =
		open("/dev/null", O_RDONLY | O_CLOEXEC); /* the fd that is_welcome needs in /proc */
	int fd = spare < 0 ? -1 : accept4(listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	bool has_fds = fd >= 0 || (errno != EMFILE && errno != ENFILE);

	peer_init(p);
	if (spare >= 0) {
		close(spare);
	}
	if (fd < 0) {
		return has_fds;
	}
	if (!is_welcome(fd)) {
		close(fd);
		return true;
	}
	p->fd = fd;
	p->since_ms = now_ms;
	vy_cut_init(&p->cut, VY_CUT_U32, VY_HOLD_MSG_MAX);
	vy_buf_init(&p->out, OUT_MAX);
	return true;
}

void peer_read(struct peer *p, peer_fn *fn, void *ctx)
{
	static char chunk[READ_MAX];
	ssize_t n = recv(p->fd, chunk, sizeof(chunk), 0);
	struct vy_str in, body;

	if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (n <= 0) {
		peer_close(p);
		return;
	}
	in = vy_str_n(chunk, (size_t)n);
	while (p->fd >= 0) {
		enum vy_cut_got got = vy_cut_next(&p->cut, &in, &body);

		if (got == VY_CUT_MORE) {
			return;
		}
		if (got == VY_CUT_TOO_LONG) {
			peer_close(p);
			return;
		}
		fn(ctx, p, body);
	}
}

void peer_send(struct peer *p, const struct msg *m)
{
	if (p->fd >= 0 && !p->is_deaf && !msg_encode(m, &p->out)) {
		peer_close(p);
	}
}

void peer_flush(struct peer *p)
{
	size_t done = 0;

	while (p->fd >= 0 && done < p->out.len) {
		ssize_t n = send(p->fd, p->out.data + done, p->out.len - done, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0 && errno != EAGAIN) {
			p->is_deaf = true;
			vy_buf_fini(&p->out);
			return;
		}
		if (n < 0) {
			break;
		}
		done += (size_t)n;
	}
	if (p->fd >= 0) {
		vy_buf_consume(&p->out, done);
	}
}

size_t peer_unsent(const struct peer *p)
{
	return p->out.len;
}
