/* openers_test.c -- which command lines go on with a conversation, and the look through /proc. */
#include "tests/check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/io/openers.h"
#include "shared/base/ban.h"

#define ID "1b2c"

static const char *const programs[] = { "claude", "codex", NULL };

/* "|" stands for the end of an argument. */
static const struct {
	const char *args, *program;
	bool goes_on;
} rows[] = {
	{ "claude|--resume|" ID "|", "claude", true },
	{ "claude|--resume=" ID "|", "claude", true },
	{ "claude|-r|" ID "|", "claude", true },
	{ "/usr/bin/claude|--model|opus|--resume|" ID "|", "claude", true },
	{ "claude|--session-id|" ID "|", "claude", true },
	{ "claude|--session-id=" ID "|-p|hello|", "claude", true },
	{ "node|/opt/bin/claude|--resume|" ID "|", "claude", true },
	{ "codex|resume|" ID "|", "codex", true },
	{ "claude|--resume|/f/" ID ".jsonl|", "claude", true },
	{ "claude|--resume=/f/" ID ".jsonl|", "claude", true },
	{ "claude|--resume|" ID "|--fork-session|", "claude", false },
	{ "claude|--resume=" ID "|--fork-session|--session-id=9999|", "claude", false },
	{ "claude|--resume|9999|--fork-session|--session-id|" ID "|", "claude", true },
	{ "codex|fork|" ID "|", "codex", false },
	{ "claude|", "claude", false },
	{ "claude|--resume|" ID "0|", "claude", false },
	{ "claude|--resume=0" ID "|", "claude", false },
	{ "grep|" ID "|", NULL, true },
	{ "", NULL, false },
};

static void test_args(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		char text[256];
		size_t n = strlen(rows[i].args);

		print_message("  %s\n", rows[i].args);
		for (size_t k = 0; k <= n; k++) {
			text[k] = rows[i].args[k] == '|' ? '\0' : rows[i].args[k];
		}
		struct vy_str args = vy_str_n(text, n);
		const char *program = openers_program(args, programs);

		assert_string_equal(program ? program : "", rows[i].program ? rows[i].program : "");
		assert_int_equal(
			openers_goes_on(args, VY_STR_LIT(ID), "/f/" ID ".jsonl"), rows[i].goes_on);
	}
}

/* A child that has the file open so, until it is killed. */
static pid_t holding(const char *path, int how)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (open(path, how) < 0 || write(ready[1], "", 1) != 1) {
			_exit(1);
		}
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void test_file(void **unused)
{
	char path[] = "/tmp/vyre-openers-XXXXXX";
	int fd = mkstemp(path);
	const struct openers_ask ask = { VY_STR_LIT("no such id"), path, programs, 0 };
	struct openers found;

	(void)unused;
	assert_true(fd >= 0);
	close(fd);
	openers_find(&ask, &found);
	assert_int_equal(found.has_file.pid, 0);
	pid_t reader = holding(path, O_RDONLY), writer;

	openers_find(&ask, &found);
	assert_int_equal(found.has_file.pid, 0); /* who reads it does no harm */
	writer = holding(path, O_WRONLY | O_APPEND);
	openers_find(&ask, &found);
	assert_int_equal(found.has_file.pid, writer);
	assert_true(found.has_file.born > 0);
	assert_int_equal(found.named.pid, 0);
	kill(reader, SIGKILL);
	kill(writer, SIGKILL);
	waitpid(reader, NULL, 0);
	waitpid(writer, NULL, 0);
	openers_find(&ask, &found);
	assert_int_equal(found.has_file.pid, 0);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
