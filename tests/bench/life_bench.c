/* life_bench.c -- how soon a viewer is there again, and what vyred keeps for it.
 *
 * usage: life_bench [PART…]    one JSON object a line
 * Parts: replay (10,000 frames from memory, beside a bare blocking sender of the same bytes; the same by
 * the vyred after it, whose store has them packed; 100,000, which are two sessions' worth), resume
 * (a connection cut while the session streams: until its first frame), crash (kill -9 of vyred:
 * until a local client's first frame, beside exec and exit of the same program), memory (a session,
 * a viewer, and turn after turn), still (1,000 viewers and nothing to say). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/bench/serve.h"
#include "tests/bench/stamp.h"
#include "shared/base/ban.h"

enum {
	REPLAY_FRAMES = 10000,
	REPLAY_ROUNDS = 15,
	MANY_TURNS = 5, /* of 10,000: as many frames as are kept of a session */
	MANY_ROUNDS = 7,
	PACK_MS = 6000,   /* behind a turn it is packed by then */
	BARE_BYTES = 336, /* a frame of ours with its head */
	BARE_WRITE = 65536,
	CUTS = 100,
	CRASHES = 30,
	SESSIONS = 50,
	VIEWERS = 1000,
	SOAK_TURNS = 60,
	SOAK_FRAMES = 5000,
	STILL_MS = 30000,
	TEXT_BYTES = 64,
	WAIT_MS = 60000,
};

static struct serve serve;

/* "name":{"p50_us":…,"p95_us":…} */
static void print_times(const char *name, double *us, size_t n)
{
	printf(",\"%s\":{\"p50_us\":%.0f,\"p95_us\":%.0f}", name, world_quantile(us, n, 0.5),
		world_quantile(us, n, 0.95));
}

static void print_ratio(const char *name, double ratio, double limit)
{
	printf(",\"%s_ratio\":%.2f,\"%s_limit\":%.2f,\"%s_met\":%s", name, ratio, name, limit, name,
		ratio <= limit ? "true" : "false");
}

static void print_end(void)
{
	puts("}");
	fflush(stdout);
}

/* Frames into the session, as fast as vyred takes them. */
static void fill(int frames)
{
	struct viewers *v = viewers_new();

	serve_viewer(&serve, v, false, serve_head(&serve));
	serve_emit(&serve, frames, 0, TEXT_BYTES);
	if (!viewers_read(v, (uint64_t)frames, WAIT_MS)) {
		world_fail("%llu of %d frames came", (unsigned long long)viewers_stamps(v), frames);
	}
	serve_rest(&serve);
	viewers_free(v);
}

/* ---- replay ---- */

static bool listens(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%.100s", serve.socks[0]);
	int rc = connect(fd, (struct sockaddr *)&a, sizeof(a));

	close(fd);
	return rc == 0;
}

/* One connection: an upgrade is answered, then all of it is sent in blocking writes of 64 KiB. */
static void bare_sender(const char *path, int ready)
{
	static char text[(size_t)REPLAY_FRAMES * BARE_BYTES], head[2048];
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;
	static const char yes[] = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
	size_t at = 0;

	snprintf(a.sun_path, sizeof(a.sun_path), "%.100s", path);
	unlink(path);
	for (size_t i = 0; i < REPLAY_FRAMES; i++) {
		char *m = text + i * BARE_BYTES;
		char words[BARE_BYTES];

		stamp_words(words, BARE_BYTES - 4);
		memcpy(m, "\x81\x7e\x01\x4c", 4); /* 332 bytes: as long as a frame of ours */
		memcpy(m + 4, words, BARE_BYTES - 4);
	}
	if (bind(door, (struct sockaddr *)&a, sizeof(a)) != 0 || listen(door, 8) != 0) {
		_exit(1);
	}
	close(ready);
	while ((fd = accept(door, NULL, NULL)) >= 0) {
		while (!strstr(head, "\r\n\r\n")) {
			at += (size_t)recv(fd, head + at, sizeof(head) - 1 - at, 0);
			head[at] = '\0';
		}
		int times = strtol(head + sizeof("GET /") - 1, NULL, 10) > 1 ? MANY_TURNS : 1;

		at = 0;
		memset(head, 0, sizeof(head));
		send(fd, yes, sizeof(yes) - 1, MSG_NOSIGNAL);
		for (size_t i = 0; i < sizeof(text) * (size_t)times; i += BARE_WRITE) {
			size_t from = i % sizeof(text), left = sizeof(text) - from;

			send(fd, text + from, left < BARE_WRITE ? left : BARE_WRITE, MSG_NOSIGNAL);
			i -= left < BARE_WRITE ? BARE_WRITE - left : 0;
		}
		close(fd);
	}
	_exit(0);
}

static pid_t start_sender(const char *path)
{
	int ready[2];
	char c;

	vy_assert(pipe(ready) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		close(ready[0]);
		bare_sender(path, ready[1]);
	}
	close(ready[1]);
	vy_assert(read(ready[0], &c, 1) == 0);
	close(ready[0]);
	return pid;
}

/* From the connect to the last of the frames. */
static double replay_once(const struct viewers_way *way, const char *path, uint64_t frames)
{
	struct viewers *v = viewers_new();
	int64_t begin = stamp_now();

	viewers_add(v, way, path);
	if (!viewers_read(v, frames, WAIT_MS)) {
		world_fail("replay: %llu frames came", (unsigned long long)viewers_stamps(v));
	}
	double us = (double)(stamp_now() - begin);

	viewers_free(v);
	return us;
}

static double ticket_and_replay(int64_t from, uint64_t frames)
{
	char path[256];

	serve_ticket(&serve, from, path, sizeof(path));
	return replay_once(&serve.vyred_unix, path, frames);
}

/* A vyred that has nothing in memory. */
static void again(void)
{
	poll(NULL, 0, PACK_MS);
	kill(serve.world.vyred, SIGKILL);
	waitpid(serve.world.vyred, NULL, 0);
	serve_respawn(&serve);
	while (!listens()) {
		stamp_sleep(stamp_now() + 100);
	}
}

/* 100,000 frames: as many as are kept of a session, twice; from memory and the store together. */
static void replay_many(const struct viewers_way *sender)
{
	enum { FRAMES = MANY_TURNS * REPLAY_FRAMES };
	double ours[MANY_ROUNDS], bare[MANY_ROUNDS];

	serve_session(&serve);
	for (int i = 0; i < MANY_TURNS; i++) {
		fill(REPLAY_FRAMES);
	}
	poll(NULL, 0, PACK_MS);
	for (int i = 0; i < MANY_ROUNDS; i++) {
		ours[i] = bare[i] = 0;
		for (int k = 0; k < 2; k++) {
			/* what else a turn has is as many frames less */
			ours[i] += ticket_and_replay(0, FRAMES - 1000);
			bare[i] += replay_once(sender, "/5", FRAMES - 1000);
		}
	}
	printf("{\"bench\":\"life\",\"part\":\"replay_many\",\"frames\":%d,\"rounds\":%d",
		2 * FRAMES, MANY_ROUNDS);
	print_times("unix", ours, MANY_ROUNDS);
	print_times("bare", bare, MANY_ROUNDS);
	print_ratio("p50", world_median(ours, MANY_ROUNDS) / world_median(bare, MANY_ROUNDS), 2);
	print_end();
}

static void replay(void)
{
	double ours[2][REPLAY_ROUNDS], bare[REPLAY_ROUNDS], warm[REPLAY_ROUNDS];
	char sock[600], path[256];

	serve_open(&serve, false);
	serve_session(&serve);
	fill(REPLAY_FRAMES);
	snprintf(sock, sizeof(sock), "%.500s/sender", serve.world.dir.path);

	struct viewers_way sender = { .sock = sock };
	pid_t pid = start_sender(sock);

	for (int i = 0; i < REPLAY_ROUNDS; i++) {
		for (int tcp = 0; tcp < 2; tcp++) {
			serve_ticket(&serve, 0, path, sizeof(path));
			ours[tcp][i] = replay_once(
				tcp ? &serve.vyred_tcp : &serve.vyred_unix, path, REPLAY_FRAMES);
		}
		bare[i] = replay_once(&sender, "/", REPLAY_FRAMES);
	}
	again();
	for (int i = 0; i < REPLAY_ROUNDS; i++) {
		warm[i] = ticket_and_replay(0, REPLAY_FRAMES);
	}
	printf("{\"bench\":\"life\",\"part\":\"replay\",\"frames\":%d,\"rounds\":%d", REPLAY_FRAMES,
		REPLAY_ROUNDS);
	print_times("unix", ours[0], REPLAY_ROUNDS);
	print_times("tcp", ours[1], REPLAY_ROUNDS);
	print_times("bare", bare, REPLAY_ROUNDS);
	print_times("store", warm, REPLAY_ROUNDS);
	print_ratio("p50", world_median(ours[0], REPLAY_ROUNDS) / world_median(bare, REPLAY_ROUNDS),
		1.5);
	print_ratio("store_of_ring",
		world_median(warm, REPLAY_ROUNDS) / world_median(ours[0], REPLAY_ROUNDS), 3);
	print_end();
	replay_many(&sender);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	serve_close(&serve);
}

/* ---- resume ---- */

static void quiet_now_and_then(int i)
{
	if (i % 10 == 0) {
		serve_quiet();
	}
}

/* Connect and upgrade while nothing goes on: what any return takes at least. */
static void idle_upgrades(double *us, int n)
{
	for (int i = 0; i < n; i++) {
		struct viewers *v = viewers_new();
		char path[256];

		quiet_now_and_then(i);
		serve_ticket(&serve, serve_head(&serve), path, sizeof(path));
		us[i] = (double)viewers_add(v, &serve.vyred_unix, path);
		viewers_free(v);
	}
}

/* A client's way: the cut is seen, a ticket is asked for, then the stream from its cursor. */
static void resume(void)
{
	double idle[CUTS], cut[CUTS];

	serve_open(&serve, false);
	serve_session(&serve);
	fill(2000);
	idle_upgrades(idle, CUTS);
	serve_emit(&serve, 60000, 1000, TEXT_BYTES);
	for (int i = 0; i < CUTS; i++) {
		struct viewers *v = viewers_new();
		int64_t from;

		quiet_now_and_then(i);
		from = serve_head(&serve);
		serve_viewer(&serve, v, false, from);
		viewers_first(v, 0, WAIT_MS);
		viewers_drop(v, 0);
		poll(NULL, 0, 20);

		int64_t begin = stamp_now();

		serve_viewer(&serve, v, false, from);
		cut[i] = (double)(viewers_first(v, 1, WAIT_MS) - begin);
		viewers_free(v);
	}
	printf("{\"bench\":\"life\",\"part\":\"resume\",\"cuts\":%d", CUTS);
	print_times("first_frame", cut, CUTS);
	print_times("connect_upgrade_idle", idle, CUTS);
	print_ratio("p95", world_quantile(cut, CUTS, 0.95) / world_quantile(idle, CUTS, 0.95), 4);
	print_end();
	serve_close(&serve);
}

/* ---- crash ---- */

static double exec_and_exit(void)
{
	char program[700];
	int64_t begin = stamp_now();

	snprintf(program, sizeof(program), "%s/vyred", serve.bin);
	pid_t pid = fork();

	if (pid == 0) {
		dup2(open("/dev/null", O_WRONLY), 1);
		execl(program, "vyred", "--version", NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	return (double)(stamp_now() - begin);
}

/* What a local client does that was cut off: it starts vyred, dials until one listens, and goes on
 * from its cursor. Answers with the time until the new vyred was started. */
static double crash_once(int64_t from, double *first_us)
{
	struct viewers *v = viewers_new();
	int64_t begin = stamp_now(), born;

	kill(serve.world.vyred, SIGKILL);
	waitpid(serve.world.vyred, NULL, 0);
	serve_respawn(&serve);
	born = stamp_now();
	while (!listens()) {
		stamp_sleep(stamp_now() + 100);
	}
	serve_viewer(&serve, v, false, from);
	*first_us = (double)(viewers_first(v, 0, WAIT_MS) - begin);
	viewers_free(v);
	return (double)(born - begin);
}

static void crash(void)
{
	double first[CRASHES], born[CRASHES], exec[CRASHES];

	serve_open(&serve, true);
	serve_session(&serve);
	serve_emit(&serve, 2000, 100, 0);
	serve_rest(&serve);
	for (int i = 0; i < CRASHES; i++) {
		serve_quiet();
		exec[i] = exec_and_exit();
		born[i] = crash_once(serve_head(&serve) - 10, &first[i]);
	}
	printf("{\"bench\":\"life\",\"part\":\"crash\",\"kills\":%d", CRASHES);
	print_times("first_frame", first, CRASHES);
	print_times("respawn", born, CRASHES);
	print_times("exec_exit", exec, CRASHES);
	print_ratio("p95",
		(world_quantile(first, CRASHES, 0.95) - world_quantile(born, CRASHES, 0.95)) /
			world_quantile(exec, CRASHES, 0.95),
		6);
	print_end();
	serve_close(&serve);
}

/* ---- memory ---- */

static int64_t rss_kb(void)
{
	return world_rss_kb(serve.world.vyred);
}

static void memory(void)
{
	struct viewers *v = viewers_new();
	int64_t empty, with_sessions, with_viewers, early = 0, late;

	serve_open(&serve, false);
	serve_session(&serve);
	fill(200);
	empty = rss_kb();
	for (int i = 0; i < SESSIONS; i++) {
		serve_session(&serve);
		serve_emit(&serve, 10, 0, TEXT_BYTES);
		serve_rest(&serve);
	}
	with_sessions = rss_kb();
	for (int i = 0; i < VIEWERS; i++) {
		serve_viewer(&serve, v, i % 2, 0);
	}
	viewers_drain(v);
	with_viewers = rss_kb();
	viewers_free(v);
	for (int i = 0; i < SOAK_TURNS; i++) {
		fill(SOAK_FRAMES);
		if (i == SOAK_TURNS / 2 - 1) {
			early = rss_kb();
		}
	}
	late = rss_kb();
	poll(NULL, 0, 7000); /* quiet: what was only for speed is given back */
	printf("{\"bench\":\"life\",\"part\":\"memory\",\"rss_kb\":%lld,\"kb_a_session\":%.1f,"
	       "\"kb_a_viewer\":%.1f,\"soak_frames\":%d,\"rss_kb_at_half\":%lld,"
	       "\"rss_kb_at_end\":%lld,\"rss_kb_quiet\":%lld",
		(long long)empty, (double)(with_sessions - empty) / SESSIONS,
		(double)(with_viewers - with_sessions) / VIEWERS, SOAK_TURNS * SOAK_FRAMES,
		(long long)early, (long long)late, (long long)rss_kb());
	print_ratio("soak", (double)late / (double)early, 1.05);
	print_ratio("viewer_kb", (double)(with_viewers - with_sessions) / VIEWERS, 8);
	print_end();
	serve_close(&serve);
}

/* ---- still ---- */

static void still(void)
{
	struct viewers *v = viewers_new();

	serve_open(&serve, false);
	serve_session(&serve);
	fill(10);
	for (int i = 0; i < VIEWERS; i++) {
		serve_viewer(&serve, v, i % 2, 0);
	}
	poll(NULL, 0, 8000); /* the WAL is cut, memory given back */

	int64_t woken = world_switches(serve.world.vyred), cpu = world_cpu_us(serve.world.vyred);

	poll(NULL, 0, STILL_MS);
	printf("{\"bench\":\"life\",\"part\":\"still\",\"viewers\":%d,\"ms\":%d,\"wakeups\":%lld,"
	       "\"cpu_us\":%lld",
		VIEWERS, STILL_MS, (long long)(world_switches(serve.world.vyred) - woken),
		(long long)(world_cpu_us(serve.world.vyred) - cpu));
	print_end();
	viewers_free(v);
	serve_close(&serve);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = { { "replay", replay }, { "resume", resume }, { "crash", crash },
		{ "memory", memory }, { "still", still } };

	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		bool is_wanted = argc == 1;

		for (int k = 1; k < argc; k++) {
			is_wanted |= strcmp(argv[k], parts[i].name) == 0;
		}
		if (is_wanted) {
			parts[i].run();
		}
	}
	return 0;
}
