/* viewer.h -- one who looks at a terminal: what it has, and what it is to get next (terms.h).
 *
 * It is a place: the offset of the next byte, the number of the next size. So it costs the terminal nothing
 * but its own delay, and when that is longer than the ring it begins anew with a screen. In this order it gets
 * the rest of a screen under way, a hello when it needs one, who has the keyboard, then sizes and bytes as
 * they stand in the stream, then the end. Loop thread. */
#ifndef TERM_VIEWER_H
#define TERM_VIEWER_H

#include "server/term/term_in.h"

struct term_viewer {
	VY_MAGIC;
	struct term *term; /* NULL: it is forgotten */
	TAILQ_ENTRY(term_viewer) link;
	struct term_view conf;
	struct vy_loop *loop;
	unsigned id;
	bool is_dry, needs_hello, hears_take, heard_end;
	uint64_t at;               /* of the next byte */
	uint64_t size;             /* number of the next size */
	struct prologue *prologue; /* on its way; NULL: none is */
	size_t prologue_at;
};

struct term_viewer *viewer_new(struct term *t, const struct term_view *conf, struct vy_err *e);
void viewer_wake(struct term_viewer *v); /* there may be something */
void viewer_cut(struct term_viewer *v);  /* its terminal goes */

#endif
