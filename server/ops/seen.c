/* seen.c -- see seen.h. */
#include "server/ops/seen.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/ban.h"

bool seen_file(const char *folder, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return access(path, F_OK) == 0;
}

/* The first bytes of /proc/PID/FILE, with a NUL behind them. */
static size_t read_of(pid_t pid, const char *file, char *out, size_t room)
{
	char path[64];
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	FILE *f = fopen(path, "re");

	if (f) {
		n = fread(out, 1, room - 1, f);
		fclose(f);
	}
	out[n] = '\0';
	return n;
}

/* Its state is the letter behind the name, which may hold anything; its session the third number
 * behind that. */
static bool is_alive(pid_t pid, pid_t *sid)
{
	char text[1024], state = 'X';
	const char *at;
	int session = 0;

	if (!read_of(pid, "stat", text, sizeof(text)) || !(at = strrchr(text, ')')) ||
		sscanf(at + 1, " %c %*d %*d %d", &state, &session) != 2) {
		return false;
	}
	*sid = session;
	return state != 'Z' && state != 'X';
}

bool seen_process(pid_t pid)
{
	pid_t sid;

	return pid > 0 && is_alive(pid, &sid);
}

typedef bool seen_fn(pid_t pid, const void *what);

static size_t count(seen_fn *fn, const void *what)
{
	DIR *d = opendir("/proc");
	struct dirent *en;
	size_t n = 0;

	while (d && (en = readdir(d))) {
		char *end;
		long pid = strtol(en->d_name, &end, 10);

		n += pid > 0 && !*end && fn((pid_t)pid, what);
	}
	if (d) {
		closedir(d);
	}
	return n;
}

static bool is_of_session(pid_t pid, const void *what)
{
	pid_t sid;

	return is_alive(pid, &sid) && sid == *(const pid_t *)what;
}

bool seen_session(pid_t sid)
{
	return sid > 0 && count(is_of_session, &sid) > 0;
}

static bool is_sleeper(pid_t pid, const void *what)
{
	char words[256];
	size_t n = read_of(pid, "cmdline", words, sizeof(words)), first = strlen(words);
	const char *name = strrchr(words, '/');

	return first < n && strcmp(name ? name + 1 : words, "sleep") == 0 &&
	       strcmp(words + first + 1, what) == 0;
}

size_t seen_sleepers(const char *word)
{
	return count(is_sleeper, word);
}

static bool wait_for(const char *word, bool some, int ms)
{
	const struct timespec step = { .tv_nsec = 20 * 1000000 };

	for (int waited = 0; waited < ms && (seen_sleepers(word) > 0) != some; waited += 20) {
		nanosleep(&step, NULL);
	}
	return (seen_sleepers(word) > 0) == some;
}

bool seen_come(const char *word, int ms)
{
	return wait_for(word, true, ms);
}

bool seen_gone(const char *word, int ms)
{
	return wait_for(word, false, ms);
}
