/* ui_draw.h -- one row as it leaves for a viewer of the UI projection (ui_stage.h says what is cut).
 * Pure. */
#ifndef UI_DRAW_H
#define UI_DRAW_H

#include "shared/base/buf.h"
#include "shared/model/row.h"

/* Appends it as one JSON object. */
void ui_draw(const struct vy_row *r, struct vy_buf *out);
/* No more comes to it by itself. */
bool ui_is_final(const struct vy_row *r);

#endif
