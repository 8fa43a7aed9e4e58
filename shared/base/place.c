/* place.c -- see place.h. */
#include "shared/base/place.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

char *vy_place_absolute(const char *path)
{
	VY_AUTO_BUF b = VY_BUF_INIT((size_t)VY_PLACE_MAX * 2);
	char cwd[VY_PLACE_MAX];

	if (path[0] != '/' && getcwd(cwd, sizeof(cwd))) {
		vy_buf_addf(&b, "%s/", cwd);
	}
	vy_buf_adds(&b, path);
	while (b.len > 1 && b.data[b.len - 1] == '/') {
		vy_buf_truncate(&b, b.len - 1);
	}
	return vy_buf_take(&b, NULL);
}

char *vy_place_xdg(const char *name, const char *fallback, const char *tail)
{
	const char *base = getenv(name), *home = getenv("HOME");
	VY_AUTO_BUF b = VY_BUF_INIT(VY_PLACE_MAX);

	if (base && base[0] == '/') {
		vy_buf_addf(&b, "%s/%s", base, tail);
	} else if (home && home[0] == '/') {
		vy_buf_addf(&b, "%s/%s/%s", home, fallback, tail);
	} else {
		return NULL;
	}
	return vy_buf_take(&b, NULL);
}

bool vy_place_helper(const char *program, char *out, size_t room)
{
	static const char *const beside[] = { "", "../libexec/vyre/" };
	char self[VY_PLACE_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	const char *slash = strrchr(self, '/');

	for (size_t i = 0; slash && i < VY_COUNT(beside); i++) {
		snprintf(out, room, "%.*s/%s%s", (int)(slash - self), self, beside[i], program);
		if (access(out, X_OK) == 0) {
			return true;
		}
	}
	snprintf(out, room, "%s/%s", PKGLIBEXECDIR, program);
	return access(out, X_OK) == 0;
}

bool vy_place_on_path(const char *program)
{
	const char *path = getenv("PATH");

	for (const char *p = path; p && *p;) {
		size_t n = strcspn(p, ":");
		VY_AUTO_BUF full = VY_BUF_INIT(VY_PLACE_MAX);

		vy_buf_addf(&full, "%.*s/%s", (int)n, p, program);
		if (n && access(vy_buf_c(&full), X_OK) == 0) {
			return true;
		}
		p += n + (p[n] == ':');
	}
	return false;
}
