/* past.c -- see past.h. */
#include "tui/net/past.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/json.h"
#include "shared/base/jw.h"
#include "tui/net/folder.h"
#include "tui/net/keep.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define LINE_MAX_BYTES (6 * PAST_ONE_MAX + 256) /* JSON may escape every byte */
#define FILE_MAX_BYTES (PAST_BYTES + 2 * LINE_MAX_BYTES)
#define LOCK_TRIES     50
#define LOCK_WAIT_NS   2000000

void past_name(const char *project, char out[PAST_NAME_LEN + 1])
{
	uint8_t sum[VY_SHA256_LEN];

	vy_sha256(project, strlen(project), sum);
	vy_hex(sum, PAST_NAME_LEN / 2, out);
}

static void name_of(const char *project, char out[NAME_MAX + 1])
{
	char name[PAST_NAME_LEN + 1];

	past_name(project, name);
	snprintf(out, NAME_MAX + 1, "%s.jsonl", name);
}

/* ---- reading ---- */

/* The next line of *rest, without its end; lines are cut off from it. */
static struct vy_str next_line(struct vy_str *rest)
{
	const char *nl = memchr(rest->p, '\n', rest->n);
	size_t n = nl ? (size_t)(nl - rest->p) : rest->n;
	struct vy_str line = vy_str_n(rest->p, n);

	*rest = vy_str_from(*rest, n + 1);
	return line;
}

void past_read(const char *dir, const char *project, past_fn *fn, void *ctx)
{
	VY_AUTO_BUF all = VY_BUF_INIT(FILE_MAX_BYTES);
	char name[NAME_MAX + 1];

	name_of(project, name);
	if (!keep_read(dir, name, &all)) {
		return;
	}
	for (struct vy_str rest = vy_buf_str(&all); rest.n;) {
		VY_AUTO_JSON *doc = vy_json_parse(next_line(&rest), NULL);
		struct vy_str text = vy_json_str(doc, "text");

		if (text.n) {
			fn(ctx, text);
		}
	}
}

void past_forget(const char *dir, const char *project)
{
	char name[NAME_MAX + 1];

	name_of(project, name);
	keep_remove(dir, name);
}

/* ---- adding ---- */

/* Two clients write at once for a moment only; one that was stopped in the middle of it must not
 * stop the others. */
static void lock(int fd)
{
	const struct timespec moment = { .tv_nsec = LOCK_WAIT_NS };

	for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
		nanosleep(&moment, NULL);
	}
}

/* Locked, and still the file of that name. */
static int open_locked(const char *path)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		struct stat ours, named;
		int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

		if (fd < 0) {
			return -1;
		}
		lock(fd);
		if (fstat(fd, &ours) == 0 && lstat(path, &named) == 0 &&
			ours.st_ino == named.st_ino && ours.st_dev == named.st_dev) {
			return fd;
		}
		close(fd); /* somebody wrote it anew */
	}
	errno = EAGAIN;
	return -1;
}

static void put_line(struct vy_buf *out, struct vy_str text, int64_t wall_ms)
{
	struct vy_jw w = VY_JW(out);

	vy_jw_obj(&w);
	vy_jw_kint(&w, "time", wall_ms);
	vy_jw_kstr(&w, "text", text);
	vy_jw_end_obj(&w);
	vy_buf_addc(out, '\n');
}

/* A line that a crash cut off must not swallow the next. */
static bool is_torn(int fd, off_t size)
{
	char last = '\n';

	return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* Keeps the newer half, from a line's start. */
static void cut(const char *dir, const char *name)
{
	VY_AUTO_BUF all = VY_BUF_INIT(FILE_MAX_BYTES);
	struct vy_err e = { 0 };

	if (!keep_read(dir, name, &all)) {
		keep_remove(dir, name); /* no such file is of ours */
		return;
	}
	struct vy_str rest = vy_buf_str(&all);

	while (rest.n > PAST_BYTES / 2) {
		next_line(&rest);
	}
	if (keep_write(dir, name, rest, &e) != 0) {
		return; /* a full disk: it stays long, the next one tries again */
	}
}

static int add_to(int fd, struct vy_str lines, off_t size)
{
	ssize_t n = write(fd, lines.p, lines.n);

	if (n == (ssize_t)lines.n) {
		return 0;
	}
	int why = n < 0 ? errno : ENOSPC;

	if (n > 0 && ftruncate(fd, size) != 0) {
		why = errno;
	}
	errno = why;
	return -1;
}

int past_add(const char *dir, const char *project, const struct vy_str *texts, size_t n,
	int64_t wall_ms, struct vy_err *e)
{
	VY_AUTO_BUF lines = VY_BUF_INIT(FILE_MAX_BYTES), path = VY_BUF_INIT(PATH_MAX);
	char name[NAME_MAX + 1];
	struct stat st = { 0 };

	name_of(project, name);
	vy_buf_addf(&path, "%s/%s", dir, name);
	int fd = open_locked(path.data);

	if (fd < 0 && errno == ENOENT) {
		if (folder_make(dir, e) != 0) {
			return -1;
		}
		fd = open_locked(path.data);
	}
	if (fd < 0 || fstat(fd, &st) != 0) {
		int why = errno;

		if (fd >= 0) {
			close(fd);
		}
		return vy_fail_errno(e, why, _("opening %s"), path.data);
	}
	if (is_torn(fd, st.st_size)) {
		vy_buf_addc(&lines, '\n');
	}
	for (size_t i = 0; i < n; i++) {
		if (texts[i].n <= PAST_ONE_MAX) {
			put_line(&lines, texts[i], wall_ms);
		}
	}
	int rc = lines.len ? add_to(fd, vy_buf_str(&lines), st.st_size) : 0;

	if (rc != 0) {
		vy_fail_errno(e, errno, _("writing %s"), path.data);
	} else if (st.st_size + (off_t)lines.len > PAST_BYTES) {
		cut(dir, name);
	}
	close(fd);
	return rc;
}
