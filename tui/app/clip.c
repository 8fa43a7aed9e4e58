/* clip.c -- see clip.h. One try after the other, each a child with its output on a pipe. */
#include "tui/app/clip.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/io/loop.h"
#include "tui/view/image.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define BYTES_MAX (IMAGE_MAX + 1) /* so that too much can be told from enough */
#define REAP_MS   5
#define WORDS     8

struct
try {
	const char *needs; /* in the environment */
	const char *argv[WORDS];
};

static const struct try tries[] = {
	{ "WAYLAND_DISPLAY", { "wl-paste", "--no-newline", "--type", "image/png" } },
	{ "WAYLAND_DISPLAY", { "wl-paste", "--no-newline", "--type", "image/jpeg" } },
	{ "WAYLAND_DISPLAY", { "wl-paste", "--no-newline", "--type", "text" } },
	{ "DISPLAY", { "xclip", "-selection", "clipboard", "-t", "image/png", "-o" } },
	{ "DISPLAY", { "xclip", "-selection", "clipboard", "-t", "image/jpeg", "-o" } },
	{ "DISPLAY", { "xclip", "-selection", "clipboard", "-t", "UTF8_STRING", "-o" } },
};

struct clip {
	struct vy_loop *loop;
	clip_fn *fn;
	void *ctx;
	size_t at; /* of tries */
	bool ran;  /* a tool was there */
	pid_t pid; /* 0: none */
	int fd;
	struct vy_watch *watch;
	struct vy_timer *timer, *limit;
	struct vy_buf bytes;
};

static void end_child(struct clip *c)
{
	vy_watch_del(c->watch);
	c->watch = NULL;
	if (c->fd >= 0) {
		close(c->fd);
		c->fd = -1;
	}
	if (c->pid > 0) {
		kill(c->pid, SIGKILL);
		while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) {
		}
		c->pid = 0;
	}
}

void clip_free(struct clip *c)
{
	if (!c) {
		return;
	}
	end_child(c);
	vy_timer_del(c->timer);
	vy_timer_del(c->limit);
	vy_buf_fini(&c->bytes);
	free(c);
}

static void tell(struct clip *c, const char *why)
{
	struct vy_err e = { 0 };

	end_child(c);
	vy_timer_set(c->limit, -1);
	if (why) {
		vy_fail(&e, VY_NOT_FOUND, "%s", why);
		vy_buf_clear(&c->bytes);
	}
	c->fn(c->ctx, vy_buf_str(&c->bytes), &e); /* may free */
}

static void be_tool(const struct try *t, int out)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	execvp(t->argv[0], (char *const *)(uintptr_t)t->argv);
	_exit(127);
}

static void on_bytes(void *ctx, int fd, unsigned events);

static bool start(struct clip *c, const struct try *t)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	c->pid = fork();
	if (c->pid == 0) {
		be_tool(t, ends[1]);
	}
	close(ends[1]);
	if (c->pid < 0) {
		c->pid = 0;
		close(ends[0]);
		return false;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	c->fd = ends[0];
	c->watch = vy_loop_watch(c->loop, c->fd, VY_READ, on_bytes, c);
	return true;
}

static void go_on(void *ctx)
{
	struct clip *c = ctx;

	end_child(c);
	vy_buf_clear(&c->bytes);
	while (c->at < VY_COUNT(tries)) {
		const struct try *t = &tries[c->at++];
		const char *display = getenv(t->needs);

		if (display && *display && vy_place_on_path(t->argv[0])) {
			c->ran = true;
			if (start(c, t)) {
				return;
			}
		}
	}
	tell(c, c->ran ? _("the clipboard holds no picture and no text")
		       : _("no clipboard here: neither wl-paste nor xclip can be used"));
}

/* Its output has ended; it will itself in a moment. */
static void reap(void *ctx)
{
	struct clip *c = ctx;
	int status = 0;

	if (c->pid == 0) { /* the beginning */
		go_on(c);
		return;
	}
	if (waitpid(c->pid, &status, WNOHANG) == 0) {
		vy_timer_set(c->timer, REAP_MS);
		return;
	}
	c->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && c->bytes.len) {
		tell(c, NULL);
	} else {
		go_on(c);
	}
}

static void on_bytes(void *ctx, int fd, unsigned events)
{
	struct clip *c = ctx;
	char piece[65536];
	ssize_t n = read(fd, piece, sizeof(piece));

	(void)events;
	if (n > 0 && vy_buf_add(&c->bytes, piece, (size_t)n)) {
		return;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (n > 0) {
		tell(c, _("what the clipboard holds is too large"));
		return;
	}
	vy_watch_del(c->watch);
	c->watch = NULL;
	close(c->fd);
	c->fd = -1;
	reap(c);
}

static void on_limit(void *ctx)
{
	tell(ctx, _("the clipboard does not answer"));
}

struct clip *clip_read(struct vy_loop *l, clip_fn *fn, void *ctx)
{
	struct clip *c = VY_NEW(struct clip);

	c->loop = l;
	c->fn = fn;
	c->ctx = ctx;
	c->fd = -1;
	c->timer = vy_loop_timer(l, reap, c);
	c->limit = vy_loop_timer(l, on_limit, c);
	vy_buf_init(&c->bytes, BYTES_MAX + 65536);
	vy_timer_set(c->limit, CLIP_MS);
	vy_timer_set(c->timer, 0);
	return c;
}
