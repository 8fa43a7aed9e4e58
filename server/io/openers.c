/* openers.c -- see openers.h. */
#include "server/io/openers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/io/peercred.h"
#include "shared/base/buf.h"
#include "shared/base/ban.h"

#define ARGS_MAX 16384

/* ---- arguments ---- */

static struct vy_str first_of(struct vy_str args)
{
	args.n = strnlen(args.p ? args.p : "", args.n);
	return args;
}

static struct vy_str behind(struct vy_str args)
{
	size_t n = first_of(args).n + 1;

	return n < args.n ? vy_str_from(args, n) : vy_str_n(NULL, 0);
}

static struct vy_str base_of(struct vy_str path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;

	return slash ? vy_str_from(path, (size_t)(slash - path.p) + 1) : path;
}

/* "--flag=X" */
static bool is_flag(struct vy_str arg, const char *flag, struct vy_str value)
{
	size_t n = strlen(flag);

	return arg.n == n + value.n && memcmp(arg.p, flag, n) == 0 &&
	       memcmp(arg.p + n, value.p, value.n) == 0;
}

bool openers_goes_on(struct vy_str args, struct vy_str id, const char *path)
{
	bool is_copy = false, resumes = false, begins = false;
	struct vy_str before = vy_str_n(NULL, 0), file = vy_str_c(path ? path : "");

	for (args = behind(args); args.n; args = behind(args)) {
		struct vy_str arg = first_of(args);
		bool is_id = vy_str_eq(arg, id), is_new = vy_str_is(before, "--session-id");

		is_copy |= vy_str_is(arg, "--fork-session") || vy_str_is(arg, "fork");
		begins |= (is_id && is_new) || is_flag(arg, "--session-id=", id);
		resumes |= (is_id && !is_new) || is_flag(arg, "--resume=", id);
		resumes |= file.n && (vy_str_eq(arg, file) || is_flag(arg, "--resume=", file));
		before = arg;
	}
	return begins || (resumes && !is_copy);
}

const char *openers_program(struct vy_str args, const char *const *programs)
{
	struct vy_str own = base_of(first_of(args)), script = base_of(first_of(behind(args)));

	for (; *programs; programs++) {
		if (vy_str_is(own, *programs) || vy_str_is(script, *programs)) {
			return *programs;
		}
	}
	return NULL;
}

/* ---- descriptors ---- */

static bool is_to_write(const char *pid, const char *fd)
{
	char path[512], text[512];
	ssize_t n = -1;

	snprintf(path, sizeof(path), "/proc/%s/fdinfo/%s", pid, fd);
	int info = open(path, O_RDONLY | O_CLOEXEC);

	if (info >= 0) {
		n = read(info, text, sizeof(text) - 1);
		close(info);
	}
	text[n > 0 ? n : 0] = '\0';
	const char *flags = strstr(text, "flags:");

	return flags && (strtoul(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) != O_RDONLY;
}

static bool has_file(const char *pid, const char *file)
{
	char path[512], to[4096];
	const struct dirent *d;
	bool is_it = false;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	DIR *fds = opendir(path);

	while (fds && !is_it && (d = readdir(fds))) {
		ssize_t n;

		if (d->d_name[0] == '.') {
			continue;
		}
		snprintf(path, sizeof(path), "/proc/%s/fd/%s", pid, d->d_name);
		n = readlink(path, to, sizeof(to) - 1);
		to[n > 0 ? n : 0] = '\0';
		is_it = strcmp(to, file) == 0 && is_to_write(pid, d->d_name);
	}
	if (fds) {
		closedir(fds);
	}
	return is_it;
}

/* ---- all of them ---- */

static bool is_ours(const char *pid)
{
	char path[300];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%s", pid);
	return stat(path, &st) == 0 && st.st_uid == getuid();
}

static void note(struct opener *out, pid_t pid, const char *program)
{
	struct peercred_proc p;

	if (out->pid == 0 && peercred_proc(pid, &p, NULL) == 0) {
		*out = (struct opener){ .pid = pid, .born = p.born };
		snprintf(out->program, sizeof(out->program), "%s", program ? program : p.comm);
	}
}

static void look_at(const struct openers_ask *ask, const char *name, struct openers *out)
{
	char args[ARGS_MAX];
	long long pid;

	if (!vy_parse_i64(vy_str_c(name), &pid) || pid == ask->but || pid == getpid() ||
		!is_ours(name)) {
		return;
	}
	long n = peercred_args((pid_t)pid, args, sizeof(args));
	struct vy_str all = vy_str_n(args, n > 0 ? (size_t)n : 0);
	const char *program = openers_program(all, ask->programs);

	if (program && openers_goes_on(all, ask->id, ask->path)) {
		note(&out->named, (pid_t)pid, program);
	}
	if (ask->path && out->has_file.pid == 0 && has_file(name, ask->path)) {
		note(&out->has_file, (pid_t)pid, program);
	}
}

void openers_find(const struct openers_ask *ask, struct openers *out)
{
	DIR *proc = opendir("/proc");
	const struct dirent *d;

	*out = (struct openers){ .named.pid = 0 };
	while (proc && (d = readdir(proc))) {
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9') {
			look_at(ask, d->d_name, out);
		}
	}
	if (proc) {
		closedir(proc);
	}
}
