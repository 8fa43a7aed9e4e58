/* world.c -- see world.h. */
#include "tests/server/wire/world.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "server/rpc/rpc.h"
#include "server/auth/proc.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/io/loop.h"
#include "tests/server/wire/fake_hub.h"
#include "shared/base/ban.h"

#define IN_MAX (64 * VY_MIB)

/* ---- the world ---- */

static struct fake_hub *the_hub;

static void on_turn_end(void *ctx)
{
	struct world *w = ctx;

	w->turns++;
	if (w->until && !w->is_over && w->until(w->until_ctx)) {
		w->is_over = true;
		vy_loop_stop(w->loop);
	}
}

static void answer(struct world *w, wire_call_id id, const char *body)
{
	wire_reply(w->wire, id, 200, vy_str_c(body));
}

static void on_call(void *ctx, const struct wire_request *r)
{
	struct world *w = ctx;

	w->n_calls++;
	w->last_caller = *r->who;
	w->last_body = r->body.n;
	snprintf(w->last_text, sizeof(w->last_text), "%.*s",
		(int)(r->body.n < sizeof(w->last_text) ? r->body.n : sizeof(w->last_text) - 1),
		r->body.p);
	snprintf(w->last_key, sizeof(w->last_key), "%.*s", VY_STR_ARG(r->key));
	switch (w->answer) {
	case ANSWER_ECHO: wire_reply(w->wire, r->id, 200, r->body); break;
	case ANSWER_HOLD: w->held[w->n_held++ % VY_COUNT(w->held)] = r->id; break;
	case ANSWER_JUNK:
		wire_reply(w->wire, r->id, 400, VY_STR_LIT("{\"error\":{\"code\":-32700}}"));
		break;
	case ANSWER_NOTHING: answer(w, r->id, ""); break;
	case ANSWER_SAW:
		wire_agent_socket_close(w->wire, r->who->session);
		answer(w, r->id, "{}");
		break;
	}
}

static int on_snapshot(void *ctx, const struct caller *who, const struct rpc_snapshot_ask *ask,
	struct vy_buf *out, struct vy_err *e)
{
	(void)ctx;
	(void)who;
	if (strcmp(ask->session, "s") != 0) {
		return vy_fail(e, VY_NOT_FOUND, "no session %s", ask->session);
	}
	vy_buf_adds(out, "{\"rows\":[],\"cur\":7}");
	return 0;
}

static int on_view(void *ctx, const struct wire_view *v, struct view *out, struct vy_err *e)
{
	struct world *w = ctx;

	w->last_caller = *v->who;
	return w->view ? w->view(w->view_ctx, v, out, e)
		       : vy_fail(e, VY_UNSUPPORTED, "there is no view here");
}

static void on_live(void *ctx, caller_live_each_fn *each, void *arg)
{
	struct world *w = ctx;

	if (w->live.session) {
		each(arg, &w->live);
	}
}

static enum caller_look look(void *ctx, pid_t pid, struct caller_proc *out)
{
	(void)ctx;
	return proc_read(NULL, pid, out);
}

static bool may(void *ctx, const struct caller *who, const char *session)
{
	struct world *w = ctx;

	(void)who;
	return !w->denied || strcmp(session, w->denied) != 0;
}

void world_place_differently(struct world *w)
{
	w->live = (struct caller_live){ .session = "6f1ed002-ab55-4595-8cb5-000000000001",
		.hid = "0123456789abcdef",
		.person = "ann",
		.pid = getpid() };
}

struct wire *world_wire(struct world *w)
{
	struct wire_conf conf = { .loop = w->loop,
		.clock = &vy_clock_real,
		.hub = (struct hub *)the_hub,
		.tickets = w->tickets,
		.world = &w->callers,
		.access = w->access,
		.max_connections = w->max_connections,
		.call = on_call,
		.snapshot = on_snapshot,
		.view = on_view,
		.beat_ms = w->beat_ms,
		.dead_ms = w->dead_ms,
		.late_ms = w->late_ms,
		.ctx = w };
	struct vy_err e;
	struct wire *wire = wire_new(&conf, &e);

	if (!wire) {
		fail_msg("%s", e.text);
	}
	return wire;
}

struct world *world_new(unsigned max_connections)
{
	struct world *w = VY_NEW(struct world);
	struct vy_err e;

	snprintf(w->dir, sizeof(w->dir), "/tmp/vyre-wire-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	snprintf(w->path, sizeof(w->path), "%s/vyred.sock", w->dir);
	w->max_connections = max_connections;
	w->loop = vy_loop_new();
	vy_loop_at_end(w->loop, on_turn_end, w);
	w->tickets = ticket_table_new(&vy_clock_real);
	w->access = access_new(w->loop, may, w);
	w->callers = (struct caller_world){ .proc = look,
		.live = on_live,
		.ctx = w,
		.uid = getuid(),
		.self = -1,
		.person = "ann" };
	the_hub = (struct fake_hub *)fake_hub_new(w->loop);
	w->wire = world_wire(w);
	if (wire_listen_unix(w->wire, w->path, false, &e) != 0) {
		fail_msg("%s", e.text);
	}
	return w;
}

void world_again(struct world *w)
{
	struct vy_err e;

	wire_free(w->wire);
	w->wire = world_wire(w);
	if (wire_listen_unix(w->wire, w->path, false, &e) != 0) {
		fail_msg("%s", e.text);
	}
}

void world_free(struct world *w)
{
	char path[160];

	wire_free(w->wire);
	access_free(w->access);
	fake_hub_free((struct hub *)the_hub);
	the_hub = NULL;
	ticket_table_free(w->tickets);
	vy_loop_free(w->loop);
	snprintf(path, sizeof(path), "%s/a", w->dir);
	rmdir(path);
	assert_int_equal(rmdir(w->dir), 0); /* no socket stays behind */
	free(w);
}

static void out_of_patience(void *ctx)
{
	vy_loop_stop(((struct world *)ctx)->loop);
}

bool world_run(struct world *w, bool (*until)(void *ctx), void *ctx)
{
	struct vy_timer *patience = vy_loop_timer(w->loop, out_of_patience, w);

	w->is_over = false;
	w->until = until;
	w->until_ctx = ctx;
	if (until(ctx)) {
		w->is_over = true;
	} else {
		vy_timer_set(patience, WORLD_PATIENCE_MS);
		vy_loop_run(w->loop);
	}
	w->until = NULL;
	vy_timer_del(patience);
	return w->is_over;
}

void world_rest(struct world *w, int64_t ms)
{
	struct vy_timer *t = vy_loop_timer(w->loop, out_of_patience, w);

	vy_timer_set(t, ms);
	vy_loop_run(w->loop);
	vy_timer_del(t);
}

void world_push(struct world *w, const char *bytes)
{
	(void)w;
	fake_hub_push(the_hub, vy_str_c(bytes));
}

void world_push_many(struct world *w, unsigned n, size_t size)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_MAX);

	(void)w;
	for (unsigned i = 0; i < n; i++) {
		vy_buf_clear(&b);
		vy_buf_addf(&b, "{\"n\":%u,\"x\":\"", i);
		while (b.len + 2 < size) {
			vy_buf_addc(&b, 'x');
		}
		vy_buf_adds(&b, "\"}");
		fake_hub_push(the_hub, vy_buf_str(&b));
	}
}

unsigned world_subscribers(struct world *w)
{
	(void)w;
	return fake_hub_subscribers(the_hub);
}

const char *world_target(struct world *w, const char *more)
{
	static char target[256];
	static unsigned viewer;
	struct ticket_grant g = {
		.caller = { .kind = CALLER_PERSON, .person = "ann", .device = "local" }
	};
	char ticket[TICKET_LEN + 1];

	snprintf(g.session, sizeof(g.session), "s");
	snprintf(g.viewer, sizeof(g.viewer), "v%u", ++viewer);
	assert_int_equal(ticket_issue(w->tickets, &g, ticket, NULL), 0);
	snprintf(target, sizeof(target), "/v1/streams/stream/session?ticket=%s%s", ticket, more);
	return target;
}

/* ---- a client ---- */

static void on_readable(void *ctx, int fd, unsigned events)
{
	struct raw *r = ctx;
	char text[65536];
	ssize_t n = recv(fd, text, sizeof(text), MSG_DONTWAIT);

	(void)events;
	if (n > 0) {
		r->came += (size_t)n;
		assert_true(vy_buf_add(&r->in, text, (size_t)n));
	} else if (n == 0 || errno != EAGAIN) {
		r->is_closed = true;
		vy_watch_set(r->watch, 0);
	}
}

static struct raw *raw_on(struct world *w, int fd)
{
	struct raw *r = VY_NEW(struct raw);

	r->w = w;
	r->fd = fd;
	vy_buf_init(&r->in, IN_MAX);
	r->watch = vy_loop_watch(w->loop, fd, VY_READ, on_readable, r);
	return r;
}

struct raw *raw_open_path(struct world *w, const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	return raw_on(w, fd);
}

struct raw *raw_open(struct world *w)
{
	return raw_open_path(w, w->path);
}

struct raw *raw_open_tcp(struct world *w, int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	return raw_on(w, fd);
}

void raw_close(struct raw *r)
{
	vy_watch_del(r->watch);
	close(r->fd);
	vy_buf_fini(&r->in);
	free(r);
}

struct sending {
	struct raw *r;
	const char *p;
	size_t left;
};

/* Sends what fits; a full socket is emptied by the loop meanwhile. */
static bool sent(void *ctx)
{
	struct sending *s = ctx;

	while (s->left) {
		ssize_t n = send(s->r->fd, s->p, s->left, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0) {
			if (errno == EAGAIN) {
				return false;
			}
			return true; /* it was cut off; the test sees that by itself */
		}
		s->p += n;
		s->left -= (size_t)n;
	}
	return true;
}

void raw_send_n(struct raw *r, const void *p, size_t n)
{
	struct sending s = { r, p, n };

	while (!sent(&s)) {
		world_rest(r->w, 1);
	}
}

void raw_send(struct raw *r, const char *text)
{
	raw_send_n(r, text, strlen(text));
}

void raw_pause(struct raw *r, bool is_paused)
{
	r->is_paused = is_paused;
	vy_watch_set(r->watch, is_paused ? 0 : VY_READ);
}

static bool has_text(void *ctx)
{
	struct raw *r = ctx;

	return r->is_closed ||
	       (r->in.len && memmem(r->in.data, r->in.len, r->wanted, strlen(r->wanted)) != NULL);
}

bool raw_wait(struct raw *r, const char *text)
{
	r->wanted = text;
	return world_run(r->w, has_text, r) && r->in.len &&
	       memmem(r->in.data, r->in.len, text, strlen(text)) != NULL;
}

static bool is_closed(void *ctx)
{
	return ((struct raw *)ctx)->is_closed;
}

bool raw_wait_close(struct raw *r)
{
	return world_run(r->w, is_closed, r);
}

static size_t wanted_bytes;

static bool has_bytes(void *ctx)
{
	struct raw *r = ctx;

	return r->is_closed || r->in.len >= wanted_bytes;
}

bool raw_wait_bytes(struct raw *r, size_t n)
{
	wanted_bytes = n;
	return world_run(r->w, has_bytes, r) && r->in.len >= n;
}

void raw_post(struct raw *r, const char *body)
{
	char head[256];

	snprintf(head, sizeof(head),
		"POST /v1/rpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n",
		strlen(body));
	raw_send(r, head);
	raw_send(r, body);
}

int raw_answer(struct raw *r, struct vy_str *body)
{
	const char *end, *length;
	size_t n = 0, head;
	int status;

	if (!raw_wait(r, "\r\n\r\n")) {
		return -1;
	}
	end = memmem(r->in.data, r->in.len, "\r\n\r\n", 4);
	head = (size_t)(end - r->in.data) + 4;
	length = memmem(r->in.data, head, "content-length: ", 16);
	if (length) {
		n = strtoul(length + 16, NULL, 10);
	}
	if (!raw_wait_bytes(r, head + n)) {
		return -1;
	}
	status = (int)strtol(r->in.data + 9, NULL, 10);
	raw_take(r, head);
	if (body) {
		*body = vy_str_n(r->in.data, n);
	} else {
		raw_take(r, n);
	}
	return status;
}

void raw_take(struct raw *r, size_t n)
{
	vy_buf_consume(&r->in, n);
}

/* ---- a WebSocket on it ---- */

bool ws_open(struct raw *r, const char *target, const char *subprotocol)
{
	VY_AUTO_BUF b = VY_BUF_INIT(4096);
	const char *end;

	vy_buf_addf(&b,
		"GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: "
		"Upgrade\r\n"
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
		target);
	if (subprotocol) {
		vy_buf_addf(&b, "Sec-WebSocket-Protocol: %s\r\n", subprotocol);
	}
	vy_buf_adds(&b, "\r\n");
	raw_send(r, vy_buf_c(&b));
	if (!raw_wait(r, "\r\n\r\n") || strncmp(r->in.data, "HTTP/1.1 101", 12) != 0) {
		return false;
	}
	end = memmem(r->in.data, r->in.len, "\r\n\r\n", 4);
	raw_take(r, (size_t)(end - r->in.data) + 4);
	return true;
}

void ws_send(struct raw *r, int opcode, const char *text, size_t n)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	vy_buf_addc(&b, (char)(0x80 | opcode));
	if (n < 126) {
		vy_buf_addc(&b, (char)(0x80 | n));
	} else {
		vy_buf_addc(&b, (char)(0x80 | 126));
		vy_buf_addc(&b, (char)(n >> 8));
		vy_buf_addc(&b, (char)(n & 255));
	}
	vy_buf_add(&b, "\0\0\0\0", 4); /* a mask of zeros masks nothing */
	vy_buf_add(&b, text, n);
	raw_send_n(r, b.data, b.len);
}

static uint64_t be(const unsigned char *p, int n)
{
	uint64_t v = 0;

	while (n--) {
		v = v << 8 | *p++;
	}
	return v;
}

int ws_next(struct raw *r, struct vy_str *payload)
{
	static struct vy_buf kept;
	size_t head = 2, n;
	int opcode;

	if (!raw_wait_bytes(r, 2)) {
		return -1;
	}
	n = (unsigned char)r->in.data[1] & 127u;
	head += n == 126 ? 2 : n == 127 ? 8 : 0;
	if (!raw_wait_bytes(r, head)) {
		return -1;
	}
	if (n >= 126) {
		n = be((unsigned char *)r->in.data + 2, n == 126 ? 2 : 8);
	}
	if (!raw_wait_bytes(r, head + n)) {
		return -1;
	}
	opcode = r->in.data[0] & 15;
	vy_buf_fini(&kept);
	vy_buf_init(&kept, IN_MAX);
	vy_buf_add(&kept, r->in.data + head, n);
	raw_take(r, head + n);
	*payload = vy_buf_str(&kept);
	return opcode;
}

int ws_close_code(struct raw *r)
{
	struct vy_str p;
	int op;

	while ((op = ws_next(r, &p)) >= 0) {
		if (op == WS_CLOSE) {
			return p.n >= 2 ? (int)be((const unsigned char *)p.p, 2) : 1005;
		}
	}
	return -1;
}
