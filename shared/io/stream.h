/* stream.h -- a buffered fd on the loop: whole pieces in, a bounded queue out.
 *
 * In: lines or length-led messages (shared/base/cut.h), or the bytes as they come. Out: what
 * vy_stream_send() took is written in order as the fd allows. Back pressure is in the open: send
 * says no when the queue would pass its maximum, on_room tells when it has drained to half (or to
 * room_at), and vy_stream_pause() stops reading.
 *
 * Owns its fds (sockets, pipes or a PTY) and makes them non-blocking. Loop thread only. Callbacks
 * come from the loop only, never from inside a call of ours; any call, vy_stream_free too, may be
 * made from a callback. on_end is the last callback and comes once: the peer closed (`why` is
 * NULL; what it sent before was delivered, a last line without newline too) or the fd failed. */
#ifndef VY_STREAM_H
#define VY_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/base/err.h"
#include "shared/base/str.h"

struct vy_loop;
struct vy_stream;

enum vy_stream_kind { VY_STREAM_LINES, VY_STREAM_U32, VY_STREAM_BYTES };

struct vy_stream_ops {
	void (*on_piece)(void *ctx, struct vy_str piece);   /* borrowed for the call */
	void (*on_too_long)(void *ctx, struct vy_str head); /* once a piece; its rest is skipped */
	void (*on_room)(void *ctx);                         /* may be NULL */
	void (*on_end)(void *ctx, const struct vy_err *why);
	/* The other side will say no more and may still listen: what is sent goes out, on_end comes
	 * when that fails or, after vy_stream_finish(), when all is gone. NULL: it is the end. */
	void (*on_eof)(void *ctx);
};

struct vy_stream_conf {
	enum vy_stream_kind kind;
	int in_fd, out_fd; /* the same for a socket; -1: that side does not exist */
	size_t piece_max;  /* a longer piece is on_too_long; not used by BYTES */
	size_t queue_max;  /* unsent bytes */
	size_t room_at;    /* on_room: no more than this is unsent; 0: half of queue_max */
};

struct vy_stream *vy_stream_new(struct vy_loop *l, const struct vy_stream_conf *conf,
	const struct vy_stream_ops *ops, void *ctx);
/* Closes. What the fd takes at once is still written, the rest is dropped. NULL is fine. */
void vy_stream_free(struct vy_stream *s);

/* Copies all of `bytes` into the queue, or nothing of it and says false. */
VY_MUST_USE bool vy_stream_send(struct vy_stream *s, struct vy_str bytes);
/* As send; the copy is wiped once it is written. */
VY_MUST_USE bool vy_stream_send_secret(struct vy_stream *s, struct vy_str bytes);
size_t vy_stream_queued(const struct vy_stream *s); /* bytes not written yet */

void vy_stream_pause(struct vy_stream *s, bool paused); /* stops or goes on reading */
void vy_stream_finish(struct vy_stream *s); /* sends the rest, then closes the out side; reads on */
int vy_stream_fd(const struct vy_stream *s); /* the in side; borrowed */

#endif
