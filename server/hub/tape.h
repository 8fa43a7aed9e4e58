/* tape.h -- the newest lines of one conversation with an agent, as they were on the wire.
 *
 * Written on the way of every word, so a line costs one copy into memory that is there: chunks in a
 * row, the oldest of which is dropped whole when the tape is full. Lines are numbered without a gap.
 * A line longer than TAPE_LINE_MAX is kept as its beginning. Bytes are as they came, secrets and
 * all: they never leave but by observe.h, which takes those out, and are wiped when they go. Pure. */
#ifndef TAPE_H
#define TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "shared/base/str.h"

#define TAPE_CHUNK    (32 * 1024)
#define TAPE_MAX      (512 * 1024) /* of one tape: some 1,800 lines of a stream of words */
#define TAPE_LINE_MAX (60 * 1024)

enum tape_way {
	TAPE_IN,
	TAPE_IN_ERR,
	TAPE_OUT,
	TAPE_WAYS
}; /* from the agent: stdout, stderr; to it */

struct tape_line {
	int64_t n;     /* its number, from 1 */
	int64_t time;  /* wall ms */
	uint32_t part; /* of the conversation: which attachment */
	enum tape_way way;
	size_t whole;       /* how long it was; more than text.n when it was cut */
	struct vy_str text; /* lent until the tape is written or dropped */
};

struct tape_chunk;
TAILQ_HEAD(tape_chunks, tape_chunk);

struct tape {
	struct tape_chunks chunks;
	int64_t next; /* the number of the next line */
	size_t bytes; /* of all chunks */
	/* Does a line of that way, the oldest held, stand in the midst of a private key's block? */
	bool in_key[TAPE_WAYS];
};

void tape_init(struct tape *t);
void tape_fini(struct tape *t);

/* `n` and `text` of `line` are the caller's words and its number here. */
void tape_write(struct tape *t, const struct tape_line *line);
int64_t tape_first(const struct tape *t); /* the oldest held; next when none is */
/* The first line from number `n` on; false: there is none yet. */
bool tape_read(const struct tape *t, int64_t n, struct tape_line *out);
void tape_drop_oldest(struct tape *t); /* a chunk of lines */

/* Lines come one by one, and a private key's block goes over many: is this line of one? */
bool tape_is_of_key(bool *in_key, struct vy_str line);

#endif
