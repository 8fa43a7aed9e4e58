/* stand.c -- a wire that stands alone, for tests of clients: what a call does is its method's name.
 *
 * usage: stand SOCKET [EPOCH [FRAMES]]    serves until its stdin ends. Methods: echo, slow, never, refuse,
 * junk, big, push (a frame), ticket (a stream's path), close (all streams, with params.code), leave
 * (drains); and stream.open as the real one, for the session "s". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/rpc/rpc.h"
#include "server/auth/proc.h"
#include "server/auth/ticket.h"
#include "server/wire/wire.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/rpc/envelope.h"
#include "tests/server/wire/fake_hub.h"
#include "shared/base/ban.h"

struct stand {
	struct vy_loop *loop;
	struct wire *wire;
	struct hub *hub;
	struct ticket_table *tickets;
	struct vy_timer *later;
	wire_call_id slow;
	const char *epoch;
	int64_t head;
};

static void result(struct stand *s, wire_call_id id, const struct vy_json *rid, struct vy_str json)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_jw w = VY_JW(&out);

	vy_rpc_write_result(&w, rid, json);
	wire_reply(s->wire, id, 200, vy_buf_str(&out));
}

static void on_later(void *ctx)
{
	struct stand *s = ctx;

	wire_reply(s->wire, s->slow, 200,
		VY_STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"late\":true}}"));
}

static void give_ticket(struct stand *s, const struct wire_request *r, const struct vy_rpc_call *c)
{
	struct ticket_grant g = { .caller = *r->who, .session = "s", .viewer = "v" };
	int64_t from = vy_json_int(c->params, "from", -1);
	char ticket[TICKET_LEN + 1], path[160];
	struct vy_json *o = vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	int n;

	if (ticket_issue(s->tickets, &g, ticket, NULL) == 0) {
		n = snprintf(path, sizeof(path), "/v1/streams/stream/session?ticket=%s", ticket);
		if (from >= 0) {
			snprintf(path + n, sizeof(path) - (size_t)n, "&from=%lld", (long long)from);
		}
		vy_json_set_c(o, "path", path);
		vy_json_set_int(o, "head", s->head);
		vy_json_set_int(o, "floor", 1);
		vy_json_set_c(o, "epoch", s->epoch);
		vy_json_dump(o, &text);
		result(s, r->id, c->id, vy_buf_str(&text));
	}
	vy_json_free(o);
}

static void refuse(struct stand *s, wire_call_id id, const struct vy_json *rid, enum vy_code code)
{
	VY_AUTO_BUF out = VY_BUF_INIT(VY_MIB);
	struct vy_jw w = VY_JW(&out);
	struct vy_err e;
	struct vy_rpc_error error;

	vy_fail(&e, code, "no, and that is final");
	error = vy_rpc_error_of(&e);
	vy_rpc_write_error(&w, rid, &error);
	wire_reply(s->wire, id, 200, vy_buf_str(&out));
}

static void stop(void *ctx)
{
	vy_loop_stop(((struct stand *)ctx)->loop);
}

static void push(struct stand *s, struct vy_str frame);

static void act(struct stand *s, const struct wire_request *r, const struct vy_rpc_call *c)
{
	VY_AUTO_BUF text = VY_BUF_INIT(VY_RPC_ANSWER_MAX);
	struct vy_str m = c->method;

	if (vy_str_is(m, "threads.send")) { /* its first word says what becomes of it */
		m = vy_json_str(c->params, "text");
	}

	if (vy_str_is(m, "slow")) {
		s->slow = r->id;
		vy_timer_set(s->later, 100);
	} else if (vy_str_is(m, "refuse")) {
		refuse(s, r->id, c->id, VY_CONFLICT);
	} else if (vy_str_is(m, "known")) { /* a sentence that the caller knows by its id */
		VY_AUTO_JSON *id = vy_json_ref(c->id);

		vy_buf_adds(&text, "{\"jsonrpc\":\"2.0\",\"id\":");
		vy_json_dump(id, &text);
		vy_buf_adds(&text,
			",\"error\":{\"code\":-32602,\"message\":\"in English\",\"data\":{"
			"\"kind\":\"bad_input\",\"msg\":{\"id\":\"param.missing\","
			"\"args\":{\"1\":\"text\"}}}}}");
		wire_reply(s->wire, r->id, 200, vy_buf_str(&text));
	} else if (vy_str_is(m, "junk")) {
		wire_reply(s->wire, r->id, 200, VY_STR_LIT("this is no JSON"));
	} else if (vy_str_is(m, "big")) {
		vy_buf_addc(&text, '"');
		while (text.len < (size_t)vy_json_int(c->params, "bytes", 0)) {
			vy_buf_adds(&text, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
		}
		vy_buf_addc(&text, '"');
		result(s, r->id, c->id, vy_buf_str(&text));
	} else if (vy_str_is(m, "stream.open") &&
		   !vy_str_is(vy_json_str(c->params, "session"), "s")) {
		refuse(s, r->id, c->id, VY_NOT_FOUND);
	} else if (vy_str_is(m, "ticket") || vy_str_is(m, "stream.open")) {
		give_ticket(s, r, c);
	} else if (vy_str_is(m, "push")) {
		push(s, vy_json_str(c->params, "frame"));
		result(s, r->id, c->id, VY_STR_LIT("{}"));
	} else if (vy_str_is(m, "close")) {
		hub_close_all(s->hub, (int)vy_json_int(c->params, "code", 0));
		result(s, r->id, c->id, VY_STR_LIT("{}"));
	} else if (vy_str_is(m, "leave")) {
		result(s, r->id, c->id, VY_STR_LIT("{}"));
		wire_drain(s->wire, stop, s);
	} else if (!vy_str_is(m, "never")) { /* echo, and all the rest */
		struct vy_json *o = vy_json_new_obj();

		vy_json_set(o, "params", c->params);
		vy_json_set_str(o, "key", r->key);
		vy_json_set_c(o, "surface", r->who->surface);
		vy_json_dump(o, &text);
		vy_json_free(o);
		result(s, r->id, c->id, vy_buf_str(&text));
	}
}

static void on_call(void *ctx, const struct wire_request *r)
{
	struct stand *s = ctx;
	struct vy_rpc_batch b;
	int code;

	if (vy_rpc_parse(r->body, &b, &code, NULL) != 0) {
		wire_reply(s->wire, r->id, 400, VY_STR_LIT("{}"));
		return;
	}
	act(s, r, &b.calls[0]);
	vy_rpc_batch_fini(&b);
}

static int on_snapshot(void *ctx, const struct caller *who, const struct rpc_snapshot_ask *ask,
	struct vy_buf *out, struct vy_err *e)
{
	struct stand *s = ctx;

	(void)who;
	if (strcmp(ask->session, "s") != 0) {
		return vy_fail(e, VY_NOT_FOUND, "no session %s", ask->session);
	}
	vy_buf_addf(out,
		"{\"rows\":[],\"cur\":%lld,\"epoch\":\"%s\",\"asked_rows\":%lld,\"asked_to\":%lld}",
		(long long)s->head, s->epoch, (long long)ask->rows, (long long)ask->to);
	return 0;
}

static void on_stdin(void *ctx, int fd, unsigned events)
{
	char byte;

	(void)events;
	if (read(fd, &byte, 1) <= 0) {
		stop(ctx);
	}
}

static void push(struct stand *s, struct vy_str frame)
{
	fake_hub_push((struct fake_hub *)s->hub, frame);
	s->head++;
}

/* What an earlier life of this server is said to have logged. */
static void fill(struct stand *s, int n)
{
	char frame[400];

	for (int cur = 1; cur <= n; cur++) {
		snprintf(frame, sizeof(frame),
			"{\"v\":1,\"id\":\"f%d\",\"cur\":%d,\"session\":\"s\",\"turn\":null,"
			"\"type\":\"session.text-delta\",\"time\":1,\"corr\":\"c\","
			"\"data\":{\"message\":\"m\",\"index\":0,\"text\":\"%d\"}}",
			cur, cur, cur);
		push(s, vy_str_c(frame));
	}
}

int main(int argc, char **argv)
{
	struct stand s = { .epoch = argc > 2 ? argv[2] : "epoch-000001" };
	struct caller_world world = {
		.proc = proc_read, .uid = getuid(), .self = -1, .person = "ann"
	};
	struct wire_conf conf = { .clock = &vy_clock_real,
		.world = &world,
		.call = on_call,
		.snapshot = on_snapshot,
		.ctx = &s };
	struct vy_watch *in;
	struct vy_err e;

	if (argc < 2) {
		return 2;
	}
	s.loop = vy_loop_new();
	s.hub = fake_hub_new(s.loop);
	fake_hub_real(s.hub, s.epoch);
	fill(&s, argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0);
	s.tickets = ticket_table_new(&vy_clock_real);
	s.later = vy_loop_timer(s.loop, on_later, &s);
	conf.loop = s.loop;
	conf.hub = s.hub;
	conf.tickets = s.tickets;
	s.wire = wire_new(&conf, &e);
	if (!s.wire || wire_listen_unix(s.wire, argv[1], false, &e) != 0) {
		fprintf(stderr, "stand: %s\n", e.text);
		return 1;
	}
	in = vy_loop_watch(s.loop, 0, VY_READ, on_stdin, &s);
	vy_loop_run(s.loop);
	vy_watch_del(in);
	wire_free(s.wire);
	fake_hub_free(s.hub);
	ticket_table_free(s.tickets);
	vy_timer_del(s.later);
	vy_loop_free(s.loop);
	return 0;
}
