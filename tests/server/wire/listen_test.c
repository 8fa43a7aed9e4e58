/* listen_test.c -- what stands at the door: sockets by path and by TCP, and no descriptors left. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

static int tcp(struct world *w)
{
	struct vy_err e;

	if (wire_listen_tcp(w->wire, "127.0.0.1:0", &e) != 0) {
		fail_msg("%s", e.text);
	}
	assert_true(wire_tcp_port(w->wire) > 0);
	return wire_tcp_port(w->wire);
}

static void calls_by_tcp_are_denied(void **state)
{
	static const struct {
		const char *name, *body;
		int64_t id;
		size_t n; /* in a batch; 0: not one */
	} rows[] = {
		{ "one", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"server.info\"}", 7, 0 },
		{ "two",
			"[{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"a\"},"
			"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"b\"}]",
			8, 2 },
		{ "none at all", "hello", -1, 0 },
	};
	struct world *w = world_new(0);
	int port = tcp(w);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = raw_open_tcp(w, port);
		struct vy_str body;

		raw_post(r, rows[i].body);
		assert_int_equal(raw_answer(r, &body), 200);

		VY_AUTO_JSON *v = vy_json_parse(body, NULL);
		struct vy_json *one = rows[i].n ? vy_json_at(v, 0) : v;

		assert_int_equal(vy_json_type(v) == VY_JSON_ARR ? vy_json_len(v) : 0, rows[i].n);
		if (vy_json_int(one, "id", -1) != rows[i].id ||
			!vy_str_is(vy_json_strval(vy_json_path(one, "error.data.kind")),
				"person_only")) {
			fail_msg("%s: got %.*s", rows[i].name, VY_STR_ARG(body));
		}
		raw_close(r);
	}
	assert_int_equal(w->n_calls, 0);
	world_free(w);
}

static void who_comes_in_by_tcp(void **state)
{
	static const struct {
		const char *name, *header;
		int status;
	} rows[] = {
		{ "a program", "Host: 127.0.0.1\r\n", 404 },
		{ "a page of elsewhere", "Host: 127.0.0.1\r\nOrigin: http://evil.example\r\n",
			403 },
		{ "a name bent to here", "Host: evil.example\r\n", 403 },
		{ "without a host", "", 403 },
	};
	struct world *w = world_new(0);
	int port = tcp(w);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct raw *r = raw_open_tcp(w, port);
		char request[256];
		int status;

		snprintf(request, sizeof(request), "GET /x HTTP/1.1\r\n%s\r\n", rows[i].header);
		raw_send(r, request);
		status = raw_answer(r, NULL);
		if (status != rows[i].status) {
			fail_msg("%s: got %d", rows[i].name, status);
		}
		raw_close(r);
	}
	world_free(w);
}

/* A stream by TCP needs its ticket and nothing else; snapshots are not for anybody who asks. */
static void streams_by_tcp(void **state)
{
	struct world *w = world_new(0);
	int port = tcp(w);
	struct raw *r = raw_open_tcp(w, port), *e = raw_open_tcp(w, port),
		   *s = raw_open_tcp(w, port);
	char request[512];
	struct vy_str p;
	unsigned got = 0;

	(void)state;
	assert_true(ws_open(r, world_target(w, "&from=0"), "vyre.lines"));
	assert_int_equal(ws_next(r, &p), WS_TEXT);
	snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n",
		world_target(w, "&from=0"));
	raw_send(e, request);
	assert_true(raw_wait(e, "beat"));
	raw_send(s, "GET /v1/sessions/s/snapshot HTTP/1.1\r\nHost: localhost\r\n\r\n");
	assert_int_equal(raw_answer(s, NULL), 403);
	raw_pause(e, true); /* slow, by TCP and as events: the hard way */
	raw_pause(r, true);
	world_push_many(w, 2000, 4096);
	world_rest(w, 100);
	uint64_t turns = w->turns;

	world_rest(w, 200);
	assert_true(w->turns - turns < 20);
	raw_pause(e, false);
	raw_pause(r, false);
	while (got < 2000) {
		assert_int_equal(ws_next(r, &p), WS_TEXT);
		got += (unsigned)(p.n + 1) / 4097;
	}
	assert_true(raw_wait(e, "id: 2000\n"));
	raw_close(s);
	raw_close(r);
	raw_close(e);
	world_free(w);
}

/* TRAP: an accept that fails for want of a descriptor must not be tried for ever. */
static void no_descriptors_left(void **state)
{
	struct world *w = world_new(0);
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct rlimit old, none;
	uint64_t turns;
	int fds[10], top;
	char text[256] = "";

	(void)state;
	for (size_t i = 0; i < VY_COUNT(fds); i++) {
		fds[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	}
	top = open("/dev/null", O_RDONLY);
	close(top);
	getrlimit(RLIMIT_NOFILE, &old);
	none = old;
	none.rlim_cur = (rlim_t)top;
	setrlimit(RLIMIT_NOFILE, &none);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/vyred.sock", w->dir);
	for (size_t i = 0; i < VY_COUNT(fds); i++) {
		assert_int_equal(connect(fds[i], (struct sockaddr *)&a, sizeof(a)), 0);
	}
	world_rest(w, 30);
	turns = w->turns;
	world_rest(w, 100);
	assert_true(w->turns - turns < 20);
	for (size_t i = 0; i < VY_COUNT(fds); i++) { /* each was told, and let go */
		assert_true(recv(fds[i], text, sizeof(text) - 1, MSG_DONTWAIT) > 0);
		assert_memory_equal(text, "HTTP/1.1 503 ", 13);
		close(fds[i]);
	}
	setrlimit(RLIMIT_NOFILE, &old);

	struct raw *r = raw_open(w);

	raw_post(r, "{}");
	assert_int_equal(raw_answer(r, NULL), 200);
	raw_close(r);
	world_free(w);
}

static void what_lies_in_the_way(void **state)
{
	struct world *w = world_new(0);
	struct vy_err e;
	char path[128];
	int fd;

	(void)state;
	wire_free(w->wire);
	w->wire = world_wire(w);
	snprintf(path, sizeof(path), "%s/other", w->dir);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	assert_int_equal(
		wire_listen_unix(w->wire, path, false, &e), -1); /* a file is nobody's socket */
	assert_int_equal(e.code, VY_CONFLICT);
	assert_non_null(strstr(e.text, path));
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	/* a socket that a dead server left is replaced */
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%s/other", w->dir);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	close(fd);
	assert_int_equal(wire_listen_unix(w->wire, path, false, &e), 0);
	assert_string_equal(wire_socket_path(w->wire), path);
	struct raw *r = raw_open_path(w, path);

	raw_post(r, "{}");
	assert_int_equal(raw_answer(r, NULL), 200);
	raw_close(r);
	world_free(w);
}

/* Until another stands at the path than `not_this`. */
static void wait_for_another(struct world *w, const char *path, ino_t not_this)
{
	struct stat st = { .st_ino = not_this };

	for (int i = 0; i < 20000 && (stat(path, &st) != 0 || st.st_ino == not_this); i++) {
		world_rest(w, 5);
	}
	assert_true(st.st_ino != not_this);
}

/* Whoever removes it, or puts a socket of its own there, has it for a moment only. */
static void taken_away(void **state)
{
	struct world *w = world_new(0);
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	char path[128];
	struct stat st;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	snprintf(path, sizeof(path), "%s/vyred.sock", w->dir);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/false.sock", w->dir);
	for (int is_moved = 0; is_moved < 2; is_moved++) {
		assert_int_equal(stat(path, &st), 0);
		if (is_moved) {
			assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
			assert_int_equal(listen(fd, 5), 0);
			assert_int_equal(stat(a.sun_path, &st), 0);
			assert_int_equal(rename(a.sun_path, path), 0);
		} else {
			assert_int_equal(unlink(path), 0);
			st.st_ino = 0;
		}
		wait_for_another(w, path, st.st_ino);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);

		struct raw *r = raw_open(w);

		raw_post(r, "{}");
		assert_int_equal(raw_answer(r, NULL), 200);
		raw_close(r);
	}
	close(fd);
	world_free(w);
}

/* Another that makes it again as we do, as a vyred of another state folder: both would only do that. */
static void fought_over(void **state)
{
	struct world *w = world_new(0);
	char path[128];
	struct stat st;
	int made = 0;

	(void)state;
	snprintf(path, sizeof(path), "%s/vyred.sock", w->dir);
	for (int i = 0; i < 200; i++) {
		made += unlink(path) == 0;
		world_rest(w, 5);
	}
	assert_true(made >= 2); /* it is not given up */
	assert_true(made < 20);
	wait_for_another(w, path, 0);
	assert_int_equal(stat(path, &st), 0);
	world_free(w);
}

static void a_long_path(void **state)
{
	struct world *w = world_new(0);
	char path[300];
	struct vy_err e;
	struct stat st;

	(void)state;
	wire_free(w->wire);
	w->wire = world_wire(w);
	snprintf(path, sizeof(path), "%s/%0120d/vyred.sock", w->dir, 0);
	if (wire_listen_unix(w->wire, path, false, &e) != 0) {
		fail_msg("%s", e.text);
	}
	assert_true(strlen(wire_socket_path(w->wire)) <= VY_SOCK_PATH_MAX);
	assert_int_equal(stat(wire_socket_path(w->wire), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	struct raw *r = raw_open_path(w, wire_socket_path(w->wire));

	raw_post(r, "{}");
	assert_int_equal(raw_answer(r, NULL), 200);
	raw_close(r);
	world_free(w);
}

/* Somebody else made the socket and will keep it (systemd). */
static void handed_over(void **state)
{
	struct world *w = world_new(0);
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct vy_err e;
	char path[128];
	int fd, plain = open("/dev/null", O_RDONLY);

	(void)state;
	wire_free(w->wire);
	w->wire = world_wire(w);
	assert_int_equal(wire_listen_fd(w->wire, plain, &e), -1);
	assert_int_equal(fcntl(plain, F_GETFD), -1);
	snprintf(path, sizeof(path), "%s/given.sock", w->dir);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/given.sock", w->dir);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 5), 0);
	assert_int_equal(wire_listen_fd(w->wire, fd, &e), 0);

	struct raw *r = raw_open_path(w, path);

	raw_post(r, "{}");
	assert_int_equal(raw_answer(r, NULL), 200);
	raw_close(r);
	wire_free(w->wire);
	w->wire = NULL;
	assert_int_equal(access(path, F_OK), 0); /* it is not ours to remove */
	unlink(path);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_by_tcp_are_denied),
		cmocka_unit_test(who_comes_in_by_tcp),
		cmocka_unit_test(streams_by_tcp),
		cmocka_unit_test(no_descriptors_left),
		cmocka_unit_test(what_lies_in_the_way),
		cmocka_unit_test(taken_away),
		cmocka_unit_test(fought_over),
		cmocka_unit_test(a_long_path),
		cmocka_unit_test(handed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
