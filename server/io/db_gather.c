/* db_gather.c -- a commit goes to the write-ahead log in one write.
 *
 * SQLite writes each page of it in two: a head of 24 bytes, and the page. They follow one another in the
 * file, and nobody looks at them before the commit is whole, so what is written to a WAL is kept
 * until the page behind the head of the last frame: only that head says how many pages the database has
 * (sqlite.org/fileformat2.html, 4.1). Then it is one pwrite(), and what comes of it is what comes
 * of that last xWrite(): the commit fails as it would have. Whatever else is asked of the file first
 * writes what is kept.
 *
 * All other files, and all other calls, are those of the VFS below. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "server/io/db_in.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define BELOW      "unix-excl"
#define NAME       "vyre-excl"
#define FRAME_HEAD 24
#define KEEP_MAX   (64 * 1024) /* a large transaction is more than one write */

struct wal_file {
	sqlite3_file base;
	char *kept;
	int n;
	sqlite3_int64 at;
	bool is_last;       /* the page to come ends a commit */
	sqlite3_file own[]; /* of the VFS below; as large as that says */
};

static sqlite3_vfs *below;
static sqlite3_vfs gather;

static struct wal_file *of(sqlite3_file *f)
{
	return (struct wal_file *)f;
}

static int give(struct wal_file *w)
{
	int n = w->n;

	w->n = 0;
	w->is_last = false;
	return n ? w->own->pMethods->xWrite(w->own, w->kept, n, w->at) : SQLITE_OK;
}

/* ---- the file ---- */

static int x_close(sqlite3_file *f)
{
	struct wal_file *w = of(f);
	int rc = give(w), closed = w->own->pMethods->xClose(w->own);

	free(w->kept);
	w->kept = NULL;
	return rc != SQLITE_OK ? rc : closed;
}

static int x_read(sqlite3_file *f, void *out, int n, sqlite3_int64 at)
{
	int rc = give(of(f));

	return rc != SQLITE_OK ? rc : of(f)->own->pMethods->xRead(of(f)->own, out, n, at);
}

/* The size of the database, of a frame that ends a commit. */
static bool ends_commit(const unsigned char *head)
{
	return (head[4] | head[5] | head[6] | head[7]) != 0;
}

static int x_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
	struct wal_file *w = of(f);
	bool is_whole = w->n && w->is_last && at == w->at + w->n;

	if (w->n && (at != w->at + w->n || w->n + n > KEEP_MAX)) {
		int rc = give(w);

		if (rc != SQLITE_OK) {
			return rc;
		}
	}
	if (n > KEEP_MAX) {
		return w->own->pMethods->xWrite(w->own, p, n, at);
	}
	if (!w->n) {
		w->at = at;
	}
	memcpy(w->kept + w->n, p, (size_t)n);
	w->n += n;
	w->is_last = n == FRAME_HEAD && ends_commit(p);
	return is_whole ? give(w) : SQLITE_OK;
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	int rc = give(of(f));

	return rc != SQLITE_OK ? rc : of(f)->own->pMethods->xTruncate(of(f)->own, size);
}

static int x_sync(sqlite3_file *f, int flags)
{
	int rc = give(of(f));

	return rc != SQLITE_OK ? rc : of(f)->own->pMethods->xSync(of(f)->own, flags);
}

static int x_size(sqlite3_file *f, sqlite3_int64 *size)
{
	int rc = give(of(f));

	return rc != SQLITE_OK ? rc : of(f)->own->pMethods->xFileSize(of(f)->own, size);
}

static int x_lock(sqlite3_file *f, int level)
{
	return of(f)->own->pMethods->xLock(of(f)->own, level);
}

static int x_unlock(sqlite3_file *f, int level)
{
	return of(f)->own->pMethods->xUnlock(of(f)->own, level);
}

static int x_reserved(sqlite3_file *f, int *out)
{
	return of(f)->own->pMethods->xCheckReservedLock(of(f)->own, out);
}

static int x_control(sqlite3_file *f, int op, void *arg)
{
	int rc = give(of(f));

	return rc != SQLITE_OK ? rc : of(f)->own->pMethods->xFileControl(of(f)->own, op, arg);
}

static int x_sector(sqlite3_file *f)
{
	return of(f)->own->pMethods->xSectorSize(of(f)->own);
}

static int x_traits(sqlite3_file *f)
{
	return of(f)->own->pMethods->xDeviceCharacteristics(of(f)->own);
}

/* Version 1: a WAL has no shared memory of its own and is not mapped. */
static const sqlite3_io_methods wal_methods = {
	.iVersion = 1,
	.xClose = x_close,
	.xRead = x_read,
	.xWrite = x_write,
	.xTruncate = x_truncate,
	.xSync = x_sync,
	.xFileSize = x_size,
	.xLock = x_lock,
	.xUnlock = x_unlock,
	.xCheckReservedLock = x_reserved,
	.xFileControl = x_control,
	.xSectorSize = x_sector,
	.xDeviceCharacteristics = x_traits,
};

/* ---- the VFS ---- */

static int x_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *got)
{
	struct wal_file *w = of(f);
	int rc;

	(void)v;
	if (!(flags & SQLITE_OPEN_WAL)) {
		return below->xOpen(below, name, f, flags, got);
	}
	*w = (struct wal_file){ 0 };
	memset(w->own, 0, (size_t)below->szOsFile);
	rc = below->xOpen(below, name, w->own, flags, got);
	if (w->own->pMethods) { /* it is closed then, opened or not */
		w->kept = vy_alloc(KEEP_MAX);
		w->base.pMethods = &wal_methods;
	}
	return rc;
}

static void make(void)
{
	/* nobody asks how much memory it has, and counting it is a lock a malloc */
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	below = sqlite3_vfs_find(BELOW);
	vy_assert(below != NULL);
	gather = *below;
	gather.zName = NAME;
	gather.pNext = NULL;
	gather.szOsFile = (int)sizeof(struct wal_file) + below->szOsFile;
	gather.xOpen = x_open;
	vy_assert(sqlite3_vfs_register(&gather, 0) == SQLITE_OK);
}

const char *db_vfs(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	vy_assert(pthread_once(&once, make) == 0);
	return NAME;
}
