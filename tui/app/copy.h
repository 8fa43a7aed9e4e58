/* copy.h -- text onto the clipboard, by every way there is here.
 *
 * OSC 52 asks the terminal and is never answered; so what is said is "sent", not "copied". How it is
 * written is found out once: as it is, wrapped for a tmux that lets it pass, or by tmux's own
 * buffer where that takes nothing from programs. A local tool (wl-copy, xclip, xsel) gets it too.
 * What is too long for a terminal, or has no way at all, is written to a file, and the file named.
 * Waits for a tool COPY_TOOL_MS at most. Loop thread only. */
#ifndef APP_COPY_H
#define APP_COPY_H

#include <stdbool.h>

#include "shared/base/buf.h"

struct screen;

#define COPY_TOOL_MS 300
#define COPY_OSC_MAX 100000 /* bytes of base64 that any terminal takes */

/* ---- which way (pure) ---- */

enum copy_door {
	COPY_NO_DOOR, /* no OSC 52 here */
	COPY_RAW,
	COPY_PASSED, /* inside of tmux's passthrough */
	COPY_BUFFER  /* `tmux load-buffer -w` */
};

/* What is known of the place; NULL: unset. The last two are what tmux says of itself. */
struct copy_env {
	const char *term, *tmux;
	const char *set_clipboard, *allow_passthrough;
};

enum copy_door copy_door_of(const struct copy_env *env);
/* The escape that asks for it: RAW or PASSED. */
void copy_osc52(struct vy_str text, enum copy_door door, struct vy_buf *out);

/* ---- doing it ---- */

/* `dir` is where the file would go. `said` becomes a sentence for the person. */
void copy_out(struct screen *screen, const char *dir, struct vy_str text, struct vy_buf *said);

/* An address to the program that opens addresses ($BROWSER, xdg-open), if there is one: it runs by
 * itself. false: there is none. */
bool copy_open_link(const char *url);

#endif
