/* crash.c -- see crash.h. */
#include "shared/base/crash.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/base/ban.h"

static const char *const names[] = {
#define X(NAME, name, where) name,
#include "shared/base/crash.def"
#undef X
};

const char *vy_crash_name(enum vy_crash_point p)
{
	return names[p];
}

#ifdef VY_CRASH_POINTS

enum { LINE_ROOM = 128, FILE_ROOM = 4096 };

static struct {
	char file[4096];
	char line[LINE_ROOM]; /* as it was read; "": nothing is armed */
	enum vy_crash_point point;
	atomic_long left;
} armed;

/* The file's first line, and what is behind it. */
static void read_file(char *line, char *rest)
{
	FILE *f = fopen(armed.file, "re");

	*line = '\0';
	if (f && fgets(line, LINE_ROOM, f) && rest) {
		rest[fread(rest, 1, FILE_ROOM - 1, f)] = '\0';
	}
	if (f) {
		fclose(f);
	}
}

void vy_crash_arm(const char *state_dir)
{
	char name[LINE_ROOM] = "";
	long n = 1;

	snprintf(armed.file, sizeof(armed.file), "%s/crash", state_dir);
	read_file(armed.line, NULL);
	if (sscanf(armed.line, "%120s %ld", name, &n) < 1) {
		armed.line[0] = '\0';
		return;
	}
	atomic_store(&armed.left, n);
	for (armed.point = 0; armed.point < VY_CRASH_POINTS_ALL; armed.point++) {
		if (strcmp(names[armed.point], name) == 0) {
			return;
		}
	}
	fprintf(stderr, "crash: there is no place \"%s\"\n", name);
	abort();
}

/* False: another program took the line, and died for it. */
static int take_line(void)
{
	char line[LINE_ROOM], rest[FILE_ROOM] = "";
	FILE *f;

	read_file(line, rest);
	if (strcmp(line, armed.line) != 0) {
		return 0;
	}
	if (!*rest) {
		return unlink(armed.file) == 0;
	}
	f = fopen(armed.file, "we");
	return f && fputs(rest, f) >= 0 && fclose(f) == 0;
}

void vy_crash_here(enum vy_crash_point p)
{
	if (armed.line[0] && p == armed.point && atomic_fetch_sub(&armed.left, 1) == 1 &&
		take_line()) {
		kill(getpid(), SIGKILL);
	}
}

#endif
