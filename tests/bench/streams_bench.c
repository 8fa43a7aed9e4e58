/* streams_bench.c -- what many streams do to one another.
 *
 * usage: streams_bench [--rounds N] [PART…]    one JSON object a line
 * Parts: control (how late an event of the control plane is, with nothing else going on and beside a
 * flood of 10,000 deltas a second on ten sessions), slow (what vyred holds for viewers that read
 * nothing while megabytes pass).
 *
 * An event's time is from the line that renames a session, written to the line socket, to the
 * control event of it, read on another connection. Rounds alternate: one idle, one flooded. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/bench/parts.h"
#include "tests/bench/serve.h"
#include "tests/bench/stamp.h"
#include "shared/base/ban.h"

enum {
	ROUNDS_MAX = 16,
	FLOODED = 10,         /* sessions, each … */
	FRAMES = 6000,        /* … so many deltas, … */
	GAP_US = 1000,        /* … one each ms */
	EVENTS = 400,         /* of a round, … */
	EVENT_GAP_US = 10000, /* … one each 10 ms, so that they end before the flood does */
	SLOW = 100,
	SLOW_BYTES = 4096,
	SLOW_FRAMES = 2000,
	TEXT_BYTES = 64,
	WAIT_MS = 20000,
};

static struct {
	struct serve serve;
	int rounds;
	int tell, hear; /* connections to the line socket */
	char calm[64];  /* the session that is renamed */
	char flooded[FLOODED][64];
	struct vy_buf in;
	double late[2][ROUNDS_MAX * EVENTS];
	size_t n[2];
} b = { .rounds = 3 };

/* ---- the line socket ---- */

static int dial(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const char *sock = b.serve.socks[0];
	const char *slash = strrchr(sock, '/');
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%.*s/rpc.sock", (int)(slash - sock), sock);
	for (int i = 0; connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0; i++) {
		if (i == 200) {
			world_fail("nobody listens at %s", a.sun_path);
		}
		poll(NULL, 0, 10);
	}
	return fd;
}

static void say(int fd, const char *line, size_t n)
{
	if (send(fd, line, n, MSG_NOSIGNAL) != (ssize_t)n) {
		world_fail("the line socket takes no more");
	}
}

/* Reads until `what` stands there; all up to the end of that line is taken. */
static void hear(int fd, const char *what)
{
	char room[65536];
	const char *at, *end;

	for (;;) {
		at = b.in.len ? memmem(b.in.data, b.in.len, what, strlen(what)) : NULL;
		end = at ? memchr(at, '\n', b.in.len - (size_t)(at - b.in.data)) : NULL;
		if (end) {
			vy_buf_consume(&b.in, (size_t)(end - b.in.data) + 1);
			return;
		}
		struct pollfd p = { fd, POLLIN, 0 };
		ssize_t n = poll(&p, 1, WAIT_MS) > 0 ? recv(fd, room, sizeof(room), 0) : 0;

		if (n <= 0) {
			world_fail("no event of %s", what);
		}
		vy_buf_add(&b.in, room, (size_t)n);
	}
}

/* What was answered is not of interest, but it must be read. */
static void drop_answers(void)
{
	char room[65536];

	while (recv(b.tell, room, sizeof(room), MSG_DONTWAIT) > 0) {
	}
}

/* ---- control ---- */

static void one_event(int side, int number)
{
	char line[256], what[64];
	int n = snprintf(line, sizeof(line),
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"threads.rename\",\"params\":"
		"{\"session\":\"%s\",\"title\":\"no %d.\"}}\n",
		b.calm, number);
	int64_t begin = stamp_now();

	snprintf(what, sizeof(what), "\"title\":\"no %d.\"", number);
	say(b.tell, line, (size_t)n);
	hear(b.hear, what);
	b.late[side][b.n[side]++] = (double)(stamp_now() - begin);
	drop_answers();
}

static void events(int side, int from)
{
	int64_t begin = stamp_now();

	for (int i = 0; i < EVENTS; i++) {
		stamp_sleep(begin + (int64_t)i * EVENT_GAP_US);
		one_event(side, from + i);
	}
}

static void flood(struct viewers *v)
{
	viewers_reset(v);
	for (int i = 0; i < FLOODED; i++) {
		memcpy(b.serve.session, b.flooded[i], sizeof(b.serve.session));
		serve_emit(&b.serve, FRAMES, GAP_US, TEXT_BYTES);
	}
}

static void end_of_flood(struct viewers *v)
{
	if (!viewers_read(v, (uint64_t)FRAMES * FLOODED, 3 * WAIT_MS)) {
		world_fail("%llu deltas of the flood came", (unsigned long long)viewers_stamps(v));
	}
	for (int i = 0; i < FLOODED; i++) {
		memcpy(b.serve.session, b.flooded[i], sizeof(b.serve.session));
		serve_rest(&b.serve);
	}
}

static void print_control(void)
{
	static const char *const names[] = { "idle", "flooded" };
	double p99[2];

	printf("{\"bench\":\"streams\",\"part\":\"control\",\"events\":%d,\"deltas_s\":%d,"
	       "\"rounds\":%d",
		EVENTS, FLOODED * 1000000 / GAP_US, b.rounds);
	for (int side = 0; side < 2; side++) {
		double p50 = world_quantile(b.late[side], b.n[side], 0.5);

		p99[side] = world_quantile(b.late[side], b.n[side], 0.99);
		printf(",\"%s\":{\"p50_us\":%.0f,\"p99_us\":%.0f}", names[side], p50, p99[side]);
	}
	printf(",\"p99_ratio\":%.2f,\"p99_limit\":5.00,\"p99_met\":%s}\n", p99[1] / p99[0],
		p99[1] <= 5 * p99[0] ? "true" : "false");
	fflush(stdout);
}

static void control(void)
{
	static const char subscribe[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"control.subscribe\","
		"\"params\":{}}\n";
	struct viewers *v = viewers_new();
	int number = 0;

	serve_open(&b.serve, false);
	serve_session(&b.serve);
	memcpy(b.calm, b.serve.session, sizeof(b.calm));
	for (int i = 0; i < FLOODED; i++) {
		serve_session(&b.serve);
		memcpy(b.flooded[i], b.serve.session, sizeof(b.flooded[i]));
		serve_viewer(&b.serve, v, false, 0);
	}
	b.tell = dial();
	b.hear = dial();
	say(b.hear, subscribe, sizeof(subscribe) - 1);
	hear(b.hear, "\"subscription\"");
	for (int round = 0; round < b.rounds; round++) {
		serve_quiet();
		events(0, number);
		number += EVENTS;
		serve_quiet();
		flood(v);
		events(1, number);
		number += EVENTS;
		end_of_flood(v);
	}
	print_control();
	close(b.tell);
	close(b.hear);
	viewers_free(v);
	serve_close(&b.serve);
}

/* ---- slow ---- */

static void slow(void)
{
	struct viewers *idle = viewers_new();
	int64_t before, with, after;

	serve_open(&b.serve, false);
	serve_session(&b.serve);
	serve_emit(&b.serve, SLOW_FRAMES, 0, SLOW_BYTES); /* rings and buffers have their size */
	serve_rest(&b.serve);
	before = world_rss_kb(b.serve.world.vyred);
	for (int i = 0; i < SLOW; i++) {
		serve_viewer(&b.serve, idle, i % 2, serve_head(&b.serve));
	}
	with = world_rss_kb(b.serve.world.vyred);
	serve_emit(&b.serve, SLOW_FRAMES, 0, SLOW_BYTES);
	serve_rest(&b.serve);
	after = world_rss_kb(b.serve.world.vyred);
	printf("{\"bench\":\"streams\",\"part\":\"slow\",\"viewers\":%d,\"mib_passed\":%.1f,"
	       "\"kb_a_viewer\":%.1f,\"kb_a_slow_viewer\":%.1f,\"kb_limit\":1024,\"kb_met\":%s}\n",
		SLOW, (double)SLOW_FRAMES * SLOW_BYTES / (1 << 20), (double)(with - before) / SLOW,
		(double)(after - before) / SLOW,
		(after - before) / SLOW <= 1024 ? "true" : "false");
	viewers_free(idle);
	serve_close(&b.serve);
}

int main(int argc, char **argv)
{
	if (!parts_read(argc, argv, ROUNDS_MAX, &b.rounds)) {
		fputs("usage: streams_bench [--rounds N] [PART...]\n", stderr);
		return 2;
	}
	vy_buf_init(&b.in, 64 << 20);
	if (parts_has(argc, argv, "control")) {
		control();
	}
	if (parts_has(argc, argv, "slow")) {
		slow();
	}
	vy_buf_fini(&b.in);
	return 0;
}
