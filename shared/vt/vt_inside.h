/* vt_inside.h -- for vt*.c only: the emulator's inside. Nobody else sees libvterm.
 *
 * The prologue (vt_prologue.h) must be able to say everything that decides what later bytes do. What
 * libvterm keeps and does not tell is therefore kept here too (margins, tab stops, modes), or not
 * left to it at all (saved cursors, character sets, soft reset). */
#ifndef VY_VT_INSIDE_H
#define VY_VT_INSIDE_H

#include <stdbool.h>
#include <vterm.h>

#include "shared/base/buf.h"
#include "shared/vt/vt.h"
#include "shared/vt/vt_charset.h"
#include "shared/vt/vt_palette.h"
#include "shared/vt/vt_scan.h"

#define LAST_MAX                                                                                   \
	VTERM_MAX_CHARS_PER_CELL /* of a glyph more is dropped: libvterm 0.3 does so, of one write */

/* The last glyph: what REP repeats and a mark that comes late is joined to. */
struct vt_last {
	uint32_t chars[LAST_MAX];
	size_t n;
	int width;
	VTermPos at;
};

struct vt_place { /* what DECSC saves */
	bool is_set;
	int x, y;
	struct vy_vt_pen pen;
	bool origin;
	struct vt_charset charset;
};

struct vy_vt {
	VTerm *vt;
	VTermState *state;
	struct vy_grid *grid;
	struct vt_scan scan;
	struct vy_vt_events ev;
	struct vy_vt_modes modes;
	struct vy_buf title;
	struct vy_vt_pen pen;
	uint8_t own;                        /* attributes libvterm does not know: DIM, CONCEAL */
	bool is_mute;                       /* what libvterm does now is not to be seen */
	int mute_n, mute_width, mute_count; /* meanwhile: the last glyph, and how many there were */
	bool in_text;
	int text_x, text_y; /* where the next glyph of a text is due */
	bool text_scrolled; /* rows moved under it since */
	bool at_edge;    /* the cursor stays on the last glyph, which ends at the edge: what comes
				* next wraps first, or overwrites when no_wrap; so does libvterm */
	bool main_moved; /* resized behind the alternate screen's back */
	int main_x, main_y;      /* the main screen's cursor meanwhile */
	bool has_colors, is_raw; /* is_raw: \n does \r too, as for the output of a pipe */
	uint32_t fg_rgb, bg_rgb;
	struct vt_last last;
	struct vt_charset charset;
	struct vt_place saved[2]; /* of the main and of the alternate screen */
	bool insert, newline, origin, no_wrap;
	bool may_switch; /* 40: mode 3 (80 or 132 columns) does what it does but for the columns */
	int top, bottom; /* margins; bottom is the first row below */
	int mouse_protocol; /* 0, 1005, 1006, 1015 */
	struct vt_palette palette;
	bool *tabs; /* a stop at each column? */
};

void vt_output(struct vy_vt *v, struct vy_str bytes); /* to the program */
void vt_set_raw(struct vy_vt *v, bool on);
void vt_give(struct vy_vt *v, struct vy_str bytes); /* to libvterm */

/* vt_state.c */
extern const VTermStateCallbacks vt_state_callbacks; /* their user is the struct vy_vt */
VTermPos vt_cursor(const struct vy_vt *v);

/* vt_text.c */
void vt_text(struct vy_vt *v, struct vy_str text);
void vt_repeat(struct vy_vt *v, int count);
bool vt_is_wide_mark(uint32_t cp); /* joins as a mark, but alone it has two cells */
/* The last glyph is now that of `last`; the cursor stays. at.row < 0: nothing can be joined to it. */
void vt_set_last(struct vy_vt *v, const struct vt_last *last);
void vt_stay_at_edge(struct vy_vt *v); /* the last glyph ends there: be behind it */

/* vt_seq.c */
void vt_esc(struct vy_vt *v, const struct vt_token *t);
void vt_csi(struct vy_vt *v, const struct vt_token *t);

/* vt_place.c */
void vt_move(struct vy_vt *v, int x, int y); /* on the screen, whatever the origin */
void vt_leave_edge(struct vy_vt *v);         /* a wrap is not due any more */
void vt_margins(struct vy_vt *v, int top, int bottom);
void vt_save(struct vy_vt *v, struct vt_place *to);
void vt_restore(struct vy_vt *v, const struct vt_place *from);
void vt_soft_reset(struct vy_vt *v);
void vt_hard_reset(struct vy_vt *v);
void vt_tabs_reset(struct vy_vt *v);
void vt_tabs_resize(struct vy_vt *v, int had, int cols);

/* vt_prologue.c */
void vt_private(struct vy_vt *v, struct vy_str body); /* what only our own prologue says */

#endif
