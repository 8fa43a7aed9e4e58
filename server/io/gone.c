/* gone.c -- see gone.h. A file that is still open is not "deleted" for inotify: its links change. */
#include "server/io/gone.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

struct gone {
	char path[PATH_MAX];
	int lock, notify;
	struct vy_watch *watch;
	void (*fn)(void *ctx);
	void *ctx;
};

static bool is_there(const struct gone *g)
{
	struct stat named, held;

	return stat(g->path, &named) == 0 && fstat(g->lock, &held) == 0 &&
	       named.st_ino == held.st_ino && named.st_dev == held.st_dev;
}

static void on_notify(void *ctx, int fd, unsigned events)
{
	struct gone *g = ctx;
	char text[4096];

	(void)events;
	while (read(fd, text, sizeof(text)) > 0) {
	}
	if (g->watch && !is_there(g)) {
		vy_watch_del(g->watch);
		g->watch = NULL;
		g->fn(g->ctx);
	}
}

struct gone *gone_watch(
	struct vy_loop *loop, const char *state_dir, int lock, void (*fn)(void *ctx), void *ctx)
{
	struct gone *g = VY_NEW(struct gone);

	g->lock = lock;
	g->fn = fn;
	g->ctx = ctx;
	snprintf(g->path, sizeof(g->path), "%s/lock", state_dir);
	g->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (g->notify < 0 || inotify_add_watch(g->notify, g->path,
				     IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF) < 0) {
		gone_free(g);
		return NULL;
	}
	g->watch = vy_loop_watch(loop, g->notify, VY_READ, on_notify, g);
	return g;
}

void gone_free(struct gone *g)
{
	if (!g) {
		return;
	}
	if (g->watch) {
		vy_watch_del(g->watch);
	}
	if (g->notify >= 0) {
		close(g->notify);
	}
	free(g);
}
