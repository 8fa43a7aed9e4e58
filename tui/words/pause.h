/* pause.h -- why sessions wait, in a person's words: the reason that the server gives is a word of the
 * wire (disk-full, disk-failed, storage-slow, damaged, not-ours). */
#ifndef WORDS_PAUSE_H
#define WORDS_PAUSE_H

#include "shared/base/str.h"

/* What is so and what it means. A reason that this client does not know, and damage, whose remedy the
 * server names, are said in the server's own words, `note`. Borrowed. */
struct vy_str words_pause(struct vy_str reason, struct vy_str note);

/* A few words for a line of state. */
const char *words_pause_short(struct vy_str reason);

#endif
