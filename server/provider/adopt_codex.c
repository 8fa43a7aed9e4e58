/* adopt_codex.c -- what Codex left: a rollout of lines a thread.
 *
 * `item_completed` events are what a person saw; they are brought into the shape that the server of
 * codex gives them live and told by the driver's own machine. Files of older versions have none:
 * there the events `user_message` and `agent_message` are the words, and calls are read from what went
 * to the model. */
#include "server/provider/adopt.h"

#include "server/provider/brief.h"
#include "server/provider/codex_item.h"
#include "server/provider/codex_state.h"
#include "shared/base/hash.h"
#include "shared/base/mem.h"
#include "shared/base/ban.h"

#define THE_TURN                                                                                   \
	"past" /* all of a file is one turn to the machine: it ends what is open by itself */
#define SHOWN_MAX 8192 /* of an older call's output */

static const char *const not_typed[] = { "<environment_context", "<user_instructions",
	"<permissions", "<skills_instructions", "<collaboration_mode", "<turn_aborted",
	"# AGENTS.md instructions", NULL };

/* ---- a glance ---- */

/* rollout-2026-11-30T20-34-29-UUID.jsonl */
static struct vy_str id_of(struct vy_str name)
{
	static const char ending[] = ".jsonl";
	size_t n = sizeof(ending) - 1;
	struct vy_str id = { NULL, 0 };

	if (vy_str_starts(name, "rollout-") && name.n > n + VY_UUID_LEN &&
		memcmp(name.p + name.n - n, ending, n) == 0) {
		id = vy_str_n(name.p + name.n - n - VY_UUID_LEN, VY_UUID_LEN);
	}
	return vy_is_uuid(id) ? id : vy_str_n(NULL, 0);
}

/* What a person said, in any of the shapes; empty: the line is none of that. */
static struct vy_str word_of(const struct vy_json *line, struct vy_arena *a, int *images)
{
	const struct vy_json *p = vy_json_get(line, "payload"), *item = vy_json_get(p, "item");
	struct vy_str type = vy_json_str(p, "type"), text = { NULL, 0 };

	if (!vy_str_is(vy_json_str(line, "type"), "event_msg")) {
		return text;
	}
	if (vy_str_is(type, "user_message")) {
		text = vy_json_str(p, "message");
		*images += (int)vy_json_len(vy_json_get(p, "images"));
	} else if (vy_str_is(type, "item_completed") &&
		   vy_str_is(vy_json_str(item, "type"), "UserMessage")) {
		text = adopt_text(vy_json_get(item, "content"), images, a);
	}
	return adopt_is_tagged(text, not_typed) ? vy_str_n(NULL, 0) : vy_arena_str(a, text);
}

/* A thread that another thread began is part of that one. */
static bool is_subagent(const struct vy_json *meta)
{
	return vy_json_type(vy_json_get(meta, "source")) == VY_JSON_OBJ ||
	       vy_str_is(vy_json_str(meta, "thread_source"), "subagent");
}

static void glance(const struct adopt_piece *p, struct vy_arena *a, struct adopt_glance *out)
{
	struct vy_str rest = p->head, line;
	bool has_words = false;
	int images = 0;

	out->id = id_of(p->name);
	if (!out->id.n) {
		out->is_none = true;
		return;
	}
	while (!out->title.n && adopt_line(&rest, true, &line)) {
		bool is_meta = memmem(line.p, line.n, "\"session_meta\"", 14) != NULL;
		bool is_user = memmem(line.p, line.n, "\"user_message\"", 14) ||
			       memmem(line.p, line.n, "\"UserMessage\"", 13);
		VY_AUTO_JSON *v = is_meta || is_user ? adopt_object(line) : NULL;

		if (v && is_meta && !out->cwd.n) {
			const struct vy_json *meta = vy_json_get(v, "payload");

			out->cwd = vy_arena_str(a, vy_json_str(meta, "cwd"));
			out->is_none |= is_subagent(meta);
		} else if (v && is_user) {
			out->title = word_of(v, a, &images);
			has_words = true;
		}
	}
	if (!out->cwd.n) { /* its first line is longer than what we saw */
		out->cwd = adopt_member(p->head, "cwd", a);
	}
	out->is_none |= !has_words && !p->tail.n;
}

/* ---- items, as they are live ---- */

struct reading {
	struct adopt_reading *r;
	struct codex *codex;
	struct agent_out out;
	struct vy_arena mem;
	bool is_old;           /* without item_completed */
	struct vy_json *calls; /* of an older file, open: {call_id: {name, about}} */
	int64_t made;          /* names that we gave */
};

static struct vy_str joined(const struct vy_json *words, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(256 * 1024);
	size_t n = vy_json_len(words);

	if (vy_json_type(words) == VY_JSON_STR) {
		return vy_json_strval(words);
	}
	if (n == 3 && vy_str_starts(vy_json_strval(vy_json_at(words, 1)), "-")) {
		return vy_json_strval(vy_json_at(words, 2)); /* of a shell */
	}
	for (size_t i = 0; i < n; i++) {
		vy_buf_adds(&b, i ? " " : "");
		vy_buf_addstr(&b, vy_json_strval(vy_json_at(words, i)));
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

static struct vy_json *changes_of(const struct vy_json *disk)
{
	struct vy_json *list = vy_json_new_arr(), *c;
	const char *path;

	VY_JSON_EACH (disk, path, c) {
		struct vy_json *o = vy_json_new_obj(), *kind = vy_json_new_obj();
		struct vy_str diff = vy_json_str(c, "unified_diff");

		vy_json_set_c(o, "path", path);
		vy_json_set_str(kind, "type", vy_json_str(c, "type"));
		vy_json_set(kind, "move_path", vy_json_get(c, "move_path"));
		vy_json_take(o, "kind", kind);
		vy_json_set_str(o, "diff", diff.n ? diff : vy_json_str(c, "content"));
		vy_json_add_take(list, o);
	}
	return list;
}

static void rename_member(struct vy_json *o, const char *from, const char *to)
{
	if (vy_json_get(o, from)) {
		vy_json_set(o, to, vy_json_get(o, from));
	}
}

/* AgentMessage → agentMessage, and its members as they are said live. */
static struct vy_json *live_item(const struct vy_json *disk, struct vy_arena *a)
{
	struct vy_json *o = vy_json_copy(disk);
	char *type = vy_arena_printf(a, "%.*s", VY_STR_ARG(vy_json_str(disk, "type")));
	int images = 0;

	if (type[0] >= 'A' && type[0] <= 'Z') {
		type[0] = (char)(type[0] - 'A' + 'a');
	}
	vy_json_set_c(o, "type", type);
	if (strcmp(type, "agentMessage") == 0) {
		vy_json_set_str(o, "text", adopt_text(vy_json_get(disk, "content"), &images, a));
	} else if (strcmp(type, "commandExecution") == 0) {
		vy_json_set_str(o, "command", joined(vy_json_get(disk, "command"), a));
	} else if (strcmp(type, "fileChange") == 0) {
		vy_json_take(o, "changes", changes_of(vy_json_get(disk, "changes")));
	}
	rename_member(o, "summary_text", "summary");
	rename_member(o, "raw_content", "content");
	rename_member(o, "aggregated_output", "aggregatedOutput");
	rename_member(o, "exit_code", "exitCode");
	rename_member(o, "revised_prompt", "revisedPrompt");
	return o;
}

/* ---- what is told ---- */

static void drain(struct reading *x, int64_t time)
{
	for (size_t i = 0; i < x->out.n; i++) {
		x->r->sink->event(x->r->sink->ctx, &x->out.events[i], time);
	}
	agent_out_clear(&x->out);
	vy_arena_reset(&x->mem);
}

static struct vy_str name_made(struct reading *x, int64_t time)
{
	return vy_str_c(
		vy_arena_printf(&x->mem, "past-%lld-%lld", (long long)time, (long long)++x->made));
}

static void on_word(struct reading *x, const struct vy_json *line, int64_t time)
{
	const struct vy_json *item = vy_json_path(line, "payload.item");
	struct adopt_said s = { .time = time };
	struct vy_str named = vy_json_str(item, "client_id");

	s.text = word_of(line, &x->mem, &s.images);
	s.message = brief_id(named.n ? named : vy_json_str(item, "id"));
	if (!s.message.n) {
		s.message = name_made(x, time);
	}
	if (s.text.n || s.images) {
		x->r->sink->said(x->r->sink->ctx, &s);
	}
	vy_arena_reset(&x->mem);
}

static void on_item(struct reading *x, const struct vy_json *payload, int64_t time)
{
	VY_AUTO_JSON *params = vy_json_new_obj();

	vy_json_set_c(params, "turnId", THE_TURN);
	vy_json_take(params, "item", live_item(vy_json_get(payload, "item"), &x->mem));
	codex_item_completed(x->codex, params, &x->out);
	drain(x, time);
}

/* An older file: words, … */
static void on_old_word(struct reading *x, const struct vy_json *payload, int64_t time)
{
	bool is_thought = vy_str_is(vy_json_str(payload, "type"), "agent_reasoning");
	const struct adopt_block b = { .message = name_made(x, time), .is_reasoning = is_thought };

	adopt_tell(x->r->sink, &b, vy_json_str(payload, is_thought ? "text" : "message"), time);
	vy_arena_reset(&x->mem);
}

/* … and calls, which have an input and an output. */
static void on_old_call(struct reading *x, const struct vy_json *p)
{
	struct vy_json *o = vy_json_new_obj();
	struct vy_str raw = vy_json_str(p, "arguments");
	VY_AUTO_JSON *args = adopt_object(raw);
	const struct vy_json *cmd = vy_json_get(args, "command");
	struct vy_str about = joined(cmd ? cmd : vy_json_get(args, "cmd"), &x->mem);

	vy_json_set_str(o, "name", vy_json_str(p, "name"));
	vy_json_set_str(o, "about", about);
	vy_json_take(x->calls,
		vy_arena_printf(&x->mem, "%.*s", VY_STR_ARG(vy_json_str(p, "call_id"))), o);
	vy_arena_reset(&x->mem);
}

static struct vy_str output_of(const struct vy_json *p, struct vy_arena *a)
{
	struct vy_str raw = vy_json_str(p, "output");
	VY_AUTO_JSON *v = adopt_object(raw);
	struct vy_str inner = vy_json_str(v, "output");
	int images = 0;

	if (!raw.n) {
		return adopt_text(vy_json_get(p, "output"), &images, a);
	}
	return vy_arena_str(a, inner.n ? inner : raw);
}

static void on_old_output(struct reading *x, const struct vy_json *p, int64_t time)
{
	const char *id = vy_arena_printf(&x->mem, "%.*s", VY_STR_ARG(vy_json_str(p, "call_id")));
	const struct vy_json *call = vy_json_get(x->calls, id);
	struct vy_str about = vy_json_str(call, "about"), shown = output_of(p, &x->mem);
	struct adopt_call c = { .id = vy_str_c(id),
		.name = vy_json_str(call, "name"),
		.about = brief_one_line(about, &x->mem),
		.kind = about.n ? "shell" : "other",
		.outcome = AGENT_OK };

	if (call) {
		shown = brief_cut(shown, SHOWN_MAX);
		c.own_block = brief_block(shown);
		if (about.n) {
			vy_json_free(c.own_block);
			c.own_block = vy_json_new_obj();
			vy_json_set_c(c.own_block, "type", "terminal");
			vy_json_set_str(c.own_block, "command", brief_cut(about, SHOWN_MAX));
			vy_json_set_str(c.own_block, "output", shown);
		}
		adopt_tell_call(x->r->sink, &c, time);
		vy_json_del(x->calls, id);
	}
	vy_arena_reset(&x->mem);
}

static void on_event(struct reading *x, const struct vy_json *line, int64_t time)
{
	const struct vy_json *p = vy_json_get(line, "payload");
	struct vy_str type = vy_json_str(p, "type"),
		      of = vy_json_str(vy_json_get(p, "item"), "type");
	bool is_item = vy_str_is(type, "item_completed") && of.n > 0;

	if (is_item && !vy_str_is(of, "UserMessage")) {
		on_item(x, p, time);
	} else if (is_item || (x->is_old && vy_str_is(type, "user_message"))) {
		on_word(x, line, time);
	} else if (x->is_old &&
		   (vy_str_is(type, "agent_message") || vy_str_is(type, "agent_reasoning"))) {
		on_old_word(x, p, time);
	} else if (vy_str_is(type, "turn_aborted") || vy_str_is(type, "task_complete")) {
		codex_item_close(x->codex, false, &x->out);
		agent_out_add(&x->out, AE_MARK)->mark =
			vy_arena_str(&x->mem, brief_id(vy_json_str(p, "turn_id")));
		drain(x, time);
		x->r->sink->over(x->r->sink->ctx, time);
	}
}

static void on_line(struct reading *x, const struct vy_json *line)
{
	const struct vy_json *p = vy_json_get(line, "payload");
	struct vy_str type = vy_json_str(line, "type"), of = vy_json_str(p, "type");
	int64_t time = adopt_time(vy_json_str(line, "timestamp"));

	if (vy_str_is(type, "event_msg")) {
		on_event(x, line, time);
	} else if (x->is_old && vy_str_is(type, "response_item") &&
		   vy_str_is(of, "function_call")) {
		on_old_call(x, p);
	} else if (x->is_old && vy_str_is(type, "response_item") &&
		   vy_str_is(of, "function_call_output")) {
		on_old_output(x, p, time);
	}
}

static void read_all(struct adopt_reading *r)
{
	const struct provider_launch launch = { .cwd = r->cwd };
	struct reading x = { .r = r, .calls = vy_json_new_obj() };
	struct vy_str rest = r->text, line;

	vy_arena_init(&x.mem);
	agent_out_init(&x.out, &x.mem);
	x.codex = codex_new(&launch);
	fields_str_set(&x.codex->turn, VY_STR_LIT(THE_TURN));
	x.is_old = r->text.n && !memmem(r->text.p, r->text.n, "\"item_completed\"", 16);
	while (adopt_line(&rest, true, &line)) {
		VY_AUTO_JSON *v = vy_str_trim(line).n ? adopt_object(line) : NULL;

		if (v) {
			on_line(&x, v);
		} else {
			r->skipped += vy_str_trim(line).n > 0;
		}
	}
	codex_item_close(x.codex, false, &x.out);
	drain(&x, 0);
	codex_free(x.codex);
	vy_json_free(x.calls);
	agent_out_fini(&x.out);
	vy_arena_fini(&x.mem);
}

const struct adopt_kind adopt_codex = { "codex", "Codex", glance, read_all };
