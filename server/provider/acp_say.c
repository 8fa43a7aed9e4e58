/* acp_say.c -- see acp_say.h. A line that would not fit the buffer is taken out again whole. */
#include "server/provider/acp_say.h"

#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

/* ---- envelopes ---- */

static struct vy_jw begin(struct agent_out *out, const char *method)
{
	struct vy_jw w = VY_JW(&out->tell);

	vy_jw_obj(&w);
	vy_jw_kstr(&w, "jsonrpc", VY_STR_LIT("2.0"));
	if (method) {
		vy_jw_kstr(&w, "method", vy_str_c(method));
	}
	return w;
}

static struct vy_jw request(struct acp *c, struct agent_out *out, enum acp_purpose purpose,
	const char *method, struct vy_str about)
{
	struct acp_ours *r = fields_list_add(&c->ours, &acp_ours_set);
	struct vy_jw w = begin(out, method);

	r->id = ++c->next_id;
	r->purpose = purpose;
	fields_str_set(&r->about, about);
	vy_jw_kint(&w, "id", r->id);
	vy_jw_key(&w, "params");
	vy_jw_obj(&w);
	return w;
}

static void end_line(struct vy_jw *w)
{
	vy_jw_end_obj(w);
	vy_buf_addc(w->b, '\n');
}

static void end(struct vy_jw *w)
{
	vy_jw_end_obj(w);
	end_line(w);
}

static void json(struct vy_jw *w, const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(w->b->max);

	vy_json_dump(v, &b);
	vy_jw_raw(w, vy_buf_str(&b));
}

void acp_respond(struct agent_out *out, struct vy_str id, const struct vy_json *result)
{
	struct vy_jw w = begin(out, NULL);

	vy_jw_key(&w, "id");
	vy_jw_raw(&w, id);
	vy_jw_key(&w, "result");
	json(&w, result);
	end_line(&w);
}

void acp_respond_error(struct agent_out *out, struct vy_str id, int code, const char *why)
{
	struct vy_jw w = begin(out, NULL);

	vy_jw_key(&w, "id");
	vy_jw_raw(&w, id);
	vy_jw_key(&w, "error");
	vy_jw_obj(&w);
	vy_jw_kint(&w, "code", code);
	vy_jw_kstr(&w, "message", vy_str_c(why));
	end(&w);
}

bool acp_is_asked(const struct acp *c, enum acp_purpose purpose)
{
	for (size_t i = 0; i < c->ours.n; i++) {
		if (c->ours.v[i].purpose == (int64_t)purpose) {
			return true;
		}
	}
	return false;
}

/* ---- the beginning ---- */

/* Neither files nor terminals are offered: every agent then does its own, and nothing is lost. */
void acp_say_initialize(struct acp *c, struct agent_out *out)
{
	struct vy_jw w = request(c, out, ACP_INITIALIZE, "initialize", vy_str_n(NULL, 0));

	vy_jw_kint(&w, "protocolVersion", 1);
	vy_jw_key(&w, "clientCapabilities");
	vy_jw_obj(&w);
	vy_jw_key(&w, "fs");
	vy_jw_obj(&w);
	vy_jw_kbool(&w, "readTextFile", false);
	vy_jw_kbool(&w, "writeTextFile", false);
	vy_jw_end_obj(&w);
	vy_jw_kbool(&w, "terminal", false);
	vy_jw_key(&w, "elicitation");
	vy_jw_obj(&w);
	vy_jw_key(&w, "form");
	vy_jw_obj(&w);
	vy_jw_end_obj(&w);
	vy_jw_end_obj(&w);
	vy_jw_end_obj(&w);
	vy_jw_key(&w, "clientInfo");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "name", VY_STR_LIT("vyre"));
	vy_jw_kstr(&w, "title", VY_STR_LIT("Vyre"));
	vy_jw_kstr(&w, "version", VY_STR_LIT("1"));
	vy_jw_end_obj(&w);
	end(&w);
}

static void session_request(
	struct acp *c, enum acp_purpose purpose, const char *method, struct agent_out *out)
{
	struct vy_jw w = request(c, out, purpose, method, vy_str_n(NULL, 0));

	if (purpose == ACP_LOAD) {
		vy_jw_kstr(&w, "sessionId", fields_str(c->session));
	}
	vy_jw_kstr(&w, "cwd", fields_str(c->cwd));
	vy_jw_key(&w, "mcpServers");
	vy_jw_arr(&w);
	vy_jw_end_arr(&w);
	end(&w);
}

void acp_say_new(struct acp *c, struct agent_out *out)
{
	c->is_resume = c->is_replaying = false;
	fields_str_set(&c->session, vy_str_n(NULL, 0));
	session_request(c, ACP_NEW, "session/new", out);
}

void acp_say_session(struct acp *c, struct agent_out *out)
{
	if (c->is_resume && c->can_resume) {
		session_request(c, ACP_LOAD, "session/resume", out);
	} else if (c->is_resume && c->can_load) {
		c->is_replaying = true;
		session_request(c, ACP_LOAD, "session/load", out);
	} else {
		if (c->is_resume) {
			agent_out_add(out, AE_NOTE)->text = VY_STR_LIT(
				"This agent cannot go on with an earlier conversation: it begins "
				"anew and knows nothing of what was said.");
		}
		acp_say_new(c, out);
	}
}

/* ---- mode, model, effort ---- */

static void set_option(struct acp *c, enum acp_purpose purpose, const char *option,
	struct vy_str value, struct vy_str about, struct agent_out *out)
{
	struct vy_jw w = request(c, out, purpose, "session/set_config_option", about);

	vy_jw_kstr(&w, "sessionId", fields_str(c->session));
	vy_jw_kstr(&w, "configId", vy_str_c(option));
	vy_jw_kstr(&w, "value", value);
	end(&w);
}

static bool has_mode(const struct acp *c, struct vy_str id)
{
	for (size_t i = 0; i < vy_json_len(c->modes); i++) {
		if (vy_str_eq(vy_json_strval(vy_json_at(c->modes, i)), id)) {
			return true;
		}
	}
	return false;
}

bool acp_say_mode(struct acp *c, struct vy_str word, struct agent_out *out)
{
	enum acp_mode m = acp_mode_of(word);
	const struct acp_facts *f = acp_facts_for(c);

	for (size_t i = 0; m < ACP_MODES && i < ACP_IDS && f->modes[m][i]; i++) {
		struct vy_str id = vy_str_c(f->modes[m][i]);

		if (!has_mode(c, id)) {
			continue;
		}
		if (c->mode_option) {
			set_option(c, ACP_SET_MODE, c->mode_option, id, word, out);
			return true;
		}
		struct vy_jw w = request(c, out, ACP_SET_MODE, "session/set_mode", word);

		vy_jw_kstr(&w, "sessionId", fields_str(c->session));
		vy_jw_kstr(&w, "modeId", id);
		end(&w);
		return true;
	}
	return false;
}

void acp_say_model(struct acp *c, struct vy_str model, struct agent_out *out)
{
	if (c->model_option) {
		set_option(c, ACP_SET_MODEL, c->model_option, model, model, out);
		return;
	}
	struct vy_jw w = request(c, out, ACP_SET_MODEL, "session/set_model", model);

	vy_jw_kstr(&w, "sessionId", fields_str(c->session));
	vy_jw_kstr(&w, "modelId", model);
	end(&w);
}

void acp_say_effort(struct acp *c, struct vy_str effort, struct agent_out *out)
{
	set_option(c, ACP_SET_EFFORT, c->effort_option, effort.n ? effort : VY_STR_LIT("default"),
		effort, out);
}

/* ---- words ---- */

static void text_block(struct vy_jw *w, struct vy_str text)
{
	if (text.n) {
		vy_jw_obj(w);
		vy_jw_kstr(w, "type", VY_STR_LIT("text"));
		vy_jw_kstr(w, "text", text);
		vy_jw_end_obj(w);
	}
}

static void images(const struct acp *c, struct vy_jw *w, const struct vy_json *list)
{
	for (size_t i = 0; i < vy_json_len(list); i++) {
		const struct vy_json *img = vy_json_at(list, i);

		if (!c->can_images) {
			text_block(w, VY_STR_LIT("[an image, which this agent cannot take]"));
			continue;
		}
		vy_jw_obj(w);
		vy_jw_kstr(w, "type", VY_STR_LIT("image"));
		vy_jw_kstr(w, "mimeType", vy_json_str(img, "mime"));
		vy_jw_kstr(w, "data", vy_json_str(img, "b64"));
		vy_jw_end_obj(w);
	}
}

static void prompt(struct acp *c, const struct acp_word *word, struct agent_out *out)
{
	size_t before = out->tell.len;
	struct vy_jw w = request(c, out, ACP_PROMPT, "session/prompt", fields_str(word->uuid));

	vy_jw_kstr(&w, "sessionId", fields_str(c->session));
	vy_jw_key(&w, "prompt");
	vy_jw_arr(&w);
	if (!c->was_told && !c->is_resume) {
		text_block(&w, fields_str(c->system));
	}
	text_block(&w, fields_str(word->context));
	images(c, &w, word->images);
	text_block(&w, fields_str(word->text));
	vy_jw_end_arr(&w);
	end(&w);
	if (vy_buf_is_over(&out->tell)) {
		vy_buf_truncate(&out->tell, before);
		out->tell.over = false;
		fields_list_del(&c->ours, &acp_ours_set, c->ours.n - 1);
		agent_out_add(out, AE_CAME_BACK)->message =
			vy_arena_str(out->arena, fields_str(word->uuid));
		agent_out_add(out, AE_NOTE)->text =
			VY_STR_LIT("A message was too long to be given to the agent.");
		return;
	}
	if (word->images && !c->can_images) {
		agent_out_add(out, AE_NOTE)->text = vy_str_c(vy_arena_printf(
			out->arena, "%s takes no images: they were left out.", c->who));
	}
	c->was_told = true;
	fields_str_set(&c->prompt, fields_str(word->uuid));
	c->block = c->block_kind = 0;
	c->turn_cost = c->cost;
}

void acp_say_next(struct acp *c, struct agent_out *out)
{
	while (c->is_ready && !c->prompt && !c->is_ending && c->words.n &&
		!acp_is_asked(c, ACP_SET_MODE)) {
		struct acp_word word = c->words.v[0];

		c->words.v[0] = (struct acp_word){ 0 };
		fields_list_del(&c->words, &acp_word_set, 0);
		prompt(c, &word, out);
		fields_free(&acp_word_set, &word);
	}
}

void acp_say_word(struct acp *c, const struct agent_command *cmd, struct agent_out *out)
{
	struct acp_word *w = fields_list_add(&c->words, &acp_word_set);

	fields_str_set(&w->uuid, cmd->message);
	fields_str_set(&w->text, cmd->text);
	fields_str_set(&w->context, cmd->context);
	if (vy_json_len(cmd->json)) {
		w->images = vy_json_copy(cmd->json);
	}
	acp_say_next(c, out);
}

static void give_back(struct acp *c, size_t i, struct agent_out *out)
{
	agent_out_add(out, AE_CAME_BACK)->message =
		vy_arena_str(out->arena, fields_str(c->words.v[i].uuid));
	fields_list_del(&c->words, &acp_word_set, i);
}

void acp_say_take_back(struct acp *c, struct vy_str uuid, struct agent_out *out)
{
	for (size_t i = 0; i < c->words.n; i++) {
		if (vy_str_eq(fields_str(c->words.v[i].uuid), uuid)) {
			give_back(c, i, out);
			return;
		}
	}
}

void acp_say_give_back_all(struct acp *c, struct agent_out *out)
{
	while (c->words.n) {
		give_back(c, 0, out);
	}
}

void acp_say_cancel(struct acp *c, struct agent_out *out)
{
	struct vy_jw w = begin(out, "session/cancel");

	vy_jw_key(&w, "params");
	vy_jw_obj(&w);
	vy_jw_kstr(&w, "sessionId", fields_str(c->session));
	end(&w);
}
