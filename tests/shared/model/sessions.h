/* sessions.h -- random sessions for tests: frames of every kind in any order, the same every run. */
#ifndef TESTS_SESSIONS_H
#define TESTS_SESSIONS_H

#include "tests/shared/model/rows.h"

#include "shared/base/mem.h"
#include "shared/frame/check.h"

enum { FRAMES = 120 };

struct session {
	struct vy_arena a;
	struct vy_frame f[FRAMES];
};

/* Raised by each rewind of a session that has `eras`: what is said after it has new ids, as in
 * life, where the agent has ended what was folded away. Without, ids come back in any way. */
static unsigned era;

static inline const char *pick(uint64_t *seed, const char *const *from, uint32_t n)
{
	return from[chance(seed, n)];
}

static inline struct vy_frame text(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	struct vy_frame f = delta_of(a, cur, "");

	vy_frame_set_c(&f, VY_F_MESSAGE, vy_arena_printf(a, "m%u.%u", 1 + chance(seed, 2), era));
	vy_frame_set_int(&f, VY_F_INDEX, chance(seed, 2));
	vy_frame_set_str(&f, VY_F_TEXT, random_text(a, seed, 10));
	if (chance(seed, 3) == 0) {
		vy_frame_set_bool(&f, VY_F_REASONING, true);
	}
	if (chance(seed, 12) == 0) {
		vy_frame_set_bool(&f, VY_F_EXPIRED, true);
		vy_frame_del(&f, VY_F_TEXT);
	}
	return f;
}

static inline struct vy_frame user(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	static const char *const states[] = { "sent", "queued", "queued", "picked-up",
		"cancelled" };
	struct vy_frame f = frame_of(a, cur, "user-message",
		vy_arena_printf(a, "'message':'u%u.%u','state':'%s','text':'w%u'", chance(seed, 6),
			era, pick(seed, states, 5), chance(seed, 9)));

	if (chance(seed, 3) == 0) {
		vy_frame_set_int(&f, VY_F_POSITION, chance(seed, 3));
	}
	return f;
}

static inline struct vy_frame tool(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	unsigned id = chance(seed, 5);

	switch (chance(seed, 3)) {
	case 0:
		return frame_of(a, cur, "tool-started",
			vy_arena_printf(a,
				"'tool_id':'t%u.%u','tool':'T','kind':'%s','summary':'s%s", id, era,
				chance(seed, 3) ? "shell" : "todo",
				chance(seed, 3) ? "'" : "','parent_tool':'t0'"));
	case 1:
		return frame_of(a, cur, "tool-progress",
			vy_arena_printf(
				a, "'tool_id':'t%u.%u','text':'p%u'", id, era, chance(seed, 99)));
	default:
		return frame_of(a, cur, "tool-finished",
			vy_arena_printf(a,
				"'tool_id':'t%u.%u','ok':true,'status':'completed','result':{'type'"
				":'%"
				"s'"
				",'items':[{'text':'i','status':'done'}]}",
				id, era, chance(seed, 2) ? "task" : "text"));
	}
}

static inline struct vy_frame other(struct vy_arena *a, uint64_t *seed, uint64_t cur)
{
	unsigned id = chance(seed, 3);

	switch (chance(seed, 9)) {
	case 0:
		return frame_of(a, cur, "ask",
			vy_arena_printf(a,
				"'ask_id':'q%u.%u','kind':'plan','summary':'s','options':[],"
				"'tool_id':'t%u.%u'",
				id, era, chance(seed, 3), era));
	case 1:
		return frame_of(a, cur, "ask-answered",
			vy_arena_printf(a, "'ask_id':'q%u.%u','decision':'allow','by':'person:p'",
				id, era));
	case 2:
		return frame_of(a, cur, "status",
			vy_arena_printf(a, "'state':'waiting','rewound':{'message':'u','to':%u}",
				chance(seed, (uint32_t)cur)));
	case 3: return frame_of(a, cur, "status", "'state':'working','held':true,'mode':'plan'");
	case 4: return frame_of(a, cur, "file-changed", "'path':'a','op':'edit','added':2");
	case 5:
		return frame_of(a, cur, "text-done",
			vy_arena_printf(
				a, "'message':'m%u.%u','index':%u", 1 + id % 2, era, id % 2));
	case 6:
		return frame_of(a, cur, "term-command",
			vy_arena_printf(a, "'term':'x%u.%u','command':'c'", id % 2, era));
	case 7: return frame_of(a, cur, "hidden", "");
	default:
		return frame_of(a, cur, "text-cut",
			vy_arena_printf(a, "'message':'m%u.%u','index':%u,'note':'n'", 1 + id % 2,
				era, id % 2));
	}
}

/* A run of what merges is more likely than anything else, as in life. */
static inline void make_session(struct session *s, uint64_t seed, bool eras)
{
	int64_t offset = 0;
	size_t i = 1;

	vy_arena_init(&s->a);
	era = 0;
	s->f[0] = frame_of(&s->a, 1, "status", "'state':'starting'");
	while (i < FRAMES) {
		struct vy_frame f;
		uint32_t what = chance(&seed, 10), run = 1 + chance(&seed, 6);

		for (uint32_t k = 0; k < (what < 5 ? run : 1) && i < FRAMES; k++, i++) {
			uint64_t cur = i + 1;

			if (what < 4) {
				struct vy_frame again = text(&s->a, &seed, cur);

				if (k > 0 &&
					!vy_frame_is_expired(&f)) { /* goes on in the same block */
					again = f;
					again.cur = cur;
					again.id = vy_str_c(vy_arena_printf(
						&s->a, "e%llu", (unsigned long long)cur));
					again.time = (int64_t)cur * 1000;
					vy_frame_set_str(
						&again, VY_F_TEXT, random_text(&s->a, &seed, 10));
				}
				f = again;
			} else if (what == 4) {
				f = frame_of(&s->a, cur, "term-chunk",
					vy_arena_printf(&s->a,
						"'term':'x0.%u','offset':0,'b64':'YWJj'", era));
				vy_frame_set_int(&f, VY_F_OFFSET, offset);
				offset += 3;
			} else if (what == 5) {
				f = user(&s->a, &seed, cur);
			} else if (what < 8) {
				f = tool(&s->a, &seed, cur);
			} else {
				f = other(&s->a, &seed, cur);
			}
			f.turn = vy_str_c(vy_arena_printf(&s->a, "S:%u", era));
			check_int("a frame", vy_frame_check(&f, NULL), 0);
			s->f[i] = f;
			era += eras && vy_frame_has(&f, VY_F_REWOUND);
		}
	}
}

#endif
