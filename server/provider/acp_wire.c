/* acp_wire.c -- see acp_wire.h. */
#include "server/provider/acp_wire.h"

#include <inttypes.h>
#include <string.h>

#include "server/guard/redact.h"
#include "server/provider/acp_ask.h"
#include "server/provider/acp_call.h"
#include "server/provider/acp_offer.h"
#include "server/provider/acp_say.h"
#include "server/provider/acp_turn.h"
#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define BAD_LINES_TOLD 3
#define TAIL_LINES     8
#define TAIL_LINE_MAX  300
#define WAYS_MAX       200

/* ---- the beginning ---- */

static void broken(const struct acp *c, struct vy_str why, struct agent_out *out)
{
	agent_out_add(out, AE_BROKEN)->text = vy_str_c(
		vy_arena_printf(out->arena, "%s refused to begin: %.*s", c->who, VY_STR_ARG(why)));
}

static void take_ways(struct acp *c, const struct vy_json *methods, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(WAYS_MAX);

	for (size_t i = 0; i < vy_json_len(methods); i++) {
		struct vy_str name = vy_json_str(vy_json_at(methods, i), "name");

		vy_buf_addf(&b, "%s%.*s", b.len ? ", " : "", VY_STR_ARG(brief_one_line(name, a)));
	}
	fields_str_set(&c->ways, vy_buf_str(&b));
}

static void on_initialized(struct acp *c, const struct vy_json *r, struct agent_out *out)
{
	const struct vy_json *can = vy_json_get(r, "agentCapabilities");
	const struct vy_json *info = vy_json_get(r, "agentInfo");

	if (vy_json_int(r, "protocolVersion", 1) != 1) {
		broken(c, VY_STR_LIT("it speaks another version of the protocol than 1."), out);
		return;
	}
	fields_str_set(&c->agent, brief_id(vy_json_str(info, "name")));
	fields_str_set(&c->version, brief_id(vy_json_str(info, "version")));
	take_ways(c, vy_json_get(r, "authMethods"), out->arena);
	c->can_load = vy_json_bool(can, "loadSession", false);
	c->can_resume = vy_json_path(can, "sessionCapabilities.resume") != NULL;
	c->can_images = vy_json_bool(vy_json_get(can, "promptCapabilities"), "image", false);
	acp_say_session(c, out);
}

/* Whatever was to be set is answered, and a history that is told again is over. */
static void ready_if(struct acp *c, struct agent_out *out)
{
	if (c->is_ready || !c->is_answered || c->is_replaying || acp_is_asked(c, ACP_SET_MODE) ||
		acp_is_asked(c, ACP_SET_MODEL)) {
		return;
	}
	if (c->is_loose) {
		acp_offer_asks_nobody(c, out);
		return;
	}
	c->is_ready = true;
	struct agent_event *ev = agent_out_add(out, AE_READY);

	ev->text = vy_arena_str(out->arena, fields_str(c->version));
	ev->json = acp_offer_ready(c);
	vy_json_free(c->commands);
	c->commands = NULL;
	agent_out_add(out, AE_MODE)->text =
		vy_arena_str(out->arena, vy_str_c(c->mode ? c->mode : "default"));
}

static void on_session(struct acp *c, const struct vy_json *r, struct agent_out *out)
{
	struct vy_str id = vy_json_str(r, "sessionId");

	if (id.n && !vy_str_eq(id, fields_str(c->session))) {
		fields_str_set(&c->session, id);
		agent_out_add(out, AE_SESSION)->text = vy_arena_str(out->arena, id);
	}
	if (!c->session) {
		broken(c, VY_STR_LIT("its session has no id."), out);
		return;
	}
	c->is_answered = true;
	c->is_replaying = c->is_replaying && acp_facts_for(c)->replay_after_answer;
	acp_offer_session(c, r, out);
	acp_offer_want(c, out);
}

#define AUTH_REQUIRED (-32000)

static void session_error(
	struct acp *c, enum acp_purpose purpose, const struct vy_json *error, struct agent_out *out)
{
	struct vy_str why = acp_error_words(c, error, out->arena);

	if (vy_json_int(error, "code", 0) == AUTH_REQUIRED) {
		agent_out_add(out, AE_BROKEN)->text = why;
	} else if (purpose == ACP_LOAD) {
		agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
			"%s could not take up its conversation %s again, so it begins anew and "
			"knows nothing of it: %.*s",
			c->who, c->session, VY_STR_ARG(why)));
		acp_say_new(c, out);
	} else {
		broken(c, why, out);
	}
}

/* ---- answers to us ---- */

static void on_result(
	struct acp *c, const struct acp_ours *q, const struct vy_json *r, struct agent_out *out)
{
	const struct vy_json *options = vy_json_get(r, "configOptions");

	switch ((enum acp_purpose)q->purpose) {
	case ACP_INITIALIZE: on_initialized(c, r, out); break;
	case ACP_NEW:
	case ACP_LOAD: on_session(c, r, out); break;
	case ACP_PROMPT: acp_turn_result(c, r, out); break;
	case ACP_SET_MODE:
		c->is_loose = false;
		if (!vy_str_is(fields_str(q->about), c->mode ? c->mode : "")) {
			fields_str_set(&c->mode, fields_str(q->about));
			if (c->is_ready) {
				agent_out_add(out, AE_MODE)->text =
					vy_arena_str(out->arena, fields_str(c->mode));
			}
		}
		acp_offer_options(c, options, out);
		break;
	case ACP_SET_MODEL:
		acp_offer_model(c, fields_str(q->about), out);
		acp_offer_options(c, options, out);
		break;
	case ACP_SET_EFFORT: acp_offer_options(c, options, out); break;
	}
	ready_if(c, out);
}

static void on_error(
	struct acp *c, const struct acp_ours *q, const struct vy_json *error, struct agent_out *out)
{
	static const char *const what[] = {
		[ACP_SET_MODE] = "change the mode",
		[ACP_SET_MODEL] = "change the model",
		[ACP_SET_EFFORT] = "change its effort",
	};
	struct vy_str why = acp_error_words(c, error, out->arena);

	switch ((enum acp_purpose)q->purpose) {
	case ACP_INITIALIZE: broken(c, why, out); return;
	case ACP_NEW:
	case ACP_LOAD: session_error(c, (enum acp_purpose)q->purpose, error, out); return;
	case ACP_PROMPT: acp_turn_error(c, error, out); return;
	case ACP_SET_MODE:
	case ACP_SET_MODEL:
	case ACP_SET_EFFORT: break;
	}
	agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(
		out->arena, "The agent would not %s: %.*s", what[q->purpose], VY_STR_ARG(why)));
	if (q->purpose == ACP_SET_MODE && c->is_ready && c->is_loose) {
		acp_offer_asks_nobody(c, out);
		return;
	}
	if (q->purpose == ACP_SET_MODE && c->is_ready) {
		agent_out_add(out, AE_MODE)->text =
			vy_arena_str(out->arena, vy_str_c(c->mode ? c->mode : "default"));
	}
	ready_if(c, out);
}

static void on_answer(struct acp *c, int64_t id, const struct vy_json *line, struct agent_out *out)
{
	const struct vy_json *error = vy_json_get(line, "error");

	for (size_t i = 0; i < c->ours.n; i++) {
		if (c->ours.v[i].id != id) {
			continue;
		}
		struct acp_ours taken = c->ours.v[i];

		c->ours.v[i] = (struct acp_ours){ 0 };
		fields_list_del(&c->ours, &acp_ours_set, i);
		if (error) {
			on_error(c, &taken, error, out);
		} else {
			on_result(c, &taken, vy_json_get(line, "result"), out);
		}
		fields_free(&acp_ours_set, &taken);
		acp_say_next(c, out);
		return;
	}
}

/* ---- session/update ---- */

typedef void update_fn(struct acp *c, const struct vy_json *u, struct agent_out *out);

static void on_text(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	acp_turn_chunk(c, u, false, out);
}

static void on_thought(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	acp_turn_chunk(c, u, true, out);
}

static void on_call(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	acp_call_hear(c, u, true, false, out);
}

static void on_call_update(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	acp_call_hear(c, u, false, false, out);
}

static void on_plan(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	if (acp_turn_open(c, out)) {
		acp_call_todo(c, vy_json_get(u, "entries"), out);
	}
}

/* Where history comes behind the answer, the commands are what ends it. */
static void on_commands(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	acp_offer_commands(c, vy_json_get(u, "availableCommands"), out);
	if (c->is_answered && c->is_replaying) {
		c->is_replaying = false;
		ready_if(c, out);
		acp_say_next(c, out);
	}
}

static void on_mode(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	acp_offer_mode(c, vy_json_str(u, "currentModeId"), out);
}

static void on_options(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	acp_offer_options(c, vy_json_get(u, "configOptions"), out);
}

static void on_info(struct acp *c, const struct vy_json *u, struct agent_out *out)
{
	const char *at = acp_facts_for(c)->retry_at;
	const struct vy_json *e = at ? vy_json_path(u, at) : NULL;
	struct vy_str text = brief_one_line(vy_json_str(e, "message"), out->arena);

	if (text.n && vy_json_bool(e, "willRetry", false)) {
		agent_out_add(out, AE_NOTE)->text = text;
	}
}

static const struct {
	const char *kind;
	update_fn *on;
} updates[] = {
	{ "agent_message_chunk", on_text },
	{ "agent_thought_chunk", on_thought },
	{ "tool_call", on_call },
	{ "tool_call_update", on_call_update },
	{ "plan", on_plan },
	{ "available_commands_update", on_commands },
	{ "current_mode_update", on_mode },
	{ "config_option_update", on_options },
	{ "usage_update", acp_turn_usage },
	{ "session_info_update", on_info },
};

static void on_update(struct acp *c, const struct vy_json *params, struct agent_out *out)
{
	const struct vy_json *u = vy_json_get(params, "update");
	struct vy_str session = vy_json_str(params, "sessionId");
	struct vy_str kind = vy_json_str(u, "sessionUpdate");

	if (c->session && session.n && !vy_str_is(session, c->session)) {
		return; /* of another conversation in the same process */
	}
	for (size_t i = 0; i < VY_COUNT(updates); i++) {
		if (vy_str_is(kind, updates[i].kind)) {
			updates[i].on(c, u, out);
			return;
		}
	}
}

/* ---- lines ---- */

/* The beginning of a line of any bytes, as it may be shown: valid UTF-8, no secrets. */
static void safe_line(struct vy_str line, struct vy_buf *out)
{
	VY_AUTO_BUF clean = VY_BUF_INIT(VY_LINE_MAX);

	vy_utf8_clean(vy_str_n(line.p, line.n < TAIL_LINE_MAX ? line.n : TAIL_LINE_MAX), &clean);
	if (line.n > TAIL_LINE_MAX) {
		guard_redact_cut(vy_buf_str(&clean), out);
	} else {
		guard_redact(vy_buf_str(&clean), out);
	}
}

static void bad_line(struct acp *c, struct vy_str line, struct agent_out *out)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	if (c->bad_lines++ >= BAD_LINES_TOLD) {
		return;
	}
	safe_line(line, &b);
	agent_out_add(out, AE_NOTE)->text = vy_str_c(
		vy_arena_printf(out->arena, "The agent printed something that is no message: %.*s",
			VY_STR_ARG(brief_one_line(vy_buf_str(&b), out->arena))));
}

static void on_stderr(struct acp *c, struct vy_str line)
{
	VY_AUTO_BUF safe = VY_BUF_INIT(VY_LINE_MAX);

	safe_line(line, &safe);
	if (safe.len == 0) {
		return;
	}
	if (c->stderr_tail.n >= TAIL_LINES) {
		fields_list_del(&c->stderr_tail, &acp_line_set, 0);
	}
	struct acp_line *l = fields_list_add(&c->stderr_tail, &acp_line_set);

	fields_str_set(&l->text, vy_buf_str(&safe));
}

void acp_line(struct acp *c, enum agent_stream stream, struct vy_str line, struct agent_out *out)
{
	line = vy_str_trim(line);
	if (stream == AGENT_STDERR) {
		on_stderr(c, line);
		return;
	}
	if (!line.n) {
		return;
	}
	VY_AUTO_JSON *v = vy_json_parse_lenient(line, NULL);
	const struct vy_json *id = vy_json_get(v, "id");
	struct vy_str method = vy_json_str(v, "method");

	if (vy_json_type(v) != VY_JSON_OBJ ||
		(!method.n && !vy_json_get(v, "result") && !vy_json_get(v, "error"))) {
		bad_line(c, line, out);
	} else if (method.n && id) {
		acp_ask_request(c, v, out);
	} else if (vy_str_is(method, "session/update")) {
		on_update(c, vy_json_get(v, "params"), out);
	} else if (!method.n && vy_json_type(id) == VY_JSON_INT) {
		on_answer(c, vy_json_intval(id, 0), v, out);
	} /* else a notification nobody knows, or an error that belongs to nothing */
}

/* ---- commands ---- */

static void interrupt(struct acp *c, struct agent_out *out)
{
	acp_say_give_back_all(c, out);
	acp_turn_cancel(c, vy_str_n(NULL, 0), out);
}

void acp_command(struct acp *c, const struct agent_command *cmd, struct agent_out *out)
{
	switch (cmd->kind) {
	case AC_HELLO:
		if (vy_json_str(cmd->json, "system").n) {
			fields_str_set(&c->system, vy_json_str(cmd->json, "system"));
		}
		acp_say_initialize(c, out);
		break;
	case AC_SAY: acp_say_word(c, cmd, out); break;
	case AC_TAKE_BACK: acp_say_take_back(c, cmd->message, out); break;
	case AC_INTERRUPT: interrupt(c, out); break;
	case AC_ANSWER: acp_ask_answer(c, cmd, out); break;
	case AC_CHECKED: acp_ask_checked(c, cmd, out); break;
	case AC_MODE:
	case AC_MODEL:
	case AC_EFFORT: acp_offer_choose(c, cmd, out); break;
	case AC_END: c->is_ending = true; break;
	case AC_THINKING: /* the rest is not among what this driver can (caps) */
	case AC_KILL_TASK:
	case AC_FILES:
	case AC_ASIDE:
	case AC_TASK_OUTPUT:
	case AC_FORGET: break;
	}
}

/* It was skipped unread. A request in it is refused; what it said of a call is left out, and the call
 * ends with the turn. */
void acp_line_too_long(struct acp *c, int64_t bytes, struct vy_str head, struct agent_out *out)
{
	bool was_request = acp_ask_refuse_head(head, out);

	(void)c;
	agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(out->arena,
		"The agent sent a line of %" PRId64 " MiB, more than Vyre takes; it was %s.",
		bytes / VY_MIB, was_request ? "refused" : "left out"));
}

static struct vy_str exit_words(const struct acp *c, int status, int signo, struct vy_arena *a)
{
	VY_AUTO_BUF words = VY_BUF_INIT(4096);
	size_t from = c->stderr_tail.n > 3 ? c->stderr_tail.n - 3 : 0;
	const char *how = signo    ? vy_arena_printf(a, "was ended by signal %d", signo)
			  : status ? vy_arena_printf(a, "ended with status %d", status)
				   : "ended";

	for (size_t i = from; i < c->stderr_tail.n; i++) {
		vy_buf_adds(&words, i == from ? ": " : " / ");
		vy_buf_addstr(&words, brief_one_line(fields_str(c->stderr_tail.v[i].text), a));
	}
	return vy_str_c(
		vy_arena_printf(a, "%s %s%.*s", c->who, how, VY_STR_ARG(vy_buf_str(&words))));
}

/* A word that was told and of which nothing was heard is not taken: the house tells it again. */
void acp_exited(struct acp *c, int status, int signo, struct agent_out *out)
{
	struct vy_str why = exit_words(c, status, signo, out->arena);
	bool is_expected = c->is_ending || (!status && !signo && c->is_ready && !c->prompt);

	if (c->in_turn) {
		c->is_interrupting = true; /* what it left open was cut */
		acp_turn_over(c, AGENT_FAILED, why, NULL, out);
		out->tell.len = 0; /* nobody reads it */
		return;
	}
	acp_ask_drop(c, false, out);
	if (!is_expected) {
		agent_out_add(out, AE_BROKEN)->text = why;
	}
}
