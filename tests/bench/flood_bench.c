/* flood_bench.c -- the log under 10,000 frames a second: commits, the write-ahead log, memory.
 *
 * usage: flood_bench [--minutes N]    one JSON object a line; a quarter of a minute by default
 * The log, its store and its worker as vyred has them, on a loop of their own; each millisecond
 * brings ten frames of one of 20 sessions, 500 of them a reply. A commit's time is from when the log first wanted it (it
 * may be held while the worker tidies) to its end; a frame's from log_append() to where viewers are
 * told. Beside it the same at 1,000 a second, and each without a disk (the store in memory). At
 * 10,000 what the store adds is compared with a bare commit of as many of the same rows, by the
 * same store in a folder of its own behind the same run, and half the time a commit may gather. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "server/io/work.h"
#include "server/log/epoch.h"
#include "server/log/log.h"
#include "server/log/pace.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/bench/stamp.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

enum {
	SESSIONS = 20,
	BINS = 200000, /* us; what takes longer is in the last */
	WAL_EVERY_MS = 20,
	QUICK_MS = 15000,
	TEXT_ROOM = 80,
	REPLY = 500, /* frames of one message: 40 kB, then the next one settles it */
	BARE_COMMITS = 2000,
	BARE_MOST = 64, /* rows of one */
};

/* How often each number of us was measured: an hour of commits needs no more room than this. */
struct times {
	uint32_t bins[BINS];
	uint64_t n;
};

static struct {
	struct tempdir dir;
	struct vy_loop *loop;
	struct work *work;
	struct log *log;
	struct log_store *store; /* the real one, behind `watched` */
	struct vy_timer *tick, *wal_tick;
	int64_t begin_us, end_us, wanted_us; /* wanted: the commit under way; 0: none */
	int64_t appended, told, ms, rate;
	int64_t said[SESSIONS];     /* frames */
	int64_t first_us[SESSIONS]; /* of a session's oldest frame that nobody was told of */
	struct times commit, frame, bare;
	int64_t wal_most, rss_warm;
	bool has_disk;
} b;

/* ---- figures ---- */

static void note(struct times *t, int64_t us)
{
	t->bins[us < 0 ? 0 : us < BINS ? us : BINS - 1]++;
	t->n++;
}

static int64_t quantile(const struct times *t, double q)
{
	uint64_t want = (uint64_t)(q * (double)t->n), seen = 0;

	for (int64_t us = 0; us < BINS; us++) {
		seen += t->bins[us];
		if (seen > want) {
			return us;
		}
	}
	return BINS - 1;
}

static int64_t rss_kb(void)
{
	long long size = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f || fscanf(f, "%lld %lld", &size, &resident) != 2) {
		resident = 0;
	}
	if (f) {
		fclose(f);
	}
	return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* ---- a store that looks at the clock ---- */

static struct store_ops watched_ops;
static struct log_store watched = { &watched_ops };

static int watched_begin(struct log_store *s, struct vy_err *e)
{
	(void)s;
	b.wanted_us = b.wanted_us ? b.wanted_us : stamp_now();
	return b.store->ops->begin(b.store, e);
}

static int watched_commit(struct log_store *s, struct vy_err *e)
{
	int rc = b.store->ops->commit(b.store, e);

	(void)s;
	if (rc == 0) {
		note(&b.commit, stamp_now() - b.wanted_us);
		b.wanted_us = 0;
	}
	return rc;
}

#define PASS(name, args, ...)                                                                      \
	static int watched_##name args                                                             \
	{                                                                                          \
		(void)s;                                                                           \
		return b.store->ops->name(b.store, __VA_ARGS__);                                   \
	}
PASS(append,
	(struct log_store * s, struct vy_str id, int64_t prev, const char *epoch,
		const struct store_frame *f, size_t n, struct vy_err *e),
	id, prev, epoch, f, n, e)
PASS(trim, (struct log_store * s, struct vy_str id, int64_t floor, struct vy_err *e), id, floor, e)
PASS(put, (struct log_store * s, const struct store_row *row, struct vy_err *e), row, e)
PASS(del, (struct log_store * s, const struct store_row *row, struct vy_err *e), row, e)
PASS(bounds, (struct log_store * s, struct vy_str id, struct store_bounds *out, struct vy_err *e),
	id, out, e)
PASS(read,
	(struct log_store * s, struct vy_str id, int64_t from, const struct store_reading *how,
		store_frame_fn *fn, void *ctx, struct vy_err *e),
	id, from, how, fn, ctx, e)
PASS(each,
	(struct log_store * s, const struct store_row *like, store_row_fn *fn, void *ctx,
		struct vy_err *e),
	like, fn, ctx, e)

static void watched_rollback(struct log_store *s)
{
	(void)s;
	b.store->ops->rollback(b.store);
}

static void watched_drain(struct log_store *s)
{
	(void)s;
	b.store->ops->drain(b.store);
}

static void watched_sync(
	struct log_store *s, void (*fn)(void *ctx, const struct vy_err *failed), void *ctx)
{
	(void)s;
	b.store->ops->sync(b.store, fn, ctx);
}

static bool watched_has_room(struct log_store *s)
{
	(void)s;
	return b.store->ops->has_room(b.store);
}

static void watched_on_wake(struct log_store *s, void (*wake)(void *ctx), void *ctx)
{
	(void)s;
	b.store->ops->on_wake(b.store, wake, ctx);
}

static struct store_ops watched_ops = {
	.name = "watched",
	.begin = watched_begin,
	.commit = watched_commit,
	.rollback = watched_rollback,
	.append = watched_append,
	.trim = watched_trim,
	.put = watched_put,
	.del = watched_del,
	.bounds = watched_bounds,
	.read = watched_read,
	.each = watched_each,
	.sync = watched_sync,
	.drain = watched_drain,
	.has_room = watched_has_room,
	.on_wake = watched_on_wake,
};

/* ---- the flood ---- */

static const char *session(int i)
{
	static char id[40];

	snprintf(id, sizeof(id), "6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d%02d", i);
	return id;
}

static void make_frame(struct vy_frame *f, int64_t reply, char text[TEXT_ROOM])
{
	static char message[32]; /* as long as one of Claude's */

	stamp_words(text, TEXT_ROOM - 1);
	vy_frame_init(f, VY_KIND_TEXT_DELTA);
	f->author = VY_STR_LIT("model:demo");
	f->turn = VY_STR_LIT("turn-12");
	snprintf(message, sizeof(message), "msg_01ABCDEFGHIJ%06lld", (long long)(reply % 1000000));
	vy_frame_set_c(f, VY_F_MESSAGE, message);
	vy_frame_set_int(f, VY_F_INDEX, 0);
	vy_frame_set_c(f, VY_F_TEXT, text);
}

static void append(int i)
{
	char text[TEXT_ROOM];
	struct vy_err e = { 0 };
	struct vy_frame f;

	make_frame(&f, (b.said[i]++ + i * (REPLY / SESSIONS)) / REPLY, text);
	if (log_append(b.log, session(i), &f, &e) < 0) {
		fprintf(stderr, "flood_bench: %s\n", e.text);
		exit(1);
	}
	b.appended++;
	b.first_us[i] = b.first_us[i] ? b.first_us[i] : stamp_now();
}

static void on_committed(void *ctx, const char *id, int64_t head)
{
	int i = (id[34] - '0') * 10 + id[35] - '0';

	(void)ctx;
	(void)head;
	note(&b.frame, stamp_now() - b.first_us[i]);
	b.first_us[i] = 0;
}

/* What is due by the clock, so that a late tick makes up for it. */
static void on_tick(void *ctx)
{
	int64_t now = stamp_now(), due = (now - b.begin_us) * b.rate / 1000000;
	int which = (int)(now / 1000 % SESSIONS);

	(void)ctx;
	while (b.appended < due) {
		append(which);
	}
	if (!b.rss_warm && now > b.end_us - b.ms * 1000 / 5) {
		b.rss_warm = rss_kb();
	}
	if (now >= b.end_us) {
		vy_loop_stop(b.loop);
	} else {
		vy_timer_set(b.tick, 1);
	}
}

static void on_wal_tick(void *ctx)
{
	struct stat st;

	(void)ctx;
	if (stat(tempdir_file(&b.dir, "vyre.db-wal"), &st) == 0 && st.st_size > b.wal_most) {
		b.wal_most = st.st_size;
	}
	vy_timer_set(b.wal_tick, WAL_EVERY_MS);
}

static void print_times(const char *name, const struct times *t)
{
	printf(",\"%s\":{\"n\":%llu,\"p50_us\":%lld,\"p95_us\":%lld,\"p99_us\":%lld,\"max_us\":%"
	       "lld}",
		name, (unsigned long long)t->n, (long long)quantile(t, 0.5),
		(long long)quantile(t, 0.95), (long long)quantile(t, 0.99),
		(long long)quantile(t, 1 - 1e-12));
}

static void print_limit(const char *name, double is, double limit)
{
	printf(",\"%s\":%.2f,\"%s_limit\":%.2f,\"%s_met\":%s", name, is, name, limit, name,
		is <= limit ? "true" : "false");
}

static void print(double cpu_us)
{
	printf("{\"bench\":\"flood\",\"store\":\"%s\",\"frames_s\":%lld,\"seconds\":%.0f,"
	       "\"frames\":%lld,\"cpu_us_frame\":%.1f",
		b.has_disk ? "sqlite" : "memory", (long long)b.rate, (double)b.ms / 1e3,
		(long long)b.appended, cpu_us / (double)b.appended);
	print_times("commit", &b.commit);
	print_times("visible", &b.frame);
	if (b.has_disk) {
		print_limit("wal_mib", (double)b.wal_most / (1 << 20), 16);
		print_limit("commit_p99_ms", (double)quantile(&b.commit, 0.99) / 1e3, 4);
		printf(",\"rss_kb_at_80pc\":%lld,\"rss_kb_end\":%lld", (long long)b.rss_warm,
			(long long)rss_kb());
	}
}

/* ---- the same rows, and nothing else ---- */

static void bare_commit(
	struct log_store *st, struct vy_loop *loop, const char *epoch, int64_t *cur, size_t n)
{
	static char bytes[BARE_MOST][1024];
	struct store_frame rows[BARE_MOST];
	struct vy_err e = { 0 };

	for (size_t i = 0; i < n; i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(sizeof(bytes[i]));
		char text[TEXT_ROOM];
		struct vy_frame f;

		make_frame(&f, 0, text);
		f.id = VY_STR_LIT("frm_01ABCDEFGHIJKLMNOP");
		f.session = vy_str_c(session(0));
		f.cur = (uint64_t)*cur + i + 1;
		vy_assert(vy_frame_encode(&f, &out));
		memcpy(bytes[i], out.data, out.len);
		rows[i] = (struct store_frame){ .cur = (int64_t)f.cur,
			.bytes = vy_str_n(bytes[i], out.len) };
	}
	int64_t begin = stamp_now();

	if (st->ops->begin(st, &e) != 0 ||
		st->ops->append(st, vy_str_c(session(0)), *cur, epoch, rows, n, &e) != 0 ||
		st->ops->commit(st, &e) != 0) {
		if (e.code == VY_RETRY) { /* it is being tidied: that is no part of a bare one */
			vy_loop_run(loop);
			return;
		}
		fprintf(stderr, "flood_bench: %s\n", e.text);
		exit(1);
	}
	note(&b.bare, stamp_now() - begin);
	*cur += (int64_t)n;
}

static void on_wake(void *ctx)
{
	vy_loop_stop(ctx);
}

static void bare(void)
{
	struct vy_err e = { 0 };
	struct tempdir dir = tempdir_make();
	struct vy_loop *loop = vy_loop_new();
	struct work *work = work_new(loop, NULL);
	struct log_store *st = store_sqlite_open(dir.path, loop, work, &e);
	size_t n = (size_t)(b.appended / (int64_t)(b.commit.n ? b.commit.n : 1));
	struct epoch epoch;
	int64_t cur = 0;

	if (!st || epoch_open(st, "boot", &epoch, &e) != 0) {
		fprintf(stderr, "flood_bench: %s\n", e.text);
		exit(1);
	}
	st->ops->on_wake(st, on_wake, loop);
	n = n < 1 ? 1 : n > BARE_MOST ? BARE_MOST : n;
	for (int i = 0; i < BARE_COMMITS; i++) {
		bare_commit(st, loop, epoch.epoch, &cur, n);
	}
	work_drain(work);
	st->ops->close(st);
	work_free(work);
	vy_loop_free(loop);
	tempdir_remove(dir.path);
	printf(",\"rows_a_commit\":%zu", n);
	print_times("bare", &b.bare);

	double half_ms = PACE_WAIT_MS / 2.0;
	double p50 = (double)quantile(&b.bare, 0.5), p99 = (double)quantile(&b.bare, 0.99);

	print_limit(
		"visible_p50_ms", (double)quantile(&b.frame, 0.5) / 1e3, 1.5 * p50 / 1e3 + half_ms);
	print_limit("visible_p99_ms", (double)quantile(&b.frame, 0.99) / 1e3,
		4 * (p99 / 1e3 + half_ms));
}

static void run(bool has_disk, int64_t rate, int64_t ms)
{
	struct vy_err e = { 0 };
	struct log_conf conf = { .clock = &vy_clock_real, .store = &watched };

	memset(&b, 0, sizeof(b));
	b.rate = rate;
	b.ms = ms;
	b.has_disk = has_disk;
	b.dir = tempdir_make();
	conf.loop = b.loop = vy_loop_new();
	b.work = work_new(b.loop, NULL);
	b.store = has_disk ? store_sqlite_open(b.dir.path, b.loop, b.work, &e) : store_mem_new();
	b.log = b.store ? log_new(&conf, &e) : NULL;
	if (!b.log) {
		fprintf(stderr, "flood_bench: %s\n", e.text);
		exit(1);
	}
	log_on_committed(b.log, on_committed, NULL);
	b.tick = vy_loop_timer(b.loop, on_tick, NULL);
	b.wal_tick = vy_loop_timer(b.loop, on_wal_tick, NULL);
	b.wanted_us = 0;
	b.begin_us = stamp_now();
	b.end_us = b.begin_us + ms * 1000;
	vy_timer_set(b.tick, 1);
	vy_timer_set(b.wal_tick, WAL_EVERY_MS);

	clock_t cpu = clock();

	vy_loop_run(b.loop);
	print((double)(clock() - cpu) * 1e6 / CLOCKS_PER_SEC);
	log_free(b.log);
	b.store->ops->close(b.store);
	work_free(b.work);
	vy_timer_del(b.tick);
	vy_timer_del(b.wal_tick);
	vy_loop_free(b.loop);
	tempdir_remove(b.dir.path);
	if (has_disk && rate >= 10000) {
		bare();
	}
	puts("}");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "minutes", required_argument, NULL, 'm' },
		{ 0 } };
	long long minutes = 0;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c != 'm' || !vy_parse_i64(vy_str_c(optarg), &minutes) || minutes < 1) {
			fputs("usage: flood_bench [--minutes N]\n", stderr);
			return 2;
		}
	}
	vy_log_set_level(VY_LOG_NONE);
	run(true, 10000, minutes ? minutes * 60000 : QUICK_MS);
	if (!minutes) {
		run(false, 10000, QUICK_MS / 3);
		run(true, 1000, QUICK_MS / 3);
		run(false, 1000, QUICK_MS / 3);
	}
	return 0;
}
