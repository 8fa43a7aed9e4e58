/* agent_bench.c -- what vyred adds to an agent: until its first word, and for each word behind it.
 *
 * usage: agent_bench [--rounds N] [WHO...]    one JSON object a line
 * The same agent, told the same words, once on two pipes of ours and once by a vyred, in turn: the demo and, where they are
 * (VYRE_CLAUDE, VYRE_CODEX, VYRE_OPENCODE), the real ones against the stand-ins for their APIs. On the pipes it is told the
 * least that makes it speak. A start is from nothing to the first word, process and handshake in it; late is a word of a reply
 * that goes on, from when it was written (stamp.h). */
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
#include "shared/base/json.h"
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

#define DELTA_LIMIT_US 1000.0

/* Who is measured, and how it is brought to its first word. */
struct bare;
struct subject {
	const char *name, *kind, *args;
	enum world_who program; /* WORLD_PEERS: our own */
	void (*tell)(struct bare *b, const char *text);
	double limit_ms; /* of what may be added to a start */
	int rounds_for;  /* of so many rounds it has one: its start takes seconds */
};

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
static void run_agent(const struct subject *who, const char *id)
{
	bool is_paid = strcmp(who->kind, "claude") == 0;
	struct provider_conf conf = { .name = who->name,
		.kind = who->kind,
		.command = who->program < WORLD_PEERS ? w.program[who->program] : NULL,
		.args = who->args,
		.auth = is_paid ? "api-key" : "login" };
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

	l.model = vy_str_c(is_paid ? "opus" : "");
	if (provider_find(who->kind)->launch(&l, &spawn, &mem, &e) != 0 || chdir(cwd) != 0) {
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

static void bare_start(struct bare *b, const struct subject *who)
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

static void tell_claude(struct bare *b, const char *text)
{
	char line[512], uuid[VY_UUID_LEN + 1];

	bare_tell(b, "{\"type\":\"control_request\",\"request_id\":\"1\",\"request\":"
		     "{\"subtype\":\"initialize\"}}\n");
	vy_uuid(uuid);
	snprintf(line, sizeof(line),
		"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"%s\"},"
		"\"parent_tool_use_id\":null,\"uuid\":\"%s\"}\n",
		text, uuid);
	bare_tell(b, line);
}

/* The answer to request `id`, of which `path` is wanted; what comes before it is dropped. */
static void bare_hear(struct bare *b, int64_t id, const char *path, char *out, size_t room)
{
	VY_AUTO_BUF in = VY_BUF_INIT(1 << 24);

	for (;;) {
		struct pollfd p = { b->out, POLLIN, 0 };
		const char *end;

		if (poll(&p, 1, WAIT_MS) <= 0 || !vy_buf_reserve(&in, 65536)) {
			world_fail("the agent does not answer request %d", (int)id);
		}
		ssize_t n = read(b->out, in.data + in.len, 65536);

		if (n <= 0) {
			world_fail("the agent ended before it answered request %d", (int)id);
		}
		in.len += (size_t)n;
		while ((end = memchr(in.data, 0x0a, in.len))) {
			size_t len = (size_t)(end - in.data);
			VY_AUTO_JSON *line = vy_json_parse_lenient(vy_str_n(in.data, len), NULL);
			struct vy_str s = vy_json_strval(vy_json_path(line, path));

			vy_buf_consume(&in, len + 1);
			if (vy_json_int(line, "id", -1) == id && !vy_json_get(line, "method")) {
				snprintf(out, room, "%.*s", VY_STR_ARG(s));
				return;
			}
		}
	}
}

static void tell_codex(struct bare *b, const char *text)
{
	char line[1400], id[200];

	bare_tell(b, "{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientInfo\":{\"name\":"
		     "\"bench\","
		     "\"version\":\"1\"},\"capabilities\":{\"experimentalApi\":true}}}\n");
	bare_hear(b, 1, "result.userAgent", id, sizeof(id));
	snprintf(line, sizeof(line),
		"{\"method\":\"initialized\"}\n{\"id\":2,\"method\":\"thread/"
		"start\",\"params\":{\"cwd\":\"%.500s\"}}\n",
		tempdir_file(&w.dir, "work"));
	bare_tell(b, line);
	bare_hear(b, 2, "result.thread.id", id, sizeof(id));
	snprintf(line, sizeof(line),
		"{\"id\":3,\"method\":\"turn/"
		"start\",\"params\":{\"threadId\":\"%s\",\"input\":[{\"type\":\"text\","
		"\"text\":\"%s\"}]}}\n",
		id, text);
	bare_tell(b, line);
}

static void tell_acp(struct bare *b, const char *text)
{
	char line[1400], id[200];

	bare_tell(b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		     "\"protocolVersion\":1,"
		     "\"clientCapabilities\":{}}}\n");
	bare_hear(b, 1, "result.agentInfo.name", id, sizeof(id));
	snprintf(line, sizeof(line),
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session/"
		"new\",\"params\":{\"cwd\":\"%.500s\","
		"\"mcpServers\":[]}}\n",
		tempdir_file(&w.dir, "work"));
	bare_tell(b, line);
	bare_hear(b, 2, "result.sessionId", id, sizeof(id));
	snprintf(line, sizeof(line),
		"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"session/"
		"prompt\",\"params\":{\"sessionId\":\"%s\","
		"\"prompt\":[{\"type\":\"text\",\"text\":\"%s\"}]}}\n",
		id, text);
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

static double bare_first_ms(const struct subject *who)
{
	struct bare *b = VY_NEW(struct bare);
	int64_t begin = stamp_now();
	double late;

	bare_start(b, who);
	who->tell(b, "pace:1");
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

static double vyred_first_ms(const struct subject *who)
{
	struct viewers *v = viewers_new();
	char session[64];
	int64_t begin = stamp_now();

	start_session(who->name, "pace:1", session, sizeof(session));
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

static void starts(const struct subject *who)
{
	double bare[ROUNDS_MAX], ours[ROUNDS_MAX];
	int n = (rounds + who->rounds_for - 1) / who->rounds_for;

	for (int i = 0; i < n; i++) {
		bare[i] = bare_first_ms(who);
		ours[i] = vyred_first_ms(who);
	}
	/* the lower quartile: what else the machine does only adds */
	double b = world_quantile(bare, (size_t)n, 0.25);
	double o = world_quantile(ours, (size_t)n, 0.25);

	printf("{\"bench\":\"agent_start\",\"who\":\"%s\",\"rounds\":%d,\"bare_ms\":%.2f,"
	       "\"vyred_ms\":%.2f,\"adds_ms\":%.2f,\"adds_limit\":%.1f,\"adds_met\":%s}\n",
		who->name, n, b, o, o - b, who->limit_ms, o - b < who->limit_ms ? "true" : "false");
	fflush(stdout);
}

static double bare_late_us(const struct subject *who, double *p95)
{
	struct bare *b = VY_NEW(struct bare);
	double late[STAMPS];
	char text[64];

	snprintf(text, sizeof(text), "pace:%d rate=%d", WORDS, RATE);
	bare_start(b, who);
	who->tell(b, text);
	bare_read(b, late, STAMPS - 1);
	bare_end(b);
	free(b);
	*p95 = world_quantile(late, STAMPS - 1, 0.95);
	return world_quantile(late, STAMPS - 1, 0.5);
}

static double vyred_late_us(const struct subject *who, double *p95)
{
	struct viewers *v = viewers_new();
	char session[64], text[64];
	size_t n;

	snprintf(text, sizeof(text), "pace:%d rate=%d", WORDS, RATE);
	start_session(who->name, text, session, sizeof(session));
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

static void words(const struct subject *who)
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
		who->name, WORDS, RATE, b, o, world_median(bare95, 3), world_median(ours95, 3),
		o - b, DELTA_LIMIT_US, o - b < DELTA_LIMIT_US ? "true" : "false");
	fflush(stdout);
}

/* The same environment as on the pipes, where it is not what an agent has anyway. */
static void configure(void)
{
	VY_AUTO_BUF text = VY_BUF_INIT(8192);

	if (w.program[WORLD_CLAUDE]) {
		vy_buf_addf(&text,
			"[provider.claude]\nkind=claude\ncommand=%s\nauth=api-key\n"
			"env.ANTHROPIC_BASE_URL=http://127.0.0.1:%d\n"
			"env.DISABLE_TELEMETRY=1\n"
			"env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1\n",
			w.program[WORLD_CLAUDE], w.port);
	}
	if (w.program[WORLD_CODEX]) {
		vy_buf_addf(&text, "[provider.codex]\nkind=codex\ncommand=%s\n",
			w.program[WORLD_CODEX]);
	}
	if (w.program[WORLD_OPENCODE]) {
		vy_buf_addf(&text,
			"[provider.opencode]\nkind=acp\ncommand=%s\nargs=acp\n"
			"env.XDG_CONFIG_HOME=%s/home\nenv.XDG_STATE_HOME=%s/home\n"
			"env.OPENCODE_DISABLE_AUTOUPDATE=1\nenv.OPENCODE_DISABLE_MODELS_FETCH=1\n",
			w.program[WORLD_OPENCODE], w.dir.path, w.dir.path);
	}
	world_configure(&w, vy_buf_c(&text));
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

static const struct subject subjects[] = {
	{ "demo", "demo", NULL, WORLD_PEERS, tell_claude, 15, 1 },
	{ "claude", "claude", NULL, WORLD_CLAUDE, tell_claude, 15, 1 },
	{ "codex", "codex", NULL, WORLD_CODEX, tell_codex, 20, 1 },
	{ "opencode", "acp", "acp", WORLD_OPENCODE, tell_acp, 20, 2 },
};

static bool is_wanted(const struct subject *s, char **names, int n)
{
	bool is_named = n == 0;

	for (int i = 0; i < n; i++) {
		is_named |= strcmp(names[i], s->name) == 0;
	}
	return is_named && (s->program == WORLD_PEERS || world_has(&w, s->program));
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc > 2 && strcmp(argv[1], "--rounds") == 0) {
		rounds = (int)strtol(argv[2], NULL, 10);
		rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
		argc -= 2;
		argv += 2;
	}
	vy_arena_init(&mem);
	world_open(&w);
	if (!world_start_api(&w)) {
		fputs("bench: no node here: the demo alone\n", stderr);
	}
	configure();
	if (w.program[WORLD_CLAUDE]) {
		keep_key();
	}
	world_start_vyred(&w);
	for (size_t i = 0; i < VY_COUNT(subjects); i++) {
		if (is_wanted(&subjects[i], argv + 1, argc - 1)) {
			starts(&subjects[i]);
			words(&subjects[i]);
		}
	}
	world_close(&w);
	return 0;
}
