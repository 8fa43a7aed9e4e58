/* rc.c -- see rc.h. The wrappers' texts are rc.bash, rc.zsh and rc.fish beside this file. */
#include "server/term/rc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/hash.h"
#include "server/term/rc_texts.inc"
#include "shared/base/ban.h"

static const struct {
	const char *program, *folder, *file, *text;
} wrappers[] = {
	[RC_BASH] = { "bash", "bash", "rc", bash_text },
	[RC_ZSH] = { "zsh", "zsh", ".zshenv", zsh_text },
	[RC_FISH] = { "fish", "fish", "rc.fish", fish_text },
};

enum rc_kind rc_kind(const char *shell)
{
	const char *slash = strrchr(shell, '/'), *name = slash ? slash + 1 : shell;

	for (size_t i = RC_BASH; i < VY_COUNT(wrappers); i++) {
		if (strcmp(name, wrappers[i].program) == 0) {
			return (enum rc_kind)i;
		}
	}
	return RC_PLAIN;
}

const char *rc_text(enum rc_kind kind)
{
	return kind == RC_PLAIN ? NULL : wrappers[kind].text;
}

/* ---- files ---- */

static int make_folder(const char *path, struct vy_err *e)
{
	struct stat st;

	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		return vy_fail(e, VY_IO, "cannot make %s: %s", path, strerror(errno));
	}
	if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
		(st.st_mode & 022)) {
		return vy_fail(e, VY_DENIED, "%s is not a folder of ours alone", path);
	}
	return 0;
}

static int write_all(int fd, const char *text)
{
	size_t n = strlen(text);

	while (n > 0) {
		ssize_t w = write(fd, text, n);

		if (w < 0 && errno != EINTR) {
			return -1;
		}
		if (w > 0) {
			text += w;
			n -= (size_t)w;
		}
	}
	return 0;
}

/* A shell that starts at the same moment reads the old one or the new one, never half of it. */
static int write_file(const char *path, const char *text, struct vy_arena *a, struct vy_err *e)
{
	char tail[16 + 1];
	unsigned char raw[8];

	vy_random(raw, sizeof(raw));
	vy_hex(raw, sizeof(raw), tail);
	const char *fresh = vy_arena_printf(a, "%s-%s", path, tail);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		return vy_fail(e, VY_IO, "cannot write %s: %s", fresh, strerror(errno));
	}
	int bad = write_all(fd, text) != 0;

	bad |= close(fd) != 0;
	if (bad || rename(fresh, path) != 0) {
		vy_fail(e, VY_IO, "cannot write %s: %s", path, strerror(errno));
		unlink(fresh);
		return -1;
	}
	return 0;
}

static bool is_there(const char *path, const char *text)
{
	size_t n = strlen(text);
	VY_AUTO_BUF b = VY_BUF_INIT(n + 2);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t got = -1;

	if (fd >= 0) {
		vy_buf_reserve(&b, n + 1);
		got = read(fd, b.data, n + 1);
		close(fd);
	}
	return got == (ssize_t)n && memcmp(b.data, text, n) == 0;
}

/* ---- a start ---- */

static const char *value_of(const char *const *env, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; env && env[i]; i++) {
		if (strncmp(env[i], name, n) == 0 && env[i][n] == '=') {
			return env[i] + n + 1;
		}
	}
	return NULL;
}

static void plain(struct rc *rc, const char *shell)
{
	const char *slash = strrchr(shell, '/');

	memset(rc, 0, sizeof(*rc));
	rc->argv[0] = shell; /* what every login shell takes for one; dash, too */
	rc->argv[1] = strcmp(slash ? slash + 1 : shell, "csh") == 0 ? NULL : "-l";
}

static void start(struct rc *rc, enum rc_kind kind, const char *folder, const char *file,
	const char *const *env, struct vy_arena *a)
{
	const char *zdotdir = value_of(env, "ZDOTDIR");

	switch (kind) {
	case RC_PLAIN: return;
	case RC_BASH: /* the one way to a real login shell with a file of ours */
		rc->argv[1] = "--posix";
		rc->argv[2] = "--noprofile";
		rc->argv[3] = "-l";
		rc->env[1] = vy_arena_printf(a, "ENV=%s", file);
		return;
	case RC_ZSH:
		rc->env[1] = vy_arena_printf(a, "ZDOTDIR=%s", folder);
		rc->env[2] = zdotdir ? vy_arena_printf(a, "VYRE_ZDOTDIR=%s", zdotdir) : NULL;
		return;
	case RC_FISH: {
		rc->argv[2] = "-C";
		rc->argv[3] = vy_arena_printf(a, "source '%s'", file);
		return;
	}
	}
}

int rc_prepare(const char *state_dir, const char *shell, const char *const *env, struct vy_arena *a,
	struct rc *rc, struct vy_err *e)
{
	enum rc_kind kind = rc_kind(shell);
	unsigned char raw[MARKS_KEY_LEN / 2], name[8];
	char hex[2 * sizeof(name) + 1];

	plain(rc, shell);
	if (kind == RC_PLAIN) {
		return 0;
	}
	if (strpbrk(state_dir, "'\\\n")) { /* it would stand in fish's words */
		return vy_fail(e, VY_BAD_INPUT, "the state folder's name is not a plain one");
	}
	const char *top = vy_arena_printf(a, "%s/shell", state_dir);
	const char *keys = vy_arena_printf(a, "%s/key", top);
	const char *folder = vy_arena_printf(a, "%s/%s", top, wrappers[kind].folder);
	const char *file = vy_arena_printf(a, "%s/%s", folder, wrappers[kind].file);

	vy_random(name, sizeof(name));
	vy_hex(name, sizeof(name), hex);
	const char *key_file = vy_arena_printf(a, "%s/%s", keys, hex);

	vy_random(raw, sizeof(raw));
	vy_hex(raw, sizeof(raw), rc->key);
	const char *line = vy_arena_printf(a, "%s\n", rc->key);

	if (make_folder(top, e) != 0 || make_folder(keys, e) != 0 || make_folder(folder, e) != 0 ||
		(!is_there(file, wrappers[kind].text) &&
			write_file(file, wrappers[kind].text, a, e) != 0) ||
		write_file(key_file, line, a, e) != 0) {
		plain(rc, shell);
		return -1;
	}
	rc->env[0] = vy_arena_printf(a, "VYRE_TERM_KEY=%s", key_file);
	start(rc, kind, folder, file, env, a);
	return 0;
}

void rc_sweep(const char *state_dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/shell/key", state_dir);
	DIR *d = opendir(path);
	const struct dirent *de;

	while (d && (de = readdir(d))) {
		if (de->d_name[0] != '.') {
			unlinkat(dirfd(d), de->d_name, 0);
		}
	}
	if (d) {
		closedir(d);
	}
}
