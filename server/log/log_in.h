/* log_in.h -- the log's inside, for its two files: log.c fills and commits, log_read.c reads. */
#ifndef LOG_IN_H
#define LOG_IN_H

#include "server/log/derive.h"
#include "server/log/epoch.h"
#include "server/log/log.h"
#include "server/log/pace.h"
#include "server/log/stage.h"
#include "server/log/streams.h"
#include "server/log/trouble.h"
#include "shared/base/mem.h"

#define LOG_MAGIC     0x10610610u
#define ID_PREFIX_LEN 8

struct log {
	VY_MAGIC;
	struct log_store *store;
	struct vy_loop *loop;
	const struct vy_clock *clock;
	struct stage_limits limits;
	struct epoch epoch;
	struct streams *streams;
	struct stage stage;
	struct derive *derive;
	struct pace pace;
	struct vy_buf scratch; /* one frame being encoded */

	log_committed_fn *committed;
	void *committed_ctx;
	log_news_fn *news;
	void *news_ctx;
	struct paused_listener {
		log_paused_fn *fn;
		void *ctx;
	} paused[2];
	void (*remedy)(void *ctx, struct vy_buf *out);
	void *remedy_ctx;

	struct trouble trouble;
	struct vy_buf note; /* why it is paused, for people */
	bool is_flushing;
	bool has_lost; /* a damaged store: something was to be written this turn */
	bool is_due;   /* a timer said so: at this turn's end, whatever the pace */
	unsigned seen; /* stage.changes at the last look */
	unsigned commits, at_quiet;
	struct vy_timer *pace_timer, *retry_timer, *room_timer, *quiet_timer;

	uint64_t ids; /* frames named so far */
	char id_prefix[ID_PREFIX_LEN + 1];
	char id[ID_PREFIX_LEN + 24];
};

/* A read met damage: nothing is written any more, which is said later in this turn. ctx: the log. */
void log_damaged(void *ctx, const struct vy_err *e);
/* Of a session, made on first use; NULL: it cannot be read. */
struct stream *log_stream(struct log *l, const char *session, struct vy_err *e);

#endif
