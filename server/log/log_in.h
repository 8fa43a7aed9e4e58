/* log_in.h -- the log's inside, for its files: log.c fills and commits, log_trouble.c says what a failure
 * means, log_read.c reads. */
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
#include "shared/io/loop.h"

#define LOG_MAGIC    0x10610610u
#define LOG_NOTE_MAX 4096 /* of a status frame */

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

	struct committed_listener {
		log_committed_fn *fn;
		void *ctx;
	} committed[LOG_LISTENERS];
	log_news_fn *news;
	void *news_ctx;
	struct paused_listener {
		log_paused_fn *fn;
		void *ctx;
	} paused[3]; /* hub, sessions, terminals */
	void (*remedy)(void *ctx, struct vy_buf *out);
	void *remedy_ctx;

	struct trouble trouble;
	struct vy_buf note; /* why it is paused, for people */
	bool is_flushing;
	bool has_lost; /* a damaged store: something was to be written this turn */
	bool is_due;   /* a timer said so: at this turn's end, whatever the pace */
	unsigned seen; /* stage.changes at the last look */
	unsigned commits, at_quiet;
	int64_t events; /* of the journal: the newest that is committed */
	struct vy_timer *pace_timer, *retry_timer, *room_timer, *quiet_timer;

	struct { /* log_tidy.c: the step under way */
		char *session;
		bool expires;
		void (*done)(void *ctx, int rc);
		void *ctx;
	} tidying;
	char id[STREAM_IDS + 24]; /* of the frame that is being staged */
};

/* Timers of a log without a loop (tests, tools) are none. */
static inline void log_timer_set(struct vy_timer *t, int64_t ms)
{
	if (t) {
		vy_timer_set(t, ms);
	}
}

static inline bool log_timer_is_set(const struct vy_timer *t)
{
	return t && vy_timer_is_set(t);
}

/* ---- log_trouble.c ---- */
void log_failed(struct log *l, const struct vy_err *e); /* a commit */
void log_recovered(struct log *l);                      /* a commit went through */
void log_say_trouble(struct log *l);                    /* l->trouble, to people */
void log_look_for_room(void *ctx);                      /* l->room_timer */
void log_on_damage(void *ctx);                          /* what log_damaged() says later */
void log_dismiss_afters(struct log *l); /* whoever waits for a commit: it will not be */
void log_release_reads(struct log *l);  /* who only reads waits for no disk, once it is paused */

/* A read met damage: nothing is written any more, which is said later in this turn. ctx: the log. */
void log_damaged(void *ctx, const struct vy_err *e);
/* Of a session, made on first use; NULL: it cannot be read. */
struct stream *log_stream(struct log *l, const char *session, struct vy_err *e);

#endif
