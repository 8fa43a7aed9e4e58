/* backup.c -- see backup.h. The loop copies, the worker brings the file to the disk. */
#include "server/log/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/io/backups.h"
#include "server/io/work.h"
#include "server/log/store.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/base/ban.h"

#define STEP_MS 1 /* between two pieces others have their turn */

struct backup {
	struct log_store *store;
	struct work *work;
	const struct vy_clock *clock;
	char *state_dir, *path;
	struct vy_timer *timer;
	enum backup_state state;
	int64_t copied, total;
	struct vy_err why;
	bool is_syncing;
};

static void ended(struct backup *b, enum backup_state state)
{
	b->state = state;
	if (state == BACKUP_FAILED) {
		vy_log(VY_LOG_ERROR, "backup.failed", "path=%s why=%s", vy_log_q(b->path),
			vy_log_q(b->why.text));
	} else {
		vy_log(VY_LOG_INFO, "backup.done", "path=%s bytes=%lld", vy_log_q(b->path),
			(long long)b->total);
	}
}

static int sync_file(void *ctx, struct vy_err *e)
{
	const char *path = ((struct backup *)ctx)->path;
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	if (fd < 0 || fsync(fd) < 0) {
		rc = vy_fail_errno(e, errno, "writing %s", path);
	}
	if (fd >= 0) {
		close(fd);
	}
	return rc;
}

static void synced(void *ctx, int rc, const struct vy_err *e)
{
	struct backup *b = ctx;

	b->is_syncing = false;
	if (rc < 0) {
		b->why = *e;
		unlink(b->path);
		ended(b, BACKUP_FAILED);
		return;
	}
	if (!backups_note(b->state_dir, b->path, vy_wall_ms(b->clock))) {
		vy_log(VY_LOG_WARN, "backup.note", "path=%s noted=no", vy_log_q(b->path));
	}
	ended(b, BACKUP_DONE);
}

static void step(void *ctx)
{
	struct backup *b = ctx;
	int rc = b->store->ops->copy(b->store, b->path, &b->copied, &b->total, &b->why);

	if (rc > 0) {
		vy_timer_set(b->timer, STEP_MS);
	} else if (rc < 0) {
		ended(b, BACKUP_FAILED);
	} else {
		b->is_syncing = true;
		work_add(b->work, sync_file, synced, b);
	}
}

int backup_start(struct backup *b, const char *path, struct vy_err *e)
{
	if (path[0] != '/') {
		return vy_fail(e, VY_BAD_INPUT, "params.path: expected a path from the root on");
	}
	if (b->state == BACKUP_RUNNING) {
		return vy_fail(e, VY_CONFLICT, "a backup is being made already: %s", b->path);
	}
	if (access(path, F_OK) == 0) {
		return vy_fail(e, VY_CONFLICT, "%s is there already: choose another name", path);
	}
	free(b->path);
	b->path = vy_strdup(path);
	b->state = BACKUP_RUNNING;
	b->copied = b->total = 0;
	vy_err_clear(&b->why);
	vy_timer_set(b->timer, 0);
	return 0;
}

void backup_look(const struct backup *b, struct backup_view *out)
{
	*out = (struct backup_view){ b->state, b->path, b->copied, b->total,
		b->state == BACKUP_FAILED ? b->why.text : NULL };
}

struct backup *backup_new(struct log_store *store, struct vy_loop *loop, struct work *work,
	const struct vy_clock *clock, const char *state_dir)
{
	struct backup *b = VY_NEW(struct backup);

	b->store = store;
	b->work = work;
	b->clock = clock;
	b->state_dir = vy_strdup(state_dir);
	b->timer = vy_loop_timer(loop, step, b);
	return b;
}

void backup_free(struct backup *b)
{
	if (!b) {
		return;
	}
	if (b->is_syncing) {
		work_drain(b->work);
	}
	b->store->ops->copy_end(b->store);
	vy_timer_del(b->timer);
	free(b->state_dir);
	free(b->path);
	free(b);
}
