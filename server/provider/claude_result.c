/* claude_result.c -- see claude_result.h. One small function a tool, found in a table. */
#include "server/provider/claude_result.h"

#include <inttypes.h>

#include "server/provider/brief.h"
#include "server/provider/claude_picture.h"
#include "server/provider/claude_todo.h"
#include "server/provider/patch.h"
#include "shared/base/limits.h"
#include "shared/base/ban.h"

#define SHORT_TEXT (8 * VY_KIB) /* of a result that no block fits */
#define PEEK_TEXT  (2 * VY_KIB) /* of a file that was read */

/* ---- blocks ---- */

static struct vy_json *block_new(const char *type)
{
	struct vy_json *b = vy_json_new_obj();

	vy_json_set_c(b, "type", type);
	return b;
}

/* ---- the text of a result ---- */

static struct vy_str without(struct vy_str s, const char *prefix, const char *suffix)
{
	size_t p = strlen(prefix), q = strlen(suffix);

	if (s.n < p + q || memcmp(s.p, prefix, p) != 0 || memcmp(s.p + s.n - q, suffix, q) != 0) {
		return s;
	}
	return vy_str_n(s.p + p, s.n - p - q);
}

/* "PreToolUse:Bash hook error: why" → "why": the floor's own words, not claude's about hooks. */
static struct vy_str without_hook(struct vy_str s)
{
	static const char mark[] = " hook error: ";

	if (!vy_str_starts(s, "PreToolUse:")) {
		return s;
	}
	for (size_t i = 0; i + sizeof(mark) - 1 <= s.n && i < VY_ID_MAX; i++) {
		if (memcmp(s.p + i, mark, sizeof(mark) - 1) == 0) {
			return vy_str_from(s, i + sizeof(mark) - 1);
		}
	}
	return s;
}

static struct vy_str peeled(struct vy_str s)
{
	s = without(s, "<tool_use_error>", "</tool_use_error>");
	s = without(s, "Error: ", "");
	return without_hook(s);
}

struct vy_str claude_result_text(const struct vy_json *content, struct vy_arena *a)
{
	return peeled(brief_content(content, a));
}

/* ---- shell ---- */

static struct vy_json *terminal(struct claude_result *r, struct vy_str output)
{
	struct vy_json *b = block_new("terminal");

	brief_set(b, "command", vy_json_str(r->call->input, "command"), SHORT_TEXT);
	brief_set(b, "output", output, VY_FRAME_TEXT_MAX - SHORT_TEXT);
	if (vy_json_str(b, "output").n < output.n) {
		vy_json_set_bool(b, "truncated", true);
	}
	return b;
}

static struct vy_json *shell_failed(struct claude_result *r)
{
	struct vy_str head = vy_str_n(r->text.p, 0);
	long long code;

	while (head.n < r->text.n && r->text.p[head.n] != '\n') {
		head.n++;
	}
	if (!vy_str_starts(head, "Exit code ") || !vy_parse_i64(vy_str_from(head, 10), &code)) {
		return brief_block(r->text);
	}
	struct vy_json *b = terminal(r, vy_str_from(r->text, head.n + 1));

	vy_json_set_int(b, "exit", code);
	return b;
}

static struct vy_str shell_output(struct claude_result *r)
{
	if (!r->twin) {
		return vy_str_is(r->text, "(Bash completed with no output)") ? vy_str_n("", 0)
									     : r->text;
	}
	struct vy_str out = vy_json_str(r->twin, "stdout"), err = vy_json_str(r->twin, "stderr");

	if (!err.n) {
		return out;
	}
	bool has_end = !out.n || out.p[out.n - 1] == '\n';

	return brief_join(out, has_end ? vy_str_n(NULL, 0) : VY_STR_LIT("\n"), err, r->arena);
}

static struct vy_json *shell(struct claude_result *r)
{
	if (r->outcome != AGENT_OK) {
		return shell_failed(r);
	}
	struct vy_json *b = terminal(r, shell_output(r));
	struct vy_str task = vy_json_str(r->twin, "backgroundTaskId");
	struct vy_str meaning = vy_json_str(r->twin, "returnCodeInterpretation");

	if (task.n) {
		vy_json_set_c(b, "note", "runs in the background");
	} else if (meaning.n) {
		vy_json_set_str(b, "note", brief_one_line(meaning, r->arena));
	} else {
		vy_json_set_int(b, "exit", 0);
	}
	if (vy_json_get(r->twin, "persistedOutputSize")) {
		vy_json_set_bool(b, "truncated", true);
		vy_json_set_c(b, "note",
			vy_arena_printf(r->arena, "cut by the agent: the whole is %" PRId64 " KiB",
				vy_json_int(r->twin, "persistedOutputSize", 0) / VY_KIB));
	}
	return b;
}

/* ---- files ---- */

static struct vy_json *diff(struct claude_result *r, struct vy_json *own_patch, bool is_created)
{
	struct vy_json *b = block_new("diff");

	vy_json_set_str(b, "path", brief_path(r->change.path, fields_str(r->c->cwd)));
	vy_json_take(b, "hunks", patch_hunks(own_patch, &r->change));
	if (is_created) {
		vy_json_set_bool(b, "created", true);
	}
	vy_json_set_int(b, "added", r->change.added);
	vy_json_set_int(b, "removed", r->change.removed);
	vy_json_free(own_patch);
	r->change.op = is_created ? "create" : "edit";
	return b;
}

static struct vy_json *edit(struct claude_result *r)
{
	if (r->outcome != AGENT_OK) {
		return brief_block(r->text);
	}
	const struct vy_json *in = r->call->input, *patch = vy_json_get(r->twin, "structuredPatch");
	struct vy_str path = vy_json_str(r->twin, "filePath");
	bool has_words = vy_json_get(in, "old_string") && vy_json_get(in, "new_string");

	r->change.path = path.n ? path : vy_json_str(in, "file_path");
	r->change.op = "edit";
	if (vy_json_type(patch) == VY_JSON_ARR) {
		return diff(r, vy_json_ref(vy_json_get(r->twin, "structuredPatch")), false);
	}
	if (has_words) {
		return diff(r,
			patch_make(vy_json_str(in, "old_string"), vy_json_str(in, "new_string"),
				true, r->arena),
			false);
	}
	return brief_block(r->text);
}

static struct vy_json *write_(struct claude_result *r)
{
	const struct vy_json *in = r->call->input;
	bool is_created = vy_str_is(vy_json_str(r->twin, "type"), "create");
	struct vy_str nothing = { NULL, 0 };

	if (r->outcome != AGENT_OK || (r->twin && !is_created)) {
		return edit(r);
	}
	r->change.path = r->twin ? vy_json_str(r->twin, "filePath") : vy_json_str(in, "file_path");
	r->change.op = "edit";
	if (!r->twin && !vy_json_get(in, "content")) {
		return brief_block(r->text);
	}
	return diff(r,
		patch_make(
			nothing, vy_json_str(r->twin ? r->twin : in, "content"), false, r->arena),
		is_created);
}

static struct vy_json *one_file(struct vy_str path, int64_t line, struct vy_str text)
{
	struct vy_json *b = block_new("files"), *files = vy_json_new_arr(), *f = vy_json_new_obj();

	vy_json_set_str(f, "path", path);
	if (line > 0) {
		vy_json_set_int(f, "line", line);
	}
	if (text.n) {
		vy_json_set_str(f, "text", brief_cut(text, PEEK_TEXT));
	}
	vy_json_add_take(files, f);
	vy_json_take(b, "files", files);
	return b;
}

static struct vy_json *read_(struct claude_result *r)
{
	const struct vy_json *file = vy_json_get(r->twin, "file");
	struct vy_str path =
		brief_path(vy_json_str(r->call->input, "file_path"), fields_str(r->c->cwd));
	struct vy_str type = vy_json_str(r->twin, "type");
	struct vy_json *b;

	if (r->outcome != AGENT_OK) {
		return brief_block(r->text);
	}
	if (vy_str_is(type, "image")) {
		return claude_picture(vy_json_str(file, "type"), vy_json_str(file, "base64"),
			vy_json_get(file, "dimensions"), path);
	}
	b = r->twin ? NULL : claude_picture_of(r->parts, r->arena);
	if (b) { /* a subagent's */
		vy_json_set_str(b, "alt", brief_cut(path, SHORT_TEXT));
		return b;
	}
	b = one_file(path, vy_json_int(file, "startLine", 0),
		file ? vy_json_str(file, "content") : vy_str_n(NULL, 0));
	if (file) {
		int64_t n = vy_json_int(file, "numLines", 0);
		int64_t all = vy_json_int(file, "totalLines", n);

		vy_json_set_c(b, "detail",
			n == all ? vy_arena_printf(
					   r->arena, "%" PRId64 " line%s", n, n == 1 ? "" : "s")
				 : vy_arena_printf(
					   r->arena, "%" PRId64 " of %" PRId64 " lines", n, all));
	}
	return b;
}

static struct vy_json *search(struct claude_result *r)
{
	const struct vy_json *names = vy_json_get(r->twin, "filenames");
	size_t n = vy_json_len(names);

	if (r->outcome != AGENT_OK || n == 0) {
		return brief_block(r->text);
	}
	struct vy_json *b = block_new("files"), *files = vy_json_new_arr();

	for (size_t i = 0; i < n && i < 200; i++) {
		struct vy_json *f = vy_json_new_obj();

		vy_json_set_str(f, "path",
			brief_cut(brief_path(vy_json_strval(vy_json_at(names, i)),
					  fields_str(r->c->cwd)),
				512));
		vy_json_add_take(files, f);
	}
	vy_json_take(b, "files", files);
	vy_json_set_c(b, "detail", vy_arena_printf(r->arena, "%zu file%s", n, n == 1 ? "" : "s"));
	return b;
}

/* ---- todos, agents, questions, plans ---- */

static struct vy_json *todo(struct claude_result *r)
{
	bool is_ours = r->outcome == AGENT_OK && !r->call->parent;

	return is_ours ? claude_todo_block(r->c) : brief_block(r->text);
}

/* A subagent's report comes only here; the last text is it, those before it are claude's frame. */
static struct vy_json *agent(struct claude_result *r)
{
	const struct vy_json *content = vy_json_get(r->twin, "content");
	struct vy_str report = { NULL, 0 };

	if (r->outcome != AGENT_OK) {
		return brief_block(r->text);
	}
	if (vy_json_bool(r->twin, "isAsync", false)) {
		return brief_block(VY_STR_LIT("Runs in the background."));
	}
	for (size_t i = 0; i < vy_json_len(content); i++) {
		struct vy_str text = vy_json_str(vy_json_at(content, i), "text");

		report = text.n && !vy_str_starts(text, "<tools-used") ? text : report;
	}
	if (!vy_json_get(r->twin, "totalToolUseCount")) {
		return brief_block(report.n ? report : r->text);
	}
	int64_t n = vy_json_int(r->twin, "totalToolUseCount", 0);
	struct vy_json *b = brief_block(report.n ? report : VY_STR_LIT("Done."));

	vy_json_set_c(b, "note",
		vy_arena_printf(r->arena, "%" PRId64 " tool call%s, %" PRId64 " tokens", n,
			n == 1 ? "" : "s", vy_json_int(r->twin, "totalTokens", 0)));
	return b;
}

static struct vy_json *question(struct claude_result *r)
{
	struct vy_json *answers = vy_json_get(r->twin, "answers"), *value;
	const char *key;

	if (r->outcome != AGENT_OK || vy_json_len(answers) == 0) {
		return brief_block(r->text);
	}
	struct vy_json *b = block_new("answer"), *fields = vy_json_new_arr();

	VY_JSON_EACH (answers, key, value) {
		struct vy_json *f = vy_json_new_obj();

		vy_json_set_str(f, "label", brief_cut(vy_str_c(key), SHORT_TEXT));
		vy_json_set_c(f, "kind", "text");
		vy_json_set_str(f, "value", brief_cut(vy_json_strval(value), SHORT_TEXT));
		vy_json_add_take(fields, f);
	}
	vy_json_take(b, "fields", fields);
	return b;
}

static struct vy_json *plan(struct claude_result *r)
{
	struct vy_str text = vy_json_str(r->twin, "plan");

	if (r->outcome != AGENT_OK || !text.n) {
		return brief_block(r->text);
	}
	struct vy_json *b = block_new("answer"); /* markdown */

	brief_set(b, "text", text, SHORT_TEXT);
	return b;
}

/* ---- what nobody knows ---- */

static void scalar(struct vy_buf *b, const struct vy_json *v)
{
	switch (vy_json_type(v)) {
	case VY_JSON_STR: vy_buf_addstr(b, brief_cut(vy_json_strval(v), 400)); break;
	case VY_JSON_ARR: vy_buf_addf(b, "%zu items", vy_json_len(v)); break;
	case VY_JSON_OBJ: vy_buf_addf(b, "a record of %zu", vy_json_len(v)); break;
	case VY_JSON_NULL:
	case VY_JSON_NONE: vy_buf_adds(b, "none"); break;
	case VY_JSON_BOOL:
	case VY_JSON_INT:
	case VY_JSON_REAL: vy_json_dump(v, b); break;
	}
}

/* JSON from a tool reads as lines "key: value"; braces are for machines. */
static struct vy_str flattened(struct vy_str text, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_FRAME_TEXT_MAX);
	struct vy_json *value;
	const char *key;

	if (!vy_str_starts(text, "{") && !vy_str_starts(text, "[")) {
		return text;
	}
	VY_AUTO_JSON *v = vy_json_parse_lenient(text, NULL);

	if (!v) {
		return text;
	}
	VY_JSON_EACH (v, key, value) {
		vy_buf_addf(&b, "%s: ", key);
		scalar(&b, value);
		vy_buf_addc(&b, '\n');
	}
	for (size_t i = 0; vy_json_type(v) == VY_JSON_ARR && i < vy_json_len(v); i++) {
		scalar(&b, vy_json_at(v, i));
		vy_buf_addc(&b, '\n');
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

static struct vy_json *other(struct claude_result *r)
{
	struct vy_json *b = r->outcome == AGENT_OK ? claude_picture_of(r->parts, r->arena) : NULL;

	return b ? b : brief_block(flattened(r->text, r->arena));
}

/* ---- the table ---- */

static const struct {
	const char *tool;
	struct vy_json *(*block)(struct claude_result *);
} shapes[] = {
	{ "Bash", shell },
	{ "Edit", edit },
	{ "MultiEdit", edit },
	{ "NotebookEdit", edit },
	{ "Write", write_ },
	{ "Read", read_ },
	{ "Glob", search },
	{ "Grep", search },
	{ "TodoWrite", todo },
	{ "TaskCreate", todo },
	{ "TaskUpdate", todo },
	{ "TaskList", todo },
	{ "Agent", agent },
	{ "Task", agent },
	{ "AskUserQuestion", question },
	{ "ExitPlanMode", plan },
};

struct vy_json *claude_result_block(struct claude_result *r)
{
	if (r->outcome == AGENT_CANCELED) {
		return brief_block(VY_STR_LIT("Interrupted."));
	}
	for (size_t i = 0; i < VY_COUNT(shapes); i++) {
		if (vy_str_is(fields_str(r->call->name), shapes[i].tool)) {
			return shapes[i].block(r);
		}
	}
	return other(r);
}
