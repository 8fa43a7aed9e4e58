/* inline.c -- see inline.h. */
#include "server/wire/inline.h"

#include "server/wire/events.h"
#include "shared/base/json.h"
#include "shared/base/ban.h"

int inline_head(struct conn *c, struct lws *wsi, const struct target *t, long long length)
{
	struct vy_err e = { 0 };
	int status = stream_takes_events(wsi, &e);

	status = status ? status : stream_has_place(c, &e);
	if (!status && c->is_tcp) {
		vy_fail(&e, VY_DENIED, "by TCP there are streams only, each with its ticket");
		status = 403;
	}
	if (status) {
		http_refuse(c, status, &e);
		return 0;
	}
	c->say_to = vy_strdup(t->session);
	return http_take_body(c, wsi, length);
}

void inline_say(struct conn *c)
{
	struct vy_err e = { 0 };
	VY_AUTO_JSON *params = vy_json_parse(vy_buf_str(&c->in), &e);
	VY_AUTO_BUF body = VY_BUF_INIT(2 * VY_RPC_BODY_MAX);

	if (vy_json_type(params) != VY_JSON_OBJ) {
		if (params) {
			vy_fail(&e, VY_BAD_INPUT,
				"expected an object such as {\"text\":\"hello\"}");
		}
		http_refuse(c, 400, &e);
		return;
	}
	vy_json_set_c(params, "session", c->say_to);
	vy_buf_adds(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"threads.send\",\"params\":");
	vy_json_dump(params, &body);
	vy_buf_addc(&body, '}');
	http_call(c, vy_buf_str(&body));
}

static void answer_error(struct conn *c, int status, const struct vy_json *error)
{
	VY_AUTO_JSON *o = vy_json_new_obj();
	VY_AUTO_BUF body = VY_BUF_INIT(VY_MIB);
	const char *kind = vy_json_cstr(vy_json_get(error, "data"), "kind");

	vy_json_set(o, "error", (struct vy_json *)error);
	vy_json_dump(o, &body);
	http_answer(c, status != 200 ? status : http_status(kind ? kind : "internal"),
		"application/json", vy_buf_str(&body));
}

void inline_said(struct conn *c, int status, struct vy_str body)
{
	VY_AUTO_JSON *answer = vy_json_parse(body, NULL), *params = vy_json_new_obj();
	VY_AUTO_BUF text = VY_BUF_INIT(VY_MIB);
	const struct vy_json *result = vy_json_get(answer, "result");

	if (!result) {
		answer_error(c, status, vy_json_get(answer, "error"));
		return;
	}
	vy_json_set_c(params, "session", c->say_to);
	vy_json_set(params, "message", vy_json_get(result, "message"));
	vy_json_dump(result, &text);
	events_answer(c, "session.turn.subscribe", params,
		&(struct events_first){ "accepted", vy_buf_str(&text) });
}
