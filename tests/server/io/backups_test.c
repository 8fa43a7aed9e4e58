/* backups_test.c -- the newest copy that is there is the one that is named, in every case of a table. */
#include "server/io/backups.h"

#include <fcntl.h>

#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* Files are made in the folder: "+name" one with bytes in it, "-name" none; each is noted in order. */
static void the_newest_that_is_there(void **state)
{
	static const struct {
		const char *name;
		const char *files[4];
		const char *list;   /* as it stands, in place of notes; NULL: what the notes made */
		const char *newest; /* NULL: none */
	} rows[] = {
		{ "none was made", { 0 }, NULL, NULL },
		{ "one", { "+a" }, NULL, "a" },
		{ "the later one", { "+a", "+b" }, NULL, "b" },
		{ "the later one is gone", { "+a", "-b" }, NULL, "a" },
		{ "all are gone", { "-a", "-b" }, NULL, NULL },
		{ "made again under its name", { "+a", "+b", "+a" }, NULL, "a" },
		{ "lines that are none", { 0 }, "what\n12\n9 relative\nx /y\n", NULL },
		{ "a file that ends in the middle", { 0 }, "5 /no/such/file\n7", NULL },
		{ "one made before an upgrade is found by itself", { "+vyre.db.v1.bak" }, "",
			"vyre.db.v1.bak" },
		{ "another program's is not", { "+other.db.v1.bak" }, "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct tempdir d = tempdir_make();
		VY_AUTO_BUF path = VY_BUF_INIT(4096);

		for (size_t k = 0; k < VY_COUNT(rows[i].files) && rows[i].files[k]; k++) {
			const char *file = tempdir_file(&d, rows[i].files[k] + 1);

			if (rows[i].files[k][0] == '+') {
				write_file(file, "copy");
			}
			check_true(
				rows[i].name, backups_note(d.path, file, 1000 * (int64_t)(k + 1)));
		}
		if (rows[i].list) {
			write_file(tempdir_file(&d, "backups"), rows[i].list);
		}
		bool has = backups_newest(d.path, &path, NULL);

		check_true(rows[i].name, has == (rows[i].newest != NULL));
		if (has) {
			check_str(rows[i].name, strrchr(vy_buf_c(&path), '/') + 1, rows[i].newest);
		}
		tempdir_remove(d.path);
	}
}

static void only_the_newest_are_kept(void **state)
{
	struct tempdir d = tempdir_make();
	VY_AUTO_BUF path = VY_BUF_INIT(4096);
	int64_t ms = 0;

	(void)state;
	for (int i = 1; i <= 3 * BACKUPS_KEPT; i++) {
		char name[32];

		snprintf(name, sizeof(name), "b%d", i);
		write_file(tempdir_file(&d, name), "copy");
		assert_true(backups_note(d.path, tempdir_file(&d, name), i));
	}
	assert_true(backups_newest(d.path, &path, &ms));
	assert_int_equal(ms, 3 * BACKUPS_KEPT);
	for (int i = 2 * BACKUPS_KEPT + 2; i <= 3 * BACKUPS_KEPT; i++) {
		char name[32];

		snprintf(name, sizeof(name), "b%d", i);
		unlink(tempdir_file(&d, name));
	}
	vy_buf_clear(&path);
	assert_true(backups_newest(d.path, &path, &ms)); /* the oldest that is kept */
	assert_int_equal(ms, 2 * BACKUPS_KEPT + 1);
	unlink(vy_buf_c(&path));
	assert_false(backups_newest(d.path, &path, &ms));
	tempdir_remove(d.path);
}

static void it_is_said(void **state)
{
	struct tempdir d = tempdir_make();
	VY_AUTO_BUF said = VY_BUF_INIT(8192);
	const char *file = tempdir_file(&d, "copy");

	(void)state;
	backups_say(d.path, &said);
	assert_string_equal(vy_buf_c(&said), "No backup of it is known");
	vy_buf_clear(&said);
	write_file(file, "copy");
	assert_true(backups_note(d.path, file, 1796036668593));
	backups_say(d.path, &said);
	assert_non_null(strstr(vy_buf_c(&said), "vyred stop, then vyred restore "));
	assert_non_null(strstr(vy_buf_c(&said), file));
	tempdir_remove(d.path);
}

CHECK_MAIN(CHECK_TEST(the_newest_that_is_there), CHECK_TEST(only_the_newest_are_kept),
	CHECK_TEST(it_is_said))
