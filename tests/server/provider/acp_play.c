/* acp_play.c -- see acp_play.h. */
#include "tests/server/provider/acp_play.h"

#include "server/provider/acp.h"
#include "shared/base/limits.h"
#include "tests/check.h"
#include "shared/base/ban.h"

#define MET_MAX 4096

struct play {
	struct replay r;
	const char *name;
	size_t line;
	struct vy_json *open, *all, *asks, *texts; /* sets */
	struct vy_json *kinds;                     /* recorded id -> kind of the request */
	struct vy_json *ours;                      /* kind -> our newest id */
	bool in_turn, is_broken;
	int words;
};

/* ---- what makes sense ---- */

static void nonsense(const struct play *p, const char *what, struct vy_str of)
{
	fail_msg("%s:%zu: %s (%.*s)", p->name, p->line, what, VY_STR_ARG(of));
}

static const char *key_of(struct vy_str id, char key[VY_ID_MAX + 1])
{
	assert_true(id.n <= VY_ID_MAX);
	memcpy(key, id.n ? id.p : "", id.n);
	key[id.n] = '\0';
	return key;
}

static void on_event(void *ctx, const struct agent_event *ev)
{
	struct play *p = ctx;
	char key[VY_ID_MAX + 1];

	switch (ev->kind) {
	case AE_TEXT:
		if (!p->in_turn || !ev->text.n) {
			nonsense(p, "a text outside of a turn, or none", ev->message);
		}
		vy_json_set_bool(p->texts, key_of(ev->message, key), true);
		break;
	case AE_TEXT_DONE: vy_json_del(p->texts, key_of(ev->message, key)); break;
	case AE_TOOL_START:
		key_of(ev->tool, key);
		if (!p->in_turn || vy_json_get(p->all, key) || !ev->text.n || !ev->name.n) {
			nonsense(p, "a call begins badly", ev->tool);
		}
		vy_json_set_bool(p->all, key, true);
		vy_json_set_bool(p->open, key, true);
		break;
	case AE_TOOL_DONE:
		key_of(ev->tool, key);
		if (!vy_json_get(p->open, key) || !vy_json_cstr(ev->json, "type")) {
			nonsense(p, "a call ends badly", ev->tool);
		}
		vy_json_del(p->open, key);
		break;
	case AE_ASK: vy_json_set_bool(p->asks, key_of(ev->request, key), true); break;
	case AE_ASK_GONE: vy_json_del(p->asks, key_of(ev->request, key)); break;
	case AE_TURN_BEGIN:
	case AE_TURN_END:
		if (p->in_turn == (ev->kind == AE_TURN_BEGIN) ||
			(ev->outcome == AGENT_FAILED && !ev->text.n)) {
			nonsense(p, "turns do not balance", ev->text);
		}
		p->in_turn = ev->kind == AE_TURN_BEGIN;
		if (!p->in_turn && (vy_json_len(p->open) || vy_json_len(p->texts))) {
			nonsense(p, "a turn leaves something open", ev->text);
		}
		break;
	case AE_BROKEN: /* a recorder that breaks the protocol on purpose may be refused */
		if (!strstr(p->name, "-malformed.")) {
			nonsense(p, "broken", ev->text);
		}
		p->is_broken = true;
		break;
	default: break;
	}
}

/* ---- ids ---- */

static const char *kind_of(struct vy_str method)
{
	static const char *const starts[] = { "session/new", "session/load", "session/resume" };

	for (size_t i = 0; i < VY_COUNT(starts); i++) {
		if (vy_str_is(method, starts[i])) {
			return "begin";
		}
	}
	return vy_str_is(method, "initialize")       ? "initialize"
	       : vy_str_is(method, "session/prompt") ? "prompt"
						     : "set";
}

/* Requests of ours, from what was told in the newest step. */
static void note_ours(struct play *p)
{
	struct vy_str rest = vy_buf_str(&p->r.last_tell);

	while (rest.n) {
		const char *nl = memchr(rest.p, '\n', rest.n);
		size_t n = nl ? (size_t)(nl - rest.p) : rest.n;
		VY_AUTO_JSON *v = vy_json_parse(vy_str_n(rest.p, n), NULL);

		assert_non_null(v);
		if (vy_json_cstr(v, "method") && vy_json_get(v, "id")) {
			vy_json_set_int(p->ours, kind_of(vy_json_str(v, "method")),
				vy_json_int(v, "id", 0));
		}
		rest = vy_str_from(rest, n + 1);
	}
}

static void command(struct play *p, struct agent_command c)
{
	replay_command(&p->r, &c);
	note_ours(p);
}

/* ---- what the recorder sent ---- */

static void say(struct play *p, const struct vy_json *params)
{
	const struct vy_json *blocks = vy_json_get(params, "prompt");
	char uuid[64];

	snprintf(uuid, sizeof(uuid), "00000000-0000-4000-8000-%012d", ++p->words);
	command(p, (struct agent_command){ .kind = AC_SAY,
			   .message = vy_str_c(uuid),
			   .text = vy_json_str(vy_json_at(blocks, 0), "text") });
}

/* Its answer to a request of the agent: by the option's place among what was offered. */
static void answer(struct play *p, const struct vy_json *msg)
{
	VY_AUTO_BUF id = VY_BUF_INIT(VY_ID_MAX);
	struct vy_str option = vy_json_strval(vy_json_path(msg, "result.outcome.optionId"));
	bool is_no = !option.n || vy_str_starts(option, "reject") || vy_str_is(option, "cancel");
	char key[VY_ID_MAX + 1];

	vy_json_dump(vy_json_get(msg, "id"), &id);
	vy_json_del(p->asks, key_of(vy_buf_str(&id), key));
	command(p, (struct agent_command){ .kind = AC_ANSWER,
			   .request = vy_buf_str(&id),
			   .decision = is_no ? VY_STR_LIT("deny") : VY_STR_LIT("allow") });
}

static void sent(struct play *p, const struct vy_json *msg)
{
	struct vy_str method = vy_json_str(msg, "method");
	const struct vy_json *params = vy_json_get(msg, "params");
	char key[32];

	if (vy_json_type(vy_json_get(msg, "id")) == VY_JSON_INT && method.n) {
		snprintf(key, sizeof(key), "%lld", (long long)vy_json_int(msg, "id", 0));
		vy_json_set_c(p->kinds, key, kind_of(method));
	}
	if (vy_str_is(method, "session/prompt")) {
		say(p, params);
	} else if (vy_str_is(method, "session/cancel")) {
		command(p, (struct agent_command){ .kind = AC_INTERRUPT });
	} else if (vy_str_is(method, "session/set_mode")) {
		command(p, (struct agent_command){
				   .kind = AC_MODE, .text = vy_json_str(params, "modeId") });
	} else if (!method.n && vy_json_get(msg, "result")) {
		answer(p, msg);
	}
}

/* ---- what the agent said ---- */

static void heard(struct play *p, const struct vy_json *msg)
{
	VY_AUTO_JSON *copy = vy_json_copy(msg);
	VY_AUTO_BUF line = VY_BUF_INIT(VY_LINE_MAX);
	char key[32];

	if (!vy_json_cstr(msg, "method") && vy_json_type(vy_json_get(msg, "id")) == VY_JSON_INT) {
		snprintf(key, sizeof(key), "%lld", (long long)vy_json_int(msg, "id", 0));
		const char *kind = vy_json_cstr(p->kinds, key);
		struct vy_json *our = kind ? vy_json_get(p->ours, kind) : NULL;

		if (!our) {
			return; /* of something this driver never asks for */
		}
		vy_json_set(copy, "id", our);
		vy_json_del(p->ours, kind);
	}
	vy_json_dump(copy, &line);
	replay_line(&p->r, AGENT_STDOUT, vy_buf_str(&line));
	note_ours(p);
	if (vy_json_get(p->ours, "set") && !vy_json_get(p->ours, "prompt")) {
		VY_AUTO_JSON *id = vy_json_ref(vy_json_get(p->ours, "set"));
		VY_AUTO_BUF ok = VY_BUF_INIT(256); /* the recorder did not set it: it would work */

		vy_buf_addf(&ok, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{}}",
			(long long)vy_json_intval(id, 0));
		vy_json_del(p->ours, "set");
		replay_line(&p->r, AGENT_STDOUT, vy_buf_str(&ok));
		note_ours(p);
	}
}

/* The conversation that the recording takes up again first of all; empty: it begins a new one. */
static struct vy_str resumed(struct vy_str file, struct vy_arena *a)
{
	while (file.n) {
		const char *nl = memchr(file.p, '\n', file.n);
		size_t n = nl ? (size_t)(nl - file.p) : file.n;
		VY_AUTO_JSON *v = vy_json_parse_lenient(vy_str_n(file.p, n), NULL);
		struct vy_str method = vy_json_strval(vy_json_path(v, "msg.method"));

		if (vy_str_is(method, "session/new")) {
			break;
		}
		if (vy_str_is(method, "session/load") || vy_str_is(method, "session/resume")) {
			return vy_arena_str(
				a, vy_json_strval(vy_json_path(v, "msg.params.sessionId")));
		}
		file = vy_str_from(file, n + 1);
	}
	return vy_str_n(NULL, 0);
}

static void begin(struct play *p, struct vy_str agent_id)
{
	static const struct provider_conf conf = {
		.name = "agent", .kind = "acp", .command = "agent"
	};
	const struct provider_launch l = { .conf = &conf,
		.session = VY_STR_LIT("00000000-0000-4000-8000-000000000000"),
		.agent_id = agent_id,
		.is_resume = agent_id.n > 0,
		.cwd = VY_STR_LIT("/home/dev/work") };

	p->r.agent = acp_ops.new(&l);
	command(p, (struct agent_command){ .kind = AC_HELLO });
}

void acp_play(const char *name, struct vy_str file, bool is_cut, struct vy_buf *log)
{
	struct play p = { .name = name,
		.open = vy_json_new_obj(),
		.all = vy_json_new_obj(),
		.asks = vy_json_new_obj(),
		.texts = vy_json_new_obj(),
		.kinds = vy_json_new_obj(),
		.ours = vy_json_new_obj() };

	struct vy_arena ids;

	vy_arena_init(&ids);
	replay_init(&p.r, &acp_ops, is_cut);
	p.r.on_event = on_event;
	p.r.ctx = &p;
	begin(&p, resumed(file, &ids));
	while (file.n && !p.is_broken) {
		const char *nl = memchr(file.p, '\n', file.n);
		size_t n = nl ? (size_t)(nl - file.p) : file.n;
		VY_AUTO_JSON *v = vy_json_parse_lenient(vy_str_n(file.p, n), NULL);
		const struct vy_json *msg = vy_json_get(v, "msg");

		p.line++;
		if (vy_str_is(vy_json_str(v, "dir"), ">")) {
			sent(&p, msg);
		} else if (vy_str_is(vy_json_str(v, "dir"), "<") &&
			   vy_json_type(msg) == VY_JSON_OBJ) {
			heard(&p, msg);
		}
		file = vy_str_from(file, n + 1);
	}
	if (p.r.agent) {
		p.r.on_event = NULL;
		replay_exit(&p.r, 0, 0);
	}
	vy_buf_addstr(log, vy_buf_str(&p.r.log));
	replay_fini(&p.r);
	vy_arena_fini(&ids);
	vy_json_free(p.open);
	vy_json_free(p.all);
	vy_json_free(p.asks);
	vy_json_free(p.texts);
	vy_json_free(p.kinds);
	vy_json_free(p.ours);
}
