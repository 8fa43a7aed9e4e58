/* box.c -- see box.h. */
#include "tests/play/box.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/holder/procfs.h"
#include "shared/base/clock.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/play/conn.h"
#include "shared/base/ban.h"

#define SHELL_MOST_MS (10 * 60 * 1000)

/* ---- the world ---- */

void box_env(struct box *b, const char *name, const char *value)
{
	size_t n = strlen(name);
	VY_AUTO_BUF v = VY_BUF_INIT(65536);
	int at = 0;

	while (at < b->env_n && !(strncmp(b->env[at], name, n) == 0 && b->env[at][n] == '=')) {
		at++;
	}
	vy_assert(at < (int)VY_COUNT(b->env) - 1);
	vy_buf_addf(&v, "%s=%s", name, value);
	free(b->env[at]);
	b->env[at] = vy_strdup(vy_buf_c(&v));
	b->env_n = at == b->env_n ? at + 1 : b->env_n;
}

static void first_env(struct box *b)
{
	static const char *const kept[] = { "PATH", "top_srcdir", "top_builddir", "ASAN_OPTIONS",
		"UBSAN_OPTIONS", "LSAN_OPTIONS", "GCOV_PREFIX" };

	for (size_t i = 0; i < VY_COUNT(kept); i++) {
		if (getenv(kept[i])) {
			box_env(b, kept[i], getenv(kept[i]));
		}
	}
#ifdef __SANITIZE_ADDRESS__
	box_env(b, "SANITIZED", "yes");
#endif
	box_env(b, "LANG", "C.UTF-8");
	box_env(b, "HOME", b->home);
	box_env(b, "T", b->dir);
	box_env(b, "STATE", b->state);
	box_env(b, "SOCK", b->sock);
	box_env(b, "CONFIG", b->config);
	box_env(b, "BIN", b->bin);
	box_env(b, "PLAY", b->play);
	box_env(b, "XDG_STATE_HOME", b->dir);
	box_env(b, "XDG_CONFIG_HOME", b->dir);
}

void box_init(struct box *b, const char *self)
{
	const char *base = getenv("TMPDIR"), *top = getenv("top_builddir");
	char real[4096];

	*b = (struct box){ .aside_fd = -1 };
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	umask(022);
	/* a socket's path is short: a long TMPDIR is not for us */
	snprintf(b->dir, sizeof(b->dir), "%s/vyre-play-XXXXXX",
		base && *base && strlen(base) < 32 ? base : "/tmp");
	vy_assert(mkdtemp(b->dir) != NULL && realpath(self, real) != NULL);
	snprintf(b->play, sizeof(b->play), "%s", real);
	if (top) {
		snprintf(b->bin, sizeof(b->bin), "%s", top);
	} else { /* tests/play/play is two floors below the programs */
		snprintf(b->bin, sizeof(b->bin), "%.*s/../..", (int)(strrchr(real, '/') - real),
			real);
	}
	snprintf(b->home, sizeof(b->home), "%s/home", b->dir);
	snprintf(b->work, sizeof(b->work), "%s/work", b->dir);
	snprintf(b->state, sizeof(b->state), "%s/s", b->dir);
	snprintf(b->sock, sizeof(b->sock), "%s/vyred.sock", b->state);
	snprintf(b->config, sizeof(b->config), "%s/vyred.conf", b->dir);
	snprintf(b->err, sizeof(b->err), "%s/vyred.err", b->dir);
	vy_assert(mkdir(b->home, 0700) == 0 && mkdir(b->work, 0700) == 0);
	first_env(b);
}

/* ---- a storm ---- */

/* On a machine with too much to do no vyred would live long enough to be ready, and nothing would ever be
 * proved: behind so many kills within one line of the script lives become longer. */
#define STORM_PATIENCE 32

static struct {
	struct box *box;
	uint64_t random;
	unsigned kills, in_vain; /* all; since the script came further */
	int ms;
} storm;

static void hold_storm(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(how, &set, NULL);
}

static void next_blow(void)
{
	struct itimerval t = { 0 };
	long us;

	storm.random ^= storm.random << 13;
	storm.random ^= storm.random >> 7;
	storm.random ^= storm.random << 17;
	us = (long)((storm.random >> 16) % (uint64_t)(storm.ms * 1000));
	us = 1000 + us * (long)(1 + storm.in_vain / STORM_PATIENCE);
	t.it_value.tv_sec = us / 1000000;
	t.it_value.tv_usec = us % 1000000;
	setitimer(ITIMER_REAL, &t, NULL);
}

static void on_blow(int signo)
{
	(void)signo;
	if (storm.box->vyred > 0) {
		kill(storm.box->vyred, SIGKILL);
		storm.kills++;
		storm.in_vain++;
	}
	next_blow();
}

void box_storm(struct box *b, int ms, uint64_t seed)
{
	struct sigaction act = { .sa_handler = on_blow, .sa_flags = SA_RESTART };

	storm.box = b;
	storm.random = seed | 1;
	storm.kills = storm.in_vain = 0;
	storm.ms = ms;
	sigaction(SIGALRM, &act, NULL);
	next_blow();
}

void box_further(void)
{
	storm.in_vain = 0;
}

unsigned box_kills(void)
{
	return storm.kills;
}

unsigned box_calm(struct box *b)
{
	const struct itimerval none = { 0 };
	unsigned n = storm.kills;

	(void)b;
	setitimer(ITIMER_REAL, &none, NULL);
	signal(SIGALRM, SIG_IGN);
	storm.kills = 0;
	return n;
}

/* ---- children ---- */

static void ended(struct box *b, int status)
{
	b->vyred = 0;
	b->is_ended = true;
	b->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void box_reap(struct box *b)
{
	int status;
	pid_t pid;

	hold_storm(SIG_BLOCK); /* a pid that was waited for is nobody's */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == b->vyred) {
			ended(b, status);
		}
		b->screen = pid == b->screen ? 0 : b->screen;
	}
	hold_storm(SIG_UNBLOCK);
}

static void set_clock(struct box *b)
{
	char path[4300], file[128];

	snprintf(path, sizeof(path), "%s/tests/play/jump.so", b->bin);
	snprintf(file, sizeof(file), "%s/clock", b->dir);
	box_env(b, "LD_PRELOAD", path);
	box_env(b, "CLOCK_FILE", file);
}

static void set_fall(struct box *b)
{
	char path[4300], at[32];

	snprintf(path, sizeof(path), "%s/tests/play/fall.so", b->bin);
	snprintf(at, sizeof(at), "%ld", b->fall);
	box_env(b, "LD_PRELOAD", path);
	box_env(b, "FALL_AT", at);
	box_env(b, "FALL_AFTER", b->falls_after ? "1" : "0");
}

static void become_vyred(struct box *b, char *const *argv)
{
	if (b->has_clock) {
		set_clock(b); /* of this process's copy alone */
	}
	if (b->fall) {
		set_fall(b);
	}
	int in = open("/dev/null", O_RDONLY);
	int err = open(b->err, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (in >= 0 && err >= 0 && chdir(b->dir) == 0 && dup2(in, 0) == 0 && dup2(err, 1) == 1 &&
		dup2(err, 2) == 2) {
		execvpe(argv[0], argv, b->env);
		dprintf(2, "%s: %m\n", argv[0]);
	}
	_exit(127);
}

void box_start(struct box *b, const char *const *args, int n)
{
	char program[4300], under[512], *argv[2 * BOX_ARGS_MAX], *save = NULL;
	int k = 0;

	snprintf(program, sizeof(program), "%s/vyred", b->bin);
	snprintf(under, sizeof(under), "%s", b->under ? b->under : "");
	for (char *w = strtok_r(under, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		argv[k++] = w;
	}
	argv[k++] = program;
	argv[k++] = (char *)(uintptr_t) "--foreground";
	argv[k++] = (char *)(uintptr_t) "--state-dir";
	argv[k++] = b->state;
	if (access(b->config, F_OK) == 0) {
		argv[k++] = (char *)(uintptr_t) "--config";
		argv[k++] = b->config;
	}
	for (int i = 0; i < n && k < (int)VY_COUNT(argv) - 1; i++) {
		argv[k++] = (char *)(uintptr_t)args[i];
	}
	argv[k] = NULL;
	b->is_ended = false;
	b->vyred = fork();
	vy_assert(b->vyred >= 0);
	if (b->vyred == 0) {
		become_vyred(b, argv);
	}
	b->fall = 0;
}

bool box_answers(const struct box *b)
{
	int fd = conn_dial(b->sock, 1000, NULL);

	if (fd >= 0) {
		close(fd);
	}
	return fd >= 0;
}

/* False: it went on for longer than any command of a script should. */
static bool hear_all(int fd, struct vy_buf *out)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t end = vy_boot_ms(&vy_clock_real) + SHELL_MOST_MS, left;
	char room[4096];
	ssize_t n = 1;

	while (n != 0) {
		left = end - vy_boot_ms(&vy_clock_real);
		if (left <= 0) {
			return false;
		}
		if (poll(&p, 1, (int)left) <= 0) {
			continue;
		}
		n = read(fd, room, sizeof(room));
		if (n < 0 && errno != EINTR) {
			return true;
		}
		vy_buf_add(out, room, n > 0 ? (size_t)n : 0);
	}
	return true;
}

int box_shell(struct box *b, const char *command, struct vy_buf *out)
{
	int pipes[2], status = 0;
	pid_t pid;

	vy_assert(pipe2(pipes, O_CLOEXEC) == 0 && (pid = fork()) >= 0);
	if (pid == 0) {
		if (chdir(b->work) == 0 && dup2(pipes[1], 1) == 1 && dup2(pipes[1], 2) == 2) {
			execle("/bin/sh", "sh", "-c", command, (char *)NULL, b->env);
		}
		_exit(127);
	}
	close(pipes[1]);
	if (!hear_all(pipes[0], out)) {
		kill(pid, SIGKILL);
	}
	close(pipes[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- who is below us ---- */

typedef bool each_fn(void *ctx, const struct procfs_stat *p); /* false: enough */

static void each_below(each_fn *fn, void *ctx)
{
	struct procfs_stat *all = NULL;
	long n = procfs_all(&all);

	for (long i = 0; i < n; i++) {
		if (all[i].pid != getpid() && all[i].state != 'Z' &&
			procfs_descends(all[i].pid, getpid()) == 1 && !fn(ctx, &all[i])) {
			break;
		}
	}
	free(all);
}

struct count {
	const struct box *b;
	const char *name;
	pid_t first;
	int n;
};

static bool count_one(void *ctx, const struct procfs_stat *p)
{
	struct count *c = ctx;

	if (p->pid != c->b->vyred && p->pid != c->b->aside &&
		(!*c->name || strcmp(c->name, p->comm) == 0)) {
		c->first = c->n++ ? c->first : p->pid;
	}
	return true;
}

int box_count(const struct box *b, const char *name, pid_t *first)
{
	struct count c = { b, name, 0, 0 };

	each_below(count_one, &c);
	if (first) {
		*first = c.first;
	}
	return c.n;
}

static bool kill_one(void *ctx, const struct procfs_stat *p)
{
	kill(p->pid, SIGKILL);
	++*(int *)ctx;
	return true;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st, (void)type, (void)f;
	return remove(path);
}

void box_end_aside(struct box *b)
{
	if (b->aside_fd >= 0) {
		close(b->aside_fd);
		kill(b->aside, SIGKILL);
	}
	b->aside_fd = -1;
	b->aside = 0;
}

void box_fini(struct box *b, bool keep)
{
	const struct timespec nap = { 0, 5000000 };
	int n = 1;

	box_calm(b);
	box_end_aside(b);
	for (int i = 0; n > 0 && i < 2000; i++) {
		n = 0;
		each_below(kill_one, &n);
		box_reap(b);
		nanosleep(&nap, NULL);
	}
	if (keep) {
		fprintf(stderr, "kept: %s\n", b->dir);
	} else {
		nftw(b->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	for (int i = 0; i < b->env_n; i++) {
		free(b->env[i]);
	}
}

/* ---- looking for what must not be anywhere ---- */

static struct {
	const char *text, *work;
	struct vy_buf *where;
} looking; /* nftw hands nothing through */

/* As it is, and in base64, in which it stands in one of three ways. */
bool box_text_holds(struct vy_str in, const char *text)
{
	char bytes[VY_KIB] = { 0 }, b64[2 * VY_KIB];
	size_t n = strlen(text);

	if (in.n && memmem(in.p, in.n, text, n)) {
		return true;
	}
	for (size_t shift = 0; shift < 3 && n + shift < sizeof(bytes); shift++) {
		size_t skip = shift ? shift + 1 : 0, end = (shift + n) / 3 * 4;

		memcpy(bytes + shift, text, n);
		vy_base64(bytes, shift + n, b64);
		if (in.n && end > skip && memmem(in.p, in.n, b64 + skip, end - skip)) {
			return true;
		}
	}
	return false;
}

static bool file_holds(const char *path, const char *text)
{
	VY_AUTO_BUF b = VY_BUF_INIT((size_t)256 * VY_MIB);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = 1;

	while (fd >= 0 && n > 0 && vy_buf_reserve(&b, 65536)) {
		n = read(fd, b.data + b.len, 65536);
		b.len += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
	return box_text_holds(vy_buf_str(&b), text);
}

static int look_in_file(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)f;
	if (type == FTW_F && S_ISREG(st->st_mode) &&
		strncmp(path, looking.work, strlen(looking.work)) != 0 &&
		file_holds(path, looking.text)) {
		vy_buf_adds(looking.where, path);
		return 1;
	}
	return 0;
}

static bool look_in_process(void *ctx, const struct procfs_stat *p)
{
	static const char *const files[] = { "cmdline", "environ" };
	char path[64];

	(void)ctx;
	for (size_t i = 0; i < VY_COUNT(files); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)p->pid, files[i]);
		if (file_holds(path, looking.text)) {
			vy_buf_addf(looking.where, "%s of %s", path, p->comm);
			return false;
		}
	}
	return true;
}

bool box_holds(const struct box *b, const char *text, struct vy_buf *where)
{
	looking.text = text;
	looking.work = b->work;
	looking.where = where;
	if (nftw(b->dir, look_in_file, 16, FTW_PHYS) == 0) {
		each_below(look_in_process, NULL);
	}
	return where->len > 0;
}
