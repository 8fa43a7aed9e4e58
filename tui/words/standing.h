/* standing.h -- how a session stands beside its state, in a person's words: its agent was let go and
 * comes back with the next word, it waits for a place, it may not spend more. None of it is an alarm.
 *
 * Read from a session's record, whose words are wire.md's. Pure. */
#ifndef WORDS_STANDING_H
#define WORDS_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/base/buf.h"
#include "shared/base/json.h"

enum standing_kind {
	STANDING_PLAIN, /* its state says it all */
	STANDING_RESTS,
	STANDING_PLACE,     /* its words wait until another agent rests … */
	STANDING_TEAMMATE,  /* … or another teammate is done */
	STANDING_ELSEWHERE, /* … or another program lets go of its conversation */
	STANDING_BUDGET,
	STANDING_LIMIT,
	STANDING_PAUSED,  /* for another reason */
	STANDING_FINISHED /* a job, and done */
};

struct standing {
	enum standing_kind kind;
	int64_t position;  /* in line, from 1; 0: not said */
	int64_t until;     /* wall ms; 0: not said */
	double budget_usd; /* 0: none */
};

void standing_read(const struct vy_json *record, struct standing *out);
/* The kind of a reason, as a status has it: "paused", "waiting", "finished"; PLAIN for another state. */
enum standing_kind standing_kind_of(struct vy_str state, struct vy_str reason);

/* It keeps words from going: all but a rest, and what is plain. */
bool standing_waits(const struct standing *st);

/* "○", "⧗" or "‖"; NULL of what is plain. */
const char *standing_mark(const struct standing *st);
/* "waits for a place: no. 2 in line", or short: "no. 2 in line". False, and nothing appended, of what
 * is plain. `now`: wall ms, for the day of a time. */
bool standing_words(const struct standing *st, int64_t now, bool is_short, struct vy_buf *out);

/* "17:00", with the day when it is another. Appends. */
void standing_time(int64_t when, int64_t now, struct vy_buf *out);

#endif
