/* album.c -- see album.h. */
#include "tests/tui/album.h"

#include <stdio.h>
#include <stdlib.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "tests/tui/child.h"
#include "shared/base/ban.h"

static bool fetch(struct album *a, const struct vy_json *files)
{
	VY_AUTO_BUF bytes = VY_BUF_INIT(VY_MIB), path = VY_BUF_INIT(8192);
	const char *top = getenv("top_srcdir");
	struct album_job job;
	char piece[4096];
	size_t n;

	if (!album_next(a, ALBUM_FETCH, &job)) {
		return false;
	}
	struct vy_str name = vy_json_str(files, job.ref);

	if (name.n == 0) {
		album_missed(a, job.id, "it is not there any more");
		return true;
	}
	vy_buf_addf(&path, "%s/tests/corpus/picture/%.*s", top ? top : ".", VY_STR_ARG(name));
	FILE *f = fopen(vy_buf_c(&path), "re");

	while (f && (n = fread(piece, 1, sizeof(piece), f)) > 0) {
		vy_buf_add(&bytes, piece, n);
	}
	if (f) {
		fclose(f);
	}
	album_fetched(a, job.id, vy_buf_str(&bytes), 0, 0);
	return true;
}

static bool develop(struct album *a)
{
	VY_AUTO_BUF answer = VY_BUF_INIT(DEVELOP_MAX);
	struct album_job job;
	struct developed d;

	if (!album_next(a, ALBUM_DEVELOP, &job)) {
		return false;
	}
	child_answer(job.bytes, &job.want, &answer);
	develop_read(vy_buf_str(&answer), &job.want, &d);
	album_developed(a, &job, &d);
	return true;
}

bool album_bring(struct album *a, const struct vy_json *files)
{
	struct album_job job;
	bool did = false;

	while (fetch(a, files) || develop(a)) {
		did = true;
	}
	while (album_next(a, ALBUM_SEND, &job)) {
		album_sent(a, job.image);
		did = true;
	}
	return did;
}
