/* outbox_test.c -- what a person said is neither lost nor said twice, whoever dies when. */
#include "tui/net/outbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "tests/tui/net/box.h"
#include "shared/base/ban.h"

#define S1 "11111111-1111-4111-8111-111111111111"
#define S2 "22222222-2222-4222-8222-222222222222"

static struct outbox *the_outbox;
static unsigned changes;

static void on_changed(void *ctx, const char *session)
{
	(void)ctx;
	assert_true(strcmp(session, S1) == 0 || strcmp(session, S2) == 0);
	changes++;
}

static struct outbox *open_outbox(struct box *b)
{
	static const struct outbox_events events = { on_changed };
	char dir[100];
	struct vy_err e;
	struct outbox *o;

	snprintf(dir, sizeof(dir), "%s/out", b->dir);
	o = outbox_new(dir, b->path, &events, b, &e);
	if (!o) {
		fail_msg("%s", e.text);
	}
	the_outbox = o;
	return o;
}

static void add(struct outbox *o, const char *session, const char *text, char id[VY_UUID_LEN + 1])
{
	char unused[VY_UUID_LEN + 1];

	assert_int_equal(
		outbox_add(o, session, vy_str_c(text), "steer", NULL, id ? id : unused, NULL), 0);
}

/* Messages on disk, of all clients. */
static unsigned on_disk(struct box *b)
{
	char path[200];
	unsigned n = 0;
	struct dirent *e, *f;
	DIR *dir, *sub;

	snprintf(path, sizeof(path), "%s/out", b->dir);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		char inner[500];

		snprintf(inner, sizeof(inner), "%s/%s", path, e->d_name);
		sub = e->d_name[0] == '.' ? NULL : opendir(inner);
		while (sub && (f = readdir(sub))) {
			n += strstr(f->d_name, ".json") != NULL;
		}
		if (sub) {
			closedir(sub);
		}
	}
	if (dir) {
		closedir(dir);
	}
	return n;
}

static void end(struct box *b)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/out", b->dir);
	assert_int_equal(rmdir(path), 0); /* nothing stays behind */
	box_free(b);
}

static enum outbox_state state_of(struct outbox *o, size_t i)
{
	struct outbox_entry e;

	assert_true(outbox_get(o, NULL, i, &e));
	return e.state;
}

static bool first_is_settled(struct box *b)
{
	enum outbox_state s = state_of(the_outbox, 0);

	(void)b;
	return s == OUTBOX_TAKEN || s == OUTBOX_REFUSED;
}

static bool all_are_taken(struct box *b)
{
	(void)b;
	for (size_t i = 0; i < outbox_count(the_outbox, NULL); i++) {
		if (state_of(the_outbox, i) != OUTBOX_TAKEN) {
			return false;
		}
	}
	return true;
}

static void kept_sent_and_seen(void **state)
{
	struct box *b = box_new(true);
	struct outbox *o = open_outbox(b);
	char id[VY_UUID_LEN + 1];
	struct outbox_entry e;

	(void)state;
	add(o, S1, "hello", id);
	assert_true(vy_is_uuid(vy_str_c(id)));
	assert_int_equal(on_disk(b), 1);
	assert_int_equal(outbox_count(o, S1), 1);
	assert_int_equal(outbox_count(o, S2), 0);
	assert_true(outbox_get(o, S1, 0, &e));
	assert_string_equal(e.id, id);
	assert_true(vy_str_is(e.text, "hello"));
	assert_int_equal(e.state, OUTBOX_WAITING);
	outbox_flush(o, b->rpc);
	assert_int_equal(state_of(o, 0), OUTBOX_SENDING);
	assert_true(run(b, first_is_settled));
	assert_int_equal(state_of(o, 0), OUTBOX_TAKEN);
	assert_int_equal(on_disk(b), 0); /* it is the log's now */
	assert_false(outbox_seen(o, VY_STR_LIT("another")));
	changes = 0;
	assert_true(outbox_seen(o, vy_str_c(id)));
	assert_int_equal(changes, 1);
	assert_int_equal(outbox_count(o, NULL), 0);
	outbox_free(o);
	end(b);
}

/* The stream is faster than the answer. */
static void seen_before_it_was_answered(void **state)
{
	struct box *b = box_new(true);
	struct outbox *o = open_outbox(b);
	char id[VY_UUID_LEN + 1];

	(void)state;
	add(o, S1, "slow", id);
	add(o, S1, "next", NULL);
	outbox_flush(o, b->rpc);
	rest(b, 20);
	assert_true(outbox_seen(o, vy_str_c(id)));
	assert_int_equal(on_disk(b), 1);
	assert_true(run(b, all_are_taken));
	assert_int_equal(outbox_count(o, NULL), 1);
	outbox_free(o);
	end(b);
}

static void one_after_the_other(void **state)
{
	struct box *b = box_new(true);
	struct outbox *o = open_outbox(b);
	char first[VY_UUID_LEN + 1];

	(void)state;
	add(o, S1, "never", first);
	add(o, S1, "second", NULL);
	add(o, S2, "elsewhere", NULL);
	outbox_flush(o, b->rpc);
	rest(b, 100);
	assert_int_equal(state_of(o, 0), OUTBOX_SENDING);
	assert_int_equal(state_of(o, 1), OUTBOX_WAITING); /* its turn comes after */
	assert_int_equal(state_of(o, 2), OUTBOX_TAKEN);   /* another session's does not wait */
	outbox_hold(o);
	assert_int_equal(state_of(o, 0), OUTBOX_WAITING);
	assert_true(outbox_drop(o, first)); /* taken back while the line was down */
	outbox_flush(o, b->rpc);
	assert_true(run(b, all_are_taken));
	outbox_free(o);
	end(b);
}

static void refused(void **state)
{
	struct box *b = box_new(true);
	struct outbox *o = open_outbox(b);
	struct outbox_entry e;

	(void)state;
	add(o, S1, "refuse", NULL);
	outbox_flush(o, b->rpc);
	assert_true(run(b, first_is_settled));
	assert_true(outbox_get(o, S1, 0, &e));
	assert_int_equal(e.state, OUTBOX_REFUSED);
	assert_string_equal(e.why.text, "no, and that is final");
	assert_true(vy_str_is(e.text, "refuse")); /* and can be given back */
	assert_int_equal(on_disk(b), 1);
	assert_true(outbox_drop(o, e.id));
	assert_int_equal(on_disk(b), 0);
	outbox_free(o);
	end(b);
}

static void nobody_there(void **state)
{
	struct box *b = box_new(false);
	struct outbox *o = open_outbox(b);

	(void)state;
	add(o, S1, "patience", NULL);
	outbox_flush(o, b->rpc);
	rest(b, 100);
	assert_int_equal(state_of(o, 0), OUTBOX_WAITING);
	assert_int_equal(on_disk(b), 1);
	serve(b);
	outbox_flush(o, b->rpc); /* the link came up */
	assert_true(run(b, all_are_taken));
	outbox_free(o);
	end(b);
}

/* A client that was killed leaves its messages; one that runs keeps its own. */
static void of_the_dead_and_the_living(void **state)
{
	struct box *b = box_new(true);
	struct outbox *o, *other;
	struct outbox_entry e;
	char *big = vy_alloc(VY_MIB + 1);
	pid_t pid;
	int status;

	(void)state;
	pid = fork();
	if (pid == 0) {
		o = open_outbox(b);
		add(o, S1, "one", NULL);
		add(o, S1, "two \xc3\xbc \x1b[31m", NULL);
		memset(big, 'x', VY_MIB);
		add(o, S2, big, NULL);
		_exit(9);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(WEXITSTATUS(status), 9);
	assert_int_equal(on_disk(b), 3);
	o = open_outbox(b);
	assert_int_equal(outbox_count(o, NULL), 3);
	assert_true(outbox_get(o, NULL, 0, &e));
	assert_true(vy_str_is(e.text, "one"));
	assert_true(outbox_get(o, NULL, 1, &e));
	assert_true(vy_str_is(e.text, "two \xc3\xbc \x1b[31m"));
	assert_true(outbox_get(o, S2, 0, &e));
	assert_int_equal(e.text.n, VY_MIB);
	other = open_outbox(b); /* while we live, nobody takes them */
	assert_int_equal(outbox_count(other, NULL), 0);
	add(other, S1, "mine", NULL);
	outbox_free(other); /* it ends well, and leaves one */
	the_outbox = o;
	outbox_flush(o, b->rpc);
	assert_true(run(b, all_are_taken));
	outbox_free(o);
	assert_int_equal(on_disk(b), 1);
	o = open_outbox(b);
	assert_int_equal(outbox_count(o, NULL), 1);
	outbox_flush(o, b->rpc);
	assert_true(run(b, all_are_taken));
	outbox_free(o);
	free(big);
	end(b);
}

/* What another server's clients left, and what is no message, stays where it is. */
static void not_ours(void **state)
{
	struct box *b = box_new(false);
	struct outbox *o = open_outbox(b), *elsewhere;
	static const struct outbox_events events = { on_changed };
	char dir[100], path[200];
	int fd;

	(void)state;
	snprintf(dir, sizeof(dir), "%s/out", b->dir);
	elsewhere = outbox_new(dir, "/another/socket", &events, b, NULL);
	add(elsewhere, S1, "not for you", NULL);
	outbox_free(elsewhere);
	snprintf(path, sizeof(path), "%s/c-junk", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/c-junk/0000000000001-x.json", dir);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(write(fd, "{\"id\":1}", 8) == 8);
	close(fd);
	outbox_free(o);
	o = open_outbox(b);
	assert_int_equal(outbox_count(o, NULL), 0);
	assert_int_equal(on_disk(b), 2);
	outbox_free(o);
	unlink(path);
	elsewhere = outbox_new(dir, "/another/socket", &events, b, NULL);
	assert_int_equal(outbox_count(elsewhere, NULL), 1);
	struct outbox_entry e;

	assert_true(outbox_get(elsewhere, NULL, 0, &e));
	assert_true(outbox_drop(elsewhere, e.id));
	outbox_free(elsewhere);
	end(b);
}

static void nowhere_to_keep_it(void **state)
{
	static const struct outbox_events events = { on_changed };
	struct vy_err e;

	(void)state;
	assert_null(outbox_new("/dev/null/out", "x", &events, NULL, &e));
	assert_int_equal(e.code, VY_IO);
	assert_non_null(strstr(e.text, "/dev/null/out"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_sent_and_seen),
		cmocka_unit_test(seen_before_it_was_answered),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(refused),
		cmocka_unit_test(nobody_there),
		cmocka_unit_test(of_the_dead_and_the_living),
		cmocka_unit_test(not_ours),
		cmocka_unit_test(nowhere_to_keep_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
