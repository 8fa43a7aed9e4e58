/* db_test.c -- opening, upgrading and refusing; what each failing disk is called. */
#include "server/io/db.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared/base/buf.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

static const char *const steps[] = {
	"CREATE TABLE a(k TEXT PRIMARY KEY, n INTEGER, b BLOB)",
	"ALTER TABLE a ADD COLUMN extra TEXT NOT NULL DEFAULT 'old'",
	"CREATE TABLE c(x); this is no SQL",
};
static const struct db_schema v1 = { steps, 1 }, v2 = { steps, 2 }, broken = { steps, 3 };

static struct tempdir dir;
static char path[TEMPDIR_MAX + 64];

static int setup(void **state)
{
	(void)state;
	dir = tempdir_make();
	snprintf(path, sizeof(path), "%s", tempdir_file(&dir, "x.db"));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	db_fault(VY_OK, 0);
	tempdir_remove(dir.path);
	return 0;
}

static struct db *must_open(const struct db_schema *schema)
{
	struct vy_err e = { 0 };
	struct db *d = db_open(path, schema, &e);

	if (!d) {
		fail_msg("db_open: %s", e.text);
	}
	return d;
}

static int put(struct db *d, const char *k, int64_t n, struct vy_err *e)
{
	struct db_stmt *s = db_prep(d, "INSERT INTO a(k, n, b) VALUES (?1, ?2, ?3)", e);

	if (!s) {
		return -1;
	}
	db_bind_text(s, 1, vy_str_c(k));
	db_bind_int(s, 2, n);
	db_bind_blob(s, 3, VY_STR_LIT("\0\1\2\3\4\5\6\7\10\11"));
	return db_run(s, e);
}

static int64_t count(struct db *d)
{
	struct db_stmt *s = db_prep(d, "SELECT count(*) FROM a", NULL);
	int64_t n = -1;

	assert_non_null(s);
	if (db_step(s, NULL) == 1) {
		n = db_int(s, 0);
	}
	db_done(s);
	return n;
}

static void test_values_come_back(void **state)
{
	struct db *d = must_open(&v1);
	struct db_stmt *s;
	char part[4];
	int64_t total = 0;

	(void)state;
	assert_int_equal(put(d, "ä\"'", INT64_MIN, NULL), 1);
	assert_int_equal(put(d, "", 0, NULL), 1);
	s = db_prep(d, "SELECT k, n, b, NULL, rowid FROM a ORDER BY n", NULL);
	assert_int_equal(db_step(s, NULL), 1);
	assert_true(vy_str_is(db_text(s, 0), "ä\"'"));
	assert_true(db_int(s, 1) == INT64_MIN);
	assert_int_equal(db_blob(s, 2).n, 10);
	assert_memory_equal(db_blob(s, 2).p, "\0\1\2\3\4\5\6\7\10\11", 10);
	assert_true(db_is_null(s, 3) && !db_is_null(s, 0));
	assert_int_equal(db_blob_read(d, "a", "b", db_int(s, 4), 8, part, 4, &total, NULL), 2);
	assert_int_equal(total, 10);
	assert_memory_equal(part, "\10\11", 2);
	assert_int_equal(db_blob_read(d, "a", "b", db_int(s, 4), 10, part, 4, NULL, NULL), 0);
	assert_int_equal(db_step(s, NULL), 1);
	assert_int_equal(db_text(s, 0).n, 0);
	assert_int_equal(db_step(s, NULL), 0);
	db_done(s);
	db_close(d);
}

static void test_a_constraint_is_a_conflict(void **state)
{
	struct db *d = must_open(&v1);
	struct vy_err e = { 0 };

	(void)state;
	assert_int_equal(put(d, "k", 1, &e), 1);
	assert_int_equal(put(d, "k", 2, &e), -1);
	assert_int_equal(e.code, VY_CONFLICT);
	db_close(d);
}

static void test_files_are_private(void **state)
{
	struct db *d = must_open(&v1);
	static const char *const names[] = { "x.db", "x.db-wal" };
	struct stat st;

	(void)state;
	assert_int_equal(put(d, "k", 1, NULL), 1);
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		assert_int_equal(stat(tempdir_file(&dir, names[i]), &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
	}
	db_close(d);
}

static void test_upgrade_keeps_a_copy(void **state)
{
	struct db *d = must_open(&v1);
	struct db_stmt *s;
	struct vy_err e = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(put(d, "k", 1, NULL), 1);
	assert_int_equal(access(tempdir_file(&dir, "x.db.v0.bak"), F_OK), -1); /* nothing to keep */
	db_close(d);

	d = must_open(&v2);
	s = db_prep(d, "SELECT extra FROM a", NULL);
	assert_int_equal(db_step(s, NULL), 1);
	assert_true(vy_str_is(db_text(s, 0), "old"));
	db_done(s);
	db_close(d);
	assert_int_equal(stat(tempdir_file(&dir, "x.db.v1.bak"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);

	/* the older program refuses it and says what to do */
	assert_null(db_open(path, &v1, &e));
	assert_int_equal(e.code, VY_UNSUPPORTED);
	assert_non_null(strstr(e.text, "newer vyred"));

	/* and the copy is a whole database of the old format */
	snprintf(path, sizeof(path), "%s", tempdir_file(&dir, "x.db.v1.bak"));
	d = must_open(&v1);
	assert_int_equal(count(d), 1);
	db_close(d);
}

static void test_a_failed_upgrade_changes_nothing(void **state)
{
	struct db *d = must_open(&v2);
	struct vy_err e = { 0 };

	(void)state;
	assert_int_equal(put(d, "k", 1, NULL), 1);
	db_close(d);
	assert_null(db_open(path, &broken, &e));
	assert_non_null(strstr(e.text, "step 2 to 3"));
	d = must_open(&v2); /* still format 2, table c is not there */
	assert_int_equal(count(d), 1);
	assert_int_equal(db_exec(d, "SELECT * FROM c", NULL), -1);
	db_close(d);
	assert_null(db_open(path, &broken, &e)); /* the copy of the first try is no hindrance */
	assert_non_null(strstr(e.text, "step 2 to 3"));
}

static void test_rollback(void **state)
{
	struct db *d = must_open(&v1);

	(void)state;
	assert_int_equal(db_begin(d, NULL), 0);
	assert_int_equal(put(d, "k", 1, NULL), 1);
	db_rollback(d);
	db_rollback(d); /* none open: nothing happens */
	assert_int_equal(count(d), 0);
	assert_int_equal(db_begin(d, NULL), 0);
	assert_int_equal(put(d, "k", 1, NULL), 1);
	assert_int_equal(db_commit(d, NULL), 0);
	assert_int_equal(count(d), 1);
	db_close(d);
}

static void test_faults_have_names(void **state)
{
	static const struct {
		enum vy_code code;
		const char *says;
	} rows[] = { { VY_FULL, "the disk is full" }, { VY_IO, "the disk failed" } };
	struct db *d = must_open(&v1);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { 0 };

		assert_int_equal(db_begin(d, NULL), 0);
		assert_int_equal(put(d, "k", 1, NULL), 1);
		db_fault(rows[i].code, 1);
		assert_int_equal(db_commit(d, &e), -1);
		assert_int_equal(e.code, rows[i].code);
		assert_non_null(strstr(e.text, rows[i].says));
		db_fault(VY_OK, 0);
		assert_int_equal(count(d), 0); /* rolled back */
	}
	assert_int_equal(put(d, "k", 1, NULL), 1); /* and it works again */
	assert_int_equal(count(d), 1);
	db_close(d);
}

static void test_a_damaged_file_is_called_so(void **state)
{
	struct db *d = must_open(&v1);
	struct vy_err e = { 0 };
	char junk[4096];
	int fd;

	(void)state;
	for (int i = 0; i < 500; i++) {
		VY_AUTO_BUF k = VY_BUF_INIT(300);

		vy_buf_addf(&k, "%0250d", i);
		assert_int_equal(put(d, k.data, i, NULL), 1);
	}
	db_close(d);
	memset(junk, 0x5a, sizeof(junk));
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	for (int page = 2; page < 12; page++) {
		assert_int_equal(pwrite(fd, junk, 4096, page * 4096L), 4096);
	}
	close(fd);
	d = must_open(&v1);
	assert_int_equal(db_exec(d, "SELECT sum(length(b)) FROM a", &e), -1);
	assert_int_equal(e.code, VY_CORRUPT);
	assert_non_null(strstr(e.text, "damaged"));
	assert_null(strstr(e.text, "full"));
	db_close(d);
}

static void test_a_foreign_file_is_refused(void **state)
{
	struct vy_err e = { 0 };
	FILE *f = fopen(path, "w");

	(void)state;
	fputs("This is a letter to a friend, and not a database of anything at all, dear.\n", f);
	for (int i = 0; i < 100; i++) {
		fputs("And it goes on like that for a while.\n", f);
	}
	fclose(f);
	assert_null(db_open(path, &v1, &e));
	assert_int_equal(e.code, VY_CORRUPT);
}

static void test_somebody_else_holds_it(void **state)
{
	struct db *d = must_open(&v1), *other = db_open_side(path, NULL);
	struct vy_err e = { 0 };

	(void)state;
	assert_non_null(other);
	assert_int_equal(db_begin(other, NULL), 0);
	assert_int_equal(db_begin(d, &e), -1);
	assert_int_equal(e.code, VY_RETRY);
	db_rollback(other);
	assert_int_equal(db_begin(d, NULL), 0);
	db_rollback(d);
	db_close(other);
	db_close(d);
}

/* No other process gets in, and there is no shared memory for it. */
static void test_it_is_held_by_one_process(void **state)
{
	struct db *d = must_open(&v1);
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int status = -1;
	pid_t us = getpid(), pid = fork();

	(void)state;
	if (pid == 0) {
		int fd = open(path, O_RDWR);

		_exit(fcntl(fd, F_GETLK, &all) == 0 && all.l_type == F_WRLCK && all.l_pid == us);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_int_equal(put(d, "k", 1, NULL), 1);
	assert_int_equal(access(tempdir_file(&dir, "x.db-shm"), F_OK), -1);
	db_close(d);
}

static void test_checkpoint_empties_the_wal(void **state)
{
	struct db *d = must_open(&v1), *side = db_open_side(path, NULL);
	int64_t left = -1, before;

	(void)state;
	for (int i = 0; i < 50; i++) {
		char k[16];

		snprintf(k, sizeof(k), "%d", i);
		assert_int_equal(put(d, k, i, NULL), 1);
	}
	before = db_wal_bytes(d);
	assert_true(before > 50 * 4096L);
	assert_int_equal(db_checkpoint(side, &left, NULL), 0);
	assert_int_equal(left, 0);
	assert_int_equal(put(d, "next", 1, NULL), 1); /* the WAL starts again by itself */
	assert_true(db_wal_bytes(d) < before / 2);
	assert_int_equal(db_checkpoint(side, &left, NULL), 0);
	assert_int_equal(db_truncate_wal(d, NULL), 0);
	assert_int_equal(db_wal_bytes(d), 0);
	db_close(side);
	db_close(d);
}

/* Of this process so far. */
static long long writes(void)
{
	char text[1024] = "";
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	const char *at;

	assert_true(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	at = strstr(text, "syscw: ");
	assert_non_null(at);
	return strtoll(at + 7, NULL, 10);
}

/* Of the table and of its index, each page with its head. */
static void test_a_commit_is_one_write(void **state)
{
	struct db *d = must_open(&v1);

	(void)state;
	assert_int_equal(put(d, "k", 1, NULL), 1);
	for (int i = 0; i < 10; i++) {
		int64_t bytes = db_wal_bytes(d);
		char k[16];
		long long before = writes();

		snprintf(k, sizeof(k), "%d", i);
		assert_int_equal(put(d, k, i, NULL), 1);
		assert_int_equal(writes() - before, 1);
		assert_true(db_wal_bytes(d) - bytes >= 2 * 4096L);
	}
	assert_int_equal(count(d), 11);
	db_close(d);
	d = must_open(&v1);
	assert_int_equal(count(d), 11);
	db_close(d);
}

/* More than is kept, and read again before it is committed: pages that the cache has no place for. */
static void test_a_large_transaction(void **state)
{
	struct db *d = must_open(&v1);

	(void)state;
	for (int round = 0; round < 2; round++) {
		assert_int_equal(db_begin(d, NULL), 0);
		for (int i = 0; i < 2000; i++) {
			VY_AUTO_BUF k = VY_BUF_INIT(1200);

			vy_buf_addf(&k, "%01100d", i * 7919 % 2000);
			assert_int_equal(put(d, k.data, i, NULL), 1);
		}
		assert_int_equal(count(d), 2000);
		if (round == 0) {
			db_rollback(d);
			assert_int_equal(count(d), 0);
		} else {
			assert_int_equal(db_commit(d, NULL), 0);
		}
	}
	db_close(d);
	d = must_open(&v1);
	assert_int_equal(count(d), 2000);
	assert_int_equal(db_check(d, NULL), 0);
	db_close(d);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_values_come_back),
		T(test_a_constraint_is_a_conflict),
		T(test_files_are_private),
		T(test_upgrade_keeps_a_copy),
		T(test_a_failed_upgrade_changes_nothing),
		T(test_rollback),
		T(test_faults_have_names),
		T(test_a_damaged_file_is_called_so),
		T(test_a_foreign_file_is_refused),
		T(test_somebody_else_holds_it),
		T(test_it_is_held_by_one_process),
		T(test_checkpoint_empties_the_wal),
		T(test_a_commit_is_one_write),
		T(test_a_large_transaction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
