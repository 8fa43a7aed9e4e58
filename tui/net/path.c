/* path.c -- see path.h. */
#include "tui/net/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

struct path {
	struct vy_loop *loop;
	char *path;
	size_t len; /* of the folder that is watched, within path */
	int fd;
	struct vy_watch *watch;
	vy_call_fn *fn;
	void *ctx;
};

/* The deepest folder on the way that is there. */
static int watch_deepest(struct path *p)
{
	char *dir = vy_strdup(p->path);
	char *slash;
	int wd = -1;

	while (wd < 0 && (slash = strrchr(dir, '/')) != NULL) {
		*slash = '\0';
		p->len = (size_t)(slash - dir);
		wd = inotify_add_watch(p->fd, slash == dir ? "/" : dir,
			IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR);
	}
	free(dir);
	return wd;
}

/* Does this name lie on our way? */
static bool is_next(const struct path *p, const char *name)
{
	const char *next = p->path + p->len + 1;
	size_t n = strcspn(next, "/");

	return strlen(name) == n && memcmp(next, name, n) == 0;
}

static bool read_events(struct path *p, bool *is_deeper)
{
	char text[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool is_it = false;
	ssize_t n;

	while ((n = read(p->fd, text, sizeof(text))) > 0) {
		const struct inotify_event *ev;

		for (char *at = text; at < text + n; at += sizeof(*ev) + ev->len) {
			ev = (const struct inotify_event *)at;
			if (ev->mask & (IN_DELETE_SELF | IN_IGNORED)) {
				*is_deeper = true;
			} else if (ev->len && is_next(p, ev->name)) {
				is_it = true;
				*is_deeper |= strchr(p->path + p->len + 1, '/') != NULL;
			}
		}
	}
	return is_it;
}

static void on_event(void *ctx, int fd, unsigned events)
{
	struct path *p = ctx;
	bool is_deeper = false, is_it = read_events(p, &is_deeper);

	(void)fd;
	(void)events;
	if (is_deeper) {
		size_t was = p->len;

		(void)watch_deepest(p);
		is_it = is_it || p->len > was;
	}
	if (is_it) {
		p->fn(p->ctx); /* may free us */
	}
}

struct path *path_watch(struct vy_loop *l, const char *path, vy_call_fn *appeared, void *ctx)
{
	char real[VY_SOCK_PATH_MAX + 1];
	struct path *p;

	if (vy_sock_path(path, real, NULL) != 0) {
		return NULL;
	}
	p = VY_NEW(struct path);
	p->loop = l;
	p->path = vy_strdup(real);
	p->fn = appeared;
	p->ctx = ctx;
	p->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (p->fd < 0 || watch_deepest(p) < 0) {
		path_free(p);
		return NULL;
	}
	p->watch = vy_loop_watch(l, p->fd, VY_READ, on_event, p);
	return p;
}

void path_free(struct path *p)
{
	if (!p) {
		return;
	}
	vy_watch_del(p->watch);
	if (p->fd >= 0) {
		close(p->fd);
	}
	free(p->path);
	free(p);
}
