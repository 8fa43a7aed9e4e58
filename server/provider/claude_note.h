/* claude_note.h -- small things claude says, in the house's shape: sentences and lists. Pure. */
#ifndef PROVIDER_CLAUDE_NOTE_H
#define PROVIDER_CLAUDE_NOTE_H

#include "server/provider/claude_state.h"

struct vy_json *claude_note_ready(const struct claude *c, const struct vy_json *hello);
struct vy_json *claude_note_tasks(const struct vy_json *tasks);
struct vy_str claude_note_retry(const struct vy_json *line, struct vy_arena *a);

/* A usage limit, when its state changed. */
void claude_note_limit(struct claude *c, const struct vy_json *info, struct agent_out *out);

/* What rewind_files answered (AE_FILES), or why it refused. `is_done`: it was no dry run. */
void claude_note_files(const struct vy_json *r, bool is_done, struct agent_out *out);
void claude_note_no_files(struct vy_str why, bool is_done, struct agent_out *out);

/* "claude ended with status 1: its last words". */
struct vy_str claude_note_exit(const struct claude *c, int status, int signo, struct vy_arena *a);

#endif
