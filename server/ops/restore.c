/* restore.c -- vyred restore: a backup takes the place of the database, which is kept beside it.
 *
 * In this order, so that a crash in between leaves either the old or the new: look at the backup,
 * copy it in under another name, put the old one aside, put the new one in its place, begin a new
 * history. Agents of the old history are nobody's now: the next vyred ends what is left of them. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "server/io/lock.h"
#include "server/log/epoch.h"
#include "server/log/store.h"
#include "server/ops/ops.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/base/ban.h"

struct place {
	char db[PATH_MAX], next[PATH_MAX], aside[PATH_MAX];
};

static int name_all(struct place *p, const char *state_dir, struct vy_err *e)
{
	char when[32];
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm);
	if (strlen(state_dir) > PATH_MAX - 64) {
		return vy_fail(e, VY_BAD_INPUT, "the name of the state folder is too long");
	}
	snprintf(p->db, sizeof(p->db), "%s/vyre.db", state_dir);
	snprintf(p->next, sizeof(p->next), "%s/vyre.db.new", state_dir);
	snprintf(p->aside, sizeof(p->aside), "%s/vyre.db.before-%s", state_dir, when);
	return 0;
}

static int copy_bytes(int from, int to, const char *path, struct vy_err *e)
{
	char *some = vy_alloc(256 * 1024);
	ssize_t n;
	int rc = 0;

	while (rc == 0 && (n = read(from, some, 256 * 1024)) != 0) {
		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0 || write(to, some, (size_t)n) != n) {
			rc = vy_fail_errno(e,
				n < 0   ? errno
				: errno ? errno
					: ENOSPC,
				"copying to %s", path);
		}
	}
	free(some);
	return rc == 0 && fsync(to) < 0 ? vy_fail_errno(e, errno, "writing %s", path) : rc;
}

static int copy_file(const char *from, const char *to, struct vy_err *e)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, rc;

	if (in < 0) {
		return vy_fail_errno(e, errno, "reading %s", from);
	}
	unlink(to); /* of one that broke off */
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (out < 0) {
		close(in);
		return vy_fail_errno(e, errno, "making %s", to);
	}
	errno = 0;
	rc = copy_bytes(in, out, to, e);
	close(in);
	close(out);
	if (rc != 0) {
		unlink(to);
	}
	return rc;
}

/* The database and what belongs to it, from one name to another; what is not there is not missed. */
static int move_all(const char *from, const char *to, struct vy_err *e)
{
	static const char *const parts[] = { "-shm", "-wal",
		"" }; /* a WAL without its own is junk */

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		char a[PATH_MAX + 8], b[PATH_MAX + 8];

		snprintf(a, sizeof(a), "%s%s", from, parts[i]);
		snprintf(b, sizeof(b), "%s%s", to, parts[i]);
		if (rename(a, b) != 0 && errno != ENOENT) {
			return vy_fail_errno(e, errno, "putting %s aside", a);
		}
	}
	return 0;
}

struct hids {
	char (*v)[32];
	size_t n, cap;
};

static bool keep_hid(void *ctx, const struct store_row *row)
{
	struct hids *h = ctx;

	h->v = vy_grow(h->v, &h->cap, h->n + 1, sizeof(*h->v));
	snprintf(h->v[h->n++], sizeof(*h->v), "%.*s", VY_STR_ARG(row->live.hid));
	return true;
}

/* Cursors will be given out a second time: a new epoch says so to every client. Processes that the
 * backup knows went on without it. */
static int begin_anew(const char *state_dir, struct vy_err *e)
{
	struct log_store *s = store_sqlite_open(state_dir, NULL, NULL, e);
	struct store_row like = { .kind = ROW_LIVE };
	struct hids hids = { 0 };
	int rc = s ? s->ops->each(s, &like, keep_hid, &hids, e) : -1;

	if (rc == 0 && hids.n > 0) {
		rc = s->ops->begin(s, e);
		for (size_t i = 0; i < hids.n && rc == 0; i++) {
			struct store_row row = { .kind = ROW_LIVE,
				.live = { .hid = vy_str_c(hids.v[i]) } };

			rc = s->ops->del(s, &row, e);
		}
		rc = rc == 0 ? s->ops->commit(s, e) : rc;
	}
	rc = rc == 0 ? epoch_renew(s, e) : rc;
	if (s) {
		s->ops->close(s);
	}
	free(hids.v);
	return rc;
}

static void sync_dir(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

/* The backup, looked at, beside the database under a name of its own. */
static int bring_in(const char *file, const char *next, struct vy_err *e)
{
	struct vy_err why = { 0 };
	char wal[PATH_MAX + 8];

	if (copy_file(file, next, e) != 0) {
		return -1;
	}
	int rc = store_sqlite_check(next, &why);

	snprintf(wal, sizeof(wal), "%s-wal", next);
	unlink(wal); /* of the look */
	if (rc == 0) {
		return 0;
	}
	unlink(next);
	return why.code == VY_CORRUPT
		       ? vy_fail(e, why.code, "%s is not a whole backup of vyre's database", file)
		       : vy_fail(e, why.code, "%s cannot be restored: %s", file, why.text);
}

static int restore(const char *state_dir, const char *file, struct place *p, struct vy_err *e)
{
	struct vy_err undone = { 0 };

	if (name_all(p, state_dir, e) != 0 || bring_in(file, p->next, e) != 0) {
		return -1;
	}
	if (move_all(p->db, p->aside, e) != 0) {
		return -1;
	}
	if (rename(p->next, p->db) != 0) {
		vy_fail_errno(e, errno, "putting %s in its place", p->next);
	} else {
		sync_dir(state_dir);
		if (begin_anew(state_dir, e) == 0) {
			return 0;
		}
	}
	/* As it was: what is in the way now is a copy. */
	unlink(p->db);
	if (move_all(p->aside, p->db, &undone) != 0) {
		fprintf(stderr, "vyred: %s\n", undone.text);
	}
	return -1;
}

int ops_restore(const char *state_dir, const char *const *words, int n)
{
	struct vy_err e = { 0 };
	struct place p;
	pid_t holder;
	int rc = -1;

	if (n != 1 || !words[0][0]) {
		fputs("usage: vyred restore FILE\n", stderr);
		return 2;
	}
	char *file = vy_place_absolute(words[0]);
	int lock = lock_take(state_dir, &holder, &e);

	if (lock < 0 && e.code == VY_CONFLICT) {
		vy_fail(&e, VY_CONFLICT,
			"a server (pid %d) works with %s: vyred stop it first, then restore",
			(int)holder, state_dir);
	} else if (lock >= 0) {
		rc = restore(state_dir, file, &p, &e);
		lock_drop(lock);
	}
	if (rc == 0) {
		printf("restored from %s; what was there before is kept as %s\n", file, p.aside);
	} else {
		fprintf(stderr, "vyred: %s\n", e.text);
	}
	free(file);
	return rc == 0 ? 0 : 1;
}
