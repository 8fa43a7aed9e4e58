/* peercred_test.c -- facts about real processes at the other end of real sockets. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/io/peercred.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"

/* A child that connects to us and waits; its environment is `env` when that is given. */
static pid_t start_peer(struct tempdir *d, int *sock, const char *const *env)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pid_t pid;

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", tempdir_file(d, "s"));
	unlink(addr.sun_path);
	assert_int_equal(bind(listener, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(listener, 4), 0);
	pid = fork();
	if (pid == 0) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)) < 0) {
			_exit(1);
		}
		if (env) {
			const char *const argv[] = { "sh", "-c", "echo; read x", NULL };

			dup2(fd, 0);
			dup2(fd, 1);
			execve("/bin/sh", (char *const *)argv, (char *const *)env);
		}
		pause();
		_exit(0);
	}
	*sock = accept(listener, NULL, NULL);
	close(listener);
	if (env) {
		char c;

		assert_int_equal(read(*sock, &c, 1), 1); /* it runs */
	}
	return pid;
}

static void stop_peer(pid_t pid, int sock)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(sock);
}

static void test_peer(void **state)
{
	struct tempdir d = tempdir_make();
	struct peercred who, without;
	int sock;
	pid_t pid = start_peer(&d, &sock, NULL);

	(void)state;
	assert_int_equal(peercred_get(sock, &who, NULL), 0);
	check_int("pid", who.pid, pid);
	check_int("uid", who.uid, geteuid());
	check_true("birth", who.born > 0);
	check_true("still there", peercred_is_same(&who));
	without = who;
	without.pidfd = -1;
	check_true("without a pidfd too", peercred_is_same(&without));
	without.born++;
	check_true("born at another time it is another", !peercred_is_same(&without));
	without.born--;
	kill(pid, SIGKILL);
	siginfo_t info;

	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	check_true("dead, though not waited for", !peercred_is_same(&who));
	check_true("without a pidfd too", !peercred_is_same(&without));
	stop_peer(pid, sock);
	check_true("gone", !peercred_is_same(&who));
	peercred_fini(&who);
	check_int("no socket, no answer", peercred_get(0x7fff, &who, NULL), -1);
	tempdir_remove(d.path);
}

static void test_process(void **state)
{
	struct peercred_proc p;
	pid_t up[PEERCRED_DEPTH_MAX];
	int n = peercred_ancestors(getpid(), up, PEERCRED_DEPTH_MAX);

	(void)state;
	assert_int_equal(peercred_proc(getpid(), &p, NULL), 0);
	check_int("parent", p.ppid, getppid());
	check_int("group", p.pgid, getpgrp());
	check_int("session", p.sid, getsid(0));
	check_true("name", strncmp(p.comm, "peercred_test", sizeof("peercred_test") - 1) == 0);
	check_true("ancestors", n >= 1);
	check_int("the nearest first", up[0], getppid());
	check_int("no more than there is room for", peercred_ancestors(getpid(), up, 1), 1);
	check_int("is below itself", peercred_descends(getpid(), getpid()), 1);
	check_int("is below its parent", peercred_descends(getpid(), getppid()), 1);
	check_int("is not below a stranger", peercred_descends(getpid(), 0x7ffffff0), 0);
	check_int("nobody knows of who is not there", peercred_descends(0x7ffffff0, 1), -1);
	check_int("nothing to be seen", peercred_proc(0x7ffffff0, &p, NULL), -1);
}

static void test_marker(void **state)
{
	static const struct {
		const char *name;
		const char *env[4];
		int has;
		const char *value;
	} rows[] = {
		{ "marked", { "A=1", "VYRE_HOLDER=0123", "B=2" }, 1, "0123" },
		{ "not marked", { "A=1", "XVYRE_HOLDER=0123", "VYRE_HOLDERS=1" }, 0, "" },
		{ "the first counts", { "VYRE_HOLDER=a", "VYRE_HOLDER=b" }, 1, "a" },
		{ "no environment at all", { NULL }, 0, "" },
	};
	struct tempdir d = tempdir_make();

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		int sock;
		pid_t pid = start_peer(&d, &sock, rows[i].env);
		char value[64] = "", text[256];
		long n;

		check_int(rows[i].name, peercred_marker(pid, value, sizeof(value)), rows[i].has);
		check_str(rows[i].name, value, rows[i].value);
		n = peercred_args(pid, text, sizeof(text));
		check_vstr("arguments", vy_str_n(text, n > 0 ? (size_t)n : 0),
			VY_STR_LIT("sh\0-c\0echo; read x\0"));
		n = peercred_exe(pid, text, sizeof(text));
		check_true("program", n > 0 && text[0] == '/');
		stop_peer(pid, sock);
		check_int("of one that is gone", peercred_marker(pid, value, sizeof(value)), -1);
	}
	tempdir_remove(d.path);
}

static void test_env(void **state)
{
	static const char *const names[] = { "ONE=", "TWO=", NULL };
	static const struct {
		const char *name;
		const char *env[4];
		int has;
	} rows[] = {
		{ "the second", { "A=1", "TWO=", "B=2" }, 1 },
		{ "longer names", { "ONES=1", "XTWO=2" }, 0 },
		{ "a name alone", { "ONE" }, 0 },
		{ "none", { NULL }, 0 },
	};
	struct tempdir d = tempdir_make();

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		int sock;
		pid_t pid = start_peer(&d, &sock, rows[i].env);

		check_int(rows[i].name, peercred_has_env(pid, names), rows[i].has);
		stop_peer(pid, sock);
		check_int("of one that is gone", peercred_has_env(pid, names), -1);
	}
	tempdir_remove(d.path);
}

static void test_cgroup(void **state)
{
	char path[4096];
	long n = peercred_cgroup(getpid(), path, sizeof(path));

	(void)state;
	check_true("a path, or no cgroup of the second kind", n == -1 || (n > 0 && path[0] == '/'));
	check_int("of nobody", peercred_cgroup(0x7ffffff0, path, sizeof(path)), -1);
}

CHECK_MAIN(CHECK_TEST(test_peer), CHECK_TEST(test_process), CHECK_TEST(test_marker),
	CHECK_TEST(test_env), CHECK_TEST(test_cgroup))
