/* spawn.c -- see spawn.h.
 *
 * vyred detaches by itself: the process started here ends with 0 once the server listens, or with
 * a sentence on its stderr. That pipe's end is the news we wait for; who lost the race for the lock
 * says so there, and then the winner's socket is what we look for. */
#include "tui/net/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "tui/net/path.h"
#include "shared/base/ban.h"

/* ---- where ---- */

static bool is_program(const char *path)
{
	return access(path, X_OK) == 0;
}

/* Beside this program (a build tree, or where both were installed), else where they are installed,
 * else wherever PATH leads. */
static char *find_program(void)
{
	char self[4096];
	VY_AUTO_BUF b = VY_BUF_INIT(8192);
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));
	const char *slash = n > 0 ? memrchr(self, '/', (size_t)n) : NULL;

	if (slash) {
		vy_buf_add(&b, self, (size_t)(slash - self) + 1);
		vy_buf_adds(&b, "vyred");
		if (is_program(vy_buf_c(&b))) {
			return vy_buf_take(&b, NULL);
		}
	}
	return vy_strdup(is_program(BINDIR "/vyred") ? BINDIR "/vyred" : "vyred");
}

static char *state_home(struct vy_err *e)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	VY_AUTO_BUF b = VY_BUF_INIT(8192);
	const struct passwd *pw;

	if (xdg && xdg[0] == '/') {
		vy_buf_addf(&b, "%s/vyre", xdg);
		return vy_buf_take(&b, NULL);
	}
	if (!home || home[0] != '/') {
		pw = getpwuid(getuid());
		home = pw ? pw->pw_dir : NULL;
	}
	if (!home) {
		vy_fail(e, VY_IO, "there is no home folder for this user: give --state-dir");
		return NULL;
	}
	vy_buf_addf(&b, "%s/.local/state/vyre", home);
	return vy_buf_take(&b, NULL);
}

static char *absolute(const char *path)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8192);
	char cwd[4096];

	if (path[0] == '/' || !getcwd(cwd, sizeof(cwd))) {
		return vy_strdup(path);
	}
	vy_buf_addf(&b, "%s/%s", cwd, path);
	return vy_buf_take(&b, NULL);
}

int spawn_place_init(
	struct spawn_place *p, const char *state_dir, const char *socket, struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8192);

	*p = (struct spawn_place){ .state_dir = state_dir ? absolute(state_dir) : state_home(e) };
	if (!p->state_dir) {
		return -1;
	}
	vy_buf_addf(&b, "%s/vyred.sock", p->state_dir);
	p->socket = socket ? absolute(socket) : vy_buf_take(&b, NULL);
	p->program = find_program();
	return 0;
}

void spawn_place_fini(struct spawn_place *p)
{
	free(p->state_dir);
	free(p->socket);
	free(p->program);
	*p = (struct spawn_place){ .state_dir = NULL };
}

bool spawn_is_running(const struct spawn_place *p, struct vy_err *e)
{
	struct sockaddr_un addr;
	int fd, rc;

	if (vy_sock_addr(p->socket, &addr, e) != 0) {
		return false;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	rc = fd < 0 ? -1 : connect(fd, (struct sockaddr *)&addr, sizeof(addr));
	if (rc != 0 && errno != EAGAIN) { /* that is a server with a long queue */
		vy_fail_errno(e, errno, "no server answers at %s", p->socket);
		rc = -1;
	} else {
		rc = 0;
	}
	if (fd >= 0) {
		close(fd);
	}
	return rc == 0;
}

/* ---- starting one ---- */

struct spawn {
	VY_MAGIC;
	struct vy_loop *loop;
	struct spawn_place place; /* of our own */
	pid_t pid;                /* 0: it has ended */
	int news;
	struct vy_watch *watch;
	struct vy_timer *timer;
	struct path *path; /* when another one is starting */
	struct vy_buf said;
	struct vy_err result;
	spawn_done_fn *fn;
	void *ctx;
};

#define SPAWN_MAGIC 0x73706177u

/* What a login would give, and nothing of where the client happens to run. */
static bool is_passed_on(const char *entry)
{
	static const char *const names[] = { "HOME=", "USER=", "LOGNAME=", "SHELL=", "PATH=",
		"LANG=", "LANGUAGE=", "TZ=", "TMPDIR=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=",
		"XDG_DATA_HOME=", "XDG_CACHE_HOME=", "XDG_RUNTIME_DIR=", "SSH_AUTH_SOCK=",
		"DBUS_SESSION_BUS_ADDRESS=", "LD_LIBRARY_PATH=", "ASAN_OPTIONS=",
		"UBSAN_OPTIONS=" };

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (strncmp(entry, names[i], strlen(names[i])) == 0) {
			return true;
		}
	}
	return strncmp(entry, "LC_", 3) == 0;
}

extern char **environ;

static char **cut_environment(void)
{
	size_t n = 0, kept = 0;
	char **out;

	while (environ[n]) {
		n++;
	}
	out = vy_calloc(n + 1, sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		if (is_passed_on(environ[i])) {
			out[kept++] = environ[i];
		}
	}
	return out;
}

static int run(const struct spawn_place *p, int news, pid_t *pid)
{
	char *argv[] = { p->program, "--socket", p->socket, "--state-dir", p->state_dir, NULL };
	char **env = cut_environment();
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, 0, 1);
	posix_spawn_file_actions_adddup2(&files, news, 2);
	posix_spawn_file_actions_addchdir_np(&files, "/");
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	rc = posix_spawnp(pid, p->program, &files, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	free(env);
	return rc;
}

static void tell(void *ctx)
{
	struct spawn *s = ctx;
	spawn_done_fn *fn = s->fn;

	VY_CHECK(s, SPAWN_MAGIC);
	s->fn = NULL;
	if (fn) {
		fn(s->ctx, &s->result); /* may free us */
	}
}

/* ---- what becomes of it ---- */

static void on_path(void *ctx)
{
	struct spawn *s = ctx;

	if (spawn_is_running(&s->place, &s->result)) {
		vy_err_clear(&s->result);
		tell(s);
	}
}

/* The last thing it said, without its own name before it. */
static void set_result(struct spawn *s)
{
	struct vy_str said = vy_buf_str(&s->said);

	while (said.n && (said.p[said.n - 1] == '\n' || said.p[said.n - 1] == ' ')) {
		said.n--;
	}
	if (vy_str_starts(said, "vyred: ")) {
		said = vy_str_from(said, strlen("vyred: "));
	}
	vy_fail(&s->result, VY_GONE, "the server would not start: %.*s",
		said.n ? (int)said.n : (int)strlen("it said nothing"),
		said.n ? said.p : "it said nothing");
}

static void on_end(struct spawn *s)
{
	int status = 0;

	vy_watch_del(s->watch);
	s->watch = NULL;
	close(s->news);
	s->news = -1;
	while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR) {
	}
	s->pid = 0;
	if (spawn_is_running(&s->place, NULL)) { /* ours, or the winner's */
		tell(s);
		return;
	}
	set_result(s);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		vy_fail(&s->result, VY_GONE, "the server started and was gone again");
	}
	if (strstr(s->result.text, "another vyred")) { /* it holds the lock, and is not ready yet */
		s->path = path_watch(s->loop, s->place.socket, on_path, s);
		return;
	}
	tell(s);
}

static void on_news(void *ctx, int fd, unsigned events)
{
	struct spawn *s = ctx;
	char text[1024];
	ssize_t n = read(fd, text, sizeof(text));

	VY_CHECK(s, SPAWN_MAGIC);
	(void)events;
	if (n > 0) {
		vy_buf_add(&s->said, text, (size_t)n);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		on_end(s);
	}
}

static void on_timeout(void *ctx)
{
	struct spawn *s = ctx;

	if (s->result.code == VY_OK) {
		vy_fail(&s->result, VY_RETRY, "the server did not come up within %d seconds",
			SPAWN_WAIT_MS / 1000);
	}
	tell(s);
}

struct spawn *spawn_start(
	struct vy_loop *l, const struct spawn_place *p, spawn_done_fn *fn, void *ctx)
{
	struct spawn *s = VY_NEW(struct spawn);
	int news[2] = { -1, -1 }, rc;

	VY_MAGIC_SET(s, SPAWN_MAGIC);
	s->loop = l;
	s->place = (struct spawn_place){ vy_strdup(p->state_dir), vy_strdup(p->socket),
		vy_strdup(p->program) };
	s->fn = fn;
	s->ctx = ctx;
	s->news = -1;
	vy_buf_init(&s->said, 4096);
	s->timer = vy_loop_timer(l, on_timeout, s);
	vy_timer_set(s->timer, SPAWN_WAIT_MS);
	rc = pipe2(news, O_CLOEXEC | O_NONBLOCK) == 0 ? run(p, news[1], &s->pid) : errno;
	if (news[1] >= 0) {
		close(news[1]);
	}
	s->news = news[0];
	if (rc != 0) {
		s->pid = 0;
		vy_fail_errno(&s->result, rc, "starting %s", p->program);
		vy_timer_set(s->timer, 0); /* told from the loop, as always */
		return s;
	}
	s->watch = vy_loop_watch(l, s->news, VY_READ, on_news, s);
	return s;
}

void spawn_free(struct spawn *s)
{
	if (!s) {
		return;
	}
	VY_CHECK(s, SPAWN_MAGIC);
	vy_watch_del(s->watch);
	vy_timer_del(s->timer);
	path_free(s->path);
	if (s->news >= 0) {
		close(s->news);
	}
	spawn_place_fini(&s->place);
	vy_buf_fini(&s->said);
	VY_MAGIC_CLEAR(s);
	free(s);
}
