/* codex_say.c -- see codex_say.h. */
#include "server/provider/codex_say.h"

#include <string.h>

#include "server/provider/codex_plan.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- modes ---- */

/* `sandbox` is the policy's name in thread/start, `policy` in all else (A4: two spellings).
 * untrusted asks before edits and before all commands but those that only look; on-request leaves
 * what the sandbox holds in the folder alone. None is `never`, none is without a sandbox. */
static const struct {
	const char *mode, *approval, *sandbox, *policy;
} modes[] = {
	{ "default", "untrusted", "workspace-write", "workspaceWrite" },
	{ "acceptEdits", "on-request", "workspace-write", "workspaceWrite" },
	{ "plan", "on-request", "read-only", "readOnly" },
};

static size_t mode_of(struct vy_str mode)
{
	size_t i = 0;

	while (i < VY_COUNT(modes) && !vy_str_is(mode, modes[i].mode)) {
		i++;
	}
	return i;
}

bool codex_mode_is_ours(struct vy_str mode)
{
	return mode_of(mode) < VY_COUNT(modes);
}

static bool is_plan(struct vy_str mode)
{
	return vy_str_is(mode, "plan");
}

/* ---- lines ---- */

static void line_end(struct vy_jw *w)
{
	vy_jw_end_obj(w);
	vy_buf_addc(w->b, '\n');
}

/* Opens `params`. */
static struct vy_jw begin(struct codex *c, struct agent_out *out, enum codex_purpose purpose,
	const char *method, struct vy_str about)
{
	struct vy_jw w = VY_JW(&out->tell);
	struct codex_ours *r = fields_list_add(&c->ours, &codex_ours_set);

	r->id = ++c->next_id;
	r->purpose = purpose;
	fields_str_set(&r->about, about);
	vy_jw_obj(&w);
	vy_jw_kint(&w, "id", r->id);
	vy_jw_kstr(&w, "method", vy_str_c(method));
	vy_jw_key(&w, "params");
	vy_jw_obj(&w);
	return w;
}

static struct vy_jw begin_in_thread(struct codex *c, struct agent_out *out,
	enum codex_purpose purpose, const char *method, struct vy_str about)
{
	struct vy_jw w = begin(c, out, purpose, method, about);

	vy_jw_kstr(&w, "threadId", fields_str(c->thread));
	return w;
}

static void end(struct vy_jw *w)
{
	vy_jw_end_obj(w);
	line_end(w);
}

static const struct vy_str none = { NULL, 0 };

/* ---- hello ---- */

void codex_say_hello(struct codex *c, const struct agent_command *cmd, struct agent_out *out)
{
	vy_json_free(c->hello);
	c->hello = cmd->json ? vy_json_copy(cmd->json) : vy_json_new_obj();
	struct vy_jw w = begin(c, out, CODEX_INITIALIZE, "initialize", none);

	vy_jw_key(&w, "clientInfo");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "name", VY_STR_LIT("vyre"));
	vy_jw_kstr(&w, "title", VY_STR_LIT("Vyre"));
	vy_jw_kstr(&w, "version", VY_STR_LIT("1")); /* of what we speak with it */
	vy_jw_end_obj(&w);
	vy_jw_key(&w, "capabilities");
	vy_jw_obj(&w);
	vy_jw_kbool(&w, "experimentalApi", true);
	vy_jw_kbool(&w, "requestAttestation", false);
	vy_jw_end_obj(&w);
	end(&w);
}

/* Whether settings that the folder brings count is said here, too: codex asks its own list else. */
static void trust(const struct codex *c, struct vy_jw *w)
{
	VY_AUTO_JSON *level = vy_json_new_obj();
	VY_AUTO_JSON *projects = vy_json_new_obj();
	VY_AUTO_BUF b = VY_BUF_INIT(64 * VY_KIB);

	vy_json_set_c(level, "trust_level", c->is_trusted ? "trusted" : "untrusted");
	if (c->cwd) {
		vy_json_set(projects, c->cwd, level);
	}
	vy_json_dump(projects, &b);
	vy_jw_key(w, "config");
	vy_jw_obj(w);
	vy_jw_key(w, "projects");
	vy_jw_raw(w, vy_buf_str(&b));
	vy_jw_end_obj(w);
}

static void thread_facts(struct codex *c, struct vy_jw *w)
{
	size_t m = mode_of(fields_str(c->mode));
	struct vy_str system = vy_json_str(c->hello, "system");

	m = m < VY_COUNT(modes) ? m : 0;
	vy_jw_kstr(w, "cwd", fields_str(c->cwd));
	vy_jw_kstr(w, "approvalPolicy", vy_str_c(modes[m].approval));
	vy_jw_kstr(w, "approvalsReviewer", VY_STR_LIT("user"));
	vy_jw_kstr(w, "sandbox", vy_str_c(modes[m].sandbox));
	trust(c, w);
	if (c->model) {
		vy_jw_kstr(w, "model", fields_str(c->model));
	}
	if (system.n) {
		vy_jw_kstr(w, "developerInstructions", system);
	}
}

void codex_say_start(struct codex *c, struct agent_out *out)
{
	struct vy_jw w = begin(c, out, CODEX_START, "thread/start", none);

	thread_facts(c, &w);
	end(&w);
}

void codex_say_begin(struct codex *c, struct agent_out *out)
{
	struct vy_jw w;

	vy_buf_adds(&out->tell, "{\"method\":\"initialized\"}\n");
	w = begin(c, out, CODEX_ACCOUNT, "account/read", none);
	end(&w);
	w = begin(c, out, CODEX_MODELS, "model/list", none);
	end(&w);
	if (c->is_resume) {
		w = begin_in_thread(c, out, CODEX_RESUME, "thread/resume", none);
	} else if (c->fork_of) {
		w = begin(c, out, CODEX_FORK, "thread/fork", none);
		vy_jw_kstr(&w, "threadId", fields_str(c->fork_of));
		if (c->mark) {
			vy_jw_kstr(&w, "lastTurnId", fields_str(c->mark));
		}
	} else {
		codex_say_start(c, out);
		return;
	}
	vy_jw_kbool(&w, "excludeTurns", true);
	thread_facts(c, &w);
	end(&w);
}

/* ---- a person's message ---- */

static void text_input(struct vy_jw *w, struct vy_str text)
{
	if (text.n) {
		vy_jw_obj(w);
		vy_jw_kstr(w, "type", VY_STR_LIT("text"));
		vy_jw_kstr(w, "text", text);
		vy_jw_end_obj(w);
	}
}

static void image_input(struct vy_jw *w, const struct vy_json *img)
{
	VY_AUTO_BUF url = VY_BUF_INIT(VY_LINE_MAX);
	struct vy_str mime = vy_json_str(img, "mime");

	vy_buf_addf(&url, "data:%.*s;base64,", VY_STR_ARG(mime));
	vy_buf_addstr(&url, vy_json_str(img, "b64"));
	vy_jw_obj(w);
	vy_jw_kstr(w, "type", VY_STR_LIT("image"));
	vy_jw_kstr(w, "url", vy_buf_str(&url));
	vy_jw_end_obj(w);
}

static bool input_of(const struct agent_command *cmd, struct vy_buf *b)
{
	struct vy_jw w = VY_JW(b);

	vy_jw_arr(&w);
	text_input(&w, cmd->context);
	for (size_t i = 0; i < vy_json_len(cmd->json); i++) {
		image_input(&w, vy_json_at(cmd->json, i));
	}
	text_input(&w, cmd->text);
	vy_jw_end_arr(&w);
	return !vy_buf_is_over(b) && b->len < VY_LINE_MAX - VY_MIB;
}

#define COMPACT "/compact" /* codex has a request for it, no words */

static void tell(struct codex *c, struct vy_str uuid, struct vy_str input, struct agent_out *out)
{
	if (vy_str_is(input, COMPACT)) {
		struct vy_jw order =
			begin_in_thread(c, out, CODEX_COMPACT, "thread/compact/start", uuid);

		end(&order);
		return;
	}
	struct vy_jw w = begin_in_thread(c, out, CODEX_SAY, "turn/start", uuid);

	vy_jw_kstr(&w, "clientUserMessageId", uuid);
	vy_jw_key(&w, "input");
	vy_jw_raw(&w, input);
	end(&w);
}

static bool is_busy(const struct codex *c)
{
	for (size_t i = 0; i < c->said.n; i++) {
		if (!c->said.v[i].held) {
			return true;
		}
	}
	return c->turn != NULL;
}

void codex_came_back(struct codex *c, struct codex_said *s, struct agent_out *out)
{
	agent_out_add(out, AE_CAME_BACK)->message = vy_arena_str(out->arena, fields_str(s->uuid));
	codex_said_del(c, s);
}

void codex_say_message(struct codex *c, const struct agent_command *cmd, struct agent_out *out)
{
	VY_AUTO_BUF input = VY_BUF_INIT(VY_LINE_MAX);
	bool is_compact = vy_str_is(vy_str_trim(cmd->text), COMPACT);
	bool waits = !c->is_ready || ((cmd->when == AGENT_QUEUE || is_compact) && is_busy(c));
	struct codex_said *s = codex_said_find(c, cmd->message);

	if (!s) {
		s = fields_list_add(&c->said, &codex_said_set);
		fields_str_set(&s->uuid, cmd->message);
	}
	fields_str_set(&s->held, none);
	fields_str_set(&s->turn, none);
	s->is_compact = is_compact;
	if (is_compact) {
		vy_buf_adds(&input, COMPACT);
	}
	if (!is_compact && !input_of(cmd, &input)) {
		codex_came_back(c, s, out);
		agent_out_add(out, AE_NOTE)->text =
			VY_STR_LIT("A message was too long to be given to the agent.");
	} else if (waits) {
		fields_str_set(&s->held, vy_buf_str(&input));
	} else {
		tell(c, cmd->message, vy_buf_str(&input), out);
	}
}

void codex_say_words(struct codex *c, struct vy_str text, struct agent_out *out)
{
	struct vy_jw w = begin_in_thread(c, out, CODEX_WORDS, "turn/start", none);

	/* a name nobody has: its receipt is to be nobody else's */
	vy_jw_kstr(&w, "clientUserMessageId",
		vy_str_c(vy_arena_printf(out->arena, "vyre-%lld", (long long)c->next_id)));
	vy_jw_key(&w, "input");
	vy_jw_arr(&w);
	text_input(&w, text);
	vy_jw_end_arr(&w);
	end(&w);
}

/* ---- beside the conversation ---- */

void codex_say_copy(struct codex *c, struct vy_str name, struct agent_out *out)
{
	struct vy_jw w = begin_in_thread(c, out, CODEX_COPY, "thread/fork", name);

	vy_jw_kbool(&w, "ephemeral", true);
	vy_jw_kbool(&w, "excludeTurns", true);
	vy_jw_kstr(&w, "approvalPolicy", VY_STR_LIT("untrusted"));
	vy_jw_kstr(&w, "approvalsReviewer", VY_STR_LIT("user"));
	vy_jw_kstr(&w, "sandbox", VY_STR_LIT("read-only"));
	trust(c, &w);
	end(&w);
}

void codex_say_aside(struct codex *c, struct vy_str thread, struct vy_str name,
	struct vy_str question, struct agent_out *out)
{
	struct vy_jw w = begin(c, out, CODEX_ASIDE, "turn/start", name);

	vy_jw_kstr(&w, "threadId", thread);
	vy_jw_key(&w, "input");
	vy_jw_arr(&w);
	text_input(&w, question);
	text_input(&w, VY_STR_LIT("[Answer from this conversation alone, without any tool.]"));
	vy_jw_end_arr(&w);
	end(&w);
}

void codex_say_leave(
	struct codex *c, struct vy_str thread, struct vy_str turn, struct agent_out *out)
{
	struct vy_jw w;

	if (turn.n) {
		w = begin(c, out, CODEX_LEAVE, "turn/interrupt", none);
		vy_jw_kstr(&w, "threadId", thread);
		vy_jw_kstr(&w, "turnId", turn);
		end(&w);
		w = begin(c, out, CODEX_LEAVE, "thread/backgroundTerminals/clean", none);
		vy_jw_kstr(&w, "threadId", thread);
		end(&w);
	}
	w = begin(c, out, CODEX_LEAVE, "thread/unsubscribe", none);
	vy_jw_kstr(&w, "threadId", thread);
	end(&w);
}

void codex_say_held(struct codex *c, struct agent_out *out)
{
	for (size_t i = 0; i < c->said.n && !is_busy(c); i++) {
		struct codex_said *s = &c->said.v[i];

		if (s->held) {
			tell(c, fields_str(s->uuid), fields_str(s->held), out);
			fields_str_set(&s->held, none);
		}
	}
}

void codex_say_take_back(struct codex *c, struct vy_str uuid, struct agent_out *out)
{
	struct codex_said *s = codex_said_find(c, uuid);

	if (s && s->held) {
		codex_came_back(c, s, out);
	}
}

/* ---- a turn's end ---- */

void codex_say_clean(struct codex *c, struct agent_out *out)
{
	struct vy_jw w =
		begin_in_thread(c, out, CODEX_CLEAN, "thread/backgroundTerminals/clean", none);

	end(&w);
}

void codex_say_interrupt(struct codex *c, struct agent_out *out)
{
	for (size_t i = c->said.n; i > 0; i--) {
		if (c->said.v[i - 1].held) {
			codex_came_back(c, &c->said.v[i - 1], out);
		}
	}
	codex_plan_drop(c, out);
	if (!c->turn) {
		c->wants_interrupt = is_busy(c);
		return;
	}
	struct vy_jw w = begin_in_thread(c, out, CODEX_INTERRUPT, "turn/interrupt", none);

	vy_jw_kstr(&w, "turnId", fields_str(c->turn));
	end(&w);
	c->is_interrupting = true;
	c->wants_interrupt = false;
}

void codex_say_kill(struct codex *c, struct vy_str task, struct agent_out *out)
{
	const struct codex_item *item = codex_item_find(c, task);

	if (item && item->process) {
		struct vy_jw w = begin_in_thread(
			c, out, CODEX_KILL, "thread/backgroundTerminals/terminate", none);

		vy_jw_kstr(&w, "processId", fields_str(item->process));
		end(&w);
	}
}

/* ---- settings ---- */

static void collaboration(struct codex *c, struct vy_str mode, struct vy_str model,
	struct vy_str effort, struct vy_jw *w)
{
	vy_jw_key(w, "collaborationMode");
	vy_jw_obj(w);
	vy_jw_kstr(w, "mode", vy_str_c(is_plan(mode) ? "plan" : "default"));
	vy_jw_key(w, "settings");
	vy_jw_obj(w);
	vy_jw_kstr(w, "model", model);
	vy_jw_key(w, "reasoning_effort");
	if (effort.n) {
		vy_jw_str(w, effort);
	} else {
		vy_jw_null(w);
	}
	vy_jw_key(w, "developer_instructions");
	vy_jw_null(w); /* codex's own of that mode */
	vy_jw_end_obj(w);
	vy_jw_end_obj(w);
	c->was_plan = is_plan(mode);
}

/* A collaboration mode carries its model and effort, and hides those beside it (A4): where one is or
 * was in force, both are said in it. */
static void settings(struct codex *c, enum codex_purpose purpose, struct vy_str mode,
	struct vy_str model, struct vy_str effort, struct agent_out *out)
{
	struct vy_str about = purpose == CODEX_MODE    ? mode
			      : purpose == CODEX_MODEL ? model
						       : effort;
	struct vy_jw w = begin_in_thread(c, out, purpose, "thread/settings/update", about);
	size_t m = mode_of(mode);

	if (purpose == CODEX_MODE && m < VY_COUNT(modes)) {
		vy_jw_kstr(&w, "approvalPolicy", vy_str_c(modes[m].approval));
		vy_jw_kstr(&w, "approvalsReviewer", VY_STR_LIT("user"));
		vy_jw_key(&w, "sandboxPolicy");
		vy_jw_obj(&w);
		vy_jw_kstr(&w, "type", vy_str_c(modes[m].policy));
		vy_jw_end_obj(&w);
	}
	if (purpose == CODEX_MODEL) {
		vy_jw_kstr(&w, "model", model);
	}
	if (purpose == CODEX_EFFORT) {
		vy_jw_kstr(&w, "effort", effort);
	}
	if ((is_plan(mode) || c->was_plan) && model.n) {
		collaboration(c, mode, model, effort, &w);
	}
	end(&w);
}

void codex_say_mode(struct codex *c, struct vy_str mode, struct agent_out *out)
{
	settings(c, CODEX_MODE, mode, fields_str(c->model), fields_str(c->effort), out);
}

void codex_say_model(struct codex *c, struct vy_str model, struct agent_out *out)
{
	settings(c, CODEX_MODEL, fields_str(c->mode), model, fields_str(c->effort), out);
}

void codex_say_effort(struct codex *c, struct vy_str word, struct agent_out *out)
{
	if (!word.n && c->model) { /* given back to the model */
		word = vy_json_str(c->efforts, c->model);
	}
	if (word.n) {
		settings(c, CODEX_EFFORT, fields_str(c->mode), fields_str(c->model), word, out);
	}
}

/* ---- answers ---- */

void codex_respond(struct agent_out *out, struct vy_str raw, const struct vy_json *result)
{
	struct vy_jw w = VY_JW(&out->tell);
	VY_AUTO_BUF b = VY_BUF_INIT(out->tell.max);

	vy_json_dump(result, &b);
	vy_jw_obj(&w);
	vy_jw_key(&w, "id");
	vy_jw_raw(&w, raw);
	vy_jw_key(&w, "result");
	vy_jw_raw(&w, vy_buf_str(&b));
	line_end(&w);
}

void codex_respond_error(struct agent_out *out, struct vy_str raw, const char *why)
{
	struct vy_jw w = VY_JW(&out->tell);

	vy_jw_obj(&w);
	vy_jw_key(&w, "id");
	vy_jw_raw(&w, raw);
	vy_jw_key(&w, "error");
	vy_jw_obj(&w);
	vy_jw_kint(&w, "code", -32601);
	vy_jw_kstr(&w, "message", vy_str_c(why));
	vy_jw_end_obj(&w);
	line_end(&w);
}
