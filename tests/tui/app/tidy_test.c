/* tidy_test.c -- which files of sessions that are gone go: a folder before, and behind it. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "tests/check.h"
#include "tui/app/tidy.h"
#include "tui/net/keep.h"

#define NOW_MS (2000000000LL * 1000)
#define LIVES  "11111111-1111-4111-8111-111111111111"
#define OTHER  "22222222-2222-4222-8222-222222222222"
#define ENDED  "33333333-3333-4333-8333-333333333333"
#define PUT    "44444444-4444-4444-8444-444444444444" /* archived */
#define GONE   "55555555-5555-4555-8555-555555555555" /* deleted: ours by owners */
#define THEIRS "66666666-6666-4666-8666-666666666666" /* another server's */
#define NEVER  "77777777-7777-4777-8777-777777777777" /* no server told of it yet */
#define SHOWN  "88888888-8888-4888-8888-888888888888" /* ended, and on the screen */
#define TOLD   "{\"parts\":[\"x\"],\"rev\":3,\"sent\":true}"
#define UNTOLD "{\"parts\":[\"x\"],\"rev\":3,\"sent\":false}"

static const char *const sessions =
	"[{\"session\":\"" LIVES "\",\"state\":\"idle\"},{\"session\":\"" ENDED
	"\",\"state\":\"stopped\"},{\"session\":\"" SHOWN "\",\"state\":\"stopped\"}]";
static const char *const archived =
	"[{\"session\":\"" PUT "\",\"state\":\"idle\",\"archived\":true}]";
static const char *const owners =
	"{\"" GONE "\":\"e1\",\"" THEIRS "\":\"e2\",\"" LIVES "\":\"e1\"}";

static const struct {
	const char *folder, *name, *text;
	int days;
	bool stays;
} rows[] = {
	{ "drafts", LIVES ".draft", UNTOLD, 400, true },
	{ "drafts", ENDED ".draft", TOLD, 31, false },
	{ "drafts", PUT ".draft", UNTOLD, 31, true }, /* the only copy */
	{ "drafts", GONE ".draft", UNTOLD, 31, false },
	{ "drafts", THEIRS ".draft", TOLD, 400, true },
	{ "drafts", NEVER ".draft", TOLD, 400, true },
	{ "drafts", SHOWN ".draft", TOLD, 400, true },
	{ "drafts", OTHER ".draft", "no JSON", 400, true },
	{ "drafts", "kills", "[]", 400, true },
	{ "drafts", "." GONE ".draft.a1B2c3", "half", 31, false },
	{ "drafts", "." LIVES ".draft.a1B2c3", "half", 1, true },
	{ "drafts", "notes.draft", "mine", 400, true },
	{ "pastes", LIVES "-abc.txt", "x", 400, true },
	{ "pastes", ENDED "-abc.txt", "x", 31, false },
	{ "pastes", ENDED "-new.txt", "x", 29, true },
	{ "pastes", PUT "-abc.txt", "x", 31, false },
	{ "pastes", GONE "-abc.txt", "x", 31, false },
	{ "pastes", GONE "-new.txt", "x", 1, true },
	{ "pastes", THEIRS "-abc.txt", "x", 400, true },
	{ "pastes", NEVER "-abc.txt", "x", 400, true },
	{ "pastes", "paste-abc.txt", "x", 400, true },
};

static char dir[64];

static void put(const char *folder, const char *name, const char *text, int days)
{
	char path[256];
	struct vy_err e;
	struct timespec times[2];

	snprintf(path, sizeof(path), "%s/%s", dir, folder);
	assert_int_equal(keep_write(path, name, vy_str_c(text), &e), 0);
	snprintf(path, sizeof(path), "%s/%s/%s", dir, folder, name);
	times[0] = times[1] = (struct timespec){ .tv_sec = NOW_MS / 1000 - days * 86400L };
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *folder, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/%s", dir, folder, name);
	return access(path, F_OK) == 0;
}

static int run(const char *epoch)
{
	VY_AUTO_JSON *a = vy_json_parse(vy_str_c(sessions), NULL);
	VY_AUTO_JSON *b = vy_json_parse(vy_str_c(archived), NULL);

	return tidy_folders(dir, &(struct tidy_known){ epoch, a, b, SHOWN, NOW_MS });
}

static int begin(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/vyre-tidy-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command);
}

static void test_which(void **state)
{
	int gone = 0;

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		put(rows[i].folder, rows[i].name, rows[i].text, rows[i].days);
		gone += !rows[i].stays;
	}
	put("drafts", "owners", owners, 2);
	check_int("files that went", run("e1"), gone);
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		check_true(rows[i].name, is_there(rows[i].folder, rows[i].name) == rows[i].stays);
	}
	check_int("nothing more the next time", run("e1"), 0);
}

/* Only the server that told of a session can have deleted it. */
static void test_owner(void **state)
{
	(void)state;
	put("drafts", GONE ".draft", TOLD, 100);
	put("pastes", LIVES "-a.txt", "x", 100);
	check_int("nobody told of it", run("e1"), 0);
	put("drafts", "owners", "{\"" GONE "\":\"e1\",\"" LIVES "\":\"e1\"}", 1);
	check_int("another server", run("e2"), 0);
	check_true("it is there", is_there("drafts", GONE ".draft"));

	VY_AUTO_BUF text = VY_BUF_INIT(4096);
	char path[128];

	snprintf(path, sizeof(path), "%s/drafts", dir);
	assert_true(keep_read(path, "owners", &text));
	check_true("its owner is kept", strstr(vy_buf_c(&text), GONE "\":\"e1\"") != NULL);
	check_true(
		"who told of it now owns it", strstr(vy_buf_c(&text), LIVES "\":\"e2\"") != NULL);
	check_true("and what is shown", strstr(vy_buf_c(&text), SHOWN) != NULL);
	check_int("its own server", run("e1"), 1);
}

/* So many in one go. */
static void test_bound(void **state)
{
	(void)state;
	for (int i = 0; i < TIDY_REMOVED + 10; i++) {
		char name[128];

		snprintf(name, sizeof(name), ENDED "-%d.txt", i);
		put("pastes", name, "x", 40);
	}
	check_int("the first go", run("e1"), TIDY_REMOVED);
	check_int("the next", run("e1"), 10);
}

/* Nothing is there: nothing happens, and no folder is made. */
static void test_nothing(void **state)
{
	(void)state;
	check_int("no folders", run("e1"), 0);
	check_true("none made", !is_there("drafts", "."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_which, begin, end),
		cmocka_unit_test_setup_teardown(test_owner, begin, end),
		cmocka_unit_test_setup_teardown(test_bound, begin, end),
		cmocka_unit_test_setup_teardown(test_nothing, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
