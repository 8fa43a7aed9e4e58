/* db_in.h -- what the files of db.h share (db.c, db_copy.c). */
#ifndef DB_IN_H
#define DB_IN_H

#include <sqlite3.h>

#include "server/io/db.h"

/* The VFS of all our files. Held by this process as a whole: its connections agree among themselves, in
 * memory, and a commit makes no lock calls (six of them otherwise, and a shared-memory file). A commit is one
 * write. Any thread. */
const char *db_vfs(void);

struct db {
	sqlite3 *sq;
	struct db_stmt *stmts;
	char *path;
	int64_t wal_pages, page_size;
};

/* What an answer of SQLite means; `sys` is the errno that belongs to it, or 0. */
enum vy_code db_code(int rc, int sys);

#endif
