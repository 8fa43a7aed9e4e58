/* folder.c -- see folder.h. */
#include "tui/net/folder.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

int folder_make(const char *dir, struct vy_err *e)
{
	VY_AUTO_BUF path = VY_BUF_INIT(PATH_MAX);
	struct stat st;

	if (!vy_buf_adds(&path, dir) || path.len == 0) {
		return vy_fail(e, VY_BAD_INPUT, _("%s is no usable name of a folder"), dir);
	}
	for (size_t i = 1; i <= path.len; i++) {
		char keep = path.data[i];

		if (keep != '/' && keep != '\0') {
			continue;
		}
		path.data[i] = '\0';
		if (mkdir(path.data, 0700) < 0 && errno != EEXIST) {
			return vy_fail_errno(e, errno, _("making %s"), path.data);
		}
		path.data[i] = keep;
	}
	if (stat(dir, &st) < 0) {
		return vy_fail_errno(e, errno, _("looking at %s"), dir);
	}
	if (st.st_uid != geteuid()) {
		return vy_fail(e, VY_DENIED, _("%s belongs to another user"), dir);
	}
	if ((st.st_mode & 077) && chmod(dir, 0700) < 0) {
		return vy_fail_errno(e, errno, _("making %s private"), dir);
	}
	return 0;
}
