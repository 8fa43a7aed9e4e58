/* standing.c -- see standing.h. */
#include "tui/words/standing.h"

#include <stddef.h>
#include <time.h>

#include "tui/words/words.h"
#include "shared/base/ban.h"

static const struct {
	const char *reason;
	enum standing_kind kind;
} rests[] = {
	{ "idle", STANDING_RESTS },
	{ "restart", STANDING_RESTS },
	{ "rewind", STANDING_RESTS },
	{ "done", STANDING_FINISHED },
},
  pauses[] = {
	  { "live-cap", STANDING_PLACE },
	  { "slots", STANDING_TEAMMATE },
	  { "elsewhere", STANDING_ELSEWHERE },
	  { "budget", STANDING_BUDGET },
	  { "limit", STANDING_LIMIT },
  };

static enum standing_kind rest_of(struct vy_str reason)
{
	for (size_t i = 0; i < sizeof(rests) / sizeof(*rests); i++) {
		if (vy_str_is(reason, rests[i].reason)) {
			return rests[i].kind;
		}
	}
	return STANDING_PLAIN;
}

static enum standing_kind pause_of(struct vy_str reason)
{
	for (size_t i = 0; i < sizeof(pauses) / sizeof(*pauses); i++) {
		if (vy_str_is(reason, pauses[i].reason)) {
			return pauses[i].kind;
		}
	}
	return STANDING_PLAIN;
}

enum standing_kind standing_kind_of(struct vy_str state, struct vy_str reason)
{
	if (vy_str_is(state, "finished")) {
		return STANDING_FINISHED;
	}
	if (vy_str_is(state, "waiting")) {
		return rest_of(reason);
	}
	if (vy_str_is(state, "paused")) {
		enum standing_kind kind = pause_of(reason);

		return kind == STANDING_PLAIN ? STANDING_PAUSED : kind;
	}
	return STANDING_PLAIN;
}

void standing_read(const struct vy_json *record, struct standing *out)
{
	struct vy_str state = vy_json_str(record, "state"), reason = vy_json_str(record, "reason");
	struct vy_str process = vy_json_str(record, "process");
	enum standing_kind rest = rest_of(reason);
	const struct vy_json *wait = vy_json_get(record, "wait");

	*out = (struct standing){ .position = vy_json_int(wait, "position", 0),
		.until = vy_json_int(record, "until", 0),
		.budget_usd = vy_json_num(record, "budget_usd", 0) };
	if (vy_str_is(state, "idle")) {
		bool is_here = process.n && !vy_str_is(process, "absent");

		out->kind = rest == STANDING_PLAIN ? pause_of(reason)
			    : is_here              ? STANDING_PLAIN
						   : rest;
	} else if (vy_str_is(state, "stopped") && rest == STANDING_FINISHED) {
		out->kind = rest;
	}
}

bool standing_waits(const struct standing *st)
{
	return st->kind != STANDING_PLAIN && st->kind != STANDING_RESTS &&
	       st->kind != STANDING_FINISHED;
}

/* ---- in words ---- */

const char *standing_mark(const struct standing *st)
{
	switch (st->kind) {
	case STANDING_RESTS:
	case STANDING_FINISHED: return "○";
	case STANDING_PLACE:
	case STANDING_ELSEWHERE:
	case STANDING_TEAMMATE: return "⧗";
	case STANDING_BUDGET:
	case STANDING_LIMIT:
	case STANDING_PAUSED: return "‖";
	case STANDING_PLAIN:
	default: return NULL;
	}
}

void standing_time(int64_t when, int64_t now, struct vy_buf *out)
{
	time_t at = (time_t)(when / 1000), today = (time_t)(now / 1000);
	struct tm a, b;
	char text[40] = "";

	if (localtime_r(&at, &a) && localtime_r(&today, &b)) {
		bool is_today = a.tm_year == b.tm_year && a.tm_yday == b.tm_yday;

		strftime(text, sizeof(text), is_today ? "%H:%M" : "%Y-%m-%d %H:%M", &a);
	}
	vy_buf_adds(out, text);
}

static void say_place(const struct standing *st, bool is_short, struct vy_buf *out)
{
	bool is_place = st->kind == STANDING_PLACE;

	if (st->position == 1) {
		vy_buf_adds(out, is_short   ? _("next in line")
				 : is_place ? _("waits for a place: next in line")
					    : _("waits for a teammate's place: next in line"));
	} else if (st->position > 1) {
		vy_buf_addf(out,
			is_short   ? _("no. %lld in line")
			: is_place ? _("waits for a place: no. %lld in line")
				   : _("waits for a teammate's place: no. %lld in line"),
			(long long)st->position);
	} else {
		vy_buf_adds(out, is_place || is_short ? _("waits for a place")
						      : _("waits for a teammate's place"));
	}
}

static void say_limit(const struct standing *st, int64_t now, bool is_short, struct vy_buf *out)
{
	VY_AUTO_BUF until = VY_BUF_INIT(64);

	if (st->until <= 0) {
		vy_buf_adds(out, is_short ? _("limit reached") : _("paused: limit reached"));
		return;
	}
	standing_time(st->until, now, &until);
	/* TRANSLATORS: a limit of use; %s is a time, "17:00" */
	vy_buf_addf(out, is_short ? _("limit until %s") : _("paused until %s: limit"),
		vy_buf_c(&until));
}

bool standing_words(const struct standing *st, int64_t now, bool is_short, struct vy_buf *out)
{
	switch (st->kind) {
	case STANDING_RESTS: vy_buf_adds(out, _("resting")); return true;
	case STANDING_FINISHED: vy_buf_adds(out, _("finished")); return true;
	case STANDING_PLACE:
	case STANDING_TEAMMATE: say_place(st, is_short, out); return true;
	case STANDING_ELSEWHERE:
		vy_buf_adds(out, is_short ? _("open elsewhere") : _("waits: open elsewhere"));
		return true;
	case STANDING_LIMIT: say_limit(st, now, is_short, out); return true;
	case STANDING_BUDGET:
		if (is_short || st->budget_usd <= 0) {
			vy_buf_adds(out, is_short ? _("budget spent") : _("paused: budget spent"));
		} else {
			vy_buf_addf(out, _("paused: budget of $%.2f reached"), st->budget_usd);
		}
		return true;
	case STANDING_PAUSED: vy_buf_adds(out, _("paused")); return true;
	case STANDING_PLAIN:
	default: return false;
	}
}
