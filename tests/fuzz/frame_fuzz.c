/* frame_fuzz.c -- whatever the bytes, a frame is refused or comes out as it went in.
 *
 * What our scanner takes, the JSON door must take too (but for repeated keys and numbers past
 * double's end, which are no concern of a scanner). */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "shared/frame/merge.h"
#include "shared/frame/resume.h"
#include "shared/frame/scan.h"
#include "shared/frame/twin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void same_verdict(struct vy_str s)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *v = vy_json_parse(s, &e);

	vy_assert(!v || vy_scan_is_json(s));
	vy_assert(v || !vy_scan_is_json(s) || strstr(e.text, "duplicate") ||
		  strstr(e.text, "overflow"));
}

static void comes_back(const struct vy_frame *f, struct vy_arena *a)
{
	VY_AUTO_BUF first = VY_BUF_INIT(8 * VY_MIB);
	VY_AUTO_BUF second = VY_BUF_INIT(8 * VY_MIB);
	struct vy_frame again;
	struct vy_err e = { 0 };

	vy_assert(vy_frame_encode(f, &first));
	vy_assert(vy_frame_decode(vy_buf_str(&first), a, &again, &e) == 0);
	vy_assert(vy_frame_encode(&again, &second));
	vy_assert(vy_str_eq(vy_buf_str(&first), vy_buf_str(&second)));
	vy_assert(vy_frame_check(f, NULL) == vy_frame_check(&again, NULL));
	if (vy_frame_check(f, NULL) == 0) {
		vy_assert(first.len <= VY_FRAME_MAX);
	}
}

static void merges_and_trims(const struct vy_frame *f, struct vy_arena *a)
{
	struct vy_merge m;
	struct vy_frame next = *f, cut = *f;

	vy_merge_init(&m);
	next.cur = f->cur + f->span;
	if (vy_merge_add(&m, f)) {
		bool joined = vy_merge_add(&m, &next);
		const struct vy_frame *run = vy_merge_take(&m);

		vy_assert(run->span == (joined ? 2 : 1) * f->span);

		vy_assert(vy_frame_check(f, NULL) < 0 || vy_frame_check(run, NULL) == 0);
	}
	if (f->span > 1 && f->span <= f->cur &&
		vy_frame_trim(&cut, vy_frame_first(f), a, NULL) == 0) {
		vy_assert(cut.span == f->span - 1);
		vy_assert(vy_frame_check(f, NULL) < 0 || vy_frame_check(&cut, NULL) == 0);
	}
	vy_merge_fini(&m);
}

static void steps(const struct vy_frame *f, struct vy_arena *a)
{
	struct vy_resume r;
	struct vy_resume_out out;
	const struct vy_resume_event events[] = {
		{ .type = VY_RESUME_START },
		{ .type = VY_RESUME_OPENED, .head = 100 },
		{ .type = VY_RESUME_FRAME, .frame = f },
		{ .type = VY_RESUME_FRAME, .frame = f },
	};

	vy_resume_init_from(&r, f->cur ? f->cur - 1 : 0, vy_str_n(NULL, 0));
	for (size_t i = 0; i < VY_COUNT(events); i++) {
		vy_resume_step(&r, &events[i], a, &out);
	}
}

/* The first line and its like: a twin is what decoding gives. */
static void twins(struct vy_str s)
{
	const char *nl = s.n ? memchr(s.p, '\n', s.n) : NULL;
	size_t n = nl ? (size_t)(nl - s.p) : s.n;
	struct vy_str second = nl ? vy_str_from(s, n + 1) : s;
	const struct vy_frame *twin;
	struct vy_frame whole;
	struct vy_arena a;
	struct vy_twin t;

	vy_twin_init(&t);
	vy_arena_init(&a);
	vy_twin_note(&t, vy_str_n(s.p, n));
	twin = vy_twin_read(&t, second);
	vy_assert(!twin ||
		  (vy_frame_decode(second, &a, &whole, NULL) == 0 && vy_frame_equal(twin, &whole)));
	vy_arena_fini(&a);
	vy_twin_fini(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct vy_str s = vy_str_n((const char *)data, n);
	struct vy_arena a;
	struct vy_frame f;
	struct vy_err e;

	same_verdict(s);
	twins(s);
	vy_arena_init(&a);
	if (vy_frame_decode(s, &a, &f, &e) == 0) {
		comes_back(&f, &a);
		merges_and_trims(&f, &a);
		steps(&f, &a);
	}
	vy_arena_fini(&a);
	return 0;
}
