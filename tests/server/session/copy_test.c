/* copy_test.c -- which frames a copy of a session has, by tables: a word a frame, in and out. */
#include "tests/check.h"

#include "server/session/copy.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/frame/check.h"
#include "shared/base/ban.h"

#define MAX 24

/* A frame as a word: "u a" (a said), "U a" (in another turn), "q a" (waits), "d m" (a delta of m), "e m" (its end), "T t", "t t"
 * (a call and its end), "A k", "k k" (an ask, answered), "w" "W" (working, waiting), "s" (starting), "n"
 * (a note while it starts), "m" (a mode), "r N" (rewound to frame N). */
static struct vy_frame frame(const char *word, uint64_t cur, struct vy_arena *a)
{
	static const struct {
		char letter;
		enum vy_kind kind;
		enum vy_fid id;
		const char *state;
	} kinds[] = {
		{ 'u', VY_KIND_USER_MESSAGE, VY_F_MESSAGE, "sent" },
		{ 'U', VY_KIND_USER_MESSAGE, VY_F_MESSAGE, "sent" },
		{ 'q', VY_KIND_USER_MESSAGE, VY_F_MESSAGE, "queued" },
		{ 'd', VY_KIND_TEXT_DELTA, VY_F_MESSAGE, NULL },
		{ 'e', VY_KIND_TEXT_DONE, VY_F_MESSAGE, NULL },
		{ 'T', VY_KIND_TOOL_STARTED, VY_F_TOOL_ID, NULL },
		{ 't', VY_KIND_TOOL_FINISHED, VY_F_TOOL_ID, NULL },
		{ 'A', VY_KIND_ASK, VY_F_ASK_ID, NULL },
		{ 'k', VY_KIND_ASK_ANSWERED, VY_F_ASK_ID, NULL },
		{ 'w', VY_KIND_STATUS, VY_F_ORIGIN, "working" },
		{ 'W', VY_KIND_STATUS, VY_F_ORIGIN, "waiting" },
		{ 's', VY_KIND_STATUS, VY_F_ORIGIN, "starting" },
		{ 'n', VY_KIND_STATUS, VY_F_NOTE, "starting" },
		{ 'm', VY_KIND_STATUS, VY_F_MODE, "starting" },
		{ 'r', VY_KIND_STATUS, VY_F_REWOUND, "waiting" },
	};
	struct vy_frame f;
	size_t i = 0;

	while (kinds[i].letter != word[0]) {
		i++;
	}
	vy_frame_init(&f, kinds[i].kind);
	f.cur = cur;
	f.id = VY_STR_LIT("old");
	f.turn = vy_str_c(word[0] == 'U' ? "S:4" : "S:3");
	f.author = VY_STR_LIT("assistant:a");
	if (kinds[i].state) {
		vy_frame_set_c(&f, VY_F_STATE, kinds[i].state);
	}
	if (word[0] == 'r') {
		vy_frame_set_json(&f, VY_F_REWOUND,
			vy_str_c(vy_arena_printf(a, "{\"message\":\"m\",\"to\":%s}", word + 2)));
	} else if (word[1]) {
		vy_frame_set_c(&f, kinds[i].id, vy_arena_printf(a, "%s", word + 2));
	}
	return f;
}

static void print(const struct vy_frame *f, struct vy_buf *out)
{
	enum vy_fid ids[] = { VY_F_MESSAGE, VY_F_TOOL_ID, VY_F_ASK_ID, VY_F_STATE, VY_F_NOTE };

	vy_buf_addf(out, "%s%s", out->len ? " · " : "", vy_kind_word(f->kind));
	for (size_t i = 0; i < VY_COUNT(ids); i++) {
		struct vy_str s = vy_frame_str(f, ids[i]);

		if (s.n) {
			vy_buf_addf(out, " %.*s", VY_STR_ARG(s));
		}
	}
	check_true("it is the copy's",
		f->cur == 0 && !f->id.n && (!f->turn.n || vy_str_starts(f->turn, "C:")));
}

static const struct {
	const char *name;
	uint64_t upto; /* 0: all */
	bool is_busy;
	const char *in[MAX];
	const char *want;
} rows[] = {
	{ "a turn", 0, false, { "u a", "s", "w", "d m", "e m", "W" },
		"user-message a sent · status working · text-delta m · text-done m · "
		"status waiting · status waiting" },
	{ "what waits, and what was of its time, stays behind", 0, false,
		{ "u a", "s", "m", "n x", "w", "q b", "W" },
		"user-message a sent · status waiting x · status working · status waiting · "
		"status waiting" },
	{ "what is rewound", 0, false, { "u a", "w", "W", "u b", "w", "W", "r 3", "u c", "w", "W" },
		"user-message a sent · status working · status waiting · user-message c sent · "
		"status working · status waiting · status waiting" },
	{ "what is redone", 0, false, { "u a", "W", "u b", "W", "r 2", "r 4", "u c" },
		"user-message a sent · status waiting · user-message b sent · status waiting · "
		"user-message c sent · status waiting" },
	{ "rewound twice", 0, false, { "u a", "W", "u b", "W", "r 2", "r 0", "u c" },
		"user-message c sent · status waiting" },
	{ "up to a message in a turn: what is open is ended", 5, false,
		{ "u a", "w", "d m", "T t", "A k", "u b", "t t", "k k", "e m", "W" },
		"user-message a sent · status working · text-delta m · tool-started t · ask k · "
		"text-done m · tool-finished t · ask-answered k · status waiting" },
	{ "a turn that runs", 0, true, { "u a", "w", "d m", "e m", "W", "u b", "w", "d n" },
		"user-message a sent · status working · text-delta m · text-done m · "
		"status waiting · status waiting" },
	{ "the first turn runs", 0, true, { "u a", "w", "d m" }, "" },
	{ "a turn that runs behind a rewind", 0, true,
		{ "u a", "W", "u b", "W", "r 2", "u c", "w", "d m" },
		"user-message a sent · status waiting · status waiting" },
	{ "a turn that lost its end", 0, false, { "u a", "w", "T t", "u b", "W", "r 3", "U c" },
		"user-message a sent · status working · tool-started t · tool-finished t · "
		"status waiting · user-message c sent · status waiting" },
	{ "ends of what is not there", 0, false, { "t t", "k k", "e m", "u a", "W" },
		"user-message a sent · status waiting · status waiting" },
};

static void copies(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
		struct vy_frame f, g;
		struct vy_arena a;
		struct copy c;
		size_t n = 0;

		vy_arena_init(&a);
		copy_init(&c, VY_STR_LIT("S"), VY_STR_LIT("C"), UINT64_MAX);
		for (; n < MAX && rows[i].in[n]; n++) {
			f = frame(rows[i].in[n], n + 1, &a);
			copy_look(&c, &f);
		}
		c.upto = rows[i].upto ? rows[i].upto : n;
		copy_looked(&c, rows[i].is_busy);
		for (size_t k = 0; k < n; k++) {
			f = frame(rows[i].in[k], k + 1, &a);
			if (copy_frame(&c, &f, &a, &g)) {
				struct vy_frame end;

				while (copy_before(&c, &g, &a, &end)) {
					print(&end, &out);
				}
				print(&g, &out);
			}
		}
		while (copy_end(&c, &a, &g)) {
			print(&g, &out);
		}
		check_str(rows[i].name, vy_buf_c(&out), rows[i].want);
		copy_fini(&c);
		vy_arena_fini(&a);
	}
}

CHECK_MAIN(CHECK_TEST(copies))
