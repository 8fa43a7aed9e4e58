/* twin_test.c -- frames that are told apart by their bytes: a twin is what decoding gives, or none. */
#include "tests/check.h"

#include "shared/base/arena.h"
#include "shared/frame/codec.h"
#include "shared/frame/twin.h"
#include "shared/base/ban.h"

#define FIRST                                                                                      \
	"{\"v\":1,\"id\":\"aa1\",\"cur\":7,\"session\":\"s\",\"turn\":\"t\",\"type\":"             \
	"\"session.text-delta\",\"time\":1700,\"corr\":null,\"data\":{\"message\":\"m\","          \
	"\"index\":0,\"text\":\"one\"},\"author\":\"model:x\"}"

/* With other bytes in place of some of the first's. */
static const char *with(const char *what, const char *instead)
{
	static char line[1024];
	const char *at = strstr(FIRST, what);

	assert_non_null(at);
	snprintf(line, sizeof(line), "%.*s%s%s", (int)(at - FIRST), FIRST, instead,
		at + strlen(what));
	return line;
}

static void table(void **state)
{
	(void)state;
	static const struct {
		const char *name, *what, *instead;
		bool is_twin;
	} rows[] = {
		{ "the same again", "one", "one", true },
		{ "another text", "one", "two and three", true },
		{ "letters of all the world", "one", "\u00e9\u4e16\U0001F600", true },
		{ "a longer id", "aa1", "bbbb2", true },
		{ "no id", "aa1", "", false },
		{ "another cursor", "\"cur\":7", "\"cur\":123456789012345678", true },
		{ "no cursor", "\"cur\":7", "\"cur\":0", false },
		{ "a cursor that begins with 0", "\"cur\":7", "\"cur\":07", false },
		{ "a cursor past 64 bits", "\"cur\":7", "\"cur\":99999999999999999999", false },
		{ "another time", "1700", "1", true },
		{ "a time before 1970", "1700", "-1", false },
		{ "an escape", "one", "a\\n", false },
		{ "a control byte", "one", "a\x01", false },
		{ "bad UTF-8", "one", "a\xff", false },
		{ "a text that ends the object", "one", "\",\"x\":\"", false },
		{ "no text", "one", "", false },
		{ "another message", "\"m\"", "\"n\"", false },
		{ "another block", "\"index\":0", "\"index\":1", false },
		{ "thoughts", "\"text\"", "\"reasoning\":true,\"text\"", false },
		{ "another author", "model:x", "model:y", false },
		{ "another turn", "\"t\"", "\"u\"", false },
		{ "more behind it", "model:x\"}", "model:x\"} ", false },
	};
	struct vy_twin t;

	vy_twin_init(&t);
	assert_null(vy_twin_read(&t, vy_str_c(FIRST)));
	vy_twin_note(&t, vy_str_c(FIRST));
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_str line = vy_str_c(with(rows[i].what, rows[i].instead));
		const struct vy_frame *twin = vy_twin_read(&t, line);
		struct vy_arena a;
		struct vy_frame whole;

		check_true(rows[i].name, (twin != NULL) == rows[i].is_twin);
		vy_arena_init(&a);
		if (twin) {
			check_true(rows[i].name, vy_frame_decode(line, &a, &whole, NULL) == 0 &&
							 vy_frame_equal(twin, &whole));
		}
		vy_arena_fini(&a);
	}
	vy_twin_fini(&t);
}

/* Frames of other kinds, and texts with escapes, are no first. */
static void cannot_be_first(void **state)
{
	(void)state;
	static const char *const lines[][2] = {
		{ "one", "a\\\"b" },
		{ "text-delta", "status" },
		{ "\"author\"", "\"span\":2,\"author\"" },
		{ "\"v\"", "v" },
	};
	struct vy_twin t;

	vy_twin_init(&t);
	for (size_t i = 0; i < VY_COUNT(lines); i++) {
		char line[1024];

		snprintf(line, sizeof(line), "%s", with(lines[i][0], lines[i][1]));
		vy_twin_note(&t, vy_str_c(line));
		check_true(lines[i][1], vy_twin_read(&t, vy_str_c(line)) == NULL);
	}
	vy_twin_fini(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(cannot_be_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
