/* house.h -- a vyred of one's own for a while: on a folder that nobody else has, gone afterwards.
 *
 * It is another process of this very program, with one provider, and no way in but its sockets. What is
 * done in it goes by the wire, as every client does it (wire 2, the line socket). It ends with whoever
 * opened it, also when that one is killed. Blocks. */
#ifndef OPS_HOUSE_H
#define OPS_HOUSE_H

#include "shared/base/err.h"
#include "shared/base/json.h"

struct house;
struct provider_conf;

/* `state_dir`: where the secrets are that the provider needs; `user`: whom agents run as, NULL vyred's
 * own. NULL with a sentence when it does not come up. */
struct house *house_open(
	const struct provider_conf *pc, const char *state_dir, const char *user, struct vy_err *e);
/* Ends every session and the house, and takes its folder away. NULL is fine. */
void house_close(struct house *h);

/* A folder for its sessions; absolute. */
const char *house_folder(const struct house *h);

/* The result of a method, the caller's; `own_params` is handed over. NULL: what the server said, or that it
 * is gone. */
VY_MUST_USE struct vy_json *house_call(
	struct house *h, const char *method, struct vy_json *own_params, struct vy_err *e);

/* The next frame of any session that was subscribed to (stream.subscribe), the caller's; NULL: none
 * came within `ms`, or there will be none (house_is_over). */
VY_MUST_USE struct vy_json *house_frame(struct house *h, int ms);

/* It is gone, or this process was told to end. */
bool house_is_over(const struct house *h);

#endif
