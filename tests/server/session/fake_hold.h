/* fake_hold.h -- hold.h without a process: a test links this in its place (tests alone).
 *
 * What the code under test asks of a holder is written down, a line each; what a holder would say
 * is said by the test. The newest holder is fake_hold_newest(); one that was freed says nothing
 * any more, as the real one. */
#ifndef FAKE_HOLD_H
#define FAKE_HOLD_H

#include "server/io/hold.h"
#include "shared/base/buf.h"

extern struct vy_buf fake_hold_said; /* the lines; a test clears it */
extern struct vy_buf fake_hold_argv; /* of the last start: words with blanks between */

void fake_hold_begin(void);
void fake_hold_end(void); /* frees all, also what the code under test forgot to */

struct hold *fake_hold_newest(void); /* NULL: there is none, or it was freed */
uint64_t fake_hold_in_next(void);    /* the seq after the last input the newest child got */

void fake_hold_hello(struct hold *h, enum hold_state state, uint64_t in_next);
void fake_hold_started(struct hold *h);
void fake_hold_refused(struct hold *h, const char *why);
void fake_hold_line(struct hold *h, const char *line);  /* of stdout, with its newline */
void fake_hold_print(struct hold *h, const char *line); /* the same, not given yet */
void fake_hold_catch_up(struct hold *h);                /* gives what was printed and not given */
void fake_hold_inack(struct hold *h, uint64_t seq);
void fake_hold_exit(struct hold *h, int status);
void fake_hold_lost(struct hold *h, enum vy_code code, const char *why);

#endif
