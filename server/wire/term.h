/* term.h -- a connection that looks at a terminal: the WebSocket of one viewer (wire 10).
 *
 * It takes pieces of the terminal (server/term/terms.h) when its socket has room, and hands up what its
 * person types. Before each piece and each key its access is asked for: when that is over it is closed with
 * 4403, at once. A terminal that is forgotten closes it with 1000. */
#ifndef WIRE_TERM_H
#define WIRE_TERM_H

#include "server/wire/inside.h"

struct wire_term;

/* The ticket of the grant names a terminal: 0, or the HTTP status to refuse with. The last thing that is
 * asked before the upgrade. */
int wire_term_upgrade(struct conn *c, const struct target *t, struct vy_err *e);
int wire_term_begin(struct conn *c);      /* LWS_CALLBACK_ESTABLISHED; c->term from now on */
void wire_term_free(struct wire_term *t); /* NULL is fine */
void wire_term_end_access(struct wire_term *t);

/* What the callbacks return. */
int wire_term_writeable(struct wire_term *t, struct lws *wsi);
int wire_term_receive(struct wire_term *t, struct lws *wsi, const void *in, size_t n);

#endif
