/* loop_turn.h -- one turn of a test's loop: what was deferred comes. */
#ifndef TEST_LOOP_TURN_H
#define TEST_LOOP_TURN_H

#include "shared/io/loop.h"

static inline void loop_turn_over(void *ctx)
{
	vy_loop_stop(ctx);
}

static inline void loop_turn(struct vy_loop *loop)
{
	vy_loop_defer(loop, loop_turn_over, loop);
	vy_loop_run(loop);
}

#endif
