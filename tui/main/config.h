/* config.h -- what a person set in $XDG_CONFIG_HOME/vyre/tui.conf: the screen's settings and keys.
 *
 *	theme = dark          settings stand at the top, or under [screen]; app/settings.h has them
 *	[keys]
 *	ctrl-y = search       a key does an action, in the place the action belongs to
 *	alt-q = none          a key does nothing any more
 *
 * Nothing in the file keeps the client from starting: a line that is wrong is passed over and told
 * of, with its file and number; all others are in force. No file is no trouble. */
#ifndef TUI_MAIN_CONFIG_H
#define TUI_MAIN_CONFIG_H

#include "shared/base/buf.h"
#include "tui/app/settings.h"
#include "tui/input/keymap.h"

struct tui_config {
	struct settings settings;
	struct keymap keymap;
	char trouble[1024]; /* the first line that is wrong, and how many more are; "" if none */
	size_t n_wrong;
};

void tui_config_init(struct tui_config *c); /* the defaults */
void tui_config_fini(struct tui_config *c);

/* Where the file is for this environment; empty when there is neither of the two variables. */
void tui_config_path(const char *xdg_config_home, const char *home, struct vy_buf *out);
void tui_config_read(struct tui_config *c, const char *path);
void tui_config_parse(struct tui_config *c, const char *path, struct vy_str text);

#endif
