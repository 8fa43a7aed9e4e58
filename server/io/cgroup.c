/* cgroup.c -- see cgroup.h. An empty cgroup is removed by rmdir; one with processes says EBUSY, and those
 * that were killed take a moment: what could not go yet is tried again with the next one. */
#include "server/io/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "server/holder/msg.h"
#include "server/holder/procfs.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define PATH_ROOM 4096

static char *base; /* the folder of our branch; NULL: we have none */
static struct {
	char (*v)[MSG_HID_MAX + 1];
	size_t n, cap;
} ended; /* to be removed once they are empty */

static void path_of(const char *hid, const char *file, char *out, size_t room)
{
	snprintf(out, room, "%s/" CGROUP_NAME "%s%s%s", base, hid, *file ? "/" : "", file);
}

/* ---- where it is ---- */

/* The mount point of the second kind of cgroups: "… - cgroup2 …" in mountinfo, its fifth word. */
static bool find_mount(char *out, size_t room)
{
	char text[65536], *line, *save = NULL;
	long n = procfs_read(getpid(), "mountinfo", text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char root[PATH_ROOM], at[PATH_ROOM];

		if (strstr(line, " - cgroup2 ") &&
			sscanf(line, "%*s %*s %*s %4095s %4095s", root, at) == 2 &&
			strcmp(root, "/") == 0) {
			snprintf(out, room, "%s", at);
			return true;
		}
	}
	return false;
}

bool cgroup_open(const char *unit)
{
	char mount[PATH_ROOM], file[PATH_ROOM + 32];
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_ROOM);

	if (!unit || !find_mount(mount, sizeof(mount))) {
		return false;
	}
	vy_buf_addf(&path, "%s%s", mount, unit);
	snprintf(file, sizeof(file), "%s/cgroup.procs", vy_buf_c(&path));
	if (vy_buf_is_over(&path) || access(vy_buf_c(&path), W_OK) != 0 ||
		access(file, W_OK) != 0) {
		return false;
	}
	free(base);
	base = vy_buf_take(&path, NULL);
	return true;
}

/* ---- the life of one ---- */

static void remove_ended(void)
{
	char path[PATH_ROOM];

	for (size_t i = ended.n; i-- > 0;) {
		path_of(ended.v[i], "", path, sizeof(path));
		if (rmdir(path) == 0 || access(path, F_OK) != 0) {
			memcpy(ended.v[i], ended.v[--ended.n], sizeof(ended.v[i]));
		}
	}
}

bool cgroup_make(const char *hid, char *out, size_t room)
{
	if (!base) {
		return false;
	}
	remove_ended();
	path_of(hid, "", out, room);
	return mkdir(out, 0755) == 0;
}

void cgroup_end(const char *hid, bool kill)
{
	char path[PATH_ROOM];
	int fd;

	if (!base) {
		return;
	}
	path_of(hid, "cgroup.kill", path, sizeof(path));
	if (kill && (fd = open(path, O_WRONLY | O_CLOEXEC)) >= 0) {
		(void)!write(
			fd, "1", 1); /* a kernel before 5.14 has no such file: the sweep is left */
		close(fd);
	}
	ended.v = vy_grow(ended.v, &ended.cap, ended.n + 1, sizeof(*ended.v));
	snprintf(ended.v[ended.n++], sizeof(*ended.v), "%s", hid);
	remove_ended();
}

/* One that was let go stays as the reaper of what its child left running. */
static bool has_holder(const char *hid)
{
	char path[PATH_ROOM], line[64];
	struct procfs_stat st;
	bool has = false;
	long long pid;

	path_of(hid, "cgroup.procs", path, sizeof(path));
	FILE *f = fopen(path, "re");

	while (f && !has && fgets(line, sizeof(line), f)) {
		has = vy_parse_i64(vy_str_n(line, strcspn(line, "\n")), &pid) &&
		      procfs_stat((pid_t)pid, &st) == 0 && strcmp(st.comm, "vyre-holder") == 0;
	}
	if (f) {
		fclose(f);
	}
	return has;
}

void cgroup_tidy(bool (*is_known)(void *ctx, const char *hid), void *ctx)
{
	DIR *h = base ? opendir(base) : NULL;
	struct dirent *d;

	while (h && (d = readdir(h))) {
		const char *hid = d->d_name + strlen(CGROUP_NAME);

		if (strncmp(d->d_name, CGROUP_NAME, strlen(CGROUP_NAME)) == 0 &&
			msg_hid_is_valid(vy_str_c(hid)) && !is_known(ctx, hid) &&
			!has_holder(hid)) {
			cgroup_end(hid, true);
		}
	}
	if (h) {
		closedir(h);
	}
}
