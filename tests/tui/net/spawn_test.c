/* spawn_test.c -- starting a server: what becomes of it, told once, with the server's own words. */
#include "tests/check.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/server/tempdir.h"
#include "tui/net/spawn.h"
#include "shared/base/ban.h"

struct stage {
	struct tempdir dir;
	struct vy_loop *loop;
	struct spawn_place place;
	struct spawn *spawn;
	struct vy_err result;
	int told, fd;
	struct vy_timer *timer;
};

static void stage_script(struct stage *st, const char *script)
{
	FILE *f = fopen(st->place.program, "we");

	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", script);
	fchmod(fileno(f), 0700);
	fclose(f);
}

static void stage_init(struct stage *st, const char *script)
{
	struct vy_err e = { 0 };

	*st = (struct stage){ .dir = tempdir_make(), .loop = vy_loop_new(), .fd = -1 };
	assert_int_equal(spawn_place_init(&st->place, st->dir.path, NULL, &e), 0);
	free(st->place.program);
	st->place.program = vy_strdup(tempdir_file(&st->dir, "vyred"));
	if (script) {
		stage_script(st, script);
	}
}

static void stage_fini(struct stage *st)
{
	spawn_free(st->spawn);
	spawn_place_fini(&st->place);
	vy_loop_free(st->loop);
	if (st->fd >= 0) {
		close(st->fd);
	}
	tempdir_remove(st->dir.path);
}

static void on_done(void *ctx, const struct vy_err *e)
{
	struct stage *st = ctx;

	st->told++;
	st->result = *e;
	spawn_free(st->spawn); /* from inside is fine */
	st->spawn = NULL;
	vy_loop_stop(st->loop);
}

static void run(struct stage *st)
{
	st->spawn = spawn_start(st->loop, &st->place, on_done, st);
	check_int("not from inside", st->told, 0);
	vy_loop_run(st->loop);
	check_int("once", st->told, 1);
}

static void listen_now(void *ctx)
{
	struct stage *st = ctx;
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", st->place.socket);
	st->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(st->fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	assert_int_equal(listen(st->fd, 1), 0);
}

static void failures(void **unused)
{
	static const struct {
		const char *name, *script, *says;
	} rows[] = {
		{ "a sentence", "echo 'vyred: vyred.conf:3: expected a number' >&2; exit 1",
			"vyred did not start: vyred.conf:3: expected a number" },
		{ "two lines", "echo one >&2; echo two >&2; exit 1",
			"vyred did not start: one two" },
		{ "silence", "exit 3", "vyred did not start: it ended with 3 and said nothing" },
		{ "a signal", "kill -9 $$", "vyred did not start: signal 9 ended it" },
		{ "longer than is kept",
			"i=0; while [ $i -lt 300 ]; do echo line line line line >&2; i=$((i+1)); "
			"done;"
			" exit 1",
			NULL },
	};

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct stage st;

		stage_init(&st, rows[i].script);
		run(&st);
		check_true(rows[i].name, st.result.code != VY_OK);
		if (rows[i].says) {
			check_str(rows[i].name, st.result.text, rows[i].says);
		}
		stage_fini(&st);
	}
}

static void no_program(void **unused)
{
	struct stage st;

	(void)unused;
	stage_init(&st, NULL);
	run(&st);
	assert_non_null(strstr(st.result.text, "vyred: No such file"));
	stage_fini(&st);
}

/* Who lost the race waits for the winner, who needs a while. */
static void lost_race(void **unused)
{
	struct stage st;

	(void)unused;
	stage_init(&st, "echo 'vyred: another vyred (pid 7) holds /x' >&2; exit 1");
	struct vy_timer *t = vy_loop_timer(st.loop, listen_now, &st);

	vy_timer_set(t, 200);
	run(&st);
	check_str("the winner's", st.result.text, "");
	check_int("the winner's", st.result.code, VY_OK);
	vy_timer_del(t);
	stage_fini(&st);
}

static void listen_once_started(void *ctx)
{
	struct stage *st = ctx;
	if (access(tempdir_file(&st->dir, "second"), F_OK) == 0) {
		listen_now(st);
	} else {
		vy_timer_set(st->timer, 10);
	}
}

/* The lock was that of one that was dying: nobody else is coming, so one is started again. */
static void lost_to_the_dying(void **unused)
{
	struct stage st;
	char script[1024];

	(void)unused;
	stage_init(&st, NULL);
	snprintf(script, sizeof(script),
		"cd %s; if mkdir first 2>/dev/null; then"
		" echo 'vyred: another vyred (pid 7) holds /x' >&2; exit 1; fi; : >second",
		st.dir.path);
	stage_script(&st, script);
	st.timer = vy_loop_timer(st.loop, listen_once_started, &st);
	vy_timer_set(st.timer, 10);
	run(&st);
	check_str("the second's", st.result.text, "");
	check_int("the second's", st.result.code, VY_OK);
	vy_timer_del(st.timer);
	stage_fini(&st);
}

static char *read_file(const char *path)
{
	static char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* It gets its options, and nothing of ours: no variable, no descriptor, no terminal, no folder. */
static void what_it_gets(void **unused)
{
	struct stage st;
	char script[2048], want[2048];
	int ours = dup2(0, 77); /* no O_CLOEXEC, as some library would */

	(void)unused;
	stage_init(&st, "exit 0");
	snprintf(script, sizeof(script),
		"#!/bin/sh\n{ echo \"$@\"; pwd; echo \"$SECRET\"; echo \"$HOME\";"
		" [ -e /proc/$$/fd/77 ] && echo leaked; } >%s/got\n",
		st.dir.path);
	FILE *f = fopen(st.place.program, "we");

	fputs(script, f);
	fclose(f);
	setenv("SECRET", "do not tell", 1);
	setenv("HOME", "/home/somebody", 1);
	listen_now(&st);
	run(&st);
	check_int("it runs", st.result.code, VY_OK);
	snprintf(want, sizeof(want), "--socket %s --state-dir %s\n/\n\n/home/somebody\n",
		st.place.socket, st.place.state_dir);
	check_str("nothing else", read_file(tempdir_file(&st.dir, "got")), want);
	close(ours);
	stage_fini(&st);
}

static void places(void **unused)
{
	static const struct {
		const char *name, *home, *xdg, *dir, *socket, *want_dir, *want_socket;
	} rows[] = {
		{ "at home", "/h", NULL, NULL, NULL, "/h/.local/state/vyre",
			"/h/.local/state/vyre/vyred.sock" },
		{ "XDG", "/h", "/x", NULL, NULL, "/x/vyre", "/x/vyre/vyred.sock" },
		{ "a relative XDG does not count", "/h", "x", NULL, NULL, "/h/.local/state/vyre",
			"/h/.local/state/vyre/vyred.sock" },
		{ "given", "/h", "/x", "/s/", NULL, "/s", "/s/vyred.sock" },
		{ "both given", NULL, NULL, "/s", "/k.sock", "/s", "/k.sock" },
		{ "no home", NULL, NULL, NULL, NULL, NULL, NULL },
	};

	(void)unused;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct spawn_place p;
		struct vy_err e = { 0 };

		rows[i].home ? setenv("HOME", rows[i].home, 1) : unsetenv("HOME");
		rows[i].xdg ? setenv("XDG_STATE_HOME", rows[i].xdg, 1) : unsetenv("XDG_STATE_HOME");
		int rc = spawn_place_init(&p, rows[i].dir, rows[i].socket, &e);

		check_int(rows[i].name, rc, rows[i].want_dir ? 0 : -1);
		if (rc == 0) {
			check_str(rows[i].name, p.state_dir, rows[i].want_dir);
			check_str(rows[i].name, p.socket, rows[i].want_socket);
		}
		spawn_place_fini(&p);
	}
}

static void is_running(void **unused)
{
	struct stage st;
	struct vy_err e = { 0 };

	(void)unused;
	stage_init(&st, NULL);
	assert_false(spawn_is_running(&st.place, &e));
	check_int("nobody", e.code, VY_RETRY);
	listen_now(&st);
	for (int i = 0; i < 5; i++) { /* more than its queue has room for */
		check_true("somebody", spawn_is_running(&st.place, &e));
	}
	close(st.fd);
	st.fd = -1;
	assert_false(spawn_is_running(&st.place, &e));
	check_int("a socket without anybody", e.code, VY_RETRY);
	stage_fini(&st);
}

/* Given up on: nobody is called. */
static void given_up(void **unused)
{
	struct stage st;

	(void)unused;
	stage_init(&st, "sleep 0.2");
	st.spawn = spawn_start(st.loop, &st.place, on_done, &st);
	spawn_free(st.spawn);
	st.spawn = NULL;
	vy_loop_run(st.loop); /* there is nothing to wait for */
	check_int("silent", st.told, 0);
	stage_fini(&st);
}

CHECK_MAIN(CHECK_TEST(failures), CHECK_TEST(no_program), CHECK_TEST(lost_race),
	CHECK_TEST(lost_to_the_dying), CHECK_TEST(what_it_gets), CHECK_TEST(is_running),
	CHECK_TEST(given_up), CHECK_TEST(places))
