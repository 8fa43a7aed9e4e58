/* reader.h -- the chat without a screen (--screen-reader): a transcript that only grows, in plain words.
 *
 * Nothing is drawn twice and no sequence is written: what happens is printed as it happens, each
 * thing begun by a word of who or what it is, and a line that is typed is said. An ask is text
 * with numbered answers (spoken.h), one ask and one question at a time; a line that is a number,
 * typed after the ask was printed, answers it. "/stop" (or ctrl-c) ends the turn, "/quit" (or ctrl-d) leaves; the session goes on.
 * With input that is no terminal it leaves when that has ended and the turn is over. */
#ifndef CMD_READER_H
#define CMD_READER_H

#include "tui/cmd/cmd.h"

/* `session` NULL: the newest of this folder, or a new one. The exit code. */
int reader_run(const char *session, const struct cmd_options *o);

#endif
