/* spawn.c -- see spawn.h.
 *
 * vyred detaches by itself: what we start is its front half, which ends with 0 once the server
 * listens, or says a sentence on stderr and ends with 1. The end of that pipe is its end. A server
 * that says that another one has the folder is the loser of a race: then the winner is waited for,
 * which may still be reading its sessions, and every AGAIN_MS another is started, for the winner may
 * have been one that was dying. That wait looks at the socket every LOOK_MS, for a few seconds at
 * most; nothing else here is done by the clock. */
#include "tui/net/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/base/sockpath.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define SAID_MAX 4096
#define LOOK_MS  25

/* What vyred's sentence begins with when it lost the race (server/io/lock.c). */
#define AGAIN_MS  500
#define LOST_RACE "another vyred"

extern char **environ;

/* ---- the place ---- */

static char *beside_us(void)
{
	char self[VY_PLACE_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	VY_AUTO_BUF b = VY_BUF_INIT(VY_PLACE_MAX);

	if (n <= 0) {
		return NULL;
	}
	self[n] = '\0';
	*(strrchr(self, '/') + 1) = '\0';
	vy_buf_addf(&b, "%svyred", self);
	return access(vy_buf_c(&b), X_OK) == 0 ? vy_buf_take(&b, NULL) : NULL;
}

static char *find_program(void)
{
	char *beside = beside_us();

	if (beside) {
		return beside;
	}
	return vy_strdup(access(BINDIR "/vyred", X_OK) == 0 ? BINDIR "/vyred" : "vyred");
}

int spawn_place_init(
	struct spawn_place *p, const char *state_dir, const char *socket, struct vy_err *e)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_PLACE_MAX * 2);

	*p = (struct spawn_place){ 0 };
	p->state_dir = state_dir ? vy_place_absolute(state_dir)
				 : vy_place_xdg("XDG_STATE_HOME", ".local/state", "vyre");
	if (!p->state_dir) {
		return vy_fail(e, VY_BAD_INPUT, _("HOME is not set: set it, or give --state-dir"));
	}
	vy_buf_addf(&b, "%s/vyred.sock", p->state_dir);
	p->socket = socket ? vy_place_absolute(socket) : vy_buf_take(&b, NULL);
	p->program = find_program();
	return 0;
}

void spawn_place_fini(struct spawn_place *p)
{
	free(p->state_dir);
	free(p->socket);
	free(p->program);
	*p = (struct spawn_place){ 0 };
}

bool spawn_is_running(const struct spawn_place *p, struct vy_err *e)
{
	struct sockaddr_un addr;
	int fd, rc, why;

	if (vy_sock_addr(p->socket, &addr, e) != 0) {
		return false;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		vy_fail_errno(e, errno, _("making a socket"));
		return false;
	}
	rc = connect(fd, (struct sockaddr *)&addr, sizeof(addr));
	why = errno;
	close(fd);
	if (rc == 0 ||
		why == EAGAIN) { /* EAGAIN: so many wait that there is no room for one more */
		return true;
	}
	if (why == ENOENT || why == ECONNREFUSED) {
		vy_fail(e, VY_RETRY, _("no server listens at %s"), p->socket);
	} else {
		vy_fail_errno(e, why, _("connecting to %s"), p->socket);
	}
	return false;
}

/* ---- starting ---- */

struct spawn {
	VY_MAGIC;
	struct vy_loop *loop;
	struct spawn_place place;
	pid_t pid; /* of the front half; 0: not started, or ended */
	int status;
	int said_fd;
	struct vy_watch *said_watch;
	struct vy_buf said;
	struct vy_timer *timer;
	int64_t deadline_ms;
	int64_t again_ms; /* when to start one again, if the race was lost to one that says nothing */
	bool is_begun;
	spawn_done_fn *fn;
	void *ctx;
};

#define SPAWN_MAGIC 0x7370776eu

static void finish(struct spawn *s, const struct vy_err *e)
{
	vy_timer_set(s->timer, -1);
	s->fn(s->ctx, e); /* may free us */
}

/* Its lines as one, without its name in front. */
static void tell_said(struct spawn *s, struct vy_err *e)
{
	struct vy_str text = vy_buf_str(&s->said);

	while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == ' ')) {
		text.n--;
	}
	if (vy_str_starts(text, "vyred: ")) {
		text = vy_str_from(text, strlen("vyred: "));
	}
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n') {
			s->said.data[text.p + i - s->said.data] = ' ';
		}
	}
	if (text.n) {
		vy_fail(e, VY_IO, _("vyred did not start: %.*s"), VY_STR_ARG(text));
	} else if (WIFSIGNALED(s->status)) {
		vy_fail(e, VY_IO, _("vyred did not start: signal %d ended it"),
			WTERMSIG(s->status));
	} else {
		vy_fail(e, VY_IO, _("vyred did not start: it ended with %d and said nothing"),
			WEXITSTATUS(s->status));
	}
}

static bool lost_race(const struct spawn *s)
{
	return s->said.len && memmem(s->said.data, s->said.len, LOST_RACE, strlen(LOST_RACE));
}

static void begin_again(struct spawn *s);

/* The front half is over, or should be: what now? */
static void look(struct spawn *s)
{
	struct vy_err e = { .code = VY_OK };
	int64_t now = vy_boot_ms(&vy_clock_real);

	if (s->pid && waitpid(s->pid, &s->status, WNOHANG) != 0) {
		s->pid = 0;
	}
	if (s->pid == 0 && spawn_is_running(&s->place, &e)) {
		finish(s, &(struct vy_err){ .code = VY_OK });
		return;
	}
	bool failed = s->pid == 0 && !(WIFEXITED(s->status) && WEXITSTATUS(s->status) == 0);

	if (failed && !lost_race(s)) {
		tell_said(s, &e);
		finish(s, &e);
	} else if (failed && now >= s->again_ms && now < s->deadline_ms) {
		begin_again(s);
	} else if (now < s->deadline_ms) {
		vy_timer_set(s->timer, LOOK_MS);
	} else {
		if (failed) {
			tell_said(s, &e);
		} else {
			vy_fail(&e, VY_RETRY, _("vyred was started, but does not answer at %s"),
				s->place.socket);
		}
		finish(s, &e);
	}
}

static void drop_pipe(struct spawn *s)
{
	vy_watch_del(s->said_watch);
	s->said_watch = NULL;
	if (s->said_fd >= 0) {
		close(s->said_fd);
		s->said_fd = -1;
	}
}

static void on_said(void *ctx, int fd, unsigned events)
{
	struct spawn *s = ctx;
	char text[1024];
	ssize_t n = read(fd, text, sizeof(text));

	(void)events;
	VY_CHECK(s, SPAWN_MAGIC);
	if (n > 0) {
		if (s->said.len + (size_t)n > SAID_MAX) { /* the last words count */
			vy_buf_clear(&s->said);
		}
		vy_buf_add(&s->said, text, (size_t)n);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		drop_pipe(s);
		look(s);
	}
}

/* NAME=value of ours for each of these that is set. */
static void make_env(char *env[4])
{
	static const char *const names[] = { "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME" };
	size_t n = 0;

	for (size_t i = 0; i < VY_COUNT(names); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(VY_PLACE_MAX);
		const char *value = getenv(names[i]);

		if (value && vy_buf_addf(&b, "%s=%s", names[i], value)) {
			env[n++] = vy_buf_take(&b, NULL);
		}
	}
	env[n] = NULL;
}

/* errno's number; 0: it runs, and its stderr is `pipe_in`. */
static int run_program(struct spawn *s, int pipe_in)
{
	char *argv[] = { s->place.program, (char *)"--socket", s->place.socket,
		(char *)"--state-dir", s->place.state_dir, NULL };
	char *env[4];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(
		&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, 0, 1);
	posix_spawn_file_actions_adddup2(&files, pipe_in, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawn_file_actions_addchdir_np(&files, "/");
	make_env(env);
	rc = posix_spawnp(&s->pid, s->place.program, &files, &attr, argv, env);
	for (size_t i = 0; env[i]; i++) {
		free(env[i]);
	}
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

static int begin(struct spawn *s, struct vy_err *e)
{
	int ends[2], rc;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return vy_fail_errno(e, errno, _("starting vyred"));
	}
	rc = run_program(s, ends[1]);
	close(ends[1]);
	if (rc != 0) {
		s->pid = 0;
		close(ends[0]);
		return vy_fail_errno(e, rc, _("starting %s"), s->place.program);
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	s->said_fd = ends[0];
	s->said_watch = vy_loop_watch(s->loop, ends[0], VY_READ, on_said, s);
	return 0;
}

/* Who held the lock may have been one that was just dying: then nobody else starts one. */
static void begin_again(struct spawn *s)
{
	struct vy_err e = { .code = VY_OK };
	int64_t now = vy_boot_ms(&vy_clock_real);

	vy_buf_clear(&s->said);
	s->again_ms = now + AGAIN_MS;
	if (begin(s, &e) != 0) {
		finish(s, &e);
	} else {
		vy_timer_set(s->timer, s->deadline_ms > now ? s->deadline_ms - now : 0);
	}
}

static void on_timer(void *ctx)
{
	struct spawn *s = ctx;

	VY_CHECK(s, SPAWN_MAGIC);
	if (s->is_begun) {
		look(s);
		return;
	}
	s->is_begun = true;
	begin_again(s);
}

struct spawn *spawn_start(
	struct vy_loop *l, const struct spawn_place *p, spawn_done_fn *fn, void *ctx)
{
	struct spawn *s = VY_NEW(struct spawn);

	VY_MAGIC_SET(s, SPAWN_MAGIC);
	s->loop = l;
	s->place.state_dir = vy_strdup(p->state_dir);
	s->place.socket = vy_strdup(p->socket);
	s->place.program = vy_strdup(p->program);
	s->said_fd = -1;
	vy_buf_init(&s->said, SAID_MAX + 1024);
	s->fn = fn;
	s->ctx = ctx;
	s->deadline_ms = vy_boot_ms(&vy_clock_real) + SPAWN_WAIT_MS;
	s->timer = vy_loop_timer(l, on_timer, s);
	vy_timer_set(s->timer, 0);
	return s;
}

void spawn_free(struct spawn *s)
{
	if (!s) {
		return;
	}
	VY_CHECK(s, SPAWN_MAGIC);
	if (s->pid) {
		(void)waitpid(s->pid, NULL, WNOHANG); /* else it is init's after us */
	}
	drop_pipe(s);
	vy_timer_del(s->timer);
	vy_buf_fini(&s->said);
	spawn_place_fini(&s->place);
	VY_MAGIC_CLEAR(s);
	free(s);
}
