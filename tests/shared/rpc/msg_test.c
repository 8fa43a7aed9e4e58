/* msg_test.c -- an error as id and arguments, and a sentence out of them again. */
#include "shared/rpc/msg.h"

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/rpc/envelope.h"
#include "tests/check.h"
#include "shared/base/ban.h"

static void check_args(const char *name, const char *format, const char *text, const char *want)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	vy_msg_args(format, vy_str_c(text), &b);
	check_str(name, vy_buf_c(&b), want);
}

static void what_stands_in_the_places_is_read_back(void **state)
{
	static const struct {
		const char *name, *format, *text, *args;
	} rows[] = {
		{ "no place", "an empty batch", "an empty batch", "{}" },
		{ "a word at the end", "there is no session %.*s", "there is no session x y",
			"{\"1\":\"x y\"}" },
		{ "at the begin", "%s is missing", "params.text is missing",
			"{\"1\":\"params.text\"}" },
		{ "three", "%s: expected %s, got \"%.*s\"", "mode: expected a or b, got \"c\"",
			"{\"1\":\"mode\",\"2\":\"a or b\",\"3\":\"c\"}" },
		{ "numbers", "a batch of %zu requests, at most %d are allowed",
			"a batch of 70 requests, at most 50 are allowed",
			"{\"1\":\"70\",\"2\":\"50\"}" },
		{ "the end's words inside a place", "%s is not a file",
			"a is not a file is not a file", "{\"1\":\"a is not a file\"}" },
		{ "a percent sign", "%d%% of %s", "7% of it", "{\"1\":\"7\",\"2\":\"it\"}" },
		{ "an empty place", "got \"%s\"", "got \"\"", "{\"1\":\"\"}" },
		{ "quotes are JSON's", "%s is missing", "a\"b is missing", "{\"1\":\"a\\\"b\"}" },
		{ "another sentence", "%s is missing", "a was missed", "{}" },
		{ "cut", "at most %d are allowed", "at most 7 are al", "{}" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_args(rows[i].name, rows[i].format, rows[i].text, rows[i].args);
	}
}

static void a_sentence_is_made_again(void **state)
{
	static const struct {
		const char *name, *format, *args, *text; /* NULL: it cannot be */
	} rows[] = {
		{ "in order", "%s: expected %s", "{\"1\":\"a\",\"2\":\"b\"}", "a: expected b" },
		{ "in another order", "%2$s statt %1$s", "{\"1\":\"a\",\"2\":\"b\"}", "b statt a" },
		{ "no place", "leer", "{}", "leer" },
		{ "a percent sign", "100%% von %.*s", "{\"1\":\"x\"}", "100% von x" },
		{ "an argument is no format", "%s", "{\"1\":\"%s%n\"}", "%s%n" },
		{ "one is missing", "%s und %s", "{\"1\":\"a\"}", NULL },
		{ "no text", "%s", "{\"1\":7}", NULL },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *args = vy_json_parse(vy_str_c(rows[i].args), NULL);
		VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);
		bool is_made = vy_msg_print(rows[i].format, args, &b);

		assert_int_equal(is_made, rows[i].text != NULL);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].text ? rows[i].text : "");
	}
}

/* Every sentence of the table, with something in its places, comes out as it went in. */
static void every_sentence_goes_over_the_wire(void **state)
{
	(void)state;
	for (size_t i = 0; i < vy_msg_len(); i++) {
		const struct vy_msg *m = vy_msg_at(i);
		VY_AUTO_JSON *given = vy_json_parse(
			VY_STR_LIT("{\"1\":\"one\",\"2\":\"22\",\"3\":\"three\",\"4\":\"4\"}"),
			NULL);
		VY_AUTO_BUF text = VY_BUF_INIT(4096), args = VY_BUF_INIT(4096),
			    again = VY_BUF_INIT(4096);

		assert_true(vy_msg_print(m->text, given, &text));
		vy_msg_args(m->text, vy_buf_str(&text), &args);
		VY_AUTO_JSON *read = vy_json_parse(vy_buf_str(&args), NULL);

		assert_true(vy_msg_print(m->text, read, &again));
		check_str(m->id, vy_buf_c(&again), vy_buf_c(&text));
		assert_ptr_equal(vy_msg_find(vy_str_c(m->id)), m);
	}
}

static void an_error_knows_its_id(void **state)
{
	struct vy_err e = { 0 };

	(void)state;
	vy_fail(&e, VY_NOT_FOUND, "there is no session %.*s", 1, "x");
	check_vstr("its own", vy_rpc_error_of(&e).msg_id, vy_str_c("session.none_named"));
	vy_wrap(&e, "reading");
	check_vstr("with words before it", vy_rpc_error_of(&e).msg_id, vy_str_c("not_found"));
	vy_fail(&e, VY_IO, "no such sentence");
	check_vstr("none of the table", vy_rpc_error_of(&e).msg_id, vy_str_c("internal"));
	vy_fail_errno(&e, 2, "there is no such session");
	check_vstr("of the system", vy_rpc_error_of(&e).msg_id, vy_str_c("internal"));
	assert_null(vy_msg_find(vy_str_c("of a newer server")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_stands_in_the_places_is_read_back),
		cmocka_unit_test(a_sentence_is_made_again),
		cmocka_unit_test(every_sentence_goes_over_the_wire),
		cmocka_unit_test(an_error_knows_its_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
