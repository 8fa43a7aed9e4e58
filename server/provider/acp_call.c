/* acp_call.c -- see acp_call.h. */
#include "server/provider/acp_call.h"

#include "server/provider/acp_block.h"
#include "server/provider/acp_say.h"
#include "server/provider/acp_turn.h"
#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define CALLS_MAX   1000 /* of one turn; a mad agent's further ones are not shown */
#define COMMAND_MAX (8 * VY_KIB)
#define PATHS_MAX   64
#define TODOS_MAX   200
#define TODO_MAX    400

/* ---- words ---- */

static const struct {
	const char *kind, *ours;
} kinds[] = {
	{ "read", "read" },
	{ "edit", "edit" },
	{ "delete", "edit" },
	{ "move", "edit" },
	{ "search", "search" },
	{ "execute", "shell" },
	{ "fetch", "web" },
};

static bool is_todo(const struct acp *c, const struct acp_call *call)
{
	const char *tool = acp_facts_for(c)->todo_tool;

	return tool && vy_str_is(fields_str(call->name), tool);
}

const char *acp_call_kind(const struct acp *c, const struct acp_call *call)
{
	for (size_t i = 0; i < VY_COUNT(kinds); i++) {
		if (vy_str_is(fields_str(call->kind), kinds[i].kind)) {
			return kinds[i].ours;
		}
	}
	return is_todo(c, call) ? "todo" : "other";
}

struct vy_str acp_call_summary(const struct acp *c, const struct acp_call *call, struct vy_arena *a)
{
	struct vy_str path = vy_json_strval(vy_json_at(call->paths, 0));
	bool is_shell = vy_str_is(fields_str(call->kind), "execute");
	struct vy_str s = is_shell && call->command ? fields_str(call->command)
			  : path.n && !is_shell     ? brief_path(path, fields_str(c->cwd))
						    : fields_str(call->title);

	s = brief_one_line(s, a);
	return s.n ? s : call->name ? fields_str(call->name) : VY_STR_LIT("a call without words");
}

/* ---- merging ---- */

static struct vy_str text_of(const struct vy_json *v)
{
	return vy_json_strval(v);
}

/* "bash -lc …" as one line: a list of words is joined by blanks. */
static void take_command(struct acp_call *call, const struct vy_json *v)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	vy_buf_addstr(&b, text_of(v));
	for (size_t i = 0; vy_json_type(v) == VY_JSON_ARR && i < vy_json_len(v); i++) {
		vy_buf_adds(&b, i ? " " : "");
		vy_buf_addstr(&b, text_of(vy_json_at(v, i)));
	}
	if (b.len) {
		fields_str_set(&call->command, brief_cut(vy_buf_str(&b), COMMAND_MAX));
	}
}

static void add_path(struct acp_call *call, struct vy_str path)
{
	if (!path.n || path.n > 4096) {
		return;
	}
	if (!call->paths) {
		call->paths = vy_json_new_arr();
	}
	for (size_t i = 0; i < vy_json_len(call->paths); i++) {
		if (vy_str_eq(vy_json_strval(vy_json_at(call->paths, i)), path)) {
			return;
		}
	}
	if (vy_json_len(call->paths) < PATHS_MAX) {
		vy_json_add_take(call->paths, vy_json_new_str(path));
	}
}

/* Where a kind of work is about files: all that it names, by whichever word. */
static void take_paths(struct acp_call *call, const struct vy_json *u)
{
	static const char *const members[] = { "file_path", "filePath", "filepath", "path",
		"absolute_path", "notebook_path" };
	const struct vy_json *in = vy_json_get(u, "rawInput");
	const struct vy_json *places = vy_json_get(u, "locations");
	const struct vy_json *content = vy_json_get(u, "content");

	if (vy_str_is(fields_str(call->kind), "execute")) {
		return; /* its place is the folder it runs in */
	}
	for (size_t i = 0; i < vy_json_len(places); i++) {
		add_path(call, vy_json_str(vy_json_at(places, i), "path"));
	}
	for (size_t i = 0; i < VY_COUNT(members); i++) {
		add_path(call, vy_json_str(in, members[i]));
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		if (vy_str_is(vy_json_str(vy_json_at(content, i), "type"), "diff")) {
			add_path(call, vy_json_str(vy_json_at(content, i), "path"));
		}
	}
}

static void take_name(const struct acp_facts *f, struct acp_call *call, const struct vy_json *u,
	bool is_announced)
{
	struct vy_str name = { NULL, 0 };

	for (size_t i = 0; i < ACP_PATHS && f->name_at[i] && !name.n; i++) {
		name = text_of(vy_json_path(u, f->name_at[i]));
	}
	if (!name.n && !call->name && f->name_in_id) {
		const char *mark = strstr(call->id, "__");

		name = mark ? vy_str_n(call->id, (size_t)(mark - call->id)) : name;
	}
	if (!name.n && !call->name && f->is_title_name && is_announced) {
		name = vy_json_str(u, "title");
	}
	if (name.n) {
		fields_str_set(&call->name, brief_id(name));
	}
}

static void merge(struct acp *c, struct acp_call *call, const struct vy_json *u, bool is_announced)
{
	const struct acp_facts *f = acp_facts_for(c);
	const struct vy_json *in = vy_json_get(u, "rawInput");
	struct vy_str kind = vy_json_str(u, "kind"), title = vy_json_str(u, "title");

	if (kind.n) {
		fields_str_set(&call->kind, brief_id(kind));
	}
	take_name(f, call, u, is_announced);
	if (title.n) {
		fields_str_set(&call->title, brief_cut(title, COMMAND_MAX));
	}
	take_command(call,
		vy_json_get(in, "command") ? vy_json_get(in, "command") : vy_json_get(in, "cmd"));
	take_paths(call, u);
}

static struct acp_call *call_new(struct acp *c, struct vy_str id)
{
	struct acp_call *call = fields_list_add(&c->calls, &acp_call_set);
	char own[VY_ID_MAX];

	snprintf(own, sizeof(own), "%.64s.t%zu", c->prompt, c->calls.n);
	fields_str_set(&call->own, vy_str_c(own));
	fields_str_set(&call->id, id);
	return call;
}

/* ---- events ---- */

static void start(struct acp *c, struct acp_call *call, struct agent_out *out)
{
	if (call->state != ACP_HELD) {
		return;
	}
	acp_turn_end_block(c, out);
	call->state = ACP_OPEN;
	struct agent_event *ev = agent_out_add(out, AE_TOOL_START);

	ev->tool = vy_arena_str(out->arena, fields_str(call->own));
	ev->name = vy_arena_str(out->arena, call->name   ? fields_str(call->name)
					    : call->kind ? fields_str(call->kind)
							 : VY_STR_LIT("tool"));
	ev->tool_kind = acp_call_kind(c, call);
	ev->text = vy_arena_str(out->arena, acp_call_summary(c, call, out->arena));
}

static void done(struct acp *c, struct acp_call *call, enum agent_outcome outcome,
	struct vy_json *own_block, struct agent_out *out)
{
	start(c, call, out);
	call->state = ACP_DONE;
	struct agent_event *ev = agent_out_add(out, AE_TOOL_DONE);

	ev->tool = vy_arena_str(out->arena, fields_str(call->own));
	ev->outcome = outcome;
	ev->json = own_block;
	for (size_t i = 0; outcome == AGENT_OK && i < vy_json_len(call->diffs); i++) {
		const struct vy_json *d = vy_json_at(call->diffs, i);

		ev = agent_out_add(out, AE_FILE_CHANGED);
		ev->tool = vy_arena_str(out->arena, fields_str(call->own));
		ev->name = vy_arena_str(out->arena, vy_json_str(d, "path"));
		ev->text = vy_json_bool(d, "created", false) ? VY_STR_LIT("create")
							     : VY_STR_LIT("edit");
		ev->added = vy_json_int(d, "added", 0);
		ev->removed = vy_json_int(d, "removed", 0);
	}
	fields_str_set(&call->text, vy_str_n(NULL, 0));
	vy_json_free(call->diffs);
	call->diffs = NULL;
}

static void finish(
	struct acp *c, struct acp_call *call, const struct vy_json *u, struct agent_out *out)
{
	bool failed = vy_str_is(vy_json_str(u, "status"), "failed");
	int64_t code = acp_block_exit(acp_facts_for(c), u);
	bool was_cut = c->is_interrupting && (failed || acp_facts_for(c)->cut_is_completed);

	if (was_cut) {
		done(c, call, AGENT_CANCELED, acp_block_text(VY_STR_LIT("Interrupted.")), out);
		return;
	}
	failed |= code > 0;
	done(c, call, failed ? AGENT_FAILED : AGENT_OK,
		acp_block_of(c, call, code, failed, out->arena), out);
}

static void progress(struct acp_call *call, struct agent_out *out)
{
	struct agent_event *ev = agent_out_add(out, AE_TOOL_PROGRESS);

	ev->tool = vy_arena_str(out->arena, fields_str(call->own));
	ev->text = vy_arena_str(out->arena, acp_block_tail(fields_str(call->text)));
}

/* ---- the floor ---- */

struct vy_json *acp_call_for_floor(const struct acp_call *call, const struct vy_json *update)
{
	struct vy_json *v = vy_json_new_obj(), *in = vy_json_new_obj();
	struct vy_str kind = fields_str(call->kind);
	const struct vy_json *raw = vy_json_get(update, "rawInput");
	bool changes =
		vy_str_is(kind, "edit") || vy_str_is(kind, "delete") || vy_str_is(kind, "move");
	VY_AUTO_BUF b = VY_BUF_INIT(VY_MIB);

	if (vy_str_is(kind, "execute")) {
		vy_json_set_c(v, "name", "Bash");
		vy_json_set_str(
			in, "command", fields_str(call->command ? call->command : call->title));
		if (vy_json_str(raw, "cwd").n) {
			vy_json_set_str(in, "cwd", vy_json_str(raw, "cwd"));
		}
	} else if (changes && vy_json_len(call->paths)) {
		for (size_t i = 0; i < vy_json_len(call->paths); i++) {
			struct vy_str path = vy_json_strval(vy_json_at(call->paths, i));

			vy_buf_addf(&b, "*** Update File: %.*s\n", VY_STR_ARG(path));
		}
		vy_json_set_c(v, "name", "apply_patch");
		vy_json_set_str(in, "input", vy_buf_str(&b));
	} else if (vy_str_is(kind, "read") && vy_json_len(call->paths) == 1) {
		vy_json_set_c(v, "name", "Read");
		vy_json_set_str(in, "file_path", vy_json_strval(vy_json_at(call->paths, 0)));
	} else {
		vy_json_set_str(v, "name", fields_str(call->name ? call->name : call->kind));
		vy_json_free(in);
		in = vy_json_type(raw) == VY_JSON_OBJ ? vy_json_copy(raw) : vy_json_new_obj();
		if (vy_json_len(call->paths)) {
			vy_json_set(in, "paths", call->paths);
		}
	}
	vy_json_take(v, "input", in);
	return v;
}

/* There is no hook before a call: what it is about is judged once it is known. One that is asked
 * for is judged as an ask; one that runs unasked ends the turn, if it may not. */
static void check(
	struct acp *c, struct acp_call *call, const struct vy_json *u, struct agent_out *out)
{
	if (call->was_checked || call->state == ACP_HELD) {
		return;
	}
	VY_AUTO_JSON *v = acp_call_for_floor(call, u);
	struct acp_theirs *t = fields_list_add(&c->theirs, &acp_theirs_set);
	struct agent_event *ev = agent_out_add(out, AE_CHECK);
	const char *id = vy_arena_printf(out->arena, "check-%s", call->own);

	call->was_checked = true;
	t->kind = ACP_CHECK;
	fields_str_set(&t->id, vy_str_c(id));
	fields_str_set(&t->call, fields_str(call->own));
	ev->request = vy_str_c(id);
	ev->tool = vy_arena_str(out->arena, fields_str(call->own));
	ev->name = vy_arena_str(out->arena, vy_json_str(v, "name"));
	ev->json = vy_json_ref(vy_json_get(v, "input"));
}

/* It runs, and nobody was asked about it. */
static void heed(struct acp *c, struct acp_call *call, struct agent_out *out)
{
	bool has_output = call->text || call->state == ACP_DONE;

	if (call->was_asked || c->is_interrupting ||
		!(call->verdict == ACP_DENIED ? call->is_running || has_output
					      : call->verdict == ACP_MUST_ASK && has_output)) {
		return;
	}
	const char *why = vy_arena_printf(out->arena,
		"The agent ran this without asking, so its turn was ended: %s. %s",
		vy_arena_dup(out->arena, acp_call_summary(c, call, out->arena).p,
			acp_call_summary(c, call, out->arena).n),
		call->why ? call->why : "");

	agent_out_add(out, AE_NOTE)->text = vy_str_c(why);
	acp_turn_cancel(c, vy_str_c(why), out);
}

void acp_call_judged(struct acp *c, struct acp_call *call, const struct agent_command *cmd,
	struct agent_out *out)
{
	call->verdict = vy_str_is(cmd->decision, "deny")  ? ACP_DENIED
			: vy_str_is(cmd->decision, "ask") ? ACP_MUST_ASK
							  : ACP_JUDGED;
	fields_str_set(&call->why, brief_cut(cmd->text, VY_KIB));
	heed(c, call, out);
}

/* ---- the to-do list ---- */

void acp_call_todo(struct acp *c, const struct vy_json *entries, struct agent_out *out)
{
	struct vy_json *b = vy_json_new_obj(), *items = vy_json_new_arr();

	vy_json_set_c(b, "type", "task");
	for (size_t i = 0; i < vy_json_len(entries) && i < TODOS_MAX; i++) {
		const struct vy_json *e = vy_json_at(entries, i);
		struct vy_str status = vy_json_str(e, "status");
		struct vy_json *item = vy_json_new_obj();

		vy_json_set_str(item, "text", brief_cut(vy_json_str(e, "content"), TODO_MAX));
		vy_json_set_c(item, "status",
			vy_str_is(status, "completed")     ? "done"
			: vy_str_is(status, "in_progress") ? "running"
							   : "pending");
		vy_json_add_take(items, item);
	}
	vy_json_take(b, "items", items);
	if (vy_json_equal(b, c->todo)) { /* said twice */
		vy_json_free(b);
		return;
	}
	vy_json_free(c->todo);
	c->todo = b;
	agent_out_add(out, AE_TODO)->json = vy_json_copy(b);
}

/* ---- doors ---- */

/* The call that this is about: one that is open, or a new one. */
static struct acp_call *call_for(struct acp *c, struct vy_str id, bool is_announced)
{
	struct acp_call *call = acp_call_find(c, id);

	if (call && !(is_announced && call->state == ACP_DONE)) {
		return call;
	}
	return c->calls.n < CALLS_MAX ? call_new(c, id) : NULL;
}

struct acp_call *acp_call_hear(struct acp *c, const struct vy_json *u, bool is_announced,
	bool is_ask, struct agent_out *out)
{
	struct vy_str id = brief_id(vy_json_str(u, "toolCallId"));
	struct vy_str status = vy_json_str(u, "status");
	bool is_over = vy_str_is(status, "completed") || vy_str_is(status, "failed");

	if (!id.n || !acp_turn_open(c, out)) {
		return NULL;
	}
	struct acp_call *call = call_for(c, id, is_announced);

	if (!call || call->state == ACP_DONE) {
		return NULL;
	}
	merge(c, call, u, is_announced);
	call->is_running |= !is_ask && (is_over || vy_str_is(status, "in_progress"));
	if (is_announced && vy_str_is(status, "pending")) {
		return call;
	}
	start(c, call, out);
	if (is_ask) {
		call->was_asked = true;
		call->was_checked = true;               /* as an ask */
		acp_block_take(c, call, u, out->arena); /* some show a change only here */
		return call;
	}
	if (acp_block_take(c, call, u, out->arena) && !is_over) {
		progress(call, out);
	}
	check(c, call, u, out);
	if (is_todo(c, call) && vy_json_path(u, "rawInput.todos")) {
		acp_call_todo(c, vy_json_path(u, "rawInput.todos"), out);
	}
	if (is_over) {
		finish(c, call, u, out);
	}
	heed(c, call, out);
	return call;
}

void acp_call_refused(struct acp *c, struct acp_call *call, struct agent_out *out)
{
	call->is_cut = true;
	if (call->state != ACP_DONE && acp_facts_for(c)->reject_is_silent) {
		done(c, call, AGENT_CANCELED, acp_block_text(VY_STR_LIT("Not allowed.")), out);
	}
}

void acp_call_end_all(struct acp *c, struct agent_out *out)
{
	for (size_t i = 0; i < c->calls.n; i++) {
		struct acp_call *call = &c->calls.v[i];

		if (call->state != ACP_DONE) {
			done(c, call, AGENT_CANCELED,
				acp_block_text(call->is_cut ? VY_STR_LIT("Not allowed.")
							    : VY_STR_LIT("Interrupted.")),
				out);
		}
	}
	fields_list_clear(&c->calls, &acp_call_set);
}
