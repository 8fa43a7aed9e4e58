/* pack_bench.c -- how large a long reply is on the disk, and how fast it is read again.
 *
 * usage: pack_bench [WORDS]    one JSON object a line
 * The text is this project's own documentation (English that somebody wrote), sent word by word, or in
 * pieces of some words as a model sends it. Sizes are of the database's used pages, less those of a
 * database in which nothing was said, over the bytes of the text: as it came, packed, sealed. The search index
 * stands apart. Then 10,000 and 100,000 frames are read by a viewer: from the ring, from rows, from packed
 * runs, merged or one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "server/hub/hub.h"
#include "server/io/db.h"
#include "server/io/work.h"
#include "server/log/derive.h"
#include "server/log/log.h"
#include "server/log/search.h"
#include "shared/base/buf.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define SESSION   "6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11"
#define TEXT_MAX  ((size_t)4 * VY_MIB)
#define ROUNDS    7
#define REPLAYED  10000
#define MANY      100000
#define PER_FLUSH 50

static struct {
	struct tempdir dir;
	struct vy_loop *loop;
	struct vy_timer *timer;
	struct work *work;
	struct log_store *store;
	struct log *log;
	struct hub *hub;
	struct search *search;
	struct vy_buf text;
	int64_t now; /* ms of our clock */
	uint64_t dice;
	size_t sent; /* bytes of text */
	bool is_tidied;
} b;

static void fail(const char *what, const struct vy_err *e)
{
	fprintf(stderr, "pack_bench: %s: %s\n", what, e->text);
	exit(1);
}

static unsigned dice(unsigned n)
{
	b.dice = b.dice * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(b.dice >> 33) % n;
}

static int64_t clock_ms(void *ctx)
{
	(void)ctx;
	return 1700000000000 + b.now;
}

static const struct vy_clock clock_ = { clock_ms, clock_ms, NULL };

/* ---- a log ---- */

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

static void turn(int ms)
{
	vy_timer_set(b.timer, ms);
	vy_loop_run(b.loop);
}

static void open_log(size_t ring_frames)
{
	struct vy_err e = { 0 };
	struct log_conf conf = { .clock = &clock_,
		.ring_frames = ring_frames,
		.ring_bytes = (size_t)64 * VY_MIB,
		.rings_bytes = (size_t)64 * VY_MIB,
		.retain_frames = INT64_MAX,
		.retain_bytes = INT64_MAX };

	conf.store = b.store = store_sqlite_open(b.dir.path, b.loop, b.work, &e);
	b.log = b.store ? log_new(&conf, &e) : NULL;
	if (!b.log) {
		fail("the log", &e);
	}
	b.hub = hub_new(b.log, b.loop);
}

static void close_log(void)
{
	hub_free(b.hub);
	log_free(b.log);
	b.store->ops->close(b.store);
}

static void flush(void)
{
	do {
		log_flush(b.log);
		turn(0);
	} while (log_head(b.log, SESSION) != log_staged(b.log, SESSION));
}

/* ---- what is said ---- */

static void read_docs(void)
{
	static const char *const names[] = { "README.md", "doc/HACKING.md", "doc/SECURITY.md",
		"doc/performance.md", "doc/TRAPS.md", "doc/wire.md", "doc/design/session.md",
		"doc/design/log.md", "doc/design/streams.md", "doc/design/chaos.md",
		"doc/design/standing.md", "tests/play/README.md", "LICENSE" };
	const char *top = getenv("top_srcdir");

	b.text = VY_BUF_INIT(TEXT_MAX);
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		char path[600], part[4096];
		size_t n;

		snprintf(path, sizeof(path), "%.400s/%s", top ? top : "..", names[i]);
		FILE *f = fopen(path, "re");

		while (f && (n = fread(part, 1, sizeof(part), f)) > 0) {
			vy_buf_add(&b.text, part, n);
		}
		if (f) {
			fclose(f);
		}
	}
	if (b.text.len < 50000) {
		fprintf(stderr, "pack_bench: set top_srcdir to the sources\n");
		exit(1);
	}
}

static void append(struct vy_frame *f)
{
	struct vy_err e = { 0 };

	f->author = VY_STR_LIT("model:claude");
	f->turn = VY_STR_LIT("6a0f4a7e-3b7e-4b1f-9a52-7b8f6a0c9d11:12");
	if (log_append(b.log, SESSION, f, &e) < 0) {
		fail("append", &e);
	}
}

static void delta(const char *message, struct vy_str text)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	vy_frame_set_c(&f, VY_F_MESSAGE, message);
	vy_frame_set_int(&f, VY_F_INDEX, 0);
	vy_frame_set_str(&f, VY_F_TEXT, text);
	append(&f);
}

static void end_turn(void)
{
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_STATUS);
	vy_frame_set_c(&f, VY_F_STATE, "waiting");
	append(&f);
	flush();
}

/* So many pieces, each of up to `words` words; the text begins again when it is over. */
static void speak(const char *message, int pieces, unsigned words, int64_t ms)
{
	const char *p = b.text.data, *end = p + b.text.len;

	b.sent = 0;
	for (int i = 0; i < pieces; i++) {
		const char *from = p;

		for (unsigned k = 1 + dice(words); k > 0 && p < end; k--) {
			while (p < end && (*p == ' ' || *p == '\n')) {
				p++;
			}
			while (p < end && *p != ' ' && *p != '\n') {
				p++;
			}
		}
		if (p > from) {
			delta(message, vy_str_n(from, (size_t)(p - from)));
			b.sent += (size_t)(p - from);
		}
		p = p == end ? b.text.data : p;
		b.now += ms / 2 + dice((unsigned)ms + 1);
		if (i % PER_FLUSH == 0) {
			flush();
		}
	}
	end_turn();
}

/* ---- small ---- */

static void tidied(void *ctx, int rc)
{
	(void)ctx;
	(void)rc;
	b.is_tidied = true;
}

/* Everything that can be done, as retain.c would do it; the longest that the loop was held, in us. */
static int64_t tidy(bool is_idle)
{
	int64_t longest = 0;
	struct vy_err e = { 0 };

	for (;;) {
		struct store_tidy what = { VY_STR_LIT(SESSION), log_head(b.log, SESSION),
			is_idle ? 1 : 256, 0, is_idle };
		struct timespec begin, end;
		int rc;

		b.is_tidied = false;
		clock_gettime(CLOCK_MONOTONIC, &begin);
		rc = log_tidy(b.log, &what, tidied, NULL, &e);
		clock_gettime(CLOCK_MONOTONIC, &end);
		if (rc < 0) {
			fail("tidy", &e);
		}
		if (rc == 0) {
			break;
		}
		int64_t us = (end.tv_sec - begin.tv_sec) * 1000000 +
			     (end.tv_nsec - begin.tv_nsec) / 1000;

		longest = us > longest ? us : longest;
		while (!b.is_tidied) {
			turn(1);
		}
	}
	while (log_shrink(b.log, &e) > 0) {
		turn(1);
	}
	return longest;
}

static int64_t pages(void)
{
	struct vy_err e = { 0 };
	char path[600];

	snprintf(path, sizeof(path), "%.500s/vyre.db", b.dir.path);
	struct db *d = db_open_side(path, &e);
	struct db_stmt *s =
		d ? db_prep(d,
			    "SELECT (page_count - freelist_count) * page_size FROM"
			    " pragma_page_count, pragma_freelist_count, pragma_page_size",
			    &e)
		  : NULL;
	int64_t n = s && db_step(s, &e) > 0 ? db_int(s, 0) : -1;

	db_done(s);
	db_close(d);
	if (n < 0) {
		fail("size", &e);
	}
	return n;
}

static int64_t file_bytes(const char *name)
{
	struct stat st;
	char path[600];

	snprintf(path, sizeof(path), "%.500s/%s", b.dir.path, name);
	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

static void print_ratio(const char *name, int64_t bytes, double limit)
{
	double ratio = (double)bytes / (double)b.sent;

	printf(",\"%s\":%.2f", name, ratio);
	if (limit > 0) {
		printf(",\"%s_limit\":%.2f,\"%s_met\":%s", name, limit, name,
			ratio <= limit ? "true" : "false");
	}
}

static void begin(void)
{
	b.dir = tempdir_make();
	open_log(0);
}

static void end(void)
{
	close_log();
	tempdir_remove(b.dir.path);
}

static void sizes(const char *how, int pieces, unsigned words, int64_t ms)
{
	begin();
	b.search = search_new(b.log, b.loop, b.work, b.dir.path);
	delta("m0", VY_STR_LIT("x"));
	end_turn();

	int64_t empty = pages(), came, hot, sealed, held;

	speak("msg_01ABCDEFGHIJKLMNOP", pieces, words, ms);
	came = pages() - empty;
	held = tidy(false);
	hot = pages() - empty;
	tidy(true);
	sealed = pages() - empty;
	for (int i = 0; i < 100; i++) {
		turn(10); /* the search has it too */
	}
	search_free(b.search);

	int64_t frames = log_head(b.log, SESSION);

	close_log();
	printf("{\"bench\":\"pack\",\"part\":\"size\",\"pieces\":\"%s\",\"frames\":%lld,"
	       "\"text_bytes\":%zu",
		how, (long long)frames, b.sent);
	print_ratio("came", came, 0);
	print_ratio("hot", hot, 1.2);
	print_ratio("sealed", sealed, 0.5);
	printf(",\"empty_bytes\":%lld,\"file_bytes\":%lld,\"search_bytes\":%lld,"
	       "\"gather_us_most\":%lld}\n",
		(long long)empty, (long long)file_bytes("vyre.db"),
		(long long)file_bytes("search.db"), (long long)held);
	fflush(stdout);
	tempdir_remove(b.dir.path);
}

/* ---- fast ---- */

static void on_ready(void *ctx)
{
	(void)ctx;
}

static double replay_once(bool is_merged, int64_t want)
{
	VY_AUTO_BUF message = VY_BUF_INIT(VY_BATCH_BYTES + VY_FRAME_MAX);
	struct timespec from, to;
	struct hub_item it;
	int64_t last = 0;

	clock_gettime(CLOCK_MONOTONIC, &from);
	struct hub_sub *s = hub_subscribe(b.hub, &(struct hub_open){ .session = SESSION,
							 .viewer = "v",
							 .from = 0,
							 .is_merged = is_merged,
							 .ready = on_ready });

	while (hub_next(s, SIZE_MAX, &it) == HUB_ITEM) {
		if (message.len + it.frame->len > VY_BATCH_BYTES) {
			vy_buf_clear(&message);
		}
		vy_buf_addstr(&message, frame_ref_str(it.frame));
		last = it.frame->cur ? it.frame->cur : last;
		hub_item_done(&it);
	}
	hub_unsubscribe(s);
	clock_gettime(CLOCK_MONOTONIC, &to);
	if (last != want) {
		fprintf(stderr, "pack_bench: a replay ended at %lld\n", (long long)last);
		exit(1);
	}
	return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, c = *(const double *)y;

	return (a > c) - (a < c);
}

static double replay(const char *name, bool is_merged)
{
	double ms[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		ms[i] = replay_once(is_merged, log_head(b.log, SESSION));
	}
	qsort(ms, ROUNDS, sizeof(*ms), by_value);
	printf(",\"%s_ms\":%.2f", name, ms[ROUNDS / 2]);
	return ms[ROUNDS / 2];
}

static void print_of(const char *name, double ms, double of, double limit)
{
	printf(",\"%s_of_ring\":%.2f,\"%s_limit\":%.1f,\"%s_met\":%s", name, ms / of, name, limit,
		name, ms / of <= limit ? "true" : "false");
}

static void replays(int frames)
{
	double ring[2], rows[2], packed[2], sealed[2];

	begin();
	close_log();
	open_log((size_t)MANY * 2);
	speak("msg_01ABCDEFGHIJKLMNOP", frames, 1, 10);
	printf("{\"bench\":\"pack\",\"part\":\"replay\",\"frames\":%d", frames);
	for (int i = 0; i < 2; i++) {
		ring[i] = replay(i ? "ring_merged" : "ring", i);
	}
	close_log();
	open_log(1);
	for (int i = 0; i < 2; i++) {
		rows[i] = replay(i ? "rows_merged" : "rows", i);
	}
	tidy(false);
	for (int i = 0; i < 2; i++) {
		packed[i] = replay(i ? "packed_merged" : "packed", i);
	}
	tidy(true);
	for (int i = 0; i < 2; i++) {
		sealed[i] = replay(i ? "sealed_merged" : "sealed", i);
	}
	print_of("rows", rows[0], ring[0], 3);
	print_of("packed", packed[0], ring[0], 3);
	print_of("packed_merged", packed[1], ring[1], 3);
	print_of("sealed_merged", sealed[1], ring[1], 3);
	puts("}");
	fflush(stdout);
	end();
}

int main(int argc, char **argv)
{
	long long words = 31000;

	if (argc > 2 || (argc == 2 && (!vy_parse_i64(vy_str_c(argv[1]), &words) || words < 1000 ||
					      words > 200000))) {
		fprintf(stderr, "usage: pack_bench [WORDS], 1000 to 200000\n");
		return 2;
	}
	vy_log_set_level(VY_LOG_NONE);
	b.loop = vy_loop_new();
	b.timer = vy_loop_timer(b.loop, stop, b.loop);
	b.work = work_new(b.loop, NULL);
	read_docs();
	sizes("words", (int)words, 1, 10);
	sizes("some words", (int)words / 4, 7, 80);
	replays(REPLAYED);
	replays(MANY);
	vy_buf_fini(&b.text);
	work_free(b.work);
	vy_timer_del(b.timer);
	vy_loop_free(b.loop);
	return 0;
}
