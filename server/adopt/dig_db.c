/* dig_db.c -- the database of opencode. It is in use, and whoever opens it takes locks and writes beside it:
 * so it is copied into a folder of ours, with what is not checkpointed yet, and the copy is read. The copy is
 * made again when one of the two has another time or size; when they change while they are copied, once more. */
#include "server/adopt/dig_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/io/db.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define COPY_MOST (1024LL * VY_MIB) /* a larger one is not copied */
#define TRIES     5

static const char *const endings[] = { "", "-wal" };

/* ---- the copy ---- */

static void name_of(const struct dig *d, const char *ending, struct vy_buf *out)
{
	vy_buf_clear(out);
	vy_buf_addf(out, "%s/opencode.db%s", d->own_dir, ending);
}

void dig_db_forget(struct dig *d)
{
	static const char *const ours[] = { "", "-wal", "-shm", "-journal" };
	VY_AUTO_BUF path = VY_BUF_INIT(8192);

	for (size_t i = 0; i < VY_COUNT(ours) && d->copy_key; i++) {
		name_of(d, ours[i], &path);
		unlink(vy_buf_c(&path));
	}
	free(d->copy_key);
	d->copy_key = NULL;
}

/* Times and sizes of both; what says that they are the same. NULL: there is no database. */
static char *key_of(const char *path, int64_t *bytes)
{
	VY_AUTO_BUF key = VY_BUF_INIT(1024), name = VY_BUF_INIT(8192);

	*bytes = 0;
	for (size_t i = 0; i < VY_COUNT(endings); i++) {
		struct stat st = { 0 };

		vy_buf_clear(&name);
		vy_buf_addf(&name, "%s%s", path, endings[i]);
		if (lstat(vy_buf_c(&name), &st) != 0 && i == 0) {
			return NULL;
		}
		*bytes += st.st_size;
		vy_buf_addf(&key, "%lld.%09ld %lld %lld ", (long long)st.st_mtim.tv_sec,
			st.st_mtim.tv_nsec, (long long)st.st_size, (long long)st.st_ino);
	}
	return vy_buf_take(&key, NULL);
}

static int copy_one(struct dig *d, const char *path, const char *ending, struct vy_err *e)
{
	VY_AUTO_BUF from = VY_BUF_INIT(8192), to = VY_BUF_INIT(8192);
	char *piece;
	ssize_t n = 0;
	int in, out;

	vy_buf_addf(&from, "%s%s", path, ending);
	name_of(d, ending, &to);
	unlink(vy_buf_c(&to));
	if (ending[0] && access(vy_buf_c(&from), F_OK) != 0) {
		return 0; /* all is checkpointed */
	}
	in = dig_open(vy_buf_c(&from), d->uid, e);
	if (in < 0) {
		return -1;
	}
	(void)!mkdir(d->own_dir, 0700);
	out = open(vy_buf_c(&to), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	piece = vy_alloc(VY_MIB);
	while (out >= 0 && (n = read(in, piece, VY_MIB)) > 0) {
		if (write(out, piece, (size_t)n) != n) {
			n = -1;
			break;
		}
	}
	if (out < 0 || n < 0) {
		vy_fail_errno(e, errno, "copying %s", path);
	}
	free(piece);
	close(in);
	if (out >= 0) {
		close(out);
	}
	return out < 0 || n < 0 ? -1 : 0;
}

static int copy_both(struct dig *d, const char *path, struct vy_err *e)
{
	for (size_t i = 0; i < VY_COUNT(endings); i++) {
		if (copy_one(d, path, endings[i], e) != 0) {
			return -1;
		}
	}
	return 0;
}

/* Our copy is as that database is; -1 with why not. */
static int copy(struct dig *d, const char *path, struct vy_err *e)
{
	int64_t bytes;
	char *key = key_of(path, &bytes);

	for (int i = 0; key && i < TRIES; i++) {
		if (d->copy_key && strcmp(d->copy_key, key) == 0) {
			free(key);
			return 0;
		}
		dig_db_forget(d);
		if (bytes > COPY_MOST) {
			free(key);
			return vy_fail(e, VY_UNSUPPORTED, "%s is over %d MiB", path,
				(int)(COPY_MOST / VY_MIB));
		}
		d->copy_key = key;
		if (copy_both(d, path, e) != 0) {
			dig_db_forget(d);
			return -1;
		}
		key = key_of(path, &bytes);
	}
	free(key);
	dig_db_forget(d);
	return vy_fail(e, VY_RETRY, "%s is just being written to", path);
}

static struct db *open_copy(struct dig *d, const char *path, struct vy_err *e)
{
	VY_AUTO_BUF ours = VY_BUF_INIT(8192);

	if (copy(d, path, e) != 0) {
		return NULL;
	}
	name_of(d, "", &ours);
	return db_open_side(vy_buf_c(&ours), e);
}

/* ---- the sessions ---- */

static bool path_of(const struct dig *d, struct vy_buf *out)
{
	return d->opencode && vy_buf_addf(out, "%s/opencode.db", d->opencode);
}

static char *copied(struct vy_str s)
{
	return s.n ? vy_memdup0(s.p, s.n) : NULL;
}

static int list(struct db *db, const char *path, struct dig_finds *out, struct vy_err *e)
{
	struct db_stmt *s = db_prep(db,
		"SELECT id, directory, title, time_updated, time_archived FROM session"
		" WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT 100000",
		e);
	int rc;

	if (!s) {
		return -1;
	}
	while ((rc = db_step(s, e)) > 0) {
		struct dig_find *f = dig_add(out, &adopt_opencode, path);
		struct vy_str id = db_text(s, 0), cwd = db_text(s, 1);

		f->id = id.n <= VY_ID_MAX ? copied(id) : NULL;
		f->cwd = cwd.n && cwd.p[0] == '/' ? copied(cwd) : NULL;
		f->title = copied(db_text(s, 2));
		f->mtime = db_int(s, 3);
		f->is_archived = db_int(s, 4) > 0;
		f->is_none = !f->id;
		f->is_seen = true;
	}
	db_done(s);
	return rc;
}

void dig_db_walk(struct dig *d, struct dig_finds *out)
{
	VY_AUTO_BUF path = VY_BUF_INIT(8192);
	struct vy_err e = { 0 };
	struct stat st;

	if (!path_of(d, &path) || lstat(vy_buf_c(&path), &st) != 0) {
		return;
	}
	struct db *db = open_copy(d, vy_buf_c(&path), &e);

	if (!db || list(db, vy_buf_c(&path), out, &e) < 0) {
		dig_note(out, "opencode", vy_buf_c(&path), e.text);
	}
	db_close(db);
}

/* ---- one of them ---- */

static int add_parts(struct db *db, struct vy_str message, struct vy_json *list, struct vy_err *e)
{
	struct db_stmt *s =
		db_prep(db, "SELECT id, data FROM part WHERE message_id = ?1 ORDER BY id", e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, message);
	while ((rc = db_step(s, e)) > 0) {
		struct vy_json *o = vy_json_new_obj();

		vy_json_set_str(o, "id", db_text(s, 0));
		vy_json_set_str(o, "data", db_text(s, 1));
		vy_json_add_take(list, o);
	}
	db_done(s);
	return rc;
}

static int add_message(struct db *db, struct db_stmt *s, struct vy_buf *out, struct vy_err *e)
{
	VY_AUTO_JSON *o = vy_json_new_obj();
	struct vy_json *parts = vy_json_new_arr();
	VY_AUTO_BUF line = VY_BUF_INIT(ADOPT_LINE_MAX);

	vy_json_set_str(o, "id", db_text(s, 0));
	vy_json_set_str(o, "data", db_text(s, 1));
	vy_json_take(o, "parts", parts);
	if (add_parts(db, vy_json_str(o, "id"), parts, e) < 0) {
		return -1;
	}
	vy_json_dump(o, &line);
	vy_buf_addstr(out, vy_buf_is_over(&line) ? VY_STR_LIT("{") : vy_buf_str(&line));
	vy_buf_addc(out, '\n');
	return 0;
}

static int dump(struct db *db, const char *id, struct vy_buf *out, struct vy_err *e)
{
	struct db_stmt *s =
		db_prep(db, "SELECT id, data FROM message WHERE session_id = ?1 ORDER BY id", e);
	int rc;

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, vy_str_c(id));
	while ((rc = db_step(s, e)) > 0 && !vy_buf_is_over(out)) {
		if (add_message(db, s, out, e) != 0) {
			rc = -1;
			break;
		}
	}
	db_done(s);
	return rc;
}

char *dig_db_read(struct dig *d, const struct dig_find *f, size_t *n, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(ADOPT_FILE_MAX);
	struct db *db = open_copy(d, f->path, e);
	int rc = db ? dump(db, f->id, &text, e) : -1;

	db_close(db);
	return rc < 0 ? NULL : vy_buf_take(&text, n);
}
