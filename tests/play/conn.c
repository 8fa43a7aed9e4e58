/* conn.c -- see conn.h. */
#include "tests/play/conn.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "shared/base/sockpath.h"
#include "shared/base/ban.h"

#define LOST 1006

const char *const conn_words[CONN_FORMS] = { "single", "lines", "events", "socket", "talk" };

int conn_dial(const char *sock, int ms, struct vy_err *e)
{
	struct timeval limit = { ms / 1000, ms % 1000 * 1000 };
	struct sockaddr_un addr;
	int fd;

	if (vy_sock_addr(sock, &addr, e) != 0) {
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	vy_assert(fd >= 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(fd, (struct sockaddr *)&addr, sizeof(addr)) != 0) {
		vy_fail_errno(e, errno, "nobody listens at %s", sock);
		close(fd);
		return -1;
	}
	return fd;
}

static bool send_all(int fd, struct vy_str s)
{
	while (s.n) {
		ssize_t n = send(fd, s.p, s.n, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR) {
			return false;
		}
		s = vy_str_from(s, n > 0 ? (size_t)n : 0);
	}
	return true;
}

/* Reads once; 0 at the end, -1 for an error or when the time is over. */
static ssize_t take(int fd, struct vy_buf *b, int flags)
{
	char room[65536];
	ssize_t n;

	do {
		n = recv(fd, room, sizeof(room), flags);
	} while (n < 0 && errno == EINTR);
	if (n > 0) {
		vy_buf_add(b, room, (size_t)n);
	}
	return n;
}

/* The length of a head that is whole, with its empty line; 0: not yet. */
static size_t head_len(const struct vy_buf *b)
{
	const char *end = b->len ? memmem(b->data, b->len, "\r\n\r\n", 4) : NULL;

	return end ? (size_t)(end - b->data) + 4 : 0;
}

static int status_of(const struct vy_buf *b)
{
	long long status = 0;

	if (b->len < 12 || memcmp(b->data, "HTTP/1.1 ", 9) != 0 ||
		!vy_parse_i64(vy_str_n(b->data + 9, 3), &status)) {
		return -1;
	}
	return (int)status;
}

/* ---- one request, one answer ---- */

int conn_request(
	const char *sock, const struct conn_ask *ask, int ms, struct vy_buf *body, struct vy_err *e)
{
	VY_AUTO_BUF out = VY_BUF_INIT(CONN_ANSWER_MAX);
	VY_AUTO_BUF in = VY_BUF_INIT(CONN_ANSWER_MAX);
	int fd = conn_dial(sock, ms, e);
	ssize_t n;
	size_t head;

	if (fd < 0) {
		return -1;
	}
	vy_buf_addf(&out, "%s %s HTTP/1.1\r\nHost: localhost\r\n%s", ask->method, ask->path,
		ask->head ? ask->head : "");
	if (ask->body.n) {
		vy_buf_addf(&out, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
			ask->body.n);
	}
	vy_buf_adds(&out, "\r\n");
	vy_buf_addstr(&out, ask->body);
	send_all(fd, vy_buf_str(&out)); /* one that refuses early answers all the same */
	while ((n = take(fd, &in, 0)) > 0) {
	}
	close(fd);
	head = head_len(&in);
	if (n < 0 || head == 0 || status_of(&in) < 0) {
		return vy_fail(e, VY_RETRY, "%s %s: no answer (%s)", ask->method, ask->path,
			n < 0 ? strerror(errno) : "it hung up");
	}
	vy_buf_add(body, in.data + head, in.len - head);
	return status_of(&in);
}

/* ---- a stream ---- */

void conn_over(struct conn *c, int code)
{
	if (c->fd >= 0) {
		close(c->fd);
	}
	c->fd = -1;
	c->code = code;
}

static int refused(struct conn *c, int status, struct vy_err *e)
{
	size_t head = head_len(&c->in);

	while (take(c->fd, &c->in, 0) > 0) {
	}
	vy_fail(e, VY_DENIED, "%d %.*s", status, (int)(c->in.len - head), c->in.data + head);
	vy_buf_consume(&c->in, head);
	conn_over(c, status);
	return status;
}

/* Connects; -1: nobody listens. */
static int begin(struct conn *c, const char *sock, enum conn_form form, int ms, struct vy_err *e)
{
	conn_close(c);
	*c = (struct conn){ .fd = conn_dial(sock, ms, e), .form = form, .code = LOST };
	vy_buf_init(&c->in, CONN_ANSWER_MAX);
	vy_buf_init(&c->message, CONN_ANSWER_MAX);
	return c->fd < 0 ? -1 : 0;
}

/* Says the request, and reads the answer's head; `want` is the status of a stream. */
static int stream_of(struct conn *c, struct vy_str request, int want, struct vy_err *e)
{
	send_all(c->fd, request);
	while (head_len(&c->in) == 0) {
		if (take(c->fd, &c->in, 0) <= 0) {
			conn_over(c, LOST);
			return vy_fail(e, VY_RETRY, "no stream: it hung up");
		}
	}
	int status = status_of(&c->in);

	if (status != want) {
		return refused(c, status, e);
	}
	vy_buf_consume(&c->in, head_len(&c->in));
	return 0;
}

int conn_post(
	struct conn *c, const char *sock, const struct conn_ask *ask, int ms, struct vy_err *e)
{
	VY_AUTO_BUF out = VY_BUF_INIT(CONN_ANSWER_MAX);

	if (begin(c, sock, CONN_EVENTS, ms, e) != 0) {
		return -1;
	}
	vy_buf_addf(&out,
		"%s %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n%s"
		"Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
		ask->method, ask->path, ask->head ? ask->head : "", ask->body.n);
	vy_buf_addstr(&out, ask->body);
	return stream_of(c, vy_buf_str(&out), 200, e);
}

int conn_open(struct conn *c, const char *sock, const char *path, enum conn_form form,
	const char *last_id, int ms, struct vy_err *e)
{
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	if (begin(c, sock, form, ms, e) != 0) {
		return -1;
	}
	vy_buf_addf(&out, "GET %s HTTP/1.1\r\nHost: localhost\r\n", path);
	if (form == CONN_EVENTS) {
		vy_buf_adds(&out, "Accept: text/event-stream\r\n");
	} else {
		vy_buf_adds(&out, "Connection: Upgrade\r\nUpgrade: websocket\r\n"
				  "Sec-WebSocket-Version: 13\r\n"
				  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
	}
	if (form == CONN_LINES) {
		vy_buf_adds(&out, "Sec-WebSocket-Protocol: vyre.lines\r\n");
	}
	if (last_id && last_id[0]) {
		vy_buf_addf(&out, "Last-Event-ID: %s\r\n", last_id);
	}
	vy_buf_adds(&out, "\r\n");
	return stream_of(c, vy_buf_str(&out), form == CONN_EVENTS ? 200 : 101, e);
}

void conn_close(struct conn *c)
{
	if (c->fd >= 0) {
		conn_over(c, 0);
	}
	vy_buf_fini(&c->in);
	vy_buf_fini(&c->message);
}

static void each_line(struct vy_str text, conn_frame_fn *fn, void *ctx)
{
	while (text.n) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;

		if (n) {
			fn(ctx, vy_str_n(text.p, n), -1);
		}
		text = vy_str_from(text, n + 1);
	}
}

/* ---- WebSocket ---- */

enum { WS_CONTINUE, WS_TEXT, WS_BINARY, WS_CLOSE = 8, WS_PING, WS_PONG };

/* What a client sends is masked; a mask of zeros is one too. */
static void ws_send(struct conn *c, int opcode, struct vy_str payload)
{
	VY_AUTO_BUF out = VY_BUF_INIT(CONN_ANSWER_MAX);

	vy_buf_addc(&out, (char)(0x80 | opcode));
	if (payload.n < 126) {
		vy_buf_addc(&out, (char)(0x80 | payload.n));
	} else {
		vy_buf_addc(&out, (char)(0x80 | 127));
		for (int i = 56; i >= 0; i -= 8) {
			vy_buf_addc(&out, (char)((uint64_t)payload.n >> i));
		}
	}
	vy_buf_add(&out, "\0\0\0\0", 4);
	vy_buf_addstr(&out, payload);
	send_all(c->fd, vy_buf_str(&out));
}

/* The header's and the payload's length; false: more bytes are needed. */
static bool ws_size(const struct vy_buf *b, size_t *head, uint64_t *n)
{
	const unsigned char *p = (const unsigned char *)b->data;
	size_t extra;

	if (b->len < 2) {
		return false;
	}
	*n = p[1] & 0x7F;
	extra = *n == 126 ? 2 : *n == 127 ? 8 : 0;
	*head = 2 + extra;
	if (b->len < *head) {
		return false;
	}
	if (extra) {
		*n = 0;
		for (size_t i = 0; i < extra; i++) {
			*n = *n << 8 | p[2 + i];
		}
	}
	return b->len >= *head + *n;
}

static void ws_message(
	struct conn *c, bool is_last, struct vy_str piece, conn_frame_fn *fn, void *ctx)
{
	vy_buf_addstr(&c->message, piece);
	if (!is_last) {
		return;
	}
	if (c->form == CONN_LINES) {
		each_line(vy_buf_str(&c->message), fn, ctx);
	} else {
		fn(ctx, vy_buf_str(&c->message), -1);
	}
	vy_buf_clear(&c->message);
}

static void ws_closed(struct conn *c, struct vy_str payload)
{
	const unsigned char *p = (const unsigned char *)payload.p;

	ws_send(c, WS_CLOSE, payload);
	conn_over(c, payload.n >= 2 ? p[0] << 8 | p[1] : 1005);
}

/* One frame; false: it is not there yet, or all is over. */
static bool ws_step(struct conn *c, conn_frame_fn *fn, void *ctx)
{
	size_t head = 0;
	uint64_t n = 0;

	if (c->fd < 0 || !ws_size(&c->in, &head, &n)) {
		return false;
	}
	unsigned char first = (unsigned char)c->in.data[0];
	struct vy_str payload = vy_str_n(c->in.data + head, (size_t)n);

	switch (first & 0x0F) {
	case WS_CONTINUE: ws_message(c, first & 0x80, payload, fn, ctx); break;
	case WS_TEXT:
	case WS_BINARY:
		c->is_binary = (first & 0x0F) == WS_BINARY;
		ws_message(c, first & 0x80, payload, fn, ctx);
		break;
	case WS_PING: ws_send(c, WS_PONG, payload); break;
	case WS_CLOSE: ws_closed(c, payload); return false;
	default: conn_over(c, LOST); return false;
	}
	vy_buf_consume(&c->in, head + (size_t)n);
	return true;
}

void conn_bytes(struct conn *c, struct vy_str bytes)
{
	ws_send(c, WS_BINARY, bytes);
}

void conn_text(struct conn *c, struct vy_str text)
{
	ws_send(c, WS_TEXT, text);
}

/* ---- events ---- */

static bool field(struct vy_str line, const char *name, struct vy_str *value)
{
	size_t n = strlen(name);

	if (!vy_str_starts(line, name)) {
		return false;
	}
	*value = vy_str_from(line, line.n > n && line.p[n] == ' ' ? n + 1 : n);
	return true;
}

static void one_event(struct conn *c, struct vy_str event, conn_frame_fn *fn, void *ctx)
{
	struct vy_str data = { 0 }, value;
	long long n;

	c->event = c->id = (struct vy_str){ 0 };
	while (event.n) {
		const char *end = memchr(event.p, '\n', event.n);
		struct vy_str line = vy_str_n(event.p, end ? (size_t)(end - event.p) : event.n);

		if (field(line, "data:", &data) || field(line, "event:", &c->event) ||
			field(line, "id:", &c->id)) {
		} else if (field(line, "retry:", &value) && vy_parse_i64(value, &n)) {
			c->retry = (unsigned)n;
		} else {
			c->comments += line.n > 0 && line.p[0] == ':';
		}
		event = vy_str_from(event, line.n + 1);
	}
	if (data.n) {
		fn(ctx, data, vy_parse_i64(c->id, &n) ? n : -1);
	}
}

static void events_feed(struct conn *c, conn_frame_fn *fn, void *ctx)
{
	const char *end;

	while (c->in.len && (end = memmem(c->in.data, c->in.len, "\n\n", 2))) {
		size_t n = (size_t)(end - c->in.data);

		one_event(c, vy_str_n(c->in.data, n), fn, ctx);
		vy_buf_consume(&c->in, n + 2);
	}
}

/* ---- JSON-RPC ---- */

/* One line; false: it is not whole yet. */
static bool line_step(struct conn *c, conn_frame_fn *fn, void *ctx)
{
	const char *end = c->fd >= 0 && c->in.len ? memchr(c->in.data, '\n', c->in.len) : NULL;

	if (!end) {
		return false;
	}
	size_t n = (size_t)(end - c->in.data);

	fn(ctx, vy_str_n(c->in.data, n), -1);
	vy_buf_consume(&c->in, n + 1);
	return true;
}

static void keep_answer(void *ctx, struct vy_str text, int64_t id)
{
	(void)id;
	vy_buf_addstr(ctx, text);
}

void conn_say(struct conn *c, struct vy_str request)
{
	if (c->form == CONN_TALK) {
		ws_send(c, WS_TEXT, request);
	} else if (send_all(c->fd, request)) {
		send_all(c->fd, vy_str_c("\n"));
	}
}

/* The line socket is beside the main one, and a vyred that starts makes it a moment later. */
static int dial_beside(const char *sock, int ms, struct vy_err *e)
{
	const char *slash = strrchr(sock, '/');
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%.*srpc.sock", slash ? (int)(slash - sock) + 1 : 0, sock);
	for (int tries = 0; (fd = conn_dial(path, ms, e)) < 0 && tries < 50; tries++) {
		poll(NULL, 0, 20);
	}
	return fd;
}

int conn_ask(struct conn *c, const char *sock, enum conn_form form, struct vy_str request, int ms,
	struct vy_buf *answer, struct vy_err *e)
{
	size_t before = answer->len;

	if (form == CONN_TALK) {
		if (conn_open(c, sock, "/v1/stream", form, NULL, ms, e) != 0) {
			return -1;
		}
	} else {
		conn_close(c);
		*c = (struct conn){ .fd = dial_beside(sock, ms, e), .form = form, .code = LOST };
		vy_buf_init(&c->in, CONN_ANSWER_MAX);
		vy_buf_init(&c->message, CONN_ANSWER_MAX);
		if (c->fd < 0) {
			return -1;
		}
	}
	conn_say(c, request);
	while (answer->len == before) {
		if ((form == CONN_TALK ? ws_step : line_step)(c, keep_answer, answer)) {
			continue;
		}
		if (c->fd < 0 || take(c->fd, &c->in, 0) <= 0) {
			conn_over(c, LOST);
			return vy_fail(e, VY_RETRY, "no answer: it hung up");
		}
	}
	return 0;
}

bool conn_read(struct conn *c, conn_frame_fn *fn, void *ctx)
{
	ssize_t n = 1;
	int err = 0;

	for (int i = 0; c->fd >= 0 && n > 0 && i < 64; i++) {
		n = take(c->fd, &c->in, MSG_DONTWAIT);
		err = errno;
		if (c->form == CONN_EVENTS) {
			events_feed(c, fn, ctx);
		} else {
			while ((c->form == CONN_SOCKET ? line_step : ws_step)(c, fn, ctx)) {
			}
		}
	}
	if (c->fd >= 0 && (n == 0 || (n < 0 && err != EAGAIN))) {
		conn_over(c, LOST);
	}
	return c->fd >= 0;
}
