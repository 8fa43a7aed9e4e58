/* codex_words.c -- see codex_words.h. */
#include "server/provider/codex_words.h"

#include "server/provider/brief.h"
#include "server/provider/codex_result.h"
#include "shared/base/ban.h"

/* `about` names the item's member that says what it is about. */
static const struct {
	const char *type, *name, *kind, *about;
} tools[] = {
	{ "commandExecution", "shell", "shell", NULL },
	{ "fileChange", "apply_patch", "edit", NULL },
	{ "mcpToolCall", NULL, "other", "tool" },
	{ "dynamicToolCall", NULL, "other", "tool" },
	{ "collabAgentToolCall", NULL, "agent", "prompt" },
	{ "subAgentActivity", "subagent", "agent", "agentPath" },
	{ "webSearch", "web_search", "web", "query" },
	{ "imageView", "view_image", "read", "path" },
	{ "imageGeneration", "image_generation", "other", "revisedPrompt" },
	{ "functionCallOutput", NULL, "other", "name" },
	{ "sleep", "sleep", "other", NULL },
	{ "enteredReviewMode", "review", "other", "review" },
	{ "exitedReviewMode", "review", "other", "review" },
};

bool codex_is_words(struct vy_str type)
{
	return vy_str_is(type, "agentMessage") || vy_str_is(type, "reasoning") ||
	       vy_str_is(type, "plan");
}

static size_t find(struct vy_str type)
{
	size_t i = 0;

	while (i < VY_COUNT(tools) && !vy_str_is(type, tools[i].type)) {
		i++;
	}
	return i;
}

const char *codex_tool_kind(struct vy_str type)
{
	size_t i = find(type);

	return i < VY_COUNT(tools) ? tools[i].kind : "other";
}

struct vy_str codex_tool_name(const struct vy_json *item, struct vy_arena *a)
{
	struct vy_str type = vy_json_str(item, "type"), server = vy_json_str(item, "server");
	struct vy_str tool = vy_json_str(item, "tool"), name = vy_json_str(item, "name");
	size_t i = find(type);

	if (i < VY_COUNT(tools) && tools[i].name) {
		return vy_str_c(tools[i].name);
	}
	if (vy_str_is(type, "mcpToolCall")) {
		return brief_id(vy_str_c(vy_arena_printf(
			a, "mcp__%.*s__%.*s", VY_STR_ARG(server), VY_STR_ARG(tool))));
	}
	name = tool.n ? tool : name.n ? name : type;
	name = brief_id(name);
	return name.n ? name : VY_STR_LIT("tool");
}

static struct vy_str paths_of(const struct vy_json *item, struct vy_str cwd, struct vy_arena *a)
{
	const struct vy_json *changes = vy_json_get(item, "changes");
	size_t n = vy_json_len(changes);
	struct vy_str first = brief_path(vy_json_str(vy_json_at(changes, 0), "path"), cwd);

	return n > 1 ? vy_str_c(vy_arena_printf(a, "%.*s and %zu more", VY_STR_ARG(first), n - 1))
		     : first;
}

struct vy_str codex_about(const struct vy_json *item, struct vy_str cwd, struct vy_arena *a)
{
	struct vy_str type = vy_json_str(item, "type");
	size_t i = find(type);

	if (vy_str_is(type, "commandExecution")) {
		return codex_command(vy_json_str(item, "command"), a);
	}
	if (vy_str_is(type, "fileChange")) {
		return paths_of(item, cwd, a);
	}
	return i < VY_COUNT(tools) && tools[i].about
		       ? brief_path(vy_json_str(item, tools[i].about), cwd)
		       : type;
}

bool codex_runs_unasked(const struct vy_json *item)
{
	struct vy_str type = vy_json_str(item, "type");

	if (vy_str_is(type, "commandExecution")) {
		return vy_json_str(item, "processId").n > 0 &&
		       !vy_str_is(vy_json_str(item, "source"), "userShell");
	}
	return vy_str_is(type, "mcpToolCall") || vy_str_is(type, "dynamicToolCall");
}

int64_t codex_hash(int64_t hash, struct vy_str s)
{
	uint64_t h = (uint64_t)hash;

	for (size_t i = 0; i < s.n; i++) {
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u; /* FNV-1a */
	}
	return (int64_t)h;
}
