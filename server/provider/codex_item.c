/* codex_item.c -- see codex_item.h. */
#include "server/provider/codex_item.h"

#include "server/provider/brief.h"
#include "server/provider/codex_beside.h"
#include "server/provider/codex_note.h"
#include "server/provider/codex_plan.h"
#include "server/provider/codex_result.h"
#include "server/provider/codex_turn.h"
#include "server/provider/codex_words.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define OPEN_MAX    1000           /* items a mad agent may hold open */
#define CHANGES_MAX (256 * VY_KIB) /* of a change that is kept until it is decided */
#define FILES_MAX   100            /* of one change */

/* ---- the floor ---- */

/* The call as the floor knows tools (guard/tools.c). NULL: it can do no harm. */
static struct vy_json *input_of(const struct codex_item *item, const struct vy_json *whole)
{
	VY_AUTO_BUF paths = VY_BUF_INIT(VY_MIB);
	struct vy_json *in;

	if (vy_str_is(fields_str(item->type), "commandExecution")) {
		in = vy_json_new_obj();
		vy_json_set_str(in, "command", vy_json_str(whole, "command"));
		vy_json_set_str(in, "cwd", vy_json_str(whole, "cwd"));
	} else if (vy_str_is(fields_str(item->type), "fileChange")) {
		in = vy_json_new_obj();
		codex_patch_paths(vy_json_get(whole, "changes"), &paths);
		vy_json_set_str(in, "input", vy_buf_str(&paths));
	} else {
		in = vy_json_ref(vy_json_get(whole, "arguments"));
	}
	return in;
}

void codex_item_judge(struct codex *c, struct codex_item *item, const struct vy_json *whole,
	struct agent_out *out)
{
	struct vy_json *in = item->is_judged ? NULL : input_of(item, whole);

	(void)c;
	item->is_judged = true;
	if (!in) {
		return;
	}
	struct agent_event *ev = agent_out_add(out, AE_CHECK);

	ev->request = vy_str_c(vy_arena_printf(out->arena, CODEX_CHECK "%s", item->id));
	ev->tool = vy_arena_str(out->arena, fields_str(item->id));
	ev->name = vy_arena_str(out->arena, fields_str(item->name));
	ev->json = in;
}

/* ---- tools ---- */

static void tool_start(struct vy_str id, const struct codex_item *item, struct vy_str about,
	const char *kind, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_TOOL_START);

	ev->tool = vy_arena_str(out->arena, id);
	ev->name = vy_arena_str(out->arena, fields_str(item->name));
	ev->tool_kind = kind;
	ev->text = brief_one_line(about, out->arena);
	if (!ev->text.n) {
		ev->text = ev->name;
	}
}

static void tool_done(struct vy_str id, enum agent_outcome outcome, struct vy_json *own_block,
	bool is_behind, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_TOOL_DONE);

	ev->tool = vy_arena_str(out->arena, id);
	ev->outcome = outcome;
	ev->is_background = is_behind;
	ev->json = own_block;
}

static struct codex_item *item_new(
	struct codex *c, struct vy_str id, const struct vy_json *whole, struct agent_out *out)
{
	struct vy_str type = brief_id(vy_json_str(whole, "type"));

	if (!id.n || codex_item_find(c, id) || c->items.n >= OPEN_MAX) {
		return NULL;
	}
	struct codex_item *item = fields_list_add(&c->items, &codex_item_set);

	fields_str_set(&item->id, id);
	fields_str_set(&item->type, type);
	if (codex_is_words(type)) {
		return item;
	}
	struct vy_str about = codex_about(whole, fields_str(c->cwd), out->arena);

	fields_str_set(&item->name, codex_tool_name(whole, out->arena));
	fields_str_set(&item->about, brief_one_line(about, out->arena));
	tool_start(id, item, about, codex_tool_kind(type), out);
	return item;
}

/* What a running command says of itself; the change of a file until it is decided. */
static void item_facts(struct codex_item *item, const struct vy_json *whole)
{
	struct vy_str process = brief_id(vy_json_str(whole, "processId"));
	struct vy_json *changes = vy_json_get(whole, "changes");
	VY_AUTO_BUF size = VY_BUF_INIT(CHANGES_MAX);

	if (process.n) {
		fields_str_set(&item->process, process);
	}
	if (vy_json_type(changes) == VY_JSON_ARR && vy_json_dump(changes, &size)) {
		vy_json_free(item->changes);
		item->changes = vy_json_ref(changes);
	}
}

static void tell_change(struct vy_str id, const struct codex_change *ch, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_FILE_CHANGED);

	ev->tool = vy_arena_str(out->arena, id);
	ev->name = vy_arena_str(out->arena, ch->path);
	ev->text = vy_str_c(ch->op);
	ev->added = ch->added;
	ev->removed = ch->removed;
}

/* Each file of a change is a call of its own: a block shows one. */
static void files_done(struct codex *c, struct codex_item *item, const struct vy_json *whole,
	enum agent_outcome outcome, struct agent_out *out)
{
	const struct vy_json *changes = vy_json_get(whole, "changes");
	size_t n = vy_json_len(changes);

	if (n == 0 || outcome != AGENT_OK) {
		bool is_declined = vy_str_is(vy_json_str(whole, "status"), "declined");

		tool_done(fields_str(item->id), outcome,
			brief_block(is_declined ? VY_STR_LIT("Not allowed.")
						: VY_STR_LIT("The files were not changed.")),
			false, out);
		return;
	}
	for (size_t i = 0; i < n && i < FILES_MAX; i++) {
		struct codex_change ch;
		struct vy_str id = fields_str(item->id);
		struct vy_json *block =
			codex_diff(vy_json_at(changes, i), fields_str(c->cwd), &ch, out->arena);

		if (i > 0) {
			id = brief_id(
				vy_str_c(vy_arena_printf(out->arena, "%zu/%s", i + 1, item->id)));
			tool_start(id, item, ch.path, "edit", out);
		}
		tool_done(id, AGENT_OK, block, false, out);
		tell_change(id, &ch, out);
	}
}

static enum agent_outcome outcome_of(const struct codex *c, const struct vy_json *whole)
{
	struct vy_str status = vy_json_str(whole, "status");

	if (vy_str_is(status, "failed") || vy_str_is(status, "declined")) {
		return c->is_interrupting ? AGENT_CANCELED : AGENT_FAILED;
	}
	return vy_json_bool(whole, "success", true) ? AGENT_OK : AGENT_FAILED;
}

static void behind_done(struct codex *c, struct codex_item *item, const struct vy_json *whole,
	struct agent_out *out)
{
	const struct vy_json *code = vy_json_get(whole, "exitCode");
	const char *how = vy_json_type(code) == VY_JSON_INT && vy_json_intval(code, 0) >= 0
				  ? vy_arena_printf(out->arena, " with status %d",
					    (int)vy_json_intval(code, 0))
				  : "";

	agent_out_add(out, AE_SUB_GONE)->tool = vy_arena_str(out->arena, fields_str(item->id));
	codex_note(out, vy_arena_printf(out->arena,
				"A command that went on behind its turn has ended%s: %s", how,
				item->about ? item->about : ""));
	codex_item_del(c, item);
	codex_item_tasks(c, out);
}

static void tool_ended(struct codex *c, struct codex_item *item, const struct vy_json *whole,
	struct agent_out *out)
{
	enum agent_outcome outcome = outcome_of(c, whole);

	if (item->is_behind) {
		behind_done(c, item, whole, out);
		return;
	}
	if (outcome == AGENT_OK) { /* it ran, and nobody was asked */
		codex_item_judge(c, item, whole, out);
	}
	if (vy_str_is(fields_str(item->type), "fileChange")) {
		files_done(c, item, whole, outcome, out);
	} else {
		tool_done(fields_str(item->id), outcome,
			codex_block(whole, fields_str(c->cwd), out->arena), false, out);
	}
	fields_str_set(&c->last_call, fields_str(item->id));
	codex_item_del(c, item);
}

void codex_item_tasks(struct codex *c, struct agent_out *out)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < c->items.n; i++) {
		const struct codex_item *item = &c->items.v[i];
		struct vy_json *t;

		if (!item->is_behind) {
			continue;
		}
		t = vy_json_new_obj();
		vy_json_set_str(t, "task", fields_str(item->id));
		vy_json_set_c(t, "kind", "shell");
		vy_json_set_str(t, "text", fields_str(item->about));
		vy_json_set_c(t, "status", "running");
		vy_json_add_take(list, t);
	}
	agent_out_add(out, AE_TASKS)->json = list;
}

void codex_item_output(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	struct codex_item *item = codex_item_find(c, brief_id(vy_json_str(params, "itemId")));
	struct vy_str delta = vy_json_str(params, "delta"),
		      message = vy_json_str(params, "message");
	struct vy_str text = delta.n ? delta : message;

	if (!item || !item->name || !text.n) {
		return;
	}
	if (delta.n) {
		codex_beside_printed(item, delta);
	}
	if (item->is_behind) {
		return;
	}
	struct agent_event *ev = agent_out_add(out, AE_TOOL_PROGRESS);

	ev->tool = vy_arena_str(out->arena, fields_str(item->id));
	ev->text = vy_arena_str(out->arena, brief_cut(text, brief_piece(text)));
}

/* ---- words ---- */

static struct agent_event *text_event(
	struct agent_out *out, enum agent_event_kind kind, const struct codex_text *t)
{
	struct agent_event *ev = agent_out_add(out, kind);

	ev->message = vy_arena_str(out->arena, fields_str(t->item));
	ev->index = t->index;
	ev->is_reasoning = t->is_reasoning;
	return ev;
}

static void text_tell(struct codex_text *t, struct vy_str text, struct agent_out *out)
{
	t->length += (int64_t)text.n;
	t->hash = codex_hash(t->hash, text);
	while (text.n) {
		size_t n = brief_piece(text);

		text_event(out, AE_TEXT, t)->text = vy_arena_str(out->arena, vy_str_n(text.p, n));
		text = vy_str_from(text, n);
	}
}

static struct codex_text *text_at(struct codex *c, struct vy_str item, int64_t index)
{
	for (size_t i = 0; i < c->texts.n; i++) {
		struct codex_text *t = &c->texts.v[i];

		if (t->index == index && vy_str_is(item, t->item)) {
			return t;
		}
	}
	if (c->texts.n >= OPEN_MAX) {
		return NULL;
	}
	struct codex_text *t = fields_list_add(&c->texts, &codex_text_set);

	fields_str_set(&t->item, item);
	t->index = index;
	return t;
}

void codex_item_delta(struct codex *c, const struct vy_json *params, int64_t index,
	bool is_reasoning, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(params, "itemId"));
	struct codex_item *item = codex_item_find(c, id);
	struct codex_text *t =
		item && !item->name && index >= 0 ? text_at(c, fields_str(item->id), index) : NULL;

	if (t) {
		t->is_reasoning = is_reasoning;
		text_tell(t, vy_json_str(params, "delta"), out);
	}
}

/* The final words: what is missing is told, what is other replaces. */
static void text_whole(struct codex *c, struct vy_str item, int64_t index, bool is_reasoning,
	struct vy_str whole, struct agent_out *out)
{
	struct codex_text *t = text_at(c, item, index);
	struct vy_json *instead = NULL;

	if (!t) {
		return;
	}
	t->is_reasoning = is_reasoning;
	if (t->length <= (int64_t)whole.n &&
		codex_hash(0, vy_str_n(whole.p, (size_t)t->length)) == t->hash) {
		text_tell(t, vy_str_from(whole, (size_t)t->length), out);
	} else {
		instead = vy_json_new_str(whole);
	}
	if (t->length > 0) {
		text_event(out, AE_TEXT_DONE, t)->json = instead;
	} else {
		vy_json_free(instead);
	}
	fields_list_del(&c->texts, &codex_text_set, (size_t)(t - c->texts.v));
}

static void words_close(struct codex *c, enum agent_event_kind kind, struct agent_out *out)
{
	for (size_t i = 0; i < c->texts.n; i++) {
		if (c->texts.v[i].length > 0) {
			text_event(out, kind, &c->texts.v[i]);
		}
	}
	fields_list_clear(&c->texts, &codex_text_set);
	for (size_t i = c->items.n; i > 0; i--) {
		if (!c->items.v[i - 1].name) {
			codex_item_del(c, &c->items.v[i - 1]);
		}
	}
}

void codex_item_void(struct codex *c, struct agent_out *out)
{
	words_close(c, AE_TEXT_VOID, out);
}

static void thoughts_whole(
	struct codex *c, struct vy_str id, const struct vy_json *whole, struct agent_out *out)
{
	const struct vy_json *summary = vy_json_get(whole, "summary");
	const struct vy_json *content = vy_json_get(whole, "content");

	for (size_t i = 0; i < vy_json_len(summary); i++) {
		text_whole(c, id, (int64_t)i, true, vy_json_strval(vy_json_at(summary, i)), out);
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		text_whole(c, id, CODEX_CONTENT + (int64_t)i, true,
			vy_json_strval(vy_json_at(content, i)), out);
	}
	for (size_t i = 0; i < c->texts.n;) { /* said, and in no final part */
		if (vy_str_is(id, c->texts.v[i].item)) {
			text_event(out, AE_TEXT_DONE, &c->texts.v[i]);
			fields_list_del(&c->texts, &codex_text_set, i);
		} else {
			i++;
		}
	}
}

static void words_ended(struct codex *c, struct codex_item *item, const struct vy_json *whole,
	struct agent_out *out)
{
	struct vy_str id = vy_arena_str(out->arena, fields_str(item->id));

	if (vy_str_is(fields_str(item->type), "reasoning")) {
		thoughts_whole(c, id, whole, out);
	} else {
		text_whole(c, id, 0, false, vy_json_str(whole, "text"), out);
		if (vy_str_is(fields_str(item->type), "plan")) {
			codex_plan_proposed(c, vy_json_str(whole, "text"));
		}
	}
	codex_item_del(c, codex_item_find(c, id));
}

/* ---- items ---- */

/* Of the turn that runs: what comes behind an ended one is known by its id, or is nothing. */
static bool is_of_turn(const struct codex *c, const struct vy_json *params)
{
	return c->turn && vy_str_is(vy_json_str(params, "turnId"), c->turn);
}

void codex_item_started(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	const struct vy_json *whole = vy_json_get(params, "item");
	struct vy_str type = vy_json_str(whole, "type");

	if (!is_of_turn(c, params)) {
		return;
	}
	if (vy_str_is(type, "userMessage")) {
		codex_turn_takes(c, whole, out);
		return;
	}
	if (vy_str_is(type, "contextCompaction")) {
		codex_note(out, "The conversation is being summarised.");
		return;
	}
	if (vy_str_is(type, "agentMessage")) { /* one that was broken off gets no end (A4) */
		words_close(c, AE_TEXT_DONE, out);
	}
	struct codex_item *item = item_new(c, brief_id(vy_json_str(whole, "id")), whole, out);

	if (!item) {
		return;
	}
	item_facts(item, whole);
	if (codex_runs_unasked(whole)) {
		codex_item_judge(c, item, whole, out);
	} else if (vy_str_is(vy_json_str(whole, "source"), "userShell")) {
		item->is_judged = true; /* a person's own command */
	}
}

void codex_item_completed(struct codex *c, const struct vy_json *params, struct agent_out *out)
{
	const struct vy_json *whole = vy_json_get(params, "item");
	struct vy_str type = vy_json_str(whole, "type"), id = brief_id(vy_json_str(whole, "id"));
	struct codex_item *item = codex_item_find(c, id);

	if (vy_str_is(type, "userMessage")) {
		return;
	}
	if (vy_str_is(type, "contextCompaction")) {
		struct vy_json *v = vy_json_new_obj();

		vy_json_set_c(v, "trigger", c->is_ordered ? "manual" : "auto");
		vy_json_set_int(v, "before", c->used);
		agent_out_add(out, AE_COMPACTED)->json = v;
		return;
	}
	if (!item && is_of_turn(c, params)) { /* its beginning was not said */
		item = item_new(c, id, whole, out);
	}
	if (!item) {
		return;
	}
	item_facts(item, whole);
	if (item->name) {
		tool_ended(c, item, whole, out);
	} else {
		words_ended(c, item, whole, out);
	}
}

/* ---- the end of a turn ---- */

void codex_item_close(struct codex *c, bool is_kept, struct agent_out *out)
{
	bool has_tasks = false;

	words_close(c, AE_TEXT_DONE, out);
	for (size_t i = 0; i < c->items.n;) {
		struct codex_item *item = &c->items.v[i];
		bool goes_on = is_kept && item->process && !item->is_behind;

		if (item->is_behind) {
			i++;
			continue;
		}
		tool_done(fields_str(item->id), goes_on ? AGENT_OK : AGENT_CANCELED,
			brief_block(goes_on ? VY_STR_LIT("It goes on behind this turn.")
					    : VY_STR_LIT("Interrupted.")),
			goes_on, out);
		if (goes_on) {
			item->is_behind = has_tasks = true;
			i++;
		} else {
			codex_item_del(c, item);
		}
	}
	if (has_tasks) {
		codex_item_tasks(c, out);
	}
}

void codex_item_gone(struct codex *c, struct agent_out *out)
{
	bool had_tasks = false;

	for (size_t i = c->items.n; i > 0; i--) {
		struct codex_item *item = &c->items.v[i - 1];

		if (item->is_behind) {
			agent_out_add(out, AE_SUB_GONE)->tool =
				vy_arena_str(out->arena, fields_str(item->id));
			codex_item_del(c, item);
			had_tasks = true;
		}
	}
	if (had_tasks) {
		codex_item_tasks(c, out);
	}
}
