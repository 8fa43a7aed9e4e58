/* term.h -- a terminal's stream: its messages both ways, and what a viewer of one knows (wire 10, 15).
 *
 * Text messages are small JSON objects, binary ones bytes. From vyred: `hello`, then with its
 * `prologue` one binary message that puts a fresh terminal into the state at `offset`, then binary
 * messages of the shell's bytes, between them `resize` (the terminal has another size from that offset
 * on), `take` (the keyboard changed hands) and `exit`. To vyred: binary messages of keys, `resize` (the
 * room this viewer has) and `take`. Every binary message of vyred begins with eight bytes, most
 * significant first: the offset of the byte behind them. A hello that comes again in the middle begins
 * anew: a viewer that could not keep up is taken to where it can.
 *
 * The viewer's machine answers each message with what to do to an emulator, in order. Bytes come to it
 * once and without a gap: what it had is trimmed, and where some are missing it says so, closes, and is
 * to come again from vy_term_from(). Types and members it does not know are ignored.
 * Pure; any thread. */
#ifndef VY_FRAME_TERM_H
#define VY_FRAME_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define VY_TERM_HEAD     8    /* bytes of the offset */
#define VY_TERM_SIDE_MAX 1000 /* columns, rows */
#define VY_TERM_SAY_MAX  4096 /* a viewer's text message */
#define VY_TERM_WHY_MAX  256  /* a sentence */

enum vy_term_type {
	VY_TERM_UNKNOWN, /* a type of a newer one: nothing to do */
	VY_TERM_HELLO,
	VY_TERM_EXIT,
	VY_TERM_RESIZE,
	VY_TERM_TAKE
};

/* A text message. Members that its type does not have are 0. */
struct vy_term_msg {
	enum vy_term_type type;
	uint64_t offset;     /* hello: of what comes; resize from vyred: where it holds from */
	uint64_t floor, end; /* hello: what can be had is [floor, end) */
	unsigned cols, rows; /* hello: at `offset` */
	int64_t pid;         /* hello: the shell; 0: it was not started yet */
	bool has_prologue;   /* hello */
	bool has_keys;       /* hello, take from vyred: this viewer holds the keyboard */
	bool has_status, has_signal; /* exit: null when not known */
	int status, signal;
	char why[VY_TERM_WHY_MAX]; /* exit: a sentence when there is more to say; "" */
};

void vy_term_write(const struct vy_term_msg *m, bool from_server, struct vy_buf *out);
/* VY_BAD_INPUT with a sentence: no object, a member missing or out of range. */
VY_MUST_USE int vy_term_read(
	struct vy_str text, bool from_server, struct vy_term_msg *out, struct vy_err *e);

void vy_term_head(uint64_t offset, unsigned char out[VY_TERM_HEAD]);
/* false: it is shorter than its head. */
bool vy_term_split(struct vy_str message, uint64_t *offset, struct vy_str *bytes);

/* ---- a viewer ---- */

enum vy_term_do {
	VY_TERM_DO_RESET, /* a fresh emulator of cols x rows */
	VY_TERM_DO_SIZE,  /* the emulator gets this size */
	VY_TERM_DO_FEED,  /* `bytes` to it; is_prologue: they are no output of the shell */
	VY_TERM_DO_KEYS,  /* has_keys changed */
	VY_TERM_DO_EXIT,  /* the shell has ended, all it printed came before */
	VY_TERM_DO_AGAIN /* drop this connection and come again from vy_term_from(): `text` says why */
};

struct vy_term_effect {
	enum vy_term_do what;
	unsigned cols, rows;
	struct vy_str bytes; /* as long as the message */
	bool is_prologue;
	const char *text; /* static */
};

struct vy_term_out {
	size_t n;
	struct vy_term_effect e[4];
};

struct vy_term_viewer {
	bool is_open;        /* a hello came on this connection */
	bool wants_prologue; /* … and its prologue is to come */
	bool is_broken; /* DO_AGAIN was said: what else comes on this connection is not heard */
	bool has_at;
	uint64_t at;         /* of the next byte to feed */
	uint64_t floor, end; /* as the last hello said; end grows with what came */
	unsigned cols, rows;
	int64_t pid;
	bool has_keys;  /* of the last connection, too: to be claimed at the next attach */
	bool has_ended; /* `exit` is its message */
	struct vy_term_msg exit;
};

void vy_term_viewer_init(struct vy_term_viewer *v);
/* Of what to ask for at the next attach; false: of nothing, it knows none. */
bool vy_term_from(const struct vy_term_viewer *v, uint64_t *from);
void vy_term_opened(struct vy_term_viewer *v); /* another connection: a hello is to come */
void vy_term_text(struct vy_term_viewer *v, struct vy_str message, struct vy_term_out *out);
void vy_term_bytes(struct vy_term_viewer *v, struct vy_str message, struct vy_term_out *out);

#endif
