/* fence.h -- what this process knows of the streams it wrote last, so that it need not ask.
 *
 * Whether a session's log still ends where we think, and in our epoch, is a question to the
 * database (store_frames.c). While nobody but us has written, our own last commit is the answer. So:
 * fence_begin() at each transaction's begin with the database's version, fence_commit() with the
 * one after it; a failure, or a row that is the fence itself, forgets all. Pure. */
#ifndef FENCE_H
#define FENCE_H

#include <stdint.h>

#include "shared/base/str.h"

#define FENCE_STREAMS 16
#define FENCE_ID_MAX  48 /* a session of a longer name is asked for each time */
#define FENCE_EPOCH   12

struct fence {
	unsigned version; /* of the database after our last commit */
	unsigned next;    /* the place to use next */
	struct {
		char session[FENCE_ID_MAX], epoch[FENCE_EPOCH + 1];
		char live[FENCE_ID_MAX]; /* who has its LIVE_CUR (store_live.h); empty: not known */
		int64_t sid, head;       /* sid 0: an empty place */
	} known[FENCE_STREAMS];
};

void fence_forget(struct fence *f);
void fence_begin(struct fence *f, unsigned version);
void fence_commit(struct fence *f, unsigned version);

/* The number of a session whose log ends at `head` in this epoch; 0: not known, ask. */
int64_t fence_find(const struct fence *f, struct vy_str session, int64_t head, const char *epoch);
/* It was asked, or written on to `head`. */
void fence_note(
	struct fence *f, struct vy_str session, int64_t sid, int64_t head, const char *epoch);

/* The number of a session whose agent's state is process `hid`'s to write; 0: not known, ask. */
int64_t fence_live(const struct fence *f, struct vy_str session, struct vy_str hid);
/* It is from now on, and of no other session; of none when this one is not known. */
void fence_note_live(struct fence *f, struct vy_str session, struct vy_str hid);

#endif
