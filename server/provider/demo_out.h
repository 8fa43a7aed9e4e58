/* demo_out.h -- the lines the demo prints: claude's stream-json, as far as a driver looks at it.
 *
 * Pure: appends whole lines to a buffer. `where` is what most lines carry besides their own words. */
#ifndef PROVIDER_DEMO_OUT_H
#define PROVIDER_DEMO_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"
#include "shared/base/str.h"

/* The lines of the main thread have ids, to which a resume can go back. */
struct demo_lines {
	const char *life;
	int64_t n;
	void (*said)(void *ctx, const char *id);
	void *ctx;
};

struct demo_where {
	struct demo_lines *lines; /* NULL: they have none */
	struct vy_buf *out;
	const char *session, *model, *mode;
	const char *parent; /* the Agent call a subagent speaks for; NULL: the main thread */
};

struct demo_usage {
	int64_t input, output, total_input, total_output;
	double cost; /* dollars, of this life of the program */
};

/* ---- control ---- */

void demo_out_hello(const struct demo_where *w, struct vy_str id);
/* `own_response` NULL: none */
void demo_out_reply(const struct demo_where *w, struct vy_str id, struct vy_json *own_response);
void demo_out_refuse(const struct demo_where *w, struct vy_str id, const char *why);
void demo_out_request(const struct demo_where *w, const char *id, struct vy_json *own_request);
void demo_out_withdraw(const struct demo_where *w, const char *id);

/* ---- turns ---- */

void demo_out_life(const struct demo_where *w, struct vy_str uuid, const char *state);
void demo_out_init(const struct demo_where *w, const struct vy_json *uuids);
void demo_out_status(const struct demo_where *w, const char *status);
/* What was said is summarised: so many tokens before, and now. */
void demo_out_compacted(
	const struct demo_where *w, const char *trigger, int64_t before, int64_t after);
void demo_out_mode(const struct demo_where *w);
/* A usage limit that resets then (s), and is used up, or half. */
void demo_out_limit(const struct demo_where *w, int64_t resets, bool is_used_up);
void demo_out_retry(
	const struct demo_where *w, int64_t status, int attempt, int of, int64_t delay_ms);

struct demo_result {
	bool is_error;
	const char *subtype, *terminal, *text; /* text NULL: none */
	const char *origin;                    /* "task-notification" when nobody typed */
	int64_t api_status;                    /* 0: none */
	const struct vy_json *uuids;
	struct demo_usage usage;
};
void demo_out_result(const struct demo_where *w, const struct demo_result *r);

/* ---- messages ---- */

void demo_out_message_start(const struct demo_where *w, const char *message);
void demo_out_block_start(const struct demo_where *w, int64_t index, const char *type);
void demo_out_delta(const struct demo_where *w, int64_t index, bool is_thought, struct vy_str text);
void demo_out_block_stop(const struct demo_where *w, int64_t index);
void demo_out_message_end(
	const struct demo_where *w, const char *stop_reason, const struct demo_usage *u);

/* One finished block of an `assistant` line. */
void demo_out_words(const struct demo_where *w, const char *message, bool is_thought,
	struct vy_str text, bool is_aborted);
void demo_out_call(const struct demo_where *w, const char *message, const char *id,
	const char *name, const struct vy_json *input);
void demo_out_api_error(const struct demo_where *w, const char *message, struct vy_str text);

/* A call's result. `twin` (borrowed) may be NULL; `is_cut`: a person's interrupt ended it. */
void demo_out_tool_result(const struct demo_where *w, const char *id, struct vy_str text,
	bool is_error, bool is_cut, const struct vy_json *twin);
void demo_out_interrupted(const struct demo_where *w, bool in_tool);

/* ---- tasks ---- */

void demo_out_tasks(const struct demo_where *w, struct vy_json *own_tasks);
void demo_out_task_started(const struct demo_where *w, const char *task, const char *tool,
	const char *what, const char *type, bool is_background);
void demo_out_task_progress(
	const struct demo_where *w, const char *task, const char *tool, const char *what);
void demo_out_task_ended(const struct demo_where *w, const char *task, const char *tool,
	const char *status, struct vy_str summary);

#endif
