/* gone.h -- watches that the lock of a state folder stays where it is.
 *
 * Somebody who removes the folder of a running vyred leaves it with files that no name leads to: what
 * it writes is lost at its end, and another vyred can start in its place. Loop thread. */
#ifndef GONE_H
#define GONE_H

struct gone;
struct vy_loop;

/* `lock` is lock_take's; fn is called once, when `<state-dir>/lock` is not that file any more. NULL: it
 * cannot be watched. */
struct gone *gone_watch(
	struct vy_loop *loop, const char *state_dir, int lock, void (*fn)(void *ctx), void *ctx);
void gone_free(struct gone *g); /* NULL is fine */

#endif
