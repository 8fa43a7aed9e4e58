/* notice.h -- the bytes of a desktop notification. Pure.
 *
 * OSC 9 is one line of text, OSC 777 a title and a text; which of them a terminal knows is told by
 * its name, and one that knows neither ignores both. Inside of tmux the string is wrapped so that
 * it reaches the terminal outside (where allow-passthrough is on). The text may come from anybody:
 * what is no visible character becomes a mark, and no byte of it can end the string. */
#ifndef INK_NOTICE_H
#define INK_NOTICE_H

#include <stdbool.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

enum notice_way { NOTICE_AUTO, NOTICE_OSC9, NOTICE_OSC777 };

/* What is known of the terminal; strings from the environment, NULL when unset. */
struct notice_env {
	const char *term, *term_program, *vte_version, *tmux;
};

enum notice_way notice_way_of(const struct notice_env *env); /* never AUTO */

#define NOTICE_TEXT_MAX 300 /* bytes; a longer text is cut */

void notice_add(enum notice_way way, bool in_tmux, struct vy_str title, struct vy_str text,
	struct vy_buf *out);

#endif
