/* merge_test.c -- runs of pieces: what joins, what does not, and that trimming undoes it. */
#include "tests/shared/frame/frames.h"

#include "shared/base/hash.h"
#include "shared/frame/check.h"
#include "shared/frame/merge.h"
#include "shared/base/ban.h"

static struct vy_frame chunk_of(struct vy_arena *a, uint64_t cur, int64_t offset, const char *bytes)
{
	struct vy_frame f = frame_of(a, cur, "term-chunk", "'term':'t','offset':0,'b64':''");
	char *b64 = vy_arena_alloc(a, strlen(bytes) * 2 + 8);

	vy_frame_set_str(&f, VY_F_B64, vy_str_n(b64, vy_base64(bytes, strlen(bytes), b64)));
	vy_frame_set_int(&f, VY_F_OFFSET, offset);
	return f;
}

/* ---- what the joined frame looks like ---- */

static void joins_text(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_merge m;

	vy_arena_init(&a);
	vy_merge_init(&m);
	check_true("nothing yet", vy_merge_take(&m) == NULL);
	const char *const pieces[] = { "a", "\U0001F600\u00E9", "", "bc" };

	for (size_t i = 0; i < VY_COUNT(pieces); i++) {
		struct vy_frame f = delta_of(&a, 5 + i, pieces[i]);

		check_true(pieces[i], vy_merge_add(&m, &f));
	}
	vy_arena_reset(&a); /* the frames may die */
	const struct vy_frame *run = vy_merge_take(&m);

	check_str("joined", encoded(&a, run),
		"{\"v\":1,\"id\":\"e8\",\"cur\":8,\"session\":\"S\",\"turn\":\"S:1\","
		"\"type\":\"session.text-delta\",\"time\":8000,\"corr\":null,"
		"\"data\":{\"message\":\"m1\",\"index\":0,\"text\":\"a\U0001F600\u00E9bc\","
		"\"parts\":[1,3,0,2]},\"span\":4}");
	check_int("is a frame", vy_frame_check(run, NULL), 0);
	check_true("taken", vy_merge_take(&m) == NULL);
	vy_merge_fini(&m);
	vy_arena_fini(&a);
}

static void joins_bytes(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_merge m;

	vy_arena_init(&a);
	vy_merge_init(&m);
	struct vy_frame f = chunk_of(&a, 2, 10, "ab\xFF"), g = chunk_of(&a, 3, 13, "c");

	check_true("first", vy_merge_add(&m, &f));
	check_true("next", vy_merge_add(&m, &g));
	const struct vy_frame *run = vy_merge_take(&m);

	check_str("joined", encoded(&a, run),
		"{\"v\":1,\"id\":\"e3\",\"cur\":3,\"session\":\"S\",\"turn\":\"S:1\","
		"\"type\":\"session.term-chunk\",\"time\":3000,\"corr\":null,"
		"\"data\":{\"term\":\"t\",\"offset\":10,\"b64\":\"YWL/Yw==\",\"parts\":[3,1]},"
		"\"span\":2}");
	check_int("is a frame", vy_frame_check(run, NULL), 0);
	vy_merge_fini(&m);
	vy_arena_fini(&a);
}

static void a_run_of_one_is_the_frame(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_merge m;

	vy_arena_init(&a);
	vy_merge_init(&m);
	struct vy_frame f = delta_of(&a, 5, "alone"), c = chunk_of(&a, 6, 0, "alone");

	check_true("delta", vy_merge_add(&m, &f));
	check_str("delta", encoded(&a, vy_merge_take(&m)), encoded(&a, &f));
	check_true("chunk", vy_merge_add(&m, &c));
	check_str("chunk", encoded(&a, vy_merge_take(&m)), encoded(&a, &c));
	vy_merge_fini(&m);
	vy_arena_fini(&a);
}

static void merged_frames_merge_again(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_merge m;

	vy_arena_init(&a);
	vy_merge_init(&m);
	struct vy_frame one = delta_of(&a, 6, "ab"), two = delta_of(&a, 8, "cd");

	one.span = two.span = 2;
	vy_frame_set_json(&one, VY_F_PARTS, vy_str_c("[1,1]"));
	vy_frame_set_json(&two, VY_F_PARTS, vy_str_c("[2,0]"));
	check_true("one", vy_merge_add(&m, &one));
	check_true("two", vy_merge_add(&m, &two));
	const struct vy_frame *run = vy_merge_take(&m);

	check_vstr("parts", vy_frame_str(run, VY_F_PARTS), vy_str_c("[1,1,2,0]"));
	check_int("span", (long long)run->span, 4);
	check_int("is a frame", vy_frame_check(run, NULL), 0);
	vy_merge_fini(&m);
	vy_arena_fini(&a);
}

/* ---- what does not join ---- */

enum change {
	NOTHING,
	CUR,
	TURN,
	AUTHOR,
	ACTS,
	ENVELOPE,
	SESSION,
	MESSAGE,
	INDEX,
	PARENT,
	REASON,
	EXPIRE,
	KIND
};

static void a_border_stays_a_border(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum change what;
		bool joins;
	} rows[] = {
		{ "the same", NOTHING, true },
		{ "a hole between the cursors", CUR, false },
		{ "another turn", TURN, false },
		{ "another author", AUTHOR, false },
		{ "for another person", ACTS, false },
		{ "of another message in the envelope", ENVELOPE, false },
		{ "another session", SESSION, false },
		{ "another message", MESSAGE, false },
		{ "another block", INDEX, false },
		{ "another parent", PARENT, false },
		{ "reasoning", REASON, false },
		{ "expired", EXPIRE, false },
		{ "another kind", KIND, false },
	};
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_merge m;
		struct vy_frame f = delta_of(&a, 5, "a"), g = delta_of(&a, 6, "b");

		switch (rows[i].what) {
		case NOTHING: break;
		case CUR: g.cur = 7; break;
		case TURN: g.turn = vy_str_c("S:2"); break;
		case AUTHOR: g.author = vy_str_c("model:m"); break;
		case ACTS: g.acts_for = vy_str_c("person:p"); break;
		case ENVELOPE: g.message = vy_str_c("mm"); break;
		case SESSION: g.session = vy_str_c("T"); break;
		case MESSAGE: vy_frame_set_c(&g, VY_F_MESSAGE, "m2"); break;
		case INDEX: vy_frame_set_int(&g, VY_F_INDEX, 1); break;
		case PARENT: vy_frame_set_c(&g, VY_F_PARENT, "t"); break;
		case REASON: vy_frame_set_bool(&g, VY_F_REASONING, true); break;
		case EXPIRE: vy_frame_set_bool(&g, VY_F_EXPIRED, true); break;
		case KIND: g = frame_of(&a, 6, "status", "'state':'waiting'"); break;
		}
		vy_merge_init(&m);
		check_true(rows[i].name, vy_merge_add(&m, &f));
		check_int(rows[i].name, vy_merge_add(&m, &g), rows[i].joins);
		check_int(rows[i].name, (long long)vy_merge_take(&m)->cur, rows[i].joins ? 6 : 5);
		vy_merge_fini(&m);
	}
	vy_arena_fini(&a);
}

static void chunks_need_contiguous_bytes(void **state)
{
	(void)state;
	struct vy_arena a;
	struct vy_merge m;

	vy_arena_init(&a);
	vy_merge_init(&m);
	struct vy_frame f = chunk_of(&a, 2, 10, "abc"), hole = chunk_of(&a, 3, 14, "c");
	struct vy_frame other = chunk_of(&a, 3, 13, "c");

	vy_frame_set_c(&other, VY_F_TERM, "u");
	check_true("first", vy_merge_add(&m, &f));
	check_true("a hole", !vy_merge_add(&m, &hole));
	check_true("another terminal", !vy_merge_add(&m, &other));
	check_true("the run is still there", vy_merge_take(&m)->span == 1);
	vy_merge_fini(&m);
	vy_arena_fini(&a);
}

static void never_more_than_64_kib(void **state)
{
	(void)state;
	static const struct {
		const char *name, *bit;
		size_t each;
	} rows[] = {
		{ "letters", "x", 1000 },
		{ "single letters", "x", 1 },
		{ "control bytes", "\x01", 500 },
		{ "wide ones", "\u4E2D", 333 },
	};
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_merge m;
		VY_AUTO_BUF piece = VY_BUF_INIT(4096);
		uint64_t cur = 1;

		for (size_t j = 0; j < rows[i].each; j++) {
			vy_buf_adds(&piece, rows[i].bit);
		}
		struct vy_frame f = delta_of(&a, 1, vy_buf_c(&piece));

		vy_merge_init(&m);
		while (vy_merge_add(&m, &f)) {
			f.cur = ++cur;
		}
		const struct vy_frame *run = vy_merge_take(&m);

		check_int(rows[i].name, vy_frame_check(run, NULL), 0);
		check_int(rows[i].name, (long long)run->span, (long long)cur - 1);
		check_true(rows[i].name, strlen(encoded(&a, run)) > 100 * VY_KIB / 2);
		check_true("the next run begins", vy_merge_add(&m, &f));
		vy_merge_fini(&m);
		vy_arena_reset(&a);
	}
	vy_arena_fini(&a);
}

/* ---- trim ---- */

/* Every cut of a merged frame equals the merge of what is left. */
static void trim_equals_merging_the_rest(void **state)
{
	(void)state;
	struct vy_arena a;
	uint64_t seed = 7;

	vy_arena_init(&a);
	for (int round = 0; round < 300; round++) {
		size_t n = 2 + chance(&seed, 6), skip = 1 + chance(&seed, (uint32_t)n - 1);
		bool bytes = chance(&seed, 2);
		struct vy_merge all, rest;
		int64_t offset = chance(&seed, 100);

		vy_merge_init(&all);
		vy_merge_init(&rest);
		for (size_t i = 0; i < n; i++) {
			struct vy_str text = random_text(&a, &seed, 12);
			const char *c = vy_arena_dup(&a, text.p, text.n);
			struct vy_frame f =
				bytes ? chunk_of(&a, 50 + i, offset, c) : delta_of(&a, 50 + i, c);

			offset += (int64_t)strlen(c);
			check_true("all", vy_merge_add(&all, &f));
			check_true("rest", i < skip || vy_merge_add(&rest, &f));
		}
		struct vy_frame f = *vy_merge_take(&all);

		check_int("trims", vy_frame_trim(&f, 50 + skip - 1, &a, NULL), 0);
		check_str("the rest", encoded(&a, &f), encoded(&a, vy_merge_take(&rest)));
		vy_merge_fini(&all);
		vy_merge_fini(&rest);
		vy_arena_reset(&a);
	}
	vy_arena_fini(&a);
}

static void trim_of_odd_frames(void **state)
{
	(void)state;
	static const struct {
		const char *name, *parts;
		uint64_t last;
		int answer;
		const char *left;
	} rows[] = {
		{ "nothing to drop", "[1,2]", 8, 0, "a\U0001F600" },
		{ "the first", "[1,2]", 9, 0, "\U0001F600" },
		{ "inside a pair", "[2,1]", 9, -1, NULL },
		{ "too few", "[3]", 9, -1, NULL },
		{ "too many", "[1,1,1]", 9, -1, NULL },
		{ "longer than the text", "[9,1]", 9, -1, NULL },
		{ "no lengths", "[1,null]", 9, -1, NULL },
		{ "no list", "{}", 9, -1, NULL },
	};
	struct vy_arena a;

	vy_arena_init(&a);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_frame f = delta_of(&a, 10, "a\U0001F600");

		f.span = 2;
		vy_frame_set_json(&f, VY_F_PARTS, vy_str_c(rows[i].parts));
		check_int(rows[i].name, vy_frame_trim(&f, rows[i].last, &a, NULL), rows[i].answer);
		if (rows[i].left) {
			check_vstr(
				rows[i].name, vy_frame_str(&f, VY_F_TEXT), vy_str_c(rows[i].left));
		}
	}
	struct vy_frame f = frame_of(&a, 10, "hidden", "");

	f.span = 5;
	check_int("hidden", vy_frame_trim(&f, 8, &a, NULL), 0);
	check_int("hidden", (long long)f.span, 2);
	vy_arena_fini(&a);
}

CHECK_MAIN(CHECK_TEST(joins_text), CHECK_TEST(joins_bytes), CHECK_TEST(a_run_of_one_is_the_frame),
	CHECK_TEST(merged_frames_merge_again), CHECK_TEST(a_border_stays_a_border),
	CHECK_TEST(chunks_need_contiguous_bytes), CHECK_TEST(never_more_than_64_kib),
	CHECK_TEST(trim_equals_merging_the_rest), CHECK_TEST(trim_of_odd_frames))
