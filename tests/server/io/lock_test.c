/* lock_test.c -- one vyred per folder, tried with real second processes. */
#include "server/io/lock.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "shared/base/str.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

/* A child that takes the lock, says so with one byte and waits to be killed. */
static pid_t holder_start(const char *path)
{
	int p[2];
	char c = 'n';
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		c = lock_take(path, NULL, NULL) >= 0 ? 'y' : 'n';
		(void)!write(p[1], &c, 1);
		for (;;) {
			pause();
		}
	}
	close(p[1]);
	assert_int_equal(read(p[0], &c, 1), 1);
	assert_int_equal(c, 'y');
	close(p[0]);
	return pid;
}

static void holder_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_second_says_who(void **state)
{
	struct tempdir d = tempdir_make();
	pid_t pid = holder_start(d.path), said = 0;
	struct vy_err e = { 0 };
	char want[64];

	(void)state;
	assert_int_equal(lock_take(d.path, &said, &e), -1);
	assert_int_equal(e.code, VY_CONFLICT);
	assert_int_equal(said, pid);
	snprintf(want, sizeof(want), "(pid %d)", (int)pid);
	assert_non_null(strstr(e.text, want));
	holder_kill(pid);
	tempdir_remove(d.path);
}

static void test_a_killed_one_leaves_nothing(void **state)
{
	struct tempdir d = tempdir_make();
	pid_t pid = holder_start(d.path);
	struct vy_err e = { 0 };
	int fd;

	(void)state;
	holder_kill(pid);
	fd = lock_take(d.path, NULL, &e);
	assert_true(fd >= 0);
	lock_drop(fd);
	fd = lock_take(d.path, NULL, &e); /* dropped means free */
	assert_true(fd >= 0);
	lock_drop(fd);
	tempdir_remove(d.path);
}

static void test_does_not_leak_into_children(void **state)
{
	struct tempdir d = tempdir_make();
	int fd = lock_take(d.path, NULL, NULL), again;
	pid_t pid;

	(void)state;
	assert_true(fd >= 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		execlp("sleep", "sleep", "30", (char *)NULL);
		_exit(127);
	}
	/* wait until it is another program */
	for (int i = 0; i < 500; i++) {
		char link[64], exe[256] = "";

		snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
		if (readlink(link, exe, sizeof(exe) - 1) > 0 && !strstr(exe, "lock_test")) {
			break;
		}
		usleep(10 * 1000);
	}
	lock_drop(fd);
	again = lock_take(d.path, NULL, NULL);
	assert_true(again >= 0);
	lock_drop(again);
	holder_kill(pid);
	tempdir_remove(d.path);
}

static void test_the_folder_is_private(void **state)
{
	struct tempdir d = tempdir_make();
	const char *deep = tempdir_file(&d, "a/b/state");
	struct stat st;
	int fd;

	(void)state;
	fd = lock_take(deep, NULL, NULL);
	assert_true(fd >= 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	lock_drop(fd);
	assert_int_equal(chmod(deep, 0755), 0);
	fd = lock_take(deep, NULL, NULL);
	assert_true(fd >= 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	lock_drop(fd);
	tempdir_remove(d.path);
}

static void test_bad_folders(void **state)
{
	struct tempdir d = tempdir_make();
	const char *file = tempdir_file(&d, "file");
	struct vy_err e = { 0 };
	FILE *f = fopen(file, "w");

	(void)state;
	fclose(f);
	assert_int_equal(lock_take(file, NULL, &e), -1);
	assert_non_null(strstr(e.text, "not a folder"));
	assert_int_equal(lock_take(tempdir_file(&d, "file/below"), NULL, &e), -1);
	assert_int_equal(lock_take("", NULL, &e), -1);
	assert_int_equal(e.code, VY_BAD_INPUT);
	/* a link in the lock's place is not followed */
	assert_int_equal(symlink("elsewhere", tempdir_file(&d, "lock")), 0);
	assert_int_equal(lock_take(d.path, NULL, &e), -1);
	assert_int_equal(access(tempdir_file(&d, "elsewhere"), F_OK), -1);
	tempdir_remove(d.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_second_says_who),
		cmocka_unit_test(test_a_killed_one_leaves_nothing),
		cmocka_unit_test(test_does_not_leak_into_children),
		cmocka_unit_test(test_the_folder_is_private),
		cmocka_unit_test(test_bad_folders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
