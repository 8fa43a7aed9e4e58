/* recordings.h -- the recordings of the real agents, where they are: $VYRE_TRANSCRIPTS/AGENT, else
 * beside the source. They are not part of the project; a test without them is skipped. */
#ifndef TESTS_PROVIDER_RECORDINGS_H
#define TESTS_PROVIDER_RECORDINGS_H

#include <stddef.h>

#include "shared/base/str.h"

#define RECORDING_MAX ((size_t)256 * 1024 * 1024)

/* Calls fn with each file whole, in the order of names; $VYRE_TRANSCRIPT picks one. How many. */
size_t recordings_each(const char *agent, void (*fn)(const char *name, struct vy_str file));

#endif
