/* self.h -- who this vyred is: its program, and the account it runs as. */
#ifndef SELF_H
#define SELF_H

#include "shared/base/err.h"

struct self {
	char *program, *home, *user;
	char *path;  /* where programs are, for whoever says nothing */
	char *shell; /* NULL: the account has none that could be run */
};

VY_MUST_USE int self_read(struct self *s, struct vy_err *e);
void self_fini(struct self *s); /* also of one that is all zero, or half read */

#endif
