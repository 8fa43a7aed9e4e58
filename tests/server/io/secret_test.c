/* secret_test.c -- keys on the disk: sealed, replaced as a whole, and what is said when one does not open. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/io/seal.h"
#include "server/io/secret.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"

#define VALUE "a-planted-value-0123456789"

static struct tempdir dir;

static int begin(void **state)
{
	(void)state;
	dir = tempdir_make();
	return 0;
}

static int finish(void **state)
{
	(void)state;
	tempdir_remove(dir.path);
	return 0;
}

static void read_all(const char *name, struct vy_buf *out)
{
	char room[VY_SECRET_MAX * 2];
	int fd = open(tempdir_file(&dir, name), O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, room, sizeof(room));

	assert_true(n >= 0);
	close(fd);
	vy_buf_clear(out);
	vy_buf_add(out, room, (size_t)n);
}

static void write_all(const char *name, struct vy_str bytes, mode_t mode)
{
	int fd = open(tempdir_file(&dir, name), O_WRONLY | O_CREAT | O_TRUNC, mode);

	assert_true(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void set(const char *name, struct vy_str value)
{
	struct vy_err e = { 0 };

	if (secret_set(dir.path, name, value, &e) != 0) {
		fail_msg("%s", e.text);
	}
}

static void check_get(const char *name, struct vy_str want)
{
	VY_AUTO_BUF got = VY_BUF_INIT(VY_SECRET_MAX);
	struct vy_err e = { 0 };

	if (secret_get(dir.path, name, &got, &e) != 0) {
		fail_msg("%s", e.text);
	}
	check_vstr(name, vy_buf_str(&got), want);
}

static void check_refused(const char *name, const char *says)
{
	VY_AUTO_BUF got = VY_BUF_INIT(VY_SECRET_MAX);
	struct vy_err e = { 0 };

	assert_int_equal(secret_get(dir.path, name, &got, &e), -1);
	check_int("nothing was given", (long long)got.len, 0);
	if (!strstr(e.text, says) || strstr(e.text, VALUE)) {
		fail_msg("expected \"%s\", got \"%s\"", says, e.text);
	}
}

static void test_sealed(void **state)
{
	VY_AUTO_BUF file = VY_BUF_INIT(VY_SECRET_MAX * 2);
	VY_AUTO_BUF again = VY_BUF_INIT(VY_SECRET_MAX * 2);
	struct stat st;

	(void)state;
	set("claude", VY_STR_LIT(VALUE));
	read_all("secrets/claude", &file);
	assert_true(seal_is_sealed(vy_buf_str(&file)));
	assert_null(memmem(file.data, file.len, "planted", 7));
	assert_true(file.len <= strlen(VALUE) + SEAL_MORE);
	assert_int_equal(stat(tempdir_file(&dir, "secrets/claude"), &st), 0);
	check_int("mode", st.st_mode & 0777, 0600);
	assert_int_equal(stat(tempdir_file(&dir, "seal.key"), &st), 0);
	check_int("mode of the key", st.st_mode & 0777, 0600);
	check_get("claude", VY_STR_LIT(VALUE));
	set("claude", VY_STR_LIT(VALUE)); /* another nonce */
	read_all("secrets/claude", &again);
	assert_false(vy_str_eq(vy_buf_str(&file), vy_buf_str(&again)));
	set("claude", VY_STR_LIT("b\0c"));
	check_get("claude", VY_STR_LIT("b\0c"));
}

static void test_sizes(void **state)
{
	char most[VY_SECRET_MAX + 1];
	struct vy_err e = { 0 };

	(void)state;
	memset(most, 'x', sizeof(most));
	set("k", vy_str_n(most, VY_SECRET_MAX));
	check_get("k", vy_str_n(most, VY_SECRET_MAX));
	assert_int_equal(secret_set(dir.path, "k", vy_str_n(most, sizeof(most)), &e), -1);
	assert_int_equal(secret_set(dir.path, "k", vy_str_n(most, 0), &e), -1);
	assert_int_equal(secret_set(dir.path, "../k", VY_STR_LIT("x"), &e), -1);
	check_get("k", vy_str_n(most, VY_SECRET_MAX));
}

/* What an earlier version wrote is read, and sealed by that. */
static void test_plain(void **state)
{
	VY_AUTO_BUF file = VY_BUF_INIT(VY_SECRET_MAX * 2);

	(void)state;
	assert_int_equal(mkdir(tempdir_file(&dir, "secrets"), 0700), 0);
	write_all("secrets/old", VY_STR_LIT(VALUE), 0600);
	check_get("old", VY_STR_LIT(VALUE));
	read_all("secrets/old", &file);
	assert_true(seal_is_sealed(vy_buf_str(&file)));
	assert_null(memmem(file.data, file.len, "planted", 7));
	check_get("old", VY_STR_LIT(VALUE));
}

static void test_broken(void **state)
{
	VY_AUTO_BUF file = VY_BUF_INIT(VY_SECRET_MAX * 2);
	VY_AUTO_BUF key = VY_BUF_INIT(VY_SECRET_MAX * 2);

	(void)state;
	check_refused("none", "is not set");
	set("a", VY_STR_LIT(VALUE));
	read_all("secrets/a", &file);
	read_all("seal.key", &key);
	for (size_t i = 14; i < file.len; i++) { /* any bit of it */
		file.data[i] ^= (char)(1 << (i % 8));
		write_all("secrets/a", vy_buf_str(&file), 0600);
		check_refused("a", "does not open");
		file.data[i] ^= (char)(1 << (i % 8));
	}
	for (size_t n = 14; n < file.len; n++) { /* cut anywhere */
		write_all("secrets/a", vy_str_n(file.data, n), 0600);
		check_refused("a", "does not open");
	}
	write_all("secrets/b", vy_buf_str(&file), 0600); /* another one's place */
	check_refused("b", "does not open");
	write_all("secrets/a", vy_buf_str(&file), 0600);
	check_get("a", VY_STR_LIT(VALUE));

	unlink(tempdir_file(&dir, "seal.key"));
	check_refused("a", "is gone");
	write_all("seal.key", vy_str_n(key.data, 31), 0600);
	check_refused("a", "is damaged");
	write_all("seal.key", vy_buf_str(&key), 0640);
	check_refused("a", "can be read by others");
	key.data[0] ^= 1;
	write_all("seal.key", vy_buf_str(&key), 0600);
	check_refused("a", "does not open");
	set("a", VY_STR_LIT("anew")); /* what the sentence says */
	check_get("a", VY_STR_LIT("anew"));
}

/* The first secrets, set by several at once: one key seals them all. */
static void test_at_once(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (fork() == 0) {
			struct vy_err e;

			_exit(secret_set(dir.path, names[i], vy_str_c(names[i]), &e) == 0 ? 0 : 1);
		}
	}
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		int status = 1;

		assert_true(wait(&status) > 0);
		check_int("set", status, 0);
	}
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		check_get(names[i], vy_str_c(names[i]));
	}
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, begin, finish)

CHECK_MAIN(T(test_sealed), T(test_sizes), T(test_plain), T(test_broken), T(test_at_once))
