/* serve.c -- see serve.h. */
#include "tests/bench/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "tests/bench/stamp.h"
#include "shared/base/ban.h"

#define BARE_TEXT_MAX 8192
#define BARE_BATCH    16 /* as play_holder: lines in one write when there is no gap */

/* ---- life ---- */

/* Copied, not linked: vyred looks for its holder beside the file that it is. */
static void copy_program(const char *from, const char *to)
{
	struct stat st;
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);

	if (in < 0 || out < 0 || fstat(in, &st) != 0) {
		world_fail("%s: %s", from, strerror(errno));
	}
	while (sendfile(out, in, NULL, (size_t)st.st_size) > 0) {
	}
	close(in);
	close(out);
}

static int free_port(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&a, n) != 0 ||
		getsockname(fd, (struct sockaddr *)&a, &n) != 0) {
		world_fail("a port: %s", strerror(errno));
	}
	close(fd);
	return ntohs(a.sin_port);
}

static void connect_ingest(struct serve *s)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%.100s", s->socks[2]);
	s->ingest = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	for (int i = 0; connect(s->ingest, (struct sockaddr *)&a, sizeof(a)) != 0; i++) {
		if (i == 500) {
			world_fail("the relay did not start");
		}
		poll(NULL, 0, 10);
	}
}

static void start_relay(struct serve *s)
{
	char program[600], port[16];

	snprintf(program, sizeof(program), "%s/tests/bench/bare_relay", s->world.bin);
	snprintf(port, sizeof(port), "%d", s->bare_tcp.port);
	s->relay = fork();
	if (s->relay == 0) {
		execl(program, "bare_relay", s->socks[2], s->socks[1], port, NULL);
		_exit(127);
	}
	connect_ingest(s);
}

static void raise_fds(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &r);
	}
}

void serve_open(struct serve *s, bool is_real)
{
	char from[700], to[700];

	*s = (struct serve){ .is_real = is_real };
	raise_fds();
	world_open(&s->world);
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "s/vyred.sock", "bare", "ingest" };

		snprintf(
			s->socks[i], sizeof(s->socks[i]), "%.500s/%s", s->world.dir.path, names[i]);
	}
	snprintf(s->bin, sizeof(s->bin), "%.500s/bin", s->world.dir.path);
	mkdir(s->bin, 0700);
	for (int i = 0; i < 2; i++) {
		const char *holder = is_real ? "vyre-holder" : "tests/bench/play_holder";

		snprintf(from, sizeof(from), "%.500s/%s", s->world.bin, i ? holder : "vyred");
		snprintf(to, sizeof(to), "%.500s/%s", s->bin, i ? "vyre-holder" : "vyred");
		copy_program(from, to);
	}
	s->vyred_unix.sock = s->vyred_tcp.sock = s->socks[0];
	s->bare_unix.sock = s->bare_tcp.sock = s->socks[1];
	s->vyred_tcp.port = free_port();
	s->bare_tcp.port = free_port();
	serve_respawn(s);
	start_relay(s);
}

void serve_respawn(struct serve *s)
{
	char listen_at[64];

	snprintf(listen_at, sizeof(listen_at), "127.0.0.1:%d", s->vyred_tcp.port);
	world_start_vyred_of(&s->world, s->bin, listen_at);
}

void serve_close(struct serve *s)
{
	close(s->ingest);
	waitpid(s->relay, NULL, 0);
	world_close(&s->world);
}

/* ---- a quiet moment ---- */

#define LOOK_MS 150
#define LOOKS   60

/* Ticks of all cores: idle, and all together. */
static void ticks(long long *idle, long long *all)
{
	long long t[8] = { 0 };
	FILE *f = fopen("/proc/stat", "re");
	int n = f ? fscanf(f, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &t[0], &t[1], &t[2],
			    &t[3], &t[4], &t[5], &t[6], &t[7])
		  : 0;

	if (f) {
		fclose(f);
	}
	*idle = t[3] + t[4];
	*all = 0;
	for (int i = 0; i < n; i++) {
		*all += t[i];
	}
}

void serve_quiet(void)
{
	for (int i = 0; i < LOOKS; i++) {
		long long idle[2], all[2];

		ticks(&idle[0], &all[0]);
		poll(NULL, 0, LOOK_MS);
		ticks(&idle[1], &all[1]);
		if (2 * (idle[1] - idle[0]) >= all[1] - all[0]) {
			return;
		}
	}
}

/* ---- vyred ---- */

const char *serve_member(const char *json, const char *name)
{
	static char value[1024];
	char key[64];
	const char *at;
	size_t n;

	snprintf(key, sizeof(key), "\"%s\":", name);
	at = strstr(json, key);
	value[0] = '\0';
	if (at) {
		at += strlen(key);
		at += *at == '"';
		n = strcspn(at, "\",}");
		snprintf(value, sizeof(value), "%.*s", (int)(n < 1000 ? n : 1000), at);
	}
	return value;
}

/* One member of the answer, or the bench ends with the whole of it. */
static void ask(struct serve *s, const char *method, const char *params, const char *name,
	char *out, size_t room)
{
	char *answer = world_call(&s->world, method, params);

	snprintf(out, room, "%s", serve_member(answer, name));
	if (!out[0]) {
		world_fail("%s: %.300s", method, answer);
	}
	free(answer);
}

void serve_session(struct serve *s)
{
	char params[700];

	snprintf(params, sizeof(params), "{\"provider\":\"demo\",\"cwd\":\"%.500s/work\"}",
		s->world.dir.path);
	ask(s, "threads.start", params, "session", s->session, sizeof(s->session));
}

void serve_ticket(struct serve *s, int64_t from, char *path, size_t room)
{
	char params[160];

	snprintf(params, sizeof(params), "{\"session\":\"%s\",\"from\":%lld}", s->session,
		(long long)from);
	ask(s, "stream.open", params, "path", path, room);
}

int64_t serve_viewer(struct serve *s, struct viewers *v, bool is_tcp, int64_t from)
{
	int64_t begin = stamp_now();
	char path[256];

	serve_ticket(s, from, path, sizeof(path));
	viewers_add(v, is_tcp ? &s->vyred_tcp : &s->vyred_unix, path);
	return stamp_now() - begin;
}

int64_t serve_head(struct serve *s)
{
	char params[160], head[32];

	snprintf(params, sizeof(params), "{\"session\":\"%s\"}", s->session);
	ask(s, "stream.open", params, "head", head, sizeof(head));
	return strtoll(head, NULL, 10);
}

void serve_emit(struct serve *s, int n, int gap_us, int bytes)
{
	char params[256], text[96], message[64];

	if (s->is_real) {
		snprintf(text, sizeof(text), "pace:%d rate=%d", n, 1000000 / gap_us);
	} else {
		snprintf(text, sizeof(text), "emit %d %d %d", n, gap_us, bytes);
	}
	snprintf(params, sizeof(params), "{\"session\":\"%s\",\"text\":\"%s\"}", s->session, text);
	ask(s, "threads.send", params, "message", message, sizeof(message));
}

void serve_rest(struct serve *s)
{
	char params[160], state[32] = "";

	snprintf(params, sizeof(params), "{\"session\":\"%s\"}", s->session);
	for (int i = 0; strcmp(state, "idle") != 0; i++) {
		if (i == 3000) {
			world_fail("the session is %s", state);
		}
		poll(NULL, 0, i ? 20 : 0);
		ask(s, "threads.get", params, "state", state, sizeof(state));
	}
}

/* ---- the relay ---- */

int64_t serve_bare_viewer(struct serve *s, struct viewers *v, bool is_tcp)
{
	return viewers_add(v, is_tcp ? &s->bare_tcp : &s->bare_unix, "/");
}

static void bare_write(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t got = send(fd, p, n, MSG_NOSIGNAL);

		if (got <= 0) {
			_exit(1);
		}
		p += got;
		n -= (size_t)got;
	}
}

pid_t serve_bare_emit(struct serve *s, int n, int gap_us, int bytes)
{
	static char room[BARE_BATCH * BARE_TEXT_MAX];
	pid_t pid = fork();
	size_t len = (size_t)bytes, at = 0;

	if (pid != 0) {
		return pid;
	}
	int64_t begin = stamp_now();

	vy_assert(len < BARE_TEXT_MAX);
	for (int i = 0; i < n; i++) {
		stamp_words(room + at, len);
		room[at + len] = '\n';
		at += len + 1;
		if (gap_us) {
			stamp_sleep(begin + (int64_t)i * gap_us);
			stamp_now_in(room, at);
		}
		if (gap_us || i % BARE_BATCH == BARE_BATCH - 1 || i == n - 1) {
			bare_write(s->ingest, room, at);
			at = 0;
		}
	}
	_exit(0);
}
