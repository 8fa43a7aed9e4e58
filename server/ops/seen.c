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

#define STEP_MS 20

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

static bool has_word(pid_t pid, const void *what)
{
	char words[1024];
	size_t n = read_of(pid, "cmdline", words, sizeof(words));
	bool has = false;

	for (size_t at = 0; at < n && !has; at += strlen(words + at) + 1) {
		has = strcmp(words + at, what) == 0;
	}
	return has;
}

size_t seen_with(const char *word)
{
	return count(has_word, word);
}

static void wait_a_bit(void)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000 };

	nanosleep(&step, NULL);
}

bool seen_come(const char *word, int ms)
{
	for (int waited = 0; waited < ms && !seen_with(word); waited += STEP_MS) {
		wait_a_bit();
	}
	return seen_with(word) > 0;
}

static bool is_gone(const char *word, pid_t session)
{
	return !seen_with(word) && (session <= 0 || !count(is_of_session, &session));
}

bool seen_gone(const char *word, pid_t session, int ms)
{
	for (int waited = 0; waited < ms && !is_gone(word, session); waited += STEP_MS) {
		wait_a_bit();
	}
	return is_gone(word, session);
}
