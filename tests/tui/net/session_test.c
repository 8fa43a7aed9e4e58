/* session_test.c -- which session is meant. */
#include "tests/check.h"

#include "tui/net/session.h"
#include "shared/base/ban.h"

#define A "3f2a0000-0000-4000-8000-000000000001"
#define B "3f2b0000-0000-4000-8000-000000000002"
#define C "deadbeef-0000-4000-8000-000000000003"
#define D "beef0000-0000-4000-8000-000000000004"

static const char threads[] = "[{\"session\":\"" A "\",\"title\":\"fix login\"},"
			      "{\"session\":\"" B "\",\"title\":null},"
			      "{\"session\":\"" C "\",\"title\":\"beef\"},"
			      "{\"session\":\"" D "\",\"title\":\"fix login\"},{}]";

static void matches(void **unused)
{
	static const struct {
		const char *name, *want; /* an id, or why not */
		enum vy_code code;
	} rows[] = {
		{ A, A, VY_OK },
		{ "3f2a", A, VY_OK },
		{ "3F2A", A, VY_OK },
		{ "3f2b0000-00", B, VY_OK },
		{ "3f2", "there is no session called 3f2 (vyre-tui ls lists them)", VY_NOT_FOUND },
		{ "fix login", A, VY_OK }, /* the newest of that title */
		{ "fix", "there is no session called fix (vyre-tui ls lists them)", VY_NOT_FOUND },
		{ "beef", D, VY_OK }, /* an id goes before a title */
		{ "deadbeef-0000-4000-8000-000000000009",
			"there is no session called deadbeef-0000-4000-8000-000000000009 "
			"(vyre-tui ls lists them)",
			VY_NOT_FOUND },
		{ "", "there is no session called  (vyre-tui ls lists them)", VY_NOT_FOUND },
	};
	VY_AUTO_JSON *list = vy_json_parse(vy_str_c(threads), NULL);

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { .code = VY_OK };
		const struct vy_json *got = session_match(list, vy_str_c(rows[i].name), &e);

		check_int(rows[i].name, got ? VY_OK : e.code, rows[i].code);
		check_str(rows[i].name, got ? vy_json_cstr(got, "session") : e.text, rows[i].want);
	}
}

static void several(void **unused)
{
	VY_AUTO_JSON *list = vy_json_parse(
		VY_STR_LIT("[{\"session\":\"" A "\"},{\"session\":"
			   "\"3f2a0000-1111-4000-8000-000000000001\",\"title\":\"3f2a\"}]"),
		NULL);
	struct vy_err e;

	(void)unused;
	assert_null(session_match(list, VY_STR_LIT("3f2a"), &e));
	check_int("not guessed", e.code, VY_CONFLICT);
	check_str("but told", e.text,
		"several sessions begin with 3f2a: 3f2a0000-0000 3f2a0000-1111");
}

/* What is shown may be found by words of its title; what is ambiguous is not guessed. */
static void words(void **unused)
{
	static const char list_text[] = "[{\"session\":\"" A "\",\"title\":\"Fix the login\"},"
					"{\"session\":\"" B "\",\"title\":null},"
					"{\"session\":\"" C "\",\"title\":\"Login page, größer\"}]";
	static const struct {
		const char *words, *want;
		enum vy_code code;
	} rows[] = {
		{ "fix", A, VY_OK },
		{ "LOGIN fix", A, VY_OK },
		{ " the  login ", A, VY_OK },
		{ "größer", C, VY_OK },
		{ "page login", C, VY_OK },
		{ "login", "the titles of several sessions hold login: 3f2a0000-0000 deadbeef-0000",
			VY_CONFLICT },
		{ "login pages", "there is no session called login pages (vyre-tui ls lists them)",
			VY_NOT_FOUND },
		{ " ", "there is no session called   (vyre-tui ls lists them)", VY_NOT_FOUND },
		{ "", "there is no session called  (vyre-tui ls lists them)", VY_NOT_FOUND },
	};
	VY_AUTO_JSON *list = vy_json_parse(vy_str_c(list_text), NULL);

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct vy_err e = { .code = VY_OK };
		const struct vy_json *got = session_match_words(list, vy_str_c(rows[i].words), &e);

		check_int(rows[i].words, got ? VY_OK : e.code, rows[i].code);
		check_str(rows[i].words, got ? vy_json_cstr(got, "session") : e.text, rows[i].want);
	}
}

static void ids(void **unused)
{
	static const struct {
		const char *name;
		bool is;
	} rows[] = {
		{ A, true },
		{ "3f2a", true },
		{ "3f2", false },
		{ "3f2a0000-", true },
		{ "3f2a-000", false },
		{ "review", false },
		{ "face", true },
		{ A "0", false },
	};

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_true(rows[i].name, session_is_id(vy_str_c(rows[i].name)) == rows[i].is);
	}
}

CHECK_MAIN(CHECK_TEST(matches), CHECK_TEST(several), CHECK_TEST(words), CHECK_TEST(ids))
