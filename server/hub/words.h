/* words.h -- what a message says so far, as its two channels: from its settlements and the attempt that
 * is under way. The blocks of a channel stand HISTORY_BETWEEN apart, as in the message's one text. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/limits.h"
#include "shared/base/str.h"
#include "shared/model/message.h"

#define WORDS_MOST (16 * VY_MIB) /* of a channel */

enum channel { CHANNEL_TEXT, CHANNEL_REASONING, CHANNELS };

/* How far a channel is. */
struct channel_at {
	int64_t n;     /* deltas so far: the index of the next one */
	int64_t block; /* the block of the last one */
};

struct words {
	struct vy_buf text[CHANNELS];
	struct channel_at at[CHANNELS];
	int64_t until; /* the frame that settled it; 0: none has */
	/* For who holds so many deltas of each channel already: the block of the last of them. */
	int64_t held[CHANNELS], held_block[CHANNELS];
	bool is_ahead_too; /* … who does not mind what is not committed yet */
};

struct log;

const char *channel_word(enum channel c);

/* As of the last commit; `held` is the caller's. VY_RETRY: frames of the session wait for the next one,
 * come again behind it. VY_FULL: more than WORDS_MOST. words_fini() also after a failure. */
VY_MUST_USE int words_read(struct log *l, const char *session, const struct vy_message *m,
	struct words *out, struct vy_err *e);
void words_fini(struct words *w);

/* What stands between the words there and the first of that block; "" or HISTORY_BETWEEN. */
const char *words_between(const struct channel_at *at, int64_t block);

#endif
