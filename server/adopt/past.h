/* past.h -- what a reader says (provider/adopt.h), as frames of a session of ours.
 *
 * The frames are what the session would hold had it been ours: a person's words, turns, texts, calls and
 * what they gave, files; times are the transcript's. Secrets are taken out of what tools said, as
 * live. What was not taken over is said in a note of its own at the end: pictures, lines that could not
 * be read, an older part that was too large. Pure; all that is given out lives until past_free(). */
#ifndef ADOPT_PAST_H
#define ADOPT_PAST_H

#include <stdbool.h>
#include <stdint.h>

#include "server/provider/adopt.h"
#include "shared/base/arena.h"
#include "shared/base/err.h"
#include "shared/frame/frame.h"

/* Of a word that is longer than a frame holds. */
struct past_whole {
	struct vy_str message, text;
};

struct past {
	struct vy_arena mem;
	struct vy_frame *frames;
	size_t n, cap;
	struct past_whole *wholes;
	size_t n_wholes, cap_wholes;
	int64_t turn, messages; /* the newest turn's number; answers of the assistant */
	int64_t upto;           /* bytes of the file that are in it */
	struct vy_str mark; /* where the agent's own history stands (AE_MARK); empty: not said */
	int64_t skipped, images;
	bool is_cut; /* its beginning was left out */
};

struct past_of {
	const char *session;             /* ours */
	struct vy_str person, assistant; /* authors */
	int64_t turn, messages;          /* it goes on behind that */
	int64_t now;                     /* for what has no time of its own */
	/* It is known already: neither it nor what belongs to it is said again. NULL: nothing is. */
	bool (*is_known)(void *ctx, struct vy_str message);
	void *ctx;
};

/* The reading's sink is not the caller's to set. Owned. */
struct past *past_new(
	const struct adopt_kind *kind, struct adopt_reading *r, const struct past_of *of);
void past_free(struct past *p); /* NULL is fine */

#endif
