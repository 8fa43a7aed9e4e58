/* acp_facts.c -- see acp_facts.h. */
#include "server/provider/acp_facts.h"

#include "shared/base/ban.h"

static const struct acp_facts acp_facts[] = {
	{
		.agent = "OpenCode",
		.login = "opencode auth login",
		.modes = { { "build" }, { NULL }, { "plan" } },
		.exit_at = { "rawOutput.metadata.exit" },
		.todo_tool = "todowrite",
		.is_title_name = true,
		.cut_is_completed = true,
	},
	{
		.agent = "@agentclientprotocol/claude-agent-acp",
		.login = "claude",
		.modes = { { "default" }, { "acceptEdits" }, { "plan" } },
		.name_at = { "_meta.claudeCode.toolName" },
		.output_at = { "rawOutput" },
		.is_fenced = true,
	},
	{
		.agent = "gemini-cli",
		.login = "gemini",
		.modes = { { "default" }, { "autoEdit" }, { "plan" } },
		.name_in_id = true,
		.replay_after_answer = true,
		.reject_is_silent = true,
	},
	{
		.agent = "@agentclientprotocol/codex-acp",
		.login = "codex login",
		/* "agent" reviews by itself and asks for little: it is none of ours */
		.modes = { { "read-only" }, { "workspace-write" }, { NULL } },
		.name_at = { "name" },
		.exit_at = { "_meta.terminal_exit.exit_code", "rawOutput.exit_code" },
		.retry_at = "_meta.codex.error",
	},
	{
		.agent = "*", /* all others: what the protocol says, and what is likely */
		.modes = { { "default", "ask", "build", "code", "agent" },
			{ "acceptEdits", "accept-edits", "autoEdit", "auto-edit" },
			{ "plan", "architect" } },
		.name_at = { "name" },
		.exit_at = { "_meta.terminal_exit.exit_code", "rawOutput.exit_code",
			"rawOutput.exitCode" },
	},
};

const struct acp_facts *acp_facts_of(struct vy_str agent)
{
	size_t i = 0;

	while (i + 1 < VY_COUNT(acp_facts) && !vy_str_starts(agent, acp_facts[i].agent)) {
		i++;
	}
	return &acp_facts[i];
}

static const char *const mode_words[ACP_MODES] = { "default", "acceptEdits", "plan" };

const char *acp_mode_word(const struct acp_facts *f, struct vy_str id)
{
	for (size_t m = 0; m < ACP_MODES; m++) {
		for (size_t i = 0; i < ACP_IDS && f->modes[m][i]; i++) {
			if (vy_str_is(id, f->modes[m][i])) {
				return mode_words[m];
			}
		}
	}
	return NULL;
}

enum acp_mode acp_mode_of(struct vy_str word)
{
	size_t m = 0;

	while (m < ACP_MODES && !vy_str_is(word, mode_words[m])) {
		m++;
	}
	return (enum acp_mode)m;
}
