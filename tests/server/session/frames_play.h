/* frames_play.h -- a recording that is played through driver and turn (frames_test.c): what of it the files
 * of one agent's lines (frames_acp.c) need. */
#ifndef TESTS_SESSION_FRAMES_PLAY_H
#define TESTS_SESSION_FRAMES_PLAY_H

#include "tests/check.h"

#include "server/provider/provider.h"
#include "server/session/turn.h"
#include "tests/server/hub/follow_check.h"
#include "tests/shared/model/settle_check.h"

#define SESSION "00000000-0000-4000-8000-000000000000"

struct play {
	const struct provider_ops *ops;
	const char *file;
	size_t line;
	bool is_cut;
	struct agent *agent; /* NULL: no process */
	struct turn *turn;
	struct vy_arena arena; /* of one line */
	struct effects fx;
	size_t at;
	bool is_running;
	struct vy_buf frames;
	struct vy_buf timed;  /* with their times */
	struct vy_json *ids;  /* their request id -> ours */
	struct vy_json *open; /* tool calls that were started and not finished */
	char thread[64];      /* of codex: what is told of others is not ours */
	char our_id[64];      /* of the newest request that was told */
	char state[32];       /* of the newest status */
	struct settle_check settle;
	struct follow_check follow;
	int64_t cur;
};

void frames_launch(struct play *p);
void frames_end_agent(struct play *p);
void frames_run(struct play *p); /* the effects that wait */
void frames_rpc_prints(struct play *p, const struct vy_json *msg);

/* What a recorder of ACP sent as a request, what it was answered, and how it answered an ask. */
void frames_acp_request(struct play *p, const struct vy_json *msg);
void frames_acp_response(struct play *p, const struct vy_json *msg);
void frames_acp_answer(struct play *p, const struct vy_json *msg);

#endif
