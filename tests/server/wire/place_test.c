/* place_test.c -- real processes at a real socket: who is taken for whom, however they detach. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "shared/base/limits.h"
#include "tests/server/wire/world.h"
#include "shared/base/ban.h"

#define SESSION "11111111-1111-4111-8111-111111111111"
#define HID     "00000000000000a1"

/* In a process of its own: one call, and the answer is waited for. */
static int client(const char *path)
{
	static const char call[] =
		"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char text[4096];

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
		write(fd, call, sizeof(call) - 1) != sizeof(call) - 1) {
		return 1;
	}
	return read(fd, text, sizeof(text)) > 0 ? 0 : 1;
}

/* How a process gets away from its agent before it calls. */
enum { PLAIN = 0, SETSID = 1, TWICE = 2, MARKED = 4, GROUP = 8 };

static void get_away(struct world *w, unsigned how)
{
	static char mark[] = "VYRE_HOLDER=" HID;
	char *env[] = { how & MARKED ? mark : NULL, NULL };

	if (how & GROUP) {
		setpgid(0, 0);
	}
	if (how & TWICE && fork() != 0) {
		_exit(0);
	}
	if (how & SETSID) {
		setsid();
	}
	/* its parent, if it was to die, is dead before it calls */
	while (how & TWICE && getppid() == w->live.pid) {
		usleep(1000);
	}
	execle("/proc/self/exe", "place_test", "--call", w->path, (char *)NULL, env);
	_exit(127);
}

static bool was_called(void *ctx)
{
	return ((struct world *)ctx)->n_calls > 0;
}

/* A child that calls: as somebody's, or as an agent's that may have died by then. */
static void call_as(struct world *w, unsigned how, bool is_agent)
{
	int gate[2], status;
	pid_t pid;

	w->n_calls = 0;
	assert_int_equal(pipe(gate), 0);
	pid = fork();
	if (pid == 0) {
		char byte;

		close(gate[1]);
		w->live.pid = getpid();
		(void)!read(gate[0], &byte, 1); /* until it is listed */
		get_away(w, how);
	}
	w->live = (struct caller_live){ .session = is_agent ? SESSION : NULL,
		.hid = HID,
		.person = "ann",
		.pid = pid,
		.pgid = how & GROUP ? pid : 0 };
	close(gate[0]);
	close(gate[1]);
	assert_true(world_run(w, was_called, w));
	world_rest(w, 5); /* it gets its answer */
	if (how & TWICE) {
		waitpid(pid, &status, 0);
		return;
	}
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void children(void **state)
{
	static const struct {
		const char *name;
		unsigned how;
		bool is_agent;
		enum caller_kind kind;
	} rows[] = {
		{ "a child of nobody's", PLAIN, false, CALLER_PERSON },
		{ "a daemon of nobody's", SETSID | TWICE, false, CALLER_PERSON },
		{ "with a mark that is not known", MARKED, false, CALLER_UNKNOWN },
		{ "the agent itself", PLAIN, true, CALLER_AGENT },
		{ "in a session of its own", SETSID, true, CALLER_AGENT },
		{ "forked twice, the mark kept", SETSID | TWICE | MARKED, true, CALLER_AGENT },
		{ "forked twice, the group kept", GROUP | TWICE, true, CALLER_AGENT },
	};
	struct world *w = world_new(0);

	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		call_as(w, rows[i].how, rows[i].is_agent);
		if (w->last_caller.kind != rows[i].kind ||
			strcmp(w->last_caller.session,
				rows[i].kind == CALLER_AGENT ? SESSION : "") != 0) {
			fail_msg("%s: got %s %s", rows[i].name,
				caller_kind_name(w->last_caller.kind), w->last_caller.session);
		}
	}
	world_free(w);
}

/* All traces wiped, its parents dead: what vyred itself took in is no person. */
static void taken_in(void **state)
{
	struct world *w = world_new(0);

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	w->callers.self = getpid();
	call_as(w, SETSID | TWICE, true);
	assert_int_equal(w->last_caller.kind, CALLER_UNKNOWN);
	while (waitpid(-1, NULL, 0) > 0) {
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	world_free(w);
}

/* A place is taken again for every call that only a person may make. */
static void placed_again(void **state)
{
	struct world *w = world_new(0);
	struct raw *r = raw_open(w);
	struct caller c;

	(void)state;
	w->answer = ANSWER_HOLD;
	raw_post(r, "{}");
	assert_true(world_run(w, was_called, w));
	assert_int_equal(w->last_caller.kind, CALLER_PERSON);
	assert_true(wire_place_again(w->wire, w->held[0], &c));
	assert_int_equal(c.kind, CALLER_PERSON);
	w->live = (struct caller_live){ .session = SESSION, .pid = getppid() };
	assert_true(wire_place_again(w->wire, w->held[0], &c));
	assert_int_equal(c.kind, CALLER_AGENT);
	assert_string_equal(c.session, SESSION);
	raw_close(r);
	world_free(w);
}

/* Who has sent its call and ended cannot be looked at any more, and is nobody. */
static void gone_by_then(void **state)
{
	struct world *w = world_new(0);
	struct caller c;
	int hold[2];
	pid_t pid;

	(void)state;
	w->answer = ANSWER_HOLD;
	assert_int_equal(pipe(hold), 0);
	pid = fork();
	if (pid == 0) {
		struct sockaddr_un a = { .sun_family = AF_UNIX };
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);
		static const char call[] =
			"POST /v1/rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";

		snprintf(a.sun_path, sizeof(a.sun_path), "%s", w->path);
		if (connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
			write(fd, call, sizeof(call) - 1) < 0) {
			_exit(1);
		}
		if (fork() == 0) { /* the connection outlives who made it */
			char byte;

			close(hold[1]);
			(void)!read(hold[0], &byte, 1);
			_exit(0);
		}
		(void)!read(hold[0], &(char){ 0 }, 1);
		_exit(0);
	}
	close(hold[0]);
	assert_true(world_run(w, was_called, w));
	assert_true(wire_place_again(w->wire, w->held[0], &c));
	assert_int_equal(c.kind, CALLER_PERSON);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(wire_place_again(w->wire, w->held[0], &c));
	assert_int_equal(c.kind, CALLER_UNKNOWN);
	close(hold[1]);
	world_rest(w, 20);
	world_free(w);
}

static void the_socket_of_an_agent(void **state)
{
	struct world *w = world_new(0);
	struct ticket_grant g = { .session = SESSION, .viewer = "v" };
	char path[128], ticket[TICKET_LEN + 1], target[160];
	const char *given;
	struct raw *r, *other;
	struct caller c;
	struct vy_err e;

	(void)state;
	given = wire_agent_socket_open(w->wire, SESSION, "ann", &e);
	assert_non_null(given);
	snprintf(path, sizeof(path), "%s", given);
	assert_string_equal(wire_agent_socket_open(w->wire, SESSION, "ann", &e), path);
	assert_string_not_equal(path, w->path);
	w->answer = ANSWER_HOLD;
	r = raw_open_path(w, path);
	raw_post(r, "{}");
	assert_true(world_run(w, was_called, w));
	assert_int_equal(w->last_caller.kind, CALLER_AGENT); /* whoever it is */
	assert_string_equal(w->last_caller.session, SESSION);
	assert_string_equal(w->last_caller.person, "ann");
	assert_true(w->last_caller.is_confined);
	assert_true(wire_place_again(w->wire, w->held[0], &c));
	assert_int_equal(c.kind, CALLER_AGENT);
	assert_true(c.is_confined);
	/* its ticket is its own, and no person's */
	g.caller = w->last_caller;
	assert_int_equal(ticket_issue(w->tickets, &g, ticket, NULL), 0);
	snprintf(target, sizeof(target), "/v1/streams/stream/session?ticket=%s&from=0", ticket);
	other = raw_open(w);
	assert_false(ws_open(other, target, NULL));
	raw_close(other);
	other = raw_open_path(w, path);
	assert_false(ws_open(other, target, NULL)); /* spent by then */
	raw_close(other);
	assert_int_equal(ticket_issue(w->tickets, &g, ticket, NULL), 0);
	snprintf(target, sizeof(target), "/v1/streams/stream/session?ticket=%s&from=0", ticket);
	other = raw_open_path(w, path);
	assert_true(ws_open(other, target, NULL));
	wire_agent_socket_close(w->wire, SESSION);
	assert_true(raw_wait_close(r));
	assert_true(raw_wait_close(other));
	assert_int_equal(access(path, F_OK), -1);
	raw_close(other);
	raw_close(r);
	world_free(w);
}

/* A call that ends the socket it came by: what it stands on stays until the turn is over. */
static void it_saws_its_branch_off(void **state)
{
	struct world *w = world_new(0);
	struct vy_err e;
	struct raw *r;

	(void)state;
	r = raw_open_path(w, wire_agent_socket_open(w->wire, SESSION, "ann", &e));
	w->answer = ANSWER_SAW;
	raw_post(r, "{}");
	assert_true(raw_wait_close(r));
	assert_int_equal(w->n_calls, 1);
	raw_close(r);
	world_free(w);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children),
		cmocka_unit_test(taken_in),
		cmocka_unit_test(placed_again),
		cmocka_unit_test(gone_by_then),
		cmocka_unit_test(the_socket_of_an_agent),
		cmocka_unit_test(it_saws_its_branch_off),
	};

	if (argc == 3 && strcmp(argv[1], "--call") == 0) {
		return client(argv[2]);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
