/* play_holder.c -- a vyre-holder and its agent in one: what comes into vyred, to the microsecond.
 *
 * usage: as vyre-holder, in whose place it is put beside a copy of vyred. It runs no child. It answers
 * as the demo agent would; a message "emit N GAP BYTES" is answered with N deltas of BYTES bytes,
 * each a stamp and some words, GAP microseconds apart by the clock (0: as fast as vyred takes them).
 * So between the stamp and a viewer there are the two hops that bare_relay has. One vyred, one
 * attach: it ends when that one goes. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/holder/msg.h"
#include "server/provider/demo_out.h"
#include "shared/base/buf.h"
#include "shared/base/cut.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/base/sockpath.h"
#include "tests/bench/stamp.h"
#include "shared/base/ban.h"

#define TOKEN_FD   3
#define TEXT_MAX   4096
#define BATCH      16 /* deltas in one OUT when there is no gap between them */
#define LOOK_EVERY 32 /* deltas between two looks at what vyred says */

static struct {
	const char *hid;
	int fd;
	struct vy_cut cut;
	struct vy_buf lines, out; /* of the agent, not sent yet; one message */
	struct vy_buf todo;       /* what it was told and did not look at yet */
	struct demo_where where;
	uint64_t off, credit, in_next;
	int messages;
} h = { .in_next = 1 };

static void give_up(const char *what)
{
	fprintf(stderr, "play_holder: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- to vyred ---- */

static void make_msg(const struct msg *m)
{
	vy_buf_clear(&h.out);
	if (!msg_encode(m, &h.out)) {
		give_up("a message");
	}
}

static void send_made(void)
{
	for (size_t at = 0; at < h.out.len;) {
		ssize_t n = send(h.fd, h.out.data + at, h.out.len - at, MSG_NOSIGNAL);

		if (n <= 0) {
			exit(0); /* vyred went */
		}
		at += (size_t)n;
	}
}

static void send_msg(const struct msg *m)
{
	make_msg(m);
	send_made();
}

static void hear(int flags);

/* What was printed becomes one OUT, when vyred lets it. */
static void make_out(void)
{
	struct msg m = { .type = MSG_OUT };

	while (h.off + h.lines.len > h.credit) {
		hear(0);
	}
	m.out.off = h.off;
	m.out.stream = MSG_STDOUT;
	m.out.bytes = vy_buf_str(&h.lines);
	make_msg(&m);
	h.off += h.lines.len;
	vy_buf_clear(&h.lines);
}

static void send_lines(void)
{
	if (h.lines.len) {
		make_out();
		send_made();
	}
}

/* ---- the agent ---- */

static void emit(int64_t n, int64_t gap_us, int64_t bytes)
{
	int64_t begin = stamp_now();
	char text[TEXT_MAX];

	for (int64_t i = 0; i < n; i++) {
		if (i % LOOK_EVERY == 0) {
			hear(MSG_DONTWAIT);
		}
		stamp_words(text, (size_t)bytes);
		demo_out_delta(&h.where, 0, false, vy_str_c(text));
		if (gap_us) {
			make_out();
			stamp_sleep(begin + i * gap_us);
			stamp_now_in(h.out.data, h.out.len);
			send_made();
		} else if (i % BATCH == BATCH - 1) {
			send_lines();
		}
	}
}

static void take_turn(const char *uuid, int64_t n, int64_t gap_us, int64_t bytes)
{
	struct demo_result result = { .subtype = "success", .terminal = "completed" };
	char message[32];

	snprintf(message, sizeof(message), "msg_%d", ++h.messages);
	demo_out_life(&h.where, vy_str_c(uuid), "queued");
	demo_out_life(&h.where, vy_str_c(uuid), "started");
	demo_out_init(&h.where, NULL);
	demo_out_message_start(&h.where, message);
	demo_out_block_start(&h.where, 0, "text");
	send_lines();
	emit(n, gap_us, bytes);
	demo_out_block_stop(&h.where, 0);
	demo_out_message_end(&h.where, "end_turn", &result.usage);
	demo_out_result(&h.where, &result);
	demo_out_life(&h.where, vy_str_c(uuid), "completed");
}

static void on_user(const struct vy_json *line)
{
	const struct vy_json *content = vy_json_path(line, "message.content");
	struct vy_str text = vy_json_type(content) == VY_JSON_ARR
				     ? vy_json_str(vy_json_at(content, 0), "text")
				     : vy_json_strval(content);
	long long n, gap, bytes;
	char said[256], uuid[128];

	snprintf(said, sizeof(said), "%.*s", VY_STR_ARG(text));
	snprintf(uuid, sizeof(uuid), "%.*s", VY_STR_ARG(vy_json_str(line, "uuid")));
	if (sscanf(said, "emit %lld %lld %lld", &n, &gap, &bytes) != 3 || bytes >= TEXT_MAX) {
		n = gap = bytes = 0;
	}
	take_turn(uuid, n, gap, bytes);
}

static void on_line(struct vy_str text)
{
	VY_AUTO_JSON *line = vy_json_parse(text, NULL);
	struct vy_str type = vy_json_str(line, "type"), id = vy_json_str(line, "request_id");

	if (vy_str_is(type, "user")) {
		on_user(line);
	} else if (vy_str_is(vy_json_str(vy_json_get(line, "request"), "subtype"), "initialize")) {
		demo_out_hello(&h.where, id);
	} else if (vy_str_is(type, "control_request")) {
		demo_out_reply(&h.where, id, NULL);
	}
	send_lines();
}

/* ---- from vyred ---- */

static void on_attach(void)
{
	struct msg m = { .type = MSG_HELLO };

	m.hello.proto = MSG_PROTO;
	m.hello.hid = vy_str_c(h.hid);
	m.hello.state = MSG_EMPTY;
	m.hello.in_next = h.in_next;
	send_msg(&m);
}

static void on_start(void)
{
	struct msg m = { .type = MSG_STARTED };
	pid_t us = getpid();

	m.started.pid = m.started.pgid = m.started.sid = (uint32_t)us;
	send_msg(&m);
}

static void on_in(const struct msg *in)
{
	struct msg m = { .type = MSG_INACK };

	m.inack.seq = in->in.seq;
	h.in_next = in->in.seq + 1;
	send_msg(&m);
	if (in->in.bytes.n == 0) { /* the end of its input: the agent ends */
		m = (struct msg){ .type = MSG_EXIT };
		send_msg(&m);
	}
	vy_buf_addstr(&h.todo, in->in.bytes);
}

static void on_message(const struct msg *m)
{
	switch (m->type) {
	case MSG_ATTACH: on_attach(); break;
	case MSG_START: on_start(); break;
	case MSG_CREDIT: h.credit = m->credit.off; break;
	case MSG_IN: on_in(m); break;
	case MSG_SIGNAL:
	case MSG_BYE: exit(0);
	default: break;
	}
}

/* One read, in the middle of a turn too. */
static void hear(int flags)
{
	static char chunk[16384];
	ssize_t n = recv(h.fd, chunk, sizeof(chunk), flags);
	struct vy_str in = vy_str_n(chunk, n > 0 ? (size_t)n : 0), body;
	struct msg m;

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		exit(0);
	}
	while (vy_cut_next(&h.cut, &in, &body) == VY_CUT_PIECE) {
		if (msg_decode(body, &m, NULL) == 0) {
			on_message(&m);
		}
	}
}

static void work_off(void)
{
	const char *nl;

	while ((nl = h.todo.len ? memchr(h.todo.data, '\n', h.todo.len) : NULL)) {
		size_t n = (size_t)(nl - h.todo.data);
		char *line = vy_memdup0(h.todo.data, n);

		vy_buf_consume(&h.todo, n + 1);
		on_line(vy_str_n(line, n));
		free(line);
	}
}

/* ---- life ---- */

static int listen_at(const char *dir, const char *hid)
{
	char path[4096];
	struct sockaddr_un a;
	struct vy_err e = { 0 };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(path, sizeof(path), "%s/h", dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/h/%s", dir, hid);
	if (vy_sock_addr(path, &a, &e) < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ||
		vy_sock_sign(path, &e) < 0) {
		give_up(path);
	}
	return fd;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "dir", required_argument, NULL, 'd' },
		{ "hid", required_argument, NULL, 'i' }, { 0 } };
	const char *dir = NULL;
	uint8_t token[MSG_TOKEN_LEN];
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		dir = c == 'd' ? optarg : dir;
		h.hid = c == 'i' ? optarg : h.hid;
	}
	if (!dir || !h.hid || read(TOKEN_FD, token, sizeof(token)) != sizeof(token)) {
		fputs("play_holder: vyred starts this\n", stderr);
		return 2;
	}
	int door = listen_at(dir, h.hid);

	if (fork() != 0) {
		_exit(0); /* as vyre-holder does: the one that was started ends at once */
	}
	setsid();
	umask(077);
	if (listen(door, 1) < 0) {
		give_up("listen");
	}
	close(TOKEN_FD);
	h.fd = accept4(door, NULL, NULL, SOCK_CLOEXEC);
	close(door);
	vy_cut_init(&h.cut, VY_CUT_U32, VY_HOLD_MSG_MAX);
	vy_buf_init(&h.lines, VY_LINE_MAX);
	vy_buf_init(&h.out, VY_LINE_MAX);
	vy_buf_init(&h.todo, VY_LINE_MAX);
	h.where = (struct demo_where){
		.out = &h.lines, .session = h.hid, .model = "demo", .mode = "default"
	};
	for (;;) {
		hear(0);
		work_off();
	}
}
