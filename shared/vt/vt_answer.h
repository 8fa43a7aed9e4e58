/* vt_answer.h -- for vt.c: what the terminal says of itself. Pure; each appends one answer. */
#ifndef VY_VT_ANSWER_H
#define VY_VT_ANSWER_H

#include "shared/base/buf.h"
#include "shared/vt/vt.h"

void vt_answer_color(int which, uint32_t rgb, struct vy_buf *out);             /* OSC 10, 11 */
void vt_answer_size(int cols, int rows, struct vy_buf *out);                   /* CSI 18 t */
void vt_answer_mode(bool is_private, int mode, int state, struct vy_buf *out); /* DECRQM */
/* DECRQSS (libvterm's own answer reads a string that is not there): the pen, the cursor's shape, the margins;
 * "invalid" for what we do not tell. */
struct vt_settings {
	struct vy_vt_pen pen;
	struct vy_vt_modes modes;
	int top, bottom; /* margins; bottom is the first row below */
};

void vt_answer_setting(struct vy_str what, const struct vt_settings *now, struct vy_buf *out);

#endif
