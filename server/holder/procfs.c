/* procfs.c -- see procfs.h. */
#include "server/holder/procfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

enum { DEPTH_MAX = 256, FIELD_BORN = 22, FIELD_STATE = 3 };

long procfs_read(pid_t pid, const char *name, char *out, size_t room)
{
	char path[64];
	size_t n = 0;
	ssize_t got = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		return -1;
	}
	while (n < room && (got = read(fd, out + n, room - n)) > 0) {
		n += (size_t)got;
	}
	close(fd);
	return got < 0 ? -1 : (long)n;
}

/* The next word of `s`, without the blanks around it. */
static struct vy_str word(struct vy_str *s)
{
	size_t n = 0;
	struct vy_str w;

	while (s->n && (s->p[0] == ' ' || s->p[0] == '\n')) {
		*s = vy_str_from(*s, 1);
	}
	while (n < s->n && s->p[n] != ' ' && s->p[n] != '\n') {
		n++;
	}
	w = vy_str_n(s->p, n);
	*s = vy_str_from(*s, n);
	return w;
}

/* The name stands in brackets and may hold any byte but NUL, brackets too: it ends at the last. */
static int parse_comm(struct vy_str *text, struct procfs_stat *out)
{
	const char *open = text->n ? memchr(text->p, '(', text->n) : NULL;
	const char *close = text->n ? memrchr(text->p, ')', text->n) : NULL;
	size_t n;

	if (!open || !close || close < open) {
		return -1;
	}
	n = (size_t)(close - open - 1);
	n = n < sizeof(out->comm) ? n : sizeof(out->comm) - 1;
	memcpy(out->comm, open + 1, n);
	out->comm[n] = '\0';
	*text = vy_str_from(*text, (size_t)(close + 1 - text->p));
	return 0;
}

int procfs_parse_stat(struct vy_str text, struct procfs_stat *out)
{
	long long n[FIELD_BORN + 1] = { 0 };
	struct vy_str state;

	memset(out, 0, sizeof(*out));
	if (!vy_parse_i64(word(&text), &n[1]) || parse_comm(&text, out) < 0) {
		return -1;
	}
	state = word(&text);
	if (state.n != 1) {
		return -1;
	}
	for (int i = FIELD_STATE + 1; i <= FIELD_BORN; i++) {
		struct vy_str w = word(&text);

		/* some fields are larger than a signed number; none of ours is */
		if (w.n == 0 || (!vy_parse_i64(w, &n[i]) && (i <= 6 || i == FIELD_BORN))) {
			return -1;
		}
	}
	out->pid = (pid_t)n[1];
	out->state = state.p[0];
	out->ppid = (pid_t)n[4];
	out->pgid = (pid_t)n[5];
	out->sid = (pid_t)n[6];
	out->born = (uint64_t)n[FIELD_BORN];
	return 0;
}

int procfs_stat(pid_t pid, struct procfs_stat *out)
{
	char text[1024];
	long n = procfs_read(pid, "stat", text, sizeof(text));

	return n < 0 ? -1 : procfs_parse_stat(vy_str_n(text, (size_t)n), out);
}

long procfs_all(struct procfs_stat **own)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	size_t n = 0, cap = 0;

	*own = NULL;
	if (!dir) {
		return -1;
	}
	while ((d = readdir(dir))) {
		long long pid;

		if (!vy_parse_i64(vy_str_c(d->d_name), &pid)) {
			continue;
		}
		*own = vy_grow(*own, &cap, n + 1, sizeof(**own));
		if (procfs_stat((pid_t)pid, &(*own)[n]) == 0) {
			n++;
		}
	}
	closedir(dir);
	return (long)n;
}

int procfs_descends(pid_t pid, pid_t root)
{
	struct procfs_stat st;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		if (pid == root) {
			return 1;
		}
		if (pid <= 1) {
			return 0;
		}
		if (procfs_stat(pid, &st) < 0) {
			return -1;
		}
		pid = st.ppid;
	}
	return -1;
}
