/* reserve.c -- see reserve.h. */
#include "server/log/reserve.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "shared/base/ban.h"

bool reserve_make(const char *path)
{
	struct statvfs room;
	struct stat st;
	bool ok;
	int fd;

	if (stat(path, &st) == 0 && st.st_size == RESERVE_BYTES) {
		return true;
	}
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		return false;
	}
	ok = fstatvfs(fd, &room) == 0 &&
	     (uint64_t)room.f_bavail * room.f_frsize >= 2 * (uint64_t)RESERVE_BYTES &&
	     posix_fallocate(fd, 0, RESERVE_BYTES) == 0;
	close(fd);
	if (!ok) {
		unlink(path); /* half a reserve only takes room */
	}
	return ok;
}

bool reserve_give(const char *path)
{
	return unlink(path) == 0;
}
