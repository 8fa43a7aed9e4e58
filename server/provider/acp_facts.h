/* acp_facts.h -- where agents of the Agent Client Protocol differ: one row each, measured.
 *
 * The row is found by the name an agent gives itself (`agentInfo.name`), the first one by its
 * beginning; the last row is for all others. Nothing else in this room looks at that name. Members
 * are paths into a tool call's update ("rawOutput.metadata.exit"); NULL: it has none. */
#ifndef PROVIDER_ACP_FACTS_H
#define PROVIDER_ACP_FACTS_H

#include <stdbool.h>

#include "shared/base/str.h"

#define ACP_PATHS 3
#define ACP_IDS   5

enum acp_mode { ACP_DEFAULT, ACP_ACCEPT_EDITS, ACP_PLAN, ACP_MODES };

struct acp_facts {
	const char *agent;
	const char *login;                     /* the command that logs in; NULL: unknown */
	const char *modes[ACP_MODES][ACP_IDS]; /* ids that are ours, the best first */
	const char *name_at[ACP_PATHS];        /* the tool's own name */
	const char *output_at[ACP_PATHS];      /* the output in plain, better than `content` */
	const char *exit_at[ACP_PATHS];
	const char *todo_tool;    /* its to-do list is this tool's rawInput.todos */
	const char *retry_at;     /* of session_info_update: it tries again, in words */
	bool name_in_id;          /* NAME__callid */
	bool is_title_name;       /* the first title of a call is the tool's name */
	bool replay_after_answer; /* session/load: history behind the answer, until its commands */
	bool reject_is_silent;    /* no update for a call that was refused */
	bool cut_is_completed;    /* a call that a cancel cut ends "completed" */
	bool is_fenced;           /* output stands between ``` lines */
};

const struct acp_facts *acp_facts_of(struct vy_str agent);

/* The house's word for a mode's id, NULL when it is none of ours. */
const char *acp_mode_word(const struct acp_facts *f, struct vy_str id);
enum acp_mode acp_mode_of(struct vy_str word); /* ACP_MODES: no such word */

#endif
