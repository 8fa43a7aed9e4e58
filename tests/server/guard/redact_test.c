/* redact_test.c -- which shapes are taken out, and that nothing else is. The keys are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "server/guard/redact.h"
#include "shared/base/ban.h"

#define A20 "AAAAbbbbCCCCdddd1111"

static const struct {
	const char *name, *in, *out;
} rows[] = {
	{ "plain words", "nothing to hide", "nothing to hide" },
	{ "anthropic", "key sk-ant-api03-" A20 " end", "key [redacted: anthropic key] end" },
	{ "openai", "sk-" A20 "x", "[redacted: api key]" },
	{ "github", "ghp_" A20, "[redacted: github token]" },
	{ "github, fine", "github_pat_" A20 "_" A20, "[redacted: github token]" },
	{ "aws", "AKIAABCDEFGHIJKLMNOP", "[redacted: aws key]" },
	{ "aws, too short", "AKIAABCDEFGHIJ", "AKIAABCDEFGHIJ" },
	{ "inside a word", "xsk-ant-api03-" A20, "xsk-ant-api03-" A20 },
	{ "slack", "xoxb-123456789012-abc", "[redacted: slack token]" },
	{ "bearer", "Authorization: Bearer " A20,
		"Authorization: Bearer [redacted: bearer token]" },
	{ "bearer of good news", "Bearer of news", "Bearer of news" },
	{ "jwt", "t=eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl!", "t=[redacted: token]!" },
	{ "two parts are no jwt", "eyJhbGciOiJI.eyJzdWIiOiIx", "eyJhbGciOiJI.eyJzdWIiOiIx" },
	{ "assignment", "export API_KEY=abcdef123 x", "export API_KEY=[redacted: secret] x" },
	{ "quoted", "DB_PASSWORD='hunter22'", "DB_PASSWORD='[redacted: secret]'" },
	{ "no secret name", "PATH=/usr/bin:/bin", "PATH=/usr/bin:/bin" },
	{ "key block",
		"a\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE "
		"KEY-----\nb",
		"a\n[redacted: private key]\nb" },
	{ "key block, cut", "-----BEGIN PRIVATE KEY-----\nabc", "[redacted: private key]" },
	{ "public key", "-----BEGIN PUBLIC KEY-----\nabc", "-----BEGIN PUBLIC KEY-----\nabc" },
	{ "two in a row", "ghp_" A20 " ghp_" A20,
		"[redacted: github token] [redacted: github token]" },
	{ "empty", "", "" },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(65536);

		assert_true(guard_redact(vy_str_c(rows[i].in), &b));
		if (strcmp(vy_buf_c(&b), rows[i].out) != 0) {
			fail_msg("%s: got \"%s\"", rows[i].name, vy_buf_c(&b));
		}
		assert_int_equal(guard_has_secret(vy_str_c(rows[i].in)),
			strcmp(rows[i].in, rows[i].out) != 0);
	}
}

static void test_names(void **state)
{
	static const struct {
		const char *name;
		bool is_secret;
	} names[] = { { "ANTHROPIC_API_KEY", true }, { "GITHUB_TOKEN", true }, { "TOKEN", true },
		{ "npm_config_apikey", true }, { "db_password", true }, { "PATH", false },
		{ "KEYBOARD", false }, { "AWS_ACCESS_KEY_ID", false }, { "MONKEY", false },
		{ "", false } };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(names); i++) {
		if (guard_is_secret_name(vy_str_c(names[i].name)) != names[i].is_secret) {
			fail_msg("%s", names[i].name);
		}
	}
}

static void test_full(void **state)
{
	VY_AUTO_BUF b = VY_BUF_INIT(8);

	(void)state;
	assert_false(guard_redact(VY_STR_LIT("more than eight"), &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests_name("redaction", tests, NULL, NULL);
}
