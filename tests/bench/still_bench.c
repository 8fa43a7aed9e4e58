/* still_bench.c -- a large paste, many resizes while words stream, and a minute in which nothing happens.
 *
 * usage: still_bench [--idle SECONDS]    one JSON object a line
 * The paste stands beside the same bytes through a terminal to a program that drops them. After the
 * resizes the screen must be what a full redraw makes of it. Idle is counted in bytes, in the
 * kernel's ticks and in wake-ups, of the client, of vyred and of the agent's holder. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "tests/bench/watch.h"
#include "shared/base/ban.h"

#define LINES     100000
#define RESIZES   200
#define RESIZE_MS 10
#define PASTE_MS  1000.0
#define ROUNDS    5
#define IDLE_S    60
#define WIDE      120
#define HIGH      40

static struct world the_world;

/* ---- a paste ---- */

static void make_paste(struct vy_buf *b)
{
	vy_buf_adds(b, "\033[200~");
	for (int i = 0; i < LINES; i++) {
		vy_buf_addf(b, "line %d of what was in the clipboard\n", i);
	}
	vy_buf_adds(b, "\033[201~");
}

/* As fast as the terminal takes it; what the program says meanwhile is read. */
static void write_all(struct watch *t, struct vy_str bytes)
{
	while (bytes.n) {
		struct pollfd p = { t->term.fd, POLLIN | POLLOUT, 0 };
		ssize_t n = write(t->term.fd, bytes.p, bytes.n);

		if (n > 0) {
			bytes = vy_str_from(bytes, (size_t)n);
		} else if (errno != EAGAIN || poll(&p, 1, 5000) <= 0) {
			world_fail("the terminal takes no more");
		} else if (p.revents & POLLIN) {
			watch_pump(t, 0);
		}
	}
}

/* Until the text stands there. */
static double send_ms(struct watch *t, const struct vy_buf *bytes, const char *then)
{
	int64_t begin = world_now_us();

	write_all(t, vy_buf_str(bytes));
	if (!watch_wait(t, then, 60000)) {
		world_fail("the paste did not arrive");
	}
	return (double)(world_now_us() - begin) / 1e3;
}

static double bare_ms(const struct vy_buf *bytes)
{
	struct watch t;
	char line[200];

	snprintf(line, sizeof(line),
		"sh -c 'stty raw -echo; echo begin; head -c %zu >/dev/null; echo over; sleep 60'",
		bytes->len);
	watch_start(&t, &the_world, line, WIDE, HIGH);
	watch_wait(&t, "begin", 5000);
	double ms = send_ms(&t, bytes, "over");

	watch_end(&t);
	return ms;
}

static double paste_ms(const struct vy_buf *bytes)
{
	struct watch t;

	if (!watch_peer(&t, &the_world, WORLD_VYRE, WIDE, HIGH)) {
		world_fail("no client");
	}
	double ms = send_ms(&t, bytes, "pasted 100000 lines");

	watch_end(&t);
	return ms;
}

static void bench_paste(void)
{
	VY_AUTO_BUF bytes = VY_BUF_INIT(16 << 20);
	double ours[ROUNDS], bare[ROUNDS];

	make_paste(&bytes);
	for (int i = 0; i < ROUNDS; i++) {
		bare[i] = bare_ms(&bytes);
		ours[i] = paste_ms(&bytes);
	}
	double ms = world_median(ours, ROUNDS), least = world_median(bare, ROUNDS);

	printf("{\"bench\":\"paste\",\"who\":\"vyre\",\"lines\":%d,\"bytes\":%zu,\"ms\":%.0f,"
	       "\"ms_limit\":%.0f,\"ms_met\":%s,\"of_the_terminal_alone\":%.2f}\n",
		LINES, bytes.len, ms, PASTE_MS, ms <= PASTE_MS ? "true" : "false", ms / least);
	fflush(stdout);
}

/* ---- resizes ---- */

static void bench_resize(void)
{
	VY_AUTO_BUF before = VY_BUF_INIT(1 << 20), after = VY_BUF_INIT(1 << 20);
	struct watch t;

	if (!watch_peer(&t, &the_world, WORLD_VYRE, WIDE, HIGH)) {
		world_fail("no client");
	}
	watch_prompt(&t, "pace:2000 rate=500");
	watch_marks(&t, 1, 20000);
	int64_t cpu = world_cpu_us(t.term.pid), begin = world_now_us();

	for (int i = 0; i < RESIZES; i++) {
		term_resize(&t.term, 60 + i * 37 % 100, 15 + i * 13 % 35);
		watch_sleep(&t, (int)((begin - world_now_us()) / 1000) + RESIZE_MS * (i + 1));
	}
	double ms = (double)(world_now_us() - begin) / 1e3;
	double cpu_ms = (double)(world_cpu_us(t.term.pid) - cpu) / 1e3;

	term_resize(&t.term, WIDE, HIGH);
	watch_wait(&t, "your turn", 30000);
	watch_quiet(&t, 500, 10000);
	term_text(&t.term, &before);
	watch_type(&t, "\f"); /* draw all again */
	watch_quiet(&t, 500, 10000);
	term_text(&t.term, &after);
	printf("{\"bench\":\"resize\",\"who\":\"vyre\",\"resizes\":%d,\"ms\":%.0f,\"cpu_ms\":%.0f,"
	       "\"exact\":%s}\n",
		RESIZES, ms, cpu_ms,
		vy_str_eq(vy_buf_str(&before), vy_buf_str(&after)) ? "true" : "false");
	fflush(stdout);
	watch_end(&t);
}

/* ---- nothing ---- */

static void bench_idle(int seconds)
{
	struct watch t;

	if (!watch_peer(&t, &the_world, WORLD_VYRE, WIDE, HIGH)) {
		world_fail("no client");
	}
	watch_prompt(&t, "say:20");
	watch_wait(&t, "your turn", 10000);
	watch_sleep(&t, 6000); /* notes fade, records are read */
	int64_t bytes = t.term.bytes, ticks = world_ticks(t.term.pid);
	int64_t server = world_tree_ticks(the_world.vyred);
	int64_t woken = world_switches(t.term.pid);
	int64_t server_woken = world_tree_switches(the_world.vyred);

	watch_sleep(&t, seconds * 1000);
	bytes = t.term.bytes - bytes;
	ticks = world_ticks(t.term.pid) - ticks;
	server = world_tree_ticks(the_world.vyred) - server;
	printf("{\"bench\":\"idle\",\"who\":\"vyre\",\"seconds\":%d,\"bytes\":%lld,\"ticks\":%lld,"
	       "\"server_ticks\":%lld,\"woken\":%lld,\"server_woken\":%lld,\"met\":%s}\n",
		seconds, (long long)bytes, (long long)ticks, (long long)server,
		(long long)(world_switches(t.term.pid) - woken),
		(long long)(world_tree_switches(the_world.vyred) - server_woken),
		bytes + ticks == 0 ? "true" : "false");
	watch_end(&t);
}

int main(int argc, char **argv)
{
	long long idle = IDLE_S;

	if (argc == 3 && strcmp(argv[1], "--idle") == 0) {
		if (!vy_parse_i64(vy_str_c(argv[2]), &idle) || idle < 0 || idle > 3600) {
			idle = -1;
		}
	}
	if ((argc != 1 && argc != 3) || idle < 0) {
		fputs("usage: still_bench [--idle SECONDS]\n", stderr);
		return 2;
	}
	world_open(&the_world);
	world_start_vyred(&the_world);
	bench_paste();
	bench_resize();
	if (idle) {
		bench_idle((int)idle);
	}
	world_close(&the_world);
	return 0;
}
