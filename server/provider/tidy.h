/* tidy.h -- what a line of an agent's protocol is about, in a word and in a few, for people who look
 * into what a provider does (server/hub/observe.h). It knows where agents' messages have their words
 * and no more: a line of a kind nobody knows has its kind. Pure. */
#ifndef TIDY_H
#define TIDY_H

#include "shared/base/buf.h"
#include "shared/base/json.h"

/* "stream_event/content_block_delta", "Hello"; `v` NULL: the line is text, and says itself. */
void tidy_line(
	const struct vy_json *v, struct vy_str line, struct vy_buf *kind, struct vy_buf *summary);

#endif
