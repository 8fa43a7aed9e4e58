/* house.c -- see house.h. */
#include "tests/server/rpc/house.h"

#include <stdlib.h>

#include "server/auth/ticket.h"
#include "server/hub/hub.h"
#include "shared/base/mem.h"

struct house house;
char house_id[VY_UUID_LEN + 1];

/* ---- callers ---- */

struct caller house_person(const char *name)
{
	struct caller c = { .kind = CALLER_PERSON, .device = "local" };

	snprintf(c.person, sizeof(c.person), "%s", name);
	return c;
}

struct caller house_agent(const char *session)
{
	struct caller c = { .kind = CALLER_AGENT, .person = "ana", .device = "local" };

	snprintf(c.session, sizeof(c.session), "%s", session);
	return c;
}

const struct caller house_unknown = { .kind = CALLER_UNKNOWN };

/* ---- the house ---- */

static const struct provider_conf the_provider = { .name = "test", .kind = "test" };

static const struct provider_conf *provider(void *ctx, size_t i)
{
	(void)ctx;
	return i == 0 ? &the_provider : NULL;
}

static bool agents_may_start(void *ctx)
{
	(void)ctx;
	return house.may_start;
}

static bool is_durable(void *ctx)
{
	(void)ctx;
	return house.is_durable;
}

static bool place_again(void *ctx, uint64_t request, struct caller *out)
{
	(void)ctx;
	(void)request;
	*out = house.now;
	return !house.is_away;
}

static void reply(void *ctx, uint64_t request, int status, struct vy_str body)
{
	(void)ctx;
	assert_int_equal(request, 7);
	house.status = status;
	house.replies++;
	vy_buf_clear(&house.body);
	vy_buf_addstr(&house.body, body);
}

int house_open(void **state)
{
	(void)state;
	memset(&house, 0, sizeof(house));
	vy_buf_init(&house.body, 80 << 20);
	stand_open();
	house.hub = hub_new(stand.log, stand.loop);
	house.tickets = ticket_table_new(&stand.clock);
	house.methods = vy_methods_new();
	house.rpc = rpc_new(&(struct rpc_conf){ .log = stand.log,
		.hub = house.hub,
		.table = stand.table,
		.tickets = house.tickets,
		.clock = &stand.clock,
		.version = "1",
		.provider = provider,
		.path = "/usr/bin",
		.agents_may_start = agents_may_start,
		.is_durable = is_durable,
		.place_again = place_again,
		.reply = reply });
	snprintf(house_id, sizeof(house_id), "%s", session_id(stand_session()));
	return 0;
}

int house_close(void **state)
{
	(void)state;
	log_settle(stand.log);
	rpc_free(house.rpc);
	hub_free(house.hub);
	ticket_table_free(house.tickets);
	vy_methods_free(house.methods);
	stand_close();
	vy_buf_fini(&house.body);
	return 0;
}

/* ---- asking ---- */

void house_send(const struct caller *who, const char *body, const char *key)
{
	int before = house.replies;

	if (!house.is_placed_otherwise) {
		house.now = *who;
	}
	rpc_request(house.rpc, 7, who, vy_str_c(body), vy_str_c(key));
	assert_int_equal(house.replies, before); /* nothing is answered before its commit */
	stand_turn();
	assert_int_equal(house.replies, before + 1);
}

/* The parsed answer; owned. "%s" in params is the session's id. */
struct vy_json *house_ask(
	const struct caller *who, const char *method, const char *params, const char *key)
{
	VY_AUTO_BUF body = VY_BUF_INIT(32 << 20), filled = VY_BUF_INIT(32 << 20);
	const char *at = strstr(params, "%s");
	struct vy_err e = { 0 };

	if (at) {
		vy_buf_addf(&filled, "%.*s%s%s", (int)(at - params), params, house_id, at + 2);
	} else {
		vy_buf_adds(&filled, params);
	}
	vy_buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method,
		vy_buf_c(&filled));
	house_send(who, vy_buf_c(&body), key);
	struct vy_json *v = vy_json_parse(vy_buf_str(&house.body), &e);

	if (!v) {
		fail_msg("%s: %s", method, e.text);
	}
	const struct vy_method *m = vy_methods_find(house.methods, vy_str_c(method));

	if (m && vy_json_get(v, "result")) {
		VY_AUTO_JSON *result = vy_json_copy(vy_json_get(v, "result"));

		if (m->writes) {
			vy_json_del(result, "replayed"); /* of any that writes: wire 2 */
		}
		if (vy_schema_check_whole(m->result, result, method, &e) != 0) {
			fail_msg("%s", e.text);
		}
	}
	return v;
}

const char *house_kind(const struct vy_json *answer)
{
	struct vy_json *kind = vy_json_path(answer, "error.data.kind");

	return kind ? vy_json_strval(kind).p : "";
}

void house_check_kind(const char *name, const struct caller *who, const char *method,
	const char *params, const char *kind)
{
	VY_AUTO_JSON *v = house_ask(who, method, params, NULL);

	check_str(name, house_kind(v), kind);
}

/* The result; a failure fails the test. */
struct vy_json *house_get(const struct caller *who, const char *method, const char *params)
{
	VY_AUTO_JSON *v = house_ask(who, method, params, NULL);

	if (!vy_json_get(v, "result")) {
		fail_msg("%s: %s", method, vy_buf_c(&house.body));
	}
	return vy_json_ref(vy_json_get(v, "result"));
}

void house_begin(void)
{
	struct caller ana = house_person("ana");

	vy_json_free(house_ask(&ana, "threads.send", "{\"session\":\"%s\",\"text\":\"hi\"}", M1));
	stand_ready();
	fake_hold_line(fake_hold_newest(), "taken " M1);
	stand_turn();
}
