/* place.c -- see place.h. */
#include "shared/base/place.h"

#include <stdlib.h>
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
