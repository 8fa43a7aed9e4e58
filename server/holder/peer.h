/* peer.h -- one connection to the holder's socket, from its accept to its end.
 *
 * Only a process of our user that does not descend from this holder gets one. Bytes in are cut into
 * messages; bytes out wait in a bounded buffer, so the holder never waits for anybody: who does not
 * read while it makes us answer is dropped. Who hangs up is heard to the end: its last words may be a kill. */
#ifndef HOLDER_PEER_H
#define HOLDER_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/holder/msg.h"
#include "shared/base/buf.h"
#include "shared/base/cut.h"

#define PEER_OUTS 2 /* streams of a child */

struct peer {
	int fd; /* -1: nobody */
	bool is_attached;
	bool is_deaf; /* it hung up: what it said before that is still to be read, and ends it */
	int64_t since_ms; /* when it connected */
	struct vy_cut cut;
	struct vy_buf out;
	/* what an attached one was told */
	uint64_t sent;    /* output up to here */
	uint64_t credit;  /* and it may be sent this far */
	uint64_t inacked; /* input below this */
	bool end_sent[PEER_OUTS], exit_sent;
};

typedef void peer_fn(void *ctx, struct peer *p, struct vy_str body);

void peer_init(struct peer *p);
/* fd stays -1: turned away. False: this process or the system is out of fds. */
bool peer_accept(struct peer *p, int listen_fd, int64_t now_ms);
void peer_close(struct peer *p);

/* Reads what is there (once, bounded) and hands over each message; fn may close the peer. */
void peer_read(struct peer *p, peer_fn *fn, void *ctx);
void peer_send(struct peer *p, const struct msg *m); /* closes the peer when its buffer is over */
void peer_flush(struct peer *p);                     /* writes what the socket takes */
size_t peer_unsent(const struct peer *p);

#endif
