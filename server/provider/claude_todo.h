/* claude_todo.h -- the list of what claude wants to do, folded from its todo tools: TodoWrite says
 * the whole, TaskCreate, TaskUpdate and TaskList say what changed. Only the main thread's. Pure. */
#ifndef PROVIDER_CLAUDE_TODO_H
#define PROVIDER_CLAUDE_TODO_H

#include "server/provider/claude_state.h"

/* Takes a successful result's twin in; true when the list changed. */
bool claude_todo_fold(struct claude *c, struct vy_str tool, const struct vy_json *input,
	const struct vy_json *twin);

/* {type: "task", items: [{text, status}]}, owned by the caller. */
struct vy_json *claude_todo_block(const struct claude *c);

#endif
