/* codex_item.h -- items of codex as texts and tools (codex-acp.md A4, A5).
 *
 * An item is words (an answer, a thought, a plan) or a tool. Words stream as deltas and are replaced
 * by the final item where it says something else. All that is open when a turn ends is closed there;
 * a command that still runs goes on behind it, as a task of its own, until its item is completed. */
#ifndef PROVIDER_CODEX_ITEM_H
#define PROVIDER_CODEX_ITEM_H

#include "server/provider/codex_state.h"

void codex_item_started(struct codex *c, const struct vy_json *params, struct agent_out *out);
void codex_item_completed(struct codex *c, const struct vy_json *params, struct agent_out *out);

/* Deltas of words; index: of a summary's part, or a content's. */
void codex_item_delta(struct codex *c, const struct vy_json *params, int64_t index,
	bool is_reasoning, struct agent_out *out);
void codex_item_output(struct codex *c, const struct vy_json *params, struct agent_out *out);
/* The words that stream never happened: the request is made again, and says them in a new item. */
void codex_item_void(struct codex *c, struct agent_out *out);
/* The commands behind an ended turn, as AE_TASKS. */
void codex_item_tasks(struct codex *c, struct agent_out *out);
/* Ends what a turn left open; `is_kept`: a command that runs goes on behind it. */
void codex_item_close(struct codex *c, bool is_kept, struct agent_out *out);
/* Nothing runs any more: the process has ended. */
void codex_item_gone(struct codex *c, struct agent_out *out);

/* The floor looks at a call that was not asked about. */
void codex_item_judge(struct codex *c, struct codex_item *item, const struct vy_json *whole,
	struct agent_out *out);

#endif
