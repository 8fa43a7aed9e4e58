/* rules.h -- the floor rules: what no agent of ours may do, whatever its settings allow.
 *
 * One pure judgement of one tool call, made before the call runs (and again when an answer
 * changes its input). A denial names its rule and needs no person; GUARD_ASK puts the call before
 * a person even where the agent's own settings allow it; nothing said means the agent's own rules
 * and the person decide. Rules are rows of tables: places that must not be read or written
 * (places.def), words that must not be run (runs.c), what programs write (files.c). Any form
 * counts: file tools, redirections, tee, cp, mv, sed -i, ln, what a wrapper runs, and the program
 * text of an interpreter. A shell line that cannot be read is judged by every word in it. */
#ifndef GUARD_RULES_H
#define GUARD_RULES_H

#include "shared/base/arena.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

enum guard_verdict { GUARD_NOTHING, GUARD_ASK, GUARD_DENY }; /* the later one is the stronger */

/* What the rules are measured against. Empty fields match nothing. */
struct guard_context {
	struct vy_str cwd;              /* the session's folder */
	struct vy_str home;             /* of the user the agent runs as */
	struct vy_str state_dir;        /* vyre's own: database, sockets, holders, secrets */
	struct vy_str config_file;      /* vyred.conf, wherever it is */
	struct vy_str agent_config_dir; /* $CLAUDE_CONFIG_DIR when it is set */
};

struct guard_answer {
	enum guard_verdict verdict;
	const char *rule; /* static: "agent-settings", "vyre-state", "answers" …; NULL */
	const char *text; /* for the person and the agent: what, why, what instead; arena; NULL */
};

/* `tool` and `input` as the agent names them (Bash {command}, Write {file_path} …). Never fails:
 * input it does not understand is judged by every string in it. */
struct guard_answer guard_check(struct vy_str tool, const struct vy_json *input,
	const struct guard_context *c, struct vy_arena *a);

#endif
