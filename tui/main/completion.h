/* completion.h -- what completes vyre-tui's words in a shell, made from the table of verbs.
 *
 * The script is printed, in the person's language, each time a shell wants it (doc/completion has
 * the files that ask for it), so it knows just what this program knows. Sessions are completed by
 * vyre-tui ls, questions by vyre-tui asks, with the same --socket, --state-dir, --connect and
 * --cwd as stand on the line; where no server runs there are none, and none is started. */
#ifndef COMPLETION_H
#define COMPLETION_H

/* "bash", "zsh" or "fish". The exit code. */
int completion_print(const char *shell);

#endif
