/* table_defaults.c -- what people set for all sessions: models by purpose, prompts by project
 * (defaults.h). Kept as rows, told on the control plane without a word of what they say. */
#include "server/session/table_in.h"

#include <stdlib.h>

#include "server/log/log.h"
#include "server/session/defaults.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/log.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define SPACE_MODELS VY_STR_LIT("models")
#define SPACE_PROMPT VY_STR_LIT("prompt")      /* of a project, "" for all: its revisions */
#define SPACE_TEXT   VY_STR_LIT("prompt-text") /* of "REV/PROJECT" */

static bool read_json(void *ctx, const struct store_row *row)
{
	*(struct vy_json **)ctx = vy_json_parse(row->kv.value, NULL);
	return false;
}

static bool read_text(void *ctx, const struct store_row *row)
{
	vy_buf_addstr(ctx, row->kv.value);
	return false;
}

static int read_row(struct table *t, struct vy_str space, struct vy_str name, store_row_fn *fn,
	void *ctx, struct vy_err *e)
{
	struct store_row key = { .kind = ROW_KV, .kv = { .space = space, .name = name } };

	return log_row(t->conf.log, &key, fn, ctx, e);
}

static void put_json(
	struct table *t, struct vy_str space, struct vy_str name, const struct vy_json *v)
{
	VY_AUTO_BUF text = VY_BUF_INIT(4 * VY_MIB);

	vy_json_dump(v, &text);
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = space, .name = name, .value = vy_buf_str(&text));
}

/* ---- models ---- */

void table_defaults_open(struct table *t)
{
	struct vy_json *found = NULL;
	struct vy_err e = { 0 };

	if (read_row(t, SPACE_MODELS, VY_STR_LIT("set"), read_json, &found, &e) != 0) {
		vy_log(VY_LOG_ERROR, "models", "why=%s", vy_log_q(e.text));
	}
	t->models = vy_json_type(found) == VY_JSON_OBJ ? found : defaults_models_new();
	if (t->models != found) {
		vy_json_free(found);
	}
}

struct defaults_choice table_model(struct table *t, const char *project, const char *purpose)
{
	return defaults_model(t->models, t->conf.model, t->conf.ctx, project, purpose);
}

void table_model_set(struct table *t, const char *project, const char *purpose, const char *model)
{
	defaults_model_set(t->models, project, purpose, model);
	put_json(t, SPACE_MODELS, VY_STR_LIT("set"), t->models);
	t->conf.defaults(t->conf.ctx, "model", project, purpose, 0);
}

/* ---- prompts ---- */

static struct vy_str name_of(const char *project)
{
	return vy_str_c(project ? project : "");
}

static void name_of_text(int64_t rev, const char *project, struct vy_buf *out)
{
	vy_buf_addf(out, "%lld/%s", (long long)rev, project ? project : "");
}

static int read_revs(struct table *t, const char *project, struct vy_json **out, struct vy_err *e)
{
	*out = NULL;
	if (read_row(t, SPACE_PROMPT, name_of(project), read_json, out, e) != 0) {
		return -1;
	}
	if (!*out) {
		*out = defaults_revs_new();
	}
	return 0;
}

static int read_rev(
	struct table *t, const char *project, int64_t rev, struct vy_buf *text, struct vy_err *e)
{
	VY_AUTO_BUF name = VY_BUF_INIT(1024);

	name_of_text(rev, project, &name);
	return rev > 0 ? read_row(t, SPACE_TEXT, vy_buf_str(&name), read_text, text, e) : 0;
}

struct vy_json *table_prompt(struct table *t, const char *project, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(TABLE_PROMPT_MAX);
	struct vy_json *o;

	if (read_revs(t, project, &o, e) != 0) {
		return NULL;
	}
	if (read_rev(t, project, vy_json_int(o, "rev", 0), &text, e) != 0) {
		vy_json_free(o);
		return NULL;
	}
	vy_json_set_str(o, "text", vy_buf_str(&text));
	return o;
}

/* The same words again are no new revision. */
int64_t table_prompt_set(struct table *t, const char *project, struct vy_str text, int64_t if_rev,
	struct vy_str by, struct vy_err *e)
{
	VY_AUTO_BUF was = VY_BUF_INIT(TABLE_PROMPT_MAX), name = VY_BUF_INIT(1024);
	struct vy_json *found;
	int64_t dropped;

	if (read_revs(t, project, &found, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *revs = found;
	int64_t rev = vy_json_int(revs, "rev", 0);

	if (if_rev >= 0 && if_rev != rev) {
		return vy_fail(e, VY_CONFLICT,
			"somebody has changed the prompt meanwhile: it is at revision %lld",
			(long long)rev);
	}
	if (read_rev(t, project, rev, &was, e) != 0) {
		return -1;
	}
	if (vy_str_eq(vy_buf_str(&was), text)) {
		return rev;
	}
	rev = defaults_rev_add(revs, by, vy_wall_ms(t->conf.clock), text.n, &dropped);
	name_of_text(rev, project, &name);
	LOG_PUT(t->conf.log, ROW_KV, kv, .space = SPACE_TEXT, .name = vy_buf_str(&name),
		.value = text);
	if (dropped) {
		vy_buf_clear(&name);
		name_of_text(dropped, project, &name);
		LOG_DEL(t->conf.log, ROW_KV, kv, .space = SPACE_TEXT, .name = vy_buf_str(&name));
	}
	put_json(t, SPACE_PROMPT, name_of(project), revs);
	t->conf.defaults(t->conf.ctx, "prompt", project, NULL, rev);
	return rev;
}

int64_t table_prompt_revert(
	struct table *t, const char *project, int64_t rev, struct vy_str by, struct vy_err *e)
{
	VY_AUTO_BUF text = VY_BUF_INIT(TABLE_PROMPT_MAX);
	struct vy_json *found;

	if (read_revs(t, project, &found, e) != 0) {
		return -1;
	}
	VY_AUTO_JSON *revs = found;

	if (!defaults_rev_is_kept(revs, rev)) {
		return vy_fail(e, VY_NOT_FOUND,
			"there is no revision %lld of this prompt (any more)", (long long)rev);
	}
	return read_rev(t, project, rev, &text, e) != 0
		       ? -1
		       : table_prompt_set(t, project, vy_buf_str(&text), -1, by, e);
}

/* A prompt that cannot be read is left out: an agent without it is better than none. */
static void add_prompt(struct table *t, const char *project, struct vy_buf *out)
{
	struct vy_json *found;
	struct vy_err e = { 0 };

	if (read_revs(t, project, &found, &e) != 0 ||
		read_rev(t, project, vy_json_int(found, "rev", 0), out, &e) != 0) {
		vy_log(VY_LOG_ERROR, "prompt", "why=%s", vy_log_q(e.text));
	}
	vy_json_free(found);
}

void table_system(struct table *t, const struct record *r, struct vy_buf *out)
{
	VY_AUTO_BUF general = VY_BUF_INIT(TABLE_PROMPT_MAX);
	VY_AUTO_BUF project = VY_BUF_INIT(TABLE_PROMPT_MAX);

	add_prompt(t, NULL, &general);
	if (r->project) {
		add_prompt(t, r->project, &project);
	}
	defaults_system(vy_buf_str(&general), vy_buf_str(&project), vy_str_c(r->system), out);
}
