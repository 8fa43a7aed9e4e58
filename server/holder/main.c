/* main.c -- vyre-holder: keeps one child and what it said while vyred comes and goes.
 *
 * Started by vyred with 32 bytes at fd 3, the token that a vyred must know. It detaches by itself: the
 * process that was started ends at once, and the holder goes on in a session of its own. fd 3 is
 * closed when it listens; what is written there before is the sentence why it cannot. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/holder/holder.h"
#include "shared/base/crash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

enum { TOKEN_FD = 3, BACKLOG = 8 };

static const char usage[] =
	"Usage: vyre-holder --dir DIR --hid NAME 3<TOKEN\n"
	"Holds one agent or shell of vyred, which starts it; there is no need to run it by hand.\n"
	"\n"
	"  --dir DIR    the state folder of vyred; the holder listens at DIR/h/NAME\n"
	"  --hid NAME   the holder's name: letters, digits, \"-\" and \"_\"\n"
	"  --cgroup DIR the cgroup that the holder, and all it starts, is to be in\n"
	"  --help       this text\n"
	"  --version    the version\n"
	"\n"
	"The 32 bytes of the token are read from file descriptor 3.\n";

struct limit_name {
	const char *name;
	size_t at;
};

#define LIMIT(field)                                                                               \
	{                                                                                          \
#field, offsetof(struct holder_limits, field)                                      \
	}

static const struct limit_name limit_names[] = {
	LIMIT(spool_mem),
	LIMIT(spool_max),
	LIMIT(alone_ms),
	LIMIT(attach_ms),
	LIMIT(drain_ms),
	LIMIT(linger_ms),
	LIMIT(quiet_ms),
	LIMIT(term_ms),
};

/* --limit NAME=NUMBER, for tests, which have neither a day nor 256 MiB. */
static int set_limit(struct holder_limits *l, const char *arg, struct vy_err *e)
{
	const char *eq = strchr(arg, '=');
	long long value;

	if (eq && vy_parse_i64(vy_str_c(eq + 1), &value) && value > 0) {
		for (size_t i = 0; i < VY_COUNT(limit_names); i++) {
			if (vy_str_is(vy_str_n(arg, (size_t)(eq - arg)), limit_names[i].name)) {
				*(int64_t *)((char *)l + limit_names[i].at) = value;
				return 0;
			}
		}
	}
	return vy_fail(
		e, VY_BAD_INPUT, "--limit %s: expected a known name, \"=\" and a number", arg);
}

static int check_conf(const struct holder_conf *c, struct vy_err *e)
{
	if (!c->dir || c->dir[0] != '/') {
		return vy_fail(e, VY_BAD_INPUT, "--dir must name a folder by its whole path");
	}
	if (!msg_hid_is_valid(vy_str_c(c->hid))) {
		return vy_fail(e, VY_BAD_INPUT,
			"--hid must be a name of 1 to %d letters, digits, \"-\" and \"_\"",
			MSG_HID_MAX);
	}
	if (c->limits.spool_max < c->limits.spool_mem) {
		return vy_fail(e, VY_BAD_INPUT, "--limit spool_max is less than spool_mem");
	}
	return 0;
}

static int parse_args(struct holder_conf *c, int argc, char **argv, struct vy_err *e)
{
	static const struct option options[] = {
		{ "dir", required_argument, NULL, 'd' },
		{ "hid", required_argument, NULL, 'i' },
		{ "cgroup", required_argument, NULL, 'c' },
		{ "limit", required_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 'd': c->dir = optarg; break;
		case 'i': c->hid = optarg; break;
		case 'c': c->cgroup = optarg; break;
		case 'l':
			if (set_limit(&c->limits, optarg, e) < 0) {
				return -1;
			}
			break;
		case 'h': fputs(usage, stdout); exit(0);
		case 'V': puts("vyre-holder " PACKAGE_VERSION); exit(0);
		default: return vy_fail(e, VY_BAD_INPUT, "try --help");
		}
	}
	if (optind < argc) {
		return vy_fail(
			e, VY_BAD_INPUT, "%s: no word is expected, try --help", argv[optind]);
	}
	return check_conf(c, e);
}

static int read_token(uint8_t token[MSG_TOKEN_LEN], struct vy_err *e)
{
	size_t n = 0;

	while (n < MSG_TOKEN_LEN) {
		ssize_t got = read(TOKEN_FD, token + n, MSG_TOKEN_LEN - n);

		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0) {
			return vy_fail(e, VY_BAD_INPUT,
				"no token of %d bytes at file descriptor %d", MSG_TOKEN_LEN,
				TOKEN_FD);
		}
		n += (size_t)got;
	}
	return 0;
}

/* Nothing of vyred's stays readable here, and no core of ours is ever written. */
static void harden(struct holder_conf *c)
{
	struct rlimit none;

	for (char **v = environ; v && *v; v++) {
		vy_wipe(*v, strlen(*v));
	}
	environ = NULL;
	getrlimit(RLIMIT_CORE, &c->core);
	none = c->core;
	none.rlim_cur = 0; /* the hard limit is left, or the child could not get its own back */
	setrlimit(RLIMIT_CORE, &none);
#ifndef VY_SANITIZE /* the leak checker must look into its own process */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

static int open_socket(struct holder_conf *c, struct vy_err *e)
{
	struct sockaddr_un addr;
	char path[4096];

	snprintf(path, sizeof(path), "%s/h", c->dir);
	if (mkdir(path, 0700) < 0 && errno != EEXIST) {
		return vy_fail_errno(e, errno, "cannot make %s", path);
	}
	if ((size_t)snprintf(path, sizeof(path), "%s/h/%s", c->dir, c->hid) >= sizeof(path)) {
		return vy_fail(e, VY_BAD_INPUT, "the path of the state folder is too long");
	}
	if (vy_sock_addr(path, &addr, e) < 0) {
		return -1;
	}
	c->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->listen_fd < 0 || bind(c->listen_fd, (struct sockaddr *)&addr, sizeof(addr)) < 0) {
		return vy_fail_errno(e, errno, "cannot make the socket %s", addr.sun_path);
	}
	c->sock = vy_strdup(path);
	return vy_sock_sign(path, e);
}

/* Before there is any other process of ours. Without it we are told by less, and go on. */
static void enter_cgroup(const char *dir)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)!write(fd, "0", 1);
		close(fd);
	}
}

/* The starter's process ends; we go on without terminal, folder or standard files of anybody's. */
static int detach(struct vy_err *e)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid;

	if (null < 0) {
		return vy_fail_errno(e, errno, "cannot open /dev/null");
	}
	pid = fork();
	if (pid < 0) {
		return vy_fail_errno(e, errno, "cannot start a process");
	}
	if (pid > 0) {
		_exit(0);
	}
	setsid();
	for (int fd = 0; fd < 3; fd++) {
		dup2(null, fd);
	}
	close(null);
	vy_log_to(-1);
	return chdir("/") < 0 ? vy_fail_errno(e, errno, "cannot enter /") : 0;
}

static int set_up(struct holder_conf *c, struct vy_err *e)
{
	close_range(TOKEN_FD + 1, ~0U, 0);
	umask(077);
	if (c->cgroup) {
		enter_cgroup(c->cgroup);
	}
	vy_crash_arm(c->dir);
	if (read_token(c->token, e) < 0 || open_socket(c, e) < 0 || detach(e) < 0) {
		return -1;
	}
	harden(c);
	VY_CRASH(HOLDER_BORN);
	if (listen(c->listen_fd, BACKLOG) < 0) { /* here, so that a peer sees this process */
		return vy_fail_errno(e, errno, "cannot listen at %s", c->sock);
	}
	return 0;
}

/* To whoever runs it by hand, and to the vyred that started it. */
static int fail(const struct holder_conf *c, const struct vy_err *e)
{
	fprintf(stderr, "vyre-holder: %s\n", e->text);
	send(TOKEN_FD, e->text, strlen(e->text), MSG_NOSIGNAL);
	if (c->sock) {
		vy_sock_remove(c->sock);
	}
	return 1;
}

int main(int argc, char **argv)
{
	struct holder h = { .conf = { .listen_fd = -1, .clock = &vy_clock_real } };
	struct vy_err e;

	holder_limits_init(&h.conf.limits);
	if (parse_args(&h.conf, argc, argv, &e) < 0 || set_up(&h.conf, &e) < 0 ||
		holder_open(&h, &e) < 0) {
		return fail(&h.conf, &e);
	}
	VY_CRASH(HOLDER_LISTENS);
	close(TOKEN_FD); /* tells the starter that we listen */
	holder_run(&h);
	holder_close(&h);
	free(h.conf.sock);
	return 0;
}
