/* frames.h -- frames for tests, short to write: JSON with ' for ", and random ones. */
#ifndef TESTS_FRAMES_H
#define TESTS_FRAMES_H

#include "tests/check.h"

#include "shared/base/arena.h"
#include "shared/base/limits.h"
#include "shared/frame/codec.h"
#include "shared/frame/frame.h"
#include "shared/frame/scan.h"
#include "shared/text/utf8.h"

/* The text with every ' as ". */
static inline struct vy_str quoted(struct vy_arena *a, const char *json)
{
	char *s = vy_arena_dup(a, json, strlen(json));

	for (char *p = s; *p; p++) {
		*p = *p == '\'' ? '"' : *p;
	}
	return vy_str_c(s);
}

/* A frame of session "S": frame_of(a, 7, "text-delta", "'message':'m','index':0,'text':'x'"). */
static inline struct vy_frame frame_of(
	struct vy_arena *a, uint64_t cur, const char *kind, const char *data)
{
	struct vy_frame f;
	struct vy_err e = { 0 };
	char *json = vy_arena_printf(a,
		"{'v':1,'id':'e%llu','cur':%llu,'session':'S','turn':'S:1',"
		"'type':'session.%s','time':%llu,'corr':null,'data':{%s}}",
		(unsigned long long)cur, (unsigned long long)cur, kind,
		(unsigned long long)(cur * 1000), data);

	if (vy_frame_decode(quoted(a, json), a, &f, &e) < 0) {
		fail_msg("%s: %s", json, e.text);
	}
	return f;
}

static inline struct vy_frame delta_of(struct vy_arena *a, uint64_t cur, const char *text)
{
	struct vy_frame f = frame_of(a, cur, "text-delta", "'message':'m1','index':0,'text':''");

	vy_frame_set_str(&f, VY_F_TEXT, vy_arena_str(a, vy_str_c(text)));
	return f;
}

static inline const char *encoded(struct vy_arena *a, const struct vy_frame *f)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4 * VY_FRAME_MAX);

	check_true("encodes", vy_frame_encode(f, &b));
	return vy_arena_dup(a, b.data, b.len);
}

/* ---- chance: the same every run ---- */

static inline uint32_t chance(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % below;
}

/* Text with everything that has ever broken an encoder. */
static inline struct vy_str random_text(struct vy_arena *a, uint64_t *seed, size_t max)
{
	static const char *const bits[] = { "a", "Z", " ", "\n", "\"", "\\", "\t", "\r", "\x01",
		"\x1F", "\x7F", "/", "\u00E9", "\u4E2D", "\U0001F600", "\uFFFD", "\u2028", "b",
		"e\u0301", "{}" };
	size_t n = chance(seed, (uint32_t)max + 1);
	VY_AUTO_BUF b = VY_BUF_INIT(max + 8);

	while (b.len < n) {
		vy_buf_adds(&b, bits[chance(seed, VY_COUNT(bits))]);
	}
	return vy_arena_str(a, vy_str_n(b.data, vy_utf8_cut(vy_buf_str(&b), max)));
}

#endif
