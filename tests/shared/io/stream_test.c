/* stream_test.c -- pieces in, a bounded queue out, and every way a stream can end or be let go. */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/base/buf.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "shared/io/stream.h"
#include "tests/check.h"

enum { GUARD_MS = 30000 };

struct end {
	struct vy_loop *loop;
	struct vy_stream *s;
	struct vy_buf said; /* what came, in order: "[piece]" "<too long>" "room" "." or "!" */
	size_t bytes;       /* of all pieces */
	bool counts_only, is_ended;
	int pause_after, free_after; /* pieces; 0: never */
	int pieces;
};

static struct vy_timer *guard;

static void hangs(void *ctx)
{
	(void)ctx;
	fail_msg("what the test waits for did not come");
}

static void on_piece(void *ctx, struct vy_str piece)
{
	struct end *x = ctx;

	assert_false(x->is_ended);
	x->pieces++;
	x->bytes += piece.n;
	if (!x->counts_only) {
		vy_buf_addf(&x->said, "[%.*s]", VY_STR_ARG(piece));
	}
	if (x->pieces == x->pause_after) {
		vy_stream_pause(x->s, true);
		vy_loop_stop(x->loop);
	}
	if (x->pieces == x->free_after) {
		vy_stream_free(x->s);
		x->s = NULL;
		vy_loop_stop(x->loop);
	}
}

static void on_too_long(void *ctx, struct vy_str head)
{
	struct end *x = ctx;

	vy_buf_addf(&x->said, "<%.*s>", head.n < 3 ? (int)head.n : 3, head.p);
}

static void on_room(void *ctx)
{
	struct end *x = ctx;

	vy_buf_adds(&x->said, "room");
}

static void on_end(void *ctx, const struct vy_err *why)
{
	struct end *x = ctx;

	assert_false(x->is_ended);
	x->is_ended = true;
	vy_buf_addc(&x->said, why ? '!' : '.');
	vy_loop_stop(x->loop);
}

static const struct vy_stream_ops ops = { on_piece, on_too_long, on_room, on_end };

static void open_end(
	struct end *x, struct vy_loop *l, enum vy_stream_kind kind, int in_fd, int out_fd)
{
	struct vy_stream_conf conf = { kind, in_fd, out_fd, 8, 100000 };

	memset(x, 0, sizeof(*x));
	x->loop = l;
	vy_buf_init(&x->said, VY_MIB);
	x->s = vy_stream_new(l, &conf, &ops, x);
}

static void close_end(struct end *x)
{
	vy_stream_free(x->s);
	vy_buf_fini(&x->said);
}

static void run(struct vy_loop *l)
{
	vy_timer_set(guard, GUARD_MS);
	vy_loop_run(l);
	vy_timer_set(guard, -1);
}

static void stop(void *ctx)
{
	vy_loop_stop(ctx);
}

static void turn(struct vy_loop *l)
{
	struct vy_timer *t = vy_loop_timer(l, stop, l);

	vy_timer_set(t, 0);
	vy_loop_run(l);
	vy_timer_del(t);
}

static int setup(void **state)
{
	struct vy_loop *l = vy_loop_new();

	guard = vy_loop_timer(l, hangs, NULL);
	signal(SIGPIPE, SIG_IGN);
	*state = l;
	return 0;
}

static int teardown(void **state)
{
	vy_timer_del(guard);
	vy_loop_free(*state); /* runs the deferred frees */
	return 0;
}

static void sockets(int fds[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
}

static void say(int fd, const char *s)
{
	assert_int_equal(write(fd, s, strlen(s)), strlen(s));
}

/* ---- in ---- */

static void test_in(void **state)
{
	static const struct {
		const char *name;
		enum vy_stream_kind kind;
		struct vy_str in;
		const char *said;
	} rows[] = {
		{ "lines", VY_STREAM_LINES, VY_STR_LIT("a\n\nbc\n"), "[a][][bc]." },
		{ "a last line without end", VY_STREAM_LINES, VY_STR_LIT("a\nbc"), "[a][bc]." },
		{ "a long line is one event", VY_STREAM_LINES, VY_STR_LIT("12345678901\nx\n"),
			"<123>[x]." },
		{ "messages", VY_STREAM_U32, VY_STR_LIT("\0\0\0\2ab\0\0\0\0"), "[ab][]." },
		{ "a message cut off", VY_STREAM_U32, VY_STR_LIT("\0\0\0\2ab\0\0\0\3x"), "[ab]." },
		{ "bytes", VY_STREAM_BYTES, VY_STR_LIT("any\nthing"), "[any\nthing]." },
		{ "nothing", VY_STREAM_BYTES, VY_STR_LIT(""), "." },
	};

	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct end x;
		int fds[2];

		sockets(fds);
		open_end(&x, *state, rows[i].kind, fds[0], fds[0]);
		assert_int_equal(write(fds[1], rows[i].in.p, rows[i].in.n), rows[i].in.n);
		close(fds[1]);
		run(*state);
		check_str(rows[i].name, vy_buf_c(&x.said), rows[i].said);
		close_end(&x);
	}
}

static void test_pause(void **state)
{
	struct end x;
	int fds[2];

	sockets(fds);
	open_end(&x, *state, VY_STREAM_LINES, fds[0], fds[0]);
	x.pause_after = 2;
	say(fds[1], "a\nb\nc\nd");
	run(*state);
	say(fds[1], "e\n");
	close(fds[1]);
	turn(*state);
	check_str("stopped in the middle", vy_buf_c(&x.said), "[a][b]");
	vy_stream_pause(x.s, false);
	vy_stream_pause(x.s, true);
	turn(*state);
	check_str("and still", vy_buf_c(&x.said), "[a][b]");
	vy_stream_pause(x.s, false);
	run(*state);
	check_str("then the rest", vy_buf_c(&x.said), "[a][b][c][de].");
	close_end(&x);
}

static void test_free_in_a_callback(void **state)
{
	struct end x;
	int fds[2];

	sockets(fds);
	open_end(&x, *state, VY_STREAM_LINES, fds[0], fds[0]);
	x.free_after = 1;
	say(fds[1], "a\nb\nc\n");
	run(*state);
	turn(*state);
	check_str("not a word after it", vy_buf_c(&x.said), "[a]");
	check_int("the fd is closed", write(fds[1], "x", 1), -1);
	close(fds[1]);
	close_end(&x);
}

static void test_pty_end(void **state)
{
	struct end x;
	int master, slave;

	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	open_end(&x, *state, VY_STREAM_BYTES, master, master);
	say(slave, "hi");
	turn(*state);
	close(slave);
	run(*state);
	check_str("its last user is no failure", vy_buf_c(&x.said), "[hi].");
	close_end(&x);
}

/* ---- out ---- */

static void test_there_and_back(void **state)
{
	struct end a, b;
	int fds[2];
	static char bytes[70000];

	sockets(fds);
	open_end(&a, *state, VY_STREAM_BYTES, fds[0], fds[0]);
	open_end(&b, *state, VY_STREAM_BYTES, fds[1], fds[1]);
	b.counts_only = a.counts_only = true;
	for (int i = 0; i < 2000; i++) {
		assert_true(vy_stream_send(a.s, vy_str_n(bytes, 7)));
	}
	assert_true(vy_stream_send_secret(a.s, vy_str_n(bytes, 70000)));
	check_int("nothing is written in the call", (long long)vy_stream_queued(a.s), 84000);
	vy_stream_finish(a.s);
	run(*state);
	check_int("all arrives", (long long)b.bytes, 84000);
	check_int("nothing is queued", (long long)vy_stream_queued(a.s), 0);
	check_true("and the end behind it", b.is_ended && !a.is_ended);
	vy_stream_free(b.s);
	b.s = NULL;
	run(*state);
	check_true("to its end", a.is_ended);
	close_end(&a);
	close_end(&b);
}

static void test_free_writes_the_last(void **state)
{
	struct end x;
	int fds[2];
	char got[16] = "";

	sockets(fds);
	open_end(&x, *state, VY_STREAM_BYTES, fds[0], fds[0]);
	assert_true(vy_stream_send(x.s, VY_STR_LIT("farewell")));
	close_end(&x);
	check_int("what was sent just before", read(fds[1], got, sizeof(got) - 1), 8);
	check_str("is written", got, "farewell");
	check_int("then it is closed", read(fds[1], got, sizeof(got)), 0);
	close(fds[1]);
}

static void test_queue_is_bounded(void **state)
{
	struct end x;
	int fds[2];
	static char bytes[50000];
	size_t got = 0, sent = 0;

	sockets(fds);
	open_end(&x, *state, VY_STREAM_BYTES, fds[0], fds[0]);
	while (vy_stream_send(x.s, vy_str_n(bytes, sizeof(bytes)))) {
		sent += sizeof(bytes);
		turn(*state);
	}
	check_true("at most its maximum is queued", vy_stream_queued(x.s) <= 100000);
	check_true("a refused send queues nothing", vy_stream_queued(x.s) + sizeof(bytes) > 100000);
	check_str("no room yet", vy_buf_c(&x.said), "");
	while (got < sent) {
		ssize_t n = read(fds[1], bytes, sizeof(bytes));

		assert_true(n > 0);
		got += (size_t)n;
		turn(*state);
	}
	check_str("room is told, once", vy_buf_c(&x.said), "room");
	check_true("more than all is never taken", !vy_stream_send(x.s, vy_str_n(bytes, 100001)));
	close(fds[1]);
	close_end(&x);
}

static void test_other_side_gone(void **state)
{
	struct end x;
	int fds[2];

	sockets(fds);
	open_end(&x, *state, VY_STREAM_LINES, fds[0], fds[0]);
	say(fds[1], "last words\n");
	close(fds[1]);
	assert_true(vy_stream_send(x.s, VY_STR_LIT("too late")));
	run(*state);
	check_true("what it said before is given", strstr(vy_buf_c(&x.said), "<las>") != NULL);
	check_true("then the end", x.is_ended);
	assert_true(vy_stream_send(x.s, VY_STR_LIT("nobody")));
	turn(*state);
	check_int("sending on is harmless", (long long)vy_stream_queued(x.s), 0);
	close_end(&x);
}

static void test_reader_gone(void **state)
{
	struct end x;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	open_end(&x, *state, VY_STREAM_LINES, -1, fds[1]);
	close(fds[0]);
	assert_true(vy_stream_send(x.s, VY_STR_LIT("x")));
	run(*state);
	check_str("a pipe without reader", vy_buf_c(&x.said), "!");
	close_end(&x);
}

static void test_two_pipes(void **state)
{
	struct end x;
	int in[2], out[2];
	char got[16] = "";

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	open_end(&x, *state, VY_STREAM_LINES, in[0], out[1]);
	say(in[1], "in\n");
	assert_true(vy_stream_send(x.s, VY_STR_LIT("out")));
	vy_stream_finish(x.s);
	turn(*state);
	turn(*state);
	check_int("written, and closed", read(out[0], got, sizeof(got)), 3);
	check_int("written, and closed", read(out[0], got + 3, sizeof(got) - 3), 0);
	check_str("bytes", got, "out");
	check_str("the other way", vy_buf_c(&x.said), "[in]");
	close(in[1]);
	run(*state);
	close(out[0]);
	close_end(&x);
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

CHECK_MAIN(T(test_in), T(test_pause), T(test_free_in_a_callback), T(test_pty_end),
	T(test_there_and_back), T(test_free_writes_the_last), T(test_queue_is_bounded),
	T(test_other_side_gone), T(test_reader_gone), T(test_two_pipes))
