/* seal_test.c -- what an agent gets in place of a private message, and of everything else. */
#include "server/hub/seal.h"

#include "shared/base/arena.h"
#include "shared/frame/check.h"
#include "shared/frame/codec.h"
#include "tests/check.h"

#define HEAD                                                                                       \
	"{\"v\":1,\"id\":\"f-7\",\"cur\":7,\"session\":\"s\",\"turn\":null,\"time\":5,\"author\":" \
	"\"person:ana\","

static void rows(void **state)
{
	static const struct {
		const char *name, *frame;
		bool is_hidden;
	} table[] = {
		{ "a private message",
			HEAD "\"type\":\"session.user-message\",\"data\":{\"message\":\"m\","
			     "\"state\":\"sent\","
			     "\"enc\":{\"alg\":\"a\",\"kid\":\"k\",\"ct\":\"secret\"}}}",
			true },
		{ "the word in a text",
			HEAD "\"type\":\"session.user-message\",\"data\":{\"message\":\"m\","
			     "\"state\":\"sent\","
			     "\"text\":\"\\\"enc\\\": {\\\"ct\\\": 1}\"}}",
			false },
		{ "in a text that is spelled so",
			HEAD
			"\"type\":\"session.user-message\",\"data\":{\"message\":\"enc\",\"state\":"
			"\"sent\",\"text\":\"enc\"}}",
			false },
		{ "a note that mentions somebody",
			HEAD "\"type\":\"session.mention\",\"data\":{\"message\":\"m\",\"who\":["
			     "\"person:ana\"]}}",
			false },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		struct frame_ref *f = frame_ref_new(7, 1, vy_str_c(table[i].frame));
		struct frame_ref *got = seal_for_agent(f);
		struct vy_arena mem;
		struct vy_frame frame;
		struct vy_err e = { 0 };

		vy_arena_init(&mem);
		check_true(table[i].name, (got != f) == table[i].is_hidden);
		check_int(table[i].name, vy_frame_decode(frame_ref_str(got), &mem, &frame, &e), 0);
		check_str(table[i].name, vy_frame_check(&frame, &e) == 0 ? "" : e.text, "");
		check_int(table[i].name, (long long)frame.cur, 7);
		check_true(table[i].name, !table[i].is_hidden || frame.kind == VY_KIND_HIDDEN);
		check_true(table[i].name,
			!table[i].is_hidden || !memmem(got->bytes, got->len, "secret", 6));
		vy_arena_fini(&mem);
		frame_unref(got);
		frame_unref(f);
	}
}

CHECK_MAIN(CHECK_TEST(rows))
