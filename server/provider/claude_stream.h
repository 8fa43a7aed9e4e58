/* claude_stream.h -- the words of claude's messages: deltas as they come, completed by the block.
 *
 * A block of the main thread is announced and streamed (stream_event), then repeated whole in an
 * `assistant` line; a subagent's block, and one that claude made up itself, comes only whole. The
 * repeat adds what no delta brought, never a second copy. Blocks that no `assistant` line
 * completed belong to a request that was retried (void) or to a turn that was cut (done). Pure. */
#ifndef PROVIDER_CLAUDE_STREAM_H
#define PROVIDER_CLAUDE_STREAM_H

#include "server/provider/claude_state.h"

/* `event` of a stream_event line of the main thread. */
void claude_stream_event(struct claude *c, const struct vy_json *event, struct agent_out *out);

/* A text or thinking block of an `assistant` line, or the place of another kind of block in its
 * message (`kind`; it makes no event). Its index there. */
int64_t claude_stream_block(struct claude *c, struct vy_str parent, struct vy_str message,
	enum claude_block_kind kind, struct vy_str text, struct agent_out *out);

/* Ends the main thread's message: what is unfinished is done (`is_kept`) or void. */
void claude_stream_end(struct claude *c, bool is_kept, struct agent_out *out);

/* Forgets a subagent's message, at its end. */
void claude_stream_forget(struct claude *c, struct vy_str parent);

#endif
