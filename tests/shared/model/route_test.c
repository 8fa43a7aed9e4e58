/* route_test.c -- who answers a message in a session of one person. */
#include "shared/model/route.h"

#include "tests/check.h"

static void rows(void **state)
{
	static const struct {
		const char *name, *mentions;
		bool is_private, is_answered;
		const char *wrong; /* who is not here; NULL: all are */
	} table[] = {
		{ "nobody is mentioned", NULL, false, true, NULL },
		{ "an empty list", "[]", false, true, NULL },
		{ "the assistant", "[\"assistant:claude\"]", false, true, NULL },
		{ "the assistant and a person", "[\"person:ana\",\"assistant:claude\"]", false,
			true, NULL },
		{ "a person alone", "[\"person:ana\"]", false, false, NULL },
		{ "a private one", NULL, true, false, NULL },
		{ "a private one that mentions it", "[\"assistant:claude\"]", true, false, NULL },
		{ "another assistant", "[\"assistant:codex\"]", false, false,
			"there is no assistant:codex in this session" },
		{ "another person beside it", "[\"assistant:claude\",\"person:bob\"]", false, true,
			"there is no person:bob in this session" },
		{ "a beginning of the name", "[\"assistant:cl\"]", false, false,
			"there is no assistant:cl in this session" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(table); i++) {
		VY_AUTO_JSON *mentions =
			table[i].mentions ? vy_json_parse(vy_str_c(table[i].mentions), NULL) : NULL;
		const struct vy_route r = { .assistant = VY_STR_LIT("assistant:claude"),
			.person = VY_STR_LIT("person:ana"),
			.mentions = mentions,
			.is_private = table[i].is_private };
		struct vy_err e = { 0 };

		check_true(table[i].name, vy_route_is_answered(&r) == table[i].is_answered);
		check_true(
			table[i].name, (vy_route_check(&r, &e) != 0) == (table[i].wrong != NULL));
		check_str(table[i].name, e.text, table[i].wrong ? table[i].wrong : "");
	}
}

CHECK_MAIN(CHECK_TEST(rows))
