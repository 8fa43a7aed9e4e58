/* said.h -- what the server says in English, in a person's language.
 *
 * vyred speaks English, in its log as in the notes, titles and refusals that a viewer shows. Its
 * sentences are listed in said.c, so that translators see them; one that is not listed, or an
 * agent's own words, stay as they are. Any thread, after words_init(). */
#ifndef SAID_H
#define SAID_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

/* Lent: the text itself, or a word of the catalogue, which lives as long as the program. */
struct vy_str words_said(struct vy_str text);
/* The same of a note, in which numbers may stand. Appended. */
void words_noted(struct vy_str text, struct vy_buf *out);
/* How that is done: `text` is `sentence` with something in its places, {1} to {3}; `other` is
 * appended with the same in its own. False, and nothing appended: it is another sentence. */
bool words_as(const char *sentence, const char *other, struct vy_str text, struct vy_buf *out);

#endif
