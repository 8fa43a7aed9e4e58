/* launch.c -- see launch.h. */
#include "server/io/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/io/cgroup.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

enum { TOKEN_FD = 3, SENTENCE_MAX = 512 };

struct launch {
	struct vy_loop *loop;
	launch_fn *fn;
	void *ctx;
	pid_t pid;
	int sock;
	struct vy_watch *watch;
	struct vy_buf said;
	struct vy_err err;
	bool is_freed;
};

int launch_program(char *out, size_t room, struct vy_err *e)
{
	return vy_place_helper("vyre-holder", out, room)
		       ? 0
		       : vy_fail(e, VY_NOT_FOUND, "vyre-holder is missing: %s", out);
}

/* ---- the process ---- */

static int set_actions(posix_spawn_file_actions_t *fa, posix_spawnattr_t *at, int sock)
{
	sigset_t all, none;

	sigfillset(&all);
	sigemptyset(&none);
	return posix_spawn_file_actions_addopen(fa, 0, "/dev/null", O_RDWR, 0) ||
	       posix_spawn_file_actions_adddup2(fa, 0, 1) ||
	       posix_spawn_file_actions_adddup2(fa, 0, 2) ||
	       posix_spawn_file_actions_adddup2(fa, sock, TOKEN_FD) ||
	       posix_spawn_file_actions_addclosefrom_np(fa, TOKEN_FD + 1) ||
	       posix_spawnattr_setsigdefault(at, &all) || posix_spawnattr_setsigmask(at, &none) ||
	       posix_spawnattr_setflags(at, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

/* Nothing of our environment goes along. */
static int spawn(struct launch *s, const char *program, const char *dir, const char *hid, int sock)
{
	const char *argv[] = { program, "--dir", dir, "--hid", hid, NULL, NULL, NULL };
	char group[4096];
	char *env[] = { NULL };
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	int err;

	if (cgroup_make(hid, group, sizeof(group))) {
		argv[5] = "--cgroup";
		argv[6] = group;
	}
	posix_spawn_file_actions_init(&fa);
	posix_spawnattr_init(&at);
	err = set_actions(&fa, &at, sock);
	if (err == 0) {
		err = posix_spawn(&s->pid, program, &fa, &at, (char *const *)argv, env);
	}
	posix_spawnattr_destroy(&at);
	posix_spawn_file_actions_destroy(&fa);
	return err ? vy_fail_errno(&s->err, err, "cannot start %s", program) : 0;
}

/* Its end of the socket is closed, so it is over or about to be: this does not wait. */
static void collect(struct launch *s)
{
	int status = 0;
	pid_t got;

	do {
		got = waitpid(s->pid, &status, 0);
	} while (got < 0 && errno == EINTR);
	s->pid = 0;
	if (s->said.len) {
		vy_fail(&s->err, VY_IO, "the holder did not start: %s", vy_buf_c(&s->said));
	} else if (got > 0 && status != 0) {
		vy_fail(&s->err, VY_IO, "the holder did not start (status %d)",
			WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	}
}

static void tell(void *ctx)
{
	struct launch *s = ctx;

	if (!s->is_freed) {
		s->fn(s->ctx, s->err.code == VY_OK ? NULL : &s->err);
	}
}

static void on_said(void *ctx, int fd, unsigned events)
{
	struct launch *s = ctx;
	char text[SENTENCE_MAX];
	ssize_t n = recv(fd, text, sizeof(text), MSG_DONTWAIT);

	(void)events;
	if (n > 0) {
		vy_buf_add(&s->said, text, (size_t)n);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		vy_watch_del(s->watch);
		s->watch = NULL;
		collect(s);
		tell(s);
	}
}

struct launch *launch_new(struct vy_loop *l, const char *program, const char *dir, const char *hid,
	const uint8_t token[LAUNCH_TOKEN_LEN], launch_fn *fn, void *ctx)
{
	struct launch *s = VY_NEW(struct launch);
	char found[4096];
	int socks[2];

	s->loop = l;
	s->fn = fn;
	s->ctx = ctx;
	s->sock = -1;
	vy_buf_init(&s->said, SENTENCE_MAX);
	if (!program && launch_program(found, sizeof(found), &s->err) == 0) {
		program = found;
	}
	if (!program) {
		goto failed;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socks) < 0) {
		vy_fail_errno(&s->err, errno, "cannot make a socket for a holder");
		goto failed;
	}
	s->sock = socks[0];
	if (send(s->sock, token, LAUNCH_TOKEN_LEN, MSG_NOSIGNAL) != LAUNCH_TOKEN_LEN) {
		vy_fail_errno(&s->err, errno, "cannot pass a holder its token");
	} else {
		spawn(s, program, dir, hid, socks[1]);
	}
	close(socks[1]);
	if (s->err.code == VY_OK) {
		s->watch = vy_loop_watch(l, s->sock, VY_READ, on_said, s);
		return s;
	}
failed:
	vy_loop_defer(l, tell, s);
	return s;
}

static void free_now(void *ctx)
{
	struct launch *s = ctx;

	vy_buf_fini(&s->said);
	free(s);
}

void launch_free(struct launch *s)
{
	if (!s) {
		return;
	}
	vy_watch_del(s->watch);
	if (s->sock >= 0) {
		close(s->sock);
	}
	if (s->pid > 0) {
		waitpid(s->pid, NULL, 0); /* it detaches at once, whatever becomes of the holder */
	}
	s->is_freed = true;
	vy_loop_defer(s->loop, free_now, s);
}
