/* msg.h -- the messages between vyred and a holder (doc/wire.md 12), as values and as bytes.
 *
 * On the wire: u32 length, u8 type, fields; numbers are big-endian, bytes are led by a u32 length,
 * a list of strings is one run of bytes in which each string is ended by NUL. Fields are only ever
 * added at the end: a reader takes what it knows, and a field that an older writer did not send
 * has its default. A type it does not know is to be skipped. Pure: no memory of its own; slices of
 * a decoded message point into the bytes given. */
#ifndef HOLDER_MSG_H
#define HOLDER_MSG_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/err.h"
#include "shared/base/str.h"

#define MSG_PROTO     1
#define MSG_TOKEN_LEN 32
#define MSG_HID_MAX   32  /* characters of a holder's name: letters, digits, "-" and "_" */
#define MSG_UMASK     022 /* of a child whose START has none */
#define MSG_USER_MAX  64  /* bytes of a user's name */

enum msg_type {
	/* holder to vyred */
	MSG_HELLO = 1,
	MSG_STARTED,
	MSG_REFUSED,
	MSG_OUT,
	MSG_INACK,
	MSG_EXIT,
	/* vyred to holder */
	MSG_ATTACH = 65,
	MSG_START,
	MSG_CREDIT,
	MSG_ACK,
	MSG_IN,
	MSG_SIGNAL,
	MSG_RESIZE,
	MSG_BYE,
};

enum msg_state { MSG_EMPTY, MSG_RUNNING, MSG_EXITED };
enum msg_kind { MSG_PIPE, MSG_PTY };
enum { MSG_STDOUT = 1, MSG_STDERR = 2 };

struct msg {
	unsigned type; /* enum msg_type, or one we do not know */
	union {
		struct {
			uint32_t proto;
			struct vy_str hid;
			uint8_t state;
			uint32_t pid, pgid, sid;
			uint64_t floor, end; /* the spool holds [floor, end) */
			uint64_t in_next;    /* the lowest IN it does not have */
			int32_t status, signal;
		} hello;
		struct {
			uint32_t pid, pgid, sid;
		} started;
		struct {
			struct vy_str text;
			uint8_t is_end; /* added: not a START but the peer itself is turned away */
		} refused;
		struct {
			uint64_t off;
			uint8_t stream;
			struct vy_str bytes;
		} out;
		struct {
			uint64_t seq;
		} inack;
		struct {
			int32_t status, signal;
		} exit;
		struct {
			uint32_t proto;
			uint8_t token[MSG_TOKEN_LEN];
			uint64_t epoch, from;
		} attach;
		struct {
			uint8_t kind;
			struct vy_str argv, env; /* lists */
			struct vy_str cwd;
			uint16_t cols, rows;
			uint32_t orphan_s;
			struct vy_str secret; /* empty: none */
			uint32_t umask;       /* added: MSG_UMASK */
			uint8_t is_agent;     /* added: it is branded (brand.h) */
			struct vy_str user;   /* added: who it becomes; empty: nobody else */
		} start;
		struct {
			uint64_t off;
		} credit, ack;
		struct {
			uint64_t seq;
			struct vy_str bytes;
		} in;
		struct {
			uint8_t sig, tree;
		} signal;
		struct {
			uint16_t cols, rows;
		} resize;
	};
};

/* Appends the whole message, its length first; false: it does not fit, nothing was added. */
bool msg_encode(const struct msg *m, struct vy_buf *out);

/* Reads a body: type and fields, without the length. -1: not what its type promises. */
VY_MUST_USE int msg_decode(struct vy_str body, struct msg *out, struct vy_err *e);

/* Walks a list: takes the next string (NUL-terminated in place) from the front of it. */
bool msg_list_next(struct vy_str *list, const char **item);
size_t msg_list_count(struct vy_str list);

bool msg_hid_is_valid(struct vy_str hid);
const char *msg_name(unsigned type); /* "OUT"; "?" for a stranger */

#endif
