/* acp_block.c -- see acp_block.h. */
#include "server/provider/acp_block.h"

#include "server/provider/brief.h"
#include "server/provider/patch.h"
#include "shared/base/limits.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define OUTPUT_MAX (48 * VY_KIB) /* kept of one call's output: its beginning */
#define TAIL_MAX   (4 * VY_KIB)
#define DIFFS_MAX  50

struct vy_json *acp_block_text(struct vy_str text)
{
	return brief_block(text);
}

struct vy_str acp_block_tail(struct vy_str text)
{
	size_t from = text.n > TAIL_MAX ? text.n - TAIL_MAX : 0;

	while (from && from < text.n && ((unsigned char)text.p[from] & 0xC0) == 0x80) {
		from++;
	}
	return vy_str_from(text, from);
}

int64_t acp_block_exit(const struct acp_facts *f, const struct vy_json *update)
{
	for (size_t i = 0; i < ACP_PATHS && f->exit_at[i]; i++) {
		const struct vy_json *v = vy_json_path(update, f->exit_at[i]);

		if (vy_json_type(v) == VY_JSON_INT && vy_json_intval(v, -1) >= 0) {
			return vy_json_intval(v, -1);
		}
	}
	return -1;
}

/* ---- text ---- */

/* The lines between the fence's; what stands in none is as it is. */
static struct vy_str unfenced(struct vy_str s)
{
	if (!vy_str_starts(s, "```")) {
		return s;
	}
	const char *nl = memchr(s.p, '\n', s.n);
	struct vy_str in = nl ? vy_str_from(s, (size_t)(nl - s.p) + 1) : s;

	if (nl && in.n >= 3 && memcmp(in.p + in.n - 3, "```", 3) == 0) {
		in.n -= 3;
		in.n -= in.n && in.p[in.n - 1] == '\n';
		return in;
	}
	return s;
}

static struct vy_str content_text(
	const struct acp_facts *f, const struct vy_json *content, struct vy_arena *a)
{
	VY_AUTO_BUF b = VY_BUF_INIT(VY_LINE_MAX);

	for (size_t i = 0; i < vy_json_len(content); i++) {
		const struct vy_json *part = vy_json_get(vy_json_at(content, i), "content");
		struct vy_str type = vy_json_str(part, "type");
		struct vy_str text = vy_json_str(part, "text");

		if (!type.n) {
			continue; /* a diff, a terminal */
		}
		vy_buf_adds(&b, b.len ? "\n" : "");
		if (vy_str_is(type, "text")) {
			if (f->is_fenced) {
				text = unfenced(text);
			}
			vy_buf_addstr(&b, text);
		} else {
			vy_buf_addf(&b, "[%.*s]", VY_STR_ARG(brief_id(type)));
		}
	}
	return vy_arena_str(a, vy_buf_str(&b));
}

static bool set_output(struct acp_call *call, struct vy_str text)
{
	struct vy_str cut = brief_cut(text, OUTPUT_MAX);

	if (!cut.n || vy_str_eq(cut, fields_str(call->text))) {
		return false;
	}
	fields_str_set(&call->text, cut);
	return true;
}

static bool add_output(struct acp_call *call, struct vy_str more, struct vy_arena *a)
{
	struct vy_str old = fields_str(call->text);

	return more.n && old.n < OUTPUT_MAX &&
	       set_output(call, brief_join(old, more, vy_str_n(NULL, 0), a));
}

/* ---- what an edit changed ---- */

static struct vy_json *diff_of(const struct acp *c, const struct vy_json *d, struct vy_arena *a)
{
	struct vy_str path = vy_json_str(d, "path");
	struct vy_str was = vy_json_str(d, "oldText"), is = vy_json_str(d, "newText");
	struct patch_change change = { .path = path };
	struct vy_json *b = vy_json_new_obj(), *patch;
	bool is_new = !was.n;

	/* Nobody says whether the texts are whole files: where they stand is not known. */
	patch = patch_make(was, is, !is_new, a);
	vy_json_set_c(b, "type", "diff");
	vy_json_set_str(b, "path", brief_cut(brief_path(path, fields_str(c->cwd)), 4096));
	vy_json_take(b, "hunks", patch_hunks(patch, &change));
	if (is_new) {
		vy_json_set_bool(b, "created", true);
	}
	vy_json_set_int(b, "added", change.added);
	vy_json_set_int(b, "removed", change.removed);
	vy_json_free(patch);
	return b;
}

static void take_diffs(const struct acp *c, struct acp_call *call, const struct vy_json *content,
	struct vy_arena *a)
{
	struct vy_json *list = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(content) && vy_json_len(list) < DIFFS_MAX; i++) {
		const struct vy_json *part = vy_json_at(content, i);

		if (vy_str_is(vy_json_str(part, "type"), "diff") && vy_json_str(part, "path").n) {
			vy_json_add_take(list, diff_of(c, part, a));
		}
	}
	if (vy_json_len(list)) {
		vy_json_free(call->diffs);
		call->diffs = vy_json_ref(list);
	}
	vy_json_free(list);
}

bool acp_block_take(
	struct acp *c, struct acp_call *call, const struct vy_json *u, struct vy_arena *a)
{
	const struct acp_facts *f = acp_facts_for(c);
	const struct vy_json *content = vy_json_get(u, "content");
	struct vy_str delta = vy_json_strval(vy_json_path(u, "_meta.terminal_output_delta.data"));
	struct vy_str plain = { NULL, 0 };

	take_diffs(c, call, content, a);
	if (delta.n) {
		return add_output(call, delta, a);
	}
	for (size_t i = 0; i < ACP_PATHS && f->output_at[i] && !plain.n; i++) {
		plain = vy_json_strval(vy_json_path(u, f->output_at[i]));
	}
	if (!plain.n && call->is_running) { /* before it runs it is a description */
		plain = content_text(f, content, a);
	}
	return set_output(call, plain);
}

/* ---- blocks ---- */

static struct vy_json *terminal(const struct acp_call *call, int64_t exit_code)
{
	struct vy_json *b = vy_json_new_obj();
	struct vy_str all = fields_str(call->text), output = all;
	size_t fits = brief_piece(output);

	output = brief_cut(output, fits);
	vy_json_set_c(b, "type", "terminal");
	vy_json_set_str(b, "command", fields_str(call->command ? call->command : call->title));
	vy_json_set_str(b, "output", output);
	if (output.n < all.n || all.n + 4 > OUTPUT_MAX) {
		vy_json_set_bool(b, "truncated", true);
	}
	if (exit_code >= 0) {
		vy_json_set_int(b, "exit", exit_code);
	}
	return b;
}

/* Of several files the list: each has its own row of what changed. */
static struct vy_json *changed_files(const struct vy_json *diffs)
{
	struct vy_json *b = vy_json_new_obj(), *files = vy_json_new_arr();

	for (size_t i = 0; i < vy_json_len(diffs); i++) {
		struct vy_json *f = vy_json_new_obj();

		vy_json_set_str(f, "path", vy_json_str(vy_json_at(diffs, i), "path"));
		vy_json_add_take(files, f);
	}
	vy_json_set_c(b, "type", "files");
	vy_json_take(b, "files", files);
	return b;
}

struct vy_json *acp_block_of(const struct acp *c, const struct acp_call *call, int64_t exit_code,
	bool failed, struct vy_arena *a)
{
	struct vy_str path = vy_json_strval(vy_json_at(call->paths, 0));

	(void)a;
	if (vy_str_is(fields_str(call->kind), "execute")) {
		return terminal(call, exit_code);
	}
	if (!failed && vy_json_len(call->diffs) == 1) {
		return vy_json_copy(vy_json_at(call->diffs, 0));
	}
	if (!failed && vy_json_len(call->diffs) > 1) {
		return changed_files(call->diffs);
	}
	if (!failed && vy_str_is(fields_str(call->kind), "read") && path.n) {
		struct vy_json *b = vy_json_new_obj(), *files = vy_json_new_arr();
		struct vy_json *f = vy_json_new_obj();

		vy_json_set_str(f, "path", brief_path(path, fields_str(c->cwd)));
		if (call->text) {
			vy_json_set_str(f, "text", brief_cut(fields_str(call->text), 2 * VY_KIB));
		}
		vy_json_add_take(files, f);
		vy_json_set_c(b, "type", "files");
		vy_json_take(b, "files", files);
		return b;
	}
	return acp_block_text(fields_str(call->text));
}
