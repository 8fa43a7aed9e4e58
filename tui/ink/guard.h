/* guard.h -- gives the terminal back when the program was killed and could not do it (kill -9).
 *
 * A small child of the screen: it holds the terminal and one end of a socket, and sleeps. When the
 * other end goes while the terminal is taken, it writes rescue_string and restores the line
 * discipline, unless somebody else has set another one meanwhile (a shell that is back already).
 * It is a session of its own, so neither a key nor a kill of the program's group reaches it.
 * Without a guard (no process to be had) everything else works. One terminal at a time. */
#ifndef INK_GUARD_H
#define INK_GUARD_H

#include <stdbool.h>
#include <termios.h>

/* `raw` is what the program sets while it has the terminal. */
void guard_start(int fd, const struct termios *before, const struct termios *raw);
void guard_arm(bool is_taken); /* async-signal-safe */
void guard_end(void);          /* it goes, touching nothing; waits for it */

#endif
