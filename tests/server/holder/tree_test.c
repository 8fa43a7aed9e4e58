/* tree_test.c -- what /proc says is read right, and a tree is found whole. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/holder/tree.h"
#include "tests/check.h"

#define REST "0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 777 18446744073709551615 1"

static void test_parse(void **state)
{
	static const struct {
		const char *name, *text, *comm;
		int got, ppid;
	} rows[] = {
		{ "plain", "12 (sh) S 1 12 12 " REST, "sh", 0, 1 },
		{ "a name with blanks", "12 (a b) S 2 12 12 " REST, "a b", 0, 2 },
		{ "a name that looks like the rest", "12 (x) S 9 9 9 (y) R 3 12 12 " REST,
			"x) S 9 9 9 (y", 0, 3 },
		{ "a name of brackets", "12 ())() R 4 12 12 " REST, "))(", 0, 4 },
		{ "nothing", "", "", -1, 0 },
		{ "no name", "12 S 1 2 3", "", -1, 0 },
		{ "cut off", "12 (sh) S 1 12", "", -1, 0 },
		{ "a word for a number", "12 (sh) S x 12 12 " REST, "", -1, 0 },
		{ "brackets the wrong way", "12 )sh( S 1 12 12 " REST, "", -1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct procfs_stat st;

		check_int(
			rows[i].name, procfs_parse_stat(vy_str_c(rows[i].text), &st), rows[i].got);
		if (rows[i].got == 0) {
			check_str(rows[i].name, st.comm, rows[i].comm);
			check_int(rows[i].name, st.ppid, rows[i].ppid);
			check_int(rows[i].name, (long long)st.born, 777);
		}
	}
}

static void test_self(void **state)
{
	struct procfs_stat st, *all;
	long n = procfs_all(&all), found = 0;

	(void)state;
	assert_int_equal(procfs_stat(getpid(), &st), 0);
	check_int("parent", st.ppid, getppid());
	check_int("group", st.pgid, getpgrp());
	check_int("session", st.sid, getsid(0));
	for (long i = 0; i < n; i++) {
		found += all[i].pid == getpid() && all[i].born == st.born;
	}
	check_int("it is among all", found, 1);
	check_int("it descends from its parent", procfs_descends(getpid(), getppid()), 1);
	check_int("and not from its child", procfs_descends(getppid(), getpid()), 0);
	check_int("nobody knows about a process that is not there", procfs_descends(0x7ffffff0, 3),
		-1);
	free(all);
}

static void test_find(void **state)
{
	static const struct procfs_stat all[] = {
		{ .pid = 5, .ppid = 2, .state = 'S' }, /* its parent stands behind it */
		{ .pid = 1, .ppid = 0, .state = 'S' },
		{ .pid = 2, .ppid = 100, .state = 'S' },
		{ .pid = 3, .ppid = 1, .state = 'S' },
		{ .pid = 4, .ppid = 3, .state = 'S' },
		{ .pid = 6, .ppid = 100, .state = 'Z' }, /* over, but its child is not */
		{ .pid = 7, .ppid = 6, .state = 'R' },
		{ .pid = 100, .ppid = 1, .state = 'S' },
	};
	static const char want[] = "yny"
				   "nn"
				   "ny"
				   "n";
	bool is_below[VY_COUNT(all)];

	(void)state;
	check_int("how many", (long long)tree_find(all, VY_COUNT(all), 100, is_below), 3);
	for (size_t i = 0; i < VY_COUNT(all); i++) {
		check_int("which", is_below[i] ? 'y' : 'n', want[i]);
	}
	check_int("of nobody", (long long)tree_find(all, VY_COUNT(all), 4, is_below), 0);
}

/* A grandchild that left by a double fork and a session of its own. */
static void test_signal(void **state)
{
	int status, reaped = 0, fds[2];
	char c;

	(void)state;
	assert_int_equal(tree_own(NULL), 0);
	assert_int_equal(pipe(fds), 0);
	if (fork() == 0) {
		if (fork() == 0) {
			setsid();
			if (fork() == 0) {
				if (write(fds[1], "x", 1) != 1) {
					_exit(1);
				}
				pause();
			}
			_exit(0);
		}
		pause();
	}
	assert_int_equal(read(fds[0], &c, 1), 1);
	close(fds[0]);
	close(fds[1]);
	while (true) {
		pid_t pid = tree_reap(&status);

		if (pid < 0) {
			break;
		}
		reaped += pid > 0;
		assert_true(tree_signal(SIGKILL) >= 0);
		usleep(1000);
	}
	check_int("child, its child and the one that left", reaped, 3);
	check_int("nobody is left", tree_signal(0), 0);
}

CHECK_MAIN(CHECK_TEST(test_parse), CHECK_TEST(test_self), CHECK_TEST(test_find),
	CHECK_TEST(test_signal))
