/* proxy.h -- a line with faults between a client and vyred: a process of its own.
 *
 * It listens at a socket and passes each connection on to vyred's, by Unix socket or TCP, and at a line
 * socket beside it, for vyred's. What it
 * does to the bytes on their way back to the client is said in words (`delay 20` or `delay=20`):
 *
 *	pass            nothing
 *	delay MS        each piece comes so much later
 *	chop N          pieces of 1 to N bytes
 *	slow N          N bytes a second
 *	hole            nothing comes any more, nothing ends; what fell into it stays there
 *	hold            nothing comes until the next word: what another connection says is earlier
 *	cut N           each connection ends after 1 to N bytes, wherever a frame is
 *	lose N          one in N WebSocket messages with frames does not arrive; of who comes from now on
 *	twice N         one in N arrives twice; of who comes from now on
 *	drop            every connection there is ends now, with a reset; new ones pass
 *	refuse          new ones end at once
 *	wild N          each connection draws its own of pass, delay, chop and slow, and ends like cut
 *
 * A word holds until the next; what it draws comes from the seed. */
#ifndef TESTS_PLAY_PROXY_H
#define TESTS_PLAY_PROXY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct proxy_conf {
	const char *listen; /* the socket it makes; rpc.sock beside it */
	const char *sock;   /* vyred's; rpc.sock beside it */
	int port;           /* not 0: vyred's, on 127.0.0.1, in place of sock */
	uint64_t seed;
};

/* It listens when this returns. false with errno. */
bool proxy_start(const struct proxy_conf *conf, pid_t *pid, int *control);
/* Takes effect before this returns. */
bool proxy_say(int control, const char *words);

#endif
