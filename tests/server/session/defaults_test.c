/* defaults_test.c -- which model a session gets and why, revisions of prompts, and how they are joined. */
#include "server/session/defaults.h"
#include "shared/base/mem.h"
#include "tests/check.h"

/* The configuration of these tests: of all, chat is said and job is not; of project "app", job is. */
static bool by_file(void *ctx, const char *project, const char *purpose, const char **model)
{
	(void)ctx;
	*model = NULL;
	if (project) {
		*model = strcmp(project, "app") == 0 && strcmp(purpose, "job") == 0 ? "app-job"
										    : NULL;
	} else if (strcmp(purpose, "chat") == 0) {
		*model = "file-chat";
	} else if (strcmp(purpose, "job") == 0) {
		*model = "haiku";
		return false;
	} else if (strcmp(purpose, "learn") == 0) {
		*model = "";
	}
	return *model != NULL;
}

static void test_order(void **state)
{
	static const struct {
		const char *name, *set_project, *set_purpose, *set_model; /* NULL: nothing is set */
		const char *project, *purpose, *model, *from;
	} rows[] = {
		{ "built in", NULL, NULL, NULL, NULL, "job", "haiku", "default" },
		{ "the file", NULL, NULL, NULL, NULL, "chat", "file-chat", "config" },
		{ "the file wants the agent's own", NULL, NULL, NULL, NULL, "learn", "", "config" },
		{ "a purpose nobody knows", NULL, NULL, NULL, NULL, "night", "", "default" },
		{ "a project without a word of its own", NULL, NULL, NULL, "web", "chat",
			"file-chat", "config" },
		{ "the file's project", NULL, NULL, NULL, "app", "job", "app-job", "project" },
		{ "set goes before the file", NULL, "chat", "set-chat", NULL, "chat", "set-chat",
			"set" },
		{ "set: the agent's own", NULL, "chat", "", NULL, "chat", "", "set" },
		{ "the file's project goes before what is set for all", NULL, "job", "set-job",
			"app", "job", "app-job", "project" },
		{ "set for the project goes before all", "app", "job", "mine", "app", "job", "mine",
			"project" },
		{ "and for that one alone", "app", "job", "mine", "web", "job", "haiku",
			"default" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_JSON *set = defaults_models_new();

		if (rows[i].set_model) {
			defaults_model_set(
				set, rows[i].set_project, rows[i].set_purpose, rows[i].set_model);
		}
		struct defaults_choice c =
			defaults_model(set, by_file, NULL, rows[i].project, rows[i].purpose);

		check_str(rows[i].name, c.model, rows[i].model);
		check_str(rows[i].name, c.from, rows[i].from);
		if (rows[i].set_model) { /* taken away, it leaves nothing */
			defaults_model_set(set, rows[i].set_project, rows[i].set_purpose, NULL);
			assert_int_equal(vy_json_len(set), 0);
		}
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_true(defaults_is_model(vy_str_c("claude-opus-4")));
	assert_true(defaults_is_model(vy_str_c("")));
	assert_false(defaults_is_model(vy_str_c("--model")));
	assert_false(defaults_is_model(vy_str_c("a b")));
	assert_false(defaults_is_model(vy_str_c("a\n")));
}

static void test_revs(void **state)
{
	VY_AUTO_JSON *revs = defaults_revs_new();
	int64_t dropped;

	(void)state;
	assert_false(defaults_rev_is_kept(revs, 0));
	for (int64_t i = 1; i <= DEFAULTS_REVS; i++) {
		assert_int_equal(defaults_rev_add(revs, vy_str_c("person:p"), i, 7, &dropped), i);
		assert_int_equal(dropped, 0);
	}
	assert_int_equal(
		defaults_rev_add(revs, vy_str_c("person:p"), 99, 8, &dropped), DEFAULTS_REVS + 1);
	assert_int_equal(dropped, 1);
	assert_false(defaults_rev_is_kept(revs, 1));
	assert_true(defaults_rev_is_kept(revs, 2));
	const struct vy_json *list = vy_json_get(revs, "revs");

	assert_int_equal(vy_json_len(list), DEFAULTS_REVS);
	assert_int_equal(vy_json_int(vy_json_at(list, 0), "rev", 0), DEFAULTS_REVS + 1);
	assert_int_equal(vy_json_int(vy_json_at(list, 0), "bytes", 0), 8);
}

static void test_system(void **state)
{
	static const struct {
		const char *name, *general, *project, *session, *want;
	} rows[] = {
		{ "none", "", "", "", "" },
		{ "one", "", "b", "", "b" },
		{ "all, in order", "a", "b", "c", "a\n\nb\n\nc" },
		{ "a gap", "a", "", "c", "a\n\nc" },
	};

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF b = VY_BUF_INIT(64);

		defaults_system(vy_str_c(rows[i].general), vy_str_c(rows[i].project),
			vy_str_c(rows[i].session), &b);
		check_str(rows[i].name, vy_buf_c(&b), rows[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_revs),
		cmocka_unit_test(test_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
