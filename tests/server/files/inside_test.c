/* inside_test.c -- nothing outside a folder is opened, by no way a name or a link can go. */
#include "server/files/inside.h"

#include <errno.h>
#include <fcntl.h>

#include "shared/base/buf.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static struct tempdir d;

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int setup(void **state)
{
	char here[TEMPDIR_MAX];

	(void)state;
	assert_non_null(getcwd(here, sizeof(here)));
	d = tempdir_make();
	assert_int_equal(chdir(d.path), 0);
	assert_int_equal(mkdir("in", 0700) | mkdir("in/sub", 0700) | mkdir("in2", 0700), 0);
	put("secret", "no");
	put("in2/secret", "no");
	put("in/file", "yes");
	put("in/sub/file", "yes");
	assert_int_equal(symlink("../secret", "in/out"), 0);
	assert_int_equal(symlink("/etc/passwd", "in/far"), 0);
	assert_int_equal(symlink("sub/file", "in/near"), 0);
	assert_int_equal(symlink("..", "in/up"), 0);
	assert_int_equal(symlink("loop", "in/loop"), 0);
	assert_int_equal(mkfifo("in/pipe", 0600), 0);
	return chdir(here);
}

static int teardown(void **state)
{
	(void)state;
	tempdir_remove(d.path);
	return 0;
}

static const struct {
	const char *name, *path;
	enum vy_code code; /* VY_OK: opened */
} rows[] = {
	{ "a file", "file", VY_OK },
	{ "a deeper one", "sub/file", VY_OK },
	{ "up and down inside", "sub/../file", VY_OK },
	{ "a link that stays", "near", VY_OK },
	{ "a link out", "out", VY_DENIED },
	{ "a link to an absolute place", "far", VY_DENIED },
	{ "a link to the folder above", "up/secret", VY_DENIED },
	{ "up", "../secret", VY_DENIED },
	{ "a neighbour of a like name", "../in2/secret", VY_DENIED },
	{ "an absolute one", "/etc/passwd", VY_DENIED },
	{ "a link to itself", "loop", VY_DENIED },
	{ "not there", "none", VY_NOT_FOUND },
	{ "below a file", "file/x", VY_NOT_FOUND },
	{ "a pipe does not block", "pipe", VY_OK },
	{ "the folder", ".", VY_OK },
};

static void what_leads_out_is_denied(void **state)
{
	VY_AUTO_BUF folder = VY_BUF_INIT(1024);
	struct vy_err e = { 0 };
	int root;

	(void)state;
	vy_buf_addf(&folder, "%s/in", d.path);
	root = inside_root(vy_buf_c(&folder), &e);
	assert_true(root >= 0);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		e = (struct vy_err){ 0 };
		int fd = inside_open(root, rows[i].path, O_RDONLY, 0, &e);

		if ((fd >= 0) != (rows[i].code == VY_OK) || (fd < 0 && e.code != rows[i].code)) {
			fail_msg("%s: fd %d, code %d, %s", rows[i].name, fd, e.code, e.text);
		}
		if (fd >= 0) {
			close(fd);
		}
	}
	close(root);
}

static const struct {
	const char *name, *folder, *path, *out; /* out NULL: refused */
} names[] = {
	{ "relative", "/w", "a/b", "a/b" },
	{ "absolute", "/w", "/w/a/b", "a/b" },
	{ "the folder", "/w", "/w", "." },
	{ "with slashes", "/w", "/w///a", "a" },
	{ "of a like name", "/w", "/wx/a", NULL },
	{ "elsewhere", "/w", "/etc/passwd", NULL },
	{ "in the root", "/", "/etc/hosts", "etc/hosts" },
	{ "nothing", "/w", "", NULL },
};

static void a_persons_path_is_one_of_the_folder(void **state)
{
	char out[4096];

	(void)state;
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		struct vy_err e = { 0 };
		int rc = inside_path(vy_str_c(names[i].path), names[i].folder, out, &e);

		check_str(names[i].name, rc == 0 ? out : "refused",
			names[i].out ? names[i].out : "refused");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_leads_out_is_denied, setup, teardown),
		cmocka_unit_test(a_persons_path_is_one_of_the_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
