/* vt_scan.h -- for vt.c: a terminal's byte stream cut into whole tokens.
 *
 * A token never depends on how the bytes were cut into writes: sequences and strings are collected
 * (bounded; a longer one is dropped whole), characters are completed, a broken one is U+FFFD, and
 * so is a C1 control written as a character (libvterm would give it the width -1).
 * Controls inside of a sequence come out before it, as a terminal does them. Pure. */
#ifndef VY_VT_SCAN_H
#define VY_VT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/buf.h"
#include "shared/base/str.h"

enum vt_token_kind {
	VT_TEXT,    /* whole UTF-8 characters, valid or not; no controls */
	VT_CONTROL, /* bytes below 0x20, not ESC */
	VT_ESC,     /* ESC and what belongs to it */
	VT_CSI,
	VT_STRING, /* OSC, DCS …: body without its frame */
};

#define VT_PARAMS_MAX 32
#define VT_SEQ_MAX    256

struct vt_param {
	int v;      /* -1: not given */
	bool joins; /* came after a colon: belongs to the one before */
};

struct vt_token {
	enum vt_token_kind kind;
	struct vy_str bytes; /* as a terminal takes them; of a string: the body */
	char final;          /* of ESC and CSI; of a string its kind: ] P _ ^ X k */
	char leader;         /* CSI: < = > ? or 0 */
	char intermediate;   /* CSI, ESC: the last one, or 0 */
	int n;               /* parameters given */
	struct vt_param p[VT_PARAMS_MAX];
};

typedef void vt_scan_fn(void *ctx, const struct vt_token *t);

struct vt_scan {
	int state;
	char seq[VT_SEQ_MAX];
	size_t n;
	char kind;
	struct vy_buf str;
};

void vt_scan_init(struct vt_scan *s, size_t string_max);
void vt_scan_fini(struct vt_scan *s);
void vt_scan_step(struct vt_scan *s, struct vy_str bytes, vt_scan_fn *emit, void *ctx);
/* The bytes that bring a fresh scanner to where this one is: the begin of what is not finished. A
 * string that nobody reads is shortened. */
void vt_scan_pending(const struct vt_scan *s, struct vy_buf *out);

#endif
