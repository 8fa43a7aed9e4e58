/* mdspan.h -- the text of a block while it is being parsed, and the styles over it.
 *
 * For md.c: styles and links open and close, text comes in pieces, and take() gives the whole with
 * its spans in the arena. Every piece passes vy_utf8_visible here, so nothing else has to. */
#ifndef VY_MDSPAN_H
#define VY_MDSPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/arena.h"
#include "shared/base/buf.h"
#include "shared/text/md.h"

#define VY_MDSPAN_LINKS 8 /* links and images inside each other; deeper ones count as text */

struct vy_mdspan {
	struct vy_arena *a;
	struct vy_str src; /* pieces inside it get a source range */
	bool breaks;       /* VY_MD_BREAKS */
	struct vy_buf text;
	struct vy_md_span *spans;
	size_t n, cap;
	bool soft_break; /* one is due before the next piece */
	unsigned strong, em, strike, code;
	struct {
		struct vy_str target;
		bool is_image;
		uint32_t id;
	} links[VY_MDSPAN_LINKS];
	unsigned n_links;
	uint32_t last_id;
};

void vy_mdspan_init(struct vy_mdspan *m, struct vy_str src, unsigned flags, struct vy_arena *a);
void vy_mdspan_fini(struct vy_mdspan *m);

void vy_mdspan_open_link(struct vy_mdspan *m, struct vy_str target, bool is_image);
void vy_mdspan_close_link(struct vy_mdspan *m);

/* A piece: `shown` is what it says, `src` where it came from (outside of the source: made up). */
void vy_mdspan_put(struct vy_mdspan *m, struct vy_str shown, struct vy_str src, unsigned style);
void vy_mdspan_put_entity(struct vy_mdspan *m, struct vy_str entity);
void vy_mdspan_put_html(struct vy_mdspan *m, struct vy_str tag); /* <br> is a line break */

/* Takes a final newline back. */
void vy_mdspan_drop_newline(struct vy_mdspan *m);

/* The text so far, in the arena; the next piece begins a new one. Styles and links end with it:
 * md4c forgets to close one whose closing mark an address has eaten ("*www.a.b*"). */
struct vy_md_text vy_mdspan_take(struct vy_mdspan *m);

#endif
