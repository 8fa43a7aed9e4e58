/* branch.c -- see branch.h. */
#include "tui/app/branch.h"

#include <stdio.h>
#include <string.h>

#include "shared/base/ban.h"

#define PATH 4096

static bool first_line(const char *path, char *out, size_t room)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fgets(out, (int)room, f);

	if (ok) {
		out[strcspn(out, "\n")] = '\0';
	}
	if (f) {
		fclose(f);
	}
	return ok;
}

bool branch_read(const char *cwd, char *out, size_t room)
{
	char path[PATH + 32], line[PATH];

	snprintf(path, sizeof(path), "%.4000s/.git/HEAD", cwd ? cwd : ".");
	if (!first_line(path, line, sizeof(line))) { /* a linked worktree: .git says where */
		snprintf(path, sizeof(path), "%.4000s/.git", cwd ? cwd : ".");
		if (!first_line(path, line, sizeof(line)) || strncmp(line, "gitdir: /", 9) != 0) {
			return false;
		}
		snprintf(path, sizeof(path), "%.4000s/HEAD", line + 8);
		if (!first_line(path, line, sizeof(line))) {
			return false;
		}
	}
	if (strncmp(line, "ref: refs/heads/", 16) != 0) {
		return false;
	}
	snprintf(out, room, "%s", line + 16);
	return true;
}
