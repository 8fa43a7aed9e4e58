/* backups.c -- see backups.h. A line is "<wall ms> <path>"; the newest stands last. */
#include "server/io/backups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

#define LIST_MAX (BACKUPS_KEPT * (PATH_MAX + 32))

static bool name_of(const char *state_dir, const char *tail, struct vy_buf *out)
{
	return vy_buf_addf(out, "%s/backups%s", state_dir, tail);
}

static void read_list(const char *state_dir, struct vy_buf *out)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
	int fd = name_of(state_dir, "", &path)
			 ? open(vy_buf_c(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
			 : -1;
	ssize_t n = 0;

	while (fd >= 0 && vy_buf_reserve(out, 4096) &&
		((n = read(fd, out->data + out->len, 4096)) > 0 || (n < 0 && errno == EINTR))) {
		out->len += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
}

/* The next line of `rest`, cut in two; false at the end. What is no such line is passed over. */
static bool take(struct vy_str *rest, long long *ms, struct vy_str *path)
{
	while (rest->n) {
		const char *nl = memchr(rest->p, '\n', rest->n);
		size_t n = nl ? (size_t)(nl - rest->p) : rest->n;
		struct vy_str line = vy_str_n(rest->p, n);
		const char *gap = memchr(line.p, ' ', line.n);

		*rest = vy_str_from(*rest, nl ? n + 1 : n);
		if (gap && vy_parse_i64(vy_str_n(line.p, (size_t)(gap - line.p)), ms)) {
			*path = vy_str_from(line, (size_t)(gap - line.p) + 1);
			if (path->n > 1 && path->n < PATH_MAX && path->p[0] == '/') {
				return true;
			}
		}
	}
	return false;
}

static bool write_list(const char *state_dir, struct vy_str text)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX), next = VY_BUF_INIT(PATH_MAX);
	bool ok = false;

	if (!name_of(state_dir, "", &path) || !name_of(state_dir, ".new", &next)) {
		return false;
	}
	int fd = open(vy_buf_c(&next), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0) {
		ok = write(fd, text.p, text.n) == (ssize_t)text.n && fsync(fd) == 0;
		close(fd);
		ok = ok && rename(vy_buf_c(&next), vy_buf_c(&path)) == 0;
	}
	if (!ok) {
		unlink(vy_buf_c(&next));
	}
	return ok;
}

bool backups_note(const char *state_dir, const char *path, int64_t wall_ms)
{
	VY_AUTO_BUF old = VY_BUF_INIT(LIST_MAX), text = VY_BUF_INIT(LIST_MAX);
	struct vy_str rest, at;
	long long ms;
	int n = 1;

	if (strchr(path, '\n')) {
		return false;
	}
	read_list(state_dir, &old);
	for (rest = vy_buf_str(&old); take(&rest, &ms, &at);) {
		n++;
	}
	for (rest = vy_buf_str(&old); take(&rest, &ms, &at); n--) {
		if (n <= BACKUPS_KEPT && !vy_str_is(at, path)) {
			vy_buf_addf(&text, "%lld %.*s\n", ms, VY_STR_ARG(at));
		}
	}
	return vy_buf_addf(&text, "%lld %s\n", (long long)wall_ms, path) &&
	       write_list(state_dir, vy_buf_str(&text));
}

struct newest {
	struct vy_buf *path;
	int64_t ms;
};

static void look_at(struct newest *best, const char *path, int64_t ms)
{
	struct stat st;

	if (ms > best->ms && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		best->ms = ms;
		vy_buf_clear(best->path);
		vy_buf_adds(best->path, path);
	}
}

/* Those that db.c makes before it brings an old format up to date. */
static void look_beside(const char *state_dir, struct newest *best)
{
	DIR *d = opendir(state_dir);
	struct dirent *en;

	while (d && (en = readdir(d))) {
		struct vy_str name = vy_str_c(en->d_name);
		VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
		struct stat st;

		if (vy_str_starts(name, "vyre.db.v") && name.n > 4 &&
			vy_str_is(vy_str_from(name, name.n - 4), ".bak") &&
			vy_buf_addf(&path, "%s/%s", state_dir, en->d_name) &&
			stat(vy_buf_c(&path), &st) == 0) {
			look_at(best, vy_buf_c(&path), (int64_t)st.st_mtime * 1000);
		}
	}
	if (d) {
		closedir(d);
	}
}

bool backups_newest(const char *state_dir, struct vy_buf *path, int64_t *wall_ms)
{
	VY_AUTO_BUF list = VY_BUF_INIT(LIST_MAX);
	struct newest best = { .path = path };
	struct vy_str rest, at;
	long long ms;

	read_list(state_dir, &list);
	for (rest = vy_buf_str(&list); take(&rest, &ms, &at);) {
		char name[PATH_MAX];

		snprintf(name, sizeof(name), "%.*s", VY_STR_ARG(at));
		look_at(&best, name, ms);
	}
	look_beside(state_dir, &best);
	if (wall_ms) {
		*wall_ms = best.ms;
	}
	return best.ms > 0;
}

void backups_say(const char *state_dir, struct vy_buf *out)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
	int64_t ms;
	char when[32];
	struct tm tm;

	if (!backups_newest(state_dir, &path, &ms)) {
		vy_buf_adds(out, "No backup of it is known");
		return;
	}
	time_t at = (time_t)(ms / 1000);

	localtime_r(&at, &tm);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &tm);
	vy_buf_addf(out, "The newest backup is of %s: vyred stop, then vyred restore %s", when,
		vy_buf_c(&path));
}
