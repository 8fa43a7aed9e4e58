/* hold_test.c -- vyred's end of the protocol with real holders and real children.
 *
 * VYRE_HOLDER_PROGRAM is the program just built. A guard timer ends a test that hangs; no test says how
 * long anything takes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/io/hold.h"
#include "server/io/hold_sweep.h"
#include "server/io/peercred.h"
#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"

enum { GUARD_MS = 60000 };

/* One vyred's view of one holder: what it was told, and what it waits for. */
struct view {
	struct vy_loop *loop;
	struct tempdir dir;
	struct hold_at at;
	char hid[HOLD_HID_LEN + 1];
	struct hold *hold;
	struct vy_timer *guard;

	struct hold_hello hello;
	pid_t pid;
	char refused[400];
	struct vy_buf out[3]; /* by stream */
	bool closed[3];
	uint64_t end;
	uint64_t inacked, wanted;
	int status, signal;
	struct vy_err lost;
	bool is_hello, is_started, is_refused, is_exit, is_lost, is_inacked;
	bool (*until)(const struct view *v);
};

static void step(struct view *v)
{
	if (v->until(v)) {
		vy_loop_stop(v->loop);
	}
}

static void on_hello(void *ctx, const struct hold_hello *hello)
{
	struct view *v = ctx;

	v->hello = *hello;
	v->is_hello = true;
	step(v);
}

static void on_started(void *ctx, pid_t pid, pid_t pgid, pid_t sid)
{
	struct view *v = ctx;

	assert_int_equal(pid, pgid);
	assert_int_equal(pid, sid);
	v->pid = pid;
	v->is_started = true;
	step(v);
}

static void on_refused(void *ctx, const char *why)
{
	struct view *v = ctx;

	snprintf(v->refused, sizeof(v->refused), "%s", why);
	v->is_refused = true;
	step(v);
}

static void on_out(void *ctx, uint64_t off, int stream, struct vy_str bytes)
{
	struct view *v = ctx;

	assert_int_equal(off, v->end);
	v->end += bytes.n;
	v->closed[stream] |= bytes.n == 0;
	vy_buf_addstr(&v->out[stream], bytes);
	step(v);
}

static void on_inack(void *ctx, uint64_t seq)
{
	struct view *v = ctx;

	v->inacked = seq;
	v->is_inacked = true;
	step(v);
}

static void on_exit_told(void *ctx, int status, int signo)
{
	struct view *v = ctx;

	v->status = status;
	v->signal = signo;
	v->is_exit = true;
	step(v);
}

static void on_lost(void *ctx, const struct vy_err *why)
{
	struct view *v = ctx;

	v->lost = *why;
	v->is_lost = true;
	step(v);
}

static const struct hold_ops ops = { on_hello, on_started, on_refused, on_out, on_inack,
	on_exit_told, on_lost };

static void hangs(void *ctx)
{
	(void)ctx;
	fail_msg("what the test waits for did not come");
}

static void until(struct view *v, bool (*what)(const struct view *v))
{
	v->until = what;
	if (!what(v)) {
		vy_timer_set(v->guard, GUARD_MS);
		vy_loop_run(v->loop);
		vy_timer_set(v->guard, -1);
	}
}

static bool is_hello(const struct view *v)
{
	return v->is_hello || v->is_lost;
}

static bool is_started(const struct view *v)
{
	return v->is_started || v->is_refused || v->is_lost;
}

static bool is_exit(const struct view *v)
{
	return v->is_exit || v->is_lost;
}

static bool is_lost(const struct view *v)
{
	return v->is_lost;
}

static int setup(void **state)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* a holder that ends is ours to wait for */
	struct view *v = VY_NEW(struct view);

	v->loop = vy_loop_new();
	v->dir = tempdir_make();
	v->guard = vy_loop_timer(v->loop, hangs, v);
	hold_new_id(v->hid, v->at.token);
	v->at.dir = v->dir.path;
	v->at.hid = v->hid;
	v->at.epoch = 1;
	v->at.program = VYRE_HOLDER_PROGRAM;
	for (int i = 0; i < 3; i++) {
		vy_buf_init(&v->out[i], 64 * VY_MIB);
	}
	*state = v;
	return 0;
}

static void release(void *ctx)
{
	vy_loop_stop(ctx);
}

static int teardown(void **state)
{
	struct view *v = *state;

	hold_sweep(v->hid, SIGKILL);
	if (v->hello.holder > 0) {
		kill(v->hello.holder, SIGKILL);
	}
	hold_free(v->hold);
	while (waitpid(-1, NULL, 0) > 0) {
	}
	vy_timer_del(v->guard);
	vy_loop_defer(v->loop, release, v->loop);
	vy_loop_run(v->loop);
	vy_loop_free(v->loop);
	for (int i = 0; i < 3; i++) {
		vy_buf_fini(&v->out[i]);
	}
	tempdir_remove(v->dir.path);
	free(v);
	return 0;
}

static void start(struct view *v, const char *const *argv)
{
	const char *const env[] = { "PATH=/usr/bin:/bin", "LANG=C", NULL };
	struct hold_start s = {
		.kind = HOLD_PIPE, .argv = argv, .env = env, .cwd = "/", .umask = 022
	};
	struct vy_err e;

	assert_int_equal(hold_start(v->hold, &s, &e), 0);
}

static void spawn_sh(struct view *v, const char *script)
{
	const char *const argv[] = { "sh", "-c", script, NULL };

	v->hold = hold_spawn(v->loop, &v->at, &ops, v);
	start(v, argv);
}

static void forget(struct view *v)
{
	v->is_hello = v->is_started = v->is_exit = v->is_lost = v->is_inacked = false;
	v->closed[1] = v->closed[2] = false;
}

static void attach_again(struct view *v, uint64_t from)
{
	hold_free(v->hold);
	forget(v);
	for (int i = 0; i < 3; i++) {
		vy_buf_clear(&v->out[i]);
	}
	v->end = from;
	v->at.epoch++;
	v->hold = hold_attach(v->loop, &v->at, from, &ops, v);
}

/* ---- tests ---- */

static void test_whole_life(void **state)
{
	struct view *v = *state;

	spawn_sh(v, "printf out; printf err >&2; exit 3");
	until(v, is_exit);
	check_true("not lost", !v->is_lost);
	check_true("hello, then started", v->is_hello && v->is_started);
	check_int("empty at first", v->hello.state, HOLD_EMPTY);
	check_true("the holder is known", v->hello.holder > 0);
	check_str("stdout", vy_buf_c(&v->out[1]), "out");
	check_str("stderr", vy_buf_c(&v->out[2]), "err");
	check_true("both streams are told to be over", v->closed[1] && v->closed[2]);
	check_int("status", v->status, 3);
	check_int("signal", v->signal, 0);
	hold_bye(v->hold);
	until(v, is_lost);
	check_int("let go", v->lost.code, VY_GONE);
	check_str("in words", v->lost.text, "the holder was let go");
}

static void test_refused(void **state)
{
	struct view *v = *state;
	const char *const argv[] = { "no-such-agent", NULL };

	v->hold = hold_spawn(v->loop, &v->at, &ops, v);
	start(v, argv);
	until(v, is_started);
	check_str("a sentence", v->refused,
		"no-such-agent: No such file or directory (searched in /usr/bin:/bin)");
}

static void test_too_much(void **state)
{
	struct view *v = *state;
	static char word[VY_ENV_MAX], secret[VY_SECRET_MAX + 1];
	const char *const argv[] = { "true", NULL };
	const char *const env[] = { word, NULL };
	struct hold_start s = { .kind = HOLD_PIPE, .argv = argv, .cwd = "/" };
	struct vy_err e;

	memset(word, 'x', sizeof(word) - 1);
	v->hold = hold_spawn(v->loop, &v->at, &ops, v);
	s.env = env;
	word[sizeof(word) - 1] = '\0';
	check_int("at the limit", hold_start(v->hold, &s, &e), 0);
	const char *const env_over[] = { word, "", NULL };

	s.env = env_over;
	check_int("over it", hold_start(v->hold, &s, &e), -1);
	check_str("in words", e.text, "the program's environment is over 256 KiB");
	s.env = NULL;
	s.secret = vy_str_n(secret, sizeof(secret));
	check_int("a secret over its limit", hold_start(v->hold, &s, &e), -1);
	check_int("what it is", e.code, VY_FULL);
	until(v, is_hello);
}

static void test_no_program(void **state)
{
	struct view *v = *state;

	v->at.program = "/no/such/vyre-holder";
	v->hold = hold_spawn(v->loop, &v->at, &ops, v);
	until(v, is_lost);
	check_true("in words", strstr(v->lost.text, "cannot start /no/such/vyre-holder") != NULL);
}

static void test_program_that_fails(void **state)
{
	struct view *v = *state;

	v->at.program = "/bin/false";
	v->hold = hold_spawn(v->loop, &v->at, &ops, v);
	until(v, is_lost);
	check_str("in words", v->lost.text, "the holder did not start (status 1)");
}

static void test_name_in_use(void **state)
{
	struct view *v = *state;

	spawn_sh(v, "read x");
	until(v, is_started);
	struct hold *second = hold_spawn(v->loop, &v->at, &ops, v);

	until(v, is_lost);
	check_true("its sentence comes through",
		strstr(v->lost.text, "cannot make the socket") != NULL);
	hold_free(second);
}

static void test_nobody_there(void **state)
{
	struct view *v = *state;

	v->hold = hold_attach(v->loop, &v->at, 0, &ops, v);
	until(v, is_lost);
	check_int("gone", v->lost.code, VY_GONE);
}

static void test_denied(void **state)
{
	struct view *v = *state;

	spawn_sh(v, "read x");
	until(v, is_started);
	v->at.epoch = 0;
	struct hold *second = hold_attach(v->loop, &v->at, 0, &ops, v);

	until(v, is_lost);
	check_int("an older vyred", v->lost.code, VY_DENIED);
	hold_free(second);
	forget(v);
	v->at.epoch = 2;
	second = hold_attach(v->loop, &v->at, 0, &ops, v);
	until(v, is_lost);
	check_str("the one before hears it", v->lost.text, "another vyred took this holder over");
	hold_free(second);
}

static bool has_all(const struct view *v)
{
	return v->end >= 1988895 || v->is_lost;
}

/* More than the window, so credit has to move by itself; and the same again from the middle. */
static void test_much_output(void **state)
{
	struct view *v = *state;

	spawn_sh(v, "seq 1 300000; read x");
	until(v, has_all);
	check_int("all of it", (long long)v->out[1].len, 1988895);
	check_vstr("to the end", vy_str_from(vy_buf_str(&v->out[1]), 1988895 - 7),
		VY_STR_LIT("300000\n"));
	attach_again(v, 1000000);
	until(v, has_all);
	check_int("the second half", (long long)v->out[1].len, 988895);
	check_int("it still had the first", (long long)v->hello.floor, 0);
	attach_again(v, 1988890);
	until(v, is_hello);
	check_int("but what was committed at the last attach it may forget",
		(long long)v->hello.floor, 1000000);
	until(v, has_all);
	hold_ack(v->hold, 1988895 - 2);
	attach_again(v, 1988893);
	until(v, has_all);
	check_int("an ACK as well", (long long)v->hello.floor, 1988893);
	check_str("the last two", vy_buf_c(&v->out[1]), "0\n");
}

static void test_forgotten(void **state)
{
	struct view *v = *state;

	spawn_sh(v, "seq 1 300000; read x");
	until(v, has_all);
	hold_ack(v->hold, 1000);
	hold_signal(v->hold, 0, false);
	attach_again(v, 1000);
	until(v, is_hello);
	attach_again(v, 10);
	until(v, is_lost);
	check_int("what was forgotten cannot be had again", v->lost.code, VY_CORRUPT);
	attach_again(v, 5000000);
	until(v, is_lost);
	check_int("nor what never was", v->lost.code, VY_CORRUPT);
}

static bool has_window(const struct view *v)
{
	return v->end >= VY_HOLD_WINDOW || v->is_lost;
}

static void test_pause(void **state)
{
	struct view *v = *state;

	v->hold = hold_spawn(v->loop, &v->at, &ops, v);
	until(v, is_hello);
	hold_pause(v->hold, true); /* a first window was granted with the hello */
	const char *const argv[] = { "sh", "-c", "seq 1 300000; exit 1", NULL };

	start(v, argv);
	until(v, has_window);
	check_int("a window, and no more", (long long)v->end, VY_HOLD_WINDOW);
	hold_pause(v->hold, false);
	until(v, is_exit);
	check_int("then the rest", (long long)v->out[1].len, 1988895);
}

static bool has_ten(const struct view *v)
{
	return v->inacked >= 10 || v->is_lost;
}

static void test_input(void **state)
{
	struct view *v = *state;
	struct vy_err e;
	char line[16];

	spawn_sh(v, "cat");
	for (uint64_t seq = 1; seq <= 10; seq++) {
		snprintf(line, sizeof(line), "%d\n", (int)seq);
		assert_int_equal(hold_in(v->hold, seq, vy_str_c(line), &e), 0);
	}
	until(v, has_ten);
	attach_again(v, 0);
	until(v, is_hello);
	check_int("all arrived", (long long)v->hello.in_next, 11);
	for (uint64_t seq = 8; seq <= 12; seq++) {
		snprintf(line, sizeof(line), "%d\n", (int)seq);
		assert_int_equal(hold_in(v->hold, seq, vy_str_c(line), &e), 0);
	}
	assert_int_equal(hold_in(v->hold, 13, VY_STR_LIT(""), &e), 0);
	until(v, is_exit);
	check_str("each once", vy_buf_c(&v->out[1]), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
}

static void test_input_waits(void **state)
{
	struct view *v = *state;
	struct vy_err e;
	size_t n = 4 * VY_MIB;
	char *bytes = vy_alloc(n);
	uint64_t seq = 0;

	memset(bytes, 'x', n);
	spawn_sh(v, "echo ready; sleep 0.2; wc -c");
	until(v, is_started);
	while (hold_in(v->hold, seq, vy_str_n(bytes, n), &e) == 0) {
		seq++;
	}
	check_int("full", e.code, VY_FULL);
	check_int("at its limit", (long long)seq, VY_HOLD_IN_MAX / (4 * VY_MIB));
	while (v->inacked + 1 < seq && !v->is_lost) {
		v->is_inacked = false;
		v->until = has_ten;
		vy_timer_set(v->guard, GUARD_MS);
		vy_loop_run(v->loop);
	}
	assert_int_equal(hold_in(v->hold, seq, VY_STR_LIT(""), &e), 0);
	until(v, is_exit);
	check_str("once it reads, all of it arrives", vy_buf_c(&v->out[1]), "ready\n67108864\n");
	free(bytes);
}

static void test_pty(void **state)
{
	struct view *v = *state;
	const char *const argv[] = { "sh", "-c", "stty size; read x; stty size", NULL };
	const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	struct hold_start s = { .kind = HOLD_PTY,
		.argv = argv,
		.env = env,
		.cwd = "/",
		.cols = 90,
		.rows = 30,
		.umask = 022 };

	v->hold = hold_spawn(v->loop, &v->at, &ops, v);
	assert_int_equal(hold_start(v->hold, &s, NULL), 0);
	until(v, is_started);
	hold_resize(v->hold, 91, 31);
	assert_int_equal(hold_in(v->hold, 0, VY_STR_LIT("\n"), NULL), 0);
	until(v, is_exit);
	check_true("resized", strstr(vy_buf_c(&v->out[1]), "31 91\r\n") != NULL);
}

/* Breaks what connects us with the holder; both live on. */
static void sever(const struct view *v)
{
	struct ucred who;
	socklen_t n = sizeof(who);
	int cut = 0;

	for (int fd = 0; fd < 256; fd++) {
		if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 &&
			who.pid == v->hello.holder) {
			cut += shutdown(fd, SHUT_RDWR) == 0;
		}
	}
	check_int("one connection", cut, 1);
}

static bool has_wanted(const struct view *v)
{
	return v->inacked >= v->wanted || v->is_lost;
}

static void test_connection_breaks(void **state)
{
	struct view *v = *state;
	struct vy_err e;
	char line[16];

	spawn_sh(v, "cat");
	until(v, is_started);
	for (v->wanted = 1; v->wanted <= 9; v->wanted++) {
		snprintf(line, sizeof(line), "%d\n", (int)v->wanted);
		assert_int_equal(hold_in(v->hold, v->wanted, vy_str_c(line), &e), 0);
		sever(v);
		until(v, has_wanted);
	}
	assert_int_equal(hold_in(v->hold, 10, VY_STR_LIT(""), &e), 0);
	sever(v);
	until(v, is_exit);
	check_true("it was not lost", !v->is_lost);
	check_str("each once", vy_buf_c(&v->out[1]), "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	/* Nothing of it was acknowledged, so whoever comes from the start has all of it. */
	attach_again(v, 0);
	until(v, is_exit);
	check_true("nor was it forgotten", !v->is_lost);
	check_str("all again", vy_buf_c(&v->out[1]), "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
}

static void test_holder_is_killed(void **state)
{
	struct view *v = *state;
	char marker[32] = "";

	spawn_sh(v, "trap '' HUP PIPE; (setsid sleep 1000 &)\n"
		    "while :; do (setsid sleep 1000 &); sleep 0.01; done");
	until(v, is_started);
	check_int("the child is marked", peercred_marker(v->pid, marker, sizeof(marker)), 1);
	check_str("with its holder's name", marker, v->hid);
	kill(v->hello.holder, SIGKILL);
	until(v, is_lost);
	check_int("lost", v->lost.code, VY_GONE);
	check_true("what it held lives on", hold_sweep(v->hid, 0) >= 1);
	check_true("until it is swept", hold_sweep(v->hid, SIGKILL) >= 1);
	while (waitpid(-1, NULL, 0) > 0) { /* the dying; one that was missed would keep us here */
	}
	v->hello.holder = 0;
	check_int("all of it, though it forked all the time", hold_sweep(v->hid, 0), 0);
	check_int("others' marks are not touched", hold_sweep("another", SIGKILL), 0);
	char path[TEMPDIR_MAX + 64];

	snprintf(path, sizeof(path), "%s/h/%s", v->dir.path, v->hid);
	check_int("the socket stays", access(path, F_OK), 0);
	hold_unlink(v->dir.path, v->hid);
	check_int("until it is removed", access(path, F_OK), -1);
}

static bool is_known(void *ctx, const char *hid)
{
	return ctx && strcmp(ctx, hid) == 0;
}

static void strays_are_ended(struct view *v)
{
	char path[TEMPDIR_MAX + 64];

	snprintf(path, sizeof(path), "%s/h/%s", v->dir.path, v->hid);
	spawn_sh(v, "trap '' TERM; sleep 1000");
	until(v, is_started);
	hold_free(v->hold);
	v->hold = NULL;
	check_int("a known one is left alone", hold_end_strays(v->dir.path, is_known, v->hid), 0);
	check_int("it listens", access(path, F_OK), 0);
	check_int("nobody's is ended", hold_end_strays(v->dir.path, is_known, NULL), 1);
	while (waitpid(-1, NULL, 0) >
		0) { /* the holder; it took the child along, or waits for it */
	}
	v->hello.holder = 0;
	check_int("with what it held", hold_sweep(v->hid, 0), 0);
	check_int("there is none any more", hold_end_strays(v->dir.path, is_known, NULL), 0);
	check_int("and no socket", access(path, F_OK), -1);
}

static void test_strays_are_ended(void **state)
{
	strays_are_ended(*state);
}

/* The kernel refuses its socket's path: the socket stands elsewhere, and is found all the same. */
static void test_strays_in_a_long_folder(void **state)
{
	struct view *v = *state;
	char top[TEMPDIR_MAX];

	memcpy(top, v->dir.path, sizeof(top));
	snprintf(v->dir.path, sizeof(v->dir.path), "%.300s/%0120d", top, 1);
	assert_int_equal(mkdir(v->dir.path, 0700), 0);
	strays_are_ended(v);
	memcpy(v->dir.path, top, sizeof(top));
}

static void free_in_exit(void *ctx, int status, int signo)
{
	struct view *v = ctx;

	on_exit_told(ctx, status, signo);
	hold_free(v->hold);
	v->hold = NULL;
}

static void test_free_in_a_callback(void **state)
{
	struct view *v = *state;
	static struct hold_ops mine;
	const char *const argv[] = { "sh", "-c", "echo x; exit 2", NULL };

	mine = ops;
	mine.on_exit = free_in_exit;
	v->hold = hold_spawn(v->loop, &v->at, &mine, v);
	start(v, argv);
	until(v, is_exit);
	check_int("heard", v->status, 2);
	check_true("and nothing after it", !v->is_lost);
}

static void test_free_at_once(void **state)
{
	struct view *v = *state;

	hold_free(hold_spawn(v->loop, &v->at, &ops, v));
	hold_free(hold_attach(v->loop, &v->at, 0, &ops, v));
	v->hold = hold_attach(v->loop, &v->at, 0, &ops, v);
	until(v, is_hello);
	check_true("the holder that was started is there for the next", v->is_hello);
}

/* Zombies and fds: as many as before. */
static int count_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++) {
		n += fcntl(fd, F_GETFD) >= 0;
	}
	return n;
}

static void test_leaves_nothing(void **state)
{
	struct view *v = *state;
	int before = 0;

	for (int i = 0; i < 5; i++) {
		hold_new_id(v->hid, v->at.token);
		forget(v);
		v->end = 0;
		spawn_sh(v, "exit 0");
		until(v, is_exit);
		hold_bye(v->hold);
		until(v, is_lost);
		hold_free(v->hold);
		v->hold = NULL;
		check_int("the holder alone is left", waitpid(-1, NULL, 0), v->hello.holder);
		if (i == 0) {
			before = count_fds();
		}
	}
	check_int("fds", count_fds(), before);
	v->hello.holder = 0;
	check_int("no child of ours, not even a dead one", waitpid(-1, NULL, WNOHANG), -1);
	check_int("for there is none", errno, ECHILD);
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

CHECK_MAIN(T(test_whole_life), T(test_refused), T(test_too_much), T(test_no_program),
	T(test_program_that_fails), T(test_name_in_use), T(test_nobody_there), T(test_denied),
	T(test_much_output), T(test_forgotten), T(test_pause), T(test_input), T(test_input_waits),
	T(test_pty), T(test_connection_breaks), T(test_holder_is_killed), T(test_strays_are_ended),
	T(test_strays_in_a_long_folder), T(test_free_in_a_callback), T(test_free_at_once),
	T(test_leaves_nothing))
