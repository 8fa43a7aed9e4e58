/* ask_panel_read.h -- how the panel takes in an ask; of ask_panel*.c alone. */
#ifndef VIEW_ASK_PANEL_READ_H
#define VIEW_ASK_PANEL_READ_H

#include "tui/view/ask_panel.h"

void ask_panel_read(struct ask_panel *p, const struct vy_ask *a);
/* Shows a question of the form, the cursor on what was chosen there before. */
void ask_panel_look(struct ask_panel *p, size_t question);

#endif
