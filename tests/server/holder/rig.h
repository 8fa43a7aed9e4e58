/* rig.h -- a real vyre-holder in a folder of its own, and a blocking client that speaks its protocol.
 *
 * Whatever is waited for has a guard (RIG_GUARD_MS): a test that hangs fails. Checks are cmocka's. The test
 * process becomes a subreaper, so a holder's end can be waited for; teardown leaves no process. */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include <sys/types.h>

#include "server/holder/msg.h"
#include "shared/base/buf.h"
#include "shared/base/cut.h"
#include "tests/check.h"
#include "tests/server/tempdir.h"

enum { RIG_GUARD_MS = 60000, RIG_HID_LEN = 16 };

struct rig {
	struct tempdir dir;
	char hid[RIG_HID_LEN + 1];
	uint8_t token[MSG_TOKEN_LEN];
	pid_t pid; /* of the holder; 0: it ended and was waited for */
};

struct client {
	int fd;
	struct vy_cut cut;
	char chunk[65536];
	struct vy_str in;
	/* what came so far */
	struct vy_buf out[3]; /* by stream */
	bool closed[3];
	uint64_t from, end; /* output [from, end) is in out */
	uint64_t inacked;   /* input below this */
	struct msg hello;
	struct msg last; /* the message that ended client_until */
	char text[1100]; /* its text, when it is REFUSED */
};

/* `limits`: "name=value" words, NULL at the end; NULL: none. */
void rig_open(struct rig *r, const char *const *limits);
void rig_close(struct rig *r);
void rig_wait_end(struct rig *r); /* the holder ends by itself, with status 0 and without socket */
const char *rig_socket(const struct rig *r);

/* Connects, nothing more. */
void client_dial(struct client *c, struct rig *r);
/* Connects and attaches; HELLO is in c->hello. */
void client_attach(struct client *c, struct rig *r, uint64_t epoch, uint64_t from);
void client_close(struct client *c);
void client_send(struct client *c, const struct msg *m);
void client_send_attach(struct client *c, const struct rig *r, uint64_t epoch, uint64_t from);
bool client_next(struct client *c, struct msg *m); /* false: the holder closed */

/* Reads until a message of this type (kept in c->last); fails when the holder closes before. */
void client_until(struct client *c, enum msg_type type);
void client_until_out(struct client *c, int stream, const char *text); /* has come in that stream */
void client_until_closed(struct client *c);                            /* the holder closes */

void client_credit(struct client *c, uint64_t off);
void client_ack(struct client *c, uint64_t off);
void client_in(struct client *c, uint64_t seq, struct vy_str bytes);
void client_signal(struct client *c, int sig, bool tree);
void client_bye(struct client *c);

/* START on pipes with PATH alone in its environment, and waits for STARTED. */
void client_sh(struct client *c, const char *script);
struct msg client_start_of(struct vy_str argv); /* a START to change and send */

bool is_gone(pid_t pid);
void wait_gone(pid_t pid);

#endif
