/* hook.c -- see hook.h: the commands of a person, and the one file they change. */
#include "server/hook/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/auth/proc.h"
#include "server/hook/settings.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/place.h"
#include "shared/base/ban.h"

#define FILE_MAX (4 * VY_MIB)

static const char *const agents[] = { "claude", "codex", "gemini", "opencode", NULL };

/* ---- the file ---- */

struct file {
	char *path; /* of the file itself, links followed; owned */
	struct vy_buf text;
	struct stat was;
	bool is_there;
};

static void file_fini(struct file *f)
{
	free(f->path);
	vy_buf_fini(&f->text);
}

/* Where claude looks for it. NULL without a home. */
static char *settings_path(void)
{
	const char *own = getenv("CLAUDE_CONFIG_DIR");
	VY_AUTO_BUF path = VY_BUF_INIT(2 * VY_PLACE_MAX);

	if (own && own[0]) {
		char *folder = vy_place_absolute(own);

		vy_buf_addf(&path, "%s/settings.json", folder);
		free(folder);
		return vy_buf_take(&path, NULL);
	}
	return vy_place_xdg("", ".claude", "settings.json");
}

static int read_all(struct file *f, int fd, struct vy_err *e)
{
	ssize_t n = 1;

	while (n != 0) {
		if (!vy_buf_reserve(&f->text, 64 * VY_KIB)) {
			return vy_fail(e, VY_FULL, "%s: is too long", f->path);
		}
		n = read(fd, f->text.data + f->text.len, 64 * VY_KIB);
		if (n < 0 && errno != EINTR) {
			return vy_fail_errno(e, errno, "reading %s", f->path);
		}
		f->text.len += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int file_read(struct file *f, struct vy_err *e)
{
	char *path = settings_path();
	int fd, rc = 0;

	*f = (struct file){ .text = VY_BUF_INIT(FILE_MAX) };
	if (!path) {
		return vy_fail(e, VY_BAD_INPUT, "HOME is not set");
	}
	f->path = realpath(path, NULL);
	if (!f->path) {
		f->path = path;
	} else {
		free(path);
	}
	if (lstat(f->path, &f->was) == 0 &&
		S_ISLNK(f->was.st_mode)) { /* ours would take its place */
		return vy_fail(
			e, VY_BAD_INPUT, "%s is a link to a file that is not there", f->path);
	}
	fd = open(
		f->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* nobody may write to a FIFO, ever */
	if (fd < 0) {
		return errno == ENOENT ? 0 : vy_fail_errno(e, errno, "opening %s", f->path);
	}
	f->is_there = true;
	rc = fstat(fd, &f->was) != 0    ? vy_fail_errno(e, errno, "looking at %s", f->path)
	     : !S_ISREG(f->was.st_mode) ? vy_fail(e, VY_BAD_INPUT, "%s is no file", f->path)
					: read_all(f, fd, e);
	close(fd);
	return rc;
}

/* claude writes it too: what it wrote meanwhile is not ours to lose. */
static bool is_as_it_was(const struct file *f)
{
	struct stat now;

	vy_assert(f->path != NULL);
	if (stat(f->path, &now) != 0) {
		return errno == ENOENT && !f->is_there;
	}
	return f->is_there && now.st_ino == f->was.st_ino && now.st_size == f->was.st_size &&
	       now.st_mtim.tv_sec == f->was.st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == f->was.st_mtim.tv_nsec;
}

static int write_beside(
	const struct file *f, const char *beside, int fd, struct vy_str text, struct vy_err *e)
{
	if (fchmod(fd, f->is_there ? f->was.st_mode & 07777 : 0600) != 0) {
		return vy_fail_errno(e, errno, "making %s", beside);
	}
	while (text.n) {
		ssize_t n = write(fd, text.p, text.n);

		if (n < 0 && errno != EINTR) {
			return vy_fail_errno(e, errno, "writing %s", beside);
		}
		text = vy_str_from(text, n > 0 ? (size_t)n : 0);
	}
	return fsync(fd) == 0 ? 0 : vy_fail_errno(e, errno, "writing %s", beside);
}

/* Whole or not at all: written beside, then moved. */
static int file_write(const struct file *f, struct vy_str text, struct vy_err *e)
{
	VY_AUTO_BUF beside = VY_BUF_INIT(2 * VY_PLACE_MAX);

	vy_buf_addf(&beside, "%s.vyre-XXXXXX", f->path);
	char *name = vy_buf_take(&beside, NULL);
	int fd = mkostemp(name, O_CLOEXEC), rc;

	if (fd < 0) {
		rc = vy_fail_errno(e, errno, "making a file beside %s", f->path);
		free(name);
		return rc;
	}
	rc = write_beside(f, name, fd, text, e);
	close(fd);
	if (rc == 0 && !is_as_it_was(f)) {
		rc = vy_fail(e, VY_CONFLICT, "%s was changed just now: try again", f->path);
	} else if (rc == 0 && rename(name, f->path) != 0) {
		rc = vy_fail_errno(e, errno, "writing %s", f->path);
	}
	if (rc != 0) {
		unlink(name);
	}
	free(name);
	return rc;
}

static void make_folder(const struct file *f)
{
	char *folder = vy_strdup(f->path), *slash = strrchr(folder, '/');

	*slash = '\0';
	(void)mkdir(folder, 0700); /* it is there, or the file cannot be made, which is said */
	free(folder);
}

/* A folder with nothing in it is what was there before claude was. */
static int file_drop(const struct file *f, struct vy_err *e)
{
	char *slash = strrchr(f->path, '/');

	if (unlink(f->path) != 0) {
		return vy_fail_errno(e, errno, "removing %s", f->path);
	}
	*slash = '\0';
	(void)rmdir(f->path);
	*slash = '/';
	return 0;
}

/* ---- the commands ---- */

static int failed(const struct vy_err *e)
{
	fprintf(stderr, "vyred: %s\n", e->text);
	return 1;
}

/* The rules that an agent is held to are not an agent's to put up or take away. */
static int is_person(struct vy_err *e)
{
	const struct caller_world w = {
		.proc = proc_read, .uid = getuid(), .person = "", .programs = agents
	};
	const struct caller_peer me = { .pid = getpid(), .uid = getuid() };
	struct caller who = { 0 };
	const char *why = "";

	caller_place(&who, &me, &w, &why);
	return who.kind == CALLER_PERSON ? 0
					 : vy_fail(e, VY_PERSON_ONLY,
						   "Only a person can change the hooks of claude, "
						   "in a terminal that no "
						   "agent started (%s)",
						   why);
}

static int broken(const struct file *f, struct vy_err *e)
{
	return vy_wrap(e, "%s cannot be read, so it was left as it is", f->path);
}

static char *own_program(void)
{
	char *path = realpath("/proc/self/exe", NULL);
	VY_AUTO_BUF word = VY_BUF_INIT(8 * VY_PLACE_MAX);

	hook_word(&word, path ? path : "vyred");
	free(path);
	return vy_buf_take(&word, NULL);
}

static void add_option(struct vy_buf *out, const char *name, const char *said, const char *value)
{
	if (said) {
		vy_buf_addf(out, " %s ", name);
		hook_word(out, value);
	}
}

static int install(const struct hook_conf *c)
{
	VY_AUTO_BUF options = VY_BUF_INIT(64 * VY_KIB), text = VY_BUF_INIT(2 * FILE_MAX);
	char *program = own_program();
	struct vy_err e = { 0 };
	struct file f;
	int rc;

	add_option(&options, "--state-dir", c->said_state_dir, c->state_dir);
	add_option(&options, "--config", c->said_config, c->config);
	rc = file_read(&f, &e);
	if (rc == 0) {
		rc = hook_settings_add(vy_buf_str(&f.text), program, vy_buf_c(&options), &text, &e);
		rc = rc == 0 ? 0 : broken(&f, &e);
	}
	if (rc == 0 && vy_str_eq(vy_buf_str(&text), vy_buf_str(&f.text))) {
		printf("The hooks stand in %s already.\n", f.path);
	} else if (rc == 0) {
		make_folder(&f);
		rc = file_write(&f, vy_buf_str(&text), &e);
		if (rc == 0) {
			printf("The hooks stand in %s now. A claude that runs already takes them "
			       "with its next start;\n\"vyred hook remove\" takes them out "
			       "again.\n",
				f.path);
		}
	}
	free(program);
	file_fini(&f);
	return rc == 0 ? 0 : failed(&e);
}

static int take_out(void)
{
	VY_AUTO_BUF text = VY_BUF_INIT(FILE_MAX);
	struct vy_err e = { 0 };
	struct file f;
	int rc = file_read(&f, &e);

	if (rc == 0 && f.is_there) {
		rc = hook_settings_remove(vy_buf_str(&f.text), &text, &e);
		rc = rc == 0 ? 0 : broken(&f, &e);
	}
	if (rc == 0 && (!f.is_there || vy_str_eq(vy_buf_str(&text), vy_buf_str(&f.text)))) {
		printf("There are no hooks of vyred in %s.\n", f.path);
	} else if (rc == 0) {
		rc = vy_str_is(vy_buf_str(&text), HOOK_SETTINGS_NONE)
			     ? file_drop(&f, &e)
			     : file_write(&f, vy_buf_str(&text), &e);
		if (rc == 0) {
			printf("The hooks of vyred are out of %s.\n", f.path);
		}
	}
	file_fini(&f);
	return rc == 0 ? 0 : failed(&e);
}

/* 0: whole; 3: not, or not whole. */
static int status(void)
{
	VY_AUTO_BUF line = VY_BUF_INIT(64 * VY_KIB);
	struct vy_err e = { 0 };
	struct file f;
	size_t n = 0, all = 0;
	int rc = file_read(&f, &e);

	while (hook_events[all].name) {
		all++;
	}
	if (rc == 0) {
		rc = hook_settings_count(vy_buf_str(&f.text), &line, &n, &e);
		rc = rc == 0 ? 0 : broken(&f, &e);
	}
	if (rc == 0 && n == all) {
		printf("installed in %s\nruns: %s\n", f.path, vy_buf_c(&line));
	} else if (rc == 0 && n > 0) {
		printf("not whole in %s: %zu of %zu hooks; \"vyred hook install\" mends it\n",
			f.path, n, all);
	} else if (rc == 0) {
		printf("not installed in %s\n", f.path);
	}
	file_fini(&f);
	return rc != 0 ? failed(&e) : n == all ? 0 : 3;
}

static int usage(void)
{
	fputs("usage: vyred hook install | remove | status\n", stderr);
	return 2;
}

int hook_main(const struct hook_conf *c, const char *const *words, int n)
{
	struct vy_err e = { 0 };

	if (n == 2 && strcmp(words[0], "run") == 0) {
		return hook_run(c, words[1]);
	}
	if (n != 1) {
		return usage();
	}
	if (strcmp(words[0], "status") == 0) {
		return status();
	}
	if (strcmp(words[0], "install") == 0) {
		return is_person(&e) == 0 ? install(c) : failed(&e);
	}
	if (strcmp(words[0], "remove") == 0) {
		return is_person(&e) == 0 ? take_out() : failed(&e);
	}
	return usage();
}
