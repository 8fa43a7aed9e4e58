/* demo_seen.c -- which messages the demo has taken, kept as claude keeps its transcript.
 *
 * One file a session, one uuid a line, appended when a message is taken. A message told again
 * after a crash is known by it and not run twice; a session id that has a file is resumed, one that
 * has none is new, and each of them refuses the other's flag. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/provider/demo_agent.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

static const char *file_of(const struct demo *d, char path[4096])
{
	snprintf(path, 4096, "%s/%s", d->dir, d->session);
	return path;
}

/* $VYRE_DEMO_DIR, else vyre's folder of state. */
static void find_dir(struct demo *d)
{
	static const struct {
		const char *variable, *below;
	} places[] = { { "VYRE_DEMO_DIR", "" }, { "XDG_STATE_HOME", "/vyre/demo" },
		{ "HOME", "/.local/state/vyre/demo" } };
	char path[4096];

	for (size_t i = 0; i < VY_COUNT(places) && !d->dir; i++) {
		const char *base = getenv(places[i].variable);

		if (base && base[0] == '/') {
			snprintf(path, sizeof(path), "%s%s", base, places[i].below);
			fields_str_set(&d->dir, vy_str_c(path));
		}
	}
}

static void make_dirs(const char *dir)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s", dir);
	for (char *p = path + 1; *p; p++) {
		if (*p == '/') {
			*p = '\0';
			mkdir(path, 0700);
			*p = '/';
		}
	}
	mkdir(path, 0700);
}

void demo_seen_open(struct demo *d)
{
	char path[4096], line[128];

	d->seen = vy_json_new_obj();
	find_dir(d);
	if (!d->dir) {
		return;
	}
	FILE *f = fopen(file_of(d, path), "re");

	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0]) {
			vy_json_set_bool(d->seen, line, true);
		}
	}
	if (f) {
		fclose(f);
	}
}

bool demo_seen_is_known(const struct demo *d)
{
	return vy_json_len(d->seen) > 0;
}

/* Without a folder the demo works, and forgets. */
void demo_seen_add(struct demo *d, struct vy_str uuid)
{
	char path[4096], line[VY_ID_MAX + 2];
	int n = snprintf(line, sizeof(line), "%.*s\n",
		(int)(uuid.n < VY_ID_MAX ? uuid.n : VY_ID_MAX), uuid.p);

	line[n - 1] = '\0';
	vy_json_set_bool(d->seen, line, true);
	line[n - 1] = '\n';
	if (!d->dir) {
		return;
	}
	int fd = open(file_of(d, path), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 && errno == ENOENT) {
		make_dirs(d->dir);
		fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	}
	if (fd >= 0) {
		ssize_t written = write(fd, line, (size_t)n);

		(void)written;
		close(fd);
	}
}
