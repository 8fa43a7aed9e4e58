/* said.h -- what the server says in English, in a person's language.
 *
 * vyred speaks English, in its log as in the notes, titles and refusals that a viewer shows. The
 * sentences of it that never vary are listed in said.c, so that translators see them; one that is
 * not listed, or an agent's own words, stay as they are. Any thread, after words_init(). */
#ifndef SAID_H
#define SAID_H

#include "shared/base/str.h"

/* Lent: the text itself, or a word of the catalogue, which lives as long as the program. */
struct vy_str words_said(struct vy_str text);

#endif
