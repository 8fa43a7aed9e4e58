/* hook_bench.c -- what the hook adds to a claude in a terminal.
 *
 * usage: hook_bench [ROUNDS]    one JSON object; 300 rounds unless said otherwise
 * From the start of the hook's program to its end, as claude waits for it: before each tool (the floor rules, asked
 * of nobody), at a turn's end (a question to vyred), with no vyred there; beside them a program that does nothing.
 * Medians and the slowest of twenty, in microseconds. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/bench/world.h"
#include "shared/base/ban.h"

#define ROUNDS  300
#define PRE_MS  20.0
#define SESSION "7d0c1f3e-0000-4000-8000-000000000001"

extern char **environ;

static struct world the_world;

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* As claude does: its words on stdin, what it prints read to the end. */
static int64_t run_once(char *const *argv, const char *said)
{
	posix_spawn_file_actions_t fa;
	int in[2], out[2], status;
	char room[4096];
	pid_t pid;
	int64_t from = now_us();

	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
		world_fail("making a pipe");
	}
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, in[0], 0);
	posix_spawn_file_actions_adddup2(&fa, out[1], 1);
	if (posix_spawn(&pid, argv[0], &fa, NULL, argv, environ) != 0) {
		world_fail("starting %s", argv[0]);
	}
	posix_spawn_file_actions_destroy(&fa);
	close(in[0]);
	close(out[1]);
	if (write(in[1], said, strlen(said)) < 0) {
		world_fail("writing to the hook");
	}
	close(in[1]);
	while (read(out[0], room, sizeof(room)) > 0) {
	}
	close(out[0]);
	if (waitpid(pid, &status, 0) != pid || status != 0) {
		world_fail("the hook ended with status %d", status);
	}
	return now_us() - from;
}

static void measure(
	const char *name, int rounds, char *const *argv, const char *said, struct vy_buf *out)
{
	int64_t *us = vy_calloc((size_t)rounds, sizeof(*us));

	for (int i = 0; i < rounds; i++) {
		us[i] = run_once(argv, said);
	}
	qsort(us, (size_t)rounds, sizeof(*us), by_size);
	vy_buf_addf(out, ",\"%s_us\":%lld,\"%s_p95_us\":%lld", name, (long long)us[rounds / 2],
		name, (long long)us[rounds * 19 / 20]);
	if (strcmp(name, "before_tool") == 0) {
		vy_buf_addf(out, ",\"before_tool_ms_limit\":%.0f,\"before_tool_ms_met\":%s", PRE_MS,
			(double)us[rounds * 19 / 20] / 1000 < PRE_MS ? "true" : "false");
	}
	free(us);
}

int main(int argc, char **argv)
{
	long long rounds = ROUNDS;

	if (argc > 2 || (argc > 1 && !vy_parse_i64(vy_str_c(argv[1]), &rounds)) || rounds < 1 ||
		rounds > 100000) {
		fputs("usage: hook_bench [ROUNDS]\n", stderr);
		return 2;
	}
	VY_AUTO_BUF program = VY_BUF_INIT(8192), state = VY_BUF_INIT(8192), out = VY_BUF_INIT(8192);
	static const char tool[] = "{\"session_id\":\"" SESSION "\",\"cwd\":\"/tmp\",\"tool_name\":"
				   "\"Bash\",\"tool_input\":{\"command\":\"cd src && make -j4 "
				   "check 2>&1 | tail -20\"}}";
	static const char stop[] = "{\"session_id\":\"" SESSION "\",\"background_tasks\":[]}";
	static const char *const nothing[] = { "/bin/true", NULL };

	prctl(PR_SET_NAME, "claude"); /* the hook is what such a one calls */
	world_open(&the_world);
	world_start_vyred(&the_world);
	vy_buf_addf(&program, "%s/vyred", the_world.bin);
	vy_buf_addf(&state, "%s/s", the_world.dir.path);
	const char *words[] = { vy_buf_c(&program), "--state-dir", vy_buf_c(&state), "hook", "run",
		"PreToolUse", NULL };

	vy_buf_addf(&out, "{\"bench\":\"hook\",\"rounds\":%lld", rounds);
	measure("nothing", (int)rounds, (char *const *)nothing, "", &out);
	measure("before_tool", (int)rounds, (char *const *)words, tool, &out);
	words[5] = "Stop";
	measure("turn_end", (int)rounds, (char *const *)words, stop, &out);
	world_stop_vyred(&the_world);
	measure("no_vyred", (int)rounds, (char *const *)words, stop, &out);
	printf("%s}\n", vy_buf_c(&out));
	world_close(&the_world);
	return 0;
}
