/* develop_none.c -- a build that shows no pictures: configure found no libraries for them. */
#include "tui/ink/develop.h"

#include <errno.h>

#include "shared/base/ban.h"

bool develop_can(void)
{
	return false;
}

int develop_start(struct vy_str bytes, const struct develop_want *want, pid_t *pid)
{
	(void)bytes;
	(void)want;
	*pid = -1;
	errno = ENOSYS;
	return -1;
}

void develop_read(struct vy_str answer, const struct develop_want *want, struct developed *out)
{
	(void)answer;
	(void)want;
	*out = (struct developed){ .end = DECODE_UNKNOWN };
}

void developed_fini(struct developed *d)
{
	*d = (struct developed){ .end = DECODE_UNKNOWN };
}

void develop_here(struct vy_str bytes, const struct develop_want *want, struct vy_buf *answer)
{
	(void)bytes;
	(void)want;
	(void)answer;
}
