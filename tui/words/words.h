/* words.h -- the words a person reads, in that person's language (gettext).
 *
 * Mark each text a person sees: _("Send") where it is shown, N_("Send") in a static table whose
 * text passes through _() when it is drawn, words_count() where a number decides the form. Never
 * build a sentence from pieces: translators see only what one call holds. Before words_init(),
 * and without a catalogue, the words are the English of the source.
 * Any thread, after words_init(). */
#ifndef WORDS_H
#define WORDS_H

#include <libintl.h>

#define _(text)                   gettext(text)
#define N_(text)                  text
#define words_count(one, many, n) ngettext(one, many, n)

/* Takes the language from the environment. Once, first thing in main(). A locale that this machine
 * has not counts by its name (then LANGUAGE is set, if it was not). Numbers keep the point as
 * their decimal sign, whatever the language: JSON and escape sequences are written with printf.
 * The catalogues are those that were installed, or those below VYRE_LOCALEDIR (a whole path), which
 * is how a client that is not installed is looked at in another language. */
void words_init(void);

#endif
