/* sockpath_test.c -- both sides of a socket find the same place, however long its path. */
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/sockpath.h"
#include "tests/check.h"

static void long_path(char out[300], char last)
{
	memset(out, 'd', 299);
	memcpy(out, "/nowhere/", 9);
	out[298] = last;
	out[299] = '\0';
}

static void test_short(void **state)
{
	char want[VY_SOCK_PATH_MAX + 1], out[VY_SOCK_PATH_MAX + 1];

	(void)state;
	assert_int_equal(vy_sock_path("/run/x.sock", out, NULL), 0);
	check_str("a short one is itself", out, "/run/x.sock");
	memset(want, 'a', VY_SOCK_PATH_MAX);
	want[VY_SOCK_PATH_MAX] = '\0';
	assert_int_equal(vy_sock_path(want, out, NULL), 0);
	check_str("the longest too", out, want);
}

static void test_long(void **state)
{
	char a[300], b[300], at_a[VY_SOCK_PATH_MAX + 1], again[VY_SOCK_PATH_MAX + 1],
		at_b[VY_SOCK_PATH_MAX + 1], dir[64];
	struct stat st;

	(void)state;
	long_path(a, 'a');
	long_path(b, 'b');
	assert_int_equal(vy_sock_path(a, at_a, NULL), 0);
	assert_int_equal(vy_sock_path(a, again, NULL), 0);
	assert_int_equal(vy_sock_path(b, at_b, NULL), 0);
	check_str("the same path, the same place", again, at_a);
	check_true("another path, another place", strcmp(at_a, at_b) != 0);
	snprintf(dir, sizeof(dir), "/tmp/vyre-%lu", (unsigned long)geteuid());
	check_true("in our folder", strncmp(at_a, dir, strlen(dir)) == 0);
	assert_int_equal(stat(dir, &st), 0);
	check_int("which is private", st.st_mode & 07777, 0700);
}

static void test_meet(void **state)
{
	struct sockaddr_un one, two;
	char path[300];
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), caller = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	long_path(path, 'm');
	assert_int_equal(vy_sock_addr(path, &one, NULL), 0);
	assert_int_equal(vy_sock_addr(path, &two, NULL), 0);
	unlink(one.sun_path);
	assert_int_equal(bind(listener, (struct sockaddr *)&one, sizeof(one)), 0);
	assert_int_equal(listen(listener, 1), 0);
	check_int("they meet", connect(caller, (struct sockaddr *)&two, sizeof(two)), 0);
	unlink(one.sun_path);
	close(caller);
	close(listener);
}

/* A long path in a folder that is there: who lists it finds the socket, and its end takes both. */
static void test_sign(void **state)
{
	char top[] = "/tmp/vyre-sock-XXXXXX", want[300], at[VY_SOCK_PATH_MAX + 1], points[200] = "";
	struct vy_err e = { 0 };

	(void)state;
	assert_non_null(mkdtemp(top));
	snprintf(want, sizeof(want), "%s/%0200d", top, 7);
	assert_int_equal(vy_sock_path(want, at, NULL), 0);
	for (int i = 0; i < 2; i++) { /* a former one's is replaced */
		check_int("signed", vy_sock_sign(want, &e), 0);
		assert_true(readlink(want, points, sizeof(points) - 1) > 0);
		check_str("points there", points, at);
	}
	vy_sock_remove(want);
	check_int("gone", (int)readlink(want, points, sizeof(points)), -1);
	snprintf(want, sizeof(want), "%s/none/%0200d", top, 7);
	check_int("no such folder", vy_sock_sign(want, &e), -1);
	snprintf(want, sizeof(want), "%s/short", top);
	check_int("a short one needs none", vy_sock_sign(want, &e), 0);
	check_int("so there is none", access(want, F_OK), -1);
	rmdir(top);
}

CHECK_MAIN(
	CHECK_TEST(test_short), CHECK_TEST(test_long), CHECK_TEST(test_meet), CHECK_TEST(test_sign))
