/* past_test.c -- what was said, on disk: added, read, torn, grown, shared; and small whole files. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/check.h"
#include "tui/net/keep.h"
#include "tui/net/past.h"

static char dir[64];

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/past-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
	strcat(dir, "/a/b");
	return 0;
}

static int tear_down(void **state)
{
	char line[128];

	(void)state;
	dir[strlen(dir) - 4] = '\0';
	snprintf(line, sizeof(line), "rm -rf '%s'", dir);
	return system(line);
}

static void join(void *ctx, struct vy_str text)
{
	struct vy_buf *b = ctx;

	if (b->len) {
		vy_buf_addc(b, '|');
	}
	vy_buf_addstr(b, text);
}

static void check_past(const char *name, const char *project, const char *want)
{
	struct vy_buf b = VY_BUF_INIT(16 << 20);

	past_read(dir, project, join, &b);
	check_str(name, vy_buf_c(&b), want);
	vy_buf_fini(&b);
}

static void add(const char *project, const char *text)
{
	struct vy_str s = vy_str_c(text);
	struct vy_err e = { 0 };

	assert_int_equal(past_add(dir, project, &s, 1, 1000, &e), 0);
}

static void path_of(const char *project, char out[256])
{
	char name[PAST_NAME_LEN + 1];

	past_name(project, name);
	snprintf(out, 256, "%s/%s.jsonl", dir, name);
}

static void append_raw(const char *project, const char *bytes)
{
	char path[256];

	path_of(project, path);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	fputs(bytes, f);
	fclose(f);
}

static void said_and_read(void **state)
{
	char path[256];
	struct stat st;

	(void)state;
	check_past("nothing yet", "/p", "");
	add("/p", "one");
	add("/p", "two\nlines \"and\" 中");
	add("/q", "elsewhere");
	check_past("in order", "/p", "one|two\nlines \"and\" 中");
	check_past("by project", "/q", "elsewhere");
	path_of("/p", path);
	assert_int_equal(stat(path, &st), 0);
	check_int("nobody else reads it", st.st_mode & 0777, 0600);
	assert_int_equal(stat(dir, &st), 0);
	check_int("nor looks in", st.st_mode & 0777, 0700);
}

static void a_torn_line_costs_itself(void **state)
{
	static const char *const torn[] = { "{\"time\":1,\"te", "{", "\n\n", "[1]\n", "\xFF\xFE",
		"{\"text\":7}" };

	(void)state;
	for (size_t i = 0; i < VY_COUNT(torn); i++) {
		char project[16];

		snprintf(project, sizeof(project), "/t%zu", i);
		add(project, "one");
		append_raw(project, torn[i]);
		check_past("torn", project, "one");
		add(project, "two");
		check_past("behind it", project, "one|two");
	}
}

static void it_stays_bounded(void **state)
{
	char *big = vy_alloc(PAST_ONE_MAX + 2), path[256];
	struct vy_buf all = VY_BUF_INIT(16 << 20);
	struct stat st;

	(void)state;
	memset(big, 'x', PAST_ONE_MAX);
	for (int i = 0; i < 12; i++) {
		big[0] = (char)('a' + i);
		add("/p", big);
		path_of("/p", path);
		assert_int_equal(stat(path, &st), 0);
		assert_true(st.st_size <= PAST_BYTES + PAST_ONE_MAX + 256);
	}
	past_read(dir, "/p", join, &all);
	assert_true(all.len > PAST_ONE_MAX);
	check_true("the newest is there", strchr(all.data, 'l') != NULL);
	check_true("the oldest is not", strchr(all.data, 'a') == NULL);
	big[PAST_ONE_MAX] = 'x';
	add("/r", big);
	check_past("a giant is not kept", "/r", "");
	vy_buf_fini(&all);
	free(big);
}

/* Several clients at once: every line is there, whole, once. */
static void many_writers(void **state)
{
	enum { WRITERS = 4, LINES = 50 };
	struct vy_buf all = VY_BUF_INIT(1 << 20);
	pid_t pids[WRITERS];

	(void)state;
	for (int w = 0; w < WRITERS; w++) {
		pids[w] = fork();
		if (pids[w] == 0) {
			for (int i = 0; i < LINES; i++) {
				char text[64];
				struct vy_str s;
				struct vy_err e = { 0 };

				snprintf(text, sizeof(text), "<%d:%d>", w, i);
				s = vy_str_c(text);
				if (past_add(dir, "/m", &s, 1, 1, &e) != 0) {
					_exit(1);
				}
			}
			_exit(0);
		}
	}
	for (int w = 0; w < WRITERS; w++) {
		int status;

		assert_int_equal(waitpid(pids[w], &status, 0), pids[w]);
		assert_int_equal(status, 0);
	}
	past_read(dir, "/m", join, &all);
	for (int w = 0; w < WRITERS; w++) {
		for (int i = 0; i < LINES; i++) {
			char text[64];

			snprintf(text, sizeof(text), "<%d:%d>", w, i);
			const char *at = strstr(all.data, text);

			check_true(text, at && !strstr(at + 1, text));
		}
	}
	vy_buf_fini(&all);
}

static void no_room_is_said(void **state)
{
	struct vy_str s = VY_STR_LIT("x");
	struct vy_err e = { 0 };

	(void)state;
	assert_int_equal(past_add("/proc/nowhere", "/p", &s, 1, 1, &e), -1);
	assert_true(e.text[0]);
	e = (struct vy_err){ 0 };
	assert_int_equal(keep_write("/proc/nowhere", "x", s, &e), -1);
	assert_true(e.text[0]);
}

static void whole_files(void **state)
{
	struct vy_buf b = VY_BUF_INIT(8);
	struct vy_err e = { 0 };
	char line[300];
	struct stat st;

	(void)state;
	assert_false(keep_read(dir, "f", &b));
	assert_int_equal(keep_write(dir, "f", VY_STR_LIT("one"), &e), 0);
	assert_int_equal(keep_write(dir, "f", VY_STR_LIT("two!"), &e), 0);
	assert_true(keep_read(dir, "f", &b));
	check_str("the new", vy_buf_c(&b), "two!");
	snprintf(line, sizeof(line), "%s/f", dir);
	assert_int_equal(stat(line, &st), 0);
	check_int("private", st.st_mode & 0777, 0600);
	snprintf(line, sizeof(line), "test \"$(ls -A '%s')\" = f", dir);
	check_int("nothing beside it", system(line), 0);
	assert_int_equal(keep_write(dir, "f", VY_STR_LIT("too long"), &e), 0);
	assert_int_equal(keep_write(dir, "f", VY_STR_LIT("too long!"), &e), 0);
	vy_buf_clear(&b);
	assert_false(keep_read(dir, "f", &b));
	keep_remove(dir, "f");
	vy_buf_clear(&b);
	assert_false(keep_read(dir, "f", &b));
	snprintf(line, sizeof(line), "mkfifo '%s/pipe' && ln -s /etc/passwd '%s/link'", dir, dir);
	assert_int_equal(system(line), 0);
	check_true("a pipe does not hang it", !keep_read(dir, "pipe", &b));
	check_true("a link is not followed", !keep_read(dir, "link", &b));
	vy_buf_fini(&b);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(said_and_read),
		TEST(a_torn_line_costs_itself),
		TEST(it_stays_bounded),
		TEST(many_writers),
		TEST(no_room_is_said),
		TEST(whole_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
