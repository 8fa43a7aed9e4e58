/* serve_bench.c -- from an agent's word to its viewers: vyred beside the bare relay.
 *
 * usage: serve_bench [--rounds N] [PART…]    one JSON object a line
 * Parts: emit (1 viewer, Unix and TCP), many (100 and 1,000 viewers), idle (4,000 connections beside
 * the one), flat (1,000 viewers as fast as it goes), real (a real holder and the demo agent). Each
 * round is one of vyred and one of the relay, each begun in a quiet moment; the line of a part
 * compares their medians. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/bench/parts.h"
#include "tests/bench/serve.h"
#include "shared/base/ban.h"

#define ROUNDS_MAX 32
#define TEXT_BYTES 64
#define WAIT_MS    60000
#define WARM_UP    400

enum { VYRED, BARE, SIDES };
enum figure { P50, P95, P99, RATE, CPU, SWITCHES, BYTES, FIGURES };

static const char *const side_names[] = { "vyred", "bare" };
static const char *const figure_names[] = { "p50_us", "p95_us", "p99_us", "deliveries_s",
	"cpu_us_frame", "wakeups_frame", "bytes_frame" };

struct limit {
	enum figure figure;
	double ratio;
	bool is_least;
};

struct part {
	const char *name, *with; /* with: what stands beside, for the JSON */
	bool is_tcp, is_real, bare_too;
	int viewers, idle, frames, gap_us;
	struct limit limits[3];
};

static struct {
	struct serve serve;
	struct viewers *viewers[SIDES];
	int rounds, frame_bytes;
	double v[SIDES][FIGURES][ROUNDS_MAX];
	double base[FIGURES]; /* of the part before: idle compares with emit */
} b = { .rounds = 7 };

/* ---- one round ---- */

static pid_t server_of(int side)
{
	return side == VYRED ? b.serve.world.vyred : b.serve.relay;
}

static void measure(const struct part *p, int side, int round)
{
	struct viewers *v = b.viewers[side];
	int stamps = p->is_real ? p->frames / 50 : p->frames; /* the demo stamps each 50th */
	uint64_t want = (uint64_t)stamps * (uint64_t)p->viewers;
	serve_quiet();

	int64_t cpu = world_cpu_us(server_of(side)), woken = world_switches(server_of(side));
	int64_t begin = world_now_us();
	pid_t feeder = 0;
	size_t n;

	viewers_reset(v);
	if (side == VYRED) {
		serve_emit(&b.serve, p->frames, p->gap_us, TEXT_BYTES);
	} else {
		feeder = serve_bare_emit(&b.serve, p->frames, p->gap_us, b.frame_bytes);
	}
	if (!viewers_read(v, want, WAIT_MS)) {
		world_fail("%s: %llu of %llu came", side_names[side],
			(unsigned long long)viewers_stamps(v), (unsigned long long)want);
	}
	double us = (double)(world_now_us() - begin);
	double *late = viewers_late(v, &n);

	if (feeder) {
		waitpid(feeder, NULL, 0);
	} else {
		serve_rest(&b.serve);
	}
	b.v[side][CPU][round] = (double)(world_cpu_us(server_of(side)) - cpu) / p->frames;
	b.v[side][SWITCHES][round] = (double)(world_switches(server_of(side)) - woken) / p->frames;
	b.v[side][BYTES][round] = (double)viewers_bytes(v) / (double)(p->frames * p->viewers);
	b.v[side][RATE][round] = (double)want / us * 1e6;
	b.v[side][P50][round] = world_quantile(late, n, 0.5);
	b.v[side][P95][round] = world_quantile(late, n, 0.95);
	b.v[side][P99][round] = world_quantile(late, n, 0.99);
}

/* A few frames that nobody counts, but for their size: the relay's are to be the same. */
static void warm_up(const struct part *p)
{
	struct viewers *v = b.viewers[VYRED];

	viewers_reset(v);
	serve_emit(&b.serve, WARM_UP, 2000, TEXT_BYTES);
	if (!viewers_read(v, (uint64_t)(p->is_real ? WARM_UP / 50 : WARM_UP), WAIT_MS)) {
		world_fail("no frame comes");
	}
	serve_rest(&b.serve);
	viewers_drain(v);
	b.frame_bytes = (int)(viewers_bytes(v) / (uint64_t)(WARM_UP * p->viewers)) - 4;
}

/* ---- what it says ---- */

static void print_side(int side)
{
	printf(",\"%s\":{", side_names[side]);
	for (int f = 0; f < FIGURES; f++) {
		double m = world_median(b.v[side][f], (size_t)b.rounds);

		printf("%s\"%s\":%.*f", f ? "," : "", figure_names[f], m < 100 ? 2 : 0, m);
	}
	printf("}");
}

static void print_limit(const struct part *p, const struct limit *l)
{
	double ours = world_median(b.v[VYRED][l->figure], (size_t)b.rounds);
	double theirs = p->bare_too ? world_median(b.v[BARE][l->figure], (size_t)b.rounds)
				    : b.base[l->figure];
	double ratio = ours / theirs;

	printf(",\"%s_ratio\":%.2f,\"%s_limit\":%.2f,\"%s_met\":%s", figure_names[l->figure], ratio,
		figure_names[l->figure], l->ratio, figure_names[l->figure],
		(l->is_least ? ratio >= l->ratio : ratio <= l->ratio) ? "true" : "false");
}

static void print_part(const struct part *p)
{
	printf("{\"bench\":\"serve\",\"part\":\"%s\",\"via\":\"%s\",\"viewers\":%d,\"idle\":%d,"
	       "\"frames\":%d,\"gap_us\":%d,\"rounds\":%d",
		p->name, p->is_tcp ? "tcp" : "unix", p->viewers, p->idle, p->frames, p->gap_us,
		b.rounds);
	print_side(VYRED);
	if (p->bare_too) {
		print_side(BARE);
	}
	for (size_t i = 0; i < VY_COUNT(p->limits) && p->limits[i].ratio > 0; i++) {
		print_limit(p, &p->limits[i]);
	}
	puts("}");
	fflush(stdout);
}

/* ---- a part ---- */

static void run(const struct part *p)
{
	struct viewers *idle = viewers_new();

	serve_open(&b.serve, p->is_real);
	serve_session(&b.serve);
	for (int side = 0; side < SIDES; side++) {
		b.viewers[side] = viewers_new();
	}
	for (int i = 0; i < p->viewers; i++) {
		serve_viewer(&b.serve, b.viewers[VYRED], p->is_tcp, serve_head(&b.serve));
		if (p->bare_too) {
			serve_bare_viewer(&b.serve, b.viewers[BARE], p->is_tcp);
		}
	}
	if (p->idle) { /* they look at another session */
		char fed[64];

		memcpy(fed, b.serve.session, sizeof(fed));
		serve_session(&b.serve);
		for (int i = 0; i < p->idle; i++) {
			serve_viewer(&b.serve, idle, p->is_tcp, 0);
		}
		memcpy(b.serve.session, fed, sizeof(fed));
	}
	warm_up(p);
	for (int round = 0; round < b.rounds; round++) {
		measure(p, VYRED, round);
		if (p->bare_too) {
			measure(p, BARE, round);
		}
	}
	print_part(p);
	for (int f = 0; f < FIGURES; f++) {
		b.base[f] = world_median(b.v[VYRED][f], (size_t)b.rounds);
	}
	for (int side = 0; side < SIDES; side++) {
		viewers_free(b.viewers[side]);
	}
	viewers_free(idle);
	serve_close(&b.serve);
}

static const struct part parts[] = {
	{ "emit", .is_tcp = true, .bare_too = true, .viewers = 1, .frames = 1000, .gap_us = 1000,
		.limits = { { P50, 2.5 }, { P95, 3 } } },
	{ "emit", .bare_too = true, .viewers = 1, .frames = 1000, .gap_us = 1000,
		.limits = { { P50, 2.5 }, { P95, 3 } } },
	{ "idle", .viewers = 1, .frames = 1000, .gap_us = 1000 },
	{ "idle", .viewers = 1, .idle = 4000, .frames = 1000, .gap_us = 1000,
		.limits = { { P50, 1.3 }, { CPU, 2 } } },
	{ "many", .is_tcp = true, .bare_too = true, .viewers = 100, .frames = 200, .gap_us = 5000,
		.limits = { { P50, 1.4 } } },
	{ "many", .bare_too = true, .viewers = 100, .frames = 200, .gap_us = 5000,
		.limits = { { P50, 1.4 } } },
	{ "many", .is_tcp = true, .bare_too = true, .viewers = 1000, .frames = 20,
		.gap_us = 50000 },
	{ "many", .bare_too = true, .viewers = 1000, .frames = 20, .gap_us = 50000 },
	{ "flat", .is_tcp = true, .bare_too = true, .viewers = 1000, .frames = 3200,
		.limits = { { RATE, 0.6, true } } },
	{ "flat", .bare_too = true, .viewers = 1000, .frames = 3200,
		.limits = { { RATE, 0.6, true } } },
	{ "real", .is_real = true, .viewers = 1, .frames = 5000, .gap_us = 1000 },
};

int main(int argc, char **argv)
{
	if (!parts_read(argc, argv, ROUNDS_MAX, &b.rounds)) {
		fputs("usage: serve_bench [--rounds N] [PART...]\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < VY_COUNT(parts); i++) {
		if (parts_has(argc, argv, parts[i].name)) {
			run(&parts[i]);
		}
	}
	return 0;
}
