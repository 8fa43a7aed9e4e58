/* self.c -- see self.h. */
#include "server/main/self.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define SYSTEM_PATH "/usr/local/bin:/usr/bin:/bin"

int self_read(struct self *s, struct vy_err *e)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const struct passwd *pw = getpwuid(getuid());
	const char *home = getenv("HOME");

	if (n < 0) {
		return vy_fail_errno(e, errno, "reading /proc/self/exe");
	}
	if (home && home[0] != '/') {
		home = NULL;
	}
	if (!pw && !home) {
		return vy_fail(
			e, VY_IO, "the user %u has no entry and no HOME", (unsigned)getuid());
	}
	path[n] = '\0';
	s->program = vy_strdup(path);
	s->home = vy_strdup(home ? home : pw->pw_dir);
	VY_AUTO_BUF programs = VY_BUF_INIT(3 * 4096);

	/* For whoever sends no PATH along: a person's own programs are mostly there. */
	vy_buf_addf(&programs, "%s/.local/bin:%s/bin:" SYSTEM_PATH, s->home, s->home);
	s->path = vy_buf_take(&programs, NULL);
	s->user = vy_strdup(pw ? pw->pw_name : "user");
	s->shell = pw && pw->pw_shell[0] == '/' && access(pw->pw_shell, X_OK) == 0
			   ? vy_strdup(pw->pw_shell)
			   : NULL;
	return 0;
}

void self_fini(struct self *s)
{
	free(s->program);
	free(s->home);
	free(s->path);
	free(s->user);
	free(s->shell);
}
