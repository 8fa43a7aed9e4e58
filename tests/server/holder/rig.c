/* rig.c -- see rig.h. */
#include "tests/server/holder/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/holder/procfs.h"
#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/sockpath.h"

/* ---- the holder ---- */

static int64_t now_ms(void)
{
	return vy_boot_ms(&vy_clock_real);
}

static void nap(int64_t since, const char *what)
{
	if (now_ms() - since > RIG_GUARD_MS) {
		fail_msg("%s did not come", what);
	}
	nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void become_holder(const struct rig *r, const char *const *limits, int token_fd)
{
	const char *argv[40] = { VYRE_HOLDER_PROGRAM, "--dir", r->dir.path, "--hid", r->hid };
	char *env[] = { "VYRE_TEST_OF_WIPING=hunter2", NULL };
	size_t n = 5;

	for (; limits && *limits; limits++) {
		argv[n++] = "--limit";
		argv[n++] = *limits;
	}
	argv[n] = NULL;
	if (token_fd != 3) {
		dup2(token_fd, 3);
	}
	fcntl(3, F_SETFD, 0);
	execve(argv[0], (char *const *)argv, env);
	_exit(99);
}

const char *rig_socket(const struct rig *r)
{
	static struct sockaddr_un addr;
	char path[TEMPDIR_MAX + 64];

	snprintf(path, sizeof(path), "%s/h/%s", r->dir.path, r->hid);
	assert_int_equal(vy_sock_addr(path, &addr, NULL), 0);
	return addr.sun_path;
}

static pid_t holder_pid(struct rig *r)
{
	struct client c;
	struct ucred who;
	socklen_t n = sizeof(who);

	client_dial(&c, r);
	assert_int_equal(getsockopt(c.fd, SOL_SOCKET, SO_PEERCRED, &who, &n), 0);
	client_close(&c);
	return who.pid;
}

void rig_open(struct rig *r, const char *const *limits)
{
	uint8_t id[RIG_HID_LEN / 2];
	int fds[2], status;
	pid_t pid;

	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	r->dir = tempdir_make();
	vy_random(id, sizeof(id));
	vy_hex(id, sizeof(id), r->hid);
	vy_random(r->token, sizeof(r->token));
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], r->token, sizeof(r->token)), sizeof(r->token));
	close(fds[1]);
	pid = fork();
	if (pid == 0) {
		become_holder(r, limits, fds[0]);
	}
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	check_int("the process that was started ends well", status, 0);
	r->pid = holder_pid(r);
	check_true("and another one holds", r->pid != pid);
}

void rig_wait_end(struct rig *r)
{
	int64_t since = now_ms();
	int status = -1;

	while (waitpid(r->pid, &status, WNOHANG) == 0) {
		nap(since, "the holder's end");
	}
	r->pid = 0;
	check_int("the holder ends well", status, 0);
	check_int("its socket is gone", access(rig_socket(r), F_OK), -1);
}

/* Everything that came from a holder is a descendant of ours, once the holder is dead. */
static void kill_leftovers(void)
{
	struct procfs_stat *all;
	long n = procfs_all(&all);

	for (long i = 0; i < n; i++) {
		if (all[i].pid != getpid() && procfs_descends(all[i].pid, getpid()) == 1) {
			kill(all[i].pid, SIGKILL);
		}
	}
	free(all);
}

void rig_close(struct rig *r)
{
	int64_t since = now_ms();

	do {
		kill_leftovers();
		while (waitpid(-1, NULL, WNOHANG) > 0) {
		}
		nap(since, "the end of all processes");
	} while (waitpid(-1, NULL, WNOHANG) >= 0);
	unlink(rig_socket(r));
	tempdir_remove(r->dir.path);
}

bool is_gone(pid_t pid)
{
	struct procfs_stat st;

	return procfs_stat(pid, &st) < 0 || st.state == 'Z';
}

void wait_gone(pid_t pid)
{
	int64_t since = now_ms();

	while (!is_gone(pid)) {
		nap(since, "the end of a process");
	}
}

/* ---- the client ---- */

void client_dial(struct client *c, struct rig *r)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int64_t since = now_ms();

	memset(c, 0, sizeof(*c));
	vy_cut_init(&c->cut, VY_CUT_U32, VY_HOLD_MSG_MAX);
	for (int i = 0; i < 3; i++) {
		vy_buf_init(&c->out[i], 64 * VY_MIB);
	}
	memcpy(addr.sun_path, rig_socket(r), strlen(rig_socket(r)) + 1);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	while (connect(c->fd, (struct sockaddr *)&addr, sizeof(addr)) < 0) {
		nap(since, "a holder that listens");
	}
}

void client_close(struct client *c)
{
	close(c->fd);
	vy_cut_fini(&c->cut);
	for (int i = 0; i < 3; i++) {
		vy_buf_fini(&c->out[i]);
	}
}

void client_send(struct client *c, const struct msg *m)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_HOLD_MSG_MAX + VY_KIB);

	assert_true(msg_encode(m, &b));
	for (size_t done = 0; done < b.len;) {
		ssize_t n = write(c->fd, b.data + done, b.len - done);

		if (n < 0) {
			return; /* closed on us: whoever reads next sees that */
		}
		done += (size_t)n;
	}
}

bool client_next(struct client *c, struct msg *m)
{
	struct vy_str piece;
	struct vy_err e;

	while (vy_cut_next(&c->cut, &c->in, &piece) != VY_CUT_PIECE) {
		struct pollfd p = { .fd = c->fd, .events = POLLIN };
		ssize_t n;

		if (poll(&p, 1, RIG_GUARD_MS) == 0) {
			fail_msg("the holder says nothing");
		}
		n = read(c->fd, c->chunk, sizeof(c->chunk));
		if (n <= 0) {
			return false;
		}
		c->in = vy_str_n(c->chunk, (size_t)n);
	}
	if (msg_decode(piece, m, &e) < 0) {
		fail_msg("%s", e.text);
	}
	return true;
}

static void keep(struct client *c, const struct msg *m)
{
	switch (m->type) {
	case MSG_OUT:
		check_int("OUT without a hole", (long long)m->out.off, (long long)c->end);
		c->end += m->out.bytes.n;
		c->closed[m->out.stream] |= m->out.bytes.n == 0;
		assert_true(vy_buf_addstr(&c->out[m->out.stream], m->out.bytes));
		return;
	case MSG_INACK: c->inacked = m->inack.seq + 1; return;
	case MSG_REFUSED:
		snprintf(c->text, sizeof(c->text), "%.*s", VY_STR_ARG(m->refused.text));
		return;
	default: return;
	}
}

void client_until(struct client *c, enum msg_type type)
{
	do {
		if (!client_next(c, &c->last)) {
			fail_msg("the holder closed before %s", msg_name(type));
		}
		keep(c, &c->last);
	} while (c->last.type != type);
}

void client_until_out(struct client *c, int stream, const char *text)
{
	while (!strstr(vy_buf_c(&c->out[stream]), text)) {
		client_until(c, MSG_OUT);
	}
}

void client_until_closed(struct client *c)
{
	while (client_next(c, &c->last)) {
		keep(c, &c->last);
	}
}

void client_send_attach(struct client *c, const struct rig *r, uint64_t epoch, uint64_t from)
{
	struct msg m = { .type = MSG_ATTACH };

	m.attach.proto = MSG_PROTO;
	m.attach.epoch = epoch;
	m.attach.from = from;
	memcpy(m.attach.token, r->token, sizeof(r->token));
	client_send(c, &m);
}

void client_attach(struct client *c, struct rig *r, uint64_t epoch, uint64_t from)
{
	client_dial(c, r);
	client_send_attach(c, r, epoch, from);
	client_until(c, MSG_HELLO);
	c->hello = c->last;
	check_vstr("its name", c->hello.hello.hid, vy_str_c(r->hid));
	c->hello.hello.hid = vy_str_n(NULL, 0);
	c->from = c->end = from;
}

void client_credit(struct client *c, uint64_t off)
{
	client_send(c, &(struct msg){ .type = MSG_CREDIT, .credit = { off } });
}

void client_ack(struct client *c, uint64_t off)
{
	client_send(c, &(struct msg){ .type = MSG_ACK, .ack = { off } });
}

void client_in(struct client *c, uint64_t seq, struct vy_str bytes)
{
	client_send(c, &(struct msg){ .type = MSG_IN, .in = { seq, bytes } });
}

void client_signal(struct client *c, int sig, bool tree)
{
	client_send(c, &(struct msg){ .type = MSG_SIGNAL, .signal = { (uint8_t)sig, tree } });
}

void client_bye(struct client *c)
{
	client_send(c, &(struct msg){ .type = MSG_BYE });
}

struct msg client_start_of(struct vy_str argv)
{
	struct msg m = { .type = MSG_START };

	m.start.argv = argv;
	m.start.env = VY_STR_LIT("PATH=/usr/bin:/bin\0");
	m.start.cwd = VY_STR_LIT("/");
	m.start.umask = MSG_UMASK;
	return m;
}

void client_sh(struct client *c, const char *script)
{
	VY_AUTO_BUF argv = VY_BUF_INIT(VY_ARGV_MAX);
	struct msg m;

	vy_buf_add(&argv, "sh\0-c", 6);
	vy_buf_add(&argv, script, strlen(script) + 1);
	m = client_start_of(vy_buf_str(&argv));
	client_credit(c, UINT64_MAX);
	client_send(c, &m);
	client_until(c, MSG_STARTED);
	c->hello.hello.pid = c->last.started.pid;
}
