/* frame_test.c -- the value, and the tables it rests on. */
#include "tests/shared/frame/frames.h"

#include "shared/base/ban.h"

static void words_come_back(void **state)
{
	(void)state;
	for (unsigned k = VY_KIND_UNKNOWN + 1; k < VY_KIND_COUNT; k++) {
		const char *word = vy_kind_word((enum vy_kind)k);

		check_int(word, vy_kind_of(vy_str_c(word)), k);
	}
	check_int("a stranger", vy_kind_of(vy_str_c("text-deltas")), VY_KIND_UNKNOWN);
	check_int("a beginning", vy_kind_of(vy_str_c("text")), VY_KIND_UNKNOWN);
	check_int("nothing", vy_kind_of(vy_str_c("")), VY_KIND_UNKNOWN);
	check_int("unknown itself", vy_kind_of(vy_str_c("unknown")), VY_KIND_UNKNOWN);
}

/* One word is one field within a kind, and a kind with all of them fits into a frame. */
static void tables_are_sound(void **state)
{
	(void)state;
	for (unsigned k = VY_KIND_UNKNOWN; k < VY_KIND_COUNT; k++) {
		size_t n;
		const struct vy_has *has = vy_kind_has((enum vy_kind)k, &n);
		const char *word = vy_kind_word((enum vy_kind)k);

		check_true(word, n + 1 <= VY_FRAME_FIELDS);
		for (size_t i = 0; i < n; i++) {
			check_true(word, has[i].field != VY_F_EXPIRED && has[i].max > 0);
			for (size_t j = 0; j < i; j++) {
				check_true(vy_field_word(has[i].field),
					strcmp(vy_field_word(has[i].field),
						vy_field_word(has[j].field)) != 0);
			}
		}
	}
}

static void sets_gets_and_deletes(void **state)
{
	(void)state;
	struct vy_frame f;

	vy_frame_init(&f, VY_KIND_TEXT_DELTA);
	check_true("absent", !vy_frame_has(&f, VY_F_TEXT) && vy_frame_str(&f, VY_F_TEXT).n == 0);
	check_int("none", vy_frame_int(&f, VY_F_INDEX, -7), -7);
	vy_frame_set_str(&f, VY_F_TEXT, vy_str_c("one"));
	vy_frame_set_int(&f, VY_F_INDEX, 3);
	vy_frame_set_bool(&f, VY_F_REASONING, true);
	vy_frame_set_str(&f, VY_F_TEXT, vy_str_c("two"));
	vy_frame_set_c(&f, VY_F_PARENT, NULL);
	check_int("a value replaces", (long long)f.n, 3);
	check_vstr("text", vy_frame_str(&f, VY_F_TEXT), vy_str_c("two"));
	check_true("is", vy_frame_is(&f, VY_F_TEXT, "two"));
	check_int("index", vy_frame_int(&f, VY_F_INDEX, -1), 3);
	check_true("bool", vy_frame_bool(&f, VY_F_REASONING));
	vy_frame_del(&f, VY_F_TEXT);
	vy_frame_del(&f, VY_F_PATH);
	check_int("gone", (long long)f.n, 2);
	check_int("the others stay", vy_frame_int(&f, VY_F_INDEX, -1), 3);
}

static void equality(void **state)
{
	(void)state;
	struct vy_arena a;

	vy_arena_init(&a);
	struct vy_frame f =
		frame_of(&a, 4, "status", "'state':'waiting','rewound':{'message':'m','to':1}");
	struct vy_frame g =
		frame_of(&a, 4, "status", "'rewound':{ 'to':1 , 'message':'m'},'state':'waiting'");
	struct vy_frame h = f;

	check_true("order and blanks do not matter", vy_frame_equal(&f, &g));
	vy_frame_set_json(&h, VY_F_REWOUND, vy_str_c("{\"message\":\"m\",\"to\":2}"));
	check_true("a number does", !vy_frame_equal(&f, &h));
	h = f;
	vy_frame_del(&h, VY_F_REWOUND);
	check_true("a missing field does", !vy_frame_equal(&f, &h) && !vy_frame_equal(&h, &f));
	h = f;
	h.span = 2;
	check_true("the span does", !vy_frame_equal(&f, &h));
	h = f;
	h.author = vy_str_c("person:p");
	check_true("the author does", !vy_frame_equal(&f, &h));
	vy_arena_fini(&a);
}

static void a_copy_stands_alone(void **state)
{
	(void)state;
	struct vy_arena a, b;
	struct vy_frame copy;

	vy_arena_init(&a);
	vy_arena_init(&b);
	struct vy_frame f =
		frame_of(&a, 9, "ask", "'ask_id':'q','kind':'plan','summary':'s','options':[]");
	const char *want = encoded(&b, &f);

	vy_frame_dup(&f, &b, &copy);
	vy_arena_fini(&a); /* under ASan a slice left behind would be seen */
	check_str("copy", encoded(&b, &copy), want);
	vy_arena_fini(&b);
}

static void first_cursor(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t cur, span, first;
	} rows[] = {
		{ "one", 1, 1, 1 },
		{ "a run", 9, 4, 6 },
		{ "from the start", 4, 4, 1 },
		{ "no cursor", 0, 1, 0 },
		{ "a span that cannot be", 3, 4, 0 },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_frame f;

		vy_frame_init(&f, VY_KIND_HIDDEN);
		f.cur = rows[i].cur;
		f.span = rows[i].span;
		check_int(rows[i].name, (long long)vy_frame_first(&f), (long long)rows[i].first);
	}
}

CHECK_MAIN(CHECK_TEST(words_come_back), CHECK_TEST(tables_are_sound),
	CHECK_TEST(sets_gets_and_deletes), CHECK_TEST(equality), CHECK_TEST(a_copy_stands_alone),
	CHECK_TEST(first_cursor))
