/* vt_inside.h -- for vt*.c only: the emulator's inside. Nobody else sees libvterm. */
#ifndef VY_VT_INSIDE_H
#define VY_VT_INSIDE_H

#include <stdbool.h>
#include <vterm.h>

#include "shared/base/buf.h"
#include "shared/vt/vt.h"
#include "shared/vt/vt_scan.h"

#define LAST_MAX 8

struct vy_vt {
	VTerm *vt;
	VTermState *state;
	struct vy_grid *grid;
	struct vt_scan scan;
	struct vy_vt_events ev;
	struct vy_vt_modes modes;
	struct vy_buf title;
	struct vy_vt_pen pen;
	uint8_t own, own_saved; /* attributes libvterm does not know: DIM, CONCEAL */
	bool is_mute;           /* what libvterm does now is not to be seen */
	bool in_text;
	int text_x; /* where the next glyph of a text is due */
	int last_width;
	uint32_t last_chars[LAST_MAX]; /* the last glyph, for REP */
	size_t last_n;
	VTermPos last;      /* the last glyph's place */
	bool wrap_due;      /* the cursor waits on the last cell to wrap */
	bool main_moved;    /* resized behind the alternate screen's back */
	int main_x, main_y; /* the main screen's cursor meanwhile */
	bool has_colors, newline;
	uint32_t fg_rgb, bg_rgb;
};

void vt_output(struct vy_vt *v, struct vy_str bytes); /* to the program */
void vt_set_newline(struct vy_vt *v, bool on);        /* \n does \r too: output of a pipe */

/* vt_state.c */
extern const VTermStateCallbacks vt_state_callbacks; /* their user is the struct vy_vt */
VTermPos vt_cursor(const struct vy_vt *v);

#endif
