/* secret.c -- see secret.h. */
#include "server/io/secret.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/io/lock.h"
#include "server/io/seal.h"
#include "shared/base/hash.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define PATH_ROOM 4096

bool secret_is_name(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= 64 && name[0] != '.' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == n;
}

static int good_name(const char *name, struct vy_err *e)
{
	return secret_is_name(name)
		       ? 0
		       : vy_fail(e, VY_BAD_INPUT,
				 "\"%s\" is no name for a secret: up to 64 of a-z, 0-9, "
				 "\"-\", \"_\" and \".\"",
				 name);
}

static int write_whole(int fd, struct vy_str value)
{
	while (value.n) {
		ssize_t n = write(fd, value.p, value.n);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n < 0) {
			return -1;
		}
		value = vy_str_from(value, (size_t)n);
	}
	return fsync(fd);
}

/* The file as a whole: a crash leaves the old one or the new one. */
static int put(const char *dir, const char *name, struct vy_str bytes, struct vy_err *e)
{
	char path[PATH_ROOM + 128], fresh[PATH_ROOM + 160], id[16];

	vy_random_id(6, id);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	snprintf(fresh, sizeof(fresh), "%s/.%s.%s", dir, name, id);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		return vy_fail_errno(e, errno, "writing %s", fresh);
	}
	int rc = write_whole(fd, bytes);

	close(fd);
	if (rc != 0 || rename(fresh, path) != 0) {
		int why = errno;

		unlink(fresh);
		return vy_fail_errno(e, why, "writing %s", path);
	}
	return 0;
}

int secret_set(const char *state_dir, const char *name, struct vy_str value, struct vy_err *e)
{
	VY_AUTO_BUF sealed = VY_BUF_INIT(VY_SECRET_MAX + SEAL_MORE);
	char dir[PATH_ROOM];

	if (good_name(name, e) != 0) {
		return -1;
	}
	if (value.n == 0 || value.n > VY_SECRET_MAX) {
		return vy_fail(e, VY_BAD_INPUT, "a secret has 1 to %d bytes", VY_SECRET_MAX);
	}
	snprintf(dir, sizeof(dir), "%s/secrets", state_dir);
	if (lock_make_dir(dir, e) != 0 || seal_close(state_dir, name, value, &sealed, e) != 0) {
		return -1;
	}
	return put(dir, name, vy_buf_str(&sealed), e);
}

/* An old file, not sealed: its value, which is sealed for the next time. A failure of that is no
 * reason to withhold it. */
static bool take_plain(
	const char *state_dir, const char *name, struct vy_str value, struct vy_buf *out)
{
	struct vy_err e = { 0 };

	if (value.n > 0 && secret_set(state_dir, name, value, &e) != 0) {
		vy_log(VY_LOG_WARN, "secret.seal", "name=%s why=%s", name, vy_log_q(e.text));
	}
	return vy_buf_addstr(out, value);
}

int secret_get(const char *state_dir, const char *name, struct vy_buf *out, struct vy_err *e)
{
	char path[PATH_ROOM], text[VY_SECRET_MAX + SEAL_MORE];

	if (good_name(name, e) != 0) {
		return -1;
	}
	snprintf(path, sizeof(path), "%s/secrets/%s", state_dir, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0) {
		return errno == ENOENT ? vy_fail(e, VY_NOT_FOUND,
						 "the secret %s is not set: `vyred secret set %s` "
						 "reads it from the terminal",
						 name, name)
				       : vy_fail_errno(e, errno, "reading %s", path);
	}
	ssize_t n = read(fd, text, sizeof(text));
	int why = errno;

	close(fd);
	if (n < 0) {
		return vy_fail_errno(e, why, "reading %s", path);
	}
	struct vy_str bytes = vy_str_n(text, (size_t)n);

	if (seal_is_sealed(bytes)) {
		return seal_open(state_dir, name, bytes, out, e);
	}
	bool fits = take_plain(state_dir, name, bytes, out);

	vy_wipe(text, sizeof(text));
	return fits ? 0 : vy_fail(e, VY_FULL, "the secret %s is too long", name);
}

bool secret_is_there(const char *state_dir, const char *name)
{
	char path[PATH_ROOM];
	struct stat st;

	snprintf(path, sizeof(path), "%s/secrets/%s", state_dir, name);
	return secret_is_name(name) && lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int secret_remove(const char *state_dir, const char *name, struct vy_err *e)
{
	char path[PATH_ROOM];

	if (good_name(name, e) != 0) {
		return -1;
	}
	snprintf(path, sizeof(path), "%s/secrets/%s", state_dir, name);
	if (unlink(path) != 0) {
		return errno == ENOENT ? vy_fail(e, VY_NOT_FOUND, "the secret %s is not set", name)
				       : vy_fail_errno(e, errno, "removing %s", path);
	}
	return 0;
}

int secret_each(
	const char *state_dir, void (*fn)(void *ctx, const char *name), void *ctx, struct vy_err *e)
{
	char dir[PATH_ROOM];
	struct dirent *d;

	snprintf(dir, sizeof(dir), "%s/secrets", state_dir);
	DIR *h = opendir(dir);

	if (!h) {
		return errno == ENOENT ? 0 : vy_fail_errno(e, errno, "reading %s", dir);
	}
	while ((d = readdir(h))) {
		if (secret_is_name(d->d_name)) {
			fn(ctx, d->d_name);
		}
	}
	closedir(h);
	return 0;
}
