/* rescue.h -- gives the terminal back when the program cannot.
 *
 * Between arm and disarm a fatal signal (SEGV, BUS, FPE, ILL, ABRT, SYS, and TERM, HUP, QUIT, INT
 * unless somebody else took those over) or exit() writes the reset string to the terminal and
 * restores its line discipline; the signal then does what it always does. Only async-signal-safe
 * calls. This is the one place of the client with state that is not passed in: a signal handler
 * has nobody to pass it. kill -9 is beyond it: see guard.h, and `vyre-tui --reset`. */
#ifndef INK_RESCUE_H
#define INK_RESCUE_H

#include <termios.h>

/* Everything the client may have switched on, switched off: also what `--reset` writes. Leaves
 * synchronized update first, the alternate screen last. */
extern const char rescue_string[];

void rescue_arm(int fd, const struct termios *before);
void rescue_disarm(void);
/* What a handler does, for a fatal end that is not a signal. Safe anywhere, does it once. */
void rescue_now(void);

#endif
