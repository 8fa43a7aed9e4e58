/* judge.h -- what must be true of any session, seen by anybody, whatever happened to the server.
 *
 * Each says yes, or no and why. Pure. */
#ifndef TESTS_PLAY_JUDGE_H
#define TESTS_PLAY_JUDGE_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "tests/play/viewer.h"

/* One who watched from the start and to an end: cursors 1, 2, 3 …; a message is sent once, or queued
 * and then taken or taken back once; nothing is said in a block that is done; a tool that started
 * finished once; an ask was answered once; a turn's last word is `status waiting`. */
bool judge_whole(const struct viewer *v, struct vy_buf *why);

/* Both saw the same, where what they asked for overlaps. */
bool judge_same(const struct viewer *a, const struct viewer *b, struct vy_buf *why);

/* The session as text that is equal for equal runs: one line a frame, ids by the order in which
 * they came up, no times. */
void judge_transcript(const struct viewer *v, struct vy_buf *out);

/* The first line in which two transcripts differ. */
bool judge_equal(struct vy_str got, struct vy_str want, struct vy_buf *why);

#endif
