/* vt_prologue.h -- an emulator's state as bytes: what makes a fresh terminal equal to it.
 *
 * The bytes put a fresh vy_vt of the same size (and at least the same scrollback), or a real
 * terminal of that size after a reset, into the state of `v`: the lines that scrolled off, both
 * screens, cursor, pen, saved cursors, margins, tab stops, character sets, modes, palette, title, and in the
 * end the begin of a sequence that was not finished. Whatever the program writes from there on does
 * the same to both, and so does a new size: a stream may be cut at any byte.
 *
 * A real terminal does not know one string in it (DCS = v): which rows go on from the one above where
 * writing did not already say so, and which glyph a late mark belongs to. It skips that.
 * What is not told: how often lines scrolled (vy_grid_scrolled), and what was never seen again (the
 * alternate screen while the main one is shown). Pure; `out` is appended to. */
#ifndef VY_VT_PROLOGUE_H
#define VY_VT_PROLOGUE_H

#include "shared/base/buf.h"
#include "shared/vt/vt.h"

void vy_vt_prologue(const struct vy_vt *v, struct vy_buf *out);

#endif
