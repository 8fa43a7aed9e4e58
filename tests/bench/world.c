/* world.c -- see world.h. */
#include "tests/bench/world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

static struct world *at_hand; /* of world_fail() */

int64_t world_now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void world_fail(const char *fmt, ...)
{
	va_list ap;

	fputs("bench: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	if (at_hand) {
		world_close(at_hand);
	}
	exit(1);
}

/* ---- life ---- */

static void set_env(struct world *w, const char *fmt, ...) VY_PRINTF(2, 3);

static void set_env(struct world *w, const char *fmt, ...)
{
	va_list ap;

	vy_assert(w->env_n < WORLD_ENV - 1);
	va_start(ap, fmt);
	vy_assert(vasprintf(&w->env[w->env_n++], fmt, ap) > 0);
	va_end(ap);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
		world_fail("%s: %s", path, strerror(errno));
	}
}

static const char *path_in(const char *variable)
{
	const char *path = getenv(variable);

	return path && *path ? path : NULL;
}

/* Where the others are, and a home in which they ask nothing. */
static void find_others(struct world *w)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4096);

	w->program[WORLD_CLAUDE] = path_in("VYRE_CLAUDE");
	w->program[WORLD_CODEX] = path_in("VYRE_CODEX");
	w->program[WORLD_OPENCODE] = path_in("VYRE_OPENCODE");
	vy_buf_addf(&text,
		"{\"hasCompletedOnboarding\":true,\"projects\":{\"%s/work\":{"
		"\"hasTrustDialogAccepted\":true}}}",
		w->dir.path);
	write_file(tempdir_file(&w->dir, "home/.claude.json"), vy_buf_c(&text));
}

void world_configure(struct world *w, const char *text)
{
	FILE *f = fopen(tempdir_file(&w->dir, "home/vyre/vyred.conf"), "w");

	if (!f) {
		world_fail("no configuration in %s: %s", w->dir.path, strerror(errno));
	}
	fputs(text, f);
	fclose(f);
}

void world_open(struct world *w)
{
	const char *top = getenv("top_srcdir");

	*w = (struct world){ .dir = tempdir_make() };
	at_hand = w;
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* holders are counted, and ended */
	w->top = realpath(top ? top : ".", NULL);
	w->bin = realpath(".", NULL);
	if (!w->top || !w->bin) {
		world_fail("run this in the build folder, with top_srcdir set (make bench)");
	}
	if (mkdir(tempdir_file(&w->dir, "home"), 0700) != 0 ||
		mkdir(tempdir_file(&w->dir, "home/vyre"), 0700) != 0 ||
		mkdir(tempdir_file(&w->dir, "work"), 0700) != 0) {
		world_fail("%s: %s", w->dir.path, strerror(errno));
	}
	world_configure(w, "[sessions]\nmax_live=0\nidle_minutes=0\n");
	set_env(w, "PATH=%s", getenv("PATH"));
	set_env(w, "TERM=xterm-256color");
	set_env(w, "COLORTERM=truecolor");
	set_env(w, "LANG=C.UTF-8");
	set_env(w, "HOME=%s/home", w->dir.path);
	set_env(w, "TMPDIR=%s", w->dir.path);
	set_env(w, "XDG_CONFIG_HOME=%s/home", w->dir.path);
	set_env(w, "XDG_STATE_HOME=%s/home", w->dir.path);
	find_others(w);
}

static pid_t spawn(struct world *w, char *const *argv, int *own_out)
{
	int out[2] = { -1, -1 };

	if (own_out && pipe2(out, O_CLOEXEC) != 0) {
		world_fail("pipe: %s", strerror(errno));
	}
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);
		int log = open(
			tempdir_file(&w->dir, "programs.log"), O_WRONLY | O_CREAT | O_APPEND, 0600);

		dup2(null, 0);
		dup2(own_out ? out[1] : log, 1);
		dup2(log, 2);
		if (chdir(tempdir_file(&w->dir, "work")) == 0) {
			execvpe(argv[0], argv, w->env);
		}
		_exit(127);
	}
	if (own_out) {
		close(out[1]);
		*own_out = out[0];
	}
	return pid;
}

static void end(pid_t *pid)
{
	if (*pid > 0) {
		kill(*pid, SIGTERM);
		waitpid(*pid, NULL, 0);
	}
	*pid = 0;
}

void world_start_vyred(struct world *w)
{
	world_start_vyred_of(w, w->bin, NULL);
}

void world_start_vyred_of(struct world *w, const char *bin_dir, const char *listen)
{
	char bin[600], state[600], sock[600];

	snprintf(bin, sizeof(bin), "%s/vyred", bin_dir);
	snprintf(state, sizeof(state), "%s/s", w->dir.path);
	snprintf(sock, sizeof(sock), "%s/s/vyred.sock", w->dir.path);
	char *argv[] = { bin, "--foreground", "--state-dir", state, listen ? "--listen" : NULL,
		(char *)(uintptr_t)listen, NULL };

	w->vyred = spawn(w, argv, NULL);
	for (int i = 0; access(sock, F_OK) != 0; i++) {
		if (i == 1000) {
			world_fail("vyred did not start");
		}
		poll(NULL, 0, 10);
	}
}

void world_stop_vyred(struct world *w)
{
	char bin[600], state[600];

	if (w->vyred <= 0) {
		return;
	}
	snprintf(bin, sizeof(bin), "%s/vyred", w->bin);
	snprintf(state, sizeof(state), "%s/s", w->dir.path);
	char *argv[] = { bin, "stop", "--all", "--state-dir", state, NULL };
	pid_t pid = spawn(w, argv, NULL);

	waitpid(pid, NULL, 0);
	end(&w->vyred);
}

void world_close(struct world *w)
{
	at_hand = NULL;
	world_stop_vyred(w);
	end(&w->api);
	end(&w->others);
	while (waitpid(-1, NULL, WNOHANG) > 0) {
	}
	tempdir_remove(w->dir.path);
	free(w->top);
	free(w->bin);
	for (int i = 0; i < w->env_n; i++) {
		free(w->env[i]);
	}
}

/* Its port, when it listens; 0: it does not. */
static int start_double(struct world *w, const char *name, pid_t *pid)
{
	char script[600], line[256] = "";
	char *argv[] = { "node", script, NULL };
	int out;

	snprintf(script, sizeof(script), "%s/tests/doubles/%s.mjs", w->top, name);
	*pid = spawn(w, argv, &out);
	ssize_t n = read(out, line, sizeof(line) - 1);
	const char *port = n > 0 ? strstr(line, "\"port\":") : NULL;

	close(out);
	if (!port) {
		end(pid);
	}
	return port ? (int)strtol(port + 7, NULL, 10) : 0;
}

/* Codex and opencode are told in a file. */
static void point_others(struct world *w)
{
	VY_AUTO_BUF codex = VY_BUF_INIT(4096), opencode = VY_BUF_INIT(4096);

	vy_buf_addf(&codex,
		"model = \"fake-model\"\nmodel_provider = \"fake\"\ncheck_for_update_on_startup = "
		"false\n[analytics]\nenabled = false\n"
		"[model_providers.fake]\nname = \"fake\"\nbase_url = \"http://127.0.0.1:%d/v1\"\n"
		"wire_api = \"responses\"\n[projects.\"%s/work\"]\ntrust_level = \"trusted\"\n",
		w->others_port, w->dir.path);
	vy_buf_addf(&opencode,
		"{\"autoupdate\":false,\"share\":\"disabled\",\"model\":\"fake/fake-model\","
		"\"small_model\":\"fake/fake-model\",\"provider\":{\"fake\":{"
		"\"npm\":\"@ai-sdk/openai-compatible\",\"name\":\"fake\",\"options\":{"
		"\"baseURL\":\"http://127.0.0.1:%d/v1\"},\"models\":{\"fake-model\":{"
		"\"name\":\"fake\"}}}}}",
		w->others_port);
	if (mkdir(tempdir_file(&w->dir, "home/.codex"), 0700) != 0 ||
		mkdir(tempdir_file(&w->dir, "home/opencode"), 0700) != 0) {
		world_fail("%s: %s", w->dir.path, strerror(errno));
	}
	write_file(tempdir_file(&w->dir, "home/.codex/config.toml"), vy_buf_c(&codex));
	write_file(tempdir_file(&w->dir, "home/opencode/opencode.json"), vy_buf_c(&opencode));
}

bool world_start_api(struct world *w)
{
	w->port = start_double(w, "messages_api", &w->api);
	w->others_port = start_double(w, "other_apis", &w->others);
	if (!w->port || !w->others_port) {
		return false;
	}
	set_env(w, "ANTHROPIC_BASE_URL=http://127.0.0.1:%d", w->port);
	set_env(w, "ANTHROPIC_AUTH_TOKEN=no-real-token");
	set_env(w, "DISABLE_AUTOUPDATER=1");
	set_env(w, "DISABLE_TELEMETRY=1");
	set_env(w, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1");
	set_env(w, "OPENCODE_DISABLE_AUTOUPDATE=1");
	set_env(w, "OPENCODE_DISABLE_MODELS_FETCH=1");
	point_others(w);
	return true;
}

/* ---- who is compared ---- */

bool world_has(const struct world *w, enum world_who who)
{
	return who == WORLD_VYRE || (w->port && (who == WORLD_FLOOR || w->program[who]));
}

const char *world_name(enum world_who who)
{
	static const char *const names[] = { "floor", "vyre", "claude", "codex", "opencode" };

	return names[who];
}

const char *world_command(struct world *w, enum world_who who)
{
	static char line[2048];

	switch (who) {
	case WORLD_FLOOR:
		snprintf(line, sizeof(line), "%s/tests/bench/floor %d", w->bin, w->port);
		break;
	case WORLD_VYRE:
		snprintf(line, sizeof(line),
			"%s/vyre-tui --state-dir %s/s --cwd %s/work --new --provider demo", w->bin,
			w->dir.path, w->dir.path);
		break;
	default:
		snprintf(line, sizeof(line), "sh -c 'cd %s/work && exec %s'", w->dir.path,
			w->program[who]);
		break;
	}
	return line;
}

/* ---- vyred's RPC ---- */

static int dial(struct world *w)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%.80s/s/vyred.sock", w->dir.path);
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
		world_fail("vyred.sock: %s", strerror(errno));
	}
	return fd;
}

char *world_call(struct world *w, const char *method, const char *params)
{
	VY_AUTO_BUF body = VY_BUF_INIT(1 << 20), b = VY_BUF_INIT(1 << 22);
	int fd = dial(w);
	ssize_t n;

	vy_buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
		params);
	dprintf(fd,
		"POST /v1/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		"Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
		body.len, vy_buf_c(&body));
	do {
		vy_buf_reserve(&b, 65536);
		n = read(fd, b.data + b.len, 65536);
		b.len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	close(fd);
	vy_buf_addc(&b, '\0');
	const char *answer = strstr(b.data, "{\"jsonrpc\"");

	return vy_strdup(answer ? answer : "");
}

size_t world_get(struct world *w, const char *target)
{
	char bytes[65536];
	int fd = dial(w);
	size_t sum = 0;
	ssize_t n;

	dprintf(fd, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", target);
	while ((n = read(fd, bytes, sizeof(bytes))) > 0) {
		sum += (size_t)n;
	}
	close(fd);
	return sum;
}

/* ---- what a process costs ---- */

int64_t world_cpu_us(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) {
		return 0;
	}
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Member `n` of /proc/PID/stat, counted as in proc(5); 0 when it is gone. `comm` gets its name. */
static int64_t stat_of(pid_t pid, int n, char comm[64])
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0) {
		close(fd);
	}
	if (len <= 0) {
		return 0;
	}
	text[len] = '\0';
	char *open_ = strchr(text, '('), *at = strrchr(text, ')');

	if (!open_ || !at) {
		return 0;
	}
	if (comm) {
		snprintf(comm, 64, "%.*s", (int)(at - open_ - 1), open_ + 1);
	}
	for (int i = 2; i < n && at; i++) {
		at = strchr(at + 1, ' ');
	}
	return at ? strtoll(at + 1, NULL, 10) : 0;
}

/* The sum of `of` over a process and everything below it. */
static int64_t tree(pid_t pid, const char *but, int64_t (*of)(pid_t))
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	char comm[64] = "";
	int64_t sum;

	stat_of(pid, 4, comm);
	sum = but && strcmp(comm, but) == 0 ? 0 : of(pid);
	while (proc && (e = readdir(proc)) != NULL) {
		pid_t other = (pid_t)strtol(e->d_name, NULL, 10);

		if (other > 0 && other != pid && stat_of(other, 4, NULL) == pid) {
			sum += tree(other, but, of);
		}
	}
	if (proc) {
		closedir(proc);
	}
	return sum;
}

int64_t world_tree_cpu_us(pid_t pid, const char *but)
{
	return tree(pid, but, world_cpu_us);
}

int64_t world_rss_kb(pid_t pid)
{
	return stat_of(pid, 24, NULL) * (sysconf(_SC_PAGESIZE) / 1024);
}

int64_t world_tree_rss_kb(pid_t pid)
{
	return tree(pid, NULL, world_rss_kb);
}

int64_t world_ticks(pid_t pid)
{
	return stat_of(pid, 14, NULL) + stat_of(pid, 15, NULL);
}

int64_t world_switches(pid_t pid)
{
	char path[64], line[256];
	long long n, sum = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "voluntary_ctxt_switches: %lld", &n) == 1) {
			sum += n;
		}
	}
	if (f) {
		fclose(f);
	}
	return sum;
}

int64_t world_tree_ticks(pid_t pid)
{
	return tree(pid, NULL, world_ticks);
}

int64_t world_tree_switches(pid_t pid)
{
	return tree(pid, NULL, world_switches);
}

/* ---- figures ---- */

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

double world_quantile(double *v, size_t n, double q)
{
	if (n == 0) {
		return -1;
	}
	qsort(v, n, sizeof(*v), by_value);
	return v[(size_t)(q * (double)(n - 1) + 0.5)];
}

double world_median(double *v, size_t n)
{
	return world_quantile(v, n, 0.5);
}
