/* codex_result.c -- see codex_result.h. */
#include "server/provider/codex_result.h"

#include <inttypes.h>

#include "server/provider/brief.h"
#include "shared/base/limits.h"
#include "shared/text/diff.h"
#include "shared/base/ban.h"

#define SHORT_TEXT (8 * VY_KIB) /* of a command */
#define OUTPUT_MAX (VY_FRAME_TEXT_MAX - SHORT_TEXT)
#define LINES_MAX  2000 /* of one diff */

static struct vy_json *block_new(const char *type)
{
	struct vy_json *b = vy_json_new_obj();

	vy_json_set_c(b, "type", type);
	return b;
}

/* ---- commands ---- */

/* One word of a shell, without its quotes, appended; what is behind it. */
static struct vy_str word(struct vy_str s, struct vy_buf *out)
{
	char quote = 0;
	size_t i = 0;

	for (; i < s.n; i++) {
		char ch = s.p[i];

		if (quote == 0 && (ch == ' ' || ch == '\t' || ch == '\n')) {
			break;
		}
		if (quote == 0 && (ch == '\'' || ch == '"')) {
			quote = ch;
		} else if (ch == quote && quote != 0) {
			quote = 0;
		} else if (ch == '\\' && quote != '\'' && i + 1 < s.n) {
			bool is_plain = quote == '"' && !strchr("\\\"$`\n", s.p[i + 1]);

			vy_buf_add(out, is_plain ? s.p + i : s.p + i + 1, is_plain ? 2 : 1);
			i++;
		} else {
			vy_buf_addc(out, ch);
		}
	}
	return vy_str_trim(vy_str_from(s, i));
}

struct vy_str codex_command(struct vy_str command, struct vy_arena *a)
{
	static const char *const shells[] = { "/bin/bash", "/usr/bin/bash", "bash", "/bin/sh", "sh",
		"/bin/zsh", "/usr/bin/zsh", "zsh" };
	VY_AUTO_BUF shell = VY_BUF_INIT(command.n + 1), flag = VY_BUF_INIT(command.n + 1);
	VY_AUTO_BUF inside = VY_BUF_INIT(command.n + 1);
	struct vy_str rest = word(word(vy_str_trim(command), &shell), &flag);
	bool is_shell = false;

	for (size_t i = 0; i < VY_COUNT(shells); i++) {
		is_shell |= vy_str_is(vy_buf_str(&shell), shells[i]);
	}
	is_shell &= vy_str_is(vy_buf_str(&flag), "-lc") || vy_str_is(vy_buf_str(&flag), "-c");
	if (!is_shell || word(rest, &inside).n || !inside.len) {
		return vy_arena_str(a, command);
	}
	return vy_arena_str(a, vy_buf_str(&inside));
}

static struct vy_json *terminal(const struct vy_json *item, struct vy_arena *a)
{
	struct vy_str command = codex_command(vy_json_str(item, "command"), a);
	struct vy_str output = vy_json_str(item, "aggregatedOutput");
	size_t room = brief_piece(output);
	struct vy_str shown = brief_cut(output, room < OUTPUT_MAX ? room : OUTPUT_MAX);
	const struct vy_json *code = vy_json_get(item, "exitCode");
	struct vy_json *b;

	if (vy_str_is(vy_json_str(item, "status"), "declined")) {
		return brief_block(VY_STR_LIT("Not allowed."));
	}
	if (vy_json_type(code) != VY_JSON_INT && !output.n &&
		vy_str_is(vy_json_str(item, "status"), "failed")) {
		return brief_block(VY_STR_LIT("It was not run."));
	}
	b = block_new("terminal");
	vy_json_set_str(b, "command", brief_cut(command, SHORT_TEXT));
	vy_json_set_str(b, "output", shown);
	if (vy_json_type(code) == VY_JSON_INT) {
		vy_json_set_int(b, "exit", vy_json_intval(code, 0));
	}
	if (shown.n < output.n) {
		vy_json_set_bool(b, "truncated", true);
		vy_json_set_c(b, "note",
			vy_arena_printf(a, "cut: %zu of %zu KiB", (shown.n + 1023) / VY_KIB,
				(output.n + 1023) / VY_KIB));
	}
	return b;
}

/* ---- files ---- */

static struct vy_str kind_of(const struct vy_json *change)
{
	return vy_json_str(vy_json_get(change, "kind"), "type");
}

static struct vy_str path_of(const struct vy_json *change)
{
	struct vy_str moved = vy_json_str(vy_json_get(change, "kind"), "move_path");

	return moved.n ? moved : vy_json_str(change, "path");
}

/* The change as hunks. Of a new file and of one that goes the text is the whole file. */
static void file_of(const struct vy_json *change, struct vy_str path, struct vy_arena *a,
	struct vy_diff_file *out)
{
	struct vy_str text = vy_json_str(change, "diff"), nothing = { NULL, 0 };
	struct vy_diff d = { NULL, 0 };

	memset(out, 0, sizeof(*out));
	if (vy_str_is(kind_of(change), "add")) {
		vy_diff_make(nothing, text, 3, a, out);
		out->is_created = true;
		out->new_path = path;
		return;
	}
	if (vy_str_is(kind_of(change), "delete")) {
		vy_diff_make(text, nothing, 3, a, out);
		out->is_deleted = true;
		out->old_path = path;
		return;
	}
	vy_diff_parse(brief_join(VY_STR_LIT("--- a/x\n+++ b/x\n"), text, nothing, a), a, &d);
	if (d.n) {
		*out = d.files[0];
	}
	out->old_path = out->new_path = path;
}

static struct vy_json *line_of(const struct vy_diff_line *l, struct vy_arena *a)
{
	struct vy_str kind = { &l->kind, 1 };

	return vy_json_new_str(brief_join(kind, l->text, vy_str_n(NULL, 0), a));
}

static struct vy_json *hunks_of(const struct vy_diff_file *f, bool *is_cut, struct vy_arena *a)
{
	struct vy_json *hunks = vy_json_new_arr();
	size_t count = 0, bytes = 0;

	*is_cut = false;
	for (size_t i = 0; i < f->n && !*is_cut; i++) {
		const struct vy_diff_hunk *h = &f->hunks[i];
		struct vy_json *to = vy_json_new_obj(), *lines = vy_json_new_arr();

		vy_json_set_int(to, "old_start", (int64_t)h->old_start);
		vy_json_set_int(to, "new_start", (int64_t)h->new_start);
		for (size_t k = 0; k < h->n && !*is_cut; k++) {
			bytes += h->lines[k].text.n + 8;
			*is_cut = ++count > LINES_MAX || bytes > OUTPUT_MAX;
			if (!*is_cut) {
				vy_json_add_take(lines, line_of(&h->lines[k], a));
			}
		}
		vy_json_take(to, "lines", lines);
		vy_json_add_take(hunks, to);
	}
	return hunks;
}

struct vy_json *codex_diff(const struct vy_json *change, struct vy_str cwd,
	struct codex_change *out, struct vy_arena *a)
{
	struct vy_str path = brief_path(path_of(change), cwd);
	struct vy_json *b = block_new("diff");
	struct vy_diff_file f;
	bool is_cut;

	file_of(change, path, a, &f);
	out->path = brief_cut(path, VY_DETAIL_MAX);
	out->op = f.is_created ? "create" : f.is_deleted ? "delete" : "edit";
	out->added = (int64_t)f.added;
	out->removed = (int64_t)f.removed;
	vy_json_set_str(b, "path", out->path);
	vy_json_take(b, "hunks", hunks_of(&f, &is_cut, a));
	if (f.is_created || f.is_deleted) {
		vy_json_set_bool(b, f.is_created ? "created" : "deleted", true);
	}
	vy_json_set_int(b, "added", out->added);
	vy_json_set_int(b, "removed", out->removed);
	if (is_cut) {
		vy_json_set_c(b, "note", "cut: the change is longer");
	}
	return b;
}

void codex_patch_print(
	const struct vy_json *changes, struct vy_str cwd, struct vy_arena *a, struct vy_buf *out)
{
	for (size_t i = 0; i < vy_json_len(changes); i++) {
		const struct vy_json *change = vy_json_at(changes, i);
		struct vy_diff_file f;

		file_of(change, brief_path(path_of(change), cwd), a, &f);
		vy_diff_print(&f, out);
	}
}

void codex_patch_paths(const struct vy_json *changes, struct vy_buf *out)
{
	for (size_t i = 0; i < vy_json_len(changes); i++) {
		const struct vy_json *change = vy_json_at(changes, i);
		struct vy_str moved = vy_json_str(vy_json_get(change, "kind"), "move_path");

		vy_buf_addf(out, "*** %s File: %.*s\n",
			vy_str_is(kind_of(change), "add")      ? "Add"
			: vy_str_is(kind_of(change), "delete") ? "Delete"
							       : "Update",
			VY_STR_ARG(vy_json_str(change, "path")));
		if (moved.n) {
			vy_buf_addf(out, "*** Move to: %.*s\n", VY_STR_ARG(moved));
		}
	}
}

/* ---- the rest ---- */

static struct vy_json *mcp(const struct vy_json *item, struct vy_arena *a)
{
	struct vy_str why = vy_json_str(vy_json_get(item, "error"), "message");
	const struct vy_json *content = vy_json_get(vy_json_get(item, "result"), "content");

	return brief_block(why.n ? why : brief_content(content, a));
}

static struct vy_json *image(const struct vy_json *item, struct vy_str cwd)
{
	struct vy_json *b = block_new("files"), *files = vy_json_new_arr(), *f = vy_json_new_obj();

	vy_json_set_str(
		f, "path", brief_cut(brief_path(vy_json_str(item, "path"), cwd), VY_DETAIL_MAX));
	vy_json_add_take(files, f);
	vy_json_take(b, "files", files);
	return b;
}

static struct vy_json *web(const struct vy_json *item, struct vy_arena *a)
{
	const struct vy_json *action = vy_json_get(item, "action");
	struct vy_str url = vy_json_str(action, "url"), query = vy_json_str(item, "query");
	size_t n = vy_json_len(vy_json_get(item, "results"));

	if (!n) {
		return brief_block(url.n ? url : query.n ? query : VY_STR_LIT("Done."));
	}
	return brief_block(vy_str_c(vy_arena_printf(a, "%zu result%s for %.*s", n,
		n == 1 ? "" : "s", VY_STR_ARG(brief_one_line(query, a)))));
}

/* What a person can read of an item that nobody here knows. */
static struct vy_json *other(const struct vy_json *item)
{
	static const char *const words[] = { "text", "output", "review", "prompt", "revisedPrompt",
		"savedPath", "agentPath" };

	for (size_t i = 0; i < VY_COUNT(words); i++) {
		struct vy_str s = vy_json_str(item, words[i]);

		if (s.n) {
			return brief_block(s);
		}
	}
	return brief_block(VY_STR_LIT("Done."));
}

struct vy_json *codex_block(const struct vy_json *item, struct vy_str cwd, struct vy_arena *a)
{
	struct vy_str type = vy_json_str(item, "type");

	if (vy_str_is(type, "commandExecution")) {
		return terminal(item, a);
	}
	if (vy_str_is(type, "mcpToolCall")) {
		return mcp(item, a);
	}
	if (vy_str_is(type, "webSearch")) {
		return web(item, a);
	}
	return vy_str_is(type, "imageView") ? image(item, cwd) : other(item);
}
