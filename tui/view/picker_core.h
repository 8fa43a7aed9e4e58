/* picker_core.h -- between picker.c and picker_draw.c. */
#ifndef VIEW_PICKER_CORE_H
#define VIEW_PICKER_CORE_H

#include "tui/view/picker.h"

/* Brings `shown` up to what is typed; costs nothing when nothing changed. */
void picker_update(struct picker *p);

#endif
