/* backup_cmd.c -- vyred backup: the running vyred copies its own database; without one we do it.
 *
 * Only vyred can read a database that it holds, so it is asked (server.backup) and looked at until it
 * is done. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "server/io/backups.h"
#include "server/io/lock.h"
#include "server/log/store.h"
#include "server/ops/call.h"
#include "server/ops/ops.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/place.h"
#include "shared/base/ban.h"

#define LOOK_MS 100

static int failed(const struct vy_err *e)
{
	fprintf(stderr, "vyred: %s\n", e->text);
	return 1;
}

static int done(const char *path, int64_t bytes)
{
	printf("%s: %.1f MiB\n", path, (double)bytes / VY_MIB);
	return 0;
}

/* The path as JSON. */
static void params_of(const char *path, struct vy_buf *out)
{
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set_c(o, "path", path);
	vy_json_dump(o, out);
}

/* Another path in the answer: somebody else began one, so ours is over and was not seen. */
static int wait_for(const char *socket, const char *path, struct vy_err *e)
{
	for (;;) {
		const struct timespec a_while = { .tv_nsec = LOOK_MS * 1000000L };
		VY_AUTO_JSON *r = ops_call(socket, "server.backup", "{}", e);
		const char *state = vy_json_cstr(r, "state"), *at = vy_json_cstr(r, "path");

		if (!r) {
			return -1;
		}
		if (!state || !at || strcmp(at, path) != 0) {
			return vy_fail(e, VY_GONE, "the server lost sight of %s: look at it", path);
		}
		if (strcmp(state, "failed") == 0) {
			const char *why = vy_json_cstr(r, "why");

			return vy_fail(e, VY_IO, "%s", why ? why : "the backup failed");
		}
		if (strcmp(state, "done") == 0) {
			done(path, vy_json_int(r, "total", 0));
			return 0;
		}
		nanosleep(&a_while, NULL);
	}
}

/* Nobody serves this folder: the database is opened by ourselves, under the lock. */
static int copy_alone(const char *state_dir, const char *path, struct vy_err *e)
{
	VY_AUTO_BUF db = VY_BUF_INIT(4096);
	struct log_store *store;
	int64_t copied = 0, total = 0;
	struct stat st;
	int lock, rc = 1;

	if (!vy_buf_addf(&db, "%s/vyre.db", state_dir) || stat(vy_buf_c(&db), &st) != 0) {
		return vy_fail(e, VY_NOT_FOUND, "there is no database in %s", state_dir);
	}
	lock = lock_take(state_dir, NULL, e);
	if (lock < 0) {
		return -1;
	}
	store = store_sqlite_open_read(state_dir, e);
	while (store && rc > 0) {
		rc = store->ops->copy(store, path, &copied, &total, e);
	}
	if (store) {
		store->ops->close(store);
	}
	if (rc == 0 && !backups_note(state_dir, path, vy_wall_ms(&vy_clock_real))) {
		fprintf(stderr, "vyred: %s is whole, but could not be noted in %s\n", path,
			state_dir);
	}
	lock_drop(lock);
	return rc == 0 ? done(path, total) : -1;
}

int ops_backup(const char *state_dir, const char *socket, const char *const *words, int n)
{
	VY_AUTO_BUF own = VY_BUF_INIT(4096), params = VY_BUF_INIT(32 * 1024);
	struct vy_err e = { 0 };

	if (n != 1 || !words[0][0]) {
		fputs("usage: vyred backup FILE\n", stderr);
		return 2;
	}
	char *path = vy_place_absolute(words[0]);

	vy_buf_addf(&own, "%s/vyred.sock", state_dir);
	socket = socket ? socket : vy_buf_c(&own);
	params_of(path, &params);
	VY_AUTO_JSON *r = ops_call(socket, "server.backup", vy_buf_c(&params), &e);
	int rc = r                   ? wait_for(socket, path, &e)
		 : e.code == VY_GONE ? copy_alone(state_dir, path, &e)
				     : -1;

	free(path);
	return rc == 0 ? 0 : failed(&e);
}
