/* agent_bench.c -- what vyred adds to an agent: until its first word, and for each word behind it.
 *
 * usage: agent_bench [--rounds N]    one JSON object a line
 * The same agent, told the same words, once on two pipes of ours and once by a vyred, in turn: the demo and, where it is
 * (VYRE_CLAUDE), the real claude against the stand-in for its API. A start is from nothing to the first word, process and
 * handshake in it; late is a word of a reply that goes on, from when it was written (stamp.h). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/provider/provider.h"
#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "tests/bench/stamp.h"
#include "tests/bench/viewers.h"
#include "tests/bench/world.h"
#include "shared/base/ban.h"

enum {
	ROUNDS = 15,
	ROUNDS_MAX = 99,
	WORDS = 4000,
	RATE = 500,
	STAMPS = WORDS / 50,
	WAIT_MS = 30000
};

#define START_LIMIT_MS 15.0
#define DELTA_LIMIT_US 1000.0

static struct world w;
static int rounds = ROUNDS;
static struct vy_arena mem;

/* ---- the agent alone ---- */

struct bare {
	pid_t pid;
	int in, out;
	size_t kept; /* of a stamp that is cut off */
	char part[65536];
};

/* As the driver starts it, and with a key on the same descriptor: what is compared is the same agent. */
static void run_agent(const char *who, const char *id)
{
	struct provider_conf conf = {
		.name = who, .kind = who, .auth = strcmp(who, "claude") == 0 ? "api-key" : "login"
	};
	const char *cwd = tempdir_file(&w.dir, "work"),
		   *self = vy_arena_printf(&mem, "%s/vyred", w.bin);
	struct provider_launch l = { .conf = &conf,
		.session = vy_str_c(id),
		.cwd = vy_str_c(cwd),
		.self = self,
		.state_dir = w.dir.path };
	struct provider_spawn spawn = { 0 };
	const char *env[2 * WORLD_ENV] = { 0 };
	size_t n = 0;
	struct vy_err e = { 0 };

	conf.command = strcmp(who, "claude") == 0 ? w.program[WORLD_CLAUDE] : NULL;
	l.model = vy_str_c(strcmp(who, "claude") == 0 ? "opus" : "");
	if (provider_find(who)->launch(&l, &spawn, &mem, &e) != 0 || chdir(cwd) != 0) {
		_exit(126);
	}
	for (size_t i = 0; w.env[i]; i++) {
		if (strncmp(w.env[i], "ANTHROPIC_AUTH", 14) != 0) {
			env[n++] = w.env[i];
		}
	}
	if (spawn.secret_name) {
		int key[2];

		if (pipe(key) != 0 || write(key[1], "sk-ant-no-real-key\n", 19) != 19) {
			_exit(125);
		}
		close(key[1]);
		if (key[0] != 3) {
			dup2(key[0], 3);
			close(key[0]);
		}
	}
	for (size_t i = 0; spawn.env && spawn.env[i]; i++) {
		env[n++] = spawn.env[i];
	}
	execve(spawn.argv[0], (char **)(uintptr_t)spawn.argv, (char **)(uintptr_t)env);
	_exit(127);
}

static void bare_start(struct bare *b, const char *who)
{
	int in[2], out[2];
	char id[VY_UUID_LEN + 1];

	vy_uuid(id);
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
		world_fail("pipe: %s", strerror(errno));
	}
	b->pid = fork();
	b->kept = 0;
	if (b->pid == 0) {
		int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(nothing, 2);
		run_agent(who, id);
	}
	close(in[0]);
	close(out[1]);
	b->in = in[1];
	b->out = out[0];
}

static void bare_tell(struct bare *b, const char *line)
{
	if (write(b->in, line, strlen(line)) != (ssize_t)strlen(line)) {
		world_fail("the agent does not listen");
	}
}

static void bare_say(struct bare *b, const char *text)
{
	char line[512], uuid[VY_UUID_LEN + 1];

	vy_uuid(uuid);
	snprintf(line, sizeof(line),
		"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"%s\"},"
		"\"parent_tool_use_id\":null,\"uuid\":\"%s\"}\n",
		text, uuid);
	bare_tell(b, line);
}

/* Until n stamps came, each in a delta: late[i] in us. The same word comes again in the whole block; it is left out by its time,
 * which is no newer than the last. */
static void bare_read(struct bare *b, double *late, size_t n)
{
	int64_t last = 0;

	for (size_t have = 0; have < n;) {
		struct pollfd p = { b->out, POLLIN, 0 };
		const char *end = b->part;
		ssize_t got = poll(&p, 1, WAIT_MS) > 0
				      ? read(b->out, b->part + b->kept, sizeof(b->part) - b->kept)
				      : 0;
		int64_t now = stamp_now(), us;
		size_t len = b->kept + (size_t)(got > 0 ? got : 0);

		if (got <= 0) {
			world_fail("the agent said %zu of %zu words", have, n);
		}
		while ((us = stamp_next(end, len - (size_t)(end - b->part), &end))) {
			if (us > last && have < n) {
				late[have++] = (double)(now - us);
				last = us;
			}
		}
		b->kept = len - (size_t)(end - b->part);
		b->kept = b->kept < STAMP_MAX ? b->kept : 0;
		memmove(b->part, b->part + len - b->kept, b->kept);
	}
}

static void bare_end(struct bare *b)
{
	close(b->in);
	close(b->out);
	kill(b->pid, SIGTERM);
	waitpid(b->pid, NULL, 0);
}

static const char hello[] = "{\"type\":\"control_request\",\"request_id\":\"1\",\"request\":"
			    "{\"subtype\":\"initialize\"}}\n";

static double bare_first_ms(const char *who)
{
	struct bare *b = VY_NEW(struct bare);
	int64_t begin = stamp_now();
	double late;

	bare_start(b, who);
	bare_tell(b, hello);
	bare_say(b, "pace:1");
	bare_read(b, &late, 1);
	double ms = (double)(stamp_now() - begin) / 1e3;

	bare_end(b);
	free(b);
	return ms;
}

/* ---- the same by a vyred ---- */

static void member(const char *json, const char *name, char *out, size_t room)
{
	char key[64];

	snprintf(key, sizeof(key), "\"%s\":\"", name);
	const char *at = strstr(json, key);

	if (!at) {
		world_fail("no %s: %.300s", name, json);
	}
	at += strlen(key);
	snprintf(out, room, "%.*s", (int)strcspn(at, "\""), at);
}

static void start_session(const char *who, const char *text, char *session, size_t room)
{
	char params[900];

	snprintf(params, sizeof(params),
		"{\"provider\":\"%s\",\"cwd\":\"%.500s/work\",\"text\":\"%s\"}", who, w.dir.path,
		text);
	char *answer = world_call(&w, "threads.start", params);

	member(answer, "session", session, room);
	free(answer);
}

static void watch(struct viewers *v, const char *session)
{
	char params[200], path[300], sock[600];

	snprintf(params, sizeof(params), "{\"session\":\"%s\",\"from\":0}", session);
	snprintf(sock, sizeof(sock), "%.500s/s/vyred.sock", w.dir.path);
	char *answer = world_call(&w, "stream.open", params);
	struct viewers_way way = { .sock = sock };

	member(answer, "path", path, sizeof(path));
	free(answer);
	viewers_add(v, &way, path);
}

static void drop_session(const char *session)
{
	char params[200];

	snprintf(params, sizeof(params), "{\"session\":\"%s\"}", session);
	free(world_call(&w, "threads.delete", params));
}

static double vyred_first_ms(const char *who)
{
	struct viewers *v = viewers_new();
	char session[64];
	int64_t begin = stamp_now();

	start_session(who, "pace:1", session, sizeof(session));
	watch(v, session);
	if (!viewers_read(v, 1, WAIT_MS)) {
		world_fail("no word came by vyred");
	}
	double ms = (double)(stamp_now() - begin) / 1e3;

	viewers_free(v);
	drop_session(session);
	return ms;
}

/* ---- both ---- */

static void starts(const char *who)
{
	double bare[ROUNDS_MAX], ours[ROUNDS_MAX];

	for (int i = 0; i < rounds; i++) {
		bare[i] = bare_first_ms(who);
		ours[i] = vyred_first_ms(who);
	}
	/* the lower quartile: what else the machine does only adds */
	double b = world_quantile(bare, (size_t)rounds, 0.25);
	double o = world_quantile(ours, (size_t)rounds, 0.25);

	printf("{\"bench\":\"agent_start\",\"who\":\"%s\",\"rounds\":%d,\"bare_ms\":%.2f,"
	       "\"vyred_ms\":%.2f,\"adds_ms\":%.2f,\"adds_limit\":%.1f,\"adds_met\":%s}\n",
		who, rounds, b, o, o - b, START_LIMIT_MS,
		o - b < START_LIMIT_MS ? "true" : "false");
	fflush(stdout);
}

static double bare_late_us(const char *who, double *p95)
{
	struct bare *b = VY_NEW(struct bare);
	double late[STAMPS];
	char text[64];

	snprintf(text, sizeof(text), "pace:%d rate=%d", WORDS, RATE);
	bare_start(b, who);
	bare_tell(b, hello);
	bare_say(b, text);
	bare_read(b, late, STAMPS - 1);
	bare_end(b);
	free(b);
	*p95 = world_quantile(late, STAMPS - 1, 0.95);
	return world_quantile(late, STAMPS - 1, 0.5);
}

static double vyred_late_us(const char *who, double *p95)
{
	struct viewers *v = viewers_new();
	char session[64], text[64];
	size_t n;

	snprintf(text, sizeof(text), "pace:%d rate=%d", WORDS, RATE);
	start_session(who, text, session, sizeof(session));
	watch(v, session);
	if (!viewers_read(v, STAMPS - 1, WAIT_MS)) {
		world_fail("not every word came by vyred");
	}
	double *late = viewers_late(v, &n);
	double p50 = world_quantile(late, n, 0.5);

	*p95 = world_quantile(late, n, 0.95);
	viewers_free(v);
	drop_session(session);
	return p50;
}

static void words(const char *who)
{
	double bare[3], ours[3], bare95[3], ours95[3];

	for (int i = 0; i < 3; i++) {
		bare[i] = bare_late_us(who, &bare95[i]);
		ours[i] = vyred_late_us(who, &ours95[i]);
	}
	double b = world_median(bare, 3), o = world_median(ours, 3);

	printf("{\"bench\":\"agent_words\",\"who\":\"%s\",\"words\":%d,\"rate\":%d,"
	       "\"bare_p50_us\":%.0f,\"vyred_p50_us\":%.0f,\"bare_p95_us\":%.0f,"
	       "\"vyred_p95_us\":%.0f,\"adds_p50_us\":%.0f,\"adds_limit\":%.0f,\"adds_met\":%s}\n",
		who, WORDS, RATE, b, o, world_median(bare95, 3), world_median(ours95, 3), o - b,
		DELTA_LIMIT_US, o - b < DELTA_LIMIT_US ? "true" : "false");
	fflush(stdout);
}

static void write_config(bool has_claude)
{
	FILE *f;

	mkdir(tempdir_file(&w.dir, "home/vyre"), 0700); /* XDG_CONFIG_HOME is the home */
	f = fopen(tempdir_file(&w.dir, "home/vyre/vyred.conf"), "we");
	if (!f) {
		world_fail("vyred.conf: %s", strerror(errno));
	}
	if (has_claude) {
		fprintf(f,
			"[provider.claude]\nkind=claude\ncommand=%s\nauth=api-key\n"
			"env.ANTHROPIC_BASE_URL=http://127.0.0.1:%d\n"
			"env.DISABLE_TELEMETRY=1\n"
			"env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1\n",
			w.program[WORLD_CLAUDE], w.port);
	}
	fclose(f);
}

/* What looks like a key, into the store of the vyred that is measured. */
static void keep_key(void)
{
	char command[1400];

	snprintf(command, sizeof(command), "%.600s/vyred secret set claude --state-dir %.500s/s",
		w.bin, w.dir.path);
	FILE *f = popen(command, "we");

	if (!f || fputs("sk-ant-no-real-key\n", f) < 0 || pclose(f) != 0) {
		world_fail("the key was not kept");
	}
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc == 3 && strcmp(argv[1], "--rounds") == 0) {
		rounds = (int)strtol(argv[2], NULL, 10);
		rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
	}
	vy_arena_init(&mem);
	world_open(&w);
	bool has_claude = w.program[WORLD_CLAUDE] && world_start_api(&w);

	write_config(has_claude);
	if (has_claude) {
		keep_key();
	}
	world_start_vyred(&w);
	starts("demo");
	words("demo");
	if (has_claude) {
		starts("claude");
		words("claude");
	} else {
		fputs("bench: no claude here (VYRE_CLAUDE), or no node: the demo alone\n", stderr);
	}
	world_close(&w);
	return 0;
}
