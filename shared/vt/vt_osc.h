/* vt_osc.h -- for vt.c: what an operating system command asks for. Pure. */
#ifndef VY_VT_OSC_H
#define VY_VT_OSC_H

#include "shared/base/str.h"

enum vt_osc_kind {
	VT_OSC_TITLE, /* text */
	VT_OSC_LINK,  /* text: the address, empty: ends; which: its id */
	VT_OSC_FG_QUERY,
	VT_OSC_BG_QUERY,
	VT_OSC_CLIPBOARD, /* which, text: base64 */
	VT_OSC_CLIPBOARD_QUERY,
	VT_OSC_OTHER,
};

struct vt_osc {
	enum vt_osc_kind kind;
	struct vy_str which, text; /* borrowed from the body */
};

struct vt_osc vt_osc_parse(struct vy_str body);

#endif
