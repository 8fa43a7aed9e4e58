/* tempdir.h -- a private folder for one test, gone afterwards. */
#ifndef TEST_TEMPDIR_H
#define TEST_TEMPDIR_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPDIR_MAX 512

struct tempdir {
	char path[TEMPDIR_MAX];
};

static inline struct tempdir tempdir_make(void)
{
	struct tempdir d;
	const char *base = getenv("TMPDIR");

	snprintf(d.path, sizeof(d.path), "%s/vyre-test-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(d.path)) {
		perror(d.path);
		abort();
	}
	return d;
}

/* "<dir>/<name>" in one of four static places. */
static inline const char *tempdir_file(const struct tempdir *d, const char *name)
{
	static char places[4][TEMPDIR_MAX + 64];
	static unsigned next;
	char *at = places[next++ % 4];

	snprintf(at, sizeof(places[0]), "%s/%s", d->path, name);
	return at;
}

static inline int tempdir_remove_one(
	const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void tempdir_remove(const char *path)
{
	nftw(path, tempdir_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
