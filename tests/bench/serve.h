/* serve.h -- two servers fed alike: a vyred of its own, and the bare relay (bare_relay.c).
 *
 * vyred has play_holder in place of vyre-holder, so what it is sent and when is ours to say; or, when
 * `is_real`, the real holder with the demo agent. Rounds alternate: one of vyred, one of the relay
 * with messages of the same size, so that a ratio is of one run on one machine. */
#ifndef TESTS_BENCH_SERVE_H
#define TESTS_BENCH_SERVE_H

#include "tests/bench/viewers.h"
#include "tests/bench/world.h"

struct serve {
	struct world world;
	bool is_real;
	char bin[600];    /* the folder vyred runs from */
	char session[64]; /* the one that is fed */
	struct viewers_way vyred_unix, vyred_tcp, bare_unix, bare_tcp;
	char socks[3][600]; /* vyred's, the relay's, the relay's ingest */
	pid_t relay;
	int ingest;
};

void serve_open(struct serve *s, bool is_real);
void serve_close(struct serve *s);

/* Waits for a moment in which others leave the machine half idle, ten seconds at most: what shares
 * the cores is no part of either server. */
void serve_quiet(void);

/* What a member of an answer holds, as text without its quotes; "" when it is not there. Borrowed
 * until the next call. */
const char *serve_member(const char *json, const char *name);

/* A session of its own, which from now on is the one that is fed. */
void serve_session(struct serve *s);
/* stream.open: the request target of a viewer from a cursor on. */
void serve_ticket(struct serve *s, int64_t from, char *path, size_t room);
/* stream.open and a viewer of it, from a cursor on; how long both took in us. */
int64_t serve_viewer(struct serve *s, struct viewers *v, bool is_tcp, int64_t from);
int64_t serve_head(struct serve *s);

void serve_respawn(struct serve *s); /* vyred, which was killed; it may not listen yet */

/* n frames with a text of `bytes`, one each gap_us; returns at once. */
void serve_emit(struct serve *s, int n, int gap_us, int bytes);
void serve_rest(struct serve *s); /* until that turn is over */

/* The same to the relay, in messages of `bytes`. */
int64_t serve_bare_viewer(struct serve *s, struct viewers *v, bool is_tcp);
pid_t serve_bare_emit(struct serve *s, int n, int gap_us, int bytes); /* to be waited for */

#endif
