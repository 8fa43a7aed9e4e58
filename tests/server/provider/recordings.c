/* recordings.c -- see recordings.h. */
#include "tests/server/provider/recordings.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/buf.h"
#include "shared/base/ban.h"

static bool read_file(const char *dir, const char *name, struct vy_buf *out)
{
	char path[4096], part[65536];
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *f = fopen(path, "re");

	if (!f) {
		return false;
	}
	while ((n = fread(part, 1, sizeof(part), f)) > 0) {
		vy_buf_add(out, part, n);
	}
	fclose(f);
	return true;
}

static int is_recording(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 6 && strcmp(d->d_name + n - 6, ".jsonl") == 0 &&
	       strcmp(d->d_name, "on-disk-line-kinds.jsonl") != 0;
}

static const char *folder(const char *agent)
{
	static char path[4096];
	const char *own = getenv("VYRE_TRANSCRIPTS"), *top = getenv("top_srcdir");

	snprintf(path, sizeof(path), "%s%s/%s",
		own   ? own
		: top ? top
		      : ".",
		own ? "" : "/../shared/transcripts", agent);
	return path;
}

size_t recordings_each(const char *agent, void (*fn)(const char *name, struct vy_str file))
{
	struct dirent **names;
	const char *dir = folder(agent), *only = getenv("VYRE_TRANSCRIPT");
	int n = scandir(dir, &names, is_recording, alphasort);
	size_t played = 0;

	if (n <= 0) {
		printf("no recordings at %s\n", dir);
		return 0;
	}
	for (int i = 0; i < n; i++) {
		VY_AUTO_BUF file = VY_BUF_INIT(RECORDING_MAX);

		if ((!only || strcmp(only, names[i]->d_name) == 0) &&
			read_file(dir, names[i]->d_name, &file)) {
			fn(names[i]->d_name, vy_buf_str(&file));
			played++;
		}
		free(names[i]);
	}
	free(names);
	return played;
}
