/* probe.h -- "/keys": says of each key what the terminal sends for it and what it does, until Esc.
 *
 * For who wonders why shift-enter sends, and for the names that tui.conf takes. While it is on, keys
 * do nothing else. Pure. */
#ifndef APP_PROBE_H
#define APP_PROBE_H

#include <stdbool.h>

#include "tui/app/state.h"

void probe_begin(struct app_state *s);
/* Takes the key; false: it is off, the key is somebody else's. */
bool probe_key(struct app_state *s, const struct key_event *ev);

#endif
