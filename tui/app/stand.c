/* stand.c -- see stand.h. */
#include "tui/app/stand.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/mem.h"
#include "shared/text/utf8.h"
#include "tui/app/look.h"
#include "tui/app/state.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

#define NEAR 0.8 /* of a limit: from here on it is said */

static void set(char **at, struct vy_str value)
{
	VY_AUTO_BUF seen = VY_BUF_INIT(1024);

	vy_utf8_visible(value, VY_UTF8_LINE, &seen);
	free(*at);
	*at = seen.len ? vy_buf_take(&seen, NULL) : NULL;
}

void stand_fini(struct stand *st)
{
	free(st->limit);
	free(st->project);
}

void stand_clear(struct stand *st)
{
	stand_fini(st);
	*st = (struct stand){ 0 };
}

void stand_record(struct app_state *s, const struct vy_json *record)
{
	const struct vy_json *limits = vy_json_get(record, "limits");
	struct stand *st = &s->stand;

	standing_read(record, &st->how);
	set(&st->limit, vy_json_str(limits, "kind"));
	set(&st->project, vy_json_str(record, "project"));
	st->used = vy_json_num(limits, "used", 0);
	st->resets = vy_json_int(limits, "resets_at", 0);
}

void stand_status(struct app_state *s, const struct vy_frame *status)
{
	struct standing *how = &s->stand.how;

	if (!vy_frame_has(status, VY_F_STATE)) {
		return;
	}
	how->kind = standing_kind_of(
		vy_frame_str(status, VY_F_STATE), vy_frame_str(status, VY_F_REASON));
	how->position = vy_frame_int(status, VY_F_POSITION, 0);
	how->until = vy_frame_int(status, VY_F_UNTIL, 0);
}

enum standing_kind stand_kind(const struct app_state *s)
{
	const struct vy_fold_state *st = vy_fold_state(s->fold);

	switch (st->state) {
	case VY_STATE_WAITING:
	case VY_STATE_FINISHED:
	case VY_STATE_STOPPED:
	case VY_STATE_PAUSED: return st->stopping ? STANDING_PLAIN : s->stand.how.kind;
	case VY_STATE_STARTING:
	case VY_STATE_WORKING:
	case VY_STATE_ASKING:
	case VY_STATE_FAILED:
	case VY_STATE_COUNT:
	default: return STANDING_PLAIN;
	}
}

void stand_look_of(const struct standing *how, struct look *look)
{
	const char *mark = standing_mark(how);

	if (mark) {
		look->mark = mark;
		look->role = how->kind == STANDING_BUDGET || how->kind == STANDING_LIMIT
				     ? THEME_WARN
			     : how->kind == STANDING_PLACE || how->kind == STANDING_TEAMMATE ||
					     how->kind == STANDING_ELSEWHERE
				     ? THEME_QUEUE
				     : THEME_DIM;
		look->counts = false;
	}
}

bool stand_look(const struct app_state *s, bool is_short, struct look *look, struct vy_buf *word)
{
	if (stand_kind(s) == STANDING_PLAIN ||
		!standing_words(&s->stand.how, s->wall_ms, is_short, word)) {
		return false;
	}
	stand_look_of(&s->stand.how, look);
	return true;
}

const char *stand_limit_name(const char *kind)
{
	if (strcmp(kind, "five_hour") == 0) {
		return _("five-hour limit");
	}
	return strncmp(kind, "seven_day", strlen("seven_day")) == 0 ? _("weekly limit")
								    : _("limit of use");
}

int stand_near_limit(const struct app_state *s)
{
	const struct stand *st = &s->stand;
	bool is_near = st->limit && st->used >= NEAR && stand_kind(s) != STANDING_LIMIT;

	return is_near ? (int)(st->used * 100 + 0.5) : 0;
}
