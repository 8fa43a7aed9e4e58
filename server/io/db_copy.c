/* db_copy.c -- a copy of a database while work goes on (db.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/io/db_in.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

struct db_copy {
	struct db *from;
	sqlite3 *to;
	sqlite3_backup *b;
	char *path;
};

static int copy_failed(struct db_copy *c, int rc, struct vy_err *e)
{
	enum vy_code code = db_code(rc, rc == SQLITE_IOERR_WRITE ? errno : 0);

	return vy_fail(e, code, "copying %s to %s: %s", c->from->path, c->path,
		code == VY_FULL ? "the disk is full" : sqlite3_errstr(rc));
}

struct db_copy *db_copy_new(struct db *d, const char *path, struct vy_err *e)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct db_copy *c;

	if (fd < 0) {
		vy_fail_errno(e, errno, "making %s", path);
		return NULL;
	}
	close(fd);
	c = VY_NEW(struct db_copy);
	c->from = d;
	c->path = vy_strdup(path);
	int rc = sqlite3_open_v2(
		path, &c->to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, db_vfs());

	/* A copy that breaks off is thrown away, so it needs no journal, and it is synced once. */
	if (rc == SQLITE_OK) {
		rc = sqlite3_exec(c->to, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF",
			NULL, NULL, NULL);
	}
	c->b = rc == SQLITE_OK ? sqlite3_backup_init(c->to, "main", d->sq, "main") : NULL;
	if (!c->b) {
		copy_failed(c, rc == SQLITE_OK ? sqlite3_errcode(c->to) : rc, e);
		db_copy_free(c, false);
		return NULL;
	}
	return c;
}

int db_copy_step(struct db_copy *c, int pages, struct vy_err *e)
{
	int rc = sqlite3_backup_step(c->b, pages);

	if (rc == SQLITE_DONE) {
		return 0;
	}
	return rc == SQLITE_OK || rc == SQLITE_BUSY || rc == SQLITE_LOCKED ? 1
									   : copy_failed(c, rc, e);
}

int64_t db_copy_bytes(const struct db_copy *c, int64_t *left)
{
	if (left) {
		*left = sqlite3_backup_remaining(c->b) * c->from->page_size;
	}
	return sqlite3_backup_pagecount(c->b) * c->from->page_size;
}

void db_copy_free(struct db_copy *c, bool keep)
{
	if (!c) {
		return;
	}
	sqlite3_backup_finish(c->b);
	sqlite3_close(c->to);
	if (!keep) {
		unlink(c->path);
	}
	free(c->path);
	free(c);
}
