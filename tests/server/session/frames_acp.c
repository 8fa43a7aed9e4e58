/* frames_acp.c -- see frames_play.h: lines of a recording of an agent of the Agent Client Protocol. */
#include "tests/server/session/frames_play.h"

#include "shared/base/ban.h"

void frames_acp_request(struct play *p, const struct vy_json *msg)
{
	struct vy_str method = vy_json_str(msg, "method");
	bool takes_up = vy_str_is(method, "session/load") || vy_str_is(method, "session/resume");
	char key[64], words[32];
	struct vy_err e = { 0 };

	snprintf(key, sizeof(key), "%.*s", VY_STR_ARG(method));
	snprintf(words, sizeof(words), "m-%zu", p->line);
	if (vy_str_is(method, "initialize")) {
		frames_end_agent(p);
		p->thread[0] = '\0';
		frames_launch(p);
	} else if (p->agent && vy_str_is(method, "session/prompt")) {
		struct turn_say s = { .message = vy_str_c(words),
			.text = VY_STR_LIT("words"),
			.author = VY_STR_LIT("person:ana") };

		turn_say(p->turn, &s, &p->fx, NULL);
	} else if (vy_str_is(method, "session/cancel")) {
		turn_interrupt(p->turn, &p->fx, &e);
	}
	frames_run(p);
	const char *ours = takes_up ? "session/new" : key;

	if (takes_up && vy_json_get(p->ids, ours)) {
		snprintf(p->thread, sizeof(p->thread), "%.*s",
			VY_STR_ARG(vy_json_strval(vy_json_path(msg, "params.sessionId"))));
	}
	if (vy_json_get(p->ids, ours) && vy_json_type(vy_json_get(msg, "id")) == VY_JSON_INT) {
		snprintf(words, sizeof(words), "#%lld", (long long)vy_json_int(msg, "id", 0));
		vy_json_set(p->ids, words, vy_json_get(p->ids, ours));
		vy_json_del(p->ids, ours);
	}
}

void frames_acp_response(struct play *p, const struct vy_json *msg)
{
	VY_AUTO_JSON *line = vy_json_copy(msg), *ok = vy_json_new_obj();
	struct vy_json *result = vy_json_get(line, "result");
	char key[32];

	snprintf(key, sizeof(key), "#%lld", (long long)vy_json_int(msg, "id", -1));
	if (!vy_json_get(p->ids, key)) {
		return;
	}
	vy_json_set(line, "id", vy_json_get(p->ids, key));
	vy_json_del(p->ids, key);
	if (p->thread[0] && result && !vy_json_get(result, "sessionId")) { /* it was said */
		vy_json_set_c(result, "sessionId", p->thread);
		p->thread[0] = '\0';
	}
	frames_rpc_prints(p, line);
	vy_json_take(ok, "result", vy_json_new_obj());
	for (int i = 0; i < 2; i++) { /* what the recorder did not set would work */
		const char *set = i ? "session/set_config_option" : "session/set_mode";

		if (vy_json_get(p->ids, set)) {
			vy_json_set(ok, "id", vy_json_get(p->ids, set));
			vy_json_del(p->ids, set);
			frames_rpc_prints(p, ok);
		}
	}
}

void frames_acp_answer(struct play *p, const struct vy_json *msg)
{
	struct vy_str said = vy_json_strval(vy_json_path(msg, "result.outcome.optionId"));
	bool is_no = !said.n || vy_str_starts(said, "reject") || vy_str_is(said, "cancel");
	VY_AUTO_JSON *state = turn_encode(p->turn);
	const struct vy_json *asks = vy_json_get(state, "asks");
	char id[32];

	snprintf(id, sizeof(id), "%lld", (long long)vy_json_int(msg, "id", -1));
	for (size_t i = 0; i < vy_json_len(asks); i++) {
		struct turn_outcome was;
		struct turn_answer ta = { .ask = vy_json_str(vy_json_at(asks, i), "ask"),
			.decision = is_no ? VY_STR_LIT("deny") : VY_STR_LIT("allow"),
			.by = VY_STR_LIT("person:ana") };

		if (vy_str_is(vy_json_str(vy_json_at(asks, i), "request"), id)) {
			turn_answer(p->turn, &ta, &was, &p->fx, NULL);
			frames_run(p);
			return;
		}
	}
}
