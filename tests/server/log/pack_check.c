/* pack_check.c -- see pack_check.h. */
#include "tests/server/log/pack_check.h"

#include "server/log/log.h"
#include "shared/base/arena.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define SESSION  "00000000-0000-4000-8000-000000000000"
#define TEXT_MAX ((size_t)256 * VY_MIB)

static struct log_store *store;
static struct log *log_;

static int64_t fill(struct vy_str lines)
{
	int64_t n = 0;

	for (; lines.n; n++) {
		struct vy_str line = vy_str_n(
			lines.p, (size_t)((const char *)memchr(lines.p, '\n', lines.n) - lines.p));
		struct vy_err e = { 0 };
		struct vy_arena mem;
		struct vy_frame f;

		vy_arena_init(&mem);
		assert_int_equal(vy_frame_decode(line, &mem, &f, &e), 0);
		f.id = vy_str_n(NULL, 0);
		f.time = 1700000000000 + n / 3 * 17;
		check_true(e.text, log_append(log_, SESSION, &f, &e) == 0);
		if (n % 16 == 0) {
			log_flush(log_);
		}
		vy_arena_fini(&mem);
		lines = vy_str_from(lines, line.n + 1);
	}
	log_flush(log_);
	return n;
}

static bool add_line(void *ctx, const struct store_frame *f)
{
	vy_buf_addstr(ctx, f->bytes);
	return vy_buf_addc(ctx, '\n');
}

static bool add_event(void *ctx, const struct store_row *row)
{
	vy_buf_addstr(ctx, row->journal.data);
	return vy_buf_addc(ctx, '\n');
}

static void read_all(struct vy_buf *out)
{
	struct store_row like = { .kind = ROW_JOURNAL };
	struct vy_err e = { 0 };
	int rc = store->ops->read(store, VY_STR_LIT(SESSION), 1, NULL, add_line, out, &e);

	check_true(e.text, rc == 0 && store->ops->each(store, &like, add_event, out, &e) == 0);
}

static void nothing(void *ctx, int rc)
{
	*(bool *)ctx |= rc != 0;
}

/* In runs of so many at first, which are joined then. */
static void pack(int64_t head, int64_t step)
{
	struct store_tidy what = { .session = VY_STR_LIT(SESSION), .few = 1 };
	bool has_failed = false;
	struct vy_err e = { 0 };

	for (what.upto = step; what.upto < head + step; what.upto += step) {
		what.upto = what.upto < head ? what.upto : head;
		check_true(e.text, store->ops->tidy(store, &what, nothing, &has_failed, &e) >= 0);
		what.is_idle = what.upto == head;
		while (what.is_idle &&
			store->ops->tidy(store, &what, nothing, &has_failed, &e) > 0) {
		}
		if (what.is_idle) {
			break;
		}
	}
	assert_false(has_failed);
}

void pack_check(const char *name, struct vy_str lines)
{
	VY_AUTO_BUF was = VY_BUF_INIT(TEXT_MAX), now = VY_BUF_INIT(TEXT_MAX);
	struct tempdir dir = tempdir_make();
	struct vy_err e = { 0 };
	struct log_conf conf = { .clock = &vy_clock_real, .boot_id = "boot" };
	struct store_bounds b;

	vy_log_set_level(VY_LOG_NONE);
	conf.store = store = store_sqlite_open(dir.path, NULL, NULL, &e);
	check_true(e.text, store != NULL);
	log_ = log_new(&conf, &e);
	check_true(e.text, log_ != NULL);

	int64_t head = fill(lines);

	read_all(&was);
	pack(head, 100);
	read_all(&now);
	check_vstr(name, vy_buf_str(&now), vy_buf_str(&was));
	assert_int_equal(store->ops->bounds(store, VY_STR_LIT(SESSION), &b, NULL), 0);
	assert_true(head < 20 || b.bytes < (int64_t)was.len / 3);
	log_free(log_);
	store->ops->close(store);
	tempdir_remove(dir.path);
}
