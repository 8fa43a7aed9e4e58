/* log_bench.c -- what a frame costs on its way into the store and out to a viewer.
 *
 * usage: log_bench [FRAMES]    prints one JSON object
 * Each figure stands beside a bare one from the same run (encode, memcpy, one write(2)), because
 * only ratios mean anything on a shared machine. Nothing is asserted. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "server/hub/hub.h"
#include "server/io/work.h"
#include "server/log/log.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/jw.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

static struct {
	struct tempdir dir;
	struct vy_loop *loop;
	struct work *work;
	struct log_store *store;
	struct log *log;
	struct hub *hub;
	struct vy_timer *timer;
	int frames;
	double *us; /* one a commit */
	struct vy_jw out;
} b;

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, c = *(const double *)y;

	return (a > c) - (a < c);
}

static void print_times(const char *name, int n, int frames)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		sum += b.us[i];
	}
	qsort(b.us, (size_t)n, sizeof(*b.us), by_value);
	vy_jw_key(&b.out, name);
	vy_jw_obj(&b.out);
	vy_jw_kint(&b.out, "p50_ns", (int64_t)(b.us[n / 2] * 1e3));
	vy_jw_kint(&b.out, "p95_ns", (int64_t)(b.us[n * 95 / 100] * 1e3));
	vy_jw_kint(&b.out, "p99_ns", (int64_t)(b.us[n * 99 / 100] * 1e3));
	vy_jw_kint(&b.out, "max_ns", (int64_t)(b.us[n - 1] * 1e3));
	vy_jw_kint(&b.out, "frame_ns", (int64_t)(sum / frames * 1e3));
	vy_jw_end_obj(&b.out);
}

/* ---- frames ---- */

static void make_frame(struct vy_frame *f, int i)
{
	vy_frame_init(f, VY_KIND_TEXT_DELTA);
	f->author = VY_STR_LIT("model:claude");
	f->turn = VY_STR_LIT("6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11:12");
	f->corr = VY_STR_LIT("c0ffee");
	vy_frame_set_c(f, VY_F_MESSAGE, "msg_01ABCDEFGHIJKLMNOP");
	vy_frame_set_int(f, VY_F_INDEX, 0);
	vy_frame_set_c(f, VY_F_TEXT, i % 2 ? " and then the next" : " words of a reply\n");
}

static void append(int i)
{
	struct vy_err e = { 0 };
	struct vy_frame f;

	make_frame(&f, i);
	if (log_append(b.log, "6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11", &f, &e) < 0) {
		fprintf(stderr, "log_bench: %s\n", e.text);
		exit(1);
	}
}

/* ---- in ---- */

/* Encode, copy, one write: what any log would have to do at least. */
static void bench_bare(const char *name, int per_commit)
{
	int fd = open(tempdir_file(&b.dir, "bare"), O_CREAT | O_WRONLY | O_TRUNC, 0600), n = 0;
	VY_AUTO_BUF line = VY_BUF_INIT(VY_FRAME_MAX), batch = VY_BUF_INIT(8 * VY_MIB);

	for (int i = 0; i < b.frames; n++) {
		double begin = now_us();

		vy_buf_clear(&batch);
		for (int k = 0; k < per_commit; k++, i++) {
			struct vy_frame f;

			make_frame(&f, i);
			f.cur = (uint64_t)i + 1;
			f.id = VY_STR_LIT("abcdefgh1234");
			f.session = VY_STR_LIT("6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11");
			vy_buf_clear(&line);
			if (!vy_frame_encode(&f, &line)) {
				exit(1);
			}
			vy_buf_addstr(&batch, vy_buf_str(&line));
		}
		(void)!write(fd, batch.data, batch.len);
		b.us[n] = now_us() - begin;
	}
	close(fd);
	print_times(name, n, b.frames);
}

static void stop(void *ctx)
{
	(void)ctx;
	vy_loop_stop(b.loop);
}

/* One turn that looks at every fd. */
static void turn(void)
{
	vy_timer_set(b.timer, 0);
	vy_loop_run(b.loop);
}

/* Commits as fast as they go; between them the loop turns, so checkpoints come home. */
static void bench_log(const char *name, int per_commit)
{
	int n = 0;

	for (int i = 0; i < b.frames; n++) {
		double begin = now_us();

		for (int k = 0; k < per_commit; k++, i++) {
			append(i);
		}
		do {
			log_flush(b.log);
			if (log_head(b.log, "6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11") ==
				log_staged(b.log, "6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11")) {
				break;
			}
			turn(); /* held: the worker tidies */
		} while (true);
		b.us[n] = now_us() - begin;
		if (n % 16 == 0) {
			turn();
		}
	}
	print_times(name, n, b.frames);
}

/* ---- out ---- */

static void on_ready(void *ctx)
{
	(void)ctx;
}

static void bench_replay(const char *name, bool is_merged)
{
	struct hub_sub *s = hub_subscribe(
		b.hub, &(struct hub_open){ .session = "6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11",
			       .viewer = "v",
			       .from = 0,
			       .is_merged = is_merged,
			       .ready = on_ready });
	VY_AUTO_BUF message = VY_BUF_INIT(VY_BATCH_BYTES + VY_FRAME_MAX);
	double begin = now_us(), took;
	int64_t bytes = 0, items = 0, last = 0;
	struct hub_item it;

	while (hub_next(s, SIZE_MAX, &it) == HUB_ITEM) {
		if (message.len + it.frame->len > VY_BATCH_BYTES) {
			vy_buf_clear(&message);
		}
		vy_buf_addstr(&message, frame_ref_str(it.frame));
		bytes += it.frame->len;
		last = it.frame->cur ? it.frame->cur : last;
		items++;
		hub_item_done(&it);
	}
	took = now_us() - begin;
	hub_unsubscribe(s);
	vy_jw_key(&b.out, name);
	vy_jw_obj(&b.out);
	vy_jw_kint(&b.out, "frames", last);
	vy_jw_kint(&b.out, "items", items);
	vy_jw_kint(&b.out, "bytes", bytes);
	vy_jw_kint(&b.out, "ms_per_10k", (int64_t)(took / 1e3 * 1e4 / (double)last + 0.5));
	vy_jw_kint(&b.out, "frame_ns", (int64_t)(took * 1e3 / (double)last));
	vy_jw_end_obj(&b.out);
}

/* ---- the run ---- */

static void reopen(size_t ring_frames)
{
	struct vy_err e = { 0 };
	struct log_conf conf = { .clock = &vy_clock_real, .ring_frames = ring_frames };

	if (b.log) {
		hub_free(b.hub);
		log_free(b.log);
		b.store->ops->close(b.store);
	}
	b.store = store_sqlite_open(b.dir.path, b.loop, b.work, &e);
	conf.store = b.store;
	b.log = b.store ? log_new(&conf, &e) : NULL;
	if (!b.log) {
		fprintf(stderr, "log_bench: %s\n", e.text);
		exit(1);
	}
	b.hub = hub_new(b.log, b.loop);
}

int main(int argc, char **argv)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	long long n = 10000;

	if (argc > 2 ||
		(argc == 2 && (!vy_parse_i64(vy_str_c(argv[1]), &n) || n < 100 || n > 40000))) {
		fprintf(stderr, "usage: log_bench [FRAMES], 100 to 40000\n");
		return 2;
	}
	vy_log_set_level(VY_LOG_NONE);
	b.frames = (int)n;
	b.us = vy_calloc((size_t)n, sizeof(*b.us));
	b.out = VY_JW(&text);
	b.dir = tempdir_make();
	b.loop = vy_loop_new();
	b.timer = vy_loop_timer(b.loop, stop, NULL);
	b.work = work_new(b.loop, NULL);
	reopen(0);
	vy_jw_obj(&b.out);
	vy_jw_kint(&b.out, "frames", b.frames);
	bench_bare("bare_1", 1);
	bench_log("log_1", 1);
	bench_replay("replay_ring", false);
	bench_replay("replay_ring_merged", true);
	bench_bare("bare_50", 50);
	bench_log("log_50", 50);
	reopen(1);
	bench_replay("replay_store", false);
	bench_replay("replay_store_warm", false);
	bench_replay("replay_store_merged", true);
	vy_jw_end_obj(&b.out);
	puts(text.data);
	hub_free(b.hub);
	log_free(b.log);
	b.store->ops->close(b.store);
	work_free(b.work);
	vy_timer_del(b.timer);
	vy_loop_free(b.loop);
	tempdir_remove(b.dir.path);
	free(b.us);
	return 0;
}
