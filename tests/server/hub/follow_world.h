/* follow_world.h -- a log in memory that is followed, and frames for it in brief. */
#ifndef TESTS_FOLLOW_WORLD_H
#define TESTS_FOLLOW_WORLD_H

#include "server/hub/follow.h"

#include "tests/check.h"

#include "server/log/log.h"
#include "shared/base/clock.h"
#include "shared/base/limits.h"
#include "shared/base/mem.h"
#include "shared/frame/frame.h"
#include "shared/io/loop.h"

static struct {
	struct vy_loop *loop;
	struct log_store *store;
	struct log *log;
	struct follow *follow;
	int64_t time;
} t;

static inline void begin(void)
{
	struct log_conf conf = { .store = t.store, .clock = &vy_clock_real, .boot_id = "boot" };

	t.log = log_new(&conf, NULL);
	assert_non_null(t.log);
	t.follow = follow_new(t.log, t.loop);
	log_flush(t.log);
}

static inline void end(void)
{
	follow_free(t.follow);
	log_free(t.log);
}

static inline int setup(void **state)
{
	(void)state;
	t.loop = vy_loop_new();
	t.store = store_mem_new();
	t.time = 1000;
	begin();
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	end();
	t.store->ops->close(t.store);
	vy_loop_free(t.loop);
	return 0;
}

/* ---- what happens ---- */

static inline void make(char *line, struct vy_frame *f)
{
	char *w[4] = { NULL }, *save = NULL;
	int n = 0;

	for (char *p = strtok_r(line, " ", &save); p && n < 4; p = strtok_r(NULL, " ", &save)) {
		w[n++] = p;
	}
	assert_non_null(w[0]);
	if (strcmp(w[0], "call") == 0) {
		vy_frame_init(f, VY_KIND_TOOL_STARTED);
		vy_frame_set_c(f, VY_F_TOOL_ID, w[1]);
		vy_frame_set_c(f, VY_F_TOOL, "Bash");
		vy_frame_set_c(f, VY_F_KIND, "agent");
		vy_frame_set_c(f, VY_F_SUMMARY, "x");
	} else if (strcmp(w[0], "done") == 0 || strcmp(w[0], "gone") == 0) {
		vy_frame_init(f, VY_KIND_TOOL_FINISHED);
		vy_frame_set_c(f, VY_F_TOOL_ID, w[1]);
		vy_frame_set_bool(f, VY_F_OK, w[0][0] == 'd');
		vy_frame_set_c(f, VY_F_STATUS, w[0][0] == 'd' ? "completed" : "canceled");
		vy_frame_set_json(f, VY_F_RESULT, VY_STR_LIT("{\"kind\":\"text\",\"text\":\"\"}"));
	} else if (w[0][0] == 'd') {
		vy_frame_init(f, VY_KIND_TEXT_DELTA);
		vy_frame_set_c(f, VY_F_MESSAGE, w[1]);
		vy_frame_set_int(f, VY_F_INDEX, strtol(w[2], NULL, 10));
		vy_frame_set_c(f, VY_F_TEXT, w[3]);
		if (strchr(w[2], 'r')) {
			vy_frame_set_bool(f, VY_F_REASONING, true);
		}
		if (w[0][1]) {
			vy_frame_set_c(f, VY_F_PARENT, w[0] + 1);
		}
	} else if (strcmp(w[0], "cut") == 0) {
		vy_frame_init(f, VY_KIND_TEXT_CUT);
		vy_frame_set_c(f, VY_F_MESSAGE, w[1]);
		vy_frame_set_int(f, VY_F_INDEX, 0);
		vy_frame_set_c(f, VY_F_NOTE, "again");
	} else {
		bool is_cut = strcmp(w[0], "interrupted") == 0;

		vy_frame_init(f, VY_KIND_STATUS);
		vy_frame_set_c(f, VY_F_STATE, is_cut ? "waiting" : w[0]);
		vy_frame_set_c(f, VY_F_REASON, w[1]);
		if (is_cut) {
			vy_frame_set_c(f, VY_F_NOTE, "interrupted");
		}
	}
	f->turn = VY_STR_LIT("S:1");
	f->author = VY_STR_LIT("assistant:a");
	f->time = t.time += 7;
}

/* "d M I TEXT" as in settle_test.c, "call T", "done T", "gone T", "cut M", states; "|" commits, also at the
 * end. */
static inline void happen_to(const char *session, const char *script)
{
	while (*script) {
		size_t n = strcspn(script, ";|");
		struct vy_err e = { 0 };
		struct vy_frame f;
		char line[128];

		snprintf(line, sizeof(line), "%.*s", (int)n, script);
		if (line[strspn(line, " ")]) {
			make(line, &f);
			if (log_append(t.log, session, &f, &e) < 0) {
				fail_msg("%s: %s", script, e.text);
			}
		}
		if (script[n] != ';') {
			log_flush(t.log);
		}
		script += n + (script[n] != '\0');
	}
}

#endif
